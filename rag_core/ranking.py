"""Candidates of the first stage to their final order: what the vectors say, and what the words say, in one score. Pure.

Rank fusion is where one starts without knowing anything. Knowing how near a chunk is in meaning, how much of the
question it says, how much its whole section says, and whether a figure asked for may stand in a table, one can do
better; the weights are fitted on public questions, and scores of other documents' questions report them.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass

from rag_core.terms import counted, terms
from rag_core.types import Chunk, ChunkId, Nearness

K1, B = 1.2, 0.75
"""BM25's usual constants (Robertson and Zaragoza, 2009): when a repeated word says no more, and what length costs."""
FAR = Nearness(0.0, 0.0)
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
    """What the order rests on; each in [0, 1] but for the first two, which are cosines."""

    nearness: float
    """Of the question and the chunk."""
    part: float
    """Of the question and the nearest sentence or row of the chunk."""
    said: float
    """The part of the question's weight that the chunk and its headings say, by BM25."""
    around: float
    """The part that the chunk's section says."""
    figures: float
    """For a question that asks for a figure, the part of the chunk's characters that are digits; else 0."""
    table: float
    """For such a question, 1 where the chunk is part of a table; else 0."""


WEIGHTS = Signals(nearness=4.6, part=4.6, said=10.7, around=8.0, figures=4.0, table=1.2)
"""Fitted by `python -m eval.train.ranking`."""


def rank(
    question: str, chunks: Sequence[Chunk], *, sections: Mapping[ChunkId, str], nearness: Mapping[ChunkId, Nearness]
) -> list[tuple[Chunk, float]]:
    """The chunks with their scores, best first; ties stay as they came.

    `sections` holds the text of each chunk's section; a chunk without `nearness` is near to nothing.
    """
    scored = [
        (chunk, sum(w * s for w, s in zip(astuple(WEIGHTS), astuple(signals), strict=True)))
        for chunk, signals in zip(chunks, signals_of(question, chunks, sections, nearness), strict=True)
    ]
    return sorted(scored, key=lambda item: -item[1])


def signals_of(
    question: str, chunks: Sequence[Chunk], sections: Mapping[ChunkId, str], nearness: Mapping[ChunkId, Nearness]
) -> list[Signals]:
    """What is known of each chunk, in order.

    Words are weighed by how few of these chunks have them (inverse document frequency over the candidates), so that
    what they all say tells none from another.
    """
    if not chunks:
        return []
    asked = dict.fromkeys(terms(question))
    own = [counted(chunk.indexed, asked) for chunk in chunks]
    whole: dict[tuple[str, int, int], tuple[Counter[str], int]] = {}
    for chunk in chunks:
        if (place := _place(chunk)) not in whole:
            whole[place] = counted(sections.get(chunk.id, chunk.text), asked)
    around = [whole[_place(chunk)] for chunk in chunks]
    having = Counter(term for counts, _ in own for term in counts)
    weight = {term: math.log(1 + (len(chunks) + 1) / (1 + having[term])) for term in asked}
    figure = _FIGURE.search(question) is not None
    return [
        Signals(
            nearness=nearness.get(chunk.id, FAR).whole,
            part=nearness.get(chunk.id, FAR).part,
            said=said,
            around=told,
            figures=sum(map(str.isdigit, chunk.text)) / len(chunk.text) if figure else 0.0,
            table=float(figure and chunk.text.count(" | ") >= CELLS),
        )
        for chunk, said, told in zip(chunks, _said(weight, own), _said(weight, around), strict=True)
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
