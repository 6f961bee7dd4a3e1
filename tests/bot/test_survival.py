"""What goes wrong around the bot costs nobody a question, and nobody waits in vain."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pdfs
import pymupdf
import pytest
import simcord
from house import ASKED, LEAVE, SIMCORD, House, labels, last, said, texts, until
from simcord.http import FakeHTTPClient, router

from bot import command
from bot.permissions import missing_in
from bot.phrases import say
from rag_core.errors import SettingsError
from rag_core.settings import Settings
from rag_core.types.quotas import EVERYBODY, Quota

pytestmark = SIMCORD

PASSWORD = "open sesame"


@pytest.fixture
def encrypted(tmp_path: Path) -> bytes:
    """A PDF that needs a password."""
    keys = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "user_pw": PASSWORD, "owner_pw": "owner"}
    return pdfs.pdf(tmp_path / "locked.pdf", pdfs.text(LEAVE), **keys).read_bytes()


# ---------------------------------------------------------------------------------------------- restarts


async def test_a_restart_in_the_middle_of_a_file_goes_on_with_it_on_the_same_card(house: House):
    """And answers what was asked with it; the file is not fetched again."""
    await house.queue.stop()
    house.say(ASKED, attachments=[("handbook.pdf", house.handbook)])
    await until(lambda: house.channel.threads and any("waiting" in text for text in texts(house.thread())))
    [card] = [message for message in house.thread().history() if "handbook.pdf" in message.content]
    await house.env.shutdown()
    house.queue.start()
    house.env.backend.cdn._blobs.clear()
    await house.crash()
    await house.env.settle()
    done = [message for message in house.thread().history() if "is read" in message.content]
    assert [message.id for message in done] == [card.id]
    assert sum(LEAVE in text for text in texts(house.thread())) == 1


async def ended_in(house: House, dying: pytest.MonkeyPatch, of: object, call: str, *, done: bool) -> None:
    """Alice posts a file with a question, and the process ends in a call of this, before or after it is done."""
    whole, reached = getattr(of, call), asyncio.Event()

    async def end_there(*values: Any, **options: Any) -> None:  # noqa: ANN401 - handed on
        if done:
            await whole(*values, **options)
        reached.set()
        await asyncio.Event().wait()

    dying.setattr(of, call, end_there)
    house.say(ASKED, attachments=[("handbook.pdf", house.handbook)])
    await asyncio.wait_for(reached.wait(), 60)
    await house.env.shutdown()


@pytest.mark.parametrize("opened", [True, False])
async def test_a_file_is_noted_before_its_thread_is_opened(house: House, monkeypatch: pytest.MonkeyPatch, opened: bool):
    """So the next process reads it, whether the one before came to open the thread or not, and answers below it."""
    with monkeypatch.context() as dying:
        await ended_in(house, dying, discord.Message, "create_thread", done=opened)
    assert len(house.channel.threads) == opened
    await house.crash()
    await house.env.settle()
    assert sum("is read" in text for text in texts(house.thread())) == 1
    assert sum(LEAVE in text for text in texts(house.thread())) == 1
    assert await house.store.unfinished_uploads() == []


async def test_a_question_is_answered_though_only_its_file_was_noted(house: House, monkeypatch: pytest.MonkeyPatch):
    """The process ended between the two: the message still says what it asks."""
    with monkeypatch.context() as dying:
        await ended_in(house, dying, house.store, "ask", done=False)
    await house.crash()
    await house.env.settle()
    assert sum(LEAVE in text for text in texts(house.thread())) == 1


async def test_what_cannot_be_gone_on_with_holds_up_nothing_else(house: House):
    """The bot may not speak any more where one file is on its way, and says so to who brought it; the other is read."""
    other = house.guild.create_text_channel("other")
    await house.queue.stop()
    house.say("", attachments=[("handbook.pdf", house.handbook)])
    with house.unwaited():
        await house.attach(ASKED, to=other, name="mine.pdf")
    await until(
        lambda: sum("waiting" in text for c in (house.channel, other) for t in c.threads for text in texts(t)) == 2
    )
    await house.env.shutdown()
    house.env.backend.delete_message(house.thread().id, last(house.thread()).id)
    house.env.inject_error("POST", f"/channels/{house.thread().id}/messages", status=403, code=50013, times=None)
    house.queue.start()
    await house.crash()
    await house.env.settle()
    assert any(LEAVE in text for text in texts(other.threads[0]))
    assert "I may not do that here" in last(house.alice.user.dm_channel).content
    assert await house.store.unfinished_uploads() == []


async def test_a_question_waits_for_a_file_that_waits_for_its_turn(house: House):
    """However long that takes."""
    await house.queue.stop()
    with house.unwaited():
        await house.attach()
        await until(lambda: house.channel.threads and any("waiting" in text for text in texts(house.thread())))
        await house.alice.send(house.thread(), ASKED)
    asyncio.get_running_loop().call_later(1, house.queue.start)
    await house.env.settle(timeout=60)
    assert sum(LEAVE in text for text in texts(house.thread())) == 1


async def test_a_question_waits_for_no_file_of_another_channel(house: House):
    """Though a restart found both unfinished: the file may take an hour."""
    other = house.guild.create_text_channel("other")
    await house.attach()
    await house.queue.stop()
    with house.unwaited():
        await house.attach(to=other, name="mine.pdf", file=house.handbook + b"%")
    await until(lambda: other.threads and any("waiting" in text for text in texts(other.threads[0])))
    await house.promise()
    await house.env.shutdown()
    house.pause.over.set()
    await house.crash()
    await until(lambda: LEAVE in last(house.channel).content)
    house.queue.start()
    await house.env.settle()
    assert any("is read" in text for text in texts(other.threads[0]))


async def test_a_restart_in_the_middle_of_an_answer_gives_it_where_it_was_promised(house: House):
    """In the message that said so, and only there."""
    await house.attach()
    await house.promise()
    promised = last(house.channel)
    await house.env.shutdown()
    house.pause.over.set()
    await house.crash()
    await house.env.settle()
    assert last(house.channel).id == promised.id
    assert LEAVE in last(house.channel).content


async def test_what_is_under_way_when_the_bot_is_told_to_stop_is_taken_up(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    """It is left off before the connection to Discord is: an answer that cannot be given there is none that failed."""
    await house.attach()
    await house.promise()

    async def closed(*_: object, **__: object) -> None:
        raise RuntimeError("Session is closed")

    with monkeypatch.context() as patch:

        async def closing(*_: object) -> None:
            patch.setattr(FakeHTTPClient, "request", closed)
            house.pause.over.set()
            await asyncio.sleep(0.5)

        patch.setattr(FakeHTTPClient, "close", closing)
        await house.env.bot.close()
        await house.env.shutdown()
    [question] = await house.store.waiting()
    assert question.state == "waiting"
    await house.crash()
    await house.env.settle()
    assert LEAVE in last(house.channel).content


async def test_a_question_deleted_while_nobody_was_there_is_not_answered(house: House):
    """The next process takes back the promise that was made, and keeps nothing."""
    await house.attach()
    asked = await house.promise()
    await house.env.shutdown()
    house.env.backend.delete_message(house.channel.id, asked)
    house.pause.over.set()
    await house.crash()
    await house.env.settle()
    assert [text for text in texts(house.channel) if "🔎" in text or LEAVE in text] == []
    assert await house.store.questions_by(house.alice.id) == []


async def test_a_private_answer_that_a_restart_broke_off_must_be_asked_for_again(house: House):
    """Nobody but its asker could see where it was promised: they are told in private."""
    await house.attach()
    house.pause.over.clear()
    with house.unwaited():
        asked = await house.alice.slash(house.channel, "ask", question=ASKED, private=True)
    await until(lambda: asked.response and "🔎" in asked.response.content)
    await house.env.shutdown()
    house.pause.over.set()
    await house.crash()
    await house.env.settle()
    assert texts(house.alice.user.dm_channel) == [say().lost]
    assert await house.store.waiting() == []


async def test_a_command_that_waits_for_a_file_is_left_to_wait(house: House, monkeypatch: pytest.MonkeyPatch):
    """For as long as that takes: it is neither given up nor is anybody told that it was lost."""
    fetching = asyncio.Event()

    async def for_ever(*_: object) -> None:
        fetching.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(discord.Attachment, "save", for_ever)
    house.say("", attachments=[("handbook.pdf", house.handbook)])
    await asyncio.wait_for(fetching.wait(), 60)
    with house.unwaited():
        await house.alice.slash(house.thread(), "ask", question=ASKED)
    async with asyncio.timeout(60):
        while not await house.store.waiting():  # noqa: ASYNC110 - as `until`
            await asyncio.sleep(0.01)
    house.clock.pass_by(minutes=2)
    await house.desk.resuming.resume(patience=timedelta(minutes=1))  # simcord's minute would wait for the file
    [question] = await house.store.waiting()
    assert question.attempts == 0
    assert texts(house.alice.user.dm_channel) == []


async def test_a_card_in_a_thread_that_was_archived_meanwhile_is_given_anew(house: House):
    """A message there cannot be edited; a new one opens it again, and has the questions below it."""
    await house.queue.stop()
    house.say("", attachments=[("handbook.pdf", house.handbook)])
    await until(lambda: house.channel.threads and any("waiting" in text for text in texts(house.thread())))
    old = last(house.thread())
    await house.env.shutdown()
    archived = {"status": 400, "code": 50083, "message": "Thread is archived"}
    house.env.inject_error("PATCH", f"/channels/{house.thread().id}/messages/{old.id}", times=None, **archived)
    house.queue.start()
    await house.crash()
    await house.env.settle()
    [card] = [message for message in house.thread().history() if "is read" in message.content]
    assert card.id != old.id
    assert ASKED in labels(card)


async def test_a_question_that_is_taken_up_again_counts_once_against_its_askers_quota(house: House):
    """A restart costs nobody a question: the next one is answered, and only the one after that is too many."""
    await house.library.set_quota(EVERYBODY, Quota(questions_an_hour=2))
    await house.attach()
    await house.promise()
    await house.env.shutdown()
    house.pause.over.set()
    await house.crash()
    await house.env.settle()
    assert LEAVE in last(house.channel).content
    assert LEAVE in (await house.ask()).content
    assert "try again in" in (await house.ask()).content


async def test_a_message_that_was_deleted_meanwhile_is_forgotten(house: House):
    """Its file, too: nobody would ever look for it."""
    await house.queue.stop()
    message_id = house.say("", attachments=[("handbook.pdf", house.handbook)])
    await until(lambda: house.channel.threads and any("waiting" in text for text in texts(house.thread())))
    await house.env.shutdown()
    house.env.backend.delete_message(house.channel.id, message_id)
    await house.crash()
    house.queue.start()
    await house.env.settle()
    assert await house.store.unfinished_uploads() == []
    assert await house.held() == []


async def test_a_message_deleted_while_its_file_is_read_stops_the_reading(house: House):
    """Nothing comes of it later."""
    await house.queue.stop()
    message_id = house.say("", attachments=[("handbook.pdf", house.handbook)])
    await until(lambda: house.channel.threads and any("waiting" in text for text in texts(house.thread())))
    house.env.backend.delete_message(house.channel.id, message_id)
    house.queue.start()
    await house.env.settle()
    assert await house.held() == []
    assert (await house.library.counts()).documents == 0
    assert not any("handbook.pdf" in text for text in texts(house.thread()))


# ---------------------------------------------------------------------------------------------- Discord's faults


async def test_a_fault_of_discord_costs_no_question(house: House):
    """It is tried again by itself, a minute later."""
    await house.attach()
    house.env.inject_error("PATCH", "/channels/*/messages/*", status=503, times=None)
    await house.alice.send(house.channel, f"{house.me.mention} {ASKED}")
    house.env.backend.faults.clear()
    assert not any(LEAVE in text for text in texts(house.channel))
    assert "Discord has trouble" in last(house.channel).content
    house.clock.pass_by(minutes=2)
    await house.env.advance_time(61)
    assert sum(LEAVE in text for text in texts(house.channel)) == 1


async def test_a_connection_that_breaks_while_an_answer_is_shown_costs_no_question(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    """Neither where progress is shown nor at the end, and whoever cannot be told just then is answered later."""
    await house.attach()
    question = f"{house.me.mention} {ASKED}"

    async def broken(*_: object, **__: object) -> None:
        raise aiohttp.ServerDisconnectedError

    house.pause.over.clear()
    house.say(question)
    await until(lambda: "🔎" in last(house.channel).content)
    with monkeypatch.context() as patch:
        patch.setattr(FakeHTTPClient, "request", broken)
        house.pause.over.set()
        await house.env.settle()
    assert [asked.state for asked in await house.store.waiting()] == ["waiting"]
    house.clock.pass_by(minutes=2)
    await house.env.advance_time(61)
    assert sum(LEAVE in text for text in texts(house.channel)) == 1


async def test_a_thread_that_discord_failed_to_open_is_opened_a_minute_later(house: House):
    """The bot said that it tries again, and so it does; meanwhile nothing is said twice."""
    house.env.inject_error("POST", "/channels/*/messages/*/threads", status=503, times=None)
    await house.attach(ASKED)
    house.env.backend.faults.clear()
    assert "I try again by myself" in last(house.channel).content
    house.clock.pass_by(minutes=2)
    await house.env.advance_time(61)
    await until(lambda: any(LEAVE in text for text in texts(house.thread())))
    await house.env.settle()
    assert sum(LEAVE in text for text in texts(house.thread())) == 1
    assert len(house.channel.threads) == 1


@pytest.mark.parametrize(
    "fault",
    [
        discord.HTTPException(SimpleNamespace(status=503, reason="no"), "failed to get asset"),  # type: ignore[arg-type]
        aiohttp.ServerDisconnectedError(),
    ],
)
async def test_a_file_that_discord_failed_to_give_is_fetched_a_minute_later(
    house: House, monkeypatch: pytest.MonkeyPatch, fault: Exception
):
    """Nobody has to post it again; its question is answered then, below the same card."""

    async def failing(*_: object) -> bytes:
        raise fault

    with monkeypatch.context() as patch:
        patch.setattr(FakeHTTPClient, "get_from_cdn", failing)
        await house.attach(ASKED)
    assert "I try again by myself" in "\n".join([*texts(house.channel), *texts(house.thread())])
    house.clock.pass_by(minutes=2)
    await house.env.advance_time(61)
    await until(lambda: any(LEAVE in text for text in texts(house.thread())))
    assert sum("is read" in text for text in texts(house.thread())) == 1
    assert not any("fetching" in text for text in texts(house.thread()))


async def test_a_file_that_discord_never_gives_is_given_up_after_a_day(house: House, monkeypatch: pytest.MonkeyPatch):
    """Its card says so, where it would say for ever that the file comes."""

    async def failing(*_: object) -> bytes:
        raise aiohttp.ServerDisconnectedError

    monkeypatch.setattr(FakeHTTPClient, "get_from_cdn", failing)
    await house.attach(ASKED)
    house.clock.pass_by(hours=23)
    await house.env.advance_time(61)
    assert "fetching" in last(house.thread()).content
    assert len(await house.store.waiting()) == 1
    house.clock.pass_by(hours=2)
    await house.env.advance_time(61)
    assert "Post it again" in last(house.thread()).content
    assert await house.store.unfinished_uploads() == []
    assert await house.store.waiting() == []


@pytest.mark.parametrize("file", [None, b"no PDF"])
async def test_a_card_that_discord_failed_to_take_is_given_a_minute_later(house: House, file: bytes | None):
    """It would say for ever that the file is on its way."""
    await house.queue.stop()
    with house.unwaited():
        await house.attach(file=file)
    await until(lambda: house.channel.threads and any("waiting" in text for text in texts(house.thread())))
    house.env.inject_error("PATCH", "/channels/*/messages/*", status=503, times=None)
    house.queue.start()
    await house.env.settle()
    house.env.backend.faults.clear()
    assert not any("is read" in text or "not a PDF" in text for text in texts(house.thread()))
    house.clock.pass_by(minutes=2)
    await house.env.advance_time(61)
    await until(lambda: any("is read" in text or "not a PDF" in text for text in texts(house.thread())))
    assert not any("waiting" in text for text in texts(house.thread()))


async def test_a_thread_whose_channel_is_not_known_lacks_nothing_that_is(house: House):
    """What it allows follows from the channel above it; a guess would hide what went wrong."""
    await house.attach()
    thread, guild = house.env.bot.get_channel(house.thread().id), house.env.bot.get_guild(house.guild.id)
    assert guild is not None
    guild._channels.pop(house.channel.id)
    assert missing_in(thread) == []


async def test_a_rate_limit_of_discords_is_waited_out(house: House):
    """The answer comes when it may."""
    await house.attach()
    house.env.inject_error("PATCH", "/channels/*/messages/*", status=429, message="You are being rate limited.")
    assert LEAVE in (await house.ask()).content


async def test_an_interaction_that_discord_gave_up_is_answered_in_the_channel(house: House):
    """It was acknowledged too late; a private one is answered in private."""
    await house.attach()
    for private, place in ((False, house.channel), (True, house.alice.user.dm_channel)):
        gone = {"status": 404, "code": 10062, "message": "Unknown interaction"}
        house.env.inject_error("POST", "/interactions/*/*/callback", **gone)
        await house.alice.slash(house.channel, "ask", question=ASKED, private=private)
        assert LEAVE in last(place).content
    assert sum(LEAVE in text for text in texts(house.channel)) == 1


def acknowledge(house: House, interaction: Any, kind: int) -> None:  # noqa: ANN401 - simcord keeps its record to itself
    """What Discord took of an attempt whose receipt was lost."""
    path = f"/interactions/{interaction.id}/{interaction.token}/callback"
    router.dispatch(house.env.backend, "POST", path, json={"type": kind, "data": {}})


async def test_an_interaction_that_was_acknowledged_before_is_answered(house: House):
    """Discord took the first attempt, and its reply was lost on the way."""
    await house.attach()
    forget = house.env._register_dispatch_observer(lambda interaction: acknowledge(house, interaction, 5))
    result = await house.alice.slash(house.channel, "ask", question=ASKED)
    forget()
    assert LEAVE in said(result)


async def test_a_click_that_discord_gave_up_is_answered_in_private(house: House):
    """By what to do: there is no other way to whoever clicked. What Discord took already is not done again."""
    await house.attach(ASKED)
    answer = last(house.thread())
    proof = await house.alice.click(answer, label="Proof [1], page 1")
    assert proof.response is not None
    thumbs = [(answer, {"custom_id": "thumb:down"}), (answer, {"custom_id": "thumb:up"})]
    turn = (proof.response, {"label": "Next page ▶"})
    for code, clicks, told in ((10062, [*thumbs, turn], 3), (40060, thumbs, 0)):
        before = len(texts(house.alice.user.dm_channel))
        for message, button in clicks:
            refused = {"status": 404 if code == 10062 else 400, "code": code, "message": "refused"}
            house.env.inject_error("POST", "/interactions/*/*/callback", times=2, **refused)
            await house.alice.click(message, **button)
            house.env.backend.faults.clear()
        heard = texts(house.alice.user.dm_channel)[before:]
        assert ["Please do that again" in text for text in heard] == [True] * told
    forget = house.env._register_dispatch_observer(lambda interaction: acknowledge(house, interaction, 6))
    await house.alice.click(*turn[:1], **turn[1])
    forget()
    assert [page.filename for page in proof.response.attachments] == ["page-2.png"]


async def test_a_form_that_was_open_when_the_bot_ended_must_be_opened_again(house: House):
    """And it is said: nothing that was written into it is taken for granted."""
    await house.attach(ASKED)
    answer = last(house.thread())
    form = await house.alice.click(answer, custom_id="thumb:down")
    await house.restart()
    assert "open it again" in said(await house.alice.submit_modal(form, {"reason": "Wrong page."}))
    assert await house.store.votes_by(house.alice.id) == []
    form = await house.alice.click(answer, custom_id="thumb:down")
    assert "noted" in said(await house.alice.submit_modal(form, {"reason": "Wrong page."}))


async def test_an_answer_to_a_deleted_placeholder_is_given_anew(house: House):
    """Somebody tidied up too early."""
    await house.attach()
    await house.promise()
    house.env.backend.delete_message(house.channel.id, last(house.channel).id)
    house.pause.over.set()
    await house.env.settle()
    assert LEAVE in last(house.channel).content


async def test_a_channel_that_was_deleted_meanwhile_is_no_fault(house: House):
    """There is nobody left to answer, and the next question is answered."""
    other = house.guild.create_text_channel("other")
    await house.attach()
    await house.attach(to=other)
    await house.promise()
    house.env.backend.delete_channel(house.channel.id)
    house.pause.over.set()
    await house.env.settle()
    assert await house.store.waiting() == []
    assert LEAVE in said(await house.alice.slash(other, "ask", question=ASKED))


# ---------------------------------------------------------------------------------------------- permissions


async def test_who_cannot_be_told_in_the_channel_is_told_in_private(house: House):
    """The bot may read there and not write."""
    mute = discord.PermissionOverwrite(send_messages=False, create_public_threads=False, send_messages_in_threads=False)
    role = house.guild.create_role("speakers")
    quiet = house.guild.create_text_channel(
        "quiet", overwrites={house.guild.default_role: mute, role: discord.PermissionOverwrite(send_messages=True)}
    )
    speaker = house.guild.add_member(house.env.create_user("speaker"), roles=[role])
    await speaker.send(quiet, f"{house.me.mention} {ASKED}")
    assert len(quiet.history()) == 1
    told = last(speaker.user.dm_channel).content
    assert "I may not do that here" in told
    assert "I need to: send messages" in told
    assert "read its history" not in told


@pytest.mark.parametrize(
    "lacks", ["send_messages", "send_messages_in_threads", "create_public_threads", "read_message_history"]
)
async def test_a_question_is_answered_where_one_permission_is_missing(house: House, lacks: str):
    """In the thread, or in the channel where there can be none, or without a reply to what cannot be read."""
    speakers = house.guild.create_role("speakers")
    may = {
        house.guild.default_role: discord.PermissionOverwrite(**{lacks: False}),
        speakers: discord.PermissionOverwrite(**{lacks: True}),
    }
    room = house.guild.create_text_channel("room", overwrites=may)
    speaker = house.guild.add_member(house.env.create_user("speaker"), roles=[speakers])
    if lacks == "read_message_history":
        refused = {"status": 400, "code": 160002, "message": "Cannot reply without permission to read message history"}
        house.env.inject_error("POST", f"/channels/{room.id}/messages", times=1, **refused)
    await speaker.send(room, f"{house.me.mention} {ASKED}", attachments=[("handbook.pdf", house.handbook)])
    assert any(LEAVE in text for channel in (room, *room.threads) for text in texts(channel))
    assert texts(speaker.user.dm_channel) == []


@pytest.mark.parametrize("code", [50013, 160002])
async def test_what_the_bot_needs_is_said_where_no_permission_is_known_to_be_missing(house: House, code: int):
    """To whoever asked, in private where the bot may not speak: all that it needs, and where it is given."""
    await house.attach()
    refused = {"status": 403 if code == 50013 else 400, "code": code, "message": "Missing Permissions"}
    house.env.inject_error("POST", f"/channels/{house.channel.id}/messages", times=None, **refused)
    await house.alice.send(house.channel, f"{house.me.mention} {ASKED}")
    told = last(house.alice.user.dm_channel).content
    for needed in ("see the channel", "read its history", "send messages", "create threads", "write in threads"):
        assert needed in told
    assert "embed links" in told
    assert "attach files" in told
    assert "settings of the channel" in told


@pytest.mark.parametrize("message_content", [False])
async def test_without_the_intent_mentions_and_commands_are_heard(house: House):
    """And in a thread it is said once how to be heard."""
    await house.attach(f"{house.me.mention} {ASKED}")
    thread = house.thread()
    assert LEAVE in last(thread).content
    await house.alice.send(thread, ASKED)
    assert "Message Content Intent" in last(thread).content
    before = len(thread.history())
    await house.alice.send(thread, ASKED)
    assert len(thread.history()) == before + 1
    await house.alice.send(thread, f"{house.me.mention} {ASKED}")
    assert LEAVE in last(thread).content
    assert LEAVE in said(await house.alice.slash(thread, "ask", question=ASKED))


async def test_the_bot_starts_without_the_intent_where_it_must(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Discord refuses the first attempt; the second asks for less."""
    attempts: list[bool] = []

    async def serve(settings: Settings, token: str, open_library: object, *, message_content: bool) -> None:
        attempts.append(message_content)
        if message_content:
            raise discord.PrivilegedIntentsRequired(None)

    monkeypatch.setattr(command, "_serve", serve)
    await command._run(Settings(home=tmp_path), "token", nullcontext)
    assert attempts == [True, False]


