"""A question to the passages that bear on it: both indexes asked at once, fused, put in order, and made whole."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from rag_core.errors import DocumentNotFound, StoreUnavailable
from rag_core.finding.comparison import KNOWN_BY_NAME, compared, compares
from rag_core.finding.fusion import reciprocal_rank_fusion
from rag_core.finding.glances import Glances
from rag_core.finding.index_state import refuse_others
from rag_core.finding.passages import passages
from rag_core.finding.queries import asked, held
from rag_core.finding.ranking import rank
from rag_core.finding.ratios import spelled_out
from rag_core.finding.readiness import readiness
from rag_core.protocols import Catalog, Chunker, Embedder, Indexes, IndexStore, Reranker
from rag_core.types import (
    Chunk,
    ChunkId,
    Document,
    DocumentId,
    Found,
    Hit,
    ModelCard,
    Nearness,
    Page,
    Passage,
    Rect,
    Scope,
    SearchMode,
)

CANDIDATES = 50
"""Hits of each index that go on to the second stage: it gains nothing from deeper lists on the public questions."""
READ_NOW = 16
"""Chunks without vectors that are looked at for one question: two batches at most, if nobody has asked before."""


@dataclass(frozen=True, slots=True)
class _Runs:
    """What the indexes say of a question, and what the catalog has of their hits."""

    hits: Mapping[str, Sequence[Hit]] = field(default_factory=dict)
    """By index."""
    nearness: Mapping[ChunkId, Nearness] = field(default_factory=dict)
    chunks: Mapping[ChunkId, Chunk] = field(default_factory=dict)
    sections: Mapping[ChunkId, str] = field(default_factory=dict)

    def signals(self) -> dict[ChunkId, dict[str, float]]:
        """Each chunk's own score by every index that found it, and its cosines however it was found."""
        signals: dict[ChunkId, dict[str, float]] = {}
        for name, run in self.hits.items():
            for hit in run:
                signals.setdefault(hit.chunk_id, {})[name] = hit.score
        for chunk_id, near in self.nearness.items():
            signals[chunk_id] |= {"dense": near.whole, "part": near.part}
        return signals


@dataclass(frozen=True, slots=True)
class _Ranked:
    """Hits in order, and what is known of them."""

    hits: Sequence[Hit]
    chunks: Mapping[ChunkId, Chunk]
    sections: Mapping[ChunkId, str]
    signals: Mapping[ChunkId, Mapping[str, float]]
    """What passages say of themselves."""


