"""Text in a frame that other text flows around, as facts beside an article, to a segment that stands for it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rag_core.reading.columns import are_apart
from rag_core.reading.grids import TOUCH, Rules
from rag_core.reading.segments import Segment, stand_in
from rag_core.types.rawpage import Box, Shape

LEAST_HEIGHT = 30.0
"""Points: a lower frame holds a line or two, and is a cell or a button."""
NARROWEST = 40.0
"""Points: no text reads on in a narrower frame, nor beside one that leaves less."""
LEAST_LINES = 3
"""Lines in the frame, and lines beside it: fewer may be cells of one row."""
MOST_FRAMES = 60
"""A page with more is a form or a drawing."""
WHITE = 0xF8
"""Of 255, every part of a colour from here on: a reader sees no frame."""


def with_insets(segments: list[Segment], shapes: Sequence[Shape], rules: Rules) -> list[Segment]:
    """The segments, those in a frame beside running text replaced by one a frame that holds them; none is lost."""
    frames = sorted(set(_frames(shapes, rules)), key=lambda f: ((f[0] - f[2]) * (f[3] - f[1]), f))
    if not frames or len(frames) > MOST_FRAMES:
        return segments
    left, right = min(s.x0 for s in segments), max(s.x1 for s in segments)
    frames = [f for f in frames if f[2] - f[0] >= NARROWEST and (f[0] > left + NARROWEST or f[2] < right - NARROWEST)]
    rest = segments
    found: list[Segment] = []
    for frame in frames:
        inside = [s for s in rest if _holds(frame, s)]
        if len(inside) < LEAST_LINES or len(inside) == len(rest) or not _stands_alone(frame, inside, rest):
            continue
        taken = set(map(id, inside))
        rest = [s for s in rest if id(s) not in taken]
        found.append(stand_in(inside, top=frame[1], inset=inside))
    return rest + found


def _frames(shapes: Sequence[Shape], rules: Rules) -> Iterator[Box]:
    """Boxes that are drawn or filled, and those of rules left and right with one across that joins them."""
    for shape in shapes:
        x0, y0, x1, y1 = shape.bbox
        if shape.exact and shape.alpha and not _is_white(shape.colour) and y1 - y0 >= LEAST_HEIGHT and x1 > x0:
            yield shape.bbox
    down = sorted((r for r in rules.down if r.end - r.start >= LEAST_HEIGHT), key=lambda r: r.at)
    if len(down) > MOST_FRAMES:
        return
    for i, left in enumerate(down):
        right = next((r for r in down[i + 1 :] if _is_beside(left.start, left.end, r.start, r.end)), None)
        if right is not None and any(
            min(abs(r.at - left.start), abs(r.at - left.end)) <= 2 * TOUCH
            and r.start <= left.at + TOUCH
            and r.end >= right.at - TOUCH
            for r in rules.across
        ):
            yield left.at, left.start, right.at, left.end


def _is_beside(start: float, end: float, other_start: float, other_end: float) -> bool:
    return abs(start - other_start) <= 2 * TOUCH and abs(end - other_end) <= 2 * TOUCH


def _is_white(colour: int) -> bool:
    return min(colour >> 16 & 0xFF, colour >> 8 & 0xFF, colour & 0xFF) >= WHITE


def _holds(frame: Box, s: Segment) -> bool:
    x0, y0, x1, y1 = frame
    return y0 <= s.middle <= y1 and x0 <= (s.x0 + s.x1) / 2 <= x1


def _stands_alone(frame: Box, inside: list[Segment], segments: Sequence[Segment]) -> bool:
    """Whether text reads on beside the frame, and none crosses its sides."""
    x0, y0, x1, y1 = frame
    if min(s.x0 for s in inside) < x0 - TOUCH or max(s.x1 for s in inside) > x1 + TOUCH:
        return False
    level = [s for s in segments if y0 <= s.middle <= y1 and not _holds(frame, s)]
    left = [s for s in level if s.x1 <= x0 + TOUCH]
    right = [s for s in level if s.x0 >= x1 - TOUCH]
    return len(left) + len(right) == len(level) and any(
        len(side) >= LEAST_LINES and are_apart(side, inside) for side in (left, right)
    )
