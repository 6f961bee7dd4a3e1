"""Files that somebody sends to jobs that can be followed: the side of the queue that everybody may use.

A file's bytes are in the data folder before its job is, so that nothing depends on the sender's file, process or
machine from then on.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from uuid import uuid4

from rag_core.errors import DocumentError, JobNotFound, NotFoundError, RagError
from rag_core.keeping.ingestion import Ingestion, Source, digest
from rag_core.protocols import JobQueue, Ledger, Uploads
from rag_core.types import CollectionName, OcrMode, Scope
from rag_core.types.jobs import BULK_FROM, Job, JobId, Principal, Upload
from rag_core.types.quotas import Held, refuse_too_much

FOLLOW_SECONDS = 0.1
"""How often a job is looked at by those who follow it. A look is a fifth of a millisecond."""


def random_id() -> JobId:
    """An id that nobody guesses."""
    return JobId(uuid4().hex)


class Intake:
    """Takes files in, and tells what becomes of them."""

    def __init__(  # noqa: PLR0913 - it is where files meet the queue
        self,
        *,
        queue: JobQueue,
        uploads: Uploads,
        ledger: Ledger,
        ingestion: Ingestion,
        now: Callable[[], datetime],
        new_id: Callable[[], JobId] = random_id,
    ) -> None:
        self._queue = queue
        self._uploads = uploads
        self._ledger = ledger
        self._ingestion = ingestion
        self._now = now
        self._new_id = new_id

    async def submit(  # noqa: PLR0913 - each is one thing a sender may want
        self,
        sources: Sequence[Source],
        *,
        collection: CollectionName,
        principal: Principal,
        ocr: OcrMode,
        password: str | None = None,
        bulk: bool | None = None,
    ) -> list[Job]:
        """A job for each file, in order; one that cannot be taken has failed already.

        Raises:
            RateLimited: The principal sent too many within the hour, and none is taken; it says when it may.
            QuotaExhausted: Its documents take up all the room that it has.
            StoreUnavailable: The data folder cannot be written, or is full.
        """
        await self._refuse_beyond_quota(principal, sources)
        draft = Upload(
            id=JobId(""),
            collection=collection,
            principal=principal,
            filename="",
            document_id=None,
            bytes=0,
            ocr=ocr,
            bulk=len(sources) >= BULK_FROM if bulk is None else bulk,
            submitted_at=self._now(),
        )
        uploads = [await self._taken(draft, source, password) for source in sources]
        await self._queue.submit(uploads)
        scope = Scope.of(collection)
        jobs = [await self._queue.job(upload.id, scope) for upload in uploads]
        return [job for job in jobs if job is not None]

    async def job(self, job_id: JobId, *, scope: Scope) -> Job:
        """The job as it is now.

        Raises:
            JobNotFound: The scope does not hold it; or its document was removed since; or it ended long ago.
        """
        job = await self._queue.job(job_id, scope)
        if job is None:
            raise JobNotFound(f"There is no job {job_id!r} here: its document was removed, or it ended long ago.")
        return job

    async def jobs(self, scope: Scope) -> list[Job]:
        """The jobs of the scope, oldest first."""
        return await self._queue.jobs(scope)

    async def cancel(self, job_id: JobId, *, scope: Scope) -> Job:
        """End a job that waits, and ask for the end of one that is under way. One that has ended stays as it is."""
        await self.job(job_id, scope=scope)
        await self._queue.cancel(job_id)
        job = await self.job(job_id, scope=scope)
        if job.ended:
            await asyncio.to_thread(self._uploads.remove, job_id)
        return job

    async def follow(self, job_id: JobId, *, scope: Scope) -> AsyncIterator[Job]:
        """The job, again each time that it has come further, until it has ended."""
        told: Job | None = None
        while told is None or not told.ended:
            job = await self.job(job_id, scope=scope)
            if job != told:
                told = job
                yield job
            else:
                await asyncio.sleep(FOLLOW_SECONDS)

    async def pulse(self) -> object:
        """Something that changes whenever the queue moves; that it grows is no move."""
        return await self._queue.pulse()

    async def _refuse_beyond_quota(self, principal: Principal, sources: Sequence[Source]) -> None:
        quota = await self._ledger.quota(principal)
        if quota.bytes is not None or quota.pages is not None:
            more = sum([await asyncio.to_thread(_size, source.path) for source in sources])
            refuse_too_much(quota, await self._ledger.held(principal), Held(more, len(sources)))
        await self._ledger.charge(principal, "upload", len(sources))

    async def _taken(self, draft: Upload, source: Source, password: str | None) -> Upload:
        job_id = self._new_id()
        filename = source.filename.encode(errors="replace").decode()
        upload = replace(draft, id=job_id, filename=filename)
        try:
            return await self._copied(upload, source, password)
        except (DocumentError, NotFoundError) as exc:
            return _refused(upload, exc)
        except OSError as exc:
            return _refused(upload, NotFoundError(f"{filename!r} cannot be opened: {exc.strerror}."))

    async def _copied(self, upload: Upload, source: Source, password: str | None) -> Upload:
        plain = await self._ingestion.readable(source, password)
        if plain is None:
            document_id = await asyncio.to_thread(self._uploads.copy, upload.id, upload.filename, source.path)
        else:
            document_id = await asyncio.to_thread(digest, source.path)
            await asyncio.to_thread(self._uploads.put, upload.id, upload.filename, plain)
        size = await asyncio.to_thread(_size, self._uploads.path(upload.id, upload.filename))
        return replace(upload, document_id=document_id, bytes=size)


def _refused(upload: Upload, error: RagError) -> Upload:
    return replace(upload, code=error.code, message=str(error))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # that it is not there is said of each file by itself
        return 0
