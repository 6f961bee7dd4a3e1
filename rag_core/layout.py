"""Raw pages to pages as a person reads them: columns in order, paragraphs whole, headings and tables known. Pure."""

# ruff: noqa: RUF001 -- look-alike characters are what it is about

from __future__ import annotations

import re
from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from statistics import median

from rag_core.columns import Row, Segment, in_reading_order, rows_of
from rag_core.furniture import EdgeRow, edge_rows, furniture_of
from rag_core.normalise import normalise
from rag_core.rawpage import RawPage, Run
from rag_core.tables import Table, cell_text, is_marker, labelled, read_table, table_end
from rag_core.types import Block, BlockKind, Glyphs, Page, PageStatus, Rect, Span, TableRow

LOOK_AROUND = 6
"""Pages before and after in which a running head must repeat: enough for heads that change from left to right page."""
CELL_GAP = 1.2
"""Of the size: a wider gap inside a line parts two cells; justified prose seldom has one so wide."""
PARAGRAPH_GAP = 1.45
"""Of the usual distance of lines: a larger one begins a paragraph."""
HEADING_SIZE = 1.12
"""Of the body's size: from here on a short line is a heading."""
MAX_HEADING = 200
"""Characters; a longer one is emphasis."""
NOTE_SIZE = 0.92
"""Of the body's size: from here down, text at the foot of a page that begins with a mark is a note."""

CELL_JOINT = " | "
_CAPTION = re.compile(
    r"(?:figure|fig\.|table|exhibit|chart|plate|map|photo|box|graph|abbildung|tabelle|tableau)\s*[\dIVX]+[-.:\s\d]",
    re.IGNORECASE,
)
_LIST_ITEM = re.compile(
    r"(?:[•●○◦▪■□‣⁃➢❖✓]|[-–—*·](?=\s)|\(?\d{1,3}[.)](?=\s)|\((?:[a-zA-Z]|[ivxIVX]{1,5})\)(?=\s)|[a-zA-Z][.)](?=\s)|\[\d{1,3}\](?=\s))\s*\S?"
)
_NUMBERED = re.compile(
    r"(?:(?:section|chapter|part|article|item|appendix)\s+)?(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+\S", re.IGNORECASE
)
_NOTE = re.compile(r"(?:\d{1,3}|[*†‡§¶]+|\([a-z\d]{1,3}\)|[a-z]\b)\s*\S")
_HYPHENS = "-\u2010"
_WORD_END = re.compile(r"([^\W\d_]+)[-\u2010]$")
_WORD_START = re.compile(r"[^\W\d_]+")
_KEEPS_HYPHEN = frozenset(
    [
        "self",
        "well",
        "long",
        "short",
        "high",
        "low",
        "non",
        "year",
        "full",
        "part",
        "half",
        "cross",
        "post",
        "pre",
        "multi",
        "third",
        "first",
        "second",
        "co",
        "ex",
        "all",
    ]
)
_CJK = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")


def read_pages(pages: Iterable[RawPage]) -> Iterator[Page]:
    """Each raw page as a page, in order, holding no more than a few at a time: a book streams through."""
    before: deque[list[EdgeRow]] = deque(maxlen=LOOK_AROUND)
    ahead: deque[tuple[RawPage, list[Segment], list[EdgeRow]]] = deque()
    source = iter(pages)
    while True:
        for raw in islice(source, LOOK_AROUND + 1 - len(ahead)):
            segments = segments_of(raw.runs)
            ahead.append((raw, segments, _edge_rows(segments, raw.height)))
        if not ahead:
            return
        raw, segments, rows = ahead.popleft()
        around = [*before, *(other for _, _, other in ahead)]
        yield read_page(raw, segments, furniture_of(rows, around))
        before.append(rows)


def _edge_rows(segments: Sequence[Segment], height: float) -> list[EdgeRow]:
    rows = rows_of(segments)
    return edge_rows([(_row_text(r), min(s.y0 for s in r), max(s.y1 for s in r)) for r in rows], height)


def _row_text(row: Row) -> str:
    return " ".join(s.text.strip() for s in row)


def read_page(raw: RawPage, segments: Sequence[Segment], furniture: Sequence[EdgeRow]) -> Page:
    """One page, given which of its rows are furniture."""
    writer = _Writer()
    heads, feet, body = _parted(segments, furniture, raw.height)
    for row in heads:
        writer.lines([row], "header")
    if body:
        _Body(body, raw, writer).read()
    for row in feet:
        writer.lines([row], "footer")
    return writer.page(raw)


