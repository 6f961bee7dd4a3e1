"""What people write while nobody is there to hear it is taken when the bot comes back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import discord
import pytest
from house import ASKED, LEAVE, SIMCORD, House, labels, texts, until
from simcord.backend import serializers

from bot import meanwhile
from bot.meanwhile import HERE

pytestmark = SIMCORD

CARRIED = "How many days of unused leave may be carried over?"


@pytest.fixture
async def house(house: House) -> House:
    """The bot has been there for a while, by Discord's time."""
    await house.env.advance_time(300)
    house.clock.at = house.env.now()
    await house.env.advance_time(31)
    return house


async def left(house: House) -> None:
    """The bot's process ends."""
    await house.env.shutdown()


async def back(house: House) -> None:
    """Another one starts, and is done with what it finds."""
    house.clock.at = house.env.now()
    await house.crash()
    await house.env.settle()


async def told_of(house: House, event: str, shard: int = 0) -> None:
    """The bot hears of a connection to Discord, and does what follows."""
    with house.env._bot_scope():
        house.env.bot.dispatch(event, shard)
    await house.env.settle()


async def connected_anew(house: House) -> None:
    """Discord tells the connection of the server, as it does each new one, and that this is all."""
    backend = house.env.backend
    backend.emit("GUILD_CREATE", serializers.guild_create_payload(backend, backend.guilds[house.guild.id]))
    await told_of(house, "shard_ready")


def write(house: House, text: str, *, to: int, files: list[tuple[str, bytes]] | None = None) -> int:
    """Alice writes in a channel that nobody listens in."""
    backend = house.env.backend
    return backend.create_message(to, house.alice.id, text, attachments=backend.store_attachments(to, files or [])).id


async def test_a_file_and_its_question_are_taken(house: House):
    """With a thread and a card, as ever."""
    await left(house)
    write(house, ASKED, to=house.channel.id, files=[("handbook.pdf", house.handbook)])
    await back(house)
    assert any("is read" in text for text in texts(house.thread()))
    assert sum(LEAVE in text for text in texts(house.thread())) == 1


async def test_questions_in_a_thread_are_answered_in_their_order(house: House):
    """The second leans on the first, as in any conversation."""
    await house.attach()
    thread = house.thread()
    await left(house)
    write(house, ASKED, to=thread.id)
    write(house, "And how much of it may be carried over?", to=thread.id)
    await back(house)
    first, second = texts(thread)[-2:]
    assert LEAVE in first
    assert "understood as" in second


async def test_a_question_in_private_is_answered(house: House):
    """Discord tells a new process of no private chats; those with a file in them are known."""
    chat = house.alice.user.dm_channel
    kept = house.env.backend.store_attachments(chat.id, [("handbook.pdf", house.handbook)])
    await house.alice.user.send_dm(attachments=kept)
    await left(house)
    write(house, ASKED, to=chat.id)
    await back(house)
    assert sum(LEAVE in text for text in texts(chat)) == 1


async def test_what_is_not_for_the_bot_is_left_alone(house: House):
    """Talk in a channel, other bots, and what it has answered already."""
    await house.attach(ASKED)
    await left(house)
    write(house, "Lunch?", to=house.channel.id)
    house.env.backend.create_message(house.thread().id, house.me.id, ASKED)
    before = len(house.thread().history())
    await back(house)
    assert len(house.thread().history()) == before
    assert [text for text in texts(house.channel) if LEAVE in text] == []


async def test_what_is_older_than_a_day_is_left_alone(house: House):
    """Nobody waits for it any more."""
    await house.attach()
    await left(house)
    write(house, ASKED, to=house.thread().id)
    house.env.backend.advance_clock(timedelta(days=1, minutes=1).total_seconds())
    write(house, CARRIED, to=house.thread().id)
    await back(house)
    assert sum(LEAVE in text for text in texts(house.thread())) == 0
    assert sum("5 days may be carried over" in text for text in texts(house.thread())) == 1


async def test_a_bot_that_was_never_there_has_missed_nothing(house: House):
    """It does not answer what was said before it came."""
    await house.attach()
    await left(house)
    await house.store._do("DELETE FROM meta WHERE key = ?", HERE)
    write(house, ASKED, to=house.thread().id)
    await back(house)
    assert sum(LEAVE in text for text in texts(house.thread())) == 0


async def test_what_may_not_be_read_hinders_nothing(house: House, monkeypatch: pytest.MonkeyPatch):
    """One channel is closed to the bot; another, for which Discord fails, is looked at again until it does not."""
    hidden = {house.guild.default_role: discord.PermissionOverwrite(view_channel=False)}
    closed = house.guild.create_text_channel("closed", overwrites=hidden)
    faulty = house.guild.create_text_channel("faulty")
    await house.attach()
    await left(house)
    for place in (closed, faulty, house.thread()):
        write(house, f"{house.me.mention} {ASKED}", to=place.id)
    house.env.inject_error("GET", f"/channels/{faulty.id}/messages", status=500, times=2)
    monkeypatch.setattr(meanwhile, "PATIENCE", timedelta(seconds=0.1))  # simcord's minute would be a real one
    await back(house)
    assert sum(LEAVE in text for text in texts(house.thread())) == 1
    assert len(faulty.history()) == 2
    assert len(closed.history()) == 1


