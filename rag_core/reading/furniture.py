"""Which lines are running heads, running feet and page numbers: what stands at the edge of many pages. Pure."""

# ruff: noqa: RUF001 -- look-alike characters are what it is about

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from statistics import median
from typing import Literal

EDGE = 0.13
"""Of the page's height: running heads stand in this much at the top, running feet in this much at the bottom."""
MAX_ROWS = 4
"""Rows at one edge; more is content that repeats, as in a form."""
SAME_HEIGHT = 8.0
"""Points: a running head stands at one height on all its pages."""
ENOUGH = 2
"""Pages near this one that have the same line. One is chance: two chapters may begin alike."""

SHORT_FOOT = 40
"""Characters: the most that a foot has that stands right below the text."""
ENOUGH_PARTS = 3
"""Pages near this one that have the same part of a line in the same place. A part is less than a line, so it takes
more of them, and at least two."""
SAME_SIDE = 3.0
"""Points: what repeats begins or ends at one place."""
SAME_SIZE = 0.5
"""Points: lines of one title are of one size."""
LARGE = 2.0
"""Of the size of most rows: no running head is set in letters so large, and a title is."""
TITLE_GAP = 1.0
"""Of a line's height: the lines of a title are closer."""
APART = 0.5
"""Of its height: a running head that is the same only in part stands this far from the text, as no line of it does."""
MIN_COLUMNS = 3
"""Names side by side; a running head has at most a left, a middle and a right part, and none of them in two lines."""
LONGEST_NUMBER = 6
"""Digits: no page is counted in more."""
MIN_LETTERS = 4
"""Of a part that repeats: "Yes", "A" or "12" repeat in tables."""

_DIGITS = re.compile(r"\d+")
_ROMAN = r"(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})"
_PAGE_NUMBER = re.compile(
    r"(?:page|p\.|seite|página|pagina)?\s*[-–—|\[(]?\s*(?:\d{1,4}|"
    + _ROMAN
    + r"|[a-z]{1,3}[-–]\d{1,4})\s*[-–—|\])]?(?:\s*(?:of|/|von|de|sur)\s*\d{1,4})?",
    re.IGNORECASE,
)
_PARTED = re.compile(r"\s+[|·•–—]\s+")

Edge = Literal["header", "footer"]


@dataclass(frozen=True, slots=True)
class EdgePart:
    """A part of a row: a segment of it, or what stands between its bars and dots."""

    text: str
    left: float | None
    """Where it begins; None when that depends on what stands before it."""
    right: float | None

    @property
    def signature(self) -> str:
        """The text without its numbers, which change from page to page."""
        return _signature(self.text)

    def is_like(self, other: EdgePart) -> bool:
        """Whether both say the same, in the same place."""
        return self.signature == other.signature and (
            _same_side(self.left, other.left) or _same_side(self.right, other.right)
        )


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """A row near the top or the bottom of a page."""

    text: str
    y: float
    """From the top for a header, from the bottom for a footer, so that pages of other heights compare."""
    edge: Edge
    page: int = 0
    parts: tuple[EdgePart, ...] = field(default=(), compare=False)
    """Those that may tell that it is furniture, if it stands apart from the text: they are nowhere else on the page."""
    inner: bool = field(default=False, compare=False)
    """It is the last of its page, but not at the edge: some pages end with their text, and the number below it."""
    titles: bool = field(default=False, compare=False)
    """It is set like the first line of a title: as the row below it is, or in letters far larger than all others."""
    bold: bool = field(default=False, compare=False)

    @property
    def signature(self) -> str:
        """The text without its numbers, which change from page to page."""
        return _signature(self.text)


@dataclass(frozen=True, slots=True)
class PageRow:
    """Any row of a page."""

    segments: tuple[tuple[str, float, float], ...]
    """Text, left and right of each."""
    top: float
    bottom: float
    size: float = 0.0
    bold: bool = False
    """All of it."""

    @property
    def text(self) -> str:
        """Its words."""
        return " ".join(text for text, _, _ in self.segments)


