"""Who sees what, and what goes when something goes: for real, not only from a list."""

from __future__ import annotations

import asyncio
import hashlib
import json
from pathlib import Path

import pdfs
import pytest
import simcord
from house import ASKED, LEAVE, SIMCORD, House, last, said

from rag_core.errors import NotAllowed
from rag_core.types import CollectionName, Scope

pytestmark = SIMCORD


async def written(tmp_path: Path) -> bytes:
    """All bytes of the bot's file, and of the logs beside it."""
    return b"".join([await asyncio.to_thread(path.read_bytes) for path in (tmp_path / "home").glob("bot.sqlite3*")])


async def nothing_is_left(house: House, tmp_path: Path) -> None:
    """No document, no chunk in any index, no PDF, and no record of it."""
    held = await written(tmp_path)
    assert [trace for trace in (hashlib.sha256(house.handbook).hexdigest(), LEAVE) if trace.encode() in held] == []
    counts = await house.library.counts()
    assert (counts.documents, counts.chunks, counts.dense, counts.sparse) == (0, 0, 0, 0)
    assert list((tmp_path / "home" / "blobs").glob("*.pdf")) == []
    assert await house.store.uploads_of_server(house.guild.id) == []


async def test_another_channel_sees_nothing(house: House):
    """Neither its list, nor its answers, nor its pages."""
    await house.attach()
    other = house.guild.create_text_channel("other")
    assert "no documents" in said(await house.alice.slash(other, "documents list"))
    assert said(await house.alice.slash(other, "ask", question=ASKED)).startswith("🚫")
    assert await house.alice.autocomplete(other, "ask", "document", "") == []


async def test_a_private_thread_is_for_those_who_were_let_in(house: House):
    """Its documents are no part of its channel."""
    thread = house.env.backend.create_thread(house.channel.id, "secret", owner_id=house.alice.id, type=12)
    room = simcord.ChannelHandle(house.env, house.guild, thread)
    await house.attach(f"{house.me.mention} {ASKED}", to=room)
    assert LEAVE in last(room).content
    assert "no documents" in said(await house.alice.slash(house.channel, "documents list"))


async def test_a_moderator_shares_a_document_with_all_channels(house: House):
    """Explicitly, and takes that back; it goes with the channel's own copy."""
    await house.attach()
    other = house.guild.create_text_channel("other")
    refused = await house.alice.slash(house.channel, "documents share", document="handbook")
    assert "Only moderators" in said(refused)
    simcord.assert_error(house.env, NotAllowed)
    mod = house.member("mod", manage_messages=True)
    assert "all channels" in said(await mod.slash(house.channel, "documents share", document="handbook"))
    assert LEAVE in said(await house.alice.slash(other, "ask", question=ASKED))
    assert "shared with the whole server" in said(await house.alice.slash(other, "documents list"))
    await mod.slash(other, "documents share", document="handbook", shared=False)
    assert "no documents" in said(await house.alice.slash(other, "documents list"))
    await mod.slash(house.channel, "documents share", document="handbook")
    await mod.slash(house.channel, "documents remove", document="handbook")
    assert "no documents" in said(await house.alice.slash(other, "documents list"))
    assert (await house.library.counts()).documents == 0


async def test_deleting_the_message_deletes_its_document(house: House, tmp_path: Path):
    """File, text, index and records."""
    message = await house.attach(ASKED)
    await house.alice.delete(message)
    await nothing_is_left(house, tmp_path)
    assert await house.store.questions_by(house.alice.id) == []


async def test_a_deleted_question_is_in_no_byte_of_the_bots_file(house: House, tmp_path: Path):
    """Nor in the log of what was written to it."""
    await house.attach()
    asked = await house.alice.send(house.channel, f"{house.me.mention} Which zeppelins have a moustache?")
    assert b"moustache" in await written(tmp_path)
    await house.alice.delete(asked)
    assert b"moustache" not in await written(tmp_path)


