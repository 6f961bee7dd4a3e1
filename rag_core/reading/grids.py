"""Rules drawn on a page to the tables they part into cells. Pure.

Only a table whose cells are parted both ways is read here; one with rules between its rows alone, or none, is told by
how its cells line up (`tables`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rag_core.reading.cells import Cell, from_right, is_numeric, merge_wrapped
from rag_core.reading.columns import rows_of
from rag_core.reading.segments import CELL_GAP, Segment, stand_in
from rag_core.reading.tables import Table, table_of
from rag_core.types.rawpage import Shape

THIN = 3.5
"""Points: a shape no thicker is a rule."""
SHORTEST = 6.0
"""Points: a shorter rule is part of a letter or a tick."""
TOUCH = 3.0
"""Points: rules this close to each other meet."""
MAX_RULES = 700
"""After joining those on one line; a drawing has more, and comparing all with all takes too long."""
MIN_CELLS = 4
MISSING = 0.1
"""Of the pieces: so many may stand beside another in one cell."""
MORE_ROWS = 1.15
MAX_CELL_LINES = 30
"""A taller cell is a frame around a page or a column."""


@dataclass(slots=True)
class Rule:
    """A line along one axis: where it stands on the other, and from where to where it runs."""

    at: float
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Rules:
    """Those of a page."""

    across: list[Rule]
    down: list[Rule]


def ruled_tables(segments: list[Segment], rules: Rules) -> list[Segment]:
    """The segments, those inside ruled tables replaced by one segment a table that holds it; none is lost."""
    across, down = rules.across, rules.down
    if not across or not down or len(across) + len(down) > MAX_RULES:
        return segments
    rest = segments
    tables: list[Segment] = []
    for rows, columns in _grids(across, down):
        x0, x1 = min(r.start for r in rows), max(r.end for r in rows)
        y0, y1 = min(c.start for c in columns), max(c.end for c in columns)
        inside = [
            s for s in rest if x0 - TOUCH <= (s.x0 + s.x1) / 2 <= x1 + TOUCH and y0 - TOUCH <= s.middle <= y1 + TOUCH
        ]
        table = _table(inside, rows, columns)
        if table is not None:
            taken = set(map(id, inside))
            rest = [s for s in rest if id(s) not in taken]
            tables.append(stand_in(inside, table=table))
    return rest + tables


def rules_of(shapes: Sequence[Shape]) -> Rules:
    """The rules that run across and those that run down; a box has two of each."""
    across: list[Rule] = []
    down: list[Rule] = []
    for shape in shapes:
        x0, y0, x1, y1 = shape.bbox
        width, height = x1 - x0, y1 - y0
        if height <= THIN:
            if width >= SHORTEST:
                across.append(Rule((y0 + y1) / 2, x0, x1))
        elif width <= THIN:
            if height >= SHORTEST:
                down.append(Rule((x0 + x1) / 2, y0, y1))
        elif shape.exact and shape.stroked:  # shading says little: bands of colour lie over rows and columns alike
            across += [Rule(y0, x0, x1), Rule(y1, x0, x1)]
            down += [Rule(x0, y0, y1), Rule(x1, y0, y1)]
    return Rules(_joined(across), _joined(down))


def _joined(rules: list[Rule]) -> list[Rule]:
    """Rules on one line that touch, as one: each cell's border is often drawn on its own."""
    rules.sort(key=lambda r: (round(r.at / TOUCH), r.start))
    out: list[Rule] = []
    for rule in rules:
        if out and abs(out[-1].at - rule.at) <= TOUCH and rule.start <= out[-1].end + TOUCH:
            out[-1].end = max(out[-1].end, rule.end)
        else:
            out.append(Rule(rule.at, rule.start, rule.end))
    return out


def _grids(across: list[Rule], down: list[Rule]) -> Iterator[tuple[list[Rule], list[Rule]]]:
    """Sets of rules that meet one another, those with room for cells."""
    group = list(range(len(across) + len(down)))

    def root(i: int) -> int:
        while group[i] != i:
            group[i] = group[group[i]]
            i = group[i]
        return i

    across.sort(key=lambda r: r.at)
    heights = [r.at for r in across]
    for k, column in enumerate(down):
        i = bisect_right(heights, column.start - TOUCH)
        while i < len(across) and across[i].at <= column.end + TOUCH:
            row = across[i]
            if row.start - TOUCH <= column.at <= row.end + TOUCH:
                group[root(len(across) + k)] = root(i)
            i += 1
    members: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for i, rule in enumerate(across):
        members.setdefault(root(i), ([], []))[0].append(rule)
    for k, rule in enumerate(down):
        members.setdefault(root(len(across) + k), ([], []))[1].append(rule)
    for rows, columns in members.values():
        if len(_places(rows)) > 2 and columns:  # noqa: PLR2004 -- three rules make two rows
            yield rows, columns


