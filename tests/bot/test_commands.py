"""Slash commands and message menus, as people use them."""

from __future__ import annotations

from pathlib import Path

import discord
import pdfs
import pytest
import simcord
from house import ASKED, LEAVE, SIMCORD, House, labels, last, said, texts

from bot.settings import ServerSettings
from rag_core.adapters.catalog import SqliteCatalog
from rag_core.errors import DocumentNotFound, NotAllowed
from rag_core.settings import Settings
from rag_core.types.quotas import EVERYBODY, Quota

pytestmark = SIMCORD


async def test_a_question_by_command_is_answered_with_proof(house: House):
    """Acknowledged at once, for all to see or for the asker alone, of all documents or of one."""
    await house.attach()
    result = await house.alice.slash(house.channel, "ask", question=ASKED)
    assert result.acknowledged
    assert LEAVE in said(result)
    assert not result.ephemeral
    [choice] = await house.alice.autocomplete(house.channel, "ask", "document", "hand")
    private = await house.alice.slash(house.channel, "ask", question=ASKED, document=choice["value"], private=True)
    assert private.ephemeral
    assert LEAVE in said(private)


async def test_passages_are_found(house: House):
    """With their pages, and each page a click away."""
    await house.attach()
    found = await house.alice.slash(house.channel, "search", query="annual leave")
    assert found.ephemeral
    assert "page 1" in said(found)
    assert found.response is not None
    assert "1: page 1" in labels(found.response)
    nothing = await house.alice.slash(house.guild.create_text_channel("empty"), "search", query="annual leave")
    assert "No passage" in said(nothing)


async def test_a_search_says_what_is_found_by_its_words_alone(house: House, settings: Settings):
    """As an answer does: something may be missing until the vectors are there."""
    await house.attach()
    await house.queue.stop()
    [document] = await house.held()
    catalog = await SqliteCatalog.open(settings.home / "catalog.sqlite3")
    await catalog.unembed(document.id)
    await catalog.close()
    found = await house.alice.slash(house.channel, "search", query="annual leave")
    assert "Found by their words alone so far" in said(found)


async def test_everybody_has_so_many_questions_an_hour(house: House):
    """Asking, searching and checking count alike; who has had theirs is told when to come again, and others go on."""
    await house.library.set_quota(EVERYBODY, Quota(questions_an_hour=2))
    await house.attach()
    await house.alice.slash(house.channel, "search", query="annual leave")
    await house.alice.slash(house.channel, "verify", text=LEAVE)
    refused = await house.alice.slash(house.channel, "ask", question=ASKED)
    assert "try again in" in said(refused)
    assert LEAVE in said(await house.member("bob").slash(house.channel, "ask", question=ASKED))


async def test_a_text_is_checked_statement_by_statement(house: House):
    """A changed number is marked, and what it fails by is said."""
    await house.attach()
    text = f"{LEAVE} Annual leave is 35 days for every employee."
    result = await house.alice.slash(house.channel, "verify", text=text)
    lines = said(result).splitlines()
    assert lines[0].startswith("✅ **supported**")
    assert "page 1" in lines[1]
    assert not any("35 days" in line and "✅" in line for line in lines)


async def test_a_message_is_checked_by_its_link_or_its_menu(house: House):
    """Where its reader may read it; a message without words has nothing to check."""
    await house.attach()
    message = await house.alice.send(house.channel, "Annual leave is 35 days for every employee.")
    link = f"https://discord.com/channels/{house.guild.id}/{house.channel.id}/{message.id}"
    assert "35 days" in said(await house.alice.slash(house.channel, "verify", text=link))
    checked = await house.alice.context_menu(house.channel, "Check this against the documents", message)
    assert "35 days" in said(checked)
    assert "✅" not in said(checked)
    hidden = house.guild.create_text_channel(
        "hidden", overwrites={house.guild.default_role: discord.PermissionOverwrite(view_channel=False)}
    )
    bob = house.member("bob", view_channel=True, administrator=True)
    secret = await bob.send(hidden, "Annual leave is secret.")
    elsewhere = f"https://discord.com/channels/{house.guild.id}/{hidden.id}/{secret.id}"
    refused = await house.alice.slash(house.channel, "verify", text=elsewhere)
    assert "secret" not in said(refused)
    assert "cannot read its channel" in said(refused)
    silent = await house.alice.send(house.channel, attachments=[("cat.png", b"PNG")])
    assert "no text" in said(await house.alice.context_menu(house.channel, "Check this against the documents", silent))
    assert len(house.env.errors) == 2


