"""Pieces of lines to the order a person reads them in: columns one after the other, rows inside a column. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from rag_core.reading.bidi import reads_from_right
from rag_core.reading.cells import are_amounts
from rag_core.reading.segments import Row, Segment

MIN_GUTTER = 0.8
"""Of the text's size: a gap between columns is at least this wide; a space between words is about 0.3."""
MIN_COLUMN_LINES = 3
"""Two lines side by side are as likely a table."""
PROSE_CHARACTERS = 18
"""A line of a column of prose has at least this many, even in a newspaper; a cell of a table seldom does."""
PROSE_SHARE = 0.5
PROSE_FILL = 0.5
"""Of its column's width: how much of it a line of prose fills, on the median."""
PAUSE = 1.4
"""Of the usual step from row to row: a larger one begins something new."""
MAX_DEPTH = 12
"""Columns in columns in columns …: no page has this many, a hostile one may."""


def in_reading_order(segments: Sequence[Segment]) -> list[list[Row]]:
    """The segments as regions (each a column or a full-width band) of rows, in reading order; none is lost.

    Of columns side by side the left one is read first, or the right one where the script runs that way.
    """
    return _split(list(segments), MAX_DEPTH) if segments else []


def _split(segments: list[Segment], depth: int) -> list[list[Row]]:
    if len(segments) < 2 * MIN_COLUMN_LINES or depth == 0:
        return _leaf(segments)
    size = median(s.size for s in segments)
    if columns := _columns(segments, size):
        return [region for column in columns for region in _split(column, depth - 1)]
    strips = _strips(segments)
    if len(strips) == 1:
        return _leaf(segments)
    left, right = min(s.x0 for s in segments), max(s.x1 for s in segments)
    gaps = [_gaps(strip, left, right, MIN_GUTTER * size) for strip in strips]
    regions: list[list[Row]] = []
    plain: list[Segment] = []
    i = refused = hopeful = 0
    while i < len(strips):
        # What was refused as a whole is tried again only from where a hole in the page may begin something new.
        hole = _hole_above(strips, i)
        end = _band(gaps, i, (left, right), MIN_GUTTER * size) if hole or i >= hopeful else refused
        if end > refused or hole:
            band = [s for strip in strips[i:end] for s in strip]
            if columns := _columns(band, size):
                regions += _leaf(plain)
                plain = []
                regions += [region for column in columns for region in _split(column, depth - 1)]
                i = end
                continue
            refused = end
            hopeful = _first_past(gaps, refused, MIN_GUTTER * size)
        plain += strips[i]
        i += 1
    return regions + _leaf(plain)


def _leaf(segments: list[Segment]) -> list[list[Row]]:
    """One region; a table that text flows around comes after it, so that the text is not cut.

    What stands in a frame comes before the first paragraph that begins beside it.
    """
    if not segments:
        return []
    if inset := min((s for s in segments if s.inset), key=lambda s: (s.y0, s.x0), default=None):
        rows = rows_of([s for s in segments if s is not inset])
        pause = _pause(rows, inset.y0)
        above, below = ([s for row in part for s in row] for part in (rows[:pause], rows[pause:]))
        return [*_leaf(above), *_split(inset.inset or [], MAX_DEPTH - 1), *_leaf(below)]
    floats = [s for s in segments if s.table is not None and _lines_beside(s, segments) > 1]
    if not floats:
        return [rows_of(segments)]
    rest = [s for s in segments if all(s is not f for f in floats)]
    return [rows_of(rest), *([[s]] for s in floats)]


def _pause(rows: list[Row], top: float) -> int:
    """The first row below `top` that begins something new, by the distance from the row above it."""
    steps = [below[0].y1 - above[0].y1 for above, below in pairwise(rows)]
    usual = median(steps) if steps else 0.0
    for i, row in enumerate(rows):
        if row[0].middle >= top and (i == 0 or steps[i - 1] > PAUSE * usual):
            return i
    return len(rows)


def _lines_beside(table: Segment, segments: list[Segment]) -> int:
    return sum(s.table is None and table.y0 <= s.middle <= table.y1 for s in segments)


