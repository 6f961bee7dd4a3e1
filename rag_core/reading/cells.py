"""The pieces of a table's rows to cells: the column each is in, and the rows that are lines of one. Pure."""

# ruff: noqa: RUF001 -- look-alike characters are what it is about

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from rag_core.reading.bidi import reads_from_right
from rag_core.reading.segments import Row, Segment, is_marker

Cell = list[Segment]
"""The lines of one cell, from top to bottom; empty when nothing stands there."""

STRAY = 0.1
"""Of the rows: so many may reach over the gap between two columns, as a title or a long label does."""
WRAPPED = 0.6
"""Of the size: lines of one cell are no further apart."""
TIGHT = 0.2
"""Of the size: where rows stand apart, a line this close to the row above is part of it, whatever it begins with."""
SPANS = 0.2
"""Of a column's width: how much of it a title must reach over to stand above it."""
CLOSE = 1.5
"""Of the size: a sign this far from the amount before it is not its own; it names a column."""

NOTHING = frozenset({"-", "–", "—"})
"""Set where an amount would be nought."""

_NUMERIC = re.compile(r"[\s$€£¥%()\-–—+.,/:*†‡§\d]*(?:bn|m|k|x|pts?|bps?)?[)%*\s]*", re.IGNORECASE)
_PREFIXES = frozenset({"$", "€", "£", "¥", "(", "US$", "$(", "-", "–"})
_SUFFIXES = frozenset({")", "%", ")%", "*", "†", "bps", "pts"})


def cell_text(cell: Cell) -> str:
    """Its lines, joined by spaces."""
    return " ".join([s.text for s in cell])


def extent(cell: Cell) -> tuple[float, float]:
    """Where it begins and ends."""
    return min(s.x0 for s in cell), max(s.x1 for s in cell)


def from_right(grid: Sequence[Sequence[Cell]]) -> bool:
    """Whether a table is in a script that runs from right to left: so do its columns."""
    return reads_from_right(" ".join([cell_text(cell) for row in grid for cell in row]))


def is_numeric(text: str) -> bool:
    """Whether a cell holds an amount and nothing else."""
    return any(map(str.isdigit, text)) and _NUMERIC.fullmatch(text.strip()) is not None


def are_amounts(texts: Sequence[str]) -> bool:
    """Whether all are amounts or their signs, and not the bare numbers that count lines."""
    signs = NOTHING | _PREFIXES | _SUFFIXES
    return all(text in signs or is_numeric(text) for text in texts) and not all(map(str.isdigit, texts))


