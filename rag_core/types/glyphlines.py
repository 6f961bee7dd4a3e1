"""The places of a quote's characters to the rectangles that mark it, one a line, whichever way the line runs. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from rag_core.types.rawpage import Box

SHARED = 0.5
"""Two glyphs stand on one line when they share at least this part of the smaller one's height, or width in a column."""
APART = 4.0
"""Of a line's height: a wider gap parts two columns of text."""
SAME_WIDTH = 0.8
"""What two glyphs share of the wider one's width when a line that runs down or up the page begins with them."""
TOUCHES = 0.75
"""Of the width: the glyphs that such a line begins with are no further apart."""
NARROW = 1.5
"""Of its width: what is taller is an upright letter. Turned ones are wide, ideographs square."""


def line_boxes(glyphs: Iterable[Box]) -> Iterator[Box]:
    """The boxes around the glyphs, one a line, in the order of the glyphs.

    A line runs across the page, or down or up it, as turned text and Japanese do. Two short lines, one below the other,
    may look like the start of a line that runs down; the third glyph tells.
    """
    line: Box | None = None
    before = last = (0.0, 0.0, 0.0, 0.0)
    way: Literal["across", "down"] | None = None
    for glyph in glyphs:
        if line is None or _in_one_place(last, glyph):
            line = glyph if line is None else _union(line, glyph)
        elif way != "down" and _across(line, glyph):
            line, way = _union(line, glyph), "across"
        elif (way == "down" and _across(_flipped(line), _flipped(glyph))) or (way is None and _starts(line, glyph)):
            before, line, way = line, _union(line, glyph), "down"
        elif way == "down" and _across(last, glyph):
            yield before
            line, way = _union(last, glyph), "across"
        else:
            yield line
            line, way = glyph, None
        last = glyph
    if line is not None:
        yield line


def _across(line: Box, glyph: Box) -> bool:
    """Whether the glyph stands beside the line, and not too far from it."""
    shared = min(line[3], glyph[3]) - max(line[1], glyph[1])
    gap = max(glyph[0] - line[2], line[0] - glyph[2])
    heights = line[3] - line[1], glyph[3] - glyph[1]
    return shared >= SHARED * max(min(heights), 1e-3) and gap < APART * max(heights)


def _starts(first: Box, second: Box) -> bool:
    """Whether the second glyph follows the first down or up the page."""
    width = max(first[2] - first[0], second[2] - second[0], 1e-3)
    height = max(first[3] - first[1], second[3] - second[1])
    shared = min(first[2], second[2]) - max(first[0], second[0])
    gap = max(second[1] - first[3], first[1] - second[3])
    return shared >= SAME_WIDTH * width and gap < TOUCHES * width and height <= NARROW * width


def _in_one_place(last: Box, glyph: Box) -> bool:
    """Whether one stands on the other, as an accent on its letter and the parts of a ligature do."""
    across = min(last[2], glyph[2]) - max(last[0], glyph[0])
    down = min(last[3], glyph[3]) - max(last[1], glyph[1])
    return across > SHARED * min(last[2] - last[0], glyph[2] - glyph[0]) and down > SHARED * min(
        last[3] - last[1], glyph[3] - glyph[1]
    )


def _flipped(box: Box) -> Box:
    x0, y0, x1, y1 = box
    return y0, x0, y1, x1


def _union(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])