async def test_a_new_connection_is_not_told_what_was_missed_and_looks_for_it(house: House):
    """Discord could not take up the old one: the process is the same, and what came meanwhile is answered once."""
    await house.attach()
    subscribers = house.env.backend.subscribers
    await told_of(house, "shard_disconnect")
    deaf, subscribers[:] = list(subscribers), []
    missed = write(house, ASKED, to=house.thread().id)
    await house.env.advance_time(31)
    house.clock.at = house.env.now()
    subscribers[:] = deaf
    await connected_anew(house)
    assert sum(LEAVE in text for text in texts(house.thread())) == 1
    assert await house.store.question_of_message(missed) is not None


async def test_what_comes_while_it_is_looked_for_is_taken_once(house: House):
    """It came by the new connection, and stands in the channel's history."""
    await told_of(house, "shard_disconnect")
    deaf, house.env.backend.subscribers[:] = list(house.env.backend.subscribers), []
    both = write(house, house.me.mention, to=house.channel.id)
    house.env.backend.subscribers[:] = deaf
    channel = house.env.bot.get_channel(house.channel.id)
    assert isinstance(channel, discord.TextChannel)
    with house.env._bot_scope():
        house.env.bot.dispatch("message", await channel.fetch_message(both))
    await connected_anew(house)
    assert sum("Attach a PDF" in text for text in texts(house.channel)) == 1


async def test_what_was_deleted_on_a_lost_connection_is_forgotten(house: House):
    """Its thread with it."""
    await house.attach()
    subscribers = house.env.backend.subscribers
    await told_of(house, "shard_disconnect")
    deaf, subscribers[:] = list(subscribers), []
    thread = house.thread()
    [upload] = await house.store.uploads_in(thread.id)
    house.env.backend.delete_message(house.channel.id, upload.what.message_id)
    subscribers[:] = deaf
    await connected_anew(house)
    assert await house.held() == []


async def test_a_connection_that_is_taken_up_again_was_told_all(house: House):
    """So the note of when the bot was there goes on."""
    await told_of(house, "shard_disconnect")
    before = await house.store.meta(HERE)
    house.clock.pass_by(minutes=5)
    await house.env.advance_time(31)
    assert await house.store.meta(HERE) == before
    await told_of(house, "shard_resumed")
    await house.env.advance_time(31)
    assert await house.store.meta(HERE) == house.clock.at.isoformat()


async def test_who_may_not_add_documents_may_not_add_them_meanwhile(house: House):
    """Discord's history does not say what somebody may: it is asked."""
    await house.member("manager", manage_guild=True).slash(house.channel, "settings uploaders", who="moderators")
    moderator = house.member("moderator", manage_messages=True)
    await left(house)
    write(house, "", to=house.channel.id, files=[("handbook.pdf", house.handbook)])
    backend = house.env.backend
    kept = backend.store_attachments(house.channel.id, [("mine.pdf", house.handbook)])
    backend.create_message(house.channel.id, moderator.id, "", attachments=kept)
    await back(house)
    assert sum("only moderators" in text for text in texts(house.channel)) == 1
    assert len(house.channel.threads) == 1
    assert [upload.what.filename for upload in await house.store.uploads_at_rest()] == ["mine.pdf"]


