"""A chunk to the parts that a close look compares with a question one by one, and a section to its vector. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rag_core.text.sentences import sentences
from rag_core.types import Chunk, DocumentId, Nearness, Span

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


class Wholes:
    """Gives chunks that are whole sections their vectors, as chunks come by in order.

    The model sees no more of a section at once than a part.
    """

    def __init__(self) -> None:
        self._place: tuple[DocumentId, int, Span] | None = None
        self._parts: list[NDArray[np.float32]] = []
        """Vectors of the section that comes by, a part each."""

    def given(self, chunks: Sequence[Chunk], made: Iterable[NDArray[np.float32]]) -> list[NDArray[np.float32]]:
        """The vectors of the chunks, of which those that are not whole sections are `made`.

        A whole one has a single vector, the mean of its parts', of unit length.
        """
        import numpy as np

        vectors, others = [], iter(made)
        for chunk in chunks:
            if chunk.whole:
                mean = np.mean(self._parts, axis=0, keepdims=True)
                vectors.append(np.asarray(mean / np.linalg.norm(mean)))
                continue
            vectors.append(next(others))
            if self._place != (place := (chunk.document_id, chunk.page, chunk.section)):
                self._place, self._parts = place, []
            self._parts.append(vectors[-1][0])
        return vectors


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
