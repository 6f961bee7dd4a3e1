"""Pages to a document that can be asked, in two steps: by its words as soon as it is read, by its meaning thereafter.

The keyword index has all of a document before it counts; its vectors come in batches, with the right to write held for
each batch alone, so that nobody who removes or asks waits for a long document. Whatever a dead process left half done
is undone before anything new begins, and vectors that are missing are made when the queue is drained.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from rag_core.errors import NotFoundError, TooLarge
from rag_core.finding.comparison import searched_title
from rag_core.keeping.deletion import Deletion
from rag_core.keeping.indexing import Indexing, Step, words_of
from rag_core.protocols import Blobs, Catalog, Extractor, IndexStore
from rag_core.types import Chunk, CollectionName, Document, DocumentId, Extraction, OcrMode, Scope
from rag_core.types.jobs import Principal

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


@dataclass(frozen=True, slots=True)
class Source:
    """A file to ingest."""

    path: Path
    filename: str
    """The name that people know it by."""


@dataclass(slots=True)
class Read:
    """A file as it was read. Not frozen: its pages are let go once the catalog has them, as embedding takes long."""

    document_id: DocumentId
    extraction: Extraction | None
    chunks: tuple[Chunk, ...]


class Ingestion:
    """Brings documents in."""

    def __init__(  # noqa: PLR0913 - it is where everything meets
        self,
        *,
        catalog: Catalog,
        blobs: Blobs,
        extractor: Extractor,
        store: IndexStore,
        indexing: Indexing,
        deletion: Deletion,
        max_bytes: int,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._catalog = catalog
        self._blobs = blobs
        self._extractor = extractor
        self._store = store
        self._indexing = indexing
        self._deletion = deletion
        self._max_bytes = max_bytes
        self._now = now

    # ------------------------------------------------------------------------------ reading

    async def readable(self, source: Source, password: str | None) -> bytes | None:
        """The file without its encryption, where a password is given; else None: it may be kept as it is.

        A password is forgotten at once, and what is kept needs none: it may be read later, by another process.

        Raises:
            DocumentError: It cannot be opened with this password, or is no file that is read at all.
            NotFoundError: It is not there.
        """
        await asyncio.to_thread(self._weigh, source)
        return None if password is None else await self._extractor.decrypt(source.path, password)

    def _weigh(self, source: Source) -> None:
        try:
            size = source.path.stat().st_size
        except OSError as exc:
            raise NotFoundError(f"{source.filename!r} cannot be opened: {exc.strerror}.") from exc
        self.refuse_too_large(source.filename, size)

    def refuse_too_large(self, filename: str, size: int) -> None:
        """Let a file of so many bytes pass.

        Raises:
            TooLarge: None of that size is read.
        """
        if size > self._max_bytes:
            raise TooLarge(
                f"{filename!r} has {size / 2**20:.0f} MiB, and at most {self._max_bytes / 2**20:.0f} are read: "
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
        return Read(document_id, extraction, await self._indexing.cut(document_id, extraction.pages))

    # ------------------------------------------------------------------------------ keeping

    async def join(
        self, document_id: DocumentId, filename: str, collection: CollectionName, principal: Principal
    ) -> bool:
        """Let a collection see a document that is there; False when there is none."""
        return await self._catalog.join(document_id, collection, filename, since=self._now(), principal=principal)

    async def share(self, document_id: DocumentId, collection: CollectionName, *, scope: Scope) -> None:
        """Let a collection see a document of the scope, too, unless it is being deleted just now."""
        await self._catalog.share(document_id, collection, scope=scope, since=self._now())

    async def keep(
        self, read: Read, path: Path, filename: str, collection: CollectionName, principal: Principal
    ) -> None:
        """Make a document that is found by its words: catalog, file, keyword index, and only then `ready`.

        Raises:
            IndexOutOfDate: The indexes were made by another model or chunker.
            StoreUnavailable: The data folder cannot be written.
        """
        async with self._store.writing(patiently=True):
            await self._deletion.finish()
            indexes = await self._indexing.writable()
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
                await indexes.add_words([words_of(chunk, title) for chunk in read.chunks])
                await self._catalog.ready(document.id, embedded=False)
            except BaseException:  # cancelled or failed, it is undone and raised again
                await self._deletion.delete([document.id])
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
            await (await self._indexing.writable()).remove_vectors(document_id)  # those that a dead process made
        title, chunks = searched_title(document), await self._catalog.chunks_of(document_id)
        async for entries in self._indexing.entries(title, chunks, step):
            async with self._store.writing(patiently=True):
                if await self._pending(document_id) is None:
                    return
                await (await self._indexing.writable()).add_vectors(entries)
        async with self._store.writing(patiently=True):
            await self._catalog.embedded(document_id)

    async def pending(self) -> list[DocumentId]:
        """The documents whose vectors are still to be made."""
        return await self._catalog.pending()

    async def _pending(self, document_id: DocumentId) -> Document | None:
        document = await self._catalog.find(document_id)
        return None if document is None or document.embedded else document

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
