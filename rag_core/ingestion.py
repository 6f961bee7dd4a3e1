"""Files to documents that can be asked: read, cut, embedded, indexed, and only then made to count.

Reading the next file overlaps with embedding the last one. A document becomes `ready` by the last write of its
coming; whatever a dead process left half done is undone before anything new begins.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from rag_core.comparison import searched_title
from rag_core.errors import DocumentError, ModelError, NotFoundError, RagError, StoreError, TooLarge
from rag_core.index_state import refuse_others, state_of
from rag_core.parts import parts_of
from rag_core.protocols import Blobs, Catalog, Chunker, Embedder, Extractor, Indexes, IndexStore
from rag_core.types import (
    Chunk,
    CollectionName,
    Counts,
    Document,
    DocumentId,
    Entry,
    Extraction,
    Ingested,
    ModelCard,
    OcrMode,
    Scope,
)

EMBEDDED_AT_ONCE = 256
"""Chunks between two progress reports; a multiple of any sensible batch."""
ENCRYPTED = b"/Encrypt"
"""What the trailer of every encrypted PDF holds, in the clear (ISO 32000-2, 7.6.2)."""
READ_AHEAD = 2
"""Files read before they are embedded: enough never to wait for, and little memory."""


class Progress(Protocol):
    """Is told how an ingestion goes on."""

    def reading(self, path: Path) -> None:
        """A file is being read."""
        ...

    def embedding(self, path: Path, done: int, total: int) -> None:
        """So many of a file's chunks have their vectors."""
        ...


class _Silent:
    def reading(self, path: Path) -> None:
        """Say nothing."""

    def embedding(self, path: Path, done: int, total: int) -> None:
        """Say nothing."""


SILENT: Progress = _Silent()


@dataclass(frozen=True, slots=True)
class Source:
    """A file to ingest."""

    path: Path
    filename: str
    """The name that people know it by."""


@dataclass(slots=True)
class _Read:
    """A file that was read, or that is known already, or that could not be read.

    Not frozen: its pages are let go once the catalog has them, as embedding takes long and needs the memory.
    """

    source: Source
    document_id: DocumentId | None = None
    extraction: Extraction | None = None
    chunks: tuple[Chunk, ...] = field(default=())
    error: RagError | None = None


