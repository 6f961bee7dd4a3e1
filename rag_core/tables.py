"""Rows of cells to a table: which rows belong together, what its columns are, what they are called. Pure."""

# ruff: noqa: RUF001 -- look-alike characters are what it is about

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from statistics import median

from rag_core.segments import Row, Segment, is_marker

Cell = list[Segment]
"""The lines of one cell, from top to bottom; empty when nothing stands there."""

MAX_BETWEEN = 2
"""Rows with a single cell (a section's name, a wrapped label) that may stand between two rows of a table."""
SHORT_CELL = 80
"""Characters: a longer single cell between rows is prose between two tables, if it reaches below the second column."""
MIN_SHARE = 0.6
"""Of a table's rows that have at least two cells in different columns."""
HOLE = 3.0
"""Of the size: a taller gap ends a table."""
STRAY = 0.1
"""Of the rows: so many may reach over the gap between two columns, as a title or a long label does."""
PROSE_CELL = 30
"""Characters: when most cells are longer and there are only two columns, it is prose in columns."""
WRAPPED = 0.6
"""Of the size: lines of one cell are no further apart."""
TIGHT = 0.2
"""Of the size: where rows stand apart, a line this close to the row above is part of it, whatever it begins with."""
SPANS = 0.2
"""Of a column's width: how much of it a title must reach over to stand above it."""
MAX_HEADER_ROWS = 5
CLOSE = 1.5
"""Of the size: a sign this far from the amount before it is not its own; it names a column."""

_NUMERIC = re.compile(r"[\s$€£¥%()\-–—+.,/:*†‡§\d]*(?:bn|m|k|x|pts?|bps?)?[)%*\s]*", re.IGNORECASE)
_YEAR = re.compile(r".*\b(?:19|20)\d\d\b.*|\(?[a-z]\)?", re.IGNORECASE | re.DOTALL)
_PREFIXES = frozenset({"$", "€", "£", "¥", "(", "US$", "$(", "-", "–"})
_NOTHING = frozenset({"-", "–", "—"})
"""Set where an amount would be nought."""
_SUFFIXES = frozenset({")", "%", ")%", "*", "†", "bps", "pts"})


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
        if _is_cells(row):
            end, between = i + 1, 0
            values = min(values, row[1].x0)
        elif between < MAX_BETWEEN and row[0].table is None and (len(row[0].text) <= SHORT_CELL or row[0].x1 < values):
            between += 1
        else:
            break
    while end < len(rows) and _ends_label(rows[end - 1], rows[end], values):
        end += 1
    return end if end - start > 1 else start


def _ends_label(last: Row, row: Row, values: float) -> bool:
    """Whether a row goes on the name that the last row of a table begins with, left of all values."""
    if len(row) > 1 or row[0].table is not None or not _goes_on(row[0].text):
        return False
    line = row[0]
    return last[0].x0 < line.x1 < values and line.x0 < last[0].x1 and line.y0 - last[0].y1 < WRAPPED * line.size


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
    columns = _columns(rows)
    if len(columns) < 2:  # noqa: PLR2004
        return None
    grid = [_placed(row, columns) for row in rows]
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
    count = _header_rows(grid)
    rows = [tuple(row) for row in grid]
    units = int(count > 1 and _is_unit(rows[count - 1], rows[count - 2]))
    count -= units
    spanning = _spanning_rows(rows[:count], columns)
    labels = [""] * len(columns)
    if count:
        header = tuple([s for row in rows[spanning:count] for s in row[k]] for k in range(len(columns)))
        titles = [row for row in rows[:spanning] if sum(map(bool, row)) > 1]  # a single title names the table
        for k, column in enumerate(columns):
            over = [_above(row, column) for row in titles] if k and header[k] else []
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


def _spanning_rows(header: Sequence[Sequence[Cell]], columns: Sequence[tuple[float, float]]) -> int:
    """How many rows at the top of a header stand above several columns each; those below are lines of one row.

    Read from the last row up: what lies above one name alone is its first line, however far it stands from the
    amounts, which are set to the right.
    """
    named = list(columns)
    last = len(header) - 1
    for i in range(last, -1, -1):
        if i < last and any(_spans(cell, named) for cell in header[i]):
            return i + 1
        for k, cell in enumerate(header[i]):
            if cell and len(_reached(cell, named)) <= 1:
                x0, x1 = _extent(cell)
                named[k] = (min(x0, named[k][0]), max(x1, named[k][1]))
    return 0


def _spans(cell: Cell, columns: Sequence[tuple[float, float]]) -> bool:
    if not cell:
        return False
    middle = sum(_extent(cell)) / 2
    return len(_reached(cell, columns)) > 1 or all(not a <= middle <= b for a, b in columns)


def _reached(cell: Cell, columns: Sequence[tuple[float, float]]) -> list[int]:
    """The columns that it stands above."""
    x0, x1 = _extent(cell)
    return [k for k, (a, b) in enumerate(columns) if min(x1, b) - max(x0, a) > SPANS * (b - a)]


def _extent(cell: Cell) -> tuple[float, float]:
    return min(s.x0 for s in cell), max(s.x1 for s in cell)


def _above(row: Sequence[Cell], column: tuple[float, float]) -> str:
    """The text of the row's cell that is nearest above a column."""
    middle = (column[0] + column[1]) / 2
    cells = [cell for cell in row if cell]
    nearest = min(cells, key=lambda cell: abs(sum(_extent(cell)) / 2 - middle))
    return cell_text(nearest)


