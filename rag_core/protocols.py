"""The seams: what the core asks of the outside world, each one small enough to fake honestly."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from rag_core.types import (
    Chunk,
    ChunkId,
    CollectionName,
    Document,
    DocumentId,
    Draft,
    Entry,
    Extraction,
    Hit,
    IndexState,
    ModelCard,
    Nearness,
    OcrMode,
    Page,
    Passage,
    Rect,
    Scope,
    Span,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Extractor(Protocol):
    """Reads PDFs from strangers, in a process of its own that may die without harm.

    Raises:
        DocumentError: The file is not a PDF, is damaged, encrypted, too large, or needed too much time or memory.
    """

    async def extract(self, path: Path, *, ocr: OcrMode = "auto", password: str | None = None) -> Extraction:
        """All pages of the file, in order."""
        ...

    async def render(  # noqa: PLR0913 - each is one thing a caller may want
        self,
        path: Path,
        page: int,
        *,
        highlights: Sequence[Rect] = (),
        crop: bool = False,
        password: str | None = None,
        dpi: int = 144,
    ) -> bytes:
        """The page as PNG, the highlights marked as with a pen; `crop` leaves only the lines around them."""
        ...

    async def decrypt(self, path: Path, password: str) -> bytes:
        """The same PDF without its encryption."""
        ...


class Chunker(Protocol):
    """Cuts pages into chunks. The same pages give the same chunks, with the same ids."""

    @property
    def version(self) -> str:
        """Changes whenever the cuts may: an index is bound to it."""
        ...

    def chunk(self, document_id: DocumentId, pages: Sequence[Page]) -> list[Chunk]:
        """The chunks of all pages, in reading order."""
        ...


class Embedder(Protocol):
    """Turns texts into unit vectors whose dot product is their likeness. The model is loaded by the first call.

    Raises:
        ModelUnavailable: The model cannot be loaded.
    """

    async def card(self) -> ModelCard:
        """Which model it is; an index is bound to it."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, special ones included. Blocks while the model loads: call it from a thread."""
        ...

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimension): one vector a text, in order. Text past the model's window is not seen."""
        ...

    async def embed_parts(self, texts: Sequence[str], parts: Sequence[Sequence[Span]]) -> list[NDArray[np.float32]]:
        """For each text shape (1 + parts, dimension): the vector of all of it, then one of each of its parts.

        A part is read within its text, not by itself. One that the model cannot see has the vector of the whole.
        """
        ...


class Retriever(Protocol):
    """Anything that ranks chunks against a query.

    The dense index, the sparse index and their fusion are all retrievers, so a caller never learns which it holds.
    Hits come best first, each chunk at most once, and there may be fewer than `k`; a query that matches nothing
    returns an empty list. `within` bounds the search itself: what is outside it costs no place among the `k`.
    Scores order the hits of one call and mean nothing across calls.

    Raises:
        StoreUnavailable: The index cannot be opened.
    """

    async def retrieve(self, query: str, *, within: Collection[DocumentId], k: int) -> list[Hit]:
        """The `k` best of the chunks of `within`, best first."""
        ...


class Stored(Protocol):
    """What is kept of chunks, written by one process at a time. What `add` returned from is on disk."""

    async def add(self, entries: Sequence[Entry]) -> None:
        """Index the entries; their chunks were not there before."""
        ...

    async def remove(self, document_id: DocumentId) -> None:
        """Drop every chunk of the document; it need not be there."""
        ...

    async def count(self) -> int:
        """How many chunks it holds, to compare with the catalog."""
        ...

    async def close(self) -> None:
        """Let go of files and threads."""
        ...


class Index(Retriever, Stored, Protocol):
    """A retriever that can be written to."""


class Closeups(Stored, Protocol):
    """The vectors of chunks and of their parts, looked up by chunk: for a close look at what an index found.

    Raises:
        StoreUnavailable: They cannot be read.
    """

    async def nearness(self, query: str, ids: Sequence[ChunkId]) -> dict[ChunkId, Nearness]:
        """How near the query is to each of the chunks that there are."""
        ...


