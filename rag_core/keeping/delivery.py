"""Files brought in while their sender waits: submitted a few at a time, drained if nobody else does, told in order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace

from rag_core.errors import JobNotFound, QuotaExhausted, RagError, RateLimited, StoreBusy
from rag_core.keeping.drainer import Drainer
from rag_core.keeping.ingestion import Progress, Source
from rag_core.keeping.intake import Intake
from rag_core.types import CollectionName, Ingested, OcrMode, Scope
from rag_core.types.jobs import BULK_FROM, CANCELLED, Job, Principal

WINDOW = 16
"""Files in the queue at once: each is a copy on the disk, and enough never to wait for the next."""
HANDOVER_SECONDS = 10.0
"""For the file of somebody else that is in hand when ours are done: most are done by then, and need no second start."""
LOOK_SECONDS = 0.5
"""How often one who waits looks whether anything moves."""
TAKEOVER_SECONDS = 2.0
"""After which the right to drain, where it is free, has been taken."""


@dataclass(frozen=True, slots=True)
class _Sent:
    source: Source
    job: Job | RagError
    """An error is why it was not taken."""


class Delivery:
    """Submits, drains and follows, all at once."""

    def __init__(self, *, intake: Intake, drainer: Drainer, patience: float) -> None:
        self._intake = intake
        self._drainer = drainer
        self._patience = patience

    async def deliver(  # noqa: PLR0913 - each is one thing a sender may want
        self,
        sources: Sequence[Source],
        *,
        collection: CollectionName,
        principal: Principal,
        report: Callable[[Ingested], None],
        ocr: OcrMode,
        password: str | None,
        progress: Progress,
    ) -> None:
        """Ingest the files, and `report` each in order. One that fails harms no other.

        Raises:
            StoreBusy: Nothing in the queue moved for as long as the patience lasts. What was not done is taken back.
        """
        if not sources:
            return
        scope, sent, waiting = Scope.of(collection), deque[_Sent](), deque(sources)
        async with self._draining():
            try:
                while waiting or sent:
                    while waiting and len(sent) < WINDOW:
                        source = waiting.popleft()
                        try:
                            [job] = await self._intake.submit(
                                [source],
                                collection=collection,
                                principal=principal,
                                ocr=ocr,
                                password=password,
                                bulk=len(sources) >= BULK_FROM,
                            )
                        except (RateLimited, QuotaExhausted) as exc:
                            sent.append(_Sent(source, exc))
                        else:
                            sent.append(_Sent(source, job))
                    report(await self._followed(sent[0], scope, progress))
                    sent.popleft()
            except BaseException:  # called off or out of patience: what is left is taken back, and it is raised again
                for job in [one.job for one in sent if isinstance(one.job, Job)]:
                    with suppress(JobNotFound):
                        await self._intake.cancel(job.id, scope=scope)
                raise

    async def _followed(self, sent: _Sent, scope: Scope, progress: Progress) -> Ingested:
        path, told, job = sent.source.path, 0, sent.job
        if isinstance(job, RagError):
            return Ingested(str(path), "failed", code=job.code, message=str(job))
        progress.reading(path)
        changes = self._intake.follow(job.id, scope=scope)
        try:
            while not job.ended:
                job = await self._moving(changes)
                if job.stage == "embedding" and job.total:
                    progress.embedding(path, job.done - told, job.total)
                    told = job.done
        except JobNotFound:
            return Ingested(str(path), "failed", code=CANCELLED.code, message="It was removed as soon as it had come.")
        assert job.result is not None
        return replace(job.result, path=str(path))

    async def _moving(self, changes: AsyncIterator[Job]) -> Job:
        """The job's next change; meanwhile the queue has to move."""
        coming = asyncio.ensure_future(anext(changes))
        loop = asyncio.get_running_loop()
        pulse, since = await self._intake.pulse(), loop.time()
        try:
            while not (await asyncio.wait([coming], timeout=LOOK_SECONDS))[0]:
                if self._drainer.trouble is not None:
                    raise self._drainer.trouble
                if self._drainer.at_work or pulse != (pulse := await self._intake.pulse()):
                    since = loop.time()
                elif loop.time() - since > TAKEOVER_SECONDS + self._patience:
                    raise StoreBusy(
                        f"Somebody else is writing to this library and did not finish in {self._patience:.0f} s; try "
                        "again when it is done."
                    )
            return coming.result()
        finally:
            coming.cancel()
            await asyncio.wait([coming])

    @asynccontextmanager
    async def _draining(self) -> AsyncIterator[None]:
        """Drain the queue meanwhile, if nobody else does; what others sent and takes long is left to them."""
        leave = asyncio.Event()
        draining = asyncio.create_task(self._drainer.drain(leave))
        try:
            yield
            leave.set()
            await asyncio.wait([draining], timeout=HANDOVER_SECONDS)
        finally:
            draining.cancel()
            await asyncio.wait([draining])
            if not draining.cancelled():
                draining.result()
