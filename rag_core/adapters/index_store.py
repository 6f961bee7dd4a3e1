"""The index files of one data folder, by generation, and the lock that only one writer holds.

A rebuild fills a new generation beside the one in use; the catalog then names the new one, at one instant, and every
process that has the folder open follows at its next call.
"""

from __future__ import annotations

import asyncio
import shutil
import weakref
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import filelock

from rag_core.adapters.closeups import SqliteCloseups
from rag_core.adapters.dense_index import DenseIndex
from rag_core.adapters.sparse_index import SparseIndex
from rag_core.errors import StoreBusy, StoreUnavailable
from rag_core.protocols import Catalog, Embedder, Indexes
from rag_core.types import IndexState

CLOSEUPS = "closeups.sqlite3"
POLL_SECONDS = 0.05
"""How often a waiting writer asks for the lock again."""


class FolderIndexStore:
    """Implements `IndexStore` in a data folder.

    Args:
        home: The data folder.
        catalog: Says which generation is in use.
        embedder: Embeds queries for the dense index.
        patience: Seconds to wait for another writer.
    """

    def __init__(self, home: Path, catalog: Catalog, embedder: Embedder, *, patience: float) -> None:
        self._home = home
        self._catalog = catalog
        self._embedder = embedder
        self._patience = patience
        self._opening = asyncio.Lock()
        self._open: Indexes | None = None
        self._retired: list[tuple[weakref.ref[Indexes], Indexes]] = []
        """Of earlier generations: what was given to searches, which may still be under way, and a copy to close."""
        self.waiting = False
        """Whether this process waits for the right to write, which another holds."""
        self._turn = asyncio.Lock()
        """Among the tasks of this process: the lock on the file knows processes only, and lets its holder in again."""
        self._lock = filelock.FileLock(home / "writer.lock", thread_local=False)
        self._next = filelock.FileLock(home / "next.lock", thread_local=False)
        """Held while waiting for the other: who writes again and again does not overtake who waits for once."""
        self._drainer = filelock.FileLock(home / "drainer.lock", thread_local=False)

    async def current(self) -> Indexes | None:
        """The indexes in use; None while nothing was ever indexed.

        They stay open as long as the caller holds them as a whole, whatever is in use meanwhile.
        """
        async with self._opening:
            state = await self._catalog.index_state()
            if self._open is not None and self._open.state != state:
                self._retired.append((weakref.ref(self._open), replace(self._open)))
                self._open = None
            await self._close_retired()
            if self._open is None and state is not None:
                await asyncio.to_thread(self._refuse_missing, state.generation)
                self._open = await self.build(state)
            return self._open

    async def build(self, state: IndexState) -> Indexes:
        """The indexes of one generation, made empty where there are none."""
        vectors, keywords = self._folders(state.generation)
        return Indexes(
            state,
            await DenseIndex.open(vectors, self._embedder, dimension=state.dimension),
            await SparseIndex.open(keywords),
            await SqliteCloseups.open(vectors / CLOSEUPS, self._embedder, dimension=state.dimension),
        )

    async def drop_all_but(self, generation: int) -> None:
        """Delete the files of other generations."""
        kept = {folder.name for folder in self._folders(generation)}
        for parent in {folder.parent for folder in self._folders(generation)}:
            await asyncio.to_thread(_drop, parent, kept)

    @asynccontextmanager
    async def writing(self, *, patiently: bool = False) -> AsyncIterator[None]:
        """Hold the one right to write. The system lets go of it when the process dies."""
        async with AsyncExitStack() as held:
            try:
                async with asyncio.timeout(None if patiently else self._patience):
                    await held.enter_async_context(self._turn)
                    self.waiting = True
                    async with _locked(self._next, self._home):
                        await held.enter_async_context(_locked(self._lock, self._home))
            except TimeoutError as exc:
                raise StoreBusy(
                    f"Somebody else is writing to this library and did not finish in {self._patience:.0f} s; try again "
                    "when it is done."
                ) from exc
            finally:
                self.waiting = False
            yield

    @asynccontextmanager
    async def draining(self) -> AsyncIterator[bool]:
        """Hold the one right to drain the queue, and say whether it was free."""
        if self._drainer.is_locked or not _acquired(self._drainer, self._home):
            yield False
            return
        try:
            yield True
        finally:
            self._drainer.release()

    async def close(self) -> None:
        """Close whatever is open."""
        async with self._opening:
            await self._close_retired(held=True)
            if self._open is not None:
                await self._open.close()
            self._open = None

    async def _close_retired(self, *, held: bool = False) -> None:
        """Close those of earlier generations, and also what a search may hold if it is told to."""
        for retired in [each for each in self._retired if held or each[0]() is None]:
            self._retired.remove(retired)
            await retired[1].close()

    def _folders(self, generation: int) -> tuple[Path, Path]:
        return self._home / "vectors" / str(generation), self._home / "keywords" / str(generation)

    def _refuse_missing(self, generation: int) -> None:
        vectors, keywords = self._folders(generation)
        for path in (vectors, keywords, vectors / CLOSEUPS):
            if not path.exists():
                raise StoreUnavailable(
                    f"A part of the index, {str(path.relative_to(self._home))!r} in the data folder, is gone: run "
                    "`pincite rebuild`."
                )


def _drop(parent: Path, kept: set[str]) -> None:
    for folder in parent.iterdir() if parent.exists() else ():
        if folder.name not in kept:
            shutil.rmtree(folder, ignore_errors=True)


@asynccontextmanager
async def _locked(lock: filelock.FileLock, home: Path) -> AsyncIterator[None]:
    while not _acquired(lock, home):  # noqa: ASYNC110 - no event reaches from one process to another
        await asyncio.sleep(POLL_SECONDS)
    try:
        yield
    finally:
        lock.release()


def _acquired(lock: filelock.FileLock, home: Path) -> bool:
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:  # an OSError, too
        return False
    except OSError as exc:
        raise StoreUnavailable(
            f"The data folder {str(home)!r} cannot be written ({exc.strerror}): name another with --home."
        ) from exc
    return True