class Catalog(Protocol):
    """The truth about documents: which there are, who sees them, what their pages say.

    A document counts only while it is ready; nothing else of it is ever returned. Each call is one transaction.

    Raises:
        StoreBusy: Another process did not finish writing in time.
        StoreUnavailable: The catalog cannot be read or written.
    """

    async def visible(self, scope: Scope) -> frozenset[DocumentId]:
        """The documents of the scope."""
        ...

    async def documents(self, scope: Scope) -> list[Document]:
        """The documents of the scope, oldest first, each with those of its collections that the scope holds."""
        ...

    async def find(self, document_id: DocumentId) -> Document | None:
        """A document in whatever collections it is: for those who bring its bytes, not for askers."""
        ...

    async def page(self, document_id: DocumentId, number: int) -> Page | None:
        """One page as it was read."""
        ...

    async def pages(self, document_id: DocumentId) -> list[Page]:
        """All pages of a document, in order."""
        ...

    async def chunks(self, ids: Sequence[ChunkId]) -> dict[ChunkId, Chunk]:
        """Those of the chunks that there are."""
        ...

    async def sections(self, ids: Sequence[ChunkId]) -> dict[ChunkId, str]:
        """The text of the section that each of the chunks is part of."""
        ...

    async def begin(self, document: Document, pages: Iterable[Page], chunks: Iterable[Chunk]) -> None:
        """Note a document that is being indexed; it counts from `ready` on."""
        ...

    async def ready(self, document_id: DocumentId) -> None:
        """Make a document count."""
        ...

    async def join(self, document_id: DocumentId, collection: CollectionName) -> None:
        """Let a collection see the document, too."""
        ...

    async def leave(self, document_id: DocumentId, collections: Iterable[CollectionName]) -> bool:
        """End memberships. True when none is left: the document no longer counts, and waits to be forgotten."""
        ...

    async def forget(self, document_id: DocumentId) -> None:
        """Delete all that is known of a document."""
        ...

    async def unfinished(self) -> list[DocumentId]:
        """Documents that were coming or going when their process ended."""
        ...

    async def all_documents(self) -> list[DocumentId]:
        """Every document, of all collections: for upkeep, not for askers."""
        ...

    async def count_chunks(self) -> int:
        """The chunks of all documents."""
        ...

    async def index_state(self) -> IndexState | None:
        """What the indexes were built with; None while nothing was ever indexed."""
        ...

    async def set_index_state(
        self, state: IndexState, *, chunks: Sequence[tuple[DocumentId, Sequence[Chunk]]] = ()
    ) -> None:
        """Switch to another generation of the indexes, and documents to other chunks, at one instant."""
        ...


class Blobs(Protocol):
    """The PDFs themselves. One is there whole or not at all."""

    def path(self, document_id: DocumentId) -> Path:
        """Where the document's PDF is, or would be."""
        ...

    def put(self, document_id: DocumentId, content: bytes) -> None:
        """Keep the PDF; the same one again changes nothing."""
        ...

    def remove(self, document_id: DocumentId) -> None:
        """Delete the PDF; it need not be there."""
        ...

    def sweep(self) -> None:
        """Delete what a dead process left half written."""
        ...


@dataclass(frozen=True, slots=True)
class Indexes:
    """All that is searched, of one generation, open."""

    state: IndexState
    dense: Index
    sparse: Index
    closeups: Closeups

    async def add(self, entries: Sequence[Entry]) -> None:
        """Put the entries into each."""
        for stored in self._all():
            await stored.add(entries)

    async def remove(self, document_id: DocumentId) -> None:
        """Drop the document from each."""
        for stored in self._all():
            await stored.remove(document_id)

    async def close(self) -> None:
        """Close each."""
        for stored in self._all():
            await stored.close()

    def _all(self) -> tuple[Stored, ...]:
        return self.sparse, self.dense, self.closeups


class IndexStore(Protocol):
    """Opens the indexes that the catalog says are in use, and makes new generations of them.

    Raises:
        StoreUnavailable: They cannot be opened.
    """

    async def current(self) -> Indexes | None:
        """The indexes in use; None while nothing was ever indexed. Cheap when nothing changed."""
        ...

    async def build(self, state: IndexState) -> Indexes:
        """Empty indexes of a new generation, which nobody uses yet. The caller closes them."""
        ...

    async def drop_all_but(self, generation: int) -> None:
        """Delete the files of other generations."""
        ...

    def writing(self) -> AbstractAsyncContextManager[None]:
        """Hold the one right to write to the data folder.

        Raises:
            StoreBusy: Another process holds it, and did not let go in time.
        """
        ...


class EntailmentModel(Protocol):
    """Tells how far a text says what a claim says.

    Raises:
        ModelUnavailable: The model cannot be loaded.
    """

    @property
    def version(self) -> str:
        """Changes whenever a score may."""
        ...

    async def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The probability in [0, 1] that each (claim, span) pair's span supports its claim, in order."""
        ...


class Reranker(Protocol):
    """Reads a question and a text together, and tells how well the one answers the other.

    Raises:
        ModelUnavailable: The model cannot be loaded.
    """

    async def score(self, question: str, chunks: Sequence[Chunk]) -> list[float]:
        """A score for each chunk, in order; higher is better, and it means nothing across calls."""
        ...


class Writer(Protocol):
    """Drafts an answer from numbered passages; whatever it says is checked afterwards."""

    @property
    def name(self) -> str:
        """What an answer says it was written by."""
        ...

    async def write(self, question: str, passages: Sequence[Passage]) -> Draft:
        """An answer whose statements cite the passages by label, or why there is none."""
        ...


Heard = Callable[[str], Awaitable[None]]
"""Takes all that a writer has written so far; when it begins anew, the text does, too."""


@runtime_checkable
class AloudWriter(Writer, Protocol):
    """A writer that lets others read along."""

    async def write_aloud(self, question: str, passages: Sequence[Passage], *, heard: Heard) -> Draft:
        """The same draft as `write`; `heard` is told the text so far each time that there is more of it."""
        ...
