"""Pages to a document that can be asked, in two steps: by its words as soon as it is read, by its meaning thereafter.

The keyword index has all of a document before it counts; its vectors come in batches, with the right to write held for
each batch alone, so that nobody who removes or asks waits for a long document. Whatever a dead process left half done
is undone before anything new begins, and vectors that are missing are made when the queue is drained.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from rag_core.comparison import searched_title
from rag_core.errors import NotFoundError, TooLarge
from rag_core.index_state import refuse_others, state_of
from rag_core.jobs import Principal
from rag_core.parts import parts_of
from rag_core.protocols import AnswerCache, Blobs, Catalog, Chunker, Embedder, Extractor, Indexes, IndexStore
from rag_core.types import (
    Chunk,
    CollectionName,
    Counts,
    Document,
    DocumentId,
    Entry,
    Extraction,
    ModelCard,
    OcrMode,
    Scope,
)

INDEXED_AT_ONCE = 256
"""Chunks of one write to an index: each write is a new version of its files."""
EMBEDDED_AT_ONCE = 64
"""Chunks between two reports of progress; a multiple of any sensible batch."""
ENCRYPTED = b"/Encrypt"
"""What the trailer of every encrypted PDF holds, in the clear (ISO 32000-2, 7.6.2)."""


class Progress(Protocol):
    """Is told how an ingestion goes on."""

    def reading(self, path: Path) -> None:
        """A file is being read."""
        ...

    def embedding(self, path: Path, done: int, total: int) -> None:
        """So many more of a file's chunks have their vectors."""
        ...


class _Silent:
    def reading(self, path: Path) -> None:
        """Say nothing."""

    def embedding(self, path: Path, done: int, total: int) -> None:
        """Say nothing."""


SILENT: Progress = _Silent()

Step = Callable[[int, int], Awaitable[None]]
"""Is told how many chunks are embedded, and of how many. It may let others pass, or raise to end the work."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file to ingest."""

    path: Path
    filename: str
    """The name that people know it by."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A document of which an index holds another number of chunks than the catalog says."""

    document_id: DocumentId
    chunks: int
    """By the catalog."""
    words: int
    vectors: int
    closeups: int

    def __str__(self) -> str:
        return (
            f"document {self.document_id[:12]} has {self.chunks} chunks, and the keyword index held {self.words}, the "
            f"vector index {self.vectors}, the vectors for a close look {self.closeups}"
        )


