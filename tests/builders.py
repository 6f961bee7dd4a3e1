"""Values for tests, made with as few words as the test needs."""

from __future__ import annotations

from array import array
from datetime import UTC, datetime

import numpy as np

from rag_core.types import (
    Block,
    Chunk,
    ChunkId,
    CollectionName,
    Document,
    DocumentId,
    Entry,
    Glyphs,
    Page,
    Passage,
    Rect,
    Span,
)

LINE = 80
"""Characters of a built page's lines; each is six points wide and ten high."""


def document_id(n: int) -> DocumentId:
    """The n-th of many made-up digests."""
    return DocumentId(f"{n:02x}" * 32)


def page_of(text: str, *, number: int = 1) -> Page:
    """A page whose paragraphs stand between blank lines, on a grid of glyphs."""
    edges = array("f")
    for i, char in enumerate(text):
        x, y = 50 + 6.0 * (i % LINE), 50 + 12.0 * (i // LINE)
        edges.extend((0.0, 0.0, 0.0, 0.0) if char == "\n" else (x, y, x + 6, y + 10))
    blocks, start = [], 0
    for paragraph in text.split("\n\n"):
        if paragraph.strip():
            blocks.append(Block("paragraph", Span(start, start + len(paragraph)), Rect(50, 50, 530, 700)))
        start += len(paragraph) + 2
    return Page(number, 595, 842, "text" if text.strip() else "empty", text, tuple(blocks), Glyphs(edges))


def glyphs_of(text: str) -> Glyphs:
    """Characters that are nowhere."""
    return Glyphs(array("f", bytes(16 * len(text))))


def document_of(n: int = 1, *, title: str = "A handbook", collection: str = "local", pages: int = 1) -> Document:
    """A document in one collection."""
    return Document(
        id=document_id(n),
        title=title,
        filename=f"{title}.pdf",
        pages=pages,
        chunks=0,
        added_at=datetime(2026, 1, 1, 12, tzinfo=UTC),
        collections=(CollectionName(collection),),
    )


def chunk_of(text: str, *, document: int = 1, page: int = 1, start: int = 0, context: str = "") -> Chunk:
    """A chunk that stands at `start` on its page."""
    identity = ChunkId(f"{document}.{page}.{start}")
    span = Span(start, start + len(text))
    return Chunk(identity, document_id(document), page, span, span, text, context)


def passage_of(text: str, *, label: int = 1, dense: float = 0.6, context: str = "", document: int = 1) -> Passage:
    """A passage of a page of its own."""
    return Passage(
        label,
        chunk_of(text, document=document, page=label, context=context),
        "A handbook",
        1 / label,
        {"dense": dense, "part": dense},
    )


def entry_of(chunk: Chunk, *vector: float) -> Entry:
    """An entry with a unit vector of two dimensions, or as many as are given, and no parts."""
    numbers = np.array([vector or (1.0, 0.0)], dtype=np.float32)
    return Entry(chunk, "A handbook", numbers / np.linalg.norm(numbers))