class Ingestion:
    """Brings documents in, takes them out, and makes the indexes anew."""

    def __init__(  # noqa: PLR0913 - it is where everything meets
        self,
        *,
        catalog: Catalog,
        blobs: Blobs,
        extractor: Extractor,
        embedder: Embedder,
        store: IndexStore,
        chunker: Callable[[ModelCard], Chunker],
        max_bytes: int,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._catalog = catalog
        self._blobs = blobs
        self._extractor = extractor
        self._embedder = embedder
        self._store = store
        self._chunker = chunker
        self._max_bytes = max_bytes
        self._now = now

    async def add(  # noqa: PLR0913 - each is one thing a caller may want
        self,
        sources: Sequence[Source],
        *,
        collection: CollectionName,
        report: Callable[[Ingested], None],
        ocr: OcrMode = "auto",
        password: str | None = None,
        progress: Progress = SILENT,
    ) -> None:
        """Ingest the files in order, and `report` each as it is done. A file that fails harms no other.

        Raises:
            StoreBusy: Another process is writing and did not finish in time.
            StoreUnavailable: The data folder cannot be used.
        """
        async with self._store.writing():
            await self._undo_unfinished()
            reading: asyncio.Queue[_Read | None] = asyncio.Queue(maxsize=READ_AHEAD)

            async def read_all() -> None:
                for source in sources:
                    progress.reading(source.path)
                    await reading.put(await self._read(source, ocr=ocr, password=password))
                await reading.put(None)

            try:
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(read_all())
                    while (read := await reading.get()) is not None:
                        report(await self._keep(read, collection, password=password, progress=progress))
            except BaseExceptionGroup as group:
                # The group is how two tasks end together; what went wrong is the first of them.
                raise group.exceptions[0] from None

    async def remove(self, document_id: DocumentId, *, scope: Scope) -> bool:
        """End the document's memberships in the scope's collections; with the last one, all of it is deleted.

        True when it was deleted, False when other collections still hold it.
        """
        async with self._store.writing():
            await self._undo_unfinished()
            if not await self._catalog.leave(document_id, scope.collections):
                return False
            await self._delete(document_id)
            return True

    async def share(self, document_id: DocumentId, collection: CollectionName) -> None:
        """Make the document a member of another collection, unless it is being deleted just now."""
        async with self._store.writing():
            if await self._catalog.find(document_id) is not None:
                await self._catalog.join(document_id, collection)

    async def rebuild(self, *, progress: Progress = SILENT) -> int:
        """Make both indexes anew from the catalog's pages, and return how many chunks they hold.

        Askers go on with the old ones until the new ones are complete.
        """
        async with self._store.writing():
            await self._undo_unfinished(indexed=False)
            before = await self._catalog.index_state()
            card = await self._embedder.card()
            chunker = self._chunker(card)
            state = state_of(card, chunker, generation=before.generation + 1 if before else 1)
            indexes = await self._store.build(state)
            cuts: list[tuple[DocumentId, Sequence[Chunk]]] = []
            try:
                for document_id in await self._catalog.all_documents():
                    document = await self._catalog.find(document_id)
                    if document is None:
                        continue
                    pages = await self._catalog.pages(document_id)
                    chunks = await asyncio.to_thread(chunker.chunk, document_id, pages)
                    await self._index(indexes, document, chunks, Path(document.filename), progress)
                    cuts.append((document_id, chunks))
            finally:
                await indexes.close()
            await self._catalog.set_index_state(state, chunks=cuts)
            await self._store.drop_all_but(state.generation)
            return sum(len(chunks) for _, chunks in cuts)

    async def counts(self) -> Counts:
        """How much the catalog and both indexes hold."""
        indexes = await self._store.current()
        return Counts(
            documents=len(await self._catalog.all_documents()),
            chunks=await self._catalog.count_chunks(),
            dense=await indexes.dense.count() if indexes else 0,
            sparse=await indexes.sparse.count() if indexes else 0,
            closeups=await indexes.closeups.count() if indexes else 0,
        )

    # ------------------------------------------------------------------------------ reading

    async def _read(self, source: Source, *, ocr: OcrMode, password: str | None) -> _Read:
        try:
            document_id = await asyncio.to_thread(self._digest, source)
            if await self._catalog.find(document_id) is not None:
                await self._refuse_without_key(source.path, password)
                return _Read(source, document_id)
            extraction = await self._extractor.extract(source.path, ocr=ocr, password=password)
            chunker = self._chunker(await self._embedder.card())
            chunks = await asyncio.to_thread(chunker.chunk, document_id, extraction.pages)
        except (DocumentError, NotFoundError, ModelError) as exc:
            return _Read(source, error=exc)
        return _Read(source, document_id, extraction, tuple(chunks))

    async def _refuse_without_key(self, path: Path, password: str | None) -> None:
        """Knowing an encrypted file's bytes does not entitle to its text: whoever brings it must be able to open it."""
        if ENCRYPTED in await asyncio.to_thread(path.read_bytes):
            await self._extractor.decrypt(path, password or "")

    def _digest(self, source: Source) -> DocumentId:
        try:
            size = source.path.stat().st_size
        except OSError as exc:
            raise NotFoundError(f"{source.filename!r} cannot be opened: {exc.strerror}.") from exc
        if size > self._max_bytes:
            raise TooLarge(
                f"{source.filename!r} has {size / 2**20:.0f} MiB, and at most {self._max_bytes / 2**20:.0f} are read: "
                "split it, or raise PINCITE_MAX_BYTES."
            )
        return digest(source.path)

    # ------------------------------------------------------------------------------ keeping

    async def _keep(
        self, read: _Read, collection: CollectionName, *, password: str | None, progress: Progress
    ) -> Ingested:
        path = str(read.source.path)
        if read.error is not None:
            return _failed(path, read.error)
        assert read.document_id is not None
        try:
            known = await self._catalog.find(read.document_id)
            if known is not None:
                await self._catalog.join(read.document_id, collection)
                return Ingested(path, "duplicate", known)
            document = await self._store_new(read, collection, password, progress)
        except (DocumentError, ModelError, StoreError) as exc:
            return _failed(path, exc)
        return Ingested(path, "indexed", document)

    async def _store_new(
        self, read: _Read, collection: CollectionName, password: str | None, progress: Progress
    ) -> Document:
        assert read.document_id is not None
        assert read.extraction is not None
        indexes = await self._writable_indexes()
        document = self._describe(read, collection)
        content = await self._readable_bytes(read.source.path, password)
        await self._catalog.begin(document, read.extraction.pages, read.chunks)
        read.extraction = None
        try:
            await asyncio.to_thread(self._blobs.put, document.id, content)
            del content
            await self._index(indexes, document, read.chunks, read.source.path, progress)
            await self._catalog.ready(document.id)
        except BaseException:  # cancelled or failed, it is undone and raised again
            await self._delete(document.id)
            raise
        return document

    async def _index(
        self, indexes: Indexes, document: Document, chunks: Sequence[Chunk], path: Path, progress: Progress
    ) -> None:
        title = searched_title(document)
        async for entries in self._embedded(title, chunks):
            await indexes.add(entries)
            progress.embedding(path, len(entries), len(chunks))

    async def _embedded(self, title: str, chunks: Sequence[Chunk]) -> AsyncIterator[list[Entry]]:
        for i in range(0, len(chunks), EMBEDDED_AT_ONCE):
            some = chunks[i : i + EMBEDDED_AT_ONCE]
            parts = await asyncio.to_thread(list, map(parts_of, some))
            vectors = await self._embedder.embed_parts([chunk.indexed for chunk in some], parts)
            yield [Entry(chunk, title, its_own) for chunk, its_own in zip(some, vectors, strict=True)]

    def _describe(self, read: _Read, collection: CollectionName) -> Document:
        assert read.document_id is not None
        assert read.extraction is not None
        pages = read.extraction.pages
        return Document(
            id=read.document_id,
            title=read.extraction.title or Path(read.source.filename).stem,
            filename=read.source.filename,
            pages=len(pages),
            chunks=len(read.chunks),
            added_at=self._now(),
            collections=(collection,),
            unreadable_pages=tuple(page.number for page in pages if page.status == "unreadable"),
            warnings=(
                *read.extraction.warnings,
                *(f"page {page.number}: {warning}" for page in pages for warning in page.warnings),
            ),
        )

    async def _readable_bytes(self, path: Path, password: str | None) -> bytes:
        # A page is drawn long after its password is forgotten, so what is kept needs none.
        if password is not None:
            return await self._extractor.decrypt(path, password)
        return await asyncio.to_thread(path.read_bytes)

    async def _writable_indexes(self) -> Indexes:
        card = await self._embedder.card()
        chunker = self._chunker(card)
        indexes = await self._store.current()
        if indexes is None:
            first = state_of(card, chunker, generation=1)
            await (await self._store.build(first)).close()
            await self._catalog.set_index_state(first)
            indexes = await self._store.current()
            assert indexes is not None
        refuse_others(indexes.state, card, chunker)
        return indexes

    # ------------------------------------------------------------------------------ undoing

    async def _undo_unfinished(self, *, indexed: bool = True) -> None:
        """Delete what never became ready, and what a rebuild that died left; a rebuild leaves the indexes in use be."""
        await asyncio.to_thread(self._blobs.sweep)
        state = await self._catalog.index_state()
        await self._store.drop_all_but(state.generation if state else 0)
        for document_id in await self._catalog.unfinished():
            await self._delete(document_id, indexed=indexed)

    async def _delete(self, document_id: DocumentId, *, indexed: bool = True) -> None:
        indexes = await self._store.current() if indexed else None
        if indexes is not None:
            await indexes.remove(document_id)
        await asyncio.to_thread(self._blobs.remove, document_id)
        await self._catalog.forget(document_id)


def digest(path: Path) -> DocumentId:
    """The id of the document that this file is.

    Raises:
        NotFoundError: The file cannot be opened.
    """
    try:
        with path.open("rb") as stream:
            return DocumentId(hashlib.file_digest(stream, "sha256").hexdigest())
    except OSError as exc:
        raise NotFoundError(f"{path.name!r} cannot be opened: {exc.strerror}.") from exc


def _failed(path: str, error: RagError) -> Ingested:
    return Ingested(path, "failed", code=error.code, message=str(error))
