"""Which characters of a page no reader can see: they are kept out of the text, and the page says so. Pure.

Text that nobody sees is how a document lies to a machine. What is suspicious by its numbers alone (its colour equals
what is under it, an opaque shape lies on it) may still be seen: a gradient, a blend mode or a picture decides. For
those the adapter looks at the rendered page before it believes the suspicion.

Of a run that is hidden in part, the rest stays. The rest of a number does not: it would read as another number.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Protocol

from rag_core.reading.scans import FILLS, filled
from rag_core.types.rawpage import Box, RawPage, Run, Shape

TINY = 2.0
"""Points: nobody reads smaller type, and no printer sets it."""
FAINT = 13
"""Of 255: opacity below which text does not show."""
SAME_COLOUR = 20
"""Of 255 in every channel: closer to what is under it, text does not show."""
TIPS = 0.33
"""Of a line's height, above and below, where only the tips of letters are: nobody reads those alone."""
SLIVER = 1.0
"""Points: of what is narrower the rendered page tells nothing."""
FEW_LETTERS = 3
"""Fewer are looked at together with those beside them: a full stop alone is a dot that a look may miss."""
MAX_PARTS = 64
"""Of a word, into which shapes divide it: a drawing made of hundreds is no cover."""
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
        self._shapes.sort(key=lambda s: s.order)
        self._orders = [s.order for s in self._shapes]
        self._boxes = [s.bbox for s in self._shapes]
        self._colours = {s.colour for s in self._shapes} | {WHITE}
        self._alike: dict[int, bool] = {}

    def over(self, run: Run) -> list[Shape]:
        """The shapes that were painted over a part of the run."""
        if not self._orders or run.order >= self._orders[-1]:
            return []
        return self._along(run, bisect_right(self._orders, run.order), len(self._shapes))

    def may_hide_by_colour(self, run: Run) -> bool:
        """Whether anything on the page has the run's colour: of most text, nothing has."""
        if run.colour not in self._alike:
            self._alike[run.colour] = any(_alike(run.colour, colour) for colour in self._colours)
        return self._alike[run.colour]

    def under(self, run: Run) -> list[Shape]:
        """The shapes that a part of the run was painted on, the lowest first."""
        return self._along(run, 0, bisect_left(self._orders, run.order))

    def _along(self, run: Run, start: int, end: int) -> list[Shape]:
        """Those of the shapes, from one place in their order to another, that meet the middle of the run's letters."""
        x0, y0, x1, y1 = _spine(run)
        met = [
            i
            for i, (a0, b0, a1, b1) in enumerate(self._boxes[start:end], start)
            if b0 <= y1 and y0 <= b1 and a0 <= x1 and x0 <= a1
        ]
        return [self._shapes[i] for i in met] if met else []


class Look(Protocol):
    """The page as rendered."""

    def shows(self, box: Box) -> bool:
        """Whether there is anything but one plain colour in the box."""

    def shows_text(self, box: Box) -> bool:
        """Whether the box would look otherwise without the page's text."""


def hidden_text(page: RawPage, look: Look) -> dict[int, Marks]:
    """The runs that are hidden, wholly or in part, by index; those that are not are left out."""
    grounds = Grounds(page.shapes)
    found: dict[int, Marks] = {}
    for i, run in enumerate(page.runs):
        if not run.text.isspace() and (marks := _marks(run, grounds, page, look)):
            found[i] = marks
    return found


def _marks(run: Run, grounds: Grounds, page: RawPage, look: Look) -> Marks | None:
    """Why the characters of the run are hidden; None when all of them can be seen."""
    off = _off_page(run, page)
    if len(off) < len(run.text) and (why := _wholly_hidden(run, page, look)):
        return [why] * len(run.text)
    hidden = dict.fromkeys(off, OFF_PAGE)
    is_seen = look.shows
    if run.painted:
        hidden |= dict.fromkeys(_under_pictures(run, page, look), COVERED)
        hidden |= dict.fromkeys(_covered(run, grounds.over(run), is_seen), COVERED)
        if grounds.may_hide_by_colour(run):
            hidden |= dict.fromkeys(_like_ground(run, grounds.under(run), is_seen), LIKE_GROUND)
    return _whole_numbers(run.text, [hidden.get(i) for i in range(len(run.text))]) if hidden else None


def _wholly_hidden(run: Run, page: RawPage, look: Look) -> Hidden | None:
    """Why nothing of the run can be seen, whatever is around it; None when there is no sign of it."""
    if run.size < TINY and run.bbox[3] - run.bbox[1] < 2 * TINY:
        return "smaller than 2 points"
    if not run.painted:
        return None if _is_layer(run, page, look) else "placed but not drawn"
    return "transparent" if run.alpha < FAINT else None


def _is_layer(run: Run, page: RawPage, look: Look) -> bool:
    """Whether the run says what a picture shows: it lies on one, and on something in it.

    A picture that nobody could decode shows nothing anywhere, and then the text is all there is of it.
    """
    return any(_meet(run.bbox, image) for image in page.images) and (
        look.shows(run.bbox) or not look.shows((0.0, 0.0, page.width, page.height))
    )


def _under_pictures(run: Run, page: RawPage, look: Look) -> Iterator[int]:
    """The characters under pictures without which the page would look the same.

    Not so those under one that fills the page: they are what a program has read in it.
    """
    suspects = []
    for i in range(len(run.text)) if any(_meet(run.bbox, box) for box in page.covering) else ():
        x, y = _middle(run.edges, i)
        if any(a0 <= x <= a1 and b0 <= y <= b1 for a0, b0, a1, b1 in page.covering):
            suspects.append(i)
    if not suspects or (filled(page) >= FILLS and _is_layer(run, page, look)):
        return
    for group in _groups(run.text, suspects):
        if any(run.text[i].isalnum() for i in group) and not look.shows_text(_around_all(run.edges, group)):
            yield from group


