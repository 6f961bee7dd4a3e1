"""What is asked of whatever reads a PDF and cuts it up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from rag_core.types import Chunk, DocumentId, Extraction, OcrMode, Page, Rect


class Extractor(Protocol):
    """Reads PDFs from strangers, in a process of its own that may die without harm.

    Raises:
        DocumentError: The file is not a PDF, is damaged, encrypted, too large, or needed too much time or memory.
    """

    async def extract(
        self,
        path: Path,
        *,
        ocr: OcrMode = "auto",
        password: str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Extraction:
        """All pages of the file, in order. `progress` is told which page is being read, and how many there are."""
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
