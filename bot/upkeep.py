"""What is done without being asked: going on after a restart, trying again, and deleting what has had its time."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any

import discord
from discord.ext import commands, tasks

from bot.desk import Desk
from bot.resuming import PATIENCE
from bot.tree import FAILURES

log = logging.getLogger(__name__)


class Upkeep(commands.Cog):
    """Runs once when Discord is ready, and then from time to time."""

    def __init__(self, desk: Desk, bot: commands.AutoShardedBot, loaded: Callable[[], None]) -> None:
        self._desk = desk
        self._bot = bot
        self._loaded = loaded
        self._resumed = False

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Go on with what was left unfinished. Discord says that it is ready after each lost connection, too."""
        if self._resumed:
            return
        self._resumed = True
        await guarded("loading the models", self._desk.library.warm_up())
        self._loaded()
        await guarded("forgetting servers that were left", self._forget_servers_that_were_left())
        self.go_on_measuring.start()
        self.delete_what_is_old.start()
        await guarded("going on with what was unfinished", self._desk.resuming.resume())
        self.try_again.start()

    async def cog_unload(self) -> None:
        """Stop."""
        self.go_on_measuring.cancel()
        self.try_again.cancel()
        self.delete_what_is_old.cancel()

    @tasks.loop(count=1)
    async def go_on_measuring(self) -> None:
        """Go on with runs of evals, which may take hours."""
        await guarded("going on with evals", self._desk.evaluating.resume())

    @tasks.loop(minutes=1)
    async def try_again(self) -> None:
        """Read and answer what Discord's own faults left undone."""
        await guarded("trying again", self._desk.resuming.resume(patience=PATIENCE))

    @tasks.loop(hours=1)
    async def delete_what_is_old(self) -> None:
        """Delete what a server keeps no longer than its retention."""
        await guarded("deleting what is old", self._delete_what_is_old())

    async def _delete_what_is_old(self) -> None:
        for server_id in await self._desk.store.servers():
            days = (await self._desk.store.settings(server_id)).retention_days
            if days:
                before = self._desk.store.now() - timedelta(days=days)
                await self._desk.forgetting.uploads(await self._desk.store.uploads_before(server_id, before))
                await self._desk.store.forget_questions_before(server_id, before)

    async def _forget_servers_that_were_left(self) -> None:
        """Those that the bot was put out of while it did not run."""
        there = {guild.id for guild in self._bot.guilds}
        for server_id in await self._desk.store.servers() - there:
            try:
                await self._bot.fetch_guild(server_id)
            except (discord.NotFound, discord.Forbidden):
                await self._desk.forgetting.server(server_id)
            except FAILURES as exc:
                log.info("whether server %d is still there is not known: %s", server_id, exc)


async def guarded(what: str, work: Coroutine[Any, Any, None]) -> None:
    """Do it; what fails is logged."""
    try:
        await work
    except Exception:  # a loop that ends at its first failure would never delete again
        log.exception("%s failed", what)
