"""Clumsy and hostile users: odd files, odd words, two clicks for one, things that vanish, and locked doors."""

from __future__ import annotations

import asyncio
from pathlib import Path

import discord
import pdfs
import pymupdf
import pytest
import simcord
from house import ASKED, LEAVE, SIMCORD, House, labels, last, said, texts, until

from bot.commands.verify import MessageGone
from rag_core.types.quotas import EVERYBODY, Quota

pytestmark = SIMCORD

CARRIED = "How many days of unused leave may be carried over?"


def answers(channel: simcord.ChannelHandle, text: str = LEAVE) -> int:
    """How many messages there say it."""
    return sum(text in one for one in texts(channel))


# ---------------------------------------------------------------------------------------------- locked doors


async def test_a_link_into_a_private_thread_is_opened_for_those_who_were_let_in(house: House):
    """Who reads its channel is not in it; a check by link must not tell them what is said there."""
    await house.attach()
    bob = house.member("bob")
    thread = house.env.backend.create_thread(house.channel.id, "secret", owner_id=bob.id, type=12)
    room = simcord.ChannelHandle(house.env, house.guild, thread)
    house.env.backend.add_thread_member(thread.id, house.me.id)
    secret = await bob.send(room, "The merger is on Friday.")
    link = f"https://discord.com/channels/{house.guild.id}/{room.id}/{secret.id}"
    refused = said(await house.alice.slash(house.channel, "verify", text=link))
    assert "merger" not in refused
    assert "cannot read its channel" in refused
    simcord.assert_error(house.env, MessageGone)
    assert "merger" in said(await bob.slash(house.channel, "verify", text=link))
    house.env.backend.add_thread_member(thread.id, house.alice.id)
    assert "merger" in said(await house.alice.slash(house.channel, "verify", text=link))


# ---------------------------------------------------------------------------------------------- odd words


@pytest.mark.parametrize(
    "question", ["\u200b", "???", "👍", "a" * 2000, "@everyone " * 200, "\u202e\u202d\x00", "```\n" * 9]
)
async def test_an_odd_question_gets_an_answer_like_any_other(house: House, question: str):
    """A refusal, most likely; never a fault, and nobody is called."""
    await house.attach()
    message = await house.ask(question)
    assert message.author.bot
    assert "Something broke" not in message.content
    assert message.content
    assert not message.mention_everyone
    assert LEAVE in (await house.ask()).content


# ---------------------------------------------------------------------------------------------- odd files


async def test_the_same_file_twice_in_one_message_is_one_document(house: House):
    """Named once; both cards say what became of it."""
    await house.alice.send(house.channel, ASKED, attachments=[("a.pdf", house.handbook), ("b.pdf", house.handbook)])
    thread = house.thread()
    assert len(await house.held()) == 1
    assert sum("is read" in text or "was here already" in text for text in texts(thread)) == 2
    assert answers(thread) == 1
    assert thread.name in {"a", "b"}


@pytest.mark.parametrize(
    "file",
    [b"", b"%PDF-1.7\n", b"%PDF-1.7\n%%EOF", b"\x89PNG\r\n\x1a\n" + b"\0" * 99, b"<html>" * 99, b"%PDF-" + b"[" * 9999],
)
async def test_a_file_that_is_none_has_a_card_that_says_so(house: House, file: bytes):
    """Whatever it is; the next one is read."""
    await house.alice.send(house.channel, ASKED, attachments=[("odd.pdf", file)])
    [card] = texts(house.thread())
    assert card.startswith("⚠️ **odd.pdf**")
    assert "Something broke" not in card
    await house.attach(to=house.thread())
    assert LEAVE in (await house.ask()).content


@pytest.mark.parametrize("limits", [{"max_bytes": 1024}])
async def test_a_file_that_is_too_large_is_not_even_fetched(house: House):
    """Its size is known before: half a gigabyte would be in memory at once."""
    house.say("", attachments=[("handbook.pdf", house.handbook)])
    house.env.backend.cdn._blobs.clear()
    await house.env.settle()
    assert "at most" in last(house.thread()).content


