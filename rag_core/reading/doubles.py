"""Text that was painted twice in one place, for a shadow or to look bold, read once. Pure."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product

from rag_core.reading.bidi import has_right_to_left
from rag_core.types.rawpage import Run

SHIFT = 0.15
"""Of the size: a second coat lies this close to the first; two letters side by side do not."""

CELL = 4.0
"""Points: no second coat is further off, however large the type."""


class _Met:
    """What was met, and where."""

    def __init__(self) -> None:
        self._words: set[str] = set()
        self._cells: dict[tuple[str, int, int], list[tuple[float, float]]] = {}

    def again(self, word: str, x: float, y: float, size: float) -> bool:
        """Whether the word was met at this place before; from now on it was."""
        column, row = int(x // CELL), int(y // CELL)
        if word in self._words:
            near = min(SHIFT * size, CELL)
            for cell in product((word,), range(column - 1, column + 2), range(row - 1, row + 2)):
                if any(abs(x - a) <= near and abs(y - b) <= near for a, b in self._cells.get(cell, ())):
                    return True
        self._words.add(word)
        self._cells.setdefault((word, column, row), []).append((x, y))
        return False


def without_doubles(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs without what says the same in the same place as something before it.

    Whole runs are compared with one another always; letters only where the pen goes back over what it has painted.
    """
    met = _Met()
    kept = [r for r in runs if r.text.isspace() or not met.again(r.text.strip(), r.edges[0], r.edges[1], r.size)]
    if any(map(_goes_back, kept)) or any(_overlap(one, other) for one, other in pairwise(kept)):
        return tuple(_by_letters(kept))
    return tuple(kept)


def _goes_back(run: Run) -> bool:
    """Whether a letter of the run stands to the left of the one before it, and where an equal one stood."""
    lefts = run.edges[0::4].tolist()
    if run.turn or run.vertical or lefts == sorted(lefts):
        return False
    near = SHIFT * run.size
    return any(
        left < before
        and any(char == other and abs(left - x) <= near for other, x in zip(run.text[:i], lefts, strict=False))
        for i, (before, left, char) in enumerate(zip(lefts, lefts[1:], run.text[1:], strict=False), start=1)
    )


def _overlap(run: Run, after: Run) -> bool:
    """Whether `after` begins on the run, on a letter equal to its own first."""
    near = SHIFT * after.size
    (x0, y0, x1, _), (a0, b0, _, _) = run.bbox, after.bbox
    return (
        run.turn == after.turn == 0
        and abs(y0 - b0) <= near
        and x0 <= a0 < x1
        and any(
            char == after.text[0] and abs(x - after.edges[0]) <= near
            for char, x in zip(run.text, run.edges[0::4], strict=True)
        )
    )


def _by_letters(runs: Sequence[Run]) -> Iterator[Run]:
    """The runs without the letters that lie on equal ones, and without the blanks after those."""
    met = _Met()
    for run in runs:
        # Arabic ligatures are several letters in one place, and two of those may be equal.
        places = range(len(run.text)) if has_right_to_left(run.text) else _new(run, met)
        if len(places) == len(run.text):
            yield run
        elif places:
            edges = array("f", [edge for i in places for edge in run.edges[4 * i : 4 * i + 4]])
            box = (min(edges[0::4]), min(edges[1::4]), max(edges[2::4]), max(edges[3::4]))
            yield replace(run, text="".join([run.text[i] for i in places]), edges=edges, bbox=box)


def _new(run: Run, met: _Met) -> list[int]:
    """The places in the run of the letters that were not met before, and of the blanks that do not follow on others."""
    places: list[int] = []
    follows_double = False
    for i, char in enumerate(run.text):
        if char.isspace():
            is_double = follows_double and (not places or run.text[places[-1]].isspace())
        else:
            is_double = follows_double = met.again(char, run.edges[4 * i], run.edges[4 * i + 1], run.size)
        if not is_double:
            places.append(i)
    return places
