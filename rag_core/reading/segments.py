"""Runs of characters to segments: the pieces of lines that columns, tables and paragraphs are made of. Pure.

Text that is turned gets coordinates in an upright frame of its own, so that one reading of lines serves all; the edges
of its characters stay where they are on the page.
"""

# ruff: noqa: RUF001 -- look-alike characters are what it is about

from __future__ import annotations

import math
import re
from array import array
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import starmap
from typing import TYPE_CHECKING

from rag_core.reading.bidi import logical, reads_from_right
from rag_core.reading.normalise import is_mark, normalise, raised
from rag_core.types.rawpage import Box, Run

if TYPE_CHECKING:
    from rag_core.reading.tables import Table

CELL_GAP = 1.2
"""Of the size: a wider gap inside a line parts two cells; justified prose seldom has one so wide."""
WORD_GAP = 0.7
"""Of the size: pieces of a line no further apart are one piece, which a link or a change of colour had cut."""
BLANK = 0.12
"""Of the size: pieces at least this far apart have a space between them."""
STACKED = 3
"""Characters set one below the other make a vertical line from this many on."""

CURRENCY = "$€£¥"
"""In a table of amounts the sign stands apart, close to the amount of the column before it."""

_BLANKS = re.compile(r" +")
_BULLET = re.compile(r"[•●○◦▪■□‣⁃·*–—➢❖✓o\uf020-\uf0ff-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\[\d{1,3}\]")
_CJK = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")


@dataclass(slots=True)
class Segment:
    """Characters on one baseline with no wide gap between them: a line of a paragraph, or a cell of a table.

    Its corners are in the frame in which it is upright; its edges are on the page.
    """

    text: str
    edges: array[float]
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool
    order: int
    table: Table | None = None
    """A whole table that stands in for its cells while the page is put in order."""
    inset: list[Segment] | None = None
    """What a frame holds, that stands in for it as long."""
    middle: float = field(init=False)
    """Of its height."""

    def __post_init__(self) -> None:
        self.middle = (self.y0 + self.y1) / 2


Row = list[Segment]
"""Segments side by side, from left to right."""


def stand_in(
    inside: Sequence[Segment],
    *,
    top: float = math.inf,
    table: Table | None = None,
    inset: list[Segment] | None = None,
) -> Segment:
    """One segment in the place of those `inside` a table or a frame; it begins at `top` where that is higher."""
    first = inside[0]
    return Segment(
        "\ufffc",
        first.edges[:4],
        min(s.x0 for s in inside),
        min(top, *[s.y0 for s in inside]),
        max(s.x1 for s in inside),
        max(s.y1 for s in inside),
        first.size,
        bold=False,
        order=min(s.order for s in inside),
        table=table,
        inset=inset,
    )


def is_marker(text: str) -> bool:
    """Whether `text` alone is a bullet or a number that begins a list item."""
    return _BULLET.fullmatch(text.strip()) is not None


def frames_of(runs: Sequence[Run], width: float, height: float) -> list[list[Segment]]:
    """The segments by the way they are turned, that of most characters first; slanted lines come last, one by one."""
    if all(run.turn == 0 and not run.vertical and len(run.text) > 1 for run in runs):
        return [segments_of(runs)] if runs else []
    by_turn: dict[int, list[Run]] = {}
    slanted: list[Run] = []
    for run in _unstacked(runs):
        quarter = round(run.turn / 90) * 90
        if abs(run.turn - quarter) <= SLANT:
            by_turn.setdefault(quarter % 360, []).append(run)
        else:
            slanted.append(run)
    frames = [(turn, segments_of([_upright(run, turn, width, height) for run in rs])) for turn, rs in by_turn.items()]
    frames = [(turn, segments) for turn, segments in frames if segments]
    frames.sort(key=lambda f: (-sum(len(s.text) for s in f[1]), f[0]))
    out = [segments for _, segments in frames]
    lines: dict[int, list[Run]] = {}
    for run in slanted:
        lines.setdefault(run.line, []).append(run)
    out += [segments for rs in lines.values() if (segments := segments_of(rs))]
    return out


