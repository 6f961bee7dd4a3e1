"""What was written and deleted while no connection was there to be told: looked for once there is one again."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import discord

from bot.channels import Channels, Gone
from bot.forgetting import Forgetting
from bot.store.store import BotStore

log = logging.getLogger(__name__)

LONGEST = timedelta(days=1)
"""What was written before that is left alone: whoever waited for an answer waits no more."""
OVERLAP = timedelta(minutes=1)
"""By which what was heard before the connection was lost is looked at again: it may not have been noted any more."""
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

    def __init__(self, channels: Channels, store: BotStore, forgetting: Forgetting) -> None:
        self._channels = channels
        self._store = store
        self._forgetting = forgetting

    async def note_presence(self) -> None:
        """Note that until now nothing is missed."""
        await self._store.set_meta(HERE, self._store.now().isoformat())

    async def missed_since(self) -> datetime | None:
        """From when on messages may have been missed; None for a bot that was never there."""
        noted = await self._store.meta(HERE)
        if noted is None:
            return None
        return max(datetime.fromisoformat(noted) - OVERLAP, self._store.now() - LONGEST)

    async def written(self, part: Part, since: datetime) -> Collection[Sequence[discord.Message]]:
        """What people wrote since then: a sequence for each of them and each place, oldest first.

        A private chat is looked at where a file or a question of it is remembered.
        """
        said: defaultdict[tuple[int, int], list[discord.Message]] = defaultdict(list)
        async for channel, start in self._talked_in(part, since):
            try:
                async for message in channel.history(after=start, limit=MOST, oldest_first=True):
                    if not message.author.bot and not await self._is_noted(message.id):
                        said[channel.id, message.author.id].append(message)
            except discord.HTTPException as exc:
                log.info("what was written in a channel meanwhile is not known: %s", exc)
        return said.values()

    async def forget_what_was_deleted(self, part: Part) -> None:
        """Forget the files whose message or thread went: Discord is asked for each, which takes a while."""
        for upload in await self._store.uploads_at_rest():
            if not part.has(upload.what.server_id):
                continue
            if await self._is_gone(upload.what.place_id):
                await self._forgetting.channel(upload.what.place_id)
            elif await self._is_gone(upload.what.channel_id, upload.what.message_id):
                await self._forgetting.message(upload.what.message_id)

    async def _talked_in(
        self, part: Part, since: datetime
    ) -> AsyncIterator[tuple[discord.abc.MessageableChannel, datetime]]:
        """Where something was written since then that the bot may read, and from when on it is there to read."""
        for guild in part.guilds:
            start = max(since, guild.me.joined_at or since)
            for channel in (*guild.channels, *guild.threads):
                if isinstance(channel, discord.abc.Messageable) and _is_read(channel) and _is_newer(channel, start):
                    yield channel, start
        for place_id in await self._store.private_places() if part.private else ():
            try:
                private = await self._channels.channel(place_id)
            except (Gone, discord.HTTPException) as exc:
                log.info("a private chat cannot be looked at: %s", exc)
            else:
                yield private, since

    async def _is_noted(self, message_id: int) -> bool:
        if await self._store.question_of_message(message_id) is not None:
            return True
        return bool(await self._store.uploads_of_message(message_id))

    async def _is_gone(self, channel_id: int, message_id: int | None = None) -> bool:
        """Whether Discord says that there is no such channel or message; where it says nothing, there may be."""
        try:
            channel = await self._channels.channel(channel_id)
            if message_id is not None:
                await channel.fetch_message(message_id)
        except discord.NotFound:
            return True
        except (Gone, discord.HTTPException) as exc:
            log.info("whether a place or a message is still there is not known: %s", exc)
        return False


def _is_read(channel: discord.abc.GuildChannel | discord.Thread) -> bool:
    may = channel.permissions_for(channel.guild.me)
    return may.read_messages and may.read_message_history


def _is_newer(channel: discord.abc.MessageableChannel, start: datetime) -> bool:
    """Whether the last message of a channel was written since then, by its id; Discord told of it with the channel."""
    last: int | None = getattr(channel, "last_message_id", None)
    return last is not None and discord.utils.snowflake_time(last) > start
