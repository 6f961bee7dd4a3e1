"""Hits and their chunks to what a writer sees: labelled passages, best first, each text once and whole. Pure.

What is small is found best, and what is whole is understood best: a chunk that was found grows to its section, or as
far around it as there is room, by whole paragraphs and rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rag_core.types import Chunk, ChunkId, Document, DocumentId, Hit, Passage, Span

ROOM = 1_000
"""Characters of a passage: some 250 tokens, about a paragraph and its neighbours."""
BEST = 3
"""Passages that have more room: an answer stands in one of the first, and may need all of a table."""
BEST_ROOM = 2_400
"""Characters of each of those: a statement of forty rows. Eight passages are some 3,000 tokens in all."""

_LINE = re.compile(r"[^\n]+")


def passages(  # noqa: PLR0913 - all of it is what passages are made of
    hits: Sequence[Hit],
    *,
    chunks: Mapping[ChunkId, Chunk],
    sections: Mapping[ChunkId, str],
    documents: Mapping[DocumentId, Document],
    signals: Mapping[ChunkId, Mapping[str, float]],
    k: int,
) -> list[Passage]:
    """The first `k` hits whose chunks are known, labelled from 1, grown to what is around them.

    A hit that a passage before it holds already is passed over, and so is a text that is among them (a notice that a
    document prints twice): it would take a place and say nothing new. No two passages share a character but where
    their chunks do. `sections` holds the text of each chunk's section; `signals` the scores that go along.
    """
    found: list[Passage] = []
    seen: set[tuple[DocumentId, str]] = set()
    taken: dict[tuple[DocumentId, int], list[Span]] = {}
    for hit in hits:
        chunk = chunks.get(hit.chunk_id)
        if chunk is None or chunk.document_id not in documents:
            continue  # it was removed meanwhile
        text = " ".join(chunk.text.casefold().split())
        here = taken.setdefault((chunk.document_id, chunk.page), [])
        if (chunk.document_id, text) in seen or any(_holds(span, chunk.span) for span in here):
            continue
        seen.add((chunk.document_id, text))
        room = BEST_ROOM if len(found) < BEST else ROOM
        whole = grown(chunk, sections.get(chunk.id, chunk.text), taken=here, room=room)
        here.append(whole.span)
        found.append(
            Passage(
                label=len(found) + 1,
                chunk=whole,
                title=documents[chunk.document_id].title,
                score=hit.score,
                signals=signals.get(hit.chunk_id, {}),
            )
        )
        if len(found) == k:
            break
    return found


def grown(chunk: Chunk, section: str, *, taken: Sequence[Span] = (), room: int = ROOM) -> Chunk:
    """The chunk with as much of its section around it as there is room for, and as is not `taken`.

    It grows by whole lines (paragraphs, or rows of a table), first by those that the chunk cuts, then by the ones
    after and before it in turn. A chunk that has all the room itself stays as it is.
    """
    start = chunk.section.start
    lines = [Span(start + m.start(), start + m.end()) for m in _LINE.finditer(section)]
    span = chunk.span
    for line in _nearest_first(lines, span):
        wider = Span(min(span.start, line.start), max(span.end, line.end))
        if len(wider) <= room and not any(_meet(wider, other) and not _meet(span, other) for other in taken):
            span = wider
        elif not _meet(line, chunk.span):
            break
    return replace(chunk, span=span, text=span.shifted(-start).of(section)) if span != chunk.span else chunk


def _nearest_first(lines: Sequence[Span], span: Span) -> Iterator[Span]:
    yield from (line for line in lines if _meet(line, span))
    after = iter([line for line in lines if line.start >= span.end])
    before = iter([line for line in reversed(lines) if line.end <= span.start])
    while True:
        pair = [line for line in (next(after, None), next(before, None)) if line is not None]
        if not pair:
            return
        yield from pair


def _meet(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _holds(one: Span, other: Span) -> bool:
    return one.start <= other.start and other.end <= one.end