@pytest.mark.parametrize(
    "trouble",
    [
        OSError("no route"),
        aiohttp.ServerDisconnectedError(),
        discord.DiscordServerError(SimpleNamespace(status=503, reason="down"), "down"),  # type: ignore[arg-type]
        discord.GatewayNotFound(),
    ],
    ids=lambda trouble: type(trouble).__name__,
)
async def test_the_bot_waits_for_discord_where_it_cannot_be_reached_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: Exception
):
    """Whichever way it fails: nobody has to start the bot again."""
    attempts: list[Exception] = []

    async def serve(*_: object, message_content: bool) -> None:
        attempts.append(trouble)
        if len(attempts) == 1:
            raise trouble

    monkeypatch.setattr(command, "_serve", serve)
    monkeypatch.setattr(discord.backoff.ExponentialBackoff, "delay", lambda _: 0)
    await command._run(Settings(home=tmp_path), "token", nullcontext)
    assert len(attempts) == 2


async def test_a_token_that_discord_refuses_ends_the_bot_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """To try again would not help."""

    async def serve(*_: object, message_content: bool) -> None:
        raise discord.LoginFailure("Improper token has been passed.")

    monkeypatch.setattr(command, "_serve", serve)
    with pytest.raises(SettingsError, match=r"refused the token.*reset it on the page Bot"):
        await command._run(Settings(home=tmp_path), "token", nullcontext)