SLANT = 8
"""Degrees: a scan may be this crooked."""


def _upright(run: Run, turn: int, width: float, height: float) -> Run:
    """The run with a box in the frame in which it is upright."""
    x0, y0, x1, y1 = run.bbox
    match turn:
        case 90:
            box = (y0, width - x1, y1, width - x0)
        case 180:
            box = (width - x1, height - y1, width - x0, height - y0)
        case 270:
            box = (height - y1, x0, height - y0, x1)
        case _:
            return run
    return replace(run, bbox=box, turn=turn)


def _unstacked(runs: Sequence[Run]) -> Iterator[Run]:
    """The runs, with ideographs that were set one below the other made vertical lines."""
    i = 0
    while i < len(runs):
        k = i + 1
        while k < len(runs) and _stands_on(runs[k - 1], runs[k]):
            k += 1
        if k - i >= STACKED:
            yield _joined(runs[i:k])
        else:
            yield from runs[i:k]
        i = k


def _stands_on(above: Run, below: Run) -> bool:
    return (
        below.turn == above.turn == 0
        and _CJK.fullmatch(above.text.strip()) is not None
        and _CJK.fullmatch(below.text.strip()) is not None
        and abs(above.bbox[0] - below.bbox[0]) < 0.2 * below.size
        and -0.5 * below.size < below.bbox[1] - above.bbox[3] < 0.8 * below.size
    )


def _joined(runs: Sequence[Run]) -> Run:
    edges = array("f")
    for run in runs:
        edges.extend(run.edges)
    return replace(
        runs[0], text="".join(r.text for r in runs), edges=edges, bbox=_around(edges), turn=90, vertical=True
    )


def _around(edges: Sequence[float]) -> Box:
    return min(edges[0::4]), min(edges[1::4]), max(edges[2::4]), max(edges[3::4])


def segments_of(runs: Iterable[Run]) -> list[Segment]:
    """The runs joined to lines, normalised, put in logical order, and cut where a wide gap parts two cells."""
    segments: list[Segment] = []
    line: list[Run] = []
    for run in runs:
        if line and run.line != line[-1].line:
            _add_line(segments, line)
            line = []
        line.append(run)
    if line:
        _add_line(segments, line)
    return segments


def _add_line(segments: list[Segment], line: list[Run]) -> None:
    for segment in _segments_of_line(line):
        if segments and _goes_on(segments[-1], segment):
            segments[-1] = _merged(segments[-1], segment)
        else:
            segments.append(segment)


def _goes_on(before: Segment, after: Segment) -> bool:
    gap = after.x0 - before.x1
    size = max(before.size, after.size)
    if not -0.3 * size <= gap <= WORD_GAP * size or (after.text[0] in CURRENCY and len(after.text) == 1):
        return False
    shared = min(before.y1, after.y1) - max(before.y0, after.y0)
    return shared > 0.4 * min(before.y1 - before.y0, after.y1 - after.y0)


def _merged(before: Segment, after: Segment) -> Segment:
    major = before if len(before.text) >= len(after.text) else after
    gap = after.x0 - before.x1
    text, edges = raised(before.text) if _is_raised(after, before) else before.text, before.edges[:]
    if gap > BLANK * major.size:
        text += " "
        edges.frombytes(bytes(16))
    edges.extend(after.edges)
    return Segment(
        text + (raised(after.text) if _is_raised(before, after) else after.text),
        edges,
        min(before.x0, after.x0),
        major.y0,
        max(before.x1, after.x1),
        major.y1,
        major.size,
        major.bold,
        before.order,
    )


RAISED = 0.25
"""Of the size: the foot of a raised mark's box is this much above that of the line's."""


