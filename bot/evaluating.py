"""A run of an eval in Discord: begun by a command, followed on one message, ended with a chart; one at a time a server.

Where it is followed is noted before it begins, so that another process can go on with it, on the same message.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import discord

from bot import figures
from bot.access import Access
from bot.buttons.evals import result_view, stop_view
from bot.phrases import say, speak
from bot.places import Place, place_of
from bot.reply import Reply, picture
from bot.store.records import FollowedRun
from bot.store.store import BotStore
from bot.tree import tell
from eval.comparison import Comparison
from eval.datasets import Dataset
from eval.errors import NotComparable
from eval.run_values import Run
from eval.runs import Evals
from rag_core.errors import NotAllowed

log = logging.getLogger(__name__)


class OneAtATime(NotAllowed):
    """Another run of this server is under way."""


class Evaluating:
    """Runs evals for servers. A run belongs to its channel: who cannot ask its documents sees none of it."""

    def __init__(self, client: discord.Client, evals: Evals, store: BotStore, access: Access) -> None:
        self._client = client
        self._evals = evals
        self._store = store
        self._access = access

    async def run(self, dataset: Dataset, systems: Sequence[str], place: Place, speaking: Reply) -> None:
        """Run a set over the documents of a place, and say how it ends, or why it does not begin."""
        assert place.server_id is not None, "evals are for servers"
        message = await speaking.begin(say().eval_begins)
        reply = await self._plain(place.id, message.id)
        try:
            await self._run(dataset, systems, place, FollowedRun(place.server_id, place.id, message.id), reply)
        except Exception as exc:  # noqa: BLE001 - whatever it is, the message that said that it begins says how it ended
            await tell(exc, lambda text: reply.end([text]))

    async def _run(
        self, dataset: Dataset, systems: Sequence[str], place: Place, followed: FollowedRun, reply: Reply
    ) -> None:
        progress = _Progress()
        async with self._following(followed):
            run = await self._evals.start(
                dataset,
                scope=await self._access.everything(place),
                owner=place.collection,
                systems=systems,
                heard=progress.heard,
            )
            await self._store.set_run(followed.server_id, run.id)
            await self._follow(run, progress, reply)

    async def go_on(self, run_id: str, place: Place, message: discord.Message) -> None:
        """Go on with a run that stopped, on the message that said so.

        Raises:
            OneAtATime: This server has one under way.
        """
        assert place.server_id is not None, "evals are for servers"
        async with self._following(FollowedRun(place.server_id, place.id, message.id, run_id)):
            await self._go_on(run_id, place, await self._plain(place.id, message.id))

    async def stop(self, run_id: str, place: Place) -> None:
        """Stop a run; what it has is kept."""
        await self._evals.cancel(run_id, owner=place.collection)

    async def show(self, run: Run, reply: Reply) -> None:
        """How a run stands, with its figures and what it lost against the one before."""
        scores = await self._evals.scores(run.id)
        drawn = await self._evals.chart(run.id)
        chart = None if drawn is None else picture(drawn, "chart.png", figures.described(run, scores))
        embed = figures.result(run, scores, await self._against(run))
        await reply.exhibit(embed, chart, view=result_view(run))

    async def resume(self) -> None:
        """Go on with what a process that ended was at."""
        for followed in await self._store.followed_runs():
            await self._resume(followed)

    async def _resume(self, followed: FollowedRun) -> None:
        await self._store.unfollow_run(followed.server_id)
        try:
            channel = await self._channel(followed.place_id)
            speak(await self._access.language(getattr(channel, "guild", None)))
            reply = await self._plain(followed.place_id, followed.message_id)
        except discord.HTTPException as exc:
            log.info("the message of a run is gone, and the run stays as it is: %s", exc)
            return
        if followed.run_id is None:
            await reply.end([say().eval_never_began])
            return
        try:
            async with self._following(followed):
                await self._go_on(followed.run_id, place_of(channel), reply)
        except Exception as exc:  # noqa: BLE001 - as above
            await tell(exc, lambda text: reply.end([text]))

    async def _go_on(self, run_id: str, place: Place, reply: Reply) -> None:
        progress = _Progress()
        scope = await self._access.everything(place)
        run = await self._evals.resume(run_id, scope=scope, owner=place.collection, heard=progress.heard)
        await self._follow(run, progress, reply)

    async def _follow(self, run: Run, progress: _Progress, reply: Reply) -> None:
        async with progress.shown(reply, stop_view(run.id)):
            progress.heard(run)
            ended = await self._evals.wait(run.id)
        if not self._client.is_closed():
            await self.show(ended, reply)

    @asynccontextmanager
    async def _following(self, followed: FollowedRun) -> AsyncIterator[None]:
        """For as long as a run is followed; what this process leaves behind when it ends stays noted.

        Raises:
            OneAtATime: The server has another.
        """
        if not await self._store.follow_run(followed):
            raise OneAtATime(say().eval_one_at_a_time)
        cancelled = False
        try:
            yield
        except asyncio.CancelledError:
            cancelled = True
            raise
        finally:
            if not (cancelled or self._client.is_closed()):
                await self._store.unfollow_run(followed.server_id)

    async def _against(self, run: Run) -> list[Comparison]:
        """The run beside the last one of the same set before it; empty where they have nothing in common."""
        before = await self._evals.last_before(run)
        try:
            return [] if before is None else await self._evals.compare(before.id, run.id, owner=run.owner)
        except NotComparable:
            return []

    async def _plain(self, channel_id: int, message_id: int) -> Reply:
        """The message as any other: an interaction's own way to edit it ends after fifteen minutes."""
        channel = await self._channel(channel_id)
        return Reply(channel.send, message=await channel.fetch_message(message_id))

    async def _channel(self, channel_id: int) -> discord.abc.MessageableChannel:
        channel = self._client.get_channel(channel_id) or await self._client.fetch_channel(channel_id)
        assert isinstance(channel, discord.abc.Messageable), "a run is begun where messages are written"
        return channel


class _Progress:
    """What a run says of itself, shown as it comes."""

    def __init__(self) -> None:
        self._run: Run | None = None
        self._news = asyncio.Event()

    def heard(self, run: Run) -> None:
        """Note how it stands."""
        self._run = run
        self._news.set()

    @asynccontextmanager
    async def shown(self, reply: Reply, view: discord.ui.View) -> AsyncIterator[None]:
        """Edit the message for as long as the run goes on."""
        showing = asyncio.create_task(self._show(reply, view))
        try:
            yield
        finally:
            showing.cancel()
            await asyncio.wait([showing])

    async def _show(self, reply: Reply, view: discord.ui.View) -> None:
        while await self._news.wait():
            self._news.clear()
            if self._run is not None and self._run.state == "running":
                await reply.show(figures.progress(self._run), view=view)
