"""A chunk to the parts that a close look compares with a question one by one: its sentences, or rows. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rag_core.text.sentences import sentences
from rag_core.types import Chunk, Nearness, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEAST = 40
"""Characters of a part: "Total" or "2.1" alone is near to nothing, and belongs to what follows it."""
MOST = 8
"""Parts of a chunk: a table of forty rows would take ten times the room of a paragraph, and neighbours that share a
part are still told from the rest."""


def parts_of(chunk: Chunk) -> list[Span]:
    """The parts, in order, as spans of `chunk.indexed`; none when the chunk is one part itself.

    >>> whole = Span(0, 99)
    >>> text = "Grade 3 has twenty-five days of annual leave. Nobody may carry over more than five of them."
    >>> chunk = Chunk("c", "d", 1, whole, whole, text, context="Leave")
    >>> [part.of(chunk.indexed) for part in parts_of(chunk)]
    ['Grade 3 has twenty-five days of annual leave.', 'Nobody may carry over more than five of them.']
    """
    found = _long_enough(sentences(chunk.text))
    size = -(-len(found) // MOST)
    grouped = [Span(some[0].start, some[-1].end) for some in _runs(found, max(size, 1))]
    return [span.shifted(len(chunk.indexed) - len(chunk.text)) for span in grouped] if len(grouped) > 1 else []


def nearness_of(cosines: NDArray[np.float32]) -> Nearness:
    """Of a chunk's cosines with a question, shape (1 + parts,): that of the whole, and the best of its parts."""
    return Nearness(float(cosines[0]), float(cosines[1:].max() if len(cosines) > 1 else cosines[0]))


def _long_enough(spans: Sequence[Span]) -> list[Span]:
    """The spans, each that is too short joined to the next; the last one to the one before."""
    joined: list[Span] = []
    for span in spans:
        if joined and len(joined[-1]) < LEAST:
            joined[-1] = Span(joined[-1].start, span.end)
        else:
            joined.append(span)
    if len(joined) > 1 and len(joined[-1]) < LEAST:
        last = joined.pop()
        joined[-1] = Span(joined[-1].start, last.end)
    return joined


def _runs(spans: Sequence[Span], size: int) -> list[Sequence[Span]]:
    return [spans[i : i + size] for i in range(0, len(spans), size)]
