"""A table in Markdown, which Discord does not draw, to lines of equal width. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

WIDEST = 32
"""Characters of a cell: a phone shows about as many of a code block before it wraps."""

_RULE = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$")


def is_rule(line: str) -> bool:
    """Whether the line parts a table's header from its rows.

    >>> is_rule("| --- | :-: |"), is_rule("|---"), is_rule("- one")
    (True, True, False)
    """
    return "|" in line and _RULE.match(line) is not None


def is_row(line: str) -> bool:
    """Whether the line may be a row of a table."""
    return line.strip().count("|") >= 1


def aligned(lines: Sequence[str]) -> list[str]:
    """The header, a rule and the rows, with columns as wide as their widest cell.

    >>> aligned(["| Grade | Days |", "|---|---|", "| 3 | 25 |"])
    ['Grade  Days', '-----  ----', '3      25']
    """
    rows = [_cells(line) for line in lines if not is_rule(line)]
    columns = max(map(len, rows))
    padded = [[*row, *[""] * (columns - len(row))] for row in rows]
    widths = [max(_width(row[i]) for row in padded) for i in range(columns)]
    out = ["  ".join(_fit(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in padded]
    return [out[0], "  ".join("-" * width for width in widths), *out[1:]]


def _cells(line: str) -> list[str]:
    return [_cut(cell.strip()) for cell in line.strip().strip("|").split("|")]


def _cut(cell: str) -> str:
    return cell if len(cell) <= WIDEST else f"{cell[: WIDEST - 1]}…"


def _fit(cell: str, width: int) -> str:
    return cell + " " * (width - _width(cell))


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
