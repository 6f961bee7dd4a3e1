"""A question and its passages to the probability that they answer it. Pure.

No single cosine cut-off is safe: a stock price asked of a handbook lies nearer to it than many a good question does.
The gate weighs how near the best passage is in meaning, which of the question's terms are there at all, and whether the
names, years and numbers that it is about are among them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import astuple, dataclass

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
    strange_name: float
    """1 when the question names somebody or something that no first passage names."""
    strange_number: float
    """1 when the question has a year or another number that no first passage has."""


WEIGHTS = Signals(nearness=4.2, together=2.2, strange_name=-1.7, strange_number=-3.5)
BIAS = -3.3
"""Fitted by `python -m eval.train.gate` on questions that their document answers and questions that it does not, most
of these near misses: the right subject, but another company, year or detail."""

_NUMBER = re.compile(r"\d[\d.,]*\d|\d")
_NAME = re.compile(r"(?<=[\w,;:] )[A-Z][\w&-]+")
"""A capital inside the question: English capitalisation is all that tells a name from a word here."""


def relevance(question: str, passages: Sequence[Passage]) -> Relevance:
    """The calibrated probability that `passages` answer `question`; 0 when there are none."""
    if not passages:
        return Relevance(0.0, tuple(spelled(question).values()))
    signals, missing = measure(question, passages)
    z = BIAS + sum(w * s for w, s in zip(astuple(WEIGHTS), astuple(signals), strict=True))
    return Relevance(1 / (1 + math.exp(-z)), missing)


def measure(question: str, passages: Sequence[Passage]) -> tuple[Signals, tuple[str, ...]]:
    """The signals, and the words of the question that no first passage has, as they were asked. A term counts once."""
    asked = spelled(question)
    read = [f"{p.title} {p.chunk.indexed}" for p in passages[:READ]]
    said = [frozenset(terms(text)) for text in read]
    together = max((sum(term in words for term in asked) for words in said), default=0)
    missing = tuple(word for term, word in asked.items() if not any(term in words for words in said))
    there = frozenset().union(*said)
    return Signals(
        nearness=max((passage.signals.get("dense", 0.0) for passage in passages), default=0.0),
        together=together / max(len(asked), 1),
        strange_name=float(not _all_there(_NAME.findall(question), there)),
        strange_number=float(not _all_there(_NUMBER.findall(question), there)),
    ), missing


def _all_there(specifics: Sequence[str], there: Collection[str]) -> bool:
    return all(term in there for specific in specifics for term in terms(specific))
