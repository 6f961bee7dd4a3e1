"""What was written and deleted while no connection was there to be told: looked for once there is one again."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import discord

from bot.channels import GONE, Channels, Gone
from bot.forgetting import Forgetting
from bot.hearing import Hearing
from bot.store.store import BotStore
from bot.tree import FAILURES, is_discords_fault

log = logging.getLogger(__name__)

LONGEST = timedelta(days=1)
"""What was written before that is left alone: whoever waited for an answer waits no more."""
OVERLAP = timedelta(minutes=3)
"""By which it is looked farther back than the last note: discord.py finds a dead connection up to 102 s late."""
PATIENCE = timedelta(minutes=1)
"""After which a channel that Discord failed to tell of is asked for again."""
MOST = 500
"""Messages of one channel that are looked at."""
HERE = "here"


@dataclass(frozen=True, slots=True)
class Part:
    """What one connection tells of."""

    guilds: Sequence[discord.Guild]
    private: bool
    """Whether private chats are among it."""

    def has(self, server_id: int | None) -> bool:
        """Whether a server is told of; None stands for private chats."""
        return self.private if server_id is None else any(guild.id == server_id for guild in self.guilds)


class Meanwhile:
    """Finds them. A message that was noted before is the business of what goes on after a restart."""

    def __init__(self, channels: Channels, store: BotStore, hearing: Hearing, forgetting: Forgetting) -> None:
        self._channels = channels
        self._store = store
        self._hearing = hearing
        self._forgetting = forgetting

    async def note_presence(self) -> None:
        """Note that until now nothing is missed."""
        now = self._store.now()
        await self._store.set_meta(HERE, now.isoformat())
        await self._store.forget_heard_before(discord.utils.time_snowflake(now - LONGEST - OVERLAP))

    async def missed_since(self) -> datetime | None:
        """From when on messages may have been missed; None for a bot that was never there."""
        noted = await self._store.meta(HERE)
        if noted is None:
            return None
        return max(datetime.fromisoformat(noted) - OVERLAP, self._store.now() - LONGEST)

    async def written(self, part: Part, since: datetime) -> AsyncIterator[Sequence[discord.Message]]:
        """What people wrote since then for the bot: a sequence for each of them and each place, oldest first.

        A private chat is looked at where a file or a question of it is remembered. What Discord fails to tell is asked
        for again, until it does.
        """
        left = [place async for place in self._talked_in(part, since)]
        while left:
            failed = []
            for channel_id, start in left:
                try:
                    said = await self._said(channel_id, start)
                except Exception as exc:  # noqa: BLE001 - whatever it is, the other channels are looked at
                    log.info("what was written in a channel meanwhile is not known: %r", exc)
                    if is_discords_fault(exc):
                        failed.append((channel_id, start))
                else:
                    for messages in said:
                        yield messages
            left = failed
            if left:
                await asyncio.sleep(PATIENCE.total_seconds())

    async def again(self, message: discord.Message) -> discord.Message | None:
        """A message as it is now, or None where it is not there any more, or not for us."""
        try:
            return await message.fetch()
        except GONE:
            return None
        except FAILURES as exc:
            log.info("a message is heard as it was: %s", exc)
            return message

    async def forget_what_was_deleted(self, part: Part) -> None:
        """Forget the files whose message or thread went: Discord is asked for each, which takes a while."""
        for upload in await self._store.uploads_at_rest():
            if not part.has(upload.what.server_id):
                continue
            if await self._is_gone(upload.what.place_id):
                await self._forgetting.channel(upload.what.place_id)
            elif await self._is_gone(upload.what.channel_id, upload.what.message_id):
                await self._forgetting.message(upload.what.message_id)

    async def _talked_in(self, part: Part, since: datetime) -> AsyncIterator[tuple[int, datetime]]:
        """Where something was written since then that the bot may read, and from when on it is there to read."""
        for guild in part.guilds:
            start = max(since, guild.me.joined_at or since)
            for channel in (*guild.channels, *guild.threads):
                if isinstance(channel, discord.abc.Messageable) and _is_newer(channel, start) and _is_read(channel):
                    yield channel.id, start
        for place_id in await self._store.private_places() if part.private else ():
            yield place_id, since

    async def _said(self, channel_id: int, start: datetime) -> Collection[Sequence[discord.Message]]:
        said: defaultdict[int, list[discord.Message]] = defaultdict(list)
        channel = await self._channels.channel(channel_id)
        async for message in channel.history(after=start, limit=MOST, oldest_first=True):
            if not message.author.bot and await self._is_unheard(message):
                said[message.author.id].append(message)
        return said.values()

    async def _is_unheard(self, message: discord.Message) -> bool:
        """Whether a message wants something of the bot that was neither done nor noted."""
        if await self._store.is_heard(message.id):
            return False
        return await self._hearing.is_kept_back(message) or await self._hearing.heard(message) is not None

    async def _is_gone(self, channel_id: int, message_id: int | None = None) -> bool:
        """Whether Discord says that there is no such channel or message; where it says nothing, there may be."""
        try:
            channel = await self._channels.channel(channel_id)
            if message_id is not None:
                await channel.fetch_message(message_id)
        except discord.NotFound:
            return True
        except (Gone, *FAILURES) as exc:
            log.info("whether a place or a message is still there is not known: %s", exc)
        return False


def _is_read(channel: discord.abc.GuildChannel | discord.Thread) -> bool:
    if isinstance(channel, discord.Thread) and channel.parent is None:
        return False
    may = channel.permissions_for(channel.guild.me)
    return may.read_messages and may.read_message_history


def _is_newer(channel: discord.abc.MessageableChannel, start: datetime) -> bool:
    """Whether the last message of a channel was written since then, by its id; Discord told of it with the channel."""
    last: int | None = getattr(channel, "last_message_id", None)
    return last is not None and discord.utils.snowflake_time(last) > start
