"""The seams: what the core asks of the outside world, each one small enough to fake honestly."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from rag_core.types import Chunk, DocumentId, Draft, Extraction, Hit, OcrMode, Page, Passage, Rect

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

    async def render(
        self, path: Path, page: int, *, highlights: Sequence[Rect] = (), password: str | None = None, dpi: int = 144
    ) -> bytes:
        """The page as PNG, the highlights marked as with a pen."""
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
    """Turns texts into unit vectors whose dot product is their likeness.

    Raises:
        ModelUnavailable: The model cannot be loaded.
    """

    @property
    def fingerprint(self) -> str:
        """Names the model and its weights: an index is bound to it."""
        ...

    @property
    def window(self) -> int:
        """How many tokens of a text the model sees; the rest is invisible to it."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, special ones included."""
        ...

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        ...

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimension): one vector a text, in order."""
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
    """Puts passages in a better order, dropping none."""

    async def rerank(self, question: str, passages: Sequence[Passage]) -> list[Passage]:
        """The same passages, best first."""
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