async def test_who_brought_too_many_files_is_told_on_the_card(house: House, tmp_path: Path):
    """With when to come again; nothing waits for it, and nothing is tried again behind their back."""
    await house.library.set_quota(EVERYBODY, Quota(uploads_an_hour=1))
    await house.attach()
    other = pdfs.pdf(tmp_path / "tides.pdf", pdfs.text("The tide turns 4 times a day.")).read_bytes()
    await house.attach("How many times does the tide turn?", name="tides.pdf", file=other)
    [card] = texts(house.channel.threads[-1])
    assert card.startswith("⚠️ **tides.pdf**")
    assert "try again in" in card
    assert await house.store.unfinished_uploads() == []


async def test_names_may_be_as_long_and_as_odd_as_they_come(house: House, tmp_path: Path):
    """Of files and of titles: everything that names them still fits, and calls nobody."""
    name = "@everyone " + "**x** `y` " * 23 + ".pdf"
    title = "<@&1> [click](https://evil.example) " + "very " * 200
    document = pymupdf.open(pdfs.pdf(tmp_path / "long.pdf", pdfs.text(LEAVE)))
    document.set_metadata({"title": title})
    file = document.tobytes()
    await house.attach(ASKED, name=name, file=file)
    thread = house.thread()
    assert answers(thread) == 1
    await house.attach(name=name, file=b"no", to=thread)
    [held] = await house.held()
    listed = [
        said(await house.alice.slash(thread, f"documents {what}", **options))
        for what, options in (("list", {}), ("info", {"document": held.id}), ("remove", {"document": held.id}))
    ]
    for text in [*texts(thread), *listed]:
        assert "://" not in text
        assert "@everyone" not in text
        assert "<@&1>" not in text
    assert "is removed" in listed[-1]


async def test_two_people_who_bring_one_file_at_once_both_have_it(house: House):
    """It is read once, and goes with the second of them."""
    bob = house.member("bob")
    house.say("", attachments=[("handbook.pdf", house.handbook)])
    await bob.send(house.channel, attachments=[("mine.pdf", house.handbook)])
    [document] = await house.held()
    cards = [text for thread in house.channel.threads for text in texts(thread)]
    assert sum("is read" in card for card in cards) == 1
    assert sum("was here already" in card for card in cards) == 1
    for person, says in ((bob, "can still be asked"), (house.alice, "is removed")):
        assert says in said(await person.slash(house.channel, "documents remove", document=document.id))


# ---------------------------------------------------------------------------------------------- in the middle of it


async def test_a_question_deleted_before_its_answer_is_not_answered(house: House):
    """It is gone, and so is what was said of it: nothing is kept."""
    await house.attach()
    house.pause.over.clear()
    asked = house.say(f"{house.me.mention} {ASKED}")
    await until(lambda: "🔎" in last(house.channel).content)
    house.env.backend.delete_message(house.channel.id, asked)
    house.pause.over.set()
    await house.env.settle()
    assert await house.store.questions_by(house.alice.id) == []
    assert [text for text in texts(house.channel) if "🔎" in text or LEAVE in text] == []
    assert house.env.errors == []


async def test_a_command_whose_asker_deletes_all_is_not_answered(house: House):
    """Nor left to think for ever."""
    await house.attach()
    house.pause.over.clear()
    with house.unwaited():
        await house.alice.slash(house.channel, "ask", question=ASKED)
        await until(lambda: any("🔎" in text for text in texts(house.channel)))
        sure = await house.alice.slash(house.channel, "privacy delete")
        await until(lambda: sure.response and "Delete it all" in labels(sure.response))
        assert sure.response is not None
        await house.alice.click(sure.response, label="Delete it all")
        async with asyncio.timeout(60):
            while await house.store.questions_by(house.alice.id):  # noqa: ASYNC110 - as `until`
                await asyncio.sleep(0.01)
    house.pause.over.set()
    await house.env.settle()
    assert [text for text in texts(house.channel) if text[0] in "🔎🚫"] == []


async def test_the_menu_of_a_message_that_is_deleted_meanwhile_says_that_it_is(house: House):
    """The form was open, and its message went."""
    closed = {house.guild.default_role: discord.PermissionOverwrite(create_public_threads=False)}
    quiet = house.guild.create_text_channel("quiet", overwrites=closed)
    message = await house.alice.send(quiet, attachments=[("a.pdf", house.handbook)])
    form = await house.alice.context_menu(quiet, "Ask about this PDF", message)
    await house.alice.delete(message)
    house.env.backend.cdn._blobs.clear()
    told = said(await house.alice.submit_modal(form, {"question": ASKED}))
    assert "Something broke" not in told
    assert told


