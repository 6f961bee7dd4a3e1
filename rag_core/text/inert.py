"""What is published, made to do nothing: it calls nobody, links to nothing and loads nothing. Pure.

A chat or a viewer acts on some texts by itself: it pings whom they name, draws the picture they point at, opens what
they link to. A page may hold such a text to have that done, so a character of no width parts what would be acted on.
What a reader sees is the same; the letters as they stand are in the citation's quote.
"""

from __future__ import annotations

import re

PARTED = "\u200b"

_ACTS = re.compile(
    r"(?<=@)(?=everyone\b|here\b)"  # a call to all
    r"|(?<=<)(?=[@#/!&a-z:])"  # a call to one, a channel, a command, an HTML tag
    r"|(?<=\])(?=\s?[(\[])"  # a link or picture in Markdown, whose text comes before
    r"|(?<=!)(?=\[)"  # a picture's beginning
    r"|(?<=:)(?=//)|(?<=\bwww)(?=\.)"  # an address
    r"|(?<=\bdata)(?=:\w+/)|(?<=\bjavascript)(?=:)|(?<=\bmailto)(?=:)",
    re.IGNORECASE,
)
_UNSEEN = re.compile("[\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\U000e0000-\U000e007f\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Characters that turn text around, that nobody sees and a program reads, or that a terminal obeys."""


def inert(text: str) -> str:
    r"""The text as it looks, and no more than that. Numbers of citations stay together: `[1][2]`.

    >>> inert("Ask @everyone <@12> at https://x.example [1][2]").replace(PARTED, "·")
    'Ask @·everyone <·@12> at https:·//x.example [1][2]'
    """
    return _ACTS.sub(lambda m: "" if _between_markers(m) else PARTED, _UNSEEN.sub("", text))


def _between_markers(match: re.Match[str]) -> bool:
    text, at = match.string, match.start()
    return bool(re.search(r"\[\d{1,3}\]$", text[:at]) and re.match(r"\[\d{1,3}\]", text[at:]))
