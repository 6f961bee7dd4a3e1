"""The documents of a library: who sees them, what is indexed of them, what came of bringing in or removing. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal, NewType

from rag_core.types.pages import Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DocumentId = NewType("DocumentId", str)
"""The lower-case hexadecimal SHA-256 of a file's bytes."""
ChunkId = NewType("ChunkId", str)
CollectionName = NewType("CollectionName", str)


@dataclass(frozen=True, slots=True)
class Document:
    """A PDF in the library. Its bytes are its identity."""

    id: DocumentId
    title: str
    filename: str
    pages: int
    chunks: int
    added_at: datetime
    collections: tuple[CollectionName, ...]
    """Those the asker may see."""
    unreadable_pages: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()
    embedded: bool = True
    """False while some of its vectors are still to come: it is then found by its words alone."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """What is indexed: a run of one page's text. It never crosses a page, and its text is literal."""

    id: ChunkId
    document_id: DocumentId
    page: int
    span: Span
    section: Span
    """What it is part of on its page, for a reader who needs what stands around it: see `rag_core.reading.sections`."""
    text: str
    context: str = ""
    """Headings above it, labels of its table's header: embedded and indexed, never quoted."""
    whole: bool = False
    """It is a section that is in several chunks besides, its parts, which come before it."""

    @property
    def indexed(self) -> str:
        """What both indexes see."""
        return f"{self.context}\n{self.text}" if self.context else self.text


@dataclass(frozen=True, slots=True)
class ModelCard:
    """An embedding model: what an index must know of the one that built it."""

    name: str
    fingerprint: str
    """Of its name and weights."""
    dimension: int
    window: int
    """Tokens of a text that it sees, special ones included."""


@dataclass(frozen=True, slots=True)
class IndexState:
    """What the indexes were built with, and which generation of their files is in use."""

    generation: int
    embedding: str
    """The fingerprint of the embedding model."""
    dimension: int
    chunker: str


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a library holds: by its catalog, and by each index."""

    documents: int
    chunks: int
    dense: int
    sparse: int
    closeups: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A chunk on its way into the indexes."""

    chunk: Chunk
    title: str
    vectors: NDArray[np.float32]
    """Shape (1 + parts, dimension), each of unit length: the whole chunk's, then one a sentence or row."""


@dataclass(frozen=True, slots=True)
class Nearness:
    """Cosines with a question, in [-1, 1]."""

    whole: float
    """Of the chunk."""
    part: float
    """Of the nearest sentence or row in it."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What one call may see: the documents of `collections`, and of those only `documents` where they are named."""

    collections: frozenset[CollectionName]
    documents: frozenset[DocumentId] | None = None

    @classmethod
    def of(cls, *collections: str, documents: Sequence[str] | None = None) -> Scope:
        """A scope from plain names."""
        named = None if documents is None else frozenset(map(DocumentId, documents))
        return cls(frozenset(map(CollectionName, collections)), named)


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of one file."""

    path: str
    status: Literal["indexed", "duplicate", "failed"]
    document: Document | None = None
    code: str | None = None
    message: str | None = None

    def __post_init__(self) -> None:
        if (self.status == "failed") != (self.document is None) or (self.status == "failed") != (self.code is not None):
            raise ValueError("a failed file has a code and no document; any other has a document and no code")


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was removed, and what the data folder's bytes said afterwards."""

    documents: tuple[Document, ...]
    """Taken out of collections, or out of one sender's hands: those that others sent, too, stay for them."""
    deleted: tuple[DocumentId, ...]
    """Those that no other collection held: they are gone from the world."""
    bytes: int
    """Of their files."""
    at: datetime
    remains: tuple[str, ...] = ()
    """Where traces of the deleted were still found; empty when there are none."""

    @property
    def verified(self) -> bool:
        """Whether the data folder was searched for what was deleted, and nothing was found."""
        return not self.remains