def _strips(segments: list[Segment]) -> list[list[Segment]]:
    """Groups of segments, from top to bottom, that a horizontal line could be drawn between."""
    ordered = sorted(segments, key=lambda s: s.y0)
    strips: list[list[Segment]] = []
    bottom = float("-inf")
    for segment in ordered:
        slack = 0.25 * (segment.y1 - segment.y0)  # the boxes of tightly set lines overlap a little
        if segment.y0 + slack >= bottom:
            strips.append([])
        strips[-1].append(segment)
        bottom = max(bottom, segment.y1)
    return strips


def _gaps(segments: Sequence[Segment], left: float, right: float, width: float) -> list[tuple[float, float]]:
    """Vertical strips of [left, right], at least `width` wide, that no segment enters."""
    gaps: list[tuple[float, float]] = []
    reached = left
    for x0, x1 in sorted((s.x0, s.x1) for s in segments):
        if x0 - reached >= width:
            gaps.append((reached, x0))
        reached = max(reached, x1)
    if right - reached >= width:
        gaps.append((reached, right))
    return gaps


Gap = tuple[float, float]


def _hole_above(strips: list[list[Segment]], i: int) -> bool:
    first = strips[i][0]
    return i == 0 or first.y0 - max(s.y1 for s in strips[i - 1]) > 0.8 * first.size


def _band(gaps: list[list[Gap]], start: int, sides: Gap, width: float) -> int:
    """The end of the longest run of strips from `start` that share an inner gap."""
    left, right = sides
    shared = gaps[start]
    end = start
    while end < len(gaps):
        met = _common(shared, gaps[end], width)
        if not any((a > left and b < right) or b - a > 2 * width for a, b in met):
            break
        shared = met
        end += 1
    return max(end, start + 1)


def _first_past(gaps: list[list[Gap]], end: int, width: float) -> int:
    """The first start whose band may hold the strip `end`: from there on all share a gap with it."""
    if end >= len(gaps):
        return end
    shared, start = gaps[end], end
    while start > 0 and (shared := _common(shared, gaps[start - 1], width)):
        start -= 1
    return start


def _common(one: list[Gap], two: list[Gap], width: float) -> list[Gap]:
    """Where both lists, each from left to right, have a gap at least `width` wide."""
    met: list[Gap] = []
    i = k = 0
    while i < len(one) and k < len(two):
        (a, b), (c, d) = one[i], two[k]
        start, end = max(a, c), min(b, d)
        if end - start >= width:
            met.append((start, end))
        if b < d:
            i += 1
        else:
            k += 1
    return met


def _columns(segments: list[Segment], size: float) -> list[list[Segment]] | None:
    """The columns, first to last, if a gutter runs down between them and they read like columns; else None."""
    if len(segments) < 2 * MIN_COLUMN_LINES:
        return None
    left, right = min(s.x0 for s in segments), max(s.x1 for s in segments)
    inner = [(a, b) for a, b in _gaps(segments, left, right, MIN_GUTTER * size) if a > left and b < right]
    for a, b in sorted(inner, key=lambda gap: gap[0] - gap[1]):
        one = [s for s in segments if s.x1 <= a]
        two = [s for s in segments if s.x0 >= b]
        if _side_by_side(one, two) and _are_columns(one, two):
            return _in_order([one, two])
    parts = _parts(segments, inner)
    if len(parts) > 2 and all(len(p) >= MIN_COLUMN_LINES and _may_be_prose(p) and _is_prose(p) for p in parts):  # noqa: PLR2004
        return _in_order(parts)
    return None


def _parts(segments: list[Segment], gaps: list[Gap]) -> list[list[Segment]]:
    """What stands between the gaps, from left to right."""
    parts: list[list[Segment]] = [[] for _ in range(len(gaps) + 1)]
    lefts = [b for _, b in gaps]
    for s in segments:
        parts[bisect_right(lefts, s.x0)].append(s)
    return parts


def _in_order(columns: list[list[Segment]]) -> list[list[Segment]]:
    """The columns, given from left to right, as a reader of their script takes them."""
    text = " ".join([s.text for column in columns for s in column])
    return columns[::-1] if reads_from_right(text) else columns


