"""Rows of running text to blocks: where a paragraph, a list item, a heading, a caption or a note begins. Pure."""

# ruff: noqa: RUF001 -- look-alike characters are what it is about

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from rag_core.reading.normalise import SUPERSCRIPTS
from rag_core.reading.segments import Row, Segment
from rag_core.types import BlockKind

PARAGRAPH_GAP = 1.45
"""Of the usual distance of lines: a larger one begins a paragraph."""
HEADING_SIZE = 1.12
"""Of the body's size: from here on a short line is a heading."""
TITLE_ROWS = 4
"""Bold rows set to one middle: a company, its statement, the unit, the period. Set to the left, two are the most."""
MAX_HEADING = 200
"""Characters; a longer one is emphasis."""
NOTE_SIZE = 0.92
"""Of the body's size: from here down, text at the foot of a page that begins with a mark is a note."""
NOTES_FROM = 0.6
"""Of the page's height."""
SHORT_LINE = 0.15
"""Of the column's width: a line that ends this much before its margin ends its paragraph."""

_CAPTION = re.compile(
    r"(?:figure|fig\.|table|exhibit|chart|plate|map|photo|box|graph|abbildung|tabelle|tableau)\s*[\dIVX]+[-.:\s\d]",
    re.IGNORECASE,
)
_LIST_ITEM = re.compile(
    r"(?:[•●○◦▪■□‣⁃➢❖✓\uf020-\uf0ff]|[-–—*·o](?=\s)|\(?\d{1,3}[.)](?=\s)|\((?:[a-zA-Z]|[ivxIVX]{1,5})\)(?=\s)"
    r"|[a-zA-Z][.)](?=\s)|\[\d{1,3}\](?=\s))\s*\S?"
)
_NUMBERED = re.compile(
    r"(?:(?:section|chapter|part|article|item|appendix)\s+)?(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+\S", re.IGNORECASE
)
_COMPANY = re.compile(r"\S.{,60}\b(?:inc|ltd|co|corp|plc|llc|l\.p|s\.a|n\.v)\.", re.IGNORECASE)
_NOTE = re.compile(r"(?:\d{1,3}|[⁰¹²³⁴-⁹]{1,3}|[*†‡§¶]+|\([a-z\d]{1,3}\)|[a-z]\b)\s*\S")
_NOTE_MARK = re.compile(r"([⁰¹²³⁴-⁹]{1,3}|[*†‡§¶]{1,3}|\d{1,3}(?=\s))\s*[^\W\d_]")
_ENDS = '.:!?;”"'


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Rows that are one block."""

    kind: BlockKind
    level: int
    rows: tuple[Row, ...]


def paragraphs(rows: Sequence[Row], *, body_size: float, page_height: float) -> Iterator[Paragraph]:
    """The blocks that `rows`, one column from top to bottom, are; every row is in one."""
    if not rows:
        return
    pitch = _pitch(rows, body_size)
    right = max(row[-1].x1 for row in rows)
    block: list[Row] = []
    for row in rows:
        if block and _breaks(block, row, pitch, right, body_size):
            yield _block(block, body_size, page_height)
            block = []
        block.append(row)
    yield _block(block, body_size, page_height)


def row_text(row: Row) -> str:
    """The words of a row."""
    return " ".join([s.text for s in row])


def body_size_of(segments: Sequence[Segment]) -> float:
    """The size most characters have."""
    sizes: dict[float, int] = {}
    for s in segments:
        key = round(s.size * 2) / 2
        sizes[key] = sizes.get(key, 0) + len(s.text)
    return max(sizes, key=lambda k: (sizes[k], k))


def _breaks(block: list[Row], row: Row, pitch: float, right: float, body_size: float) -> bool:
    """Whether `row` begins a new block."""
    last, first = block[-1], row[0]
    size = max(first.size, last[0].size)
    if abs(first.size - last[0].size) > 0.09 * size and len(first.text) > 2:  # noqa: PLR2004 -- not a raised mark
        return True
    if first.bold != last[0].bold and _all_bold(row) != _all_bold(last):
        return True
    step = row[0].y1 - last[0].y1
    if step > PARAGRAPH_GAP * pitch * max(1.0, size / max(body_size, 1.0)) or step < -0.5 * size:
        return True
    text, before = row_text(row), row_text(last)
    ended = before.rstrip(SUPERSCRIPTS).endswith(tuple(_ENDS))
    noted = size <= NOTE_SIZE * body_size and _begins_note(text, row_text(block[0]))
    if noted or _LIST_ITEM.match(text) or _CAPTION.match(text):
        return True
    # A line that ends early ends its paragraph, and an indented one begins the next.
    width = right - min(r[0].x0 for r in block)
    if right - last[-1].x1 > SHORT_LINE * width and ended and not text[:1].islower():
        return True
    indented = first.x0 - last[0].x0 > 0.8 * size and len(block) > 1 and not _LIST_ITEM.match(row_text(block[0]))
    return indented and ended


def _begins_note(text: str, above: str) -> bool:
    """Whether a line begins the note after that which `above` begins: its mark is the next, or a raised one."""
    mark, last = _NOTE_MARK.match(text), _NOTE_MARK.match(above)
    if mark is None or last is None:
        return False
    if not (mark[1].isascii() and mark[1].isdigit()):
        return True
    return last[1].isascii() and last[1].isdigit() and int(mark[1]) == int(last[1]) + 1


def _block(rows: list[Row], body_size: float, page_height: float) -> Paragraph:
    kind, level = _kind(rows, " ".join(map(row_text, rows)), body_size, page_height)
    return Paragraph(kind, level, tuple(rows))


def _kind(rows: list[Row], text: str, body_size: float, page_height: float) -> tuple[BlockKind, int]:
    size = median([s.size for row in rows for s in row])
    if _CAPTION.match(text) and len(text) < 2 * MAX_HEADING:
        return "caption", 0
    if size <= NOTE_SIZE * body_size and rows[0][0].y0 > NOTES_FROM * page_height and _NOTE.match(text):
        return "footnote", 0
    bold = all(map(_all_bold, rows))
    if _may_head(text, bold=bold):
        ratio = size / body_size if body_size else 1.0
        few = len(rows) <= 2 or (len(rows) <= TITLE_ROWS and _is_centred(rows))  # noqa: PLR2004
        if ratio >= HEADING_SIZE or (bold and few and not _LIST_ITEM.fullmatch(text)):
            return "heading", _level(text, ratio)
    return ("list_item" if _LIST_ITEM.match(text) else "paragraph"), 0


def _may_head(text: str, *, bold: bool) -> bool:
    if len(text) > MAX_HEADING or sum(map(str.isalpha, text)) < 2:  # noqa: PLR2004 -- "A" alone heads nothing
        return False
    if text.endswith((".", ",", ";")):
        return bold and (_NUMBERED.match(text) or _COMPANY.fullmatch(text)) is not None
    return True


def _is_centred(rows: Sequence[Row]) -> bool:
    """Whether the rows share their middle, and not their left."""
    middles = [row[0].x0 + row[-1].x1 for row in rows]
    lefts = [row[0].x0 for row in rows]
    return max(middles) - min(middles) < rows[0][0].size and max(lefts) - min(lefts) > rows[0][0].size


def _level(text: str, ratio: float) -> int:
    """A heading's depth: that of its number where it has one, else by how much larger it is than the body."""
    numbered = _NUMBERED.match(text)
    if numbered and "." in numbered[1]:
        return min(numbered[1].count(".") + 2, 6)
    for level, least in enumerate((1.7, 1.35, HEADING_SIZE), 1):
        if ratio >= least:
            return level
    return 4


def _all_bold(row: Row) -> bool:
    return all(s.bold for s in row)


def _pitch(rows: Sequence[Row], size: float) -> float:
    """The usual distance from one line to the next."""
    bottoms = [row[0].y1 for row in rows]
    steps = [b - a for a, b in pairwise(bottoms) if 0.6 * size < b - a < 2.2 * size]
    return median(steps) if steps else 1.3 * size