def cell_text(cell: Cell) -> str:
    """Its lines, joined by spaces."""
    return " ".join([s.text for s in cell])


def labelled(row: Sequence[Cell], labels: Sequence[str]) -> str:
    """How a row reads with its columns' names: `Grade 3 | Annual leave: 25 days`."""
    parts: list[str] = []
    for cell, label in zip(row, labels, strict=True):
        if text := cell_text(cell):
            parts.append(f"{label}: {text}" if label and parts else text)
    return " | ".join(parts)


def is_numeric(text: str) -> bool:
    """Whether a cell holds an amount and nothing else."""
    return any(map(str.isdigit, text)) and _NUMERIC.fullmatch(text.strip()) is not None


# ------------------------------------------------------------------------------------------- columns


def _columns(rows: Sequence[Row]) -> list[tuple[float, float]]:
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


def _placed(row: Row, columns: Sequence[tuple[float, float]]) -> list[Cell]:
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
    if sign.text in _NOTHING:
        return after.x0 - sign.x1 < CLOSE * sign.size
    return after.text not in _SUFFIXES


def _column_of(s: Segment, columns: Sequence[tuple[float, float]]) -> int:
    best, most = 0, float("-inf")
    for k, (x0, x1) in enumerate(columns):
        shared = min(x1, s.x1) - max(x0, s.x0)
        if shared > most + 0.1:
            best, most = k, shared
    return best


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


def merge_wrapped(grid: Sequence[list[Cell]]) -> list[list[Cell]]:
    """Rows that only continue a cell of the row before (or after) become part of it."""
    merged: list[list[Cell]] = []
    pending: list[Cell] | None = None
    gaps = [_gap(above, row) for above, row in pairwise(grid)]
    usual = median(gaps) if gaps else 0.0
    for i, row in enumerate(grid):
        if pending is not None:
            merged.append([a + b for a, b in zip(pending, row, strict=True)])
            pending = None
            continue
        filled = [k for k, cell in enumerate(row) if cell]
        first = cell_text(row[filled[0]])
        goes_on = _goes_on(first) or (
            filled[0] > 0 and not is_numeric(first) and not (merged and _is_unit(row, merged[-1]))
        )
        if filled == [0] and merged:
            apart = TIGHT * row[0][0].size
            goes_on = goes_on or (gaps[i - 1] < apart and gaps[i - 1] + apart < min([usual, *gaps[i : i + 1]]))
        if merged and ((len(filled) == 1 and goes_on) or _continues_all(merged[-1], row)):
            merged[-1] = [a + b for a, b in zip(merged[-1], row, strict=True)]
            continue
        if filled == [0] and not first.endswith(":") and i + 1 < len(grid) and _goes_on(cell_text(grid[i + 1][0])):
            pending = row
            continue
        merged.append(row)
    if pending is not None:
        merged.append(pending)
    return merged


def _goes_on(text: str) -> bool:
    """Whether a line begins in the middle of a sentence; "b. If so" begins an item."""
    return text[:1].islower() and not is_marker(text.split(maxsplit=1)[0])


def _is_unit(row: Sequence[Cell], above: Sequence[Cell]) -> bool:
    """Whether a row is one remark in brackets set to the middle of several names, as "(In thousands)" is."""
    filled = [cell for cell in row if cell]
    if len(filled) != 1 or row[0] or not filled[0][0].text.startswith("("):
        return False
    return _spans(filled[0], [_extent(cell) for cell in above if cell])


def _continues_all(before: Sequence[Cell], row: Sequence[Cell]) -> bool:
    """Whether a row is the second line of several cells at once: its name goes on in lower case, and no amount ends."""
    if not (row[0] and before[0] and _goes_on(cell_text(row[0]))):
        return False
    if any(
        b and (not a or is_numeric(cell_text(b)) or cell_text(b) in _NOTHING) for a, b in zip(before, row, strict=True)
    ):
        return False
    return _gap(before, row) < WRAPPED * row[0][0].size


def _gap(above: Sequence[Cell], row: Sequence[Cell]) -> float:
    """The height between two rows."""
    return min(s.y0 for cell in row for s in cell) - max(s.y1 for cell in above for s in cell)


def _header_rows(grid: Sequence[Sequence[Cell]]) -> int:
    """How many rows at the top name the columns: those before the first row with an amount under a name."""
    if _is_list_of_facts(grid):
        return 0
    for i, row in enumerate(grid[: MAX_HEADER_ROWS + 1]):
        texts = [cell_text(cell) for cell in row]
        values = [t for t in texts[1:] if t]
        amounts = [t for t in values if is_numeric(t) and not _YEAR.fullmatch(t)]
        dated = all(_YEAR.fullmatch(t) or not any(map(str.isdigit, t)) for t in values)
        nothing = [t for t in values if t in _NOTHING]
        if (
            amounts
            or (i and texts[0] and nothing)
            or (i and texts[0] and values and not dated and any(map(str.isdigit, values[0])))
        ):
            # A name with nothing beside it, right above the first amounts, heads its rows and not the columns.
            return max(i - sum(1 for _ in takewhile(lambda r: not any(r[1:]), reversed(grid[1:i]))), 0)
    top = [cell_text(cell) for cell in grid[0]]
    named = sum(map(bool, top)) > 1 and all(len(t) <= SHORT_CELL for t in top)
    return int(named and len(grid) > 1)


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