def _side_by_side(one: list[Segment], two: list[Segment]) -> bool:
    top, bottom = (
        max(min(s.y0 for s in one), min(s.y0 for s in two)),
        min(max(s.y1 for s in one), max(s.y1 for s in two)),
    )
    return (
        sum(top <= s.middle <= bottom for s in one) >= MIN_COLUMN_LINES
        and sum(top <= s.middle <= bottom for s in two) >= MIN_COLUMN_LINES
    )


def _are_columns(one: list[Segment], two: list[Segment]) -> bool:
    if are_amounts([s.text for s in two]):
        return False  # they are what the lines beside them say, however these are set
    prose = [_may_be_prose(side) and _is_prose(side) for side in (one, two)]
    if all(prose):
        return True
    # Beside prose, what keeps to lines of its own is a box; a table's cells share their lines.
    if any(prose) and _aligned_share(one, two) < 0.5:  # noqa: PLR2004 -- most lines have no partner
        return True
    # A table is written row by row, columns one after the other.
    written_apart = max(s.order for s in one) < min(s.order for s in two) or max(s.order for s in two) < min(
        s.order for s in one
    )
    return written_apart and _aligned_share(one, two) < 0.5  # noqa: PLR2004 -- most lines have no partner


def are_apart(text: list[Segment], box: list[Segment]) -> bool:
    """Whether `text` is running text that shares no lines with the box beside it."""
    return _may_be_prose(text) and _is_prose(text) and _aligned_share(text, box) < 0.5  # noqa: PLR2004 -- most lines


def _may_be_prose(column: list[Segment]) -> bool:
    """Cheaper than `_is_prose`, and seldom false where that is true."""
    return 4 * sum(len(s.text) >= PROSE_CHARACTERS for s in column) >= len(column)


def _is_prose(column: list[Segment]) -> bool:
    width = max(s.x1 for s in column) - min(s.x0 for s in column)
    rows = [(sum(len(s.text) for s in row) / len(row), row[-1].x1 - row[0].x0) for row in rows_of(column)]
    long = sum(n >= PROSE_CHARACTERS for n, _ in rows)
    return long >= PROSE_SHARE * len(rows) and median(w for _, w in rows) >= PROSE_FILL * width


def _aligned_share(one: list[Segment], two: list[Segment]) -> float:
    """How many lines of the shorter column have one beside them on the same baseline."""
    few, many = sorted((one, two), key=len)
    bottoms = sorted(s.y1 for s in many)
    near = 0
    for s in few:
        i = bisect_right(bottoms, s.y1 - 0.15 * s.size)
        near += i < len(bottoms) and bottoms[i] < s.y1 + 0.15 * s.size
    return near / len(few)


def _is_line_above(above: Segment, below: Segment) -> bool:
    """Whether two lines of a name stand in one row, which names in one line join; a raised mark is no line."""
    return (
        above.x0 < below.x1 - 0.5 * below.size
        and above.y1 - below.y0 < 0.5 * below.size
        and abs(above.size - below.size) < 0.1 * below.size
    )


def rows_of(segments: Sequence[Segment]) -> list[Row]:
    """Rows from top to bottom: what overlaps by half its height stands in one row."""
    rows: list[Row] = []
    tops: list[float] = []
    bottoms: list[float] = []
    for segment in sorted(segments, key=lambda s: (s.middle, s.x0)):
        if rows:
            shared = min(bottoms[-1], segment.y1) - max(tops[-1], segment.y0)
            if shared >= 0.5 * max(min(segment.y1 - segment.y0, bottoms[-1] - tops[-1]), 1e-3):
                rows[-1].append(segment)
                if len(segment.text) > 3:  # a raised footnote mark must not stretch the row over the next  # noqa: PLR2004
                    tops[-1], bottoms[-1] = min(tops[-1], segment.y0), max(bottoms[-1], segment.y1)
                continue
        rows.append([segment])
        tops.append(segment.y0)
        bottoms.append(segment.y1)
    for row in rows:
        row.sort(key=lambda s: s.x0)
        for i in range(1, len(row)):
            above, below = row[i], row[i - 1]
            if _is_line_above(above, below):
                row[i - 1], row[i] = above, below
    return rows