async def test_a_file_that_is_taken_out_of_its_message_is_deleted(house: House, tmp_path: Path):
    """The others stay; what was said beside them may be changed as often as one likes."""
    tides = pdfs.pdf(tmp_path / "tides.pdf", pdfs.text("The tide turns 4 times a day.")).read_bytes()
    files = [("handbook.pdf", house.handbook), ("tides.pdf", tides)]
    message = await house.alice.send(house.channel, ASKED, attachments=files)
    await house.alice.edit(message, "How many days of leave are there?")
    assert len(await house.held()) == 2
    kept = house.env.backend.get_message(house.channel.id, message.id).attachments
    house.env.backend.edit_message(house.channel.id, message.id, {"attachments": kept[1:]})
    await house.env.settle()
    assert [document.title for document in await house.held()] == ["tides"]
    house.env.backend.edit_message(house.channel.id, message.id, {"attachments": []})
    await house.env.settle()
    await nothing_is_left(house, tmp_path)


async def test_a_file_that_came_by_command_stays_when_its_card_changes(house: House):
    """No message ever had it."""
    await house.alice.slash(house.channel, "documents add", file=("handbook.pdf", house.handbook))
    assert len(await house.held()) == 1


async def test_answers_out_of_a_deleted_document_are_forgotten(house: House, tmp_path: Path):
    """Whoever asked: that they asked is theirs, and what the document said is gone; a button says so."""
    message = await house.attach()
    bob = house.member("bob")
    await bob.send(house.thread(), ASKED)
    answer = last(house.thread())
    await house.alice.delete(message)
    await nothing_is_left(house, tmp_path)
    assert len(await house.store.questions_by(bob.id)) == 1
    assert "Ask again" in said(await bob.click(answer, label="Re-check"))


async def test_deleting_the_thread_deletes_what_was_brought_and_asked_there(house: House, tmp_path: Path):
    """Though the message still stands."""
    await house.attach(ASKED)
    house.env.backend.delete_channel(house.thread().id)
    await house.env.settle()
    await nothing_is_left(house, tmp_path)
    assert await house.store.questions_by(house.alice.id) == []


async def test_deleting_the_channel_deletes_its_documents(house: House, tmp_path: Path):
    """Those that came by other ways than Discord, too."""
    await house.attach()
    [document] = await house.held()
    other = CollectionName(f"discord-{house.guild.id}-{house.guild.create_text_channel('other').id}")
    await house.library.share(document.id, scope=Scope.of(*document.collections), collection=other)
    house.env.backend.delete_channel(house.channel.id)
    await house.env.settle()
    assert len(await house.library.documents(Scope.of(other))) == 1
    house.env.backend.delete_channel(int(other.split("-")[-1]))
    await house.env.settle()
    await nothing_is_left(house, tmp_path)


async def test_leaving_a_server_deletes_all_of_it(house: House, tmp_path: Path):
    """Its settings, too; and so it is when the bot was put out while it did not run."""
    boss = house.member("boss", manage_guild=True, manage_messages=True)
    await boss.slash(house.channel, "settings retention", days=9)
    await house.attach(ASKED)
    await boss.slash(house.channel, "documents share", document="handbook")
    house.env.backend.remove_guild(house.guild.id)
    await house.env.settle()
    await nothing_is_left(house, tmp_path)
    assert await house.store.servers() == set()


async def test_a_server_that_was_left_meanwhile_is_forgotten_by_the_next_start(house: House, tmp_path: Path):
    """The bot was not there to be told."""
    await house.attach(ASKED)
    unheard = house.env.backend.subscribers[:]
    house.env.backend.subscribers.clear()
    house.env.backend.remove_guild(house.guild.id)
    house.env.backend.subscribers.extend(unheard)
    await house.restart()
    await house.env.settle()
    await nothing_is_left(house, tmp_path)


@pytest.mark.parametrize("what", ["message", "thread"])
async def test_what_was_deleted_meanwhile_is_forgotten_by_the_next_start(house: House, tmp_path: Path, what: str):
    """The bot was not there to be told; what still stands is left alone."""
    message = await house.attach(ASKED)
    thread = house.thread()
    await house.alice.send(house.guild.create_text_channel("other"), attachments=[("tides.pdf", house.handbook)])
    await house.env.shutdown()
    if what == "message":
        house.env.backend.delete_message(house.channel.id, message.id)
    else:
        house.env.backend.delete_channel(thread.id)
    await house.crash()
    await house.env.settle()
    assert await house.held() == []
    assert await house.store.questions_by(house.alice.id) == []
    [left] = await house.store.uploads_of_server(house.guild.id)
    assert left.what.filename == "tides.pdf"


