"""Text of documents and people to text that Discord shows letter by letter. Pure.

It formats nothing, links to nothing and calls nobody.
"""

from __future__ import annotations

import re

NO_WIDTH = "\u200b"
SHORT = 300
"""Characters of a quote under an answer; the proof shows all of it."""

_BEGINNING = r"\s*(?:[>#-]|\d+(?=\.(?:\s|$)))"
"""Of a line: a quote, a heading, small text, an item of a list."""
_FORMATS = re.compile(
    rf"[\\*_~|`\[\]<]|:(?=\w+:)|(?:^|(?<=[\r\v\f\x1c-\x1e\x85\u2028\u2029])){_BEGINNING}", re.MULTILINE
)
_BEGINS = re.compile(_BEGINNING)
_INVITES = re.compile(r"(?i)(?<=discord)(?=\.)|(?<=discordapp)(?=\.)")
"""Discord shows where its own addresses lead though nothing says that they are addresses."""


def inert(text: str) -> str:
    r"""Text that Discord shows letter by letter.

    >>> inert("**bold** [here](x) <@1>")
    '\\*\\*bold\\*\\* \\[here\\](x) \\<@\u200b1>'
    """
    escaped = _INVITES.sub(NO_WIDTH, _FORMATS.sub(_escaped, text))
    return escaped.replace("@", f"@{NO_WIDTH}").replace("://", f":{NO_WIDTH}//")


def going_on(text: str) -> str:
    r"""The rest of inert text that was cut: it begins a line now, and formats nothing by that.

    >>> going_on("# is a number sign")
    '\\# is a number sign'
    """
    found = _BEGINS.match(text)
    return text if found is None else _escaped(found) + text[found.end() :]


def fenced(text: str) -> str:
    """Text for inside a code fence: it cannot end the fence, and calls nobody."""
    return text.replace("`", f"`{NO_WIDTH}").replace("@", f"@{NO_WIDTH}")


def short(text: str, limit: int = SHORT) -> str:
    """One line of at most `limit` characters.

    >>> short("one  two three", limit=8)
    'one two…'
    """
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1].rstrip()}…"


def _escaped(found: re.Match[str]) -> str:
    # A number at the beginning of a line would become a list, which Discord counts anew.
    if found[0][-1].isdigit():
        return f"{found[0]}{NO_WIDTH}"
    return f"{found[0][:-1]}\\{found[0][-1]}"
