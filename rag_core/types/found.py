"""What a search finds. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from rag_core.types.documents import Chunk, ChunkId, DocumentId
from rag_core.types.pages import Rect

SearchMode = Literal["hybrid", "dense", "sparse"]


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that a retriever found. Scores order the hits of one call and mean nothing across calls."""

    chunk_id: ChunkId
    document_id: DocumentId
    page: int
    score: float


@dataclass(frozen=True, slots=True)
class Passage:
    """A found chunk as the writer sees it; `label` is the number it is cited by."""

    label: int
    chunk: Chunk
    title: str
    score: float
    signals: Mapping[str, float] = field(default_factory=dict)
    """For the gate: `dense` and `part`, cosines of the chunk and of the nearest sentence in it; `sparse`, BM25."""
    bbox: Rect | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a search: passages best first, and the milliseconds it took."""

    question: str
    passages: tuple[Passage, ...]
    ms: float
    notes: tuple[str, ...] = ()
    """What the asker should know of the documents: for instance that some have no vectors yet."""
