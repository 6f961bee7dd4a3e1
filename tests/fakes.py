"""Small honest implementations of the seams, held to the same contracts as the real ones."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from builders import page_of
from numpy.typing import NDArray

from rag_core.errors import NotAPdf
from rag_core.text.terms import terms
from rag_core.types import Extraction, ModelCard, OcrMode, Rect, Span


class FakeEmbedder:
    """Words to buckets of a vector: texts that share terms are near, and nothing is downloaded or trained."""

    def __init__(self, *, dimension: int = 64, fingerprint: str = "fake:1") -> None:
        self._card = ModelCard("fake", fingerprint, dimension, 256)
        self.embedded: list[str] = []
        self.before_parts = asyncio.Event()
        self.before_parts.set()
        self.entered = asyncio.Event()

    async def card(self) -> ModelCard:
        return self._card

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) + 2 for text in texts]

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.embedded += texts
        vectors = np.zeros((len(texts), self._card.dimension), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for term in terms(text):
                row[zlib.crc32(term.encode()) % self._card.dimension] += 1
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1)

    async def embed_parts(
        self, texts: Sequence[str], parts: Sequence[Sequence[Span]], *, bulk: bool = False
    ) -> list[NDArray[np.float32]]:
        self.entered.set()
        await self.before_parts.wait()
        return [
            await self.embed([text, *(part.of(text) for part in its_own)])
            for text, its_own in zip(texts, parts, strict=True)
        ]

    async def close(self) -> None:
        pass


class FakeExtractor:
    """Reads files of plain text in which form feeds part the pages; anything that begins with `!` is no PDF.

    Until `before_extract` is set it stands at the first page.
    """

    def __init__(self) -> None:
        self.extracted: list[Path] = []
        self.before_extract = asyncio.Event()
        self.before_extract.set()
        self.entered = asyncio.Event()

    async def extract(
        self,
        path: Path,
        *,
        ocr: OcrMode = "auto",
        password: str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Extraction:
        self.entered.set()
        text = path.read_text(encoding="utf-8")
        if progress is not None:
            progress(1, text.count("\f") + 1)
        await self.before_extract.wait()
        self.extracted.append(path)
        if text.startswith("!"):
            raise NotAPdf(f"{path.name!r} is not a PDF.")
        pages = tuple(page_of(page, number=number) for number, page in enumerate(text.split("\f"), start=1))
        return Extraction(None, pages)

    async def render(  # noqa: PLR0913 - as the protocol has it
        self,
        path: Path,
        page: int,
        *,
        highlights: Sequence[Rect] = (),
        crop: bool = False,
        password: str | None = None,
        dpi: int = 144,
    ) -> bytes:
        return f"{path.name} {page} {len(highlights)}{' crop' if crop else ''}".encode()

    async def decrypt(self, path: Path, password: str) -> bytes:
        return path.read_bytes()


class FakeClock:
    """Time that passes when somebody waits, and only then; the waits are kept."""

    def __init__(self, now: float = 1_700_000_000.0) -> None:
        self.now = now
        self.waits: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds
        await asyncio.to_thread(int)  # about as long as a store takes: what others do meanwhile has its turn

    @property
    def waited(self) -> float:
        """In all."""
        return sum(self.waits)
