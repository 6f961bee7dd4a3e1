"""A question and its passages to the probability that they answer it. Pure.

No single cosine cut-off is safe: a stock price asked of a handbook lies nearer to it than many a good question does.
The gate weighs how near the best passage is in meaning against which of the question's terms are there at all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rag_core.terms import spelled, terms
from rag_core.types import Passage

READ = 5
"""Passages whose words count: an answer stands in one of the first, and more would cover any term by chance."""


@dataclass(frozen=True, slots=True)
class Relevance:
    """How likely the passages hold an answer, and which words of the question none of them has."""

    probability: float
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Signals:
    """What the gate weighs, each in [0, 1]."""

    nearness: float
    """Cosine of the question and the nearest passage; 0 when dense search did not run or found nothing."""
    together: float
    """The part of the question's terms that the best single passage has."""
    anywhere: float
    """The part of the question's terms that the first passages have between them."""


WEIGHTS = Signals(nearness=6.1, together=1.5, anywhere=4.4)
BIAS = -6.9
"""Fitted by `python -m eval.train.gate` on public questions asked of their own document, and of another one."""


def relevance(question: str, passages: Sequence[Passage]) -> Relevance:
    """The calibrated probability that `passages` answer `question`; 0 when there are none."""
    if not passages:
        return Relevance(0.0, tuple(spelled(question).values()))
    signals, missing = measure(question, passages)
    z = (
        BIAS
        + WEIGHTS.nearness * signals.nearness
        + WEIGHTS.together * signals.together
        + WEIGHTS.anywhere * signals.anywhere
    )
    return Relevance(1 / (1 + math.exp(-z)), missing)


def measure(question: str, passages: Sequence[Passage]) -> tuple[Signals, tuple[str, ...]]:
    """The signals, and the words of the question that no first passage has, as they were asked. A term counts once."""
    asked = spelled(question)
    nearness = max((passage.signals.get("dense", 0.0) for passage in passages), default=0.0)
    if not asked:
        return Signals(max(0.0, nearness), 0.0, 0.0), ()
    said = [frozenset(terms(f"{p.title} {p.chunk.indexed}")) for p in passages[:READ]]
    together = max((sum(term in words for term in asked) for words in said), default=0) / len(asked)
    missing = tuple(word for term, word in asked.items() if not any(term in words for words in said))
    return Signals(max(0.0, nearness), together, 1 - len(missing) / len(asked)), missing
