"""Which characters of a page no reader can see: they are kept out of the text, and the page says so. Pure.

Text that nobody sees is how a document lies to a machine. What is suspicious by its numbers alone (its colour equals
what is under it, an opaque shape lies on it) may still be seen: a gradient, a blend mode or a picture decides. For
those the adapter looks at the rendered page before it believes the suspicion.

Of a run that is hidden in part, the rest stays. The rest of a number does not: it would read as another number.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from rag_core.rawpage import Box, RawPage, Run, Shape

TINY = 2.0
"""Points: nobody reads smaller type, and no printer sets it."""
FAINT = 13
"""Of 255: opacity below which text does not show."""
SAME_COLOUR = 20
"""Of 255 in every channel: closer to what is under it, text does not show."""
INSIDE = 0.9
"""Of a run's area under a shape, for the shape to be what it stands on or what hides it."""
MIN_SHAPE = 3.0
"""Points: thinner shapes are rules and underlines, which hide nothing."""

WHITE = 0xFFFFFF

Hidden = str
"""Why a run is hidden, in the words of a warning."""

Marks = list[Hidden | None]
"""Why each character of a run is hidden; None for those that are not."""

OFF_PAGE: Hidden = "off the page"
COVERED: Hidden = "covered"
LIKE_GROUND: Hidden = "in the colour of what is under it"

_NUMBER = re.compile(r"[-+\u2212$€£¥]?\d[\d.,:/'\u2019-]*[%\u2030]?")


class Grounds:
    """The shapes of a page that can hide text or stand behind it."""

    def __init__(self, shapes: Sequence[Shape]) -> None:
        self._shapes = [
            s
            for s in shapes
            if not s.stroked
            and s.alpha > 255 - FAINT
            and s.bbox[2] - s.bbox[0] > MIN_SHAPE
            and s.bbox[3] - s.bbox[1] > MIN_SHAPE
        ]
        covers = sorted((s for s in self._shapes if s.exact), key=lambda s: s.order)
        self._covers = [s.bbox for s in covers]
        self._orders = [s.order for s in covers]
        self._colours = {s.colour for s in self._shapes} | {WHITE}
        self._alike: dict[int, bool] = {}

    def covers(self, run: Run) -> bool:
        """Whether an opaque rectangle was painted over the run."""
        x, y = (run.bbox[0] + run.bbox[2]) / 2, (run.bbox[1] + run.bbox[3]) / 2
        later = self._covers[bisect_right(self._orders, run.order) :]
        return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in later) and any(
            _overlap(run.bbox, box) >= INSIDE for box in later
        )

    def hides_by_colour(self, run: Run) -> bool:
        """Whether the run has the colour of what it was painted on."""
        if run.colour not in self._alike:  # most text has a colour that no shape has
            self._alike[run.colour] = any(_alike(run.colour, colour) for colour in self._colours)
        if not self._alike[run.colour]:
            return False
        under = WHITE
        for s in self._shapes:
            if s.order < run.order and _overlap(run.bbox, s.bbox) >= INSIDE:
                under = s.colour
        return _alike(run.colour, under)


def hidden_text(page: RawPage, is_seen: Callable[[Box], bool]) -> dict[int, Marks]:
    """The runs that are hidden, wholly or in part, by index; those that are not are left out.

    `is_seen` tells whether the rendered page shows something in a box.
    """
    grounds = Grounds(page.shapes)
    found: dict[int, Marks] = {}
    for i, run in enumerate(page.runs):
        if not run.text.isspace() and (marks := _marks(run, grounds, page, is_seen)):
            found[i] = marks
    return found


def _marks(run: Run, grounds: Grounds, page: RawPage, is_seen: Callable[[Box], bool]) -> Marks | None:
    """Why the characters of the run are hidden; None when all of them can be seen."""
    off = _off_page(run, page)
    if len(off) < len(run.text) and (why := _wholly_hidden(run, grounds, page, is_seen)):
        return [why] * len(run.text)
    if not off:
        return None
    marks: Marks = [None] * len(run.text)
    for i in off:
        marks[i] = OFF_PAGE
    return _whole_numbers(run.text, marks)


