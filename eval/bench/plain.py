"""Stand-ins for the reader of PDFs and the embedding model that cost next to nothing, to measure the stores alone."""

from __future__ import annotations

import asyncio
import zlib
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rag_core.types import Block, Extraction, Glyphs, ModelCard, OcrMode, Page, Rect, Span

DIMENSION = 64
WIDTH, HEIGHT = 595.0, 842.0


class PlainExtractor:
    """Reads files of plain text in which form feeds part the pages."""

    async def extract(
        self,
        path: Path,
        *,
        ocr: OcrMode = "auto",  # noqa: ARG002 - the protocol's
        password: str | None = None,  # noqa: ARG002 - as above
        progress: Callable[[int, int], None] | None = None,  # noqa: ARG002 - as above
    ) -> Extraction:
        """A page a form feed, each one paragraph."""
        text = await asyncio.to_thread(path.read_text, encoding="utf-8")
        return Extraction(None, tuple(_page(number, page) for number, page in enumerate(text.split("\f"), start=1)))

    async def render(  # noqa: PLR0913 - the protocol's
        self,
        path: Path,
        page: int,
        *,
        highlights: Sequence[Rect] = (),
        crop: bool = False,
        password: str | None = None,
        dpi: int = 144,
    ) -> bytes:
        """Nothing to see."""
        raise NotImplementedError(path, page, highlights, crop, password, dpi)

    async def decrypt(self, path: Path, password: str) -> bytes:  # noqa: ARG002 - as above
        """The same bytes."""
        return await asyncio.to_thread(path.read_bytes)


class HashedEmbedder:
    """Words to buckets of a vector."""

    async def card(self) -> ModelCard:
        """Always the same."""
        return ModelCard("hashed", "hashed:1", DIMENSION, 256)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Words."""
        return [len(text.split()) + 2 for text in texts]

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimension)."""
        vectors = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for word in text.lower().split():
                row[zlib.crc32(word.encode()) % DIMENSION] += 1
        return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1), np.float32)

    async def embed_parts(
        self,
        texts: Sequence[str],
        parts: Sequence[Sequence[Span]],
        *,
        bulk: bool = False,  # noqa: ARG002 - the protocol's
    ) -> list[NDArray[np.float32]]:
        """For each text, and each of its parts."""
        await asyncio.sleep(0)
        return [
            await self.embed([text, *(part.of(text) for part in its_own)])
            for text, its_own in zip(texts, parts, strict=True)
        ]

    async def close(self) -> None:
        """Nothing to let go of."""


def _page(number: int, text: str) -> Page:
    edges = array("f")
    for i, char in enumerate(text):
        x, y = 50 + 6.0 * (i % 80), 50 + 12.0 * (i // 80)
        edges.extend((0.0, 0.0, 0.0, 0.0) if char == "\n" else (x, y, x + 6, y + 10))
    block = Block("paragraph", Span(0, len(text)), Rect(50, 50, 530, 700))
    return Page(number, WIDTH, HEIGHT, "text", text, (block,), Glyphs(edges))