async def test_documents_are_listed_explained_and_removed_by_those_who_may(house: House):
    """Bob sees them and may not remove them; who brought one may, and a moderator; then it is gone."""
    await house.attach()
    assert "**handbook**, 2 pages" in said(await house.alice.slash(house.channel, "documents list"))
    info = await house.alice.slash(house.channel, "documents info", document="handbook")
    assert house.alice.mention in said(info)
    bob = house.member("bob")
    denied = await bob.slash(house.channel, "documents remove", document="handbook")
    assert denied.ephemeral
    assert "Manage Messages" in said(denied)
    simcord.assert_error(house.env, NotAllowed)
    removed = await house.alice.slash(house.channel, "documents remove", document="handbook")
    assert "is removed from here" in said(removed)
    assert "no documents" in said(await house.alice.slash(house.channel, "documents list"))
    assert (await house.library.counts()).chunks == 0


async def test_a_moderator_removes_what_others_brought(house: House):
    """Found by a part of its title, or by the menu of the message or the card."""
    await house.attach()
    mod = house.member("mod", manage_messages=True)
    [choice] = await mod.autocomplete(house.channel, "documents remove", "document", "HAND")
    assert "is removed" in said(await mod.slash(house.channel, "documents remove", document=choice["value"]))
    message = await house.attach()
    assert "is removed" in said(await mod.context_menu(house.channel, "Remove this document", message))
    await house.attach()
    thread = house.channel.threads[-1]
    [card] = [m for m in thread.history() if "is read" in m.content]
    assert "is removed" in said(await house.alice.context_menu(thread, "Remove this document", card))
    assert await house.held() == []


async def test_what_two_people_brought_stays_until_both_take_it_away(house: House):
    """Nobody's copy is taken by somebody else's change of mind."""
    await house.attach()
    bob = house.member("bob")
    await bob.send(house.channel, attachments=[("mine.pdf", house.handbook)])
    kept = await house.alice.slash(house.channel, "documents remove", document="handbook")
    assert "can still be asked" in said(kept)
    assert len(await house.held()) == 1
    assert "is removed" in said(await bob.slash(house.channel, "documents remove", document="handbook"))
    assert await house.held() == []


async def test_a_document_comes_by_command(house: House):
    """Its card is the answer."""
    added = await house.alice.slash(house.channel, "documents add", file=("handbook.pdf", house.handbook))
    assert "is read: 2 pages" in said(added)
    assert LEAVE in said(await house.alice.slash(house.channel, "ask", question=ASKED))


async def test_a_question_about_a_pdf_by_its_menu(house: House):
    """Where nobody listens, the file is read first; where it was read, it is only asked."""
    await house.store.set_settings(house.guild.id, ServerSettings(listening="mention"))
    message = await house.attach()
    assert house.channel.threads == []
    form = await house.alice.context_menu(house.channel, "Ask about this PDF", message)
    await house.alice.submit_modal(form, {"question": ASKED})
    assert LEAVE in last(house.thread()).content
    form = await house.alice.context_menu(house.channel, "Ask about this PDF", message)
    again = await house.alice.submit_modal(form, {"question": ASKED})
    assert LEAVE in said(again)
    assert len(house.channel.threads) == 1


