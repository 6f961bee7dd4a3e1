"""Hits and their chunks to what a writer sees: labelled passages, best first, each text once. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rag_core.types import Chunk, ChunkId, Document, DocumentId, Hit, Passage


def passages(
    hits: Sequence[Hit],
    *,
    chunks: Mapping[ChunkId, Chunk],
    documents: Mapping[DocumentId, Document],
    signals: Mapping[str, Sequence[Hit]],
    k: int,
) -> list[Passage]:
    """The first `k` hits whose chunks are known, labelled from 1.

    A text that is already among them (a notice that a document prints twice) is passed over: it
    would take a place and say nothing new. `signals` holds each retriever's own hits; their scores go along.
    """
    scores = {name: {hit.chunk_id: hit.score for hit in run} for name, run in signals.items()}
    found: list[Passage] = []
    seen: set[tuple[DocumentId, str]] = set()
    for hit in hits:
        chunk = chunks.get(hit.chunk_id)
        if chunk is None:
            continue
        text = " ".join(chunk.text.casefold().split())
        if (chunk.document_id, text) in seen:
            continue
        seen.add((chunk.document_id, text))
        found.append(
            Passage(
                label=len(found) + 1,
                chunk=chunk,
                title=documents[chunk.document_id].title,
                score=hit.score,
                signals={name: run[hit.chunk_id] for name, run in scores.items() if hit.chunk_id in run},
            )
        )
        if len(found) == k:
            break
    return found