def _is_raised(line: Segment, mark: Segment) -> bool:
    """Whether `mark` is a footnote's number that was painted apart from its line."""
    return mark.size <= 0.88 * line.size and line.y1 - mark.y1 >= RAISED * line.size and is_mark(mark.text)


def closed_up(row: Row) -> Row:
    """The row with those segments joined that stand no further apart than words."""
    if len(row) == 1:
        return row
    out = [row[0]]
    for segment in row[1:]:
        if out[-1].table is None and segment.table is None and _goes_on(out[-1], segment):
            out[-1] = _merged(out[-1], segment)
        else:
            out.append(segment)
    return out


def _segments_of_line(line: list[Run]) -> Iterator[Segment]:
    first = line[0]
    if len(line) == 1:
        text, edges, size, bold, box = first.text, first.edges, first.size, first.bold, first.bbox
    else:
        text = "".join([run.text for run in line])
        edges = array("f")
        for run in line:
            edges.extend(run.edges)
        weights = [len(run.text) - run.text.count(" ") for run in line]
        major = max(range(len(line)), key=weights.__getitem__)
        size = line[major].size
        bold = 2 * sum(w for w, run in zip(weights, line, strict=True) if run.bold) > sum(weights)
        boxes = [run.bbox for run in line]
        box = (
            min([b[0] for b in boxes]),
            boxes[major][1],
            max([b[2] for b in boxes]),
            boxes[major][3],
        )
    text, edges = normalise(text, edges)
    upright = first.turn == 0 and not first.vertical
    turned = upright and reads_from_right(text)
    for words, places in starmap(logical, _parted(text, edges, size)) if turned else ((text, edges),):
        for start, end in _cells(words, places, size) if upright else _whole(words):
            part = places if end - start == len(words) else places[4 * start : 4 * end]
            x0, x1 = (min(part[0::4]), max(part[2::4])) if upright else (box[0], box[2])
            yield Segment(words[start:end], part, x0, box[1], x1, box[3], size, bold, first.order)


def _parted(text: str, edges: array[float], size: float) -> Iterator[tuple[str, array[float]]]:
    """The parts of a line that runs from right to left, the rightmost first, that stand as far apart as cells do.

    Where it is not in logical order yet, what follows in the text may stand anywhere on the line.
    """
    ink = sorted((edges[4 * i], edges[4 * i + 2]) for i, char in enumerate(text) if char != " ")
    cuts: list[float] = []
    reached = ink[0][1] if ink else 0.0
    for x0, x1 in ink:
        if x0 - reached > CELL_GAP * size:
            cuts.append((x0 + reached) / 2)
        reached = max(reached, x1)
    if not cuts:
        yield text, edges
        return
    parts: list[list[int]] = [[] for _ in range(len(cuts) + 1)]
    for i in range(len(text)):
        parts[bisect(cuts, (edges[4 * i] + edges[4 * i + 2]) / 2)].append(i)
    if is_marker("".join([text[i] for i in parts[-1]])):
        parts[-2:] = [sorted(parts[-2] + parts[-1])]
    for part in reversed(parts):
        yield "".join([text[i] for i in part]), array("f", [e for i in part for e in edges[4 * i : 4 * i + 4]])


def _whole(text: str) -> Iterator[tuple[int, int]]:
    start, stop = len(text) - len(text.lstrip()), len(text.rstrip())
    if start < stop:
        yield start, stop


def _cells(text: str, edges: array[float], size: float) -> Iterator[tuple[int, int]]:
    """Spans of `text` between wide gaps, without blanks around them."""
    start = len(text) - len(text.lstrip())
    stop = len(text.rstrip())
    if start >= stop:
        return
    wide = CELL_GAP * size
    for blank in _BLANKS.finditer(text, start, stop):
        a, b = blank.span()
        gap = edges[4 * b] - edges[4 * a - 2]
        if (gap > wide and not is_marker(text[start:a])) or (
            text[b] in CURRENCY and gap > 0.3 * wide and " " in text[b : b + 2] + " "
        ):
            yield start, a
            start = b
    yield start, stop
