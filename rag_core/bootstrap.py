"""Settings to an open `Library`: builds the adapters, and closes them in reverse. Only this module knows them all."""

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from rag_core.adapters.answer_cache import SqliteAnswerCache
from rag_core.adapters.archive import ZipArchive
from rag_core.adapters.blobs import FolderBlobs
from rag_core.adapters.budgets import SqliteBudgets
from rag_core.adapters.catalog import SqliteCatalog
from rag_core.adapters.embedder import SentenceTransformerEmbedder
from rag_core.adapters.entailment import PackagedEntailment
from rag_core.adapters.index_store import FolderIndexStore
from rag_core.adapters.job_queue import SqliteJobQueue
from rag_core.adapters.ledger import SqliteLedger
from rag_core.adapters.nli import CrossEncoderEntailment
from rag_core.adapters.pdf import ExtractionLimits, PdfExtractor
from rag_core.adapters.rescan import FolderRescan
from rag_core.adapters.token_store import SqliteTokens
from rag_core.adapters.uploads import FolderUploads
from rag_core.answering.answering import Answering
from rag_core.answering.quotation import QuotationWriter
from rag_core.answering.referee import Referee
from rag_core.checking.verification import Verifier
from rag_core.finding.retrieval import Retrieval
from rag_core.keeping.access import Access
from rag_core.keeping.backup import Backup
from rag_core.keeping.deletion import Deletion
from rag_core.keeping.delivery import Delivery
from rag_core.keeping.drainer import Drainer
from rag_core.keeping.indexing import Indexing
from rag_core.keeping.ingestion import Ingestion
from rag_core.keeping.intake import Intake, random_id
from rag_core.keeping.removal import Removal
from rag_core.keeping.upkeep import Upkeep
from rag_core.library import Library
from rag_core.protocols import Embedder, EntailmentModel, Extractor, Reranker, Writer
from rag_core.reading.chunking import PageChunker
from rag_core.settings import PACKAGED_MODEL, Settings
from rag_core.types import ModelCard, WriterName
from rag_core.types.allowances import GROQ, GROQ_UNKNOWN, Allowance, allowance
from rag_core.writing.chat import Chat
from rag_core.writing.drafting import ModelWriter
from rag_core.writing.rephrasing import ModelRephraser

if TYPE_CHECKING:
    from rag_core.adapters.groq import GroqModel
    from rag_core.adapters.openai import OpenAIModel

TURN_SECONDS = 0.001
"""For how long a thread may keep Python's interpreter from others. A search changes threads some twenty times, and may
wait so long each time while a document is cut or indexed: with Python's own 5 ms that made it seven times as long."""


@asynccontextmanager
async def open_drained(settings: Settings) -> AsyncIterator[Library]:
    """A library as `open_library` gives it, whose queue is drained for as long as it is open."""
    async with open_library(settings) as library:
        draining = asyncio.create_task(library.drain())
        try:
            yield library
        finally:
            draining.cancel()
            await asyncio.wait([draining])


@asynccontextmanager
async def open_library(
    settings: Settings, *, embedder: ClosingEmbedder | None = None, extractor: Extractor | None = None
) -> AsyncIterator[Library]:
    """A library on `settings.home`. Opening is quick: models and indexes are loaded by the first call that needs them.

    Another embedder or extractor than the settings name stands in for it, to measure the stores alone.

    Raises:
        StoreUnavailable: The data folder cannot be used.
        IndexOutOfDate: A newer Pincite made it.
    """
    sys.setswitchinterval(min(sys.getswitchinterval(), TURN_SECONDS))
    async with AsyncExitStack() as stack:
        extractor = extractor or extractor_of(settings)
        embedder = embedder or SentenceTransformerEmbedder(
            settings.embedding_model,
            dtype=settings.embedding_dtype,
            batch=settings.embedding_batch,
            threads=settings.threads,
        )
        stack.push_async_callback(embedder.close)
        catalog = await SqliteCatalog.open(settings.home / "catalog.sqlite3")
        stack.push_async_callback(catalog.close)
        answers = SqliteAnswerCache(catalog.file)
        store = FolderIndexStore(settings.home, catalog, embedder, patience=settings.lock_seconds)
        stack.push_async_callback(store.close)
        blobs = FolderBlobs(settings.home / "blobs")
        verifier = Verifier(_entailment(settings, stack))

        @cache
        def chunker(card: ModelCard) -> PageChunker:
            return PageChunker(embedder.count_tokens, window=card.window)

        indexing = Indexing(catalog=catalog, store=store, embedder=embedder, chunker=chunker)
        deletion = Deletion(catalog=catalog, blobs=blobs, store=store, cache=answers)
        ingestion = Ingestion(
            catalog=catalog,
            blobs=blobs,
            extractor=extractor,
            store=store,
            indexing=indexing,
            deletion=deletion,
            max_bytes=settings.max_bytes,
        )
        upkeep = Upkeep(catalog=catalog, store=store, indexing=indexing, deletion=deletion)
        queue = SqliteJobQueue(catalog, now=_now)
        uploads = FolderUploads(settings.home / "uploads")
        ledger = SqliteLedger(catalog.file, now=_now)
        intake = Intake(queue=queue, uploads=uploads, ledger=ledger, ingestion=ingestion, now=_now)
        removal = Removal(
            catalog=catalog,
            blobs=blobs,
            store=store,
            upkeep=upkeep,
            rescan=FolderRescan(settings.home),
            now=_now,
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
            now=_now,
        )
        retrieval = Retrieval(catalog, store, embedder, chunker, _reranker(settings, stack))
        chats = _chats(settings, stack)

        yield Library(
            catalog=catalog,
            blobs=blobs,
            extractor=extractor,
            ingestion=ingestion,
            upkeep=upkeep,
            removal=removal,
            ledger=ledger,
            backup=Backup(archive=ZipArchive(settings.home), store=store, new_id=random_id),
            intake=intake,
            drainer=drainer,
            delivery=Delivery(intake=intake, drainer=drainer, patience=settings.lock_seconds),
            retrieval=retrieval,
            answering=Answering(
                catalog=catalog,
                retrieval=retrieval,
                verifier=verifier,
                writers=_writers(chats, embedder),
                gate=settings.gate,
                passages=settings.passages,
                cache=answers if settings.keep_answers else None,
                settings=settings.reranker or "",
                rephraser=ModelRephraser(next(iter(chats.values())), clock=time.time) if chats else None,
            ),
            verifier=verifier,
            referee=Referee(catalog=catalog, retrieval=retrieval, verifier=verifier),
            access=Access(SqliteTokens(catalog.file), now=_now),
            policy=settings.policy,
            writer=settings.writer,
            ocr=settings.ocr,
        )