async def test_whoever_starts_the_bot_is_told_when_it_is_there(house: House, capsys: pytest.CaptureFixture[str]):
    """As whom and in how many servers; where it is in none, how to let it into one."""
    command.say_that_it_is_there(house.env.bot)
    assert f"on Discord as {house.me}, in 1 server.\n" in capsys.readouterr().err
    for guild in house.env.bot.guilds:
        await guild.leave()
    await house.env.settle()
    command.say_that_it_is_there(house.env.bot)
    assert "in 0 servers. `pincite doctor --discord` prints the link" in capsys.readouterr().err


# ---------------------------------------------------------------------------------------------- files


async def test_an_ended_link_is_asked_for_anew(house: House):
    """Discord's links to files end within a day; the message has a fresh one."""
    backend = house.env.backend
    [kept] = backend.store_attachments(house.channel.id, [("handbook.pdf", house.handbook)])
    ended = {**kept, "url": kept["url"] + "?ended"}
    message = backend.create_message(house.channel.id, house.alice.id, ASKED, attachments=[ended])
    message.attachments[0] = kept
    await house.env.settle()
    assert LEAVE in last(house.thread()).content


async def test_a_file_that_is_gone_is_said_to_be(house: House):
    """With what to do."""
    await house.queue.stop()
    house.say("", attachments=[("handbook.pdf", house.handbook)])
    house.env.backend.cdn._blobs.clear()
    await house.env.settle()
    assert "Post it again" in last(house.thread()).content


