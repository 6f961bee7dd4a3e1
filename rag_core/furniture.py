"""Which lines are running heads, running feet and page numbers: what stands at the edge of many pages. Pure."""

# ruff: noqa: RUF001 -- look-alike characters are what it is about

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

EDGE = 0.13
"""Of the page's height: running heads stand in this much at the top, running feet in this much at the bottom."""
MAX_ROWS = 4
"""Rows at one edge; more is content that repeats, as in a form."""
SAME_HEIGHT = 8.0
"""Points: a running head stands at one height on all its pages."""
ENOUGH = 2
"""Pages near this one that have the same line. One is chance: two chapters may begin alike."""

_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"(?:page|p\.|seite|página|pagina)?\s*[-–—|\[(]?\s*(?:\d{1,4}|[ivxlcdm]{1,7}|[a-z]{1,3}[-–]\d{1,4})\s*[-–—|\])]?(?:\s*(?:of|/|von|de|sur)\s*\d{1,4})?",
    re.IGNORECASE,
)

Edge = Literal["header", "footer"]


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """A row near the top or the bottom of a page."""

    text: str
    y: float
    """From the top for a header, from the bottom for a footer, so that pages of other heights compare."""
    edge: Edge

    @property
    def signature(self) -> str:
        """The text without its numbers, which change from page to page."""
        return _DIGITS.sub("#", " ".join(self.text.lower().split()))


def edge_rows(rows: Sequence[tuple[str, float, float]], height: float) -> list[EdgeRow]:
    """The rows, given as (text, top, bottom) from top to bottom, that may be furniture, outermost first."""
    tops = [EdgeRow(text, y1, "header") for text, _, y1 in rows[:MAX_ROWS] if y1 <= EDGE * height]
    feet = [
        EdgeRow(text, height - y0, "footer") for text, y0, _ in reversed(rows[-MAX_ROWS:]) if y0 >= (1 - EDGE) * height
    ]
    return tops + feet


def furniture_of(page: Sequence[EdgeRow], others: Sequence[Sequence[EdgeRow]]) -> list[EdgeRow]:
    """Those rows of `page` that repeat on `others`, the pages around it, and the page numbers.

    Walks inward from each edge and stops at the first row that is neither, so content that happens to repeat
    further in stays content.
    """
    found: list[EdgeRow] = []
    for edge in ("header", "footer"):
        for row in (r for r in page if r.edge == edge):
            if _PAGE_NUMBER.fullmatch(row.text.strip()) or _repeats(row, others):
                found.append(row)
            else:
                break
    return found


def _repeats(row: EdgeRow, others: Sequence[Sequence[EdgeRow]]) -> bool:
    signature = row.signature
    seen = sum(
        any(o.edge == row.edge and abs(o.y - row.y) <= SAME_HEIGHT and o.signature == signature for o in other)
        for other in others
    )
    return seen >= min(ENOUGH, max(len(others), 1))
