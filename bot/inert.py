"""Text of documents and people to text that Discord shows letter by letter. Pure.

It formats nothing, links to nothing and calls nobody.
"""

from __future__ import annotations

import re

NO_WIDTH = "\u200b"
SHORT = 300
"""Characters of a quote under an answer; the proof shows all of it."""

_FORMATS = re.compile(r"[\\*_~|`\[\]<]|^\s*[>#-]|^\s*\d+(?=\.)", re.MULTILINE)


def inert(text: str) -> str:
    r"""Text that Discord shows letter by letter.

    >>> inert("**bold** [here](x) <@1>")
    '\\*\\*bold\\*\\* \\[here\\](x) \\<@\u200b1>'
    """
    escaped = _FORMATS.sub(_escaped, text)
    return escaped.replace("@", f"@{NO_WIDTH}").replace("://", f":{NO_WIDTH}//")


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
