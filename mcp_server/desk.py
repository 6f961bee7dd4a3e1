"""The library behind the tools: opened by the first call, kept open, drained of its jobs, closed with the server.

A client waits for the handshake before anything else, so nothing heavy may happen until a tool is called. Models load
in the background from then on; a call that needs them waits, but never longer than clients do.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from typing import TYPE_CHECKING

from rag_core.errors import RagError, StoreBusy

if TYPE_CHECKING:
    from eval.runs import Evals
    from mcp_server.telling import Progress
    from rag_core.library import Library

log = logging.getLogger(__name__)

OpenLibrary = Callable[[], "AbstractAsyncContextManager[Library]"]

OpenEvals = Callable[["Library"], "AbstractAsyncContextManager[Evals]"]

PATIENCE = 45.0
"""Seconds that a call waits for the models: clients give up after 60 by default, and then nobody learns why."""
DRAIN_AGAIN = 30.0
"""Seconds until the queue is tried again after the data folder could not be used."""


class _Opened:
    """A library on its way: first it is open, then its models are loaded."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.library: asyncio.Future[Library] = loop.create_future()
        self.warm: asyncio.Future[None] = loop.create_future()
        self.stack = AsyncExitStack()
        """What stands on the library, and is closed before it."""
        self.evals: Evals | None = None
        self.opening_evals = asyncio.Lock()
        # Whoever waits is told of a failure; when nobody does, asyncio need not complain.
        self.library.add_done_callback(lambda done: done.cancelled() or done.exception())


class Desk:
    """Hands out the one open library. Must be used inside `serving`."""

    def __init__(self, open_library: OpenLibrary, open_evals: OpenEvals | None = None, *, drains: bool) -> None:
        self._open_library = open_library
        self._open_evals = open_evals
        self._drains = drains
        self._opened: _Opened | None = None
        self._tasks: asyncio.TaskGroup | None = None

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """For as long as the server runs; the library, if it was ever opened, is closed at the end."""
        async with asyncio.TaskGroup() as self._tasks:
            ending = self._tasks.create_task(asyncio.Event().wait())
            try:
                yield
            finally:
                ending.cancel()
                self._end()
        self._tasks = None

    def open_soon(self) -> None:
        """Begin to open the library and to load its models, unless that is under way."""
        self._opening()

    async def library(self, *, warm: bool = False, progress: Progress | None = None) -> Library:
        """The library; with `warm`, once its models are loaded.

        An opening that fails leaves nothing behind, and the next call tries again.

        Raises:
            RagError: It cannot be opened.
            StoreBusy: It is still loading.
        """
        opened = self._opening()
        awaited = (opened.library, opened.warm) if warm else (opened.library,)
        if progress is not None and not all(one.done() for one in awaited):
            await progress.step("loading the models")
        for one in awaited:
            done, _ = await asyncio.wait([one], timeout=PATIENCE)
            if not done:
                raise StoreBusy("The models are still loading, as they do after a start.")
            opened.library.result()
        return opened.library.result()

    async def evals(self) -> Evals:
        """The engine of the evals over the library; opened by the first call that wants it.

        Raises:
            RagError: It cannot be opened.
        """
        assert self._open_evals is not None, "the tool that measures is there only with an engine"
        library, opened = await self.library(), self._opening()
        async with opened.opening_evals:
            if opened.evals is None:
                opened.evals = await opened.stack.enter_async_context(self._open_evals(library))
        return opened.evals

    def _opening(self) -> _Opened:
        if self._opened is None:
            assert self._tasks is not None, "tools are called while the server runs"
            self._opened = _Opened()
            self._keeper = self._tasks.create_task(self._keep(self._opened))
        return self._opened

    def _end(self) -> None:
        if self._opened is not None:
            self._keeper.cancel()

    async def _keep(self, opened: _Opened) -> None:
        """Hold the library open, in one task from beginning to end."""
        try:
            async with self._open_library() as library, opened.stack:
                opened.library.set_result(library)
                with suppress(RagError):  # whoever asks for a model is told what is wrong with it
                    await library.warm_up()
                opened.warm.set_result(None)
                await self._work(library)
        except Exception as exc:  # boundary: a library that cannot be opened must not end the server
            self._opened = None
            if opened.library.done():
                log.exception("the library ended")
            else:
                opened.library.set_exception(exc)
                opened.warm.set_result(None)

    async def _work(self, library: Library) -> None:
        while self._drains:
            try:
                await library.drain()
            except RagError as exc:
                log.warning("documents cannot be ingested for now: %s", exc)
                await asyncio.sleep(DRAIN_AGAIN)
        await asyncio.Event().wait()