def columns_of(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """x-intervals that the cells fall into: between them (almost) no row has ink."""
    many = [row for row in rows if len(row) > 1]
    typical = sorted(map(len, many))[len(many) // 2]
    many = [row for row in many if len(row) >= typical]  # titles over several columns would close the gaps
    allowed = int(STRAY * len(many))
    events: list[tuple[float, int]] = []
    for row in many:
        for s in row:
            if s.text not in _PREFIXES and s.text not in _SUFFIXES:
                events += [(s.x0, 1), (s.x1, -1)]
    events.sort()
    columns: list[tuple[float, float]] = []
    depth, start = 0, 0.0
    for x, step in events:
        if step > 0 and depth == allowed:
            start = x
        depth += step
        if step < 0 and depth == allowed:
            if columns and start - columns[-1][1] <= 1:
                columns[-1] = (columns[-1][0], x)
            else:
                columns.append((start, x))
    return columns


def placed(row: Row, columns: Sequence[tuple[float, float]]) -> list[Cell]:
    """The row's cells by column; a currency sign goes with what follows, a closing bracket with what is before."""
    cells: list[Cell] = [[] for _ in columns]
    before = 0
    for i, s in enumerate(row):
        if s.text in _PREFIXES and i + 1 < len(row) and _goes_before(s, row[i + 1]):
            k = _column_of(row[i + 1], columns)
        elif s.text in _SUFFIXES and i and s.x0 - row[i - 1].x1 < CLOSE * s.size:
            k = before
        else:
            k = _column_of(s, columns)
        cells[k].append(s)
        before = k
    return cells


def _goes_before(sign: Segment, after: Segment) -> bool:
    """Whether a sign is part of what follows: "$" stands as far from its amount as it likes, a minus close to it."""
    if sign.text in NOTHING:
        return after.x0 - sign.x1 < CLOSE * sign.size
    return after.text not in _SUFFIXES


def _column_of(s: Segment, columns: Sequence[tuple[float, float]]) -> int:
    best, most = 0, float("-inf")
    for k, (x0, x1) in enumerate(columns):
        shared = min(x1, s.x1) - max(x0, s.x0)
        if shared > most + 0.1:
            best, most = k, shared
    return best


def reached(cell: Cell, columns: Sequence[tuple[float, float]]) -> list[int]:
    """The columns that it stands above."""
    x0, x1 = extent(cell)
    return [k for k, (a, b) in enumerate(columns) if min(x1, b) - max(x0, a) > SPANS * (b - a)]


def spans(cell: Cell, columns: Sequence[tuple[float, float]]) -> bool:
    """Whether it stands above several columns, or between two."""
    if not cell:
        return False
    middle = sum(extent(cell)) / 2
    return len(reached(cell, columns)) > 1 or all(not a <= middle <= b for a, b in columns)


def is_unit(row: Sequence[Cell], above: Sequence[Cell]) -> bool:
    """Whether a row is one remark in brackets set to the middle of several names, as "(In thousands)" is."""
    filled = [cell for cell in row if cell]
    if len(filled) != 1 or row[0] or not filled[0][0].text.startswith("("):
        return False
    return spans(filled[0], [extent(cell) for cell in above if cell])


def merge_wrapped(grid: Sequence[list[Cell]]) -> list[list[Cell]]:
    """Rows that only continue a cell of the row before (or after) become part of it."""
    merged: list[list[Cell]] = []
    pending: list[Cell] | None = None
    gaps = [gap_between(above, row) for above, row in pairwise(grid)]
    usual = median(gaps) if gaps else 0.0
    for i, row in enumerate(grid):
        if pending is not None:
            merged.append([a + b for a, b in zip(pending, row, strict=True)])
            pending = None
            continue
        filled = [k for k, cell in enumerate(row) if cell]
        first = cell_text(row[filled[0]])
        is_part = goes_on(first) or (
            filled[0] > 0 and not is_numeric(first) and not (merged and is_unit(row, merged[-1]))
        )
        if filled == [0] and merged:
            apart = TIGHT * row[0][0].size
            is_part = is_part or (gaps[i - 1] < apart and gaps[i - 1] + apart < min([usual, *gaps[i : i + 1]]))
        if merged and ((len(filled) == 1 and is_part) or _continues_all(merged[-1], row)):
            merged[-1] = [a + b for a, b in zip(merged[-1], row, strict=True)]
            continue
        if filled == [0] and not first.endswith(":") and i + 1 < len(grid) and goes_on(cell_text(grid[i + 1][0])):
            pending = row
            continue
        merged.append(row)
    if pending is not None:
        merged.append(pending)
    return merged


def goes_on(text: str) -> bool:
    """Whether a line begins in the middle of a sentence; "b. If so" begins an item."""
    return text[:1].islower() and not is_marker(text.split(maxsplit=1)[0])


def _continues_all(before: Sequence[Cell], row: Sequence[Cell]) -> bool:
    """Whether a row is the second line of several cells at once: its name goes on in lower case, and no amount ends."""
    if not (row[0] and before[0] and goes_on(cell_text(row[0]))):
        return False
    if any(
        b and (not a or is_numeric(cell_text(b)) or cell_text(b) in NOTHING) for a, b in zip(before, row, strict=True)
    ):
        return False
    return gap_between(before, row) < WRAPPED * row[0][0].size


def gap_between(above: Sequence[Cell], row: Sequence[Cell]) -> float:
    """The height between two rows."""
    return min(s.y0 for cell in row for s in cell) - max(s.y1 for cell in above for s in cell)