def edge_rows(rows: Sequence[PageRow], height: float, page: int) -> list[EdgeRow]:
    """Those of the rows, given from top to bottom, that may be furniture, outermost first."""
    sides = [(left, right) for row in rows for _, left, right in row.segments]
    page_sides = (min(left for left, _ in sides), max(right for _, right in sides)) if sides else (0.0, 0.0)
    large = LARGE * median([row.size for row in rows] or [0.0])
    places: dict[str, list[tuple[int, EdgePart]]] = {}
    for i, row in enumerate(rows):
        for part in _parts(row):
            places.setdefault(part.signature, []).append((i, part))

    def edge_row(i: int, edge: Edge) -> EdgeRow:
        row = rows[i]
        near = i + 1 if edge == "header" else i - 1
        gap = 2 * height
        if 0 <= near < len(rows):
            gap = rows[near].top - row.bottom if edge == "header" else row.top - rows[near].bottom
        parts = (
            tuple(p for p in _parts(row) if not any(k != i and p.is_like(other) for k, other in places[p.signature]))
            if gap >= APART * (row.bottom - row.top)
            else ()
        )
        titles = edge == "header" and near < len(rows) and (_titles(row, rows[near], page_sides) or row.size > large)
        inner = edge == "footer" and row.top < (1 - EDGE) * height
        y = row.bottom if edge == "header" else height - row.top
        return EdgeRow(row.text, y, edge, page, parts, inner, titles, row.bold)

    count = len(rows)
    tops = [
        edge_row(i, "header")
        for i in takewhile(lambda i: not _heads_columns(rows, i), range(min(MAX_ROWS, count)))
        if rows[i].bottom <= EDGE * height
    ]
    feet = [
        edge_row(i, "footer")
        for i in range(count - 1, max(count - 1 - MAX_ROWS, -1), -1)
        if rows[i].top >= (1 - EDGE) * height
    ]
    if not feet and len(tops) < count and len(rows[-1].text) <= SHORT_FOOT and any(map(str.isdigit, rows[-1].text)):
        feet = [edge_row(count - 1, "footer")]
    return tops + feet


def _heads_columns(rows: Sequence[PageRow], i: int) -> bool:
    """Whether a row is the first line of names that columns have: a table that goes on repeats them on every page."""
    if i + 1 >= len(rows) or len(rows[i + 1].segments) < MIN_COLUMNS:
        return False
    row, below = rows[i], rows[i + 1]
    if below.top - row.bottom >= APART * (row.bottom - row.top):
        return False
    return all(
        sum(left < right_below and left_below < right for _, left_below, right_below in below.segments) == 1
        for _, left, right in row.segments
    )


def _titles(row: PageRow, below: PageRow, sides: tuple[float, float]) -> bool:
    """Whether both are lines of one title: bold, of one size, close, and set to one middle.

    Lines as wide as each other that begin, or end, where all that the page has does, have one middle by chance, unless
    it is the page's.
    """
    if not (row.bold and below.bold) or len(row.segments) > 1 or len(below.segments) > 1:
        return False
    (_, left, right), (_, left_below, right_below) = *row.segments, *below.segments
    return (
        abs(row.size - below.size) < SAME_SIZE
        and below.top - row.bottom < TITLE_GAP * (row.bottom - row.top)
        and abs(left + right - left_below - right_below) < 2 * SAME_SIDE
        and (
            abs(left - left_below) > SAME_SIDE
            or (left - sides[0] > SAME_SIDE and sides[1] - right > SAME_SIDE)
            or abs((left + right) - sum(sides)) < 2 * SAME_SIDE
        )
    )


