"""What a page keeps of the words that are known to stand on it: evidence, rows of tables, lines of columns. Pure."""

from __future__ import annotations

import random
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rag_core.reading.layout import CELL_JOINT

WINDOW = 40
"""Letters and digits of evidence that must stand together: about eight words, mostly two lines of a column."""
EDGE = 15
"""Characters of a line's end, and of the next one's beginning, that must meet when both are read in order."""
LEAST_LINE = 20
"""A shorter line is as likely a cell, a formula or a page number."""
SAME_EDGE = 2.0
"""Points: lines of a column begin this close to each other."""
LEADING = 1.6
"""Of a line's height: the next line of the same text is not further down."""
FAR = 3
"""Heights of a line: the top of the next column is at least this much above the foot of this one."""
CELLS = 2
"""Short pieces beside a line that make its row one of a table: a label with two values."""
PROSE = 60
"""Characters of a cell, few of them digits, that are a line of text sooner than a value."""
LEAST_ROWS = 3
"""Evidence with fewer rows of a label and two values is a sentence with numbers in it."""
MOST_PAGES = 3
"""Evidence spread over more is not on any of them."""
ROW_SLACK = 40
"""Characters that a line may have beside its row, twice over: a whole table in one line is not a row."""

_VALUE = re.compile(r"[($€£+-]*\d[\d,.]*[)%,]*")
_SIGN = re.compile(r"[$€£\u2014\u2013-]|\)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_DATED = re.compile(r"(?:january|february|march|april|may|june|july|august|september|october|november|december)$")
_LEADERS = re.compile(r"\.{2,}")

PageKey = tuple[str, int]
"""A PDF's path inside the data folder, and the page, counted from 1."""
Line = tuple[str, float, float, float, float]
"""A line as the engine has it, and its box, from the left and the top."""


@dataclass(frozen=True, slots=True)
class Gold:
    """Words that are known to stand on one of a few pages."""

    source: str
    pdf: str
    pages: tuple[int, ...]
    evidence: tuple[str, ...]
    """Parts that each stand together."""


@dataclass(frozen=True, slots=True)
class GoldRow:
    """A row of a table, as the evidence has it: the last words of its label, and its values."""

    label: str
    values: tuple[str, ...]
    length: int
    """Of the whole row, with all of its label."""


def normalised(text: str) -> str:
    """The letters, digits and `.%$` of a text, in lower case.

    >>> normalised("Net  Revenue | $ 1,047.5 (4%)")
    'netrevenue$1047.54%'
    """
    text = unicodedata.normalize("NFKC", text).lower()
    return "".join(c for c in text if c.isalnum() or c in ".%$")


def windows(part: str) -> list[str]:
    """Overlapping pieces of a part, each `WINDOW` characters; a shorter part is its own only piece."""
    text = normalised(part)
    return [text[i : i + WINDOW] for i in range(0, max(len(text) - WINDOW, 0) + 1, WINDOW // 2)] if text else []


def coverage(evidence: Iterable[str], pages: Sequence[str]) -> tuple[bool, float]:
    """Whether each part stands whole on a page, and the share of the evidence's pieces that do.

    Pages are normalised already.
    """
    parts = [part for part in evidence if normalised(part)]
    pieces = [piece for part in parts for piece in windows(part)]
    whole = all(any(normalised(part) in page for page in pages) for part in parts)
    return whole, sum(any(piece in page for page in pages) for piece in pieces) / max(len(pieces), 1)


def rows_in(evidence: str) -> list[GoldRow]:
    """The rows of the table that the evidence is, with at least two values each; none if it is not a table.

    A row of years alone, or one whose label ends in a month, is a heading or a date.
    """
    rows: list[GoldRow] = []
    label: list[str] = []
    values: list[str] = []

    def close() -> None:
        tail = "".join(normalised(word) for word in label[-3:])
        is_date = _DATED.search(tail) is not None or all(_YEAR.fullmatch(value) for value in values)
        if len(values) > 1 and len(tail) > 3 and not is_date:  # noqa: PLR2004 -- two values, and a word
            rows.append(GoldRow(tail, tuple(values), len(_row_text(" ".join([*label, *values])))))

    for token in evidence.split():
        if _VALUE.fullmatch(token):
            values.append(_row_text(token))
        elif not _SIGN.fullmatch(token):
            if values:
                close()
                label, values = [], []
            label.append(token)
    close()
    return rows if len(rows) >= LEAST_ROWS else []


def _row_text(text: str) -> str:
    return normalised(_LEADERS.sub(" ", text)).replace("$", "")


def row_kept(row: GoldRow, lines: Iterable[str]) -> tuple[bool, bool]:
    """Whether one line has the label and then its first value; and whether one has all values in order.

    Lines are as `row_lines` gives them. One that is much longer than the row is not the row.
    """
    pair = whole = False
    for line in lines:
        if len(line) > 2 * (row.length + ROW_SLACK):
            continue
        start = line.find(row.label)
        if start < 0:
            continue
        rest = line[start + len(row.label) :]
        pair = pair or row.values[0] in rest
        whole = whole or rest.startswith("".join(row.values))
    return pair, whole


def row_lines(text: str) -> list[str]:
    """The lines of a page as rows are compared: normalised, without currency signs and dot leaders."""
    return [_row_text(line) for line in text.split("\n") if line]


def has_prose_in_cell(text: str) -> bool:
    """Whether a row of a table in our reading has a cell of running text: a sign of a table that is none.

    >>> has_prose_in_cell("The king of the Franks ruled for many years and gradually lost ground | Palace")
    True
    >>> has_prose_in_cell("Hugh Capet | 3 July 987")
    False
    """
    rows = (line.split(CELL_JOINT) for line in text.split("\n") if CELL_JOINT in line)
    return any(len(cell) >= PROSE and 10 * sum(map(str.isdigit, cell)) < len(cell) for row in rows for cell in row)


def joints(lines: Sequence[Line]) -> list[str]:
    """What must stand together if columns are read one after the other: a line's end, and the next one's beginning.

    The next one is the line right below that begins at the same place; or, for the last line of a column, what the file
    itself has next, when that is to the right and far above. Only between lines that are long enough to be text, where
    the first ends what is written beside it, and not in a table, which is read by rows.
    """
    texts = [normalised(text) for text, *_ in lines]
    found: list[str] = []
    for i, (_, x0, y0, x1, y1) in enumerate(lines):
        height = y1 - y0
        below: list[tuple[float, int]] = []
        cells, goes_on = 0, False
        for j, (_, left, top, _, _) in enumerate(lines):
            if abs(left - x0) <= SAME_EDGE and height / 2 < top - y0 <= LEADING * height:
                below.append((top, j))
            if i != j and abs(top - y0) < height / 2 and texts[j]:
                cells += len(texts[j]) < LEAST_LINE
                goes_on = goes_on or 0 <= left - x1 < 2 * height
        after = min(below, default=(0.0, -1))[1]
        if after < 0 and i + 1 < len(lines) and lines[i + 1][1] >= x1 and lines[i + 1][2] < y0 - FAR * height:
            after = i + 1
        if after < 0 or goes_on or cells >= CELLS or min(len(texts[i]), len(texts[after])) < LEAST_LINE:
            continue
        found.append(texts[i][-EDGE:] + texts[after][:EDGE])
    return found


def sample(rows: Iterable[dict[str, Any]], pages: int, seed: int) -> list[Gold]:
    """Gold on about `pages` pages, the sources in turn, so that a large one does not crowd out a small one."""
    by_source: dict[str, dict[tuple[str, tuple[int, ...]], list[Gold]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if not (row["evidence"] and row["evidence_verbatim_on_page"] and 0 < len(row["pages"]) <= MOST_PAGES):
            continue
        gold = Gold(row["source"], row["pdf"], tuple(row["pages"]), tuple(row["evidence"].split("\n\n")))
        by_source[gold.source][gold.pdf, gold.pages].append(gold)
    rng = random.Random(seed)  # noqa: S311 -- a sample, not a secret
    queues = [sorted(places) for _, places in sorted(by_source.items())]
    for queue in queues:
        rng.shuffle(queue)
    chosen: list[Gold] = []
    taken: set[PageKey] = set()
    while any(queues) and len(taken) < pages:
        for places, queue in zip([places for _, places in sorted(by_source.items())], queues, strict=True):
            if queue and len(taken) < pages:
                pdf, numbers = queue.pop()
                taken.update((pdf, number) for number in numbers)
                chosen += places[pdf, numbers]
    return chosen