async def unpack_library(settings: Settings, archive: Path) -> int:
    """An archive into the data folder, which must hold no library; the number of its documents. It has no indexes yet.

    Raises:
        NotAllowed: The file is no archive, or damaged, or there is a library already.
        IndexOutOfDate: A newer Pincite wrote it.
        StoreUnavailable: The data folder cannot be written.
    """
    return await ZipArchive(settings.home).unpack(archive)


class ClosingEmbedder(Embedder, Protocol):
    """An embedder that holds something."""

    async def close(self) -> None:
        """Let go of it."""
        ...


def _now() -> datetime:
    return datetime.now(UTC)


def extractor_of(settings: Settings) -> PdfExtractor:
    """The reader of PDFs alone, for what needs no data folder."""
    return PdfExtractor(
        ExtractionLimits(
            seconds=settings.extract_seconds,
            memory_mb=settings.extract_memory_mb,
            max_bytes=settings.max_bytes,
            max_pages=settings.max_pages,
        )
    )


def _entailment(settings: Settings, stack: AsyncExitStack) -> EntailmentModel:
    packaged = settings.entailment == PACKAGED_MODEL
    entailment = PackagedEntailment() if packaged else CrossEncoderEntailment(settings.entailment)
    stack.push_async_callback(entailment.close)
    return entailment


def _reranker(settings: Settings, stack: AsyncExitStack) -> Reranker | None:
    if settings.reranker is None:
        return None
    from rag_core.adapters.reranker import CrossEncoderReranker

    reranker = CrossEncoderReranker(settings.reranker)
    stack.push_async_callback(reranker.close)
    return reranker


def models_of(settings: Settings) -> dict[WriterName, list[GroqModel | OpenAIModel]]:
    """The language models that are set up, by the writer that asks them: the first, then its fallback."""
    from rag_core.adapters.groq import GroqModel
    from rag_core.adapters.openai import OpenAIModel

    def allowed(model: str, known: Mapping[str, Allowance], otherwise: Allowance) -> Allowance:
        return allowance(model, known, otherwise, window=settings.llm_window, prices=settings.llm_prices)

    models: dict[WriterName, list[GroqModel | OpenAIModel]] = {}
    if settings.groq_api_key is not None:
        models["groq"] = [
            GroqModel(
                api_key=settings.groq_api_key,
                model=model,
                base_url=settings.groq_base_url,
                seconds=settings.llm_seconds,
                allowance=allowed(model, GROQ, GROQ_UNKNOWN),
            )
            for model in _distinct(settings.groq_model, settings.groq_fallback_model)
        ]
    if settings.openai_base_url is not None and settings.openai_model is not None:
        models["openai"] = [
            OpenAIModel(
                api_key=settings.openai_api_key,
                model=model,
                base_url=settings.openai_base_url,
                seconds=settings.llm_seconds,
                allowance=allowed(model, {}, Allowance()),
            )
            for model in _distinct(settings.openai_model, settings.openai_fallback_model)
        ]
    return models


def _distinct(*models: str) -> list[str]:
    return [model for model in dict.fromkeys(models) if model]


def _chats(settings: Settings, stack: AsyncExitStack) -> dict[WriterName, Chat]:
    """A line to each of the servers that are set up, best first; all of them keep one count of what they ask."""
    models = models_of(settings)
    if not models:
        return {}
    budgets = SqliteBudgets(settings.home / "catalog.sqlite3", clock=time.time)
    stack.push_async_callback(budgets.close)
    for model in (model for asked in models.values() for model in asked):
        stack.push_async_callback(model.close)
    return {
        name: Chat(
            asked, budgets, clock=time.time, sleep=asyncio.sleep, chance=random.random, patience=settings.llm_patience
        )
        for name, asked in models.items()
    }


def _writers(chats: Mapping[WriterName, Chat], embedder: Embedder) -> dict[WriterName, Writer]:
    """Those that are set up, by name; `auto` is the first of Groq, another server, and quotation."""
    quotation = QuotationWriter(embedder)
    writers: dict[WriterName, Writer] = {"quote": quotation}
    for name, chat in chats.items():
        writers[name] = ModelWriter(chat, clock=time.time, instead=quotation)
    writers["auto"] = writers[next(iter(chats), "quote")]
    return writers
