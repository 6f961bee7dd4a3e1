"""A question to the things that it sets side by side, as it names them. Pure."""

from __future__ import annotations

import re

from rag_core.answering.antecedents import CAPITALS
from rag_core.finding.comparison import compares
from rag_core.text.terms import terms

MOST = 4
"""Sides of a comparison; more are a list."""

_NUMBERED = re.compile(r"\b[a-z]{3,}s?\s+\d+\b", re.IGNORECASE)
_THING = r"(?:the\s+|an?\s+)?(?P<{}>[\w'’-]+(?:\s+[\w'’-]+){{0,2}}?)"  # noqa: RUF001 - the apostrophe of real questions
_PAIRS = tuple(
    re.compile(pattern.format(one=_THING.format("one"), other=_THING.format("other")), re.IGNORECASE)
    for pattern in (
        r"\bbetween\s+{one}\s+and\s+{other}(?=\s*(?:[?,.]|$|\b(?:in|of|for|with|by|on|as)\b))",
        r"\b{one}\s+(?:differs?|different)\s+from\s+{other}(?=\s*(?:[?,.]|$|\b(?:in|of|for|with|by|on|as)\b))",
        r"\bcompare\s+{one}\s+(?:and|with|to)\s+{other}(?=\s*(?:[?,.]|$|\b(?:in|of|for|by|on|as)\b))",
        r"\b{one}\s+(?:versus|vs\.?|compared\s+(?:to|with))\s+{other}(?=\s*(?:[?,.]|$|\b(?:in|of|for|by|on|as)\b))",
    )
)


def sides_of(question: str) -> tuple[frozenset[str], ...]:
    """The terms of each side, in the question's order, without those that they share; none if nothing is compared.

    >>> [sorted(side) for side in sides_of("How does the Petrel differ from the Fulmar in accuracy?")]
    [['petrel'], ['fulmar']]
    >>> [sorted(side) for side in sides_of("Is notice for grade 3 shorter than for grade 6?")]
    [['3'], ['6']]
    >>> sides_of("How accurate is the Petrel?")
    ()
    """
    if not compares(question):
        return ()
    pair = next((found for pattern in _PAIRS if (found := pattern.search(question))), None)
    named = [m[0] for m in CAPITALS.finditer(question)]
    numbered = [m[0] for m in _NUMBERED.finditer(question)]
    for names in (named, numbered, [pair["one"], pair["other"]] if pair else []):
        every = [frozenset(terms(name)) for name in dict.fromkeys(names)]
        shared = frozenset.intersection(*every) if every else frozenset()
        sides = [side - shared for side in every]
        if 1 < len(sides) <= MOST and all(sides):
            return tuple(sides)
    return ()
