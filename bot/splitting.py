"""Lines to messages that Discord takes: cut between lines, else between words; a table keeps its header. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bot.inert import fenced, going_on, inert
from bot.limits import MESSAGE
from bot.tables import aligned, is_row, is_rule, is_wide, listed

FENCE = "```"
HEADER = 2
"""Lines that each part of a table begins with: the names of its columns, and the rule below."""


def split(lines: Iterable[str], limit: int = MESSAGE) -> list[str]:
    """The lines as messages of at most `limit` characters; none is empty.

    >>> split(["one two", "three"], limit=8)
    ['one two', 'three']
    """
    messages: list[str] = []
    for line in (piece for whole in lines for piece in _pieces(whole, limit)):
        if messages and len(messages[-1]) + 1 + len(line) <= limit:
            messages[-1] += f"\n{line}"
        elif line.strip():
            messages.append(line)
    return messages


def prose(text: str, limit: int = MESSAGE) -> list[str]:
    r"""Text of an answer, inert, a line an item; a table is one, or as many as it needs, each a code block.

    Of a table that is too wide for one, each row is an item.

    >>> prose("Leave:\n| Grade | Days |\n|---|---|\n| 3 | 25 |")
    ['Leave:', '```\nGrade  Days\n-----  ----\n3      25\n```']
    """
    out: list[str] = []
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        if at + 1 < len(lines) and is_row(lines[at]) and is_rule(lines[at + 1]):
            end = at + 2
            while end < len(lines) and is_row(lines[end]):
                end += 1
            table = aligned(lines[at:end])
            out += listed(lines[at:end]) if is_wide(table) else _blocks(table, limit)
            at = end
        else:
            out.append(inert(lines[at]))
            at += 1
    return out


def _blocks(table: Sequence[str], limit: int) -> Iterator[str]:
    room = limit - 2 * len(FENCE) - 2
    header = [fenced(line)[: room // 3] for line in table[:HEADER]]
    part = list(header)
    for row in (fenced(line)[: room // 3] for line in table[HEADER:]):
        if len("\n".join([*part, row])) > room:
            yield "\n".join([FENCE, *part, FENCE])
            part = list(header)
        part.append(row)
    yield "\n".join([FENCE, *part, FENCE])


def _pieces(line: str, limit: int) -> Iterator[str]:
    while len(line) > limit:
        at = line.rfind(" ", 1, limit)
        if at < 0:
            # A cut behind a backslash would part it from the character that it makes inert, be that a backslash, too.
            at = limit - (limit - len(line[:limit].rstrip("\\"))) % 2
        yield line[:at]
        line = going_on(line[at:].lstrip(" "))
    yield line
