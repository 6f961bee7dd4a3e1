"""Which characters of a page no reader can see: they are kept out of the text, and the page says so. Pure.

Text that nobody sees is how a document lies to a machine. What is suspicious by its numbers alone (its colour equals
what is under it, an opaque shape lies on it) may still be seen: a gradient, a blend mode or a picture decides. For
those the adapter looks at the rendered page before it believes the suspicion.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace

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

SURE: frozenset[Hidden] = frozenset({"smaller than 2 points", "off the page", "placed but not drawn", "transparent"})
"""Reasons that need no look at the rendered page."""


def suspicion(run: Run, grounds: Grounds, page: RawPage) -> Hidden | None:  # noqa: PLR0911 -- one a reason
    """Why no reader may see the run, or None when there is no sign of it."""
    if run.size < TINY and run.bbox[3] - run.bbox[1] < 2 * TINY:
        return "smaller than 2 points"
    if not _on_page(run.bbox, page):
        return "off the page"
    if not run.painted:
        return None if any(_overlap(run.bbox, image) > 0 for image in page.images) else "placed but not drawn"
    if run.alpha < FAINT:
        return "transparent"
    if grounds.covers(run):
        return "covered"
    if grounds.hides_by_colour(run):
        return "in the colour of what is under it"
    return None


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


def hidden_runs(page: RawPage, is_seen: Callable[[Box], bool]) -> dict[int, Hidden]:
    """The hidden runs, by index, and why; `is_seen` tells whether the rendered page shows something in a box."""
    grounds = Grounds(page.shapes)
    found: dict[int, Hidden] = {}
    for i, run in enumerate(page.runs):
        if run.text.isspace():
            continue
        why = suspicion(run, grounds, page)
        if why is not None and (why in SURE or not is_seen(run.bbox)):
            found[i] = why
    return found


def without(page: RawPage, hidden: dict[int, Hidden]) -> RawPage:
    """The page without its hidden runs, and with a warning for each kind of them."""
    if not hidden:
        return page
    runs = tuple(run for i, run in enumerate(page.runs) if i not in hidden)
    warnings = []
    for why in dict.fromkeys(hidden.values()):
        count = sum(len(page.runs[i].text.strip()) for i, reason in hidden.items() if reason == why)
        warnings.append(f"Hidden text was left out: {count} characters {why}.")
    return replace(page, runs=runs, warnings=(*page.warnings, *warnings))


def _on_page(box: Box, page: RawPage) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return 0 <= x <= page.width and 0 <= y <= page.height


def _overlap(box: Box, other: Box) -> float:
    """The part of `box` that lies in `other`."""
    width = min(box[2], other[2]) - max(box[0], other[0])
    height = min(box[3], other[3]) - max(box[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    return width * height / max((box[2] - box[0]) * (box[3] - box[1]), 1e-6)


def _alike(one: int, other: int) -> bool:
    return all(abs((one >> shift & 0xFF) - (other >> shift & 0xFF)) < SAME_COLOUR for shift in (0, 8, 16))