async def test_a_question_about_several_pdfs_of_a_message_is_asked_of_them_all(house: House, tmp_path: Path):
    """Whether they were read before or not."""
    await house.store.set_settings(house.guild.id, ServerSettings(listening="mention"))
    tides = pdfs.pdf(tmp_path / "tides.pdf", pdfs.text("The tide turns 4 times a day.")).read_bytes()
    message = await house.alice.send(house.channel, attachments=[("a.pdf", house.handbook), ("tides.pdf", tides)])
    form = await house.alice.context_menu(house.channel, "Ask about this PDF", message)
    await house.alice.submit_modal(form, {"question": "How many times does the tide turn?"})
    assert "4 times a day" in last(house.thread()).content
    for question, right in (("How many times does the tide turn?", "4 times a day"), (ASKED, LEAVE)):
        form = await house.alice.context_menu(house.channel, "Ask about this PDF", message)
        assert right in said(await house.alice.submit_modal(form, {"question": question}))


async def test_only_who_may_removes_a_document_by_its_menu(house: House):
    """Somebody else is told who may, and it stays."""
    message = await house.attach()
    bob = house.member("bob")
    assert "Manage Messages" in said(await bob.context_menu(house.channel, "Remove this document", message))
    simcord.assert_error(house.env, NotAllowed)
    assert len(await house.held()) == 1


async def test_a_message_without_a_pdf_has_none_to_ask_about(house: House):
    """Said to the one who tried."""
    message = await house.alice.send(house.channel, "Hello.")
    result = await house.alice.context_menu(house.channel, "Ask about this PDF", message)
    assert "has no PDF" in said(result)
    simcord.assert_error(house.env, NotAllowed)


async def test_what_is_not_there_is_told_to_the_asker_alone(house: House):
    """An error is one sentence, in words for people."""
    result = await house.alice.slash(house.channel, "documents remove", document="nonesuch")
    assert said(result).startswith("⚠️ There is no document")
    simcord.assert_error(house.env, DocumentNotFound)


async def test_help_says_what_there_is(house: House):
    """Every command that people have is in it, and it fits in one message."""
    text = said(await house.alice.slash(house.channel, "help"))
    names = {name.split(" ")[0] for name in house.alice.available_commands(house.channel)}
    assert [name for name in names - {"help"} if f"/{name}" not in text] == []


@pytest.mark.parametrize(("listening", "threads"), [("mention", 0), ("chosen", 0), ("everywhere", 1)])
async def test_a_server_chooses_where_a_pdf_is_read(house: House, listening: str, threads: int):
    """A mention always counts."""
    boss = house.member("boss", manage_guild=True)
    await boss.slash(house.channel, "settings listening", where=listening)
    await house.attach()
    assert len(house.channel.threads) == threads
    await house.attach(house.me.mention)
    assert len(house.channel.threads) == threads + 1


async def test_a_channel_is_chosen(house: House):
    """From then on a PDF alone is read in chosen channels only."""
    boss = house.member("boss", manage_guild=True)
    other = house.guild.create_text_channel("other")
    shown = await boss.slash(house.channel, "settings channel", channel=other)
    assert other.mention in said(shown)
    await house.attach(to=house.channel)
    await house.attach(to=other)
    assert house.channel.threads == []
    assert len(other.threads) == 1
    await boss.slash(house.channel, "settings channel", channel=other, chosen=False)
    await house.attach(to=other)
    assert len(other.threads) == 1


async def test_a_server_chooses_who_adds_documents(house: House):
    """Others are told who may, wherever they try."""
    boss = house.member("boss", manage_guild=True, manage_messages=True)
    role = house.guild.create_role("Librarians")
    await boss.slash(house.channel, "settings uploaders", who="role", role=role)
    await house.attach()
    assert "ask a moderator" in last(house.channel).content
    assert "ask a moderator" in said(
        await house.alice.slash(house.channel, "documents add", file=("handbook.pdf", house.handbook))
    )
    assert len(house.env.errors) == 1
    librarian = house.guild.add_member(house.env.create_user("libby"), roles=[role])
    await librarian.send(house.channel, attachments=[("handbook.pdf", house.handbook)])
    assert len(await house.held()) == 1


