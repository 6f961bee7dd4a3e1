"""Rows of cells to a table: which rows belong together, and what each of them reads. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rag_core.reading.cells import (
    WRAPPED,
    Cell,
    cell_text,
    columns_of,
    from_right,
    goes_on,
    is_numeric,
    is_unit,
    merge_wrapped,
    placed,
)
from rag_core.reading.headers import above, header_rows, spanning_rows
from rag_core.reading.segments import Row, is_marker

MAX_BETWEEN = 2
"""Rows with a single cell (a section's name, a wrapped label) that may stand between two rows of a table."""
SHORT_CELL = 80
"""Characters: a longer single cell between rows is prose between two tables, if it reaches below the second column."""
MIN_SHARE = 0.6
"""Of a table's rows that have at least two cells in different columns."""
HOLE = 3.0
"""Of the size: a taller gap ends a table."""
LARGER = 1.1
"""Of the size of the rows above and below: a single cell in letters as large is the heading of something else."""
PROSE_CELL = 30
"""Characters: when most cells are longer and there are only two columns, it is prose in columns."""


@dataclass(frozen=True, slots=True)
class Table:
    """A grid of cells, row by row, each row as long as the table has columns."""

    rows: tuple[tuple[Cell, ...], ...]
    labels: tuple[str, ...]
    """What each column is called; empty strings where nothing says."""
    header_rows: int
    edges: tuple[tuple[float, float], ...]
    """x0, x1 of each column."""


def table_end(rows: Sequence[Row], start: int) -> int:
    """Where the run of table-like rows that begins at `start` ends; `start` itself if there is none."""
    if not _is_cells(rows[start]):
        return start
    end, between = start + 1, 0
    values = rows[start][1].x0
    for i in range(start + 1, len(rows)):
        row = rows[i]
        if row[0].y0 - rows[i - 1][0].y1 > HOLE * row[0].size:
            break
        if len(row) == 1 and (row[0].table is not None or _is_larger(row, rows[i - 1 : i + 2 : 2])):
            break
        if _is_cells(row):
            end, between = i + 1, 0
            values = min(values, row[1].x0)
        elif row[0].x0 >= values and row[0].y0 - rows[i - 1][0].y1 < WRAPPED * row[0].size:
            continue  # a further line of a value
        elif between < MAX_BETWEEN and (len(row[0].text) <= SHORT_CELL or row[0].x1 < values):
            between += 1
        else:
            break
    while end < len(rows) and _ends_row(rows[end - 1], rows[end], values):
        end += 1
    return end if end - start > 1 else start


def _is_larger(row: Row, around: Sequence[Row]) -> bool:
    return row[0].size > LARGER * max(s.size for near in around for s in near)


def _ends_row(last: Row, row: Row, values: float) -> bool:
    """Whether a row goes on the name that the last row of a table begins with, left of all values, or its value."""
    line = row[0]
    if len(row) > 1 or line.table is not None or line.y0 - last[0].y1 >= WRAPPED * line.size:
        return False
    if line.x0 >= values:
        return True
    return goes_on(line.text) and last[0].x0 < line.x1 < values and line.x0 < last[0].x1


def table_begin(rows: Sequence[Row], start: int, i: int) -> int:
    """Where the table whose first whole row is `i` begins: above it may stand the first line of a name in two lines."""
    first = i
    while i > start and _heads(rows[i - 1], rows[i], lone=i < first):
        i -= 1
    return i


def _heads(row: Row, below: Row, *, lone: bool) -> bool:
    """Whether a line stands close above one name that goes on from it, or above a `lone` line of one."""
    if len(row) > 1 or row[0].table is not None:
        return False
    line = row[0]
    if min(s.y0 for s in below) - line.y1 >= WRAPPED * line.size:
        return False
    under = [k for k, s in enumerate(below) if line.x0 < s.x1 and s.x0 < line.x1]
    if len(under) != 1:
        return False
    name = below[under[0]].text
    return lone or (under[0] > 0 and (name[0].islower() or name[0] == "(" or len(below) == 2))  # noqa: PLR2004


def _is_cells(row: Row) -> bool:
    if len(row) == 1 or any(s.table is not None for s in row):
        return False
    return len(row) > 2 or not is_marker(row[0].text)  # noqa: PLR2004


def read_table(rows: Sequence[Row]) -> Table | None:
    """The table that `rows` are, or None when their cells do not line up."""
    columns = columns_of(rows)
    if len(columns) < 2:  # noqa: PLR2004
        return None
    grid = [placed(row, columns) for row in rows]
    if from_right(grid):
        columns, grid = columns[::-1], [row[::-1] for row in grid]
    full = sum(sum(map(bool, row)) > 1 for row in grid)
    many = sum(len(row) > 1 for row in rows)
    if full < max(2, MIN_SHARE * many) or not _looks_tabular(grid):
        return None
    return table_of(merge_wrapped(grid), columns)


def table_of(grid: Sequence[Sequence[Cell]], columns: Sequence[tuple[float, float]]) -> Table:
    """The table of these cells.

    Its header's rows are made one, so that a label in two lines reads as one; those above that span several columns
    stay on their own, and are part of the label of each column under them.
    """
    count = header_rows(grid)
    rows = [tuple(row) for row in grid]
    units = int(count > 1 and is_unit(rows[count - 1], rows[count - 2]))
    count -= units
    spanning = spanning_rows(rows[:count], columns)
    labels = [""] * len(columns)
    if count:
        header = tuple([s for row in rows[spanning:count] for s in row[k]] for k in range(len(columns)))
        titles = [row for row in rows[:spanning] if sum(map(bool, row)) > 1]  # a single title names the table
        for k, column in enumerate(columns):
            over = [above(row, column) for row in titles] if k and header[k] else []
            labels[k] = " ".join(filter(None, [*over, cell_text(header[k])]))
        rows = [*rows[:spanning], header, *rows[count:]]
    return Table(tuple(rows), tuple(labels), spanning + 1 + units if count else 0, tuple(columns))


def continued(table: Table, before: Table) -> Table:
    """The table, as the part of `before` that stands on the next page: its columns are called the same.

    Unchanged when its columns stand elsewhere, or when it repeats the header.
    """
    if len(table.edges) != len(before.edges) or not before.header_rows or table.header_rows > 1:
        return table
    if any(min(b, d) <= max(a, c) for (a, b), (c, d) in zip(table.edges, before.edges, strict=True)):
        return table
    if table.header_rows and [cell_text(c) for c in table.rows[0]] == [
        cell_text(c) for c in before.rows[before.header_rows - 1]
    ]:
        return table
    return Table(table.rows, before.labels, 0, table.edges)


def labelled(row: Sequence[Cell], labels: Sequence[str]) -> str:
    """How a row reads with its columns' names: `Grade 3 | Annual leave: 25 days`."""
    parts: list[str] = []
    for cell, label in zip(row, labels, strict=True):
        if text := cell_text(cell):
            parts.append(f"{label}: {text}" if label and parts else text)
    return " | ".join(parts)


def _looks_tabular(grid: Sequence[Sequence[Cell]]) -> bool:
    """Numbers, or many short cells: a few lines of words side by side are not yet a table."""
    texts = [cell_text(cell) for row in grid for cell in row[1:] if cell]
    if any(map(is_numeric, texts)):
        return True
    if len(grid[0]) == 2:  # noqa: PLR2004
        firsts = [cell_text(row[0]) for row in grid if row[0]]
        long = sum(len(t) > PROSE_CELL for t in texts + firsts)
        if 2 * long > len(texts) + len(firsts):
            return False
    return len(grid) > 2 or len(grid[0]) > 2  # noqa: PLR2004