class Retrieval:
    """Finds passages. Stateless but for its collaborators; any number of calls may run at once."""

    def __init__(
        self,
        catalog: Catalog,
        store: IndexStore,
        embedder: Embedder,
        chunker: Callable[[ModelCard], Chunker],
        reranker: Reranker | None = None,
    ) -> None:
        self._catalog = catalog
        self._store = store
        self._embedder = embedder
        self._chunker = chunker
        self._reranker = reranker
        self._glances = Glances(embedder)

    async def find(self, question: str, *, scope: Scope, k: int, mode: SearchMode = "hybrid") -> Found:
        """The `k` best passages of the scope, fewer where there are no more; none when nothing matches.

        Raises:
            DocumentNotFound: The scope names a document that it does not hold.
            IndexOutOfDate: The indexes were built by another model or chunker.
        """
        start = time.perf_counter()
        question = question.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # half a character is none
        wanted = spelled_out(question)
        visible = await self._catalog.visible(scope)
        for document_id in sorted(scope.documents or ()):
            if document_id not in visible:
                raise DocumentNotFound(f"There is no document {document_id!r} here; name one of those that are listed.")
        if visible:
            await self._read_ahead(wanted, mode)
        # Of documents that are compared each has its share of the places, and whatever else there is comes after.
        scopes = [*await self._sides(question, scope, visible), visible] if visible else []
        ranked = await asyncio.gather(*(self._ranked(wanted, within, max(k, CANDIDATES), mode) for within in scopes))
        named = frozenset(hit.document_id for one in ranked for hit in one.hits)
        documents = {d.id: d for d in await self._catalog.documents(replace(scope, documents=named))} if named else {}
        found = _passages(ranked, documents, k)
        pending = frozenset(await self._catalog.pending())
        self._glances.keep(pending)
        notes = await readiness(self._catalog, scope, pending)
        return Found(question, tuple(found), (time.perf_counter() - start) * 1000, notes)

    async def warm_up(self) -> None:
        """Load the embedding model, and open the indexes where there are any."""
        await self._embedder.card()
        await self._store.current()

    async def _read_ahead(self, question: str, mode: SearchMode) -> None:
        """Embed the question, which the embedder remembers, while nothing else competes for the processor."""
        if mode != "sparse" and question.strip() and await self._store.current() is not None:
            await self._embedder.embed([question])

    async def _sides(
        self, question: str, scope: Scope, visible: Collection[DocumentId]
    ) -> Sequence[Collection[DocumentId]]:
        """The documents that the question compares. Their titles are only read when it compares any."""
        if len(visible) > KNOWN_BY_NAME or not compares(question):
            return []
        return await asyncio.to_thread(compared, question, await self._catalog.documents(scope))

    async def _ranked(self, question: str, within: Collection[DocumentId], depth: int, mode: SearchMode) -> _Ranked:
        """The hits in some documents, in their final order, with all that passages are made of."""
        runs = await self._runs(question, within, depth, mode)
        hits = reciprocal_rank_fusion(runs.hits.values())
        if mode == "hybrid":
            hits = await self._reordered(question, hits, runs)
        return _Ranked(hits, runs.chunks, runs.sections, runs.signals())

    async def _reordered(self, question: str, hits: Sequence[Hit], runs: _Runs) -> list[Hit]:
        """The second stage: the hits by one score, those that a reranker read by its own before all others."""
        candidates = [runs.chunks[hit.chunk_id] for hit in hits if hit.chunk_id in runs.chunks]
        words = {hit.chunk_id: hit.score for hit in runs.hits["sparse"]}
        ranked = await asyncio.to_thread(
            rank, question, candidates, sections=runs.sections, nearness=runs.nearness, words=words
        )
        if self._reranker is not None:
            read = [chunk for chunk, _ in ranked[:CANDIDATES]]
            scores = await self._reranker.score(question, read)
            order = sorted(zip(read, scores, strict=True), key=lambda item: -item[1])
            ranked = [*order, *ranked[CANDIDATES:]]
        # What the asker put in quotes, or a part number, is what the asker wants: no likeness outweighs it.
        wanted = asked(question)
        ranked.sort(key=lambda item: -held(wanted, item[0].text))
        return [Hit(chunk.id, chunk.document_id, chunk.page, score) for chunk, score in ranked]

    async def locate(self, found: Found) -> Found:
        """The same passages, each with the rectangle around it on its page."""
        places = [(passage.chunk.document_id, passage.chunk.page) for passage in found.passages]
        pages = await self._catalog.pages_at(set(places))
        located = [
            replace(passage, bbox=_bbox(pages.get(place), passage))
            for passage, place in zip(found.passages, places, strict=True)
        ]
        return replace(found, passages=tuple(located))

    async def _runs(self, question: str, within: Collection[DocumentId], k: int, mode: SearchMode) -> _Runs:
        """What the indexes say; nothing while nothing was ever indexed."""
        indexes = await self._store.current()
        if indexes is None:
            return _Runs()
        try:
            return await self._asked(indexes, question, within, k, mode)
        except StoreUnavailable:
            # A rebuild may have taken the files away; whoever asks again is given the new ones.
            latest = await self._store.current()
            if latest is None or latest.state == indexes.state:
                raise
            return await self._asked(latest, question, within, k, mode)

    async def _asked(
        self, indexes: Indexes, question: str, within: Collection[DocumentId], k: int, mode: SearchMode
    ) -> _Runs:
        asked = {"dense": indexes.dense, "sparse": indexes.sparse}
        if mode != "hybrid":
            asked = {mode: asked[mode]}
        if "dense" in asked:
            card = await self._embedder.card()
            refuse_others(indexes.state, card, self._chunker(card))
        runs = await asyncio.gather(*(index.retrieve(question, within=within, k=k) for index in asked.values()))
        parts = await self._catalog.parts([hit.chunk_id for run in runs for hit in run])
        runs = [_in_parts(run, parts) for run in runs]
        ids = list(dict.fromkeys(hit.chunk_id for run in runs for hit in run))
        # Two files, read side by side.
        nearness, chunks, sections = await asyncio.gather(
            indexes.closeups.nearness(question, ids if mode == "hybrid" else []),
            self._catalog.chunks(ids),
            self._catalog.sections(ids),
        )
        if mode == "hybrid":
            unseen = [chunks[identity] for identity in ids if identity in chunks and identity not in nearness]
            nearness |= await self._glances.nearness(question, unseen[:READ_NOW])
        return _Runs(dict(zip(asked, runs, strict=True)), nearness, chunks, sections)


def _in_parts(run: Sequence[Hit], parts: Mapping[ChunkId, Sequence[ChunkId]]) -> list[Hit]:
    """The hits, and behind them the parts of the whole sections that were found: a close look tells which is meant.

    A part has no score of its own then: its section's says nothing of it alone.
    """
    found = {hit.chunk_id: hit for hit in run if hit.chunk_id not in parts}
    for hit in run:
        for identity in parts.get(hit.chunk_id, ()):
            found.setdefault(identity, replace(hit, chunk_id=identity, score=0.0))
    return list(found.values())


def _passages(ranked: Sequence[_Ranked], documents: Mapping[DocumentId, Document], k: int) -> list[Passage]:
    """From all scopes: in turn from those that are compared, then from the last, which is all of them."""
    if not ranked:
        return []
    *sides, whole = ranked
    in_turn = [hit for row in zip_longest(*(side.hits for side in sides)) for hit in row if hit is not None]
    return passages(
        list({hit.chunk_id: hit for hit in [*in_turn, *whole.hits]}.values()),
        chunks={identity: chunk for one in ranked for identity, chunk in one.chunks.items()},
        sections={identity: text for one in ranked for identity, text in one.sections.items()},
        documents=documents,
        signals={identity: signals for one in ranked for identity, signals in one.signals.items()},
        k=k,
    )


def _bbox(page: Page | None, passage: Passage) -> Rect | None:
    around: Rect | None = None
    span = passage.chunk.span
    for block in page.blocks if page else ():
        if block.span.start < span.end and span.start < block.span.end:
            around = block.bbox if around is None else around.union(block.bbox)
    return around
