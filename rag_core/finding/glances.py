"""Chunks whose vectors are still to come to how near a question is to them: each is read once, whoever asks.

A long document takes minutes to embed, and questions meanwhile find the same chunks of it again and again.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from rag_core.finding.parts import nearness_of, parts_of
from rag_core.protocols import Embedder
from rag_core.types import Chunk, ChunkId, DocumentId, Nearness

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KEPT = 512
"""Chunks, at most: of nine vectors each, with the packaged model, 7 MB."""


class Glances:
    """Keeps the vectors that it makes for as long as nobody else has them."""

    def __init__(self, embedder: Embedder, *, kept: int = KEPT) -> None:
        self._embedder = embedder
        self._most = kept
        self._kept: OrderedDict[ChunkId, tuple[DocumentId, NDArray[np.float32]]] = OrderedDict()

    async def nearness(self, question: str, chunks: Sequence[Chunk]) -> dict[ChunkId, Nearness]:
        """How near the question is to each of the chunks: they are judged like all others."""
        if not chunks or not question.strip():
            return {}
        asked = (await self._embedder.embed([question]))[0]
        vectors = {chunk.id: self._kept[chunk.id][1] for chunk in chunks if chunk.id in self._kept}
        if new := [chunk for chunk in chunks if chunk.id not in vectors]:
            parts = await asyncio.to_thread(list, map(parts_of, new))
            made = await self._embedder.embed_parts([chunk.indexed for chunk in new], parts)
            for chunk, its_own in zip(new, made, strict=True):
                vectors[chunk.id] = its_own
                self._kept[chunk.id] = chunk.document_id, its_own
        for chunk in chunks:
            if chunk.id in self._kept:  # or another question's have taken its place by now
                self._kept.move_to_end(chunk.id)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return {identity: nearness_of(its_own @ asked) for identity, its_own in vectors.items()}

    def keep(self, pending: Collection[DocumentId]) -> None:
        """Forget the chunks of all other documents: the indexes have their vectors, or nobody is to have them."""
        for identity in [identity for identity, (document, _) in self._kept.items() if document not in pending]:
            del self._kept[identity]