async def test_a_process_that_dies_while_it_looks_leaves_what_it_missed_to_the_next(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    """However soon it dies: that the bot is there is noted once all was heard."""
    await house.attach()
    await left(house)
    write(house, ASKED, to=house.thread().id)
    looking = asyncio.Event()

    async def for_ever(*_: object, **__: object) -> AsyncIterator[discord.Message]:
        looking.set()
        await asyncio.Event().wait()
        yield

    house.env.backend.advance_clock(600)
    house.clock.at = house.env.now()
    with monkeypatch.context() as dying:
        dying.setattr(discord.Thread, "history", for_ever)
        await house.crash()
        await asyncio.wait_for(looking.wait(), 60)
        await house.env.shutdown()
    await back(house)
    assert sum(LEAVE in text for text in texts(house.thread())) == 1


async def test_what_was_done_and_forgotten_is_not_done_again(house: House):
    """A document that was removed stays so, a question that was deleted too, and a hint is given once."""
    await house.attach(ASKED)
    thread = house.thread()
    await house.alice.send(house.channel, f"{house.me.mention} {CARRIED}")
    await house.alice.send(house.channel, house.me.mention)
    await house.alice.slash(thread, "documents remove", document="handbook")
    form = await house.alice.slash(thread, "privacy delete")
    assert form.response is not None
    await house.alice.click(form.response, label=labels(form.response)[0])
    assert await house.held() == []
    before = len(texts(house.channel)), len(texts(thread))
    await house.restart()
    await house.env.settle()
    assert (len(texts(house.channel)), len(texts(thread))) == before
    assert await house.held() == []
    assert await house.store.questions_by(house.alice.id) == []


async def test_a_server_that_discord_tells_of_later_is_looked_at_then(house: House):
    """There was nothing to look at when the connection was there; the others are looked at meanwhile."""
    await house.attach()
    elsewhere = house.env.create_guild()
    elsewhere.add_member(house.alice.user)
    other = elsewhere.create_text_channel("other")
    house.env.backend.advance_clock(1)
    await told_of(house, "shard_disconnect")
    deaf, house.env.backend.subscribers[:] = list(house.env.backend.subscribers), []
    write(house, ASKED, to=house.thread().id)
    write(house, f"{house.me.mention} {ASKED}", to=other.id)
    house.env.backend.subscribers[:] = deaf
    backend = house.env.backend
    house.env.bot._connection._add_guild_from_data({"id": str(house.guild.id), "unavailable": True})  # type: ignore[typeddict-item] # all that Discord says of it
    backend.emit("GUILD_CREATE", serializers.guild_create_payload(backend, backend.guilds[elsewhere.id]))
    before = await house.store.meta(HERE)
    await told_of(house, "shard_ready")
    assert len(other.history()) == 2
    house.clock.at = house.env.now()
    await house.env.advance_time(31)
    assert await house.store.meta(HERE) == before
    backend.emit("GUILD_CREATE", serializers.guild_create_payload(backend, backend.guilds[house.guild.id]))
    await house.env.settle()
    assert sum(LEAVE in text for text in texts(house.thread())) == 1


async def test_a_message_that_changes_while_those_before_it_are_heard_is_heard_as_it_is_then(house: House):
    """Deleted, it is not answered."""
    await house.attach()
    thread = house.thread()
    await left(house)
    write(house, ASKED, to=thread.id)
    deleted, edited = (write(house, CARRIED, to=thread.id) for _ in range(2))
    house.pause.over.clear()
    house.clock.at = house.env.now()
    await house.crash()
    await until(lambda: "🔎" in texts(thread)[-1])
    house.env.backend.delete_message(thread.id, deleted)
    house.env.backend.edit_message(thread.id, edited, {"content": "Thanks! Is it 25 days?"})
    house.pause.over.set()
    await house.env.settle()
    asked = [question.what.question for question in await house.store.questions_by(house.alice.id)]
    assert asked == [ASKED, "Thanks! Is it 25 days?"]


@pytest.mark.simcord(settle_timeout=240.0, shard_count=2)
async def test_what_a_connection_missed_that_comes_after_the_others_is_heard(house: House):
    """Discord lets a process have one more every five seconds: until the last is there, none says that all are."""
    await house.attach()
    late = (house.guild.id >> 22) % 2
    connections = house.env.bot._AutoShardedClient__shards  # type: ignore[attr-defined] # there is no other way to it
    for shard in (0, 1):
        await told_of(house, "shard_disconnect", shard)
    deaf, house.env.backend.subscribers[:] = list(house.env.backend.subscribers), []
    write(house, ASKED, to=house.thread().id)
    house.env.backend.subscribers[:] = deaf
    house.env.backend.advance_clock(600)
    house.clock.at = house.env.now()
    connection = connections.pop(late)
    await told_of(house, "shard_ready", 1 - late)
    await house.env.advance_time(31)
    connections[late] = connection
    await told_of(house, "shard_ready", late)
    assert sum(LEAVE in text for text in texts(house.thread())) == 1


async def test_a_question_asked_meanwhile_waits_for_a_file_that_was_on_its_way(house: House):
    """The process that had the file ended: the next one has it in its hands before anybody asks of it."""
    await house.queue.stop()
    house.say("", attachments=[("handbook.pdf", house.handbook)])
    await until(lambda: house.channel.threads and any("waiting" in text for text in texts(house.thread())))
    await left(house)
    write(house, ASKED, to=house.thread().id)
    house.queue.start()
    await back(house)
    assert sum(LEAVE in text for text in texts(house.thread())) == 1


async def test_what_was_written_to_a_connection_that_was_dead_is_heard(house: House):
    """It is found dead later, and until then the bot notes that it is there."""
    await house.attach()
    deaf, house.env.backend.subscribers[:] = list(house.env.backend.subscribers), []
    write(house, ASKED, to=house.thread().id)
    for _ in range(3):
        await house.env.advance_time(31)
        house.clock.at = house.env.now()
    await told_of(house, "shard_disconnect")
    house.env.backend.subscribers[:] = deaf
    await connected_anew(house)
    assert sum(LEAVE in text for text in texts(house.thread())) == 1


async def test_a_message_that_discord_does_not_show_again_is_heard_as_it_was(house: House):
    """It failed to, which says nothing of the message."""
    await house.attach()
    thread = house.thread()
    await left(house)
    for _ in range(2):
        write(house, ASKED, to=thread.id)
    house.env.inject_error("GET", f"/channels/{thread.id}/messages/*", status=500, times=None)
    await back(house)
    assert sum(LEAVE in text for text in texts(thread)) == 2