def _places(rules: Sequence[Rule]) -> list[float]:
    """Where the rules stand, those that are one line to the eye once."""
    places: list[float] = []
    for at in sorted(r.at for r in rules):
        if not places or at - places[-1] > TOUCH:
            places.append(at)
    return places


def _table(segments: Sequence[Segment], across: list[Rule], down: list[Rule]) -> Table | None:
    ys = _places(across)
    xs = _places(down)
    left, right = min(r.start for r in across), max(r.end for r in across)
    if xs[0] - left > 2 * TOUCH:
        xs.insert(0, left)
    if right - xs[-1] > 2 * TOUCH:
        xs.append(right)
    if len(xs) < 3 or len(ys) < 3 or not segments:  # noqa: PLR2004 -- one column is a list of boxes
        return None
    grid: list[list[Cell]] = [[[] for _ in xs[1:]] for _ in ys[1:]]
    sides, levels = _by_place(down, xs), _by_place(across, ys)
    for s in segments:
        r, c = _place(s, xs, ys, levels, sides)
        grid[r][c].append(s)
    for row in grid:
        for cell in row:
            cell.sort(key=lambda s: (round(s.middle / max(0.5 * s.size, 1.0)), s.x0))
    if not _is_plausible(grid, len(segments)):
        return None
    columns = list(pairwise(xs))
    if from_right(grid):
        columns, grid = columns[::-1], [row[::-1] for row in grid]
    return table_of([part for row in grid if any(row) for part in _unstacked(row)], columns)


def _place(
    s: Segment,
    xs: Sequence[float],
    ys: Sequence[float],
    across: Sequence[Sequence[Rule]],
    down: Sequence[Sequence[Rule]],
) -> tuple[int, int]:
    """The row and the column of the cell that `s` is in; a cell with no rule to its neighbour is one with it."""
    r = min(max(bisect_right(ys, s.middle) - 1, 0), len(ys) - 2)
    c = min(max(bisect_right(xs, min(s.x0 + 0.5 * s.size, (s.x0 + s.x1) / 2)) - 1, 0), len(xs) - 2)
    while c > 0 and not _parted(down[c], s.middle):
        c -= 1
    while r > 0 and not _parted(across[r], (xs[c] + xs[c + 1]) / 2):
        r -= 1
    return r, c


def _is_plausible(grid: Sequence[Sequence[Cell]], pieces: int) -> bool:
    cells = [cell for row in grid for cell in row if cell]
    used = sum(any(column) for column in zip(*grid, strict=True))
    return (
        len(cells) >= MIN_CELLS
        and used > 1
        and max(map(len, cells)) <= MAX_CELL_LINES
        and _side_by_side(grid) <= MISSING * pieces
        and not _rows_are_missing(grid)
    )


def _rows_are_missing(grid: Sequence[Sequence[Cell]]) -> bool:
    """Whether amounts stand in more rows than are ruled: such a table is told better by how its cells line up."""
    values = [s for row in grid for cell in row[1:] for s in cell]
    if 2 * sum(is_numeric(s.text) for s in values) < len(values):
        return False
    lines = len(rows_of([s for row in grid for cell in row for s in cell]))
    return lines > MORE_ROWS * sum(map(any, grid))


def _side_by_side(grid: Sequence[Sequence[Cell]]) -> int:
    """How many pieces stand apart on one line of one cell: the rules do not part the columns, or not all."""
    return sum(
        abs(a.middle - b.middle) < 0.5 * a.size and b.x0 - a.x1 > CELL_GAP * a.size
        for row in grid
        for cell in row
        for a, b in pairwise(cell)
    )


def _unstacked(row: list[Cell]) -> list[list[Cell]]:
    """The rows that one row of a grid really is: amounts below one another are not one amount."""
    if not any(len(cell) > 1 and all(is_numeric(s.text) for s in cell) for cell in row[1:]):
        return [row]
    column = {id(s): c for c, cell in enumerate(row) for s in cell}
    parts: list[list[Cell]] = []
    for line in rows_of([s for cell in row for s in cell]):
        cells: list[Cell] = [[] for _ in row]
        for s in line:
            cells[column[id(s)]].append(s)
        parts.append(cells)
    return merge_wrapped(parts)


def _by_place(rules: Sequence[Rule], places: Sequence[float]) -> list[list[Rule]]:
    """The rules at each of the places."""
    return [[r for r in rules if abs(r.at - at) <= TOUCH] for at in places]


def _parted(rules: Sequence[Rule], through: float) -> bool:
    """Whether one of the rules runs past `through`."""
    return any(r.start - TOUCH <= through <= r.end + TOUCH for r in rules)
