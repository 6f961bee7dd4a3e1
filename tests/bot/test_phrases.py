"""What the bot says in its own words: every language has every phrase, and a server hears the one it chose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from string import Formatter
from typing import Any

import discord
import pytest
from house import ASKED, LEAVE, SIMCORD, House, labels, last, said, texts

from bot.limits import LABEL, MESSAGE
from bot.permissions import missing
from bot.phrases import LANGUAGES, Language, Phrases
from bot.phrases.commands import SAID

NAMES = tuple(field.name for field in fields(Phrases))
SHORT = {"what_is_wrong": 45, "keep_title": 45, "is_encrypted": 45, "ask_about": 45, "your_reason": 45, "key_field": 45,
         "your_question": 45, "keep_answer": 45, "keep_page": 45, "reason_example": 100, "keep_answer_example": 100,
         "question_example": 100, "recheck": LABEL, "keep_button": LABEL, "enter_key": LABEL, "eval_go_on": LABEL,
         "delete_it_all": LABEL, "previous_page": LABEL, "next_page": LABEL, "eval_stop": LABEL}  # fmt: skip
"""Characters that Discord has room for: titles and labels of a form, its examples, and buttons."""


def blanks(phrase: str) -> set[str]:
    """What is filled into a phrase."""
    return {name for _, name, _, _ in Formatter().parse(phrase) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_a_phrase_says_the_same_in_every_language(name: str, language: Language):
    """It is there, has the same blanks as in English, and fits where Discord shows it."""
    phrase = getattr(LANGUAGES[language], name)
    assert phrase.strip()
    assert blanks(phrase) == blanks(getattr(LANGUAGES["en"], name))
    assert len(phrase) <= SHORT.get(name, MESSAGE)


def test_every_permission_that_the_bot_uses_has_words():
    """Of an error that names it."""
    assert {f"may_{name}" for name in missing(discord.Permissions.none())} == {n for n in NAMES if n[:4] == "may_"}


@SIMCORD
async def test_a_server_is_spoken_to_in_the_language_that_it_chose(house: House):
    """Cards, buttons, refusals and its settings; the quotation stays in the language of its document."""
    boss = house.member("boss", manage_guild=True)
    assert "Ich spreche Deutsch" in said(await boss.slash(house.channel, "settings language", language="de"))
    await house.attach(ASKED)
    assert any("ist gelesen: 2 Seiten." in text for text in texts(house.thread()))
    answer = last(house.thread())
    assert LEAVE in answer.content
    assert "handbook, Seite 1" in answer.content
    assert "Beleg [1], Seite 1" in labels(answer)
    assert "Noch einmal geprüft" in said(await house.alice.click(answer, custom_id="recheck"))
    other = house.guild.create_text_channel("other")
    assert "noch keine Dokumente" in said(await house.alice.slash(other, "documents list"))


def texts_of(command: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Every text of a command that Discord knows, with its translations: descriptions, and the names of menus."""
    text = "description" if "description" in command else "name"
    yield command[text], command[f"{text}_localizations"]
    for option in command.get("options", ()):
        yield from texts_of(option)


@SIMCORD
async def test_commands_are_described_in_the_language_of_who_looks_at_them(house: House):
    """All of them, in all languages, as briefly as Discord wants it; slash commands keep their names."""
    told = next(e.json for e in house.env.http_requests if e.method == "PUT" and e.path.endswith("/commands"))
    described = [text for command in told for text in texts_of(command)]
    assert {said.en for said in SAID} == {text for text, _ in described}
    for text, translated in described:
        assert sorted(translated) == ["de", "es-419", "es-ES", "fr"]
        assert all(0 < len(one) <= 100 for one in (text, *translated.values()))
    names = {name for command in told if "description" in command for name in command["name_localizations"] or ()}
    assert names == set()
    [menu] = [one for one in told if one["name"] == "Ask about this PDF"]
    assert menu["name_localizations"]["de"] == "Zu diesem PDF fragen"


@SIMCORD
async def test_commands_are_there_only_where_the_bot_is(house: House):
    """Not for whoever adds the application to an account of their own, in servers that never let the bot in."""
    told = next(e.json for e in house.env.http_requests if e.method == "PUT" and e.path.endswith("/commands"))
    assert told
    assert [command["integration_types"] for command in told] == [[0]] * len(told)


@SIMCORD
@pytest.mark.parametrize(("language", "read"), [("fr", "est lu : 2 pages."), ("es", "está leído: 2 páginas.")])
async def test_french_and_spanish_are_spoken_too(house: House, language: str, read: str):
    """The card, and what a proof says to who cannot see it."""
    boss = house.member("boss", manage_guild=True)
    await boss.slash(house.channel, "settings language", language=language)
    await house.attach(ASKED)
    assert any(read in text for text in texts(house.thread()))
    [proof] = [label for label in labels(last(house.thread())) if "[1]" in label]
    shown = await house.alice.click(last(house.thread()), label=proof)
    assert shown.response is not None
    assert "page 1" in (shown.response.attachments[0].description or "").replace("página", "page")
    assert LEAVE in (shown.response.attachments[0].description or "")


@SIMCORD
async def test_without_a_choice_the_bot_speaks_as_discord_says_of_the_server(house: House):
    """English, where Discord names a language that the bot does not speak."""
    for locale, begins in (("de", "**Pincite beantwortet"), ("ja", "**Pincite answers")):
        guild = house.env.create_guild(locale, preferred_locale=locale)
        carol = guild.add_member(house.env.create_user(f"carol-{locale}"))
        assert said(await carol.slash(guild.create_text_channel("talk"), "help")).startswith(begins)
