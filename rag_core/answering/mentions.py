"""Sentences to the others that name the same thing. Pure.

"Withy Point never closes" says more to whoever has read that Withy Point is the calibration station.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

MOST = 4
"""Sentences that name a thing: what more of them name is what all is about, and tells none from another."""

_WORD = r"(?!The\b|An?\b|In\b|On\b|At\b|If\b|For\b)[A-Z][\w&'’-]*[a-z]"  # noqa: RUF001 - the apostrophe of real pages
_NAME = re.compile(rf"\b{_WORD}(?: (?:of |the |de |and )?{_WORD})+")
"""Two words with a capital at least: one alone may only begin a sentence."""


def told_with(texts: Sequence[str]) -> list[frozenset[int]]:
    """For each text, which of the others name something that it names.

    >>> told_with(["Withy Point is a station.", "It rains.", "Withy Point never closes."])
    [frozenset({2}), frozenset(), frozenset({0})]
    """
    named: defaultdict[str, set[int]] = defaultdict(set)
    for i, text in enumerate(texts):
        for name in _NAME.findall(text):
            named[name].add(i)
    told: list[set[int]] = [set() for _ in texts]
    for among in named.values():
        if len(among) <= MOST:
            for i in among:
                told[i] |= among - {i}
    return [frozenset(others) for others in told]