def furniture_of(page: Sequence[EdgeRow], others: Sequence[Sequence[EdgeRow]]) -> list[EdgeRow]:
    """Those rows of `page` that repeat on `others`, the pages around it, and the page numbers.

    A row repeats as a whole, or in part: the book's title beside that of the chapter, a page number beside either.
    Walks inward from each edge and stops at the first row that is neither, so content that happens to repeat
    further in stays content. So does the first line of a title, as the name of a company above each of its statements.
    """
    found: list[EdgeRow] = []
    for edge in ("header", "footer"):
        for row in (r for r in page if r.edge == edge):
            if _is_furniture(row, others):
                found.append(row)
            else:
                break
        while found and found[-1].titles:
            found.pop()
    return found


def _is_furniture(row: EdgeRow, others: Sequence[Sequence[EdgeRow]]) -> bool:
    if row.inner:
        return bool(row.parts) and sum(any(_counts_with(row, o) for o in other) for other in others) >= ENOUGH
    return (
        _PAGE_NUMBER.fullmatch(row.text.strip()) is not None
        or _repeats(row, others)
        or (_repeats_in_part(row, others) and not _names_its_page(row, others))
    )


def _names_its_page(row: EdgeRow, others: Sequence[Sequence[EdgeRow]]) -> bool:
    """Whether a bold row says what no other page does: the name of a statement, beside that of the company."""
    if row.edge != "header" or not row.bold:
        return False
    known = {part.signature for other in others for o in other if o.edge == row.edge for part in o.parts}
    return any(sum(map(str.isalpha, p.text)) >= MIN_LETTERS and p.signature not in known for p in row.parts)


def _counts_with(row: EdgeRow, other: EdgeRow) -> bool:
    """Whether two feet say the same but for a number that counts up with the pages."""
    if other.edge != row.edge or other.signature != row.signature or len(other.text) > SHORT_FOOT:
        return False
    here, there = _DIGITS.findall(row.text), _DIGITS.findall(other.text)
    if len(here) != len(there):  # one of them has the sign that stands for a number
        return False
    return any(int(b) - int(a) == other.page - row.page for a, b in zip(here, there, strict=True))


def _repeats(row: EdgeRow, others: Sequence[Sequence[EdgeRow]]) -> bool:
    signature = row.signature
    seen = sum(any(o.signature == signature for o in _level(row, other)) for other in others)
    return seen >= min(ENOUGH, max(len(others), 1))


def _repeats_in_part(row: EdgeRow, others: Sequence[Sequence[EdgeRow]]) -> bool:
    enough = max(min(ENOUGH_PARTS, len(others)), 2)
    return any(
        sum(any(_is_same(part, row, o) for o in _level(row, other)) for other in others) >= enough for part in row.parts
    )


def _is_same(part: EdgePart, row: EdgeRow, other: EdgeRow) -> bool:
    """Whether `other` has the part of `row`, or the number that counts up with the pages."""
    if sum(map(str.isalpha, part.text)) >= MIN_LETTERS:
        return any(part.is_like(o) for o in other.parts)
    if not _is_number(part.text):
        return False
    return any(_is_number(o.text) and part.is_like(o) and _counts(part, row, o, other) for o in other.parts)


def _counts(part: EdgePart, row: EdgeRow, o: EdgePart, other: EdgeRow) -> bool:
    return int(o.text) - int(part.text) == other.page - row.page


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER


def _level(row: EdgeRow, other: Sequence[EdgeRow]) -> Iterator[EdgeRow]:
    """The rows of another page at the height of this one."""
    return (o for o in other if o.edge == row.edge and abs(o.y - row.y) <= SAME_HEIGHT)


def _parts(row: PageRow) -> Iterator[EdgePart]:
    for text, left, right in row.segments:
        yield EdgePart(text, left, right)
        pieces = _PARTED.split(text)
        if len(pieces) > 1:
            yield EdgePart(pieces[0], left, None)
            yield EdgePart(pieces[-1], None, right)


def _signature(text: str) -> str:
    return _DIGITS.sub("#", " ".join(text.lower().split()))


def _same_side(a: float | None, b: float | None) -> bool:
    return a is not None and b is not None and abs(a - b) <= SAME_SIDE
