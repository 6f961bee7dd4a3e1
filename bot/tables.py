"""A table in Markdown, which Discord does not draw, to lines of equal width, or to a list of its rows. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import zip_longest

from bot.inert import inert

WIDEST = 32
"""Characters of a cell: a phone shows about as many of a code block before it wraps."""
WIDEST_LINE = 54
"""Characters of a row: about as many as a code block shows in a window of usual width."""

_RULE = re.compile(r"^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")


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
    rows = [[_cut(cell) for cell in _cells(line)] for line in lines if not is_rule(line)]
    columns = max(map(len, rows))
    padded = [[*row, *[""] * (columns - len(row))] for row in rows]
    widths = [max(_width(row[i]) for row in padded) for i in range(columns)]
    out = ["  ".join(_fit(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in padded]
    return [out[0], "  ".join("-" * width for width in widths), *out[1:]]


def is_wide(lines: Sequence[str]) -> bool:
    """Whether lines of a table are longer than a code block shows without wrapping them or cutting them off."""
    return max(map(_width, lines)) > WIDEST_LINE


def listed(lines: Sequence[str]) -> list[str]:
    """Each row as an item: what its first column says in bold, then what each other column says, under its name.

    >>> listed(["| Grade | Leave | Notice |", "|---|---|---|", "| 3 | 25 days | |"])
    ['- **3** · Leave: 25 days']
    """
    names, *rows = [_cells(line) for line in lines if not is_rule(line)]
    return [_item(names, row) for row in rows]


def _item(names: Sequence[str], row: Sequence[str]) -> str:
    first, *others = [inert(cell) for cell in row]
    named = zip_longest(map(inert, names[1:]), others, fillvalue="")
    said = [f"{name}: {cell}" if name else cell for name, cell in named if cell]
    return "- " + " · ".join([f"**{first}**", *said] if first else said)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _cut(cell: str) -> str:
    return cell if len(cell) <= WIDEST else f"{cell[: WIDEST - 1]}…"


def _fit(cell: str, width: int) -> str:
    return cell + " " * (width - _width(cell))


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
