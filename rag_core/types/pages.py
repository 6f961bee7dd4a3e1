"""A document as a reader sees it: pages, blocks and table rows, and where each character stands. Pure.

Pages are 1-based. Lengths are in PDF points, with the origin at the top left of the page as a reader sees it.
Offsets count Unicode code points of one page's text: start inclusive, end exclusive.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from rag_core.types.glyphlines import line_boxes
from rag_core.types.rawpage import Box

BlockKind = Literal["heading", "paragraph", "list_item", "table", "caption", "footnote", "header", "footer"]
FURNITURE: frozenset[BlockKind] = frozenset({"header", "footer"})
"""Running heads and page numbers: part of the page, never of a chunk."""

PageStatus = Literal["text", "ocr", "empty", "unreadable"]
"""`text`: from its text layer; `ocr`: from its picture; `empty`: nothing is there; `unreadable`: there is, unread."""

OcrMode = Literal["auto", "on", "off"]


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A run of characters; never empty."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ValueError(f"a span runs forward and is not empty, got {self.start}:{self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """The characters of `text` in this span."""
        return text[self.start : self.end]

    def shifted(self, by: int) -> Span:
        """The same run in a text that begins `by` characters earlier."""
        return Span(self.start + by, self.end + by)


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle on a page, in points."""

    x0: float
    y0: float
    x1: float
    y1: float

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, self.as_tuple())) or self.x1 < self.x0 or self.y1 < self.y0:
            raise ValueError(f"a rectangle has finite, ordered corners, got {self.as_tuple()}")

    def as_tuple(self) -> tuple[float, float, float, float]:
        """(x0, y0, x1, y1)."""
        return self.x0, self.y0, self.x1, self.y1

    @property
    def height(self) -> float:
        """In points."""
        return self.y1 - self.y0

    @property
    def width(self) -> float:
        """In points."""
        return self.x1 - self.x0

    def union(self, other: Rect) -> Rect:
        """The smallest rectangle around both."""
        return Rect(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Where each character of a page's text stands: `edges` holds x0, y0, x1, y1 a character, as 32-bit floats.

    A character that is on no page (the space or newline that joins two lines) has four zeros.
    """

    edges: array[float] = field(default_factory=lambda: array("f"))

    def __post_init__(self) -> None:
        if self.edges.typecode != "f" or len(self.edges) % 4:
            raise ValueError("glyph edges are 32-bit floats, four a character")

    def __len__(self) -> int:
        return len(self.edges) // 4

    def rects(self, span: Span) -> tuple[Rect, ...]:
        """The rectangles that cover the characters of `span`, one a line, in reading order.

        A line may also run down or up the page, as turned text and Japanese do.
        """
        return tuple(Rect(*box) for box in line_boxes(self._placed(span)))

    def _placed(self, span: Span) -> Iterator[Box]:
        for i in range(span.start * 4, min(span.end, len(self)) * 4, 4):
            x0, y0, x1, y1 = self.edges[i : i + 4]
            if x0 != x1 or y0 != y1:
                yield x0, y0, x1, y1


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a table: where it stands, and how it reads with its header's labels."""

    span: Span
    labelled: str
    """For instance `Grade 3 | Annual leave: 25 days`."""


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a page that a reader sees as one: a heading, a paragraph, a list item, a table."""

    kind: BlockKind
    span: Span
    bbox: Rect
    level: int = 0
    """A heading's depth, 1 the highest; 0 for all else."""
    rows: tuple[TableRow, ...] = ()
    """A table's rows, its header row too; empty for all else."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page as read: its text in reading order, the blocks the text is made of, and where each character stands."""

    number: int
    width: float
    height: float
    status: PageStatus
    text: str = ""
    blocks: tuple[Block, ...] = ()
    glyphs: Glyphs = field(default_factory=Glyphs)
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.number < 1:
            raise ValueError("pages are numbered from 1")
        if len(self.glyphs) != len(self.text):
            raise ValueError(f"page {self.number}: {len(self.text)} characters, {len(self.glyphs)} glyphs")


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a PDF gave: its pages, all of them, and what was noticed on the way."""

    title: str | None
    pages: tuple[Page, ...]
    warnings: tuple[str, ...] = ()
