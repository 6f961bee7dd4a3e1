"""The queue of ingestions to documents: one process at a time drains it, the others stand by.

While one file is embedded the next is read. Between two batches of a long file, shorter ones whose turn has come pass
it. A process that dies leaves what it had in hand to the next, which undoes what was half done and goes on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from rag_core.errors import Damaged, RagError, StoreError
from rag_core.keeping.ingestion import Ingestion, Read
from rag_core.keeping.removal import Removal
from rag_core.keeping.upkeep import Upkeep
from rag_core.protocols import Catalog, IndexStore, JobQueue, Ledger, Uploads
from rag_core.types import DocumentId, Scope
from rag_core.types.jobs import CANCELLED, MOST_TRIES, Claimed, Outcome, Stage, Turn
from rag_core.types.quotas import Held, refuse_too_much

IDLE_SECONDS = 0.25
"""How often an empty queue is looked at, and the right to drain asked for again."""
TELL_SECONDS = 0.25
"""How often the queue is told of pages that were read."""
TROUBLE_SECONDS = 5.0
"""The wait after the data folder could not be used."""
SWEEP_EVERY = timedelta(hours=1)
JOBS_KEPT = timedelta(days=7)
"""An ended job is kept for those who ask what became of it."""
UPLOADS_KEPT = timedelta(hours=1)
"""A file without a job is given up then: copying a large one takes minutes at most."""

log = logging.getLogger(__name__)


class _Cancelled(Exception):
    """Whoever sent it wants it no more."""


@dataclass(slots=True)
class _Ahead:
    """A job whose file is being read, or was."""

    job: Claimed
    reading: asyncio.Task[Read | None]


class Drainer:
    """Drains the queue while it may. One of these works at a time, over all processes on a data folder."""

    def __init__(  # noqa: PLR0913 - it drives them all
        self,
        *,
        queue: JobQueue,
        uploads: Uploads,
        ledger: Ledger,
        ingestion: Ingestion,
        removal: Removal,
        upkeep: Upkeep,
        store: IndexStore,
        catalog: Catalog,
        now: Callable[[], datetime],
    ) -> None:
        self._queue = queue
        self._uploads = uploads
        self._ledger = ledger
        self._ingestion = ingestion
        self._removal = removal
        self._upkeep = upkeep
        self._catalog = catalog
        self._store = store
        self._now = now
        self._swept: datetime | None = None
        self._ours = False
        self.trouble: StoreError | None = None
        """Why this process, though it may, does not drain."""
        self._given_up: set[DocumentId] = set()
        """Documents whose vectors could not be made; it is tried again with the next sweep."""

    @property
    def at_work(self) -> bool:
        """Whether this process drains, and waits for no other."""
        return self._ours and not self._store.waiting

    async def drain(self, leave: asyncio.Event | None = None) -> None:
        """Stand by for the right to drain, and drain, until cancelled, or until the job in hand is done after `leave`.

        What is in hand when it is cancelled is given back to the queue.
        """
        leave = leave or asyncio.Event()
        while not leave.is_set():
            try:
                async with self._store.draining() as ours:
                    if ours:
                        await self._work(leave)
            except StoreError as exc:
                # A full disk may have room again, and a process that serves others must not end for it.
                log.warning("The queue cannot be drained for now: %s", exc)
                self.trouble = exc
                await _pause(TROUBLE_SECONDS, leave)
            else:
                await _pause(IDLE_SECONDS, leave)

    async def _work(self, leave: asyncio.Event) -> None:
        self._ours, self.trouble = True, None
        try:
            await self._drained(leave)
        finally:
            self._ours = False
            # That somebody else goes on with a file is not the file's fault.
            await self._queue.requeue(spared=True)

    async def _drained(self, leave: asyncio.Event) -> None:
        await self._queue.requeue()
        for difference in await self._upkeep.recover():
            log.warning("%s", difference)
        async with _reading_ahead() as ahead:
            while not leave.is_set():
                await self._sweep()
                if (taken := await self._next(ahead)) is not None:
                    await self._do(taken, ahead)
                elif not await self._embed_pending():
                    await _pause(IDLE_SECONDS, leave)

    # ------------------------------------------------------------------------------ whose turn it is

    async def _next(self, ahead: list[_Ahead]) -> _Ahead | None:
        """The job that was read ahead, unless another has come before it."""
        first = await self._queue.first()
        if ahead and (first is None or ahead[0].job.turn < first):
            return ahead.pop(0)
        return await self._claim()

    async def _claim(self) -> _Ahead | None:
        job = await self._queue.claim()
        return _Ahead(job, asyncio.create_task(self._read(job))) if job is not None else None

    async def _let_pass(self, turn: Turn, ahead: list[_Ahead] | None) -> None:
        """Do what comes before this turn: what was read ahead, or has been sent meanwhile."""
        first = await self._queue.first()
        taken: _Ahead | None = None
        if ahead and ahead[0].job.turn < turn:
            taken = ahead.pop(0)
        elif first is not None and first < turn:
            taken = await self._claim()
        if taken is not None:
            await self._do(taken, None)

    # ------------------------------------------------------------------------------ one job

    async def _do(self, taken: _Ahead, ahead: list[_Ahead] | None) -> None:
        """One job to its end. With a list, the next file is read into it while this one is embedded."""
        job = taken.job
        try:
            outcome = await self._kept(taken, ahead)
        except _Cancelled:
            outcome = CANCELLED
        except RagError as exc:
            outcome = Outcome("failed", "failed", exc.code, str(exc))
        except Exception:  # the boundary to whatever a stranger's file may set off: the files after it must come in
            log.exception("Ingesting %r failed", job.filename)
            outcome = Outcome(
                "failed", "failed", "damaged", f"{job.filename!r} cannot be ingested: it broke the program."
            )
        await self._queue.end(job.id, outcome)
        await asyncio.to_thread(self._uploads.remove, job.id)

    async def _kept(self, taken: _Ahead, ahead: list[_Ahead] | None) -> Outcome:
        job = taken.job
        if job.tries > MOST_TRIES:
            raise Damaged(
                f"{job.filename!r} cannot be ingested: the program ended {MOST_TRIES} times while it was read."
            )
        if not job.kept:
            read = await taken.reading
            await self._tell(job, "indexing", 0, 0)
            known = await self._catalog.visible(Scope.of(job.collection, documents=[job.document_id]))
            if await self._ingestion.join(job.document_id, job.filename, job.collection, job.principal):
                return Outcome("ready", "duplicate" if known else "indexed")  # what others have is not told
            if read is None:  # it was removed since its file was looked at
                read = await self._read(job)
            if read is None:
                raise Damaged(f"{job.filename!r} came and went while it was read: send it again.")
            await self._refuse_beyond_quota(job, read)
            await self._ingestion.keep(read, self._path(job), job.filename, job.collection, job.principal)
        if ahead is not None and not ahead and (following := await self._claim()) is not None:
            ahead.append(following)
        await self._embed(job, ahead)
        return Outcome("ready", "indexed")

    async def _refuse_beyond_quota(self, job: Claimed, read: Read) -> None:
        """Look again: others of the same sender were taken at the same moment, and its pages are known by now."""
        assert read.extraction is not None
        held = await self._ledger.held(job.principal)
        others = Held(held.bytes - job.turn.bytes, held.pages)
        its_own = Held(job.turn.bytes, len(read.extraction.pages))
        refuse_too_much(await self._ledger.quota(job.principal), others, its_own)

    async def _embed(self, job: Claimed, ahead: list[_Ahead] | None) -> None:
        async def step(done: int, total: int) -> None:
            await self._tell(job, "embedding", done, total)
            await self._let_pass(job.turn, ahead)

        try:
            await self._ingestion.embed(job.document_id, step)
        except (_Cancelled, RagError):
            await self._removal.withdraw(job.document_id, job.collection, job.principal)
            raise

    async def _read(self, job: Claimed) -> Read | None:
        """What the file says; meanwhile the queue is told of its pages, and asked whether it is still wanted."""
        if job.kept or job.tries > MOST_TRIES:
            return None
        seen = (0, 0)

        def progress(page: int, pages: int) -> None:
            nonlocal seen
            seen = page, pages

        reading = asyncio.ensure_future(
            self._ingestion.read(self._path(job), job.document_id, ocr=job.ocr, progress=progress)
        )
        try:
            while not (await asyncio.wait([reading], timeout=TELL_SECONDS))[0]:
                await self._tell(job, "reading", *seen)
            return await reading
        finally:
            reading.cancel()
            await asyncio.wait([reading])

    async def _tell(self, job: Claimed, stage: Stage, done: int, total: int) -> None:
        if not await self._queue.advance(job.id, stage, done, total):
            raise _Cancelled

    def _path(self, job: Claimed) -> Path:
        return self._uploads.path(job.id, job.filename)

    # ------------------------------------------------------------------------------ upkeep

    async def _embed_pending(self) -> bool:
        """Make vectors that are missing and that no job will make. False when there are none to make."""
        for document_id in await self._ingestion.pending():
            if document_id not in self._given_up:
                try:
                    await self._ingestion.embed(document_id, _uninterrupted)
                except RagError as exc:
                    self._given_up.add(document_id)
                    log.warning("The vectors of %s cannot be made: %s", document_id, exc)
                return True
        return False

    async def _sweep(self) -> None:
        """Once an hour, over all processes and restarts: what is too old goes, and the stores are compacted."""
        now = self._now()
        if self._swept is None:
            self._swept = await self._catalog.swept()
        # A clock that was set back must not put it off for years.
        if self._swept is not None and abs(now - self._swept) < SWEEP_EVERY:
            return
        self._swept = now
        self._given_up.clear()
        await self._catalog.set_swept(now)
        await self._queue.forget(before=now - JOBS_KEPT)
        kept = await self._queue.unended()
        await asyncio.to_thread(self._uploads.sweep, kept, before=(now - UPLOADS_KEPT).timestamp())
        if (receipt := await self._removal.outdated()).documents:
            log.info("%d documents have reached the age that their collections keep", len(receipt.documents))
        await self._upkeep.tidy()


@asynccontextmanager
async def _reading_ahead() -> AsyncIterator[list[_Ahead]]:
    """At most one job that is read while another is embedded; whoever leaves with it in hand stops reading."""
    ahead: list[_Ahead] = []
    try:
        yield ahead
    finally:
        for taken in ahead:
            taken.reading.cancel()
            await asyncio.wait([taken.reading])


async def _pause(seconds: float, leave: asyncio.Event) -> None:
    """Wait so long, or until it is time to leave."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await leave.wait()


async def _uninterrupted(done: int, total: int) -> None:
    """Go on."""
