"""What a table's columns are called: which of its first rows name them, and what stands above several. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from rag_core.reading.cells import NOTHING, WRAPPED, Cell, cell_text, extent, gap_between, is_numeric, reached, spans

MAX_HEADER_ROWS = 5
FAR = 3.0
"""Of the size: no two lines of a header are further apart."""
LONGEST_NAME = 80
"""Characters: what is longer names no column."""

_YEAR = re.compile(r".*\b(?:19|20)\d\d\b.*|\(?[a-z]\)?", re.IGNORECASE | re.DOTALL)


def header_rows(grid: Sequence[Sequence[Cell]]) -> int:
    """How many rows at the top name the columns: those before the first row with an amount under a name."""
    keys = [cell_text(row[0]) for row in grid if row[0] and any(row[1:])]
    if _is_list_of_facts(grid) or 2 * sum(key.endswith(":") for key in keys) > len(keys):
        return 0
    for i, row in enumerate(grid[: MAX_HEADER_ROWS + 1]):
        texts = [cell_text(cell) for cell in row]
        values = [t for t in texts[1:] if t]
        amounts = [t for t in values if is_numeric(t) and not _YEAR.fullmatch(t)]
        dated = all(_YEAR.fullmatch(t) or not any(map(str.isdigit, t)) for t in values)
        nothing = [t for t in values if t in NOTHING]
        if i and gap_between(grid[i - 1], row) > _most_between(grid[i - 1], row):
            return i  # too far apart for lines of one name
        if (
            amounts
            or (i and texts[0] and nothing)
            or (i and texts[0] and values and not dated and any(map(str.isdigit, values[0])))
        ):
            # A name with nothing beside it, right above the first amounts, heads its rows and not the columns.
            return max(i - sum(1 for _ in takewhile(lambda r: not any(r[1:]), reversed(grid[1:i]))), 0)
    top = [cell_text(cell) for cell in grid[0]]
    named = sum(map(bool, top)) > 1 and all(len(t) <= LONGEST_NAME for t in top)
    return int(named and len(grid) > 1)


def _most_between(above: Sequence[Cell], row: Sequence[Cell]) -> float:
    """The height between two lines of a header: little where both have a name and what holds for it."""
    size = next(s.size for cell in row for s in cell)
    return (WRAPPED if all(row[:2]) and all(above[:2]) else FAR) * size


def _is_list_of_facts(grid: Sequence[Sequence[Cell]]) -> bool:
    """Whether two columns are names and what holds for each: the first line is one of them, and names no column.

    It is told by the values, which are words and not amounts, and by the first line, which is set as the others are.
    """
    if len(grid[0]) != 2:  # noqa: PLR2004
        return False
    values = [cell_text(row[1]) for row in grid[1:] if row[1]]
    if 2 * sum(map(is_numeric, values)) > len(values) or not grid[0][0]:
        return False
    alike = [_is_bold(row[1]) for row in grid[1:] if row[1]]
    return not _is_bold(grid[0][1]) or 2 * sum(alike) > len(alike)


def _is_bold(cell: Cell) -> bool:
    return bool(cell) and all(s.bold for s in cell)


def spanning_rows(header: Sequence[Sequence[Cell]], columns: Sequence[tuple[float, float]]) -> int:
    """How many rows at the top of a header stand above several columns each; those below are lines of one row.

    Read from the last row up: what lies above one name alone is its first line, however far it stands from the
    amounts, which are set to the right.
    """
    named = list(columns)
    last = len(header) - 1
    for i in range(last, -1, -1):
        if i < last and any(spans(cell, named) for cell in header[i]):
            return i + 1
        for k, cell in enumerate(header[i]):
            if cell and len(reached(cell, named)) <= 1:
                x0, x1 = extent(cell)
                named[k] = (min(x0, named[k][0]), max(x1, named[k][1]))
    return 0


def above(row: Sequence[Cell], column: tuple[float, float]) -> str:
    """The text of the row's cell that is nearest above a column."""
    middle = (column[0] + column[1]) / 2
    cells = [cell for cell in row if cell]
    nearest = min(cells, key=lambda cell: abs(sum(extent(cell)) / 2 - middle))
    return cell_text(nearest)