def _parted(
    segments: Sequence[Segment], furniture: Sequence[EdgeRow], height: float
) -> tuple[list[Row], list[Row], list[Segment]]:
    if not furniture:
        return [], [], list(segments)
    heads, feet, body = [], [], []
    known = {(row.edge, row.text, round(row.y, 2)) for row in furniture}
    for row in rows_of(segments):
        text, top, bottom = _row_text(row), min(s.y0 for s in row), max(s.y1 for s in row)
        if ("header", text, round(bottom, 2)) in known:
            heads.append(row)
        elif ("footer", text, round(height - top, 2)) in known:
            feet.append(row)
        else:
            body += row
    return heads, feet, body


# ------------------------------------------------------------------------------------------- segments


def segments_of(runs: Iterable[Run]) -> list[Segment]:
    """The runs joined to lines, normalised, and cut where a wide gap parts two cells."""
    segments: list[Segment] = []
    line: list[Run] = []
    for run in runs:
        if line and (run.line != line[-1].line or abs(run.size - line[-1].size) > 0.5 * max(run.size, line[-1].size)):
            segments += _segments_of_line(line)
            line = []
        line.append(run)
    if line:
        segments += _segments_of_line(line)
    return segments


def _segments_of_line(line: list[Run]) -> Iterator[Segment]:
    if len(line) == 1:
        text, edges = line[0].text, line[0].edges
    else:
        text = "".join(run.text for run in line)
        edges = array("f")
        for run in line:
            edges.extend(run.edges)
    text, edges = normalise(text, edges)
    size = max(line, key=lambda run: len(run.text.strip())).size
    letters = sum(len(run.text.strip()) for run in line)
    bold = 2 * sum(len(run.text.strip()) for run in line if run.bold) > letters
    for start, end in _cells(text, edges, size):
        part = edges[4 * start : 4 * end]
        yield Segment(
            text[start:end],
            part,
            min(part[0::4]),
            min(part[1::4]),
            max(part[2::4]),
            max(part[3::4]),
            size,
            bold,
            line[0].order,
        )


_BLANKS = re.compile(r" +")


def _cells(text: str, edges: array[float], size: float) -> Iterator[tuple[int, int]]:
    """Spans of `text` between wide gaps, without blanks around them."""
    start = len(text) - len(text.lstrip(" "))
    stop = len(text.rstrip(" "))
    if start >= stop:
        return
    for blank in _BLANKS.finditer(text, start, stop):
        a, b = blank.span()
        if edges[4 * b] - edges[4 * a - 2] > CELL_GAP * size and not is_marker(text[start:a]):
            yield start, a
            start = b
    yield start, stop


# ------------------------------------------------------------------------------------------- writing


