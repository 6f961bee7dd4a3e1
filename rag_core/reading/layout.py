"""Raw pages to pages as a person reads them: columns in order, paragraphs whole, headings and tables known. Pure."""

from __future__ import annotations

import re
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

import numpy as np

from rag_core.reading.cells import cell_text
from rag_core.reading.columns import in_reading_order, rows_of
from rag_core.reading.furniture import EdgeRow, PageRow, edge_rows, furniture_of
from rag_core.reading.grids import ruled_tables, rules_of
from rag_core.reading.insets import with_insets
from rag_core.reading.paragraphs import body_size_of, paragraphs, row_text
from rag_core.reading.segments import Row, Segment, closed_up, frames_of
from rag_core.reading.tables import Table, continued, labelled, read_table, table_begin, table_end
from rag_core.types import Block, BlockKind, Glyphs, Page, PageStatus, Rect, Span, TableRow
from rag_core.types.rawpage import RawPage, Shape

LOOK_AROUND = 6
"""Pages before and after in which a running head must repeat: enough for heads that change from left to right page."""
CELL_JOINT = " | "

_HYPHENS = "-\u2010"
_WORD_END = re.compile(r"([^\W\d_]+)[-\u2010]$")
_WORD_START = re.compile(r"[^\W\d_]+")
_HYPHENATED = re.compile(r"[^\W\d_]+-[^\W\d_]+")
_KEEPS_HYPHEN = frozenset({
    "all", "co", "cross", "ex", "first", "full", "half", "high", "long", "low", "multi", "non", "part", "post", "pre",
    "second", "self", "short", "third", "well", "year",
})  # fmt: skip
"""Their compounds are written with the hyphen more often than without."""
_CJK = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")

Frames = list[list[Segment]]
"""A page's segments by the way they are turned; the first are those of the page itself."""


def read_pages(pages: Iterable[RawPage], *, begin: Callable[[int], None] = lambda _: None) -> Iterator[Page]:
    """Each raw page as a page, in order, holding no more than a few at a time: a book streams through.

    `begin` is told the number of each page before it is put in order, which is after some later ones were taken.
    """
    before: deque[list[EdgeRow]] = deque(maxlen=LOOK_AROUND)
    open_table: Table | None = None
    ahead: deque[tuple[RawPage, Frames, list[EdgeRow]]] = deque()
    source = iter(pages)
    while True:
        for raw in islice(source, LOOK_AROUND + 1 - len(ahead)):
            frames = frames_of(raw.runs, raw.width, raw.height)
            ahead.append((raw, frames, _edge_rows(frames, raw)))
        if not ahead:
            return
        raw, frames, rows = ahead.popleft()
        begin(raw.number)
        around = [*before, *(other for _, _, other in ahead)]
        page, open_table = read_page(raw, frames, furniture_of(rows, around), open_table)
        yield page
        before.append(rows)


def _edge_rows(frames: Frames, raw: RawPage) -> list[EdgeRow]:
    if not frames:
        return []
    rows = [
        PageRow(
            tuple((s.text, s.x0, s.x1) for s in row),
            min(s.y0 for s in row),
            max(s.y1 for s in row),
            row[0].size,
            all(s.bold for s in row),
        )
        for row in rows_of(frames[0])
    ]
    return edge_rows(rows, raw.height, raw.number)


def read_page(
    raw: RawPage, frames: Frames, furniture: Sequence[EdgeRow], open_table: Table | None
) -> tuple[Page, Table | None]:
    """One page, given which of its rows are furniture and the table that the page before ended with, if it did.

    Also gives the table that this page ends with.
    """
    writer = _Writer(frames, open_table)
    feet: list[Row] = []
    for i, segments in enumerate(frames):
        body = segments
        if i == 0:
            heads, feet, body = _parted(segments, furniture, raw.height)
            for row in heads:
                writer.lines([row], "header")
        _read_body(body, raw.shapes if i == 0 else (), raw.height, writer)
    ended_with = writer.last_table
    for row in feet:
        writer.lines([row], "footer")
    return writer.page(raw), ended_with


def _parted(
    segments: Sequence[Segment], furniture: Sequence[EdgeRow], height: float
) -> tuple[list[Row], list[Row], list[Segment]]:
    """The rows of the head, those of the foot, and the segments between."""
    if not furniture:
        return [], [], list(segments)
    heads, feet, body = [], [], []
    known = {(row.edge, row.text, round(row.y, 2)) for row in furniture}
    for row in rows_of(segments):
        text, top, bottom = row_text(row), min(s.y0 for s in row), max(s.y1 for s in row)
        if ("header", text, round(bottom, 2)) in known:
            heads.append(row)
        elif ("footer", text, round(height - top, 2)) in known:
            feet.append(row)
        else:
            body += row
    return heads, feet, body


def _read_body(segments: list[Segment], shapes: Sequence[Shape], height: float, writer: _Writer) -> None:
    """Write what is not furniture: tables, and the blocks of running text."""
    if not segments:
        return
    size = body_size_of(segments)
    rules = rules_of(shapes)
    for region in in_reading_order(with_insets(ruled_tables(segments, rules), shapes, rules)):
        rows = [closed_up(row) for row in region]
        start = i = 0
        while i < len(rows):
            begin, end, table = _table_at(rows, start, i)
            if table is not None:
                _write_prose(rows[start:begin], size, height, writer)
                writer.table(table)
                start = i = end
            else:
                i += 1
        _write_prose(rows[start:], size, height, writer)


