"""Since when the bot is there, connection by connection; what was missed before that is taken as if it came now."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import discord
from discord.ext import commands, tasks

from bot.desk import Desk
from bot.listening import Listening
from bot.meanwhile import Part
from bot.upkeep import guarded

PRIVATE_CHATS = 0
"""The shard that Discord tells of them."""


class Presence(commands.Cog):
    """Hears of connections. One that is taken up where it was is told what it missed; a new one is not."""

    def __init__(self, desk: Desk, bot: commands.AutoShardedBot, listening: Listening) -> None:
        self._desk = desk
        self._bot = bot
        self._listening = listening
        self._there: set[int] = set()
        self._behind = 0
        """How often what was missed is still looked for, or could not be."""

    @commands.Cog.listener()
    async def on_shard_ready(self, shard_id: int) -> None:
        """Look for what was missed."""
        self._there.add(shard_id)
        guilds = [g for g in self._bot.guilds if g.shard_id == shard_id and not g.unavailable]
        await self._catch_up(Part(guilds, private=shard_id == PRIVATE_CHATS))

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Look for it in a server that Discord had nothing to tell of, or told of late."""
        if guild.shard_id in self._there:
            await self._catch_up(Part([guild], private=False))

    @commands.Cog.listener()
    async def on_shard_resumed(self, shard_id: int) -> None:
        """It was told what it missed."""
        self._there.add(shard_id)

    @commands.Cog.listener()
    async def on_shard_disconnect(self, shard_id: int) -> None:
        """From now on something may be missed."""
        self._there.discard(shard_id)

    async def cog_unload(self) -> None:
        """Stop, and note until when nothing was missed."""
        self.note_presence.cancel()
        await self._note()

    @tasks.loop(seconds=30)
    async def note_presence(self) -> None:
        """Note that nothing was missed, for the process that comes next."""
        await guarded("noting that the bot is there", self._note())

    async def _note(self) -> None:
        """Note it, unless a connection or a server is not there, or what was missed was not all heard yet."""
        connected = len(self._there) == self._bot.shard_count and not any(g.unavailable for g in self._bot.guilds)
        if connected and not self._behind:
            await self._desk.meanwhile.note_presence()

    async def _catch_up(self, part: Part) -> None:
        self._behind += 1
        if not self.note_presence.is_running():
            self.note_presence.start()
        async with asyncio.TaskGroup() as both:
            both.create_task(guarded("hearing what was missed", self._hear(part)))
            both.create_task(guarded("forgetting what was deleted", self._desk.meanwhile.forget_what_was_deleted(part)))

    async def _hear(self, part: Part) -> None:
        since = await self._desk.meanwhile.missed_since()
        if since is not None:
            async with asyncio.TaskGroup() as people:
                async for messages in self._desk.meanwhile.written(part, since):
                    people.create_task(guarded("hearing a message", self._hear_in_order(messages)))
        # Where it fails before, the next process looks again.
        self._behind -= 1

    async def _hear_in_order(self, messages: Sequence[discord.Message]) -> None:
        """One after the other: a question may lean on the answer to the one before, and may be deleted meanwhile."""
        first, *others = messages
        await self._listening.on_message(first)
        for message in others:
            now = await self._desk.meanwhile.again(message)
            if now is not None:
                await self._listening.on_message(now)
