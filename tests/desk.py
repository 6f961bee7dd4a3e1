"""A library's documents with their real stores, a fake reader and a fake model, as one process has them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from fakes import FakeEmbedder, FakeExtractor

from rag_core.adapters.answer_cache import SqliteAnswerCache
from rag_core.adapters.blobs import FolderBlobs
from rag_core.adapters.catalog import SqliteCatalog
from rag_core.adapters.index_store import FolderIndexStore
from rag_core.adapters.job_queue import SqliteJobQueue
from rag_core.adapters.ledger import SqliteLedger
from rag_core.adapters.rescan import FolderRescan
from rag_core.adapters.uploads import FolderUploads
from rag_core.finding.retrieval import Retrieval
from rag_core.keeping.deletion import Deletion
from rag_core.keeping.delivery import Delivery
from rag_core.keeping.drainer import Drainer
from rag_core.keeping.indexing import Indexing
from rag_core.keeping.ingestion import SILENT, Ingestion, Source
from rag_core.keeping.intake import Intake
from rag_core.keeping.removal import Removal
from rag_core.keeping.upkeep import Upkeep
from rag_core.reading.chunking import PageChunker
from rag_core.types import CollectionName, DocumentId, Ingested, ModelCard, Receipt, Scope, SearchMode
from rag_core.types.jobs import LOCAL as LOCAL_USER
from rag_core.types.jobs import Job, Principal

LOCAL = Scope.of("local")
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@dataclass
class Desk:
    """An ingestion with its real stores, a fake reader and a fake model."""

    home: Path
    catalog: SqliteCatalog
    embedder: FakeEmbedder
    extractor: FakeExtractor
    store: FolderIndexStore
    ingestion: Ingestion
    upkeep: Upkeep
    removal: Removal
    ledger: SqliteLedger
    intake: Intake
    drainer: Drainer
    delivery: Delivery
    retrieval: Retrieval

    async def add(self, *files: Path, collection: str = "local") -> list[Ingested]:
        """What became of each file."""
        results: list[Ingested] = []
        await self.delivery.deliver(
            [Source(file, file.name) for file in files],
            collection=CollectionName(collection),
            principal=LOCAL_USER,
            report=results.append,
            ocr="auto",
            password=None,
            progress=SILENT,
        )
        return results

    async def submit(
        self, *files: Path, collection: str = "local", principal: str = "local", password: str | None = None
    ) -> list[Job]:
        """A job for each file; nobody drains them."""
        return await self.intake.submit(
            [Source(file, file.name) for file in files],
            collection=CollectionName(collection),
            principal=Principal(principal),
            ocr="auto",
            password=password,
        )

    @asynccontextmanager
    async def draining(self) -> AsyncIterator[None]:
        """The queue is drained meanwhile."""
        task = asyncio.create_task(self.drainer.drain())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])

    async def end_of(self, job: Job) -> Job:
        """The job as it ended."""
        return [change async for change in self.intake.follow(job.id, scope=Scope.of(job.collection))][-1]

    async def remove(self, *documents: DocumentId, collection: str = "local") -> Receipt:
        """What became of documents that were taken out of a collection."""
        return await self.removal.documents(Scope.of(collection, documents=documents))

    def file(self, name: str, text: str) -> Path:
        """A file to ingest."""
        path = self.home.parent / name
        path.write_text(text, encoding="utf-8")
        return path

    async def titles(self, question: str, mode: SearchMode = "hybrid") -> list[str]:
        """The titles of what is found, best first."""
        return [p.title for p in (await self.retrieval.find(question, scope=LOCAL, k=5, mode=mode)).passages]


async def open_desk(
    home: Path,
    *,
    embedder: FakeEmbedder | None = None,
    patience: float = 5.0,
    clock: Callable[[], datetime] = lambda: NOON,
) -> Desk:
    """A desk on a data folder, as one process has it; whoever opens it closes it."""
    embedder = embedder or FakeEmbedder()
    extractor = FakeExtractor()
    catalog = await SqliteCatalog.open(home / "catalog.sqlite3")
    store = FolderIndexStore(home, catalog, embedder, patience=patience)

    def chunker(card: ModelCard) -> PageChunker:
        return PageChunker(embedder.count_tokens, window=card.window)

    blobs = FolderBlobs(home / "blobs")
    indexing = Indexing(catalog=catalog, store=store, embedder=embedder, chunker=chunker)
    deletion = Deletion(catalog=catalog, blobs=blobs, store=store, cache=SqliteAnswerCache(catalog.file))
    ingestion = Ingestion(
        catalog=catalog,
        blobs=blobs,
        extractor=extractor,
        store=store,
        indexing=indexing,
        deletion=deletion,
        max_bytes=10_000,
        now=clock,
    )
    upkeep = Upkeep(catalog=catalog, store=store, indexing=indexing, deletion=deletion)
    queue = SqliteJobQueue(catalog, now=clock)
    uploads = FolderUploads(home / "uploads")
    ledger = SqliteLedger(catalog.file, now=clock)
    intake = Intake(queue=queue, uploads=uploads, ledger=ledger, ingestion=ingestion, now=clock)
    removal = Removal(
        catalog=catalog,
        blobs=blobs,
        store=store,
        upkeep=upkeep,
        rescan=FolderRescan(home),
        now=clock,
    )
    drainer = Drainer(
        queue=queue,
        uploads=uploads,
        ledger=ledger,
        ingestion=ingestion,
        removal=removal,
        upkeep=upkeep,
        store=store,
        catalog=catalog,
        now=clock,
    )
    delivery = Delivery(intake=intake, drainer=drainer, patience=patience)
    retrieval = Retrieval(catalog, store, embedder, chunker)
    return Desk(
        home=home,
        catalog=catalog,
        embedder=embedder,
        extractor=extractor,
        store=store,
        ingestion=ingestion,
        upkeep=upkeep,
        removal=removal,
        ledger=ledger,
        intake=intake,
        drainer=drainer,
        delivery=delivery,
        retrieval=retrieval,
    )


OpenDesk = Callable[..., Awaitable[Desk]]
