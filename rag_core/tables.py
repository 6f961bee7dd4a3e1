"""Rows of cells to a table: which rows belong together, what its columns are, what they are called. Pure."""

# ruff: noqa: RUF001 -- look-alike characters are what it is about

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rag_core.columns import Row, Segment

Cell = list[Segment]
"""The lines of one cell, from top to bottom; empty when nothing stands there."""

MAX_BETWEEN = 2
"""Rows with a single cell (a section's name, a wrapped label) that may stand between two rows of a table."""
SHORT_CELL = 60
"""Characters: a longer single cell between rows is prose between two tables."""
MIN_SHARE = 0.6
"""Of a table's rows that have at least two cells in different columns."""

_NUMERIC = re.compile(r"[\s$€£¥%()\-–—+.,/:*†‡§\d]*(?:bn|m|k|x|pts?|bps?)?[)%*\s]*", re.IGNORECASE)
_YEAR = re.compile(r".*\b(?:19|20)\d\d\b.*|\(?[a-z]\)?", re.IGNORECASE | re.DOTALL)
_PREFIXES = frozenset({"$", "€", "£", "¥", "(", "US$", "$(", "-", "–", "—"})
_SUFFIXES = frozenset({")", "%", ")%", "*", "†", "bps", "pts"})
_BULLET = re.compile(r"[•●○◦▪■□‣⁃·*–—➢❖✓-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\[\d{1,3}\]")


@dataclass(frozen=True, slots=True)
class Table:
    """A grid of cells, row by row, each row as long as the table has columns."""

    rows: tuple[tuple[Cell, ...], ...]
    labels: tuple[str, ...]
    """What each column is called; empty strings where nothing says."""
    header_rows: int
    edges: tuple[tuple[float, float], ...]
    """x0, x1 of each column."""


def is_marker(text: str) -> bool:
    """Whether `text` alone is a bullet or a number that begins a list item."""
    return _BULLET.fullmatch(text.strip()) is not None


def table_end(rows: Sequence[Row], start: int) -> int:
    """Where the run of table-like rows that begins at `start` ends; `start` itself if there is none."""
    if not _is_cells(rows[start]):
        return start
    end, between = start + 1, 0
    for i in range(start + 1, len(rows)):
        row = rows[i]
        gap = row[0].y0 - max(s.y1 for s in rows[i - 1])
        if gap > 3 * row[0].size:
            break
        if _is_cells(row):
            end, between = i + 1, 0
        elif between < MAX_BETWEEN and len(row[0].text) <= SHORT_CELL:
            between += 1
        else:
            break
    return end if end - start > 1 else start


def _is_cells(row: Row) -> bool:
    return len(row) > 1 and not (len(row) == 2 and is_marker(row[0].text))  # noqa: PLR2004


def read_table(rows: Sequence[Row]) -> Table | None:
    """The table that `rows` are, or None when their cells do not line up."""
    columns = _columns(rows)
    if len(columns) < 2:  # noqa: PLR2004
        return None
    grid = [_placed(row, columns) for row in rows]
    full = sum(sum(bool(cell) for cell in row) > 1 for row in grid)
    many = sum(len(row) > 1 for row in rows)
    if full < max(2, MIN_SHARE * many) or not _looks_tabular(grid):
        return None
    merged = _merge_wrapped(grid)
    header = _header_rows(merged)
    labels = tuple(
        " ".join(cell_text(row[k]) for row in merged[:header] if row[k]).strip() for k in range(len(columns))
    )
    return Table(tuple(map(tuple, merged)), labels, header, tuple(columns))


def cell_text(cell: Cell) -> str:
    """Its lines, joined by spaces."""
    return " ".join(s.text.strip() for s in cell)


def labelled(row: Sequence[Cell], labels: Sequence[str]) -> str:
    """How a row reads with its columns' names: `Grade 3 | Annual leave: 25 days`."""
    parts = []
    for k, (cell, label) in enumerate(zip(row, labels, strict=True)):
        text = cell_text(cell)
        if text:
            parts.append(f"{label}: {text}" if label and k > 0 else text)
    return " | ".join(parts)


def is_numeric(text: str) -> bool:
    """Whether a cell holds an amount and nothing else."""
    return any(c.isdigit() for c in text) and _NUMERIC.fullmatch(text.strip()) is not None


def _columns(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """x-intervals that the cells of the fuller rows fall into."""
    counts = sorted(len(row) for row in rows if len(row) > 1)
    typical = counts[len(counts) // 2]
    intervals = sorted((s.x0, s.x1) for row in rows if len(row) >= typical for s in row)
    merged: list[tuple[float, float]] = []
    for x0, x1 in intervals:
        if merged and x0 <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], x1))
        else:
            merged.append((x0, x1))
    return merged


def _placed(row: Row, columns: Sequence[tuple[float, float]]) -> list[Cell]:
    cells: list[Cell] = [[] for _ in columns]
    for segment in row:
        cells[_column_of(segment, columns)].append(segment)
    return cells


def _column_of(segment: Segment, columns: Sequence[tuple[float, float]]) -> int:
    def shared(k: int) -> tuple[float, float]:
        x0, x1 = columns[k]
        overlap = min(x1, segment.x1) - max(x0, segment.x0)
        return (min(overlap, 0.0) if overlap <= 0 else overlap / (segment.x1 - segment.x0 + 1e-3), -k)

    return max(range(len(columns)), key=shared)


def _looks_tabular(grid: Sequence[Sequence[Cell]]) -> bool:
    """At least three rows, or numbers: two lines of words side by side are not yet a table."""
    numbers = sum(is_numeric(cell_text(cell)) for row in grid for cell in row[1:] if cell)
    return len(grid) > 2 or numbers > 0 or len(grid[0]) > 2  # noqa: PLR2004


def _merge_wrapped(grid: Sequence[list[Cell]]) -> list[list[Cell]]:
    """Rows that only continue a cell of the row before (or after) become part of it."""
    merged: list[list[Cell]] = []
    pending: list[Cell] | None = None
    for i, row in enumerate(grid):
        current = row
        if pending is not None:
            current = [a + b for a, b in zip(pending, row, strict=True)]
            pending = None
        filled = [k for k, cell in enumerate(row) if cell]
        first = cell_text(row[filled[0]])
        if merged and len(filled) == 1 and ((filled[0] > 0 and not is_numeric(first)) or first[:1].islower()):
            merged[-1] = [a + b for a, b in zip(merged[-1], current, strict=True)]
            continue
        if filled == [0] and not first.endswith(":") and i + 1 < len(grid) and cell_text(grid[i + 1][0])[:1].islower():
            pending = current
            continue
        merged.append(current)
    if pending is not None:
        merged.append(pending)
    return merged


def _header_rows(grid: Sequence[Sequence[Cell]]) -> int:
    """How many rows at the top name the columns: those before the first row with an amount under a name."""
    for i, row in enumerate(grid):
        texts = [cell_text(cell) for cell in row]
        values = [t for t in texts[1:] if t]
        amounts = [t for t in values if is_numeric(t) and not (_YEAR.fullmatch(t) and not texts[0])]
        if amounts and not all(_YEAR.fullmatch(t) for t in values):
            return i
    top = [cell_text(cell) for cell in grid[0]]
    named = sum(bool(t) for t in top) > 1 and all(len(t) <= SHORT_CELL for t in top)
    return int(named and len(grid) > 1)
