"""A question to the questions that are in it. Pure."""

from __future__ import annotations

import re

from rag_core.text.terms import terms

MOST = 3
"""Questions in one that are answered each by itself."""
LEAST = 2
"""Content terms of a question that stands alone."""

_NEXT = re.compile(
    r"""(?:[,;]?\s+and(?:\s+also)?|[?;,]\s*(?:and\s+)?)\s*
    (?=(?:what|how|why|when|where|who|whom|which|(?:is|are|was|were|do|does|did|can|may|must|should|will)\s+(?:there|it|they
    |the|i|we|you))\b)""",
    re.IGNORECASE | re.VERBOSE,
)


_ASKS = re.compile(
    r"""(?:(?:and|so|please)\s+)?(?:what|how|why|when|where|who|whom|whose|which|is|are|was|were|do|does|did|can|could|may
    |must|should|will|would|has|have|explain|describe|tell|list|compare)\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""It begins as a question does, and not as a condition."""


def clauses(question: str) -> tuple[str, ...]:
    """The questions in it, in order; the question alone where it asks one thing, or where a part says too little.

    >>> clauses("What does the plan cover, and how do I claim my expenses?")
    ('What does the plan cover', 'how do I claim my expenses?')
    >>> clauses("Where and when is payday?")
    ('Where and when is payday?',)
    """
    parts = tuple(part.strip(" ,;") for part in _NEXT.split(question))
    if not 1 < len(parts) <= MOST or not all(_ASKS.match(part) and len(set(terms(part))) >= LEAST for part in parts):
        return (question,)
    return parts
