"""Candidates of the first stage to their final order: what the vectors say, and what the words say, in one score. Pure.

Rank fusion is where one starts without knowing anything. Knowing how near the nearest sentence of a chunk is in
meaning, what the keyword index makes of it, how much of the question its whole section says, and whether a figure asked
for may stand in a table, one can do better. The weights are fitted on public questions; docs/retrieval.md reports them
on questions about other documents.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter, mul

from rag_core.text.terms import counted, terms
from rag_core.types import Chunk, ChunkId, Nearness

K1, B = 1.2, 0.75
"""BM25's usual constants (Robertson and Zaragoza, 2009): when a repeated word says no more, and what length costs."""
FAR = Nearness(0.0, 0.0)
AGAIN = 0.6
"""What a chunk loses for each one before it of its page, in units of the score: a passage shows much of its page, and
other pages say other things. On the public questions anything from 0.3 to 2 gains a point at five hits of the document
given, and changes nothing of all documents."""
DIGITS = "0123456789"
CELLS = 6
"""Bars between cells: a chunk with so many is (a part of) a table."""

_FIGURE = re.compile(
    r"""\bhow\ (many|much|large|big|high)\b | % | \bper\ ?cent | \bpercentage
    | \b(ratio|amount|total|average|margin|rate|growth|number\ of|proportion|share\ of)s?\b
    | \b(value|cost|price|sales|revenue)s?\b
    | \b(increase|decrease|change)[sd]?\b | \b(usd|eur|gbp|thousand|million|billion)s?\b | \byear.over.year\b""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Signals:
    """What the order rests on; each in [0, 1] but for the first, which is a cosine."""

    part: float
    """Of the question and the nearest sentence or row of the chunk. The chunk's own cosine adds nothing to it."""
    words: float
    """The chunk's score in the keyword index, over the best one's; 0 where it did not find the chunk."""
    around: float
    """The part of the question's weight that the chunk's section says, by BM25."""
    figures: float
    """For a question that asks for a figure, the part of the chunk's characters that are digits; else 0."""
    table: float
    """For such a question, 1 where the chunk is part of a table; else 0."""


WEIGHTS = Signals(part=11.8, words=3.5, around=6.7, figures=5.5, table=1.2)
"""Fitted by `python -m eval.train.ranking`."""
_values = attrgetter(*Signals.__slots__)
"""Signals as a tuple: `astuple` copies each number deeply, which takes longer than all else that is done with them."""


def rank(
    question: str,
    chunks: Sequence[Chunk],
    *,
    sections: Mapping[ChunkId, str],
    nearness: Mapping[ChunkId, Nearness],
    words: Mapping[ChunkId, float],
) -> list[tuple[Chunk, float]]:
    """The chunks with their scores, best first; ties stay as they came.

    `sections` holds the text of each chunk's section, `words` the scores of those that the keyword index found; a chunk
    without `nearness` is near to nothing.
    """
    scored = [
        (chunk, sum(map(mul, _values(WEIGHTS), _values(signals))))
        for chunk, signals in zip(chunks, signals_of(question, chunks, sections, nearness, words), strict=True)
    ]
    return _spread(sorted(scored, key=lambda item: -item[1]))


def _spread(ranked: Sequence[tuple[Chunk, float]]) -> list[tuple[Chunk, float]]:
    """The chunks with `AGAIN` taken from each for every one before it of its page, best first again."""
    before: Counter[tuple[str, int]] = Counter()
    spread = []
    for chunk, score in ranked:
        page = chunk.document_id, chunk.page
        spread.append((chunk, score - AGAIN * before[page]))
        before[page] += 1
    return sorted(spread, key=lambda item: -item[1])


def signals_of(
    question: str,
    chunks: Sequence[Chunk],
    sections: Mapping[ChunkId, str],
    nearness: Mapping[ChunkId, Nearness],
    words: Mapping[ChunkId, float],
) -> list[Signals]:
    """What is known of each chunk, in order.

    Words are weighed by how few of the sections have them (inverse document frequency over the candidates), so that
    what they all say tells none from another.
    """
    if not chunks:
        return []
    asked = dict.fromkeys(terms(question))
    wanted = frozenset(asked)
    texts = {_place(chunk): sections.get(chunk.id, chunk.text) for chunk in chunks}
    whole = {place: (counted(text, wanted), len(text)) for place, text in texts.items()}
    having = Counter(term for counts, _ in whole.values() for term in counts)
    weight = {term: math.log(1 + (len(whole) + 1) / (1 + having[term])) for term in asked}
    said = dict(zip(whole, _said(weight, list(whole.values())), strict=True))
    figure = _FIGURE.search(question) is not None
    best = max(words.values(), default=1.0) or 1.0
    return [
        Signals(
            part=nearness.get(chunk.id, FAR).part,
            words=words.get(chunk.id, 0.0) / best,
            around=said[_place(chunk)],
            figures=sum(map(chunk.text.count, DIGITS)) / len(chunk.text) if figure else 0.0,
            table=float(figure and chunk.text.count(" | ") >= CELLS),
        )
        for chunk in chunks
    ]


def _place(chunk: Chunk) -> tuple[str, int, int]:
    """Where its section is."""
    return chunk.document_id, chunk.page, chunk.section.start


def _said(weight: Mapping[str, float], texts: Sequence[tuple[Counter[str], int]]) -> list[float]:
    """For each text the part of the weight that it says: BM25, over the most that any text could score."""
    average = max(sum(length for _, length in texts) / len(texts), 1.0)
    most = (K1 + 1) * sum(weight.values()) or 1.0
    return [
        sum(
            weight[term] * count * (K1 + 1) / (count + K1 * (1 - B + B * length / average))
            for term, count in counts.items()
        )
        / most
        for counts, length in texts
    ]
