"""A text to about how many tokens a language model makes of it. Pure.

An estimate: each model has a tokenizer of its own, and none is loaded to ask a server. What the server counts corrects
it, model by model (`rag_core.writing.chat`).
"""

from __future__ import annotations

import re

LETTERS_A_TOKEN = 5
"""Of words in Latin letters: the common ones are one token with their space, the long ones two or three."""

_WORDS = re.compile(r"[A-Za-z]+|\d|[^\W\d_]|[^\w\s]|_|\n+| {2,}")


def estimate(text: str) -> int:
    """At least one token a word, and one for each digit, mark and letter of another script.

    >>> estimate("Annual leave is 25 days."), estimate("年次休暇"), estimate("")
    (8, 4, 0)
    """
    return sum(
        -(-len(m[0]) // LETTERS_A_TOKEN) if m[0].isascii() and m[0].isalpha() else 1 for m in _WORDS.finditer(text)
    )