def _covered(run: Run, covers: Sequence[Shape], is_seen: Callable[[Box], bool]) -> Iterator[int]:
    """The characters that have their middle under one of `covers` and of which nothing can be read."""
    if not covers:
        return
    suspects = []
    for i in range(len(run.text)):
        x, y = _middle(run.edges, i)
        if any(s.bbox[0] <= x <= s.bbox[2] and s.bbox[1] <= y <= s.bbox[3] for s in covers):
            suspects.append(i)
    for group in _groups(run.text, suspects):
        box = _around_all(run.edges, group)
        core = _core(box, run) if any(run.text[i].isalnum() for i in group) else box
        if not _any_seen(box, core, covers, is_seen):
            yield from group


def _like_ground(run: Run, shapes: Sequence[Shape], is_seen: Callable[[Box], bool]) -> Iterator[int]:
    """The characters that have the colour of what is under their middle and of which nothing can be seen."""
    suspects = []
    if not shapes:
        suspects = list(range(len(run.text))) if _alike(run.colour, WHITE) else []
    else:
        for i in range(len(run.text)):
            x, y = _middle(run.edges, i)
            on = (s.colour for s in reversed(shapes) if s.bbox[0] <= x <= s.bbox[2] and s.bbox[1] <= y <= s.bbox[3])
            if _alike(run.colour, next(on, WHITE)):
                suspects.append(i)
    for group in _groups(run.text, suspects):
        box = _around_all(run.edges, group)
        if not _any_seen(box, box, shapes, is_seen):
            yield from group


def _groups(text: str, suspects: Sequence[int]) -> Iterator[list[int]]:
    """The suspects word by word, without the blanks around them."""
    group: list[int] = []
    for i in suspects:
        if group and (i - group[-1] > 1 or (text[i].isspace() and len(group) >= FEW_LETTERS)):
            yield group
            group = []
        if group or not text[i].isspace():
            group.append(i)
    if group:
        yield group


def _any_seen(box: Box, core: Box, shapes: Sequence[Shape], is_seen: Callable[[Box], bool]) -> bool:
    """Whether the page shows anything in `box` but the edges of `shapes`; beside them, only `core` counts."""
    xs = sorted({box[0], box[2], *(x for s in shapes for x in (s.bbox[0], s.bbox[2]) if box[0] < x < box[2])})
    ys = sorted({box[1], box[3], *(y for s in shapes for y in (s.bbox[1], s.bbox[3]) if box[1] < y < box[3])})
    if (len(xs) - 1) * (len(ys) - 1) > MAX_PARTS:
        return True
    for x0, x1 in pairwise(xs):
        for y0, y1 in pairwise(ys):
            part = (x0, y0, x1, y1)
            if not any(s.exact and _meet(part, s.bbox) for s in shapes):
                part = (max(x0, core[0]), max(y0, core[1]), min(x1, core[2]), min(y1, core[3]))
            if part[2] - part[0] > SLIVER and part[3] - part[1] > SLIVER and is_seen(part):
                return True
    return False


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
    """What can be seen of the run, one space where something hidden stood between; None when nothing can."""
    text = ""
    edges: array[float] = array("f")
    for is_hidden, group in groupby(range(len(marks)), key=lambda i: marks[i] is not None):
        if is_hidden:
            continue
        places = list(group)
        start, end = places[0], places[-1] + 1
        part = run.text[start:end]
        if text and text[-1].isspace():
            part = part.lstrip()
        elif text and not part[0].isspace():
            text += " "
            edges.extend((edges[-2], edges[-3], edges[-2], edges[-1]))
        text += part
        edges.extend(run.edges[4 * (end - len(part)) : 4 * end])
    return replace(run, text=text, edges=edges, bbox=_around(edges)) if text.strip() else None


def _middle(edges: array[float], i: int) -> tuple[float, float]:
    x0, y0, x1, y1 = edges[4 * i : 4 * i + 4]
    return (x0 + x1) / 2, (y0 + y1) / 2


def _around(edges: array[float]) -> Box:
    return min(edges[0::4]), min(edges[1::4]), max(edges[2::4]), max(edges[3::4])


def _around_all(edges: array[float], characters: Sequence[int]) -> Box:
    return _around(edges[4 * characters[0] : 4 * characters[-1] + 4])


def _spine(run: Run) -> Box:
    """The line through the middle of the run's letters; of a slanted run, all of its box."""
    x0, y0, x1, y1 = run.bbox
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    match run.turn:
        case 0 | 180:
            return x0, y, x1, y
        case 90 | 270:
            return x, y0, x, y1
        case _:
            return run.bbox


def _core(box: Box, run: Run) -> Box:
    """The part of `box` in which letters are told apart."""
    x0, y0, x1, y1 = box
    match run.turn:
        case 0 | 180 if not run.vertical:
            return x0, y0 + TIPS * (y1 - y0), x1, y1 - TIPS * (y1 - y0)
        case 90 | 270 if not run.vertical:
            return x0 + TIPS * (x1 - x0), y0, x1 - TIPS * (x1 - x0), y1
        case _:
            return box


def _meet(box: Box, other: Box) -> bool:
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]


def _alike(one: int, other: int) -> bool:
    return all(abs((one >> shift & 0xFF) - (other >> shift & 0xFF)) < SAME_COLOUR for shift in (0, 8, 16))