async def test_a_server_chooses_what_is_published(house: House):
    """Its policy is used, and shown; without the permission, nothing is changed."""
    boss = house.member("boss", manage_guild=True)
    assert "literal quotations" in said(await boss.slash(house.channel, "settings policy", policy="quote"))
    assert "literal quotations" in said(await boss.slash(house.channel, "settings show"))
    assert "settings show" not in house.alice.available_commands(house.channel)
    await house.attach(ASKED)
    assert LEAVE in last(house.thread()).content


@pytest.mark.parametrize(
    ("command", "options", "shown"),
    [
        ("listening", {"where": "everywhere"}, "in every channel where I may open threads"),
        ("listening", {"where": "chosen"}, "in no channel yet"),
        ("listening", {"where": "mention"}, "nowhere"),
        ("retention", {"days": 30}, "kept for 30 days"),
        ("retention", {"days": 0}, "kept until somebody deletes them"),
        ("uploaders", {"who": "everyone"}, "added by everyone"),
        ("uploaders", {"who": "moderators"}, "added by moderators"),
        ("policy", {"policy": "strict"}, "only what the documents support"),
        ("policy", {"policy": "flag"}, "what is not supported marked"),
        ("policy", {"policy": "quote"}, "literal quotations alone"),
        ("language", {"language": "en"}, "I speak English"),
        ("language", {"language": "fr"}, "français"),
        ("language", {"language": "es"}, "español"),
    ],
)
async def test_each_setting_is_shown_as_it_was_set_and_survives_a_restart(
    house: House, command: str, options: dict[str, object], shown: str
):
    """At once, and by whichever process is asked."""
    boss = house.member("boss", manage_guild=True)
    assert shown in said(await boss.slash(house.channel, f"settings {command}", **options))
    await house.restart()
    assert shown in said(await boss.slash(house.channel, "settings show"))


async def test_a_forum_is_chosen_like_any_channel(house: House):
    """Its posts are then read, and no others."""
    boss = house.member("boss", manage_guild=True)
    forum = house.guild.create_forum_channel("papers")
    assert forum.mention in said(await boss.slash(house.channel, "settings channel", channel=forum))
    post = house.env.backend.create_thread(forum.id, "Leave", owner_id=house.alice.id)
    await house.attach(to=simcord.ChannelHandle(house.env, house.guild, post))
    await house.attach()
    assert len(await house.held(forum)) == 1
    assert await house.held() == []


async def test_only_moderators_add_documents_where_a_server_wants_it_so(house: House):
    """Others are told whom to ask, by whatever way they try."""
    boss = house.member("boss", manage_guild=True, manage_messages=True)
    await boss.slash(house.channel, "settings uploaders", who="moderators")
    message = await house.attach()
    assert "ask one to add it" in last(house.channel).content
    form = await house.alice.context_menu(house.channel, "Ask about this PDF", message)
    assert "ask one to add it" in said(await house.alice.submit_modal(form, {"question": ASKED}))
    assert await house.held() == []
    await boss.send(house.channel, attachments=[("handbook.pdf", house.handbook)])
    assert len(await house.held()) == 1


async def test_a_role_is_named_exactly_where_a_role_decides(house: House):
    """Otherwise nothing is changed, and why is said."""
    boss = house.member("boss", manage_guild=True)
    role = house.guild.create_role("Librarians")
    assert "Name a role" in said(await boss.slash(house.channel, "settings uploaders", who="role"))
    assert "Name a role" in said(await boss.slash(house.channel, "settings uploaders", who="everyone", role=role))
    assert "added by everyone" in said(await boss.slash(house.channel, "settings show"))
    assert len(house.env.errors) == 2


async def test_commands_are_told_to_discord_again_when_they_have_changed(house: House):
    """What the process before this one told was another set."""
    await house.store.set_meta("commands", "others")
    await house.restart()
    told = [entry for entry in house.env.http_requests if entry.method == "PUT" and entry.path.endswith("/commands")]
    assert len(told) == 2


async def test_commands_are_told_to_discord_once(house: House):
    """And not again by a process that has the same ones."""
    await house.restart()
    told = [entry for entry in house.env.http_requests if entry.method == "PUT" and entry.path.endswith("/commands")]
    assert len(told) == 1
    assert LEAVE not in " ".join(texts(house.channel))
