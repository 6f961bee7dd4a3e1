"""What every system is given: the documents of a run, and one embedding model for all."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from eval.replies import Judged, Reply
from rag_core.library import Library
from rag_core.protocols import Embedder
from rag_core.types import CollectionName, DocumentId, Found, Scope, SearchMode, WriterName

DEEP = 20
"""Passages that a system is asked for: ten pages are nearly always among them."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A text that a system found, and the page it is on."""

    document: DocumentId
    page: int
    text: str


@dataclass(frozen=True, slots=True)
class Vectors:
    """Pieces with a unit vector each, and how long it took to embed them."""

    pieces: tuple[Piece, ...]
    matrix: np.ndarray[Any, np.dtype[np.float32]]
    seconds: float

    def nearest(
        self, query: np.ndarray[Any, np.dtype[np.float32]], within: Sequence[DocumentId], k: int
    ) -> list[tuple[Piece, float]]:
        """The k pieces of `within` with the highest cosine, best first; ties stay in reading order."""
        cosines = self.matrix @ query if len(self.pieces) else np.zeros(0, np.float32)
        order = np.argsort(-cosines, kind="stable")
        allowed = frozenset(within)
        found = [(self.pieces[i], float(cosines[i])) for i in order if self.pieces[i].document in allowed]
        return found[:k]


@dataclass(slots=True)
class Corpus:
    """The documents of a run as systems see them."""

    library: Library
    embedder: Embedder
    documents: tuple[DocumentId, ...]
    collections: frozenset[CollectionName]
    passages: int
    """That a writer of Pincite's sees."""
    gate: float
    path: Callable[[DocumentId], Path]
    """Where a document's PDF lies, for systems that read it themselves."""
    writers: Mapping[WriterName, str] = field(default_factory=dict)
    """By which name the model of each writer signs its drafts."""
    _pages: dict[DocumentId, tuple[Piece, ...]] = field(default_factory=dict)
    _vectors: dict[str, Vectors] = field(default_factory=dict)
    _found: dict[tuple[str, tuple[DocumentId, ...], SearchMode], Found] = field(default_factory=dict)

    async def search(self, question: str, within: Sequence[DocumentId], mode: SearchMode) -> Found:
        """What Pincite finds, and how long it took, once for all stages that build on it."""
        key = (question, tuple(within), mode)
        if key not in self._found:
            self._found[key] = await self.library.search(question, scope=self.scope(within), k=DEEP, mode=mode)
        return self._found[key]

    def scope(self, within: Sequence[DocumentId]) -> Scope:
        """The scope of one question."""
        return Scope(self.collections, frozenset(within))

    async def pages(self, document: DocumentId) -> tuple[Piece, ...]:
        """The text of each page as Pincite reads it: what is compared is finding and checking, not reading."""
        if document not in self._pages:
            scope = self.scope([document])
            count = (await self.library.document(document, scope=scope)).pages
            read = [await self.library.page(document, number, scope=scope) for number in range(1, count + 1)]
            self._pages[document] = tuple(Piece(document, page.number, page.text) for page in read)
        return self._pages[document]

    async def pieces(self, cut: Callable[[str], Sequence[str]]) -> tuple[Piece, ...]:
        """All pages of all documents, cut."""
        pages = [page for document in self.documents for page in await self.pages(document)]
        return tuple(Piece(page.document, page.page, text) for page in pages for text in cut(page.text))

    async def vectors(self, name: str, cut: Callable[[str], Sequence[str]]) -> Vectors:
        """The pieces of this cut, embedded; systems that cut alike share them, and what they cost."""
        if name not in self._vectors:
            start = time.perf_counter()
            pieces = await self.pieces(cut)
            matrix = await self.embedder.embed([piece.text for piece in pieces])
            self._vectors[name] = Vectors(pieces, matrix, time.perf_counter() - start)
        return self._vectors[name]


class System(Protocol):
    """Something that finds pages for a question, and may answer it."""

    async def prepare(self, corpus: Corpus) -> Mapping[str, float]:
        """Index the documents; what that took, in seconds by name. Nothing for what is indexed already."""
        ...

    async def ask(self, question: str, within: Sequence[DocumentId]) -> Reply:
        """What it says to the question, asked of some of the documents.

        Raises:
            RagError: It broke; the run notes why, and goes on with the next question.
        """
        ...


class Checker(Protocol):
    """Something that tells whether a text supports a claim."""

    async def prepare(self, corpus: Corpus) -> Mapping[str, float]:
        """Load what it needs; what that took, in seconds by name."""
        ...

    async def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Judged]:
        """A verdict for each (claim, evidence) pair, in order."""
        ...


def within_page(size: int, overlap: int = 0) -> Callable[[str], list[str]]:
    """A cut of a page into runs of `size` characters that end at white space where there is any.

    >>> within_page(12)("one two three four")
    ['one two', 'three four']
    """

    def cut(text: str) -> list[str]:
        runs, start = [], 0
        while start < len(text):
            end = start + size
            space = text.rfind(" ", start + 1, end + 1) if end < len(text) else -1
            end = space if space > start + size // 2 else end
            if run := text[start:end].strip():
                runs.append(run)
            if end >= len(text):
                break
            start = max(end - overlap, start + 1)
        return runs

    return cut