def _table_at(rows: Sequence[Row], start: int, i: int) -> tuple[int, int, Table | None]:
    """The table whose first whole row is `i`, if there is one, and the rows from `start` on that it takes."""
    if rows[i][0].table is not None and len(rows[i]) == 1:
        return i, i + 1, rows[i][0].table
    end = table_end(rows, i)
    if end == i:
        return i, i, None
    begin = table_begin(rows, start, i)
    return begin, end, read_table(rows[begin:end])


def _write_prose(rows: Sequence[Row], size: float, height: float, writer: _Writer) -> None:
    prose: list[Row] = []
    for row in rows:
        if all(segment.table is None for segment in row):
            prose.append(row)
            continue
        # A table with something beside it: each on its own.
        _write_blocks(prose, size, height, writer)
        prose = []
        for segment in row:
            if segment.table is not None:
                writer.table(segment.table)
            else:
                _write_blocks([[segment]], size, height, writer)
    _write_blocks(prose, size, height, writer)


def _write_blocks(rows: Sequence[Row], size: float, height: float, writer: _Writer) -> None:
    for block in paragraphs(rows, body_size=size, page_height=height):
        writer.lines(block.rows, block.kind, block.level)


# ------------------------------------------------------------------------------------------- writing


class _Writer:
    """A page's text as it grows, each character with its edges."""

    def __init__(self, frames: Frames, open_table: Table | None) -> None:
        self._open_table = open_table
        self.last_table: Table | None = None
        """What was written last, when it was a table."""
        self._parts: list[str] = []
        self._edges: array[float] = array("f")
        self._length = 0
        self._blocks: list[Block] = []
        self._words: frozenset[str] = frozenset()
        if any(s.text[-1] in _HYPHENS for segments in frames for s in segments):
            text = " ".join(s.text for segments in frames for s in segments)
            self._words = frozenset(_HYPHENATED.findall(text.lower()))

    def _put(self, text: str, edges: array[float]) -> None:
        self._parts.append(text)
        self._edges.extend(edges)
        self._length += len(text)

    def _joint(self, text: str) -> None:
        self._parts.append(text)
        self._edges.frombytes(bytes(16 * len(text)))
        self._length += len(text)

    def _begin(self) -> int:
        if self._length:
            self._joint("\n\n")
        return self._length

    def lines(self, rows: Sequence[Row], kind: BlockKind, level: int = 0) -> None:
        """Rows as running text: one block."""
        start = self._begin()
        self.last_table = None
        if kind != "header":
            self._open_table = None
        self._flow([segment for row in rows for segment in row])
        self._blocks.append(Block(kind, Span(start, self._length), self._bounds(start), level))

    def _flow(self, segments: Sequence[Segment]) -> None:
        for i, segment in enumerate(segments):
            text, edges = segment.text, segment.edges
            if i + 1 < len(segments):
                keep, joint = _join(text, segments[i + 1].text, self._words)
                self._put(text[:keep], edges[: 4 * keep])
                self._joint(joint)
            else:
                self._put(text, edges)

    def table(self, table: Table) -> None:
        """A table: one block, one line a row."""
        if self._open_table is not None:
            table = continued(table, self._open_table)
            self._open_table = None
        self.last_table = table
        start = self._begin()
        rows: list[TableRow] = []
        for i, row in enumerate(table.rows):
            if i:
                self._joint("\n")
            row_start = self._length
            for cell in row:
                if not cell:
                    continue
                if self._length > row_start:
                    self._joint(CELL_JOINT)
                self._flow(cell)
            plain = i < table.header_rows
            reads = CELL_JOINT.join(filter(None, map(cell_text, row))) if plain else labelled(row, table.labels)
            rows.append(TableRow(Span(row_start, self._length), reads))
        self._blocks.append(Block("table", Span(start, self._length), self._bounds(start), rows=tuple(rows)))

    def _bounds(self, start: int) -> Rect:
        """Around the characters from `start` on."""
        edges = np.frombuffer(self._edges, dtype=np.float32).reshape(-1, 4)[start:]
        edges = edges[(edges[:, 2] != 0) | (edges[:, 3] != 0)]  # joints are nowhere
        (x0, y0), (x1, y1) = edges[:, :2].min(axis=0).tolist(), edges[:, 2:].max(axis=0).tolist()
        return Rect(x0, y0, x1, y1)

    def page(self, raw: RawPage) -> Page:
        """What was written, as a page."""
        text = "".join(self._parts)
        status: PageStatus = "unreadable" if raw.failed else "ocr" if raw.ocr and text else "text" if text else "empty"
        return Page(
            raw.number, raw.width, raw.height, status, text, tuple(self._blocks), Glyphs(self._edges), raw.warnings
        )


def _join(text: str, after: str, words: frozenset[str]) -> tuple[int, str]:
    """How many characters of a line to keep before the next one, and what to put between them."""
    last = text[-1]
    if last in _HYPHENS and len(text) > 1 and text[-2] != " ":
        end, begin = _WORD_END.search(text), _WORD_START.match(after)
        if end is None or begin is None or not after[0].islower():
            return len(text), ""
        first, second = end[1].lower(), begin[0].lower()
        if first in _KEEPS_HYPHEN or f"{first}-{second}" in words:
            return len(text), ""
        return len(text) - 1, ""
    if last == "\u2014" and len(text) > 1 and text[-2] != " ":
        return len(text), ""
    if _CJK.match(last) and _CJK.match(after):
        return len(text), ""
    return len(text), " "