async def test_a_deleted_channels_archived_threads_are_forgotten_too(house: House, tmp_path: Path):
    """Discord tells of the channel alone."""
    forum = house.guild.create_forum_channel("papers")
    post = house.env.backend.create_thread(forum.id, "Leave", owner_id=house.alice.id)
    room = simcord.ChannelHandle(house.env, house.guild, post)
    await house.attach(to=room)
    await house.alice.send(room, ASKED)
    archived = {"auto_archive_duration": 60, "archived": True}
    house.env.backend.edit_channel(post.id, {}, thread_metadata=archived)
    house.env.backend.delete_channel(forum.id)
    await house.env.settle()
    await nothing_is_left(house, tmp_path)
    assert await house.store.questions_by(house.alice.id) == []


async def test_a_person_deletes_what_is_kept_of_them(house: House, tmp_path: Path):
    """Documents, questions and opinions; what is somebody else's stays."""
    await house.attach(ASKED)
    bob = house.member("bob")
    await bob.send(house.thread(), ASKED)
    await bob.click(last(house.thread()), custom_id="thumb:up")
    assert "1 PDFs, 1 questions" in said(await house.alice.slash(house.channel, "privacy show"))
    sure = await house.alice.slash(house.channel, "privacy delete")
    assert sure.response is not None
    gone = await house.alice.click(sure.response, label="Delete it all")
    assert "handbook" in said(gone)
    await nothing_is_left(house, tmp_path)
    assert await house.store.questions_by(house.alice.id) == []
    assert len(await house.store.questions_by(bob.id)) == 1
    assert len(await house.store.votes_by(bob.id)) == 1


async def test_a_person_has_all_that_is_kept_of_them_as_a_file(house: House):
    """Their files, questions with their answers, and opinions; and nothing of anybody else's."""
    await house.attach(ASKED)
    await house.alice.click(last(house.thread()), custom_id="thumb:up")
    bob = house.member("bob")
    await bob.send(house.thread(), "How many days of unused leave may be carried over?")
    exported = await house.alice.slash(house.channel, "privacy export")
    assert exported.ephemeral
    assert "PDFs themselves" in said(exported)
    assert exported.response is not None
    [file] = exported.response.attachments
    kept = json.loads(await file.read())
    [brought], [asked], [thought] = kept["uploads"], kept["questions"], kept["opinions"]
    assert brought["what"]["filename"] == "handbook.pdf"
    assert asked["what"]["question"] == ASKED
    assert LEAVE in asked["answer"]["text"]
    assert thought["good"] is True
    assert kept["questions for evals"] == []


async def test_messages_deleted_all_at_once_are_forgotten_each(house: House, tmp_path: Path):
    """As a moderator's purge does it."""
    messages = [await house.attach(ASKED), await house.attach()]
    house.env.backend.bulk_delete_messages(house.channel.id, [message.id for message in messages])
    await house.env.settle()
    await nothing_is_left(house, tmp_path)


async def test_what_somebody_else_brought_too_stays(house: House, tmp_path: Path):
    """It goes with the second of them."""
    await house.attach()
    bob = house.member("bob")
    await bob.send(house.channel, "", attachments=[("handbook.pdf", house.handbook)])
    for person, left in ((house.alice, 1), (bob, 0)):
        sure = await person.slash(house.channel, "privacy delete")
        assert sure.response is not None
        await person.click(sure.response, label="Delete it all")
        assert len(await house.held()) == left
    await nothing_is_left(house, tmp_path)


async def test_retention_deletes_what_had_its_time(house: House, tmp_path: Path):
    """And no sooner."""
    boss = house.member("boss", manage_guild=True)
    await boss.slash(house.channel, "settings retention", days=2)
    await house.attach(ASKED)
    house.clock.pass_by(days=1)
    await house.restart()
    await house.env.settle()
    assert len(await house.held()) == 1
    house.clock.pass_by(days=2)
    await house.env.advance_time(3600)
    await nothing_is_left(house, tmp_path)
    assert await house.store.questions_by(house.alice.id) == []


async def test_documents_mention_nobody(house: House):
    """Whatever a title, a file's name or a question holds."""
    await house.attach("@everyone what should I see now?", name="@everyone.pdf")
    for message in [*house.channel.history(), *house.thread().history()]:
        if message.author.bot:
            assert not message.mention_everyone
            assert message.mentions == []