class _Writer:
    """A page's text as it grows, each character with its edges."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._edges: array[float] = array("f")
        self._length = 0
        self._blocks: list[Block] = []
        self.words: frozenset[str] = frozenset()

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
        self._flow([segment for row in rows for segment in row])
        if self._length > start:
            self._blocks.append(
                Block(kind, Span(start, self._length), _bounds([s for row in rows for s in row]), level)
            )

    def _flow(self, segments: Sequence[Segment]) -> None:
        for i, segment in enumerate(segments):
            text, edges = segment.text, segment.edges
            if i + 1 < len(segments):
                keep, joint = _join(text, segments[i + 1].text, self.words)
                self._put(text[:keep], edges[: 4 * keep])
                self._joint(joint)
            else:
                self._put(text, edges)

    def table(self, table: Table) -> None:
        """A table: one block, one line a row."""
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
            reads = (
                labelled(row, table.labels)
                if i >= table.header_rows
                else CELL_JOINT.join(filter(None, map(cell_text, row)))
            )
            rows.append(TableRow(Span(row_start, self._length), reads))
        bounds = _bounds([s for row in table.rows for cell in row for s in cell])
        self._blocks.append(Block("table", Span(start, self._length), bounds, rows=tuple(rows)))

    def page(self, raw: RawPage) -> Page:
        """What was written, as a page."""
        text = "".join(self._parts)
        status: PageStatus = "unreadable" if raw.failed else "ocr" if raw.ocr and text else "text" if text else "empty"
        return Page(
            raw.number, raw.width, raw.height, status, text, tuple(self._blocks), Glyphs(self._edges), raw.warnings
        )


def _bounds(segments: Sequence[Segment]) -> Rect:
    return Rect(
        min(s.x0 for s in segments),
        min(s.y0 for s in segments),
        max(s.x1 for s in segments),
        max(s.y1 for s in segments),
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
    if last == "—" and len(text) > 1 and text[-2] != " ":
        return len(text), ""
    if _CJK.match(last) and _CJK.match(after):
        return len(text), ""
    return len(text), " "


# ------------------------------------------------------------------------------------------- blocks


class _Body:
    """Reads what is not furniture: regions to tables and blocks of lines."""

    def __init__(self, segments: Sequence[Segment], raw: RawPage, writer: _Writer) -> None:
        self._segments = segments
        self._raw = raw
        self._writer = writer
        self._size = _body_size(segments)
        if any(s.text[-1] in _HYPHENS for s in segments):
            writer.words = frozenset(re.findall(r"[^\W\d_]+-[^\W\d_]+", " ".join(s.text for s in segments).lower()))

    def read(self) -> None:
        """Write all blocks in reading order."""
        for rows in in_reading_order(self._segments):
            self._region(rows)

    def _region(self, rows: list[Row]) -> None:
        start = i = 0
        while i < len(rows):
            end = table_end(rows, i)
            table = read_table(rows[i:end]) if end > i else None
            if table is None:
                i += 1
                continue
            self._prose(rows[start:i])
            self._writer.table(table)
            start = i = end
        self._prose(rows[start:])

    def _prose(self, rows: list[Row]) -> None:
        if not rows:
            return
        pitch = _pitch(rows, self._size)
        right = max(row[-1].x1 for row in rows)
        block: list[Row] = []
        for row in rows:
            if block and self._breaks(block, row, pitch, right):
                self._block(block)
                block = []
            block.append(row)
        self._block(block)

    def _breaks(self, block: list[Row], row: Row, pitch: float, right: float) -> bool:
        """Whether `row` begins a new block."""
        last, first = block[-1], row[0]
        size = max(first.size, last[0].size)
        if abs(first.size - last[0].size) > 0.09 * size and len(first.text) > 2:  # noqa: PLR2004
            return True
        if first.bold != last[0].bold and _all_bold(row) != _all_bold(last):
            return True
        step = max(s.y1 for s in row) - max(s.y1 for s in last)
        if step > PARAGRAPH_GAP * pitch * max(1.0, size / max(self._size, 1.0)) or step < -0.5 * size:
            return True
        text = _row_text(row)
        if _LIST_ITEM.match(text) or _CAPTION.match(text):
            return True
        # A line that ends early ends its paragraph, and an indented one begins the next.
        short = right - last[-1].x1 > 0.15 * (right - min(r[0].x0 for r in block)) and _row_text(last)[-1:] in '.:!?;”"'
        indented = first.x0 - last[0].x0 > 0.8 * size and len(block) > 1 and not _LIST_ITEM.match(_row_text(block[0]))
        return (short and not first.text[:1].islower()) or (indented and _row_text(last)[-1:] in '.:!?”"')

    def _block(self, rows: list[Row]) -> None:
        text = " ".join(map(_row_text, rows))
        kind, level = self._kind(rows, text)
        self._writer.lines(rows, kind, level)

    def _kind(self, rows: list[Row], text: str) -> tuple[BlockKind, int]:
        size = median(s.size for row in rows for s in row)
        bold = all(map(_all_bold, rows))
        if _CAPTION.match(text) and len(text) < 2 * MAX_HEADING:
            return "caption", 0
        top = min(s.y0 for s in rows[0])
        if size <= NOTE_SIZE * self._size and top > 0.6 * self._raw.height and _NOTE.match(text):
            return "footnote", 0
        letters = sum(c.isalpha() for c in text)
        if (len(text) <= MAX_HEADING and letters > 1 and not text.endswith((".", ",", ";"))) or (
            _NUMBERED.match(text) and bold and len(text) <= MAX_HEADING
        ):
            ratio = size / self._size if self._size else 1.0
            if ratio >= HEADING_SIZE:
                return "heading", _level(text, ratio)
            if bold and len(rows) <= 2 and not _LIST_ITEM.fullmatch(text):  # noqa: PLR2004
                return "heading", _level(text, ratio)
        if _LIST_ITEM.match(text):
            return "list_item", 0
        return "paragraph", 0


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


def _body_size(segments: Sequence[Segment]) -> float:
    """The size most characters have."""
    sizes: dict[float, int] = {}
    for s in segments:
        key = round(s.size * 2) / 2
        sizes[key] = sizes.get(key, 0) + len(s.text)
    return max(sizes, key=lambda k: (sizes[k], k))


def _pitch(rows: list[Row], size: float) -> float:
    """The usual distance from one line to the next."""
    bottoms = [max(s.y1 for s in row) for row in rows]
    steps = [b - a for a, b in pairwise(bottoms) if 0.6 * size < b - a < 2.2 * size]
    return median(steps) if steps else 1.3 * size