def _wholly_hidden(run: Run, grounds: Grounds, page: RawPage, is_seen: Callable[[Box], bool]) -> Hidden | None:
    """Why nothing of the run can be seen; None when there is no sign of it."""
    if run.size < TINY and run.bbox[3] - run.bbox[1] < 2 * TINY:
        return "smaller than 2 points"
    if not run.painted:
        return None if any(_overlap(run.bbox, image) > 0 for image in page.images) else "placed but not drawn"
    if run.alpha < FAINT:
        return "transparent"
    why = COVERED if grounds.covers(run) else LIKE_GROUND if grounds.hides_by_colour(run) else None
    return why if why is not None and not is_seen(run.bbox) else None


def _off_page(run: Run, page: RawPage) -> list[int]:
    """The characters whose middle is beyond the page's edges."""
    x0, y0, x1, y1 = run.bbox
    if x0 >= 0 and y0 >= 0 and x1 <= page.width and y1 <= page.height:
        return []
    middles = ((i, *_middle(run.edges, i)) for i in range(len(run.text)))
    return [i for i, x, y in middles if not (0 <= x <= page.width and 0 <= y <= page.height)]


def _whole_numbers(text: str, marks: Marks) -> Marks:
    """The marks, with every number that is hidden in part hidden whole."""
    for number in _NUMBER.finditer(text):
        start, end = number.span()
        if why := next(filter(None, marks[start:end]), None):
            marks[start:end] = [why] * (end - start)
    return marks


def without(page: RawPage, hidden: Mapping[int, Marks]) -> RawPage:
    """The page without its hidden text, and with a warning for each kind of it."""
    if not hidden:
        return page
    runs: list[Run] = []
    counts: dict[Hidden, int] = {}
    for i, run in enumerate(page.runs):
        marks = hidden.get(i)
        if marks is None:
            runs.append(run)
            continue
        for why, char in zip(marks, run.text, strict=True):
            if why is not None:
                counts[why] = counts.get(why, 0) + (not char.isspace())
        if rest := _rest(run, marks):
            runs.append(rest)
    warnings = [f"Hidden text was left out: {count} characters {why}." for why, count in counts.items()]
    return replace(page, runs=tuple(runs), warnings=(*page.warnings, *warnings))


def _rest(run: Run, marks: Marks) -> Run | None:
    """What can be seen of the run, with a space where something hidden stood between; None when nothing can."""
    text: list[str] = []
    edges: array[float] = array("f")
    for is_hidden, group in groupby(range(len(marks)), key=lambda i: marks[i] is not None):
        places = list(group)
        start, end = places[0], places[-1] + 1
        part = run.edges[4 * start : 4 * end]
        if not is_hidden:
            text.append(run.text[start:end])
            edges.extend(part)
        elif start and end < len(marks):
            text.append(" ")
            edges.extend(_around(part))
    left = "".join(text)
    return replace(run, text=left, edges=edges, bbox=_around(edges)) if left.strip() else None


def _middle(edges: array[float], i: int) -> tuple[float, float]:
    x0, y0, x1, y1 = edges[4 * i : 4 * i + 4]
    return (x0 + x1) / 2, (y0 + y1) / 2


def _around(edges: array[float]) -> Box:
    return min(edges[0::4]), min(edges[1::4]), max(edges[2::4]), max(edges[3::4])


def _overlap(box: Box, other: Box) -> float:
    """The part of `box` that lies in `other`."""
    width = min(box[2], other[2]) - max(box[0], other[0])
    height = min(box[3], other[3]) - max(box[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    return width * height / max((box[2] - box[0]) * (box[3] - box[1]), 1e-6)


def _alike(one: int, other: int) -> bool:
    return all(abs((one >> shift & 0xFF) - (other >> shift & 0xFF)) < SAME_COLOUR for shift in (0, 8, 16))