@dataclass(slots=True)
class Read:
    """A file as it was read. Not frozen: its pages are let go once the catalog has them, as embedding takes long."""

    document_id: DocumentId
    extraction: Extraction | None
    chunks: tuple[Chunk, ...]


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
        cache: AnswerCache | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._catalog = catalog
        self._blobs = blobs
        self._extractor = extractor
        self._embedder = embedder
        self._store = store
        self._chunker = chunker
        self._max_bytes = max_bytes
        self._cache = cache
        self._now = now

    # ------------------------------------------------------------------------------ reading

    async def readable(self, source: Source, password: str | None) -> bytes | None:
        """The file without its encryption, where a password is given; else None: it may be kept as it is.

        A password is forgotten at once, and what is kept needs none: it may be read later, by another process.

        Raises:
            DocumentError: It cannot be opened with this password, or is no file that is read at all.
            NotFoundError: It is not there.
        """
        await asyncio.to_thread(self._refuse_too_large, source)
        return None if password is None else await self._extractor.decrypt(source.path, password)

    def _refuse_too_large(self, source: Source) -> None:
        try:
            size = source.path.stat().st_size
        except OSError as exc:
            raise NotFoundError(f"{source.filename!r} cannot be opened: {exc.strerror}.") from exc
        if size > self._max_bytes:
            raise TooLarge(
                f"{source.filename!r} has {size / 2**20:.0f} MiB, and at most {self._max_bytes / 2**20:.0f} are read: "
                "split it, or raise PINCITE_MAX_BYTES."
            )

    async def read(
        self, path: Path, document_id: DocumentId, *, ocr: OcrMode, progress: Callable[[int, int], None]
    ) -> Read | None:
        """The file's pages and chunks; None when the library has the document already.

        Raises:
            DocumentError: It cannot be read.
            ModelUnavailable: The model that chunks are measured by cannot be loaded.
        """
        if await self._catalog.find(document_id) is not None:
            # Knowing an encrypted file's bytes does not entitle to its text: whoever brings it must be able to open it.
            if ENCRYPTED in await asyncio.to_thread(path.read_bytes):
                await self._extractor.decrypt(path, "")
            return None
        extraction = await self._extractor.extract(path, ocr=ocr, progress=progress)
        chunker = self._chunker(await self._embedder.card())
        chunks = await asyncio.to_thread(chunker.chunk, document_id, extraction.pages)
        return Read(document_id, extraction, tuple(chunks))

    # ------------------------------------------------------------------------------ keeping

    async def join(self, document_id: DocumentId, collection: CollectionName, principal: Principal) -> bool:
        """Let a collection see a document that is there; False when there is none."""
        return await self._catalog.join(document_id, collection, since=self._now(), principal=principal)

    async def keep(
        self, read: Read, path: Path, filename: str, collection: CollectionName, principal: Principal
    ) -> None:
        """Make a document that is found by its words: catalog, file, keyword index, and only then `ready`.

        Raises:
            IndexOutOfDate: The indexes were made by another model or chunker.
            StoreUnavailable: The data folder cannot be written.
        """
        async with self._store.writing(patiently=True):
            await self._undo_unfinished()
            indexes = await self._writable_indexes()
            document = self._describe(read, filename, collection)
            assert read.extraction is not None
            content = await asyncio.to_thread(path.read_bytes)
            await self._catalog.begin(
                document, read.extraction.pages, read.chunks, principal=principal, size=len(content)
            )
            read.extraction = None
            try:
                await asyncio.to_thread(self._blobs.put, document.id, content)
                del content
                title = searched_title(document)
                # At once: a document in one file shares it with few others, and goes without much being written anew.
                await indexes.add_words([_words_of(chunk, title) for chunk in read.chunks])
                await self._catalog.ready(document.id, embedded=False)
            except BaseException:  # cancelled or failed, it is undone and raised again
                await self._delete([document.id])
                raise

    async def embed(self, document_id: DocumentId, step: Step) -> None:
        """Make a document's vectors, and note that they are there. One that is gone meanwhile, or done, is let be.

        Raises:
            ModelUnavailable: The embedding model cannot be loaded.
            StoreError: The indexes cannot be written, or belong to another model.
        """
        async with self._store.writing(patiently=True):
            document = await self._pending(document_id)
            if document is None:
                return
            await (await self._writable_indexes()).remove_vectors(document_id)  # those that a dead process made
        title, chunks = searched_title(document), await self._catalog.chunks_of(document_id)
        async for entries in self._embedded(title, chunks, step):
            async with self._store.writing(patiently=True):
                if await self._pending(document_id) is None:
                    return
                await (await self._writable_indexes()).add_vectors(entries)
        async with self._store.writing(patiently=True):
            await self._catalog.embedded(document_id)

    async def _pending(self, document_id: DocumentId) -> Document | None:
        document = await self._catalog.find(document_id)
        return None if document is None or document.embedded else document

    async def _embedded(self, title: str, chunks: Sequence[Chunk], step: Step) -> AsyncIterator[list[Entry]]:
        for start in range(0, len(chunks), INDEXED_AT_ONCE):
            entries: list[Entry] = []
            for some in _in_steps(chunks[start : start + INDEXED_AT_ONCE], EMBEDDED_AT_ONCE):
                await step(start + len(entries), len(chunks))
                parts = await asyncio.to_thread(list, map(parts_of, some))
                vectors = await self._embedder.embed_parts([chunk.indexed for chunk in some], parts)
                entries += [Entry(chunk, title, its_own) for chunk, its_own in zip(some, vectors, strict=True)]
            yield entries
        await step(len(chunks), len(chunks))

    def _describe(self, read: Read, filename: str, collection: CollectionName) -> Document:
        assert read.extraction is not None
        pages = read.extraction.pages
        return Document(
            id=read.document_id,
            title=read.extraction.title or Path(filename).stem,
            filename=filename,
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

    # ------------------------------------------------------------------------------ taking out

    async def remove(self, document_id: DocumentId, *, scope: Scope) -> bool:
        """End the document's memberships in the scope's collections; with the last one, all of it is deleted.

        It is out of sight at once, whoever is writing. True when it was deleted, False when other collections still
        hold it.
        """
        if not await self._catalog.leave(document_id, scope.collections):
            return False
        await self.finish_removals()
        return True

    async def finish_removals(self) -> None:
        """Delete the documents that no collection holds any more."""
        async with self._store.writing():
            await self._undo_unfinished()

    async def share(self, document_id: DocumentId, collection: CollectionName) -> None:
        """Make the document a member of another collection, unless it is being deleted just now."""
        await self._catalog.join(document_id, collection, since=self._now())

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
                    await self._index(indexes, document, chunks, progress)
                    cuts.append((document_id, chunks))
            finally:
                await indexes.close()
            await self._catalog.set_index_state(state, chunks=cuts)
            await self._store.drop_all_but(state.generation)
            return sum(len(chunks) for _, chunks in cuts)

    async def _index(self, indexes: Indexes, document: Document, chunks: Sequence[Chunk], progress: Progress) -> None:
        path, told = Path(document.filename), 0

        async def step(done: int, total: int) -> None:
            nonlocal told
            progress.embedding(path, done - told, total)
            told = done

        async for entries in self._embedded(searched_title(document), chunks, step):
            await indexes.add(entries)

    # ------------------------------------------------------------------------------ upkeep

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

    async def recover(self) -> list[Difference]:
        """Undo what a dead process left half done, and mend what the indexes hold otherwise than the catalog says.

        Vectors that are missing stay to be made; everything else is in order when it returns.
        """
        async with self._store.writing(patiently=True):
            await self._undo_unfinished()
            indexes = await self._store.current()
            if indexes is None and await self._catalog.expected():  # an import that was ended before it had indexes
                indexes = await self._writable_indexes()
            found = await self._differences(indexes) if indexes is not None else []
            for difference in found:
                assert indexes is not None
                await self._mend(indexes, difference)
            return found

    async def differences(self) -> list[Difference]:
        """Where an index holds another number of chunks than the catalog says; nothing is changed."""
        indexes = await self._store.current()
        return await self._differences(indexes) if indexes is not None else []

    async def tidy(self) -> None:
        """Compact the stores, and rid them of old versions."""
        async with self._store.writing(patiently=True):
            indexes = await self._store.current()
            if indexes is not None:
                await indexes.tidy()
            await self._catalog.tidy()

    async def rewrite(self) -> None:
        """Write the databases anew: what is deleted is overwritten, but copies may stand where it stood before."""
        async with self._store.writing():
            await self._catalog.rewrite()
            if (indexes := await self._store.current()) is not None:
                await indexes.closeups.rewrite()

    async def _differences(self, indexes: Indexes) -> list[Difference]:
        expected = await self._catalog.expected()
        everything = sum(chunks for chunks, _ in expected.values())
        if all(embedded for _, embedded in expected.values()):
            counted = [await index.count() for index in (indexes.sparse, indexes.dense, indexes.closeups)]
            if counted == [everything] * 3:
                return []
        words, vectors, near = [await index.tally() for index in (indexes.sparse, indexes.dense, indexes.closeups)]
        found = []
        going = await self._catalog.unfinished()  # somebody may have begun to remove one meanwhile
        for document_id in sorted({*expected, *words, *vectors, *near}.difference(going)):
            chunks, embedded = expected.get(document_id, (0, True))
            held = words.get(document_id, 0), vectors.get(document_id, 0), near.get(document_id, 0)
            if held[0] != chunks or (embedded and set(held[1:]) != {chunks}):
                found.append(Difference(document_id, chunks, *held))
        return found

    async def _mend(self, indexes: Indexes, difference: Difference) -> None:
        document_id = difference.document_id
        if difference.words != difference.chunks:
            await indexes.sparse.purge([document_id], self._kept)
            await indexes.add_words(await self._kept(document_id))
        if {difference.vectors, difference.closeups} != {difference.chunks}:
            await self._catalog.unembed(document_id)
            await indexes.remove_vectors(document_id)

    async def pending(self) -> list[DocumentId]:
        """The documents whose vectors are still to be made."""
        return await self._catalog.pending()

    async def _undo_unfinished(self, *, indexed: bool = True) -> None:
        """Delete what never became ready, and what a rebuild that died left; a rebuild leaves the indexes in use be."""
        state = await self._catalog.index_state()
        await self._store.drop_all_but(state.generation if state else 0)
        if unfinished := await self._catalog.unfinished():
            await self._delete(unfinished, indexed=indexed)
        await asyncio.to_thread(self._blobs.sweep, await self._catalog.all_documents())

    async def _delete(self, documents: Sequence[DocumentId], *, indexed: bool = True) -> None:
        indexes = await self._store.current() if indexed else None
        if indexes is not None:
            await indexes.purge(documents, self._kept)
        for document_id in documents:
            await asyncio.to_thread(self._blobs.remove, document_id)
            if self._cache is not None:
                await self._cache.forget(document_id)
            await self._catalog.forget(document_id)

    async def _kept(self, document_id: DocumentId) -> list[Entry]:
        """What the keyword index should hold of a document: nothing, unless it is ready."""
        document = await self._catalog.find(document_id)
        if document is None:
            return []
        title = searched_title(document)
        return [_words_of(chunk, title) for chunk in await self._catalog.chunks_of(document_id)]


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


def _in_steps(chunks: Sequence[Chunk], size: int) -> list[Sequence[Chunk]]:
    return [chunks[i : i + size] for i in range(0, len(chunks), size)]


def _words_of(chunk: Chunk, title: str) -> Entry:
    """An entry for the keyword index, which looks at no vector."""
    import numpy as np

    return Entry(chunk, title, np.empty((0, 0), np.float32))