async def test_a_password_opens_a_file_and_is_kept_nowhere(house: House, encrypted: bytes, tmp_path: Path):
    """Asked for in a form; then what was asked with the file is answered."""
    await house.attach(ASKED, name="locked.pdf", file=encrypted)
    [card] = [message for message in house.thread().history() if "locked.pdf" in message.content]
    assert "password" in card.content
    await house.restart()
    form = await house.alice.click(card, label="Enter the password")
    wrong = await house.alice.submit_modal(form, {"password": "open rice"})
    assert "did not open it" in said(wrong)
    form = await house.alice.click(card, label="Enter the password")
    right = await house.alice.submit_modal(form, {"password": PASSWORD})
    assert "It is open" in said(right)
    assert any("is read" in text for text in texts(house.thread()))
    assert LEAVE in last(house.thread()).content
    files = [path for path in (tmp_path / "home").rglob("*") if path.is_file()]
    held = await asyncio.to_thread(lambda: [p.name for p in files if PASSWORD.encode() in p.read_bytes()])
    assert held == []


@pytest.mark.parametrize(
    ("limits", "says"), [({"max_bytes": 1024}, "at most"), ({"max_pages": 1}, "more than 1 page"), ({}, "not a PDF")]
)
async def test_a_file_that_cannot_be_taken_has_a_card_that_says_what_to_do(
    house: House, limits: dict[str, Any], says: str
):
    """Too large, too long, or something else."""
    await house.attach(file=house.handbook if limits else b"no")
    assert says in last(house.thread()).content


async def test_what_breaks_is_said_and_does_not_break_the_next(house: House, monkeypatch: pytest.MonkeyPatch):
    """A fault of our own has one sentence, without its innards."""
    await house.attach()
    with monkeypatch.context() as broken:
        broken.setattr(house.library, "ask_stream", lambda *_, **__: (_ for _ in ()).throw(ValueError("/secret/path")))
        answer = await house.ask()
    assert "Something broke" in answer.content
    assert "secret" not in answer.content
    assert LEAVE in (await house.ask()).content
    assert isinstance(house.env, simcord.Env)
