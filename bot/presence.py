"""Since when the bot is there, connection by connection; what was missed before that is taken as if it came now."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime

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

    @commands.Cog.listener()
    async def on_shard_ready(self, shard_id: int) -> None:
        """Look for what was missed."""
        since = await self._desk.meanwhile.missed_since()
        self._there.add(shard_id)
        if not self.note_presence.is_running():
            self.note_presence.start()
        part = Part([g for g in self._bot.guilds if g.shard_id == shard_id], private=shard_id == PRIVATE_CHATS)
        if since is not None:
            await guarded("hearing what was missed", self._hear(part, since))
        await guarded("forgetting what was deleted", self._desk.meanwhile.forget_what_was_deleted(part))

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
        if self._there == set(self._bot.shards):
            await self._desk.meanwhile.note_presence()

    async def _hear(self, part: Part, since: datetime) -> None:
        async with asyncio.TaskGroup() as tasks_of_people:
            for messages in await self._desk.meanwhile.written(part, since):
                tasks_of_people.create_task(self._hear_in_order(messages))

    async def _hear_in_order(self, messages: Sequence[discord.Message]) -> None:
        """One after the other: a question may lean on the answer to the one before."""
        for message in messages:
            await self._listening.on_message(message)
