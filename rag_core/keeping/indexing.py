"""Pages to chunks, chunks to the entries of the indexes, and indexes that these may be put into.

Who writes to the indexes holds the right to write meanwhile; making entries, which takes long, needs none.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

from rag_core.finding.index_state import refuse_others, state_of
from rag_core.finding.parts import Wholes, parts_of
from rag_core.protocols import Catalog, Chunker, Embedder, Indexes, IndexStore
from rag_core.types import Chunk, DocumentId, Entry, ModelCard, Page

INDEXED_AT_ONCE = 256
"""Chunks of one write to an index: each write is a new version of its files."""
EMBEDDED_AT_ONCE = 64
"""Chunks between two reports of progress; a multiple of any sensible batch."""

Step = Callable[[int, int], Awaitable[None]]
"""Is told how many chunks are embedded, and of how many. It may let others pass, or raise to end the work."""


class Indexing:
    """Makes what the indexes hold, with one model and one chunker."""

    def __init__(
        self, *, catalog: Catalog, store: IndexStore, embedder: Embedder, chunker: Callable[[ModelCard], Chunker]
    ) -> None:
        self._catalog = catalog
        self._store = store
        self._embedder = embedder
        self._chunker = chunker

    async def cut(self, document_id: DocumentId, pages: Sequence[Page]) -> tuple[Chunk, ...]:
        """A document's chunks, in reading order.

        Raises:
            ModelUnavailable: The model that chunks are measured by cannot be loaded.
        """
        chunker = self._chunker(await self._embedder.card())
        return tuple(await asyncio.to_thread(chunker.chunk, document_id, pages))

    async def entries(self, title: str, chunks: Sequence[Chunk], step: Step) -> AsyncIterator[list[Entry]]:
        """The chunks with their vectors, as many at a time as are written at once."""
        wholes = Wholes()
        for start in range(0, len(chunks), INDEXED_AT_ONCE):
            entries: list[Entry] = []
            for some in _in_steps(chunks[start : start + INDEXED_AT_ONCE], EMBEDDED_AT_ONCE):
                await step(start + len(entries), len(chunks))
                small = [chunk for chunk in some if not chunk.whole]
                parts = await asyncio.to_thread(list, map(parts_of, small))
                made = await self._embedder.embed_parts([chunk.indexed for chunk in small], parts, bulk=True)
                vectors = wholes.given(some, made)
                entries += [Entry(chunk, title, its_own) for chunk, its_own in zip(some, vectors, strict=True)]
            yield entries
        await step(len(chunks), len(chunks))

    async def writable(self) -> Indexes:
        """The indexes in use, made where there are none.

        Raises:
            IndexOutOfDate: They were made by another model or chunker.
            StoreUnavailable: The data folder cannot be written.
        """
        card = await self._embedder.card()
        chunker = self._chunker(card)
        indexes = await self._store.current()
        if indexes is None:
            first = state_of(card, chunker, generation=1)
            await (await self._store.build(first)).close()
            await self._catalog.set_index_state(first)
            indexes = await self._store.current()
            assert indexes is not None
        refuse_others(indexes.state, card, chunker)
        return indexes

    async def anew(self) -> Indexes:
        """Empty indexes of the generation after the one in use; whoever asks for them closes them."""
        before = await self._catalog.index_state()
        card = await self._embedder.card()
        state = state_of(card, self._chunker(card), generation=before.generation + 1 if before else 1)
        return await self._store.build(state)


def words_of(chunk: Chunk, title: str) -> Entry:
    """An entry for the keyword index, which looks at no vector."""
    import numpy as np

    return Entry(chunk, title, np.empty((0, 0), np.float32))


def _in_steps(chunks: Sequence[Chunk], size: int) -> list[Sequence[Chunk]]:
    return [chunks[i : i + size] for i in range(0, len(chunks), size)]
