"""What the bot says in its own words: every language has every phrase, and a server hears the one it chose."""

from __future__ import annotations

from dataclasses import fields
from string import Formatter

import pytest
from house import ASKED, LEAVE, SIMCORD, House, labels, last, said, texts

from bot.limits import LABEL, MESSAGE
from bot.phrases import LANGUAGES, Language, Phrases

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


@SIMCORD
async def test_without_a_choice_the_bot_speaks_as_discord_says_of_the_server(house: House):
    """English, where Discord names a language that the bot does not speak."""
    for locale, begins in (("de", "**Pincite beantwortet"), ("ja", "**Pincite answers")):
        guild = house.env.create_guild(locale, preferred_locale=locale)
        carol = guild.add_member(house.env.create_user(f"carol-{locale}"))
        assert said(await carol.slash(guild.create_text_channel("talk"), "help")).startswith(begins)
