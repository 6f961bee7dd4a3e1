"""What is asked of the indexes, each alone and all together."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from rag_core.types import ChunkId, DocumentId, Entry, Hit, IndexState, Nearness

Kept = Callable[[DocumentId], Awaitable[Sequence[Entry]]]
"""What an index should hold of a document."""


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

    async def tally(self) -> dict[DocumentId, int]:
        """How many it holds of each document. Reads all of it."""
        ...

    async def tidy(self) -> None:
        """Delete what is of no use any more: old versions, files of a process that died, free room."""
        ...

    async def close(self) -> None:
        """Let go of files and threads."""
        ...


class Index(Retriever, Stored, Protocol):
    """A retriever that can be written to."""


class WordIndex(Index, Protocol):
    """An index of words, whose files hold those of several documents."""

    async def purge(self, documents: Collection[DocumentId], kept: Kept) -> bool:
        """Have of the documents what is `kept` of them, and no other chunk or word; so of what shares files with them.

        False when that would be too much: then chunks are dropped and added, and words stay until the next rebuild.
        """
        ...

    async def remembers(self, text: str) -> bool:
        """Whether it still holds a word of the text for the sake of a chunk that was dropped."""
        ...


class Closeups(Stored, Protocol):
    """The vectors of chunks and of their parts, looked up by chunk: for a close look at what an index found.

    Raises:
        StoreUnavailable: They cannot be read.
    """

    async def rewrite(self) -> None:
        """Write all of it anew, so that no copy of what was removed remains."""
        ...

    async def nearness(self, query: str, ids: Sequence[ChunkId]) -> dict[ChunkId, Nearness]:
        """How near the query is to each of the chunks that there are."""
        ...


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Indexes:
    """All that is searched, of one generation, open."""

    state: IndexState
    dense: Index
    sparse: WordIndex
    closeups: Closeups

    async def add(self, entries: Sequence[Entry]) -> None:
        """Put the entries into each."""
        await self.add_words(entries)
        await self.add_vectors(entries)

    async def add_words(self, entries: Sequence[Entry]) -> None:
        """Put the entries where they are found by their words; they need no vectors for it."""
        await self.sparse.add(entries)

    async def add_vectors(self, entries: Sequence[Entry]) -> None:
        """Put the entries where they are found by their meaning."""
        await self.dense.add(entries)
        await self.closeups.add(entries)

    async def remove_vectors(self, document_id: DocumentId) -> None:
        """Drop the document from where `add_vectors` put it."""
        await self.dense.remove(document_id)
        await self.closeups.remove(document_id)

    async def purge(self, documents: Collection[DocumentId], kept: Kept) -> None:
        """Drop the documents, of which nothing is `kept`, from each, with all that was ever said of them."""
        await self.sparse.purge(documents, kept)
        for document_id in documents:
            await self.remove_vectors(document_id)

    async def tidy(self) -> None:
        """Rid each of what is of no use any more."""
        for stored in self._all():
            await stored.tidy()

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
        """The indexes in use; None while nothing was ever indexed. Cheap when nothing changed.

        Whoever uses a part of them holds the whole: after a rebuild, what nobody holds is closed.
        """
        ...

    async def build(self, state: IndexState) -> Indexes:
        """Empty indexes of a new generation, which nobody uses yet. The caller closes them."""
        ...

    async def drop_all_but(self, generation: int) -> None:
        """Delete the files of other generations."""
        ...

    @property
    def waiting(self) -> bool:
        """Whether this process waits for the right to write, which another holds."""
        ...

    def writing(self, *, patiently: bool = False) -> AbstractAsyncContextManager[None]:
        """Hold the one right to write to the indexes. Whoever asks for it gets it before those who ask later.

        Raises:
            StoreBusy: Another process holds it, and did not let go in time; never, if `patiently`.
        """
        ...

    def draining(self) -> AbstractAsyncContextManager[bool]:
        """Hold the one right to drain the queue, and say whether it was free. It dies with its process."""
        ...