async def test_a_thread_that_somebody_else_opened_first_is_used(house: House):
    """Another bot may have opened one below the same message."""
    house.env.inject_error("POST", "/channels/*/messages/*/threads", status=400, code=160004, message="A thread exists")
    await house.attach(ASKED)
    assert answers(house.channel) == 1
    assert not any("Something broke" in text for text in texts(house.channel))


async def test_a_file_that_discord_failed_to_take_the_card_of_is_read_a_minute_later(house: House):
    """The bot said that it tries again, and so it does."""
    house.env.inject_error("POST", "/channels/*/messages", status=503, times=6)
    await house.attach(ASKED)
    house.env.backend.faults.clear()
    house.clock.pass_by(minutes=2)
    await house.env.advance_time(61)
    await until(lambda: answers(house.thread()))
    await house.env.settle()
    assert answers(house.thread()) == 1
    assert await house.store.unfinished_uploads() == []


@pytest.mark.parametrize("in_thread", [False, True])
async def test_a_restart_in_the_middle_of_a_file_that_came_by_command_goes_on_with_it(house: House, in_thread: bool):
    """On its card, though no message has the file."""
    thread = house.env.backend.create_thread(house.channel.id, "Leave", owner_id=house.alice.id)
    room = simcord.ChannelHandle(house.env, house.guild, thread) if in_thread else house.channel
    await house.queue.stop()
    with house.unwaited():
        await house.alice.slash(room, "documents add", file=("handbook.pdf", house.handbook))
    await until(lambda: any("waiting" in text for text in texts(room)))
    await house.env.shutdown()
    house.queue.start()
    await house.crash()
    await house.env.settle()
    assert len(await house.held()) == 1
    assert "is read" in last(room).content


async def test_a_file_that_takes_longer_than_an_interaction_lives_still_gets_its_card(house: House):
    """Discord lets a command be answered for fifteen minutes."""
    await house.queue.stop()
    with house.unwaited():
        await house.alice.slash(house.channel, "documents add", file=("handbook.pdf", house.handbook))
    await until(lambda: any("waiting" in text for text in texts(house.channel)))
    [card] = [message for message in house.channel.history() if "waiting" in message.content]
    ended = {"status": 401, "code": 50027, "message": "Invalid Webhook Token"}
    house.env.inject_error("PATCH", "/webhooks/*/*/messages/*", times=None, **ended)
    house.env.inject_error("POST", "/webhooks/*/*", times=None, **ended)
    house.queue.start()
    await house.env.settle()
    assert [message.id for message in house.channel.history() if "is read" in message.content] == [card.id]


# ---------------------------------------------------------------------------------------------- two clicks for one


async def test_two_right_passwords_at_once_answer_the_question_once(house: House, tmp_path: Path):
    """Somebody clicked twice, or two people knew it."""
    keys = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "user_pw": "open sesame", "owner_pw": "owner"}
    locked = pdfs.pdf(tmp_path / "locked.pdf", pdfs.text(LEAVE), **keys).read_bytes()
    await house.attach(ASKED, name="locked.pdf", file=locked)
    [card] = [message for message in house.thread().history() if "locked.pdf" in message.content]
    forms = [await house.alice.click(card, label="Enter the password") for _ in range(2)]
    with house.unwaited():
        for form in forms:
            await house.alice.submit_modal(form, {"password": "open sesame"})
    await house.env.settle()
    assert answers(house.thread()) == 1
    assert len(await house.held()) == 1


async def test_deleting_everything_twice_is_no_fault(house: House):
    """The second click finds nothing."""
    await house.attach(ASKED)
    sure = await house.alice.slash(house.channel, "privacy delete")
    assert sure.response is not None
    for _ in range(2):
        assert "is deleted" in said(await house.alice.click(sure.response, label="Delete it all"))


async def test_a_suggested_question_can_be_clicked_by_two_people(house: House):
    """Each has an answer."""
    await house.attach()
    [card] = [message for message in house.thread().history() if "is read" in message.content]
    bob = house.member("bob")
    with house.unwaited():
        for person in (house.alice, bob):
            await person.click(card, label="How many days is annual leave?")
    await house.env.settle()
    assert answers(house.thread()) == 2
