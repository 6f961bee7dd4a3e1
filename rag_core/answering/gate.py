"""A question and its passages to the probability that they answer it. Pure.

No single cosine cut-off is safe: a stock price asked of a handbook lies nearer to it than many a good question does.
The gate weighs how near the nearest sentence is and how far it stands out, how much of the question one sentence of the
right kind says and how much more one says that holds no answer, and whether the names, years and numbers that the
question is about are there at all.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from difflib import get_close_matches
from itertools import pairwise

from rag_core.answering.expectation import Kind, counted, expected, holds, subject
from rag_core.answering.mentions import told_with
from rag_core.text.sentences import sentences
from rag_core.text.synonyms import implied
from rag_core.text.terms import spelled, terms
from rag_core.types import Passage

READ = 5
"""Passages whose words count: an answer stands in one of the first, and more would cover any term by chance."""
ALIKE = 0.85
"""Of a name and a word that is there (1 is the same): "Neflix" is a slip of the pen, and "Nikon" is not Nike."""
SPECIFIC = 20
"""Names, and numbers, of a question that are looked for: a pasted page has hundreds, and these do."""
NAMING = 3
"""Passages in which a name or a number of the question is looked for: further down stands what is about others."""


@dataclass(frozen=True, slots=True)
class Relevance:
    """How likely the passages hold an answer, and which words of the question none of them has."""

    probability: float
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Signals:
    """What the gate weighs."""

    nearness: float
    """Cosine of the question and the nearest sentence; 0 when dense search did not run or found nothing."""
    margin: float
    """How much nearer that is than the nearest sentences of the four next nearest passages, on the average."""
    said: float
    """The most that one sentence says of the question's weight, by inverse document frequency, in [0, 1]: of those that
    hold what the question asks for (a number, a date, a name). What its headings alone say, or a sentence that names
    what it names, or other words for it, counts half."""
    aside: float
    """How much less of it the sentences say that hold what it asks for (so many of the things it counts; a name, but
    none of its own) than the one that says most: that one is what it is about, and does not answer."""
    strange_names: float
    """The part of the names in the question that no first passage has, in [0, 1]."""
    strange_number: float
    """1 when the question has a year or another number that no first passage has."""


WEIGHTS = Signals(nearness=5.5, margin=1.5, said=1.0, aside=-2.9, strange_names=-2.5, strange_number=-2.9)
BIAS = -3.0
"""Fitted by `python -m eval.train.gate` on questions that their document answers and questions that it does not, most
of these near misses: the right subject, but another company, year or detail."""

_NUMBER = re.compile(r"(?<![\w.,])(?:[FC]Y(?=\d{4}))?(\d(?:[\d.,]*\d)?)(?!\w)", re.IGNORECASE)
"""Digits within a word are part of a name (N1181Y), but for a fiscal year's (FY2022)."""
_NAME = re.compile(r"(?<=[\w,;:] )[A-Z][\w&-]*[a-z][\w&-]*")
"""A capital inside the question: English capitalisation is all that tells a name from a word here. What has no small
letter is as often a term of art that the document spells out: EBITDA, USD."""

_LETTERS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class _Sentence:
    """What a sentence says, and what its headings do, or others that name what it names."""

    text: str
    own: frozenset[str]
    headed: frozenset[str]


def relevance(question: str, passages: Sequence[Passage]) -> Relevance:
    """The calibrated probability that `passages` answer `question`; 0 when there are none."""
    if not passages:
        return Relevance(0.0, tuple(spelled(question).values()))
    signals, missing = measure(question, passages)
    z = BIAS + sum(w * s for w, s in zip(astuple(WEIGHTS), astuple(signals), strict=True))
    return Relevance(1 / (1 + math.exp(-z)), missing)


def measure(question: str, passages: Sequence[Passage]) -> tuple[Signals, tuple[str, ...]]:
    """The signals, and the words of the question that no first passage has, as they were asked. A term counts once."""
    asked = spelled(subject(question))
    said = [frozenset(terms(f"{p.title} {p.chunk.indexed}")) for p in passages[:READ]]
    every = list(_sentences(passages[:READ]))
    weight = _weights(asked, every)
    parts = [(sentence.text, _part(weight, sentence)) for sentence in every]
    kind = expected(question)
    answering = _answering(question, kind)

    def most(fits: Callable[[str], bool]) -> float:
        return max((part for text, part in parts if fits(text)), default=0.0)

    near, *others = sorted((passage.signals.get("part", 0.0) for passage in passages), reverse=True) or [0.0]
    others = others[: READ - 1]
    there = frozenset().union(*said[:NAMING])
    there |= _written_otherwise(question, there, passages[:NAMING])
    names, numbers = _NAME.findall(question)[:SPECIFIC], _NUMBER.findall(question)[:SPECIFIC]
    return Signals(
        nearness=near,
        margin=near - sum(others) / len(others) if others else 0.0,
        said=most(lambda text: holds(kind, text)),
        aside=most(lambda _: True) - most(answering),
        strange_names=_strange(names, there, alike=ALIKE) / max(len(names), 1),
        strange_number=float(_strange(numbers, there) > 0),
    ), tuple(word for term, word in asked.items() if not any(term in words for words in said))


def _answering(question: str, kind: Kind) -> Callable[[str], bool]:
    """Whether a sentence may be an answer by what it holds: so many of what is counted, or the kind of thing asked for.

    The names and numbers of the question itself are none.
    """
    number = counted(question)
    if number is not None:
        return lambda text: number.search(text) is not None
    return lambda text: holds(kind, text, question=question)


def _sentences(passages: Sequence[Passage]) -> Iterator[_Sentence]:
    for passage in passages:
        headed = frozenset(terms(f"{passage.title} {passage.chunk.context}"))
        texts = [span.of(passage.chunk.text) for span in sentences(passage.chunk.text)]
        own = [frozenset(terms(text)) for text in texts]
        for text, said, others in zip(texts, own, told_with(texts), strict=True):
            yield _Sentence(text, said, headed.union(*(own[other] for other in others)))


def _weights(asked: Collection[str], every: Sequence[_Sentence]) -> dict[str, float]:
    """Inverse document frequency over the sentences at hand: what they all say tells none from another."""
    counts = Counter(term for sentence in every for term in sentence.own)
    return {term: math.log(1 + (len(every) + 1) / (1 + counts[term])) for term in asked}


def _part(weight: Mapping[str, float], sentence: _Sentence) -> float:
    total = sum(weight.values()) or 1.0
    meant = sentence.headed | implied(frozenset(weight), sentence.own)
    return sum(w if t in sentence.own else w / 2 if t in meant else 0.0 for t, w in weight.items()) / total


def _written_otherwise(question: str, there: Collection[str], passages: Sequence[Passage]) -> frozenset[str]:
    """Terms of the question that are there as one word where it has two, or the other way round: Bestbuy, Best Buy."""
    words = _LETTERS.findall(question.lower())
    found = [
        f"{one} {other}" for one, other in pairwise(words) if terms(one + other) and {*terms(one + other)} <= {*there}
    ]
    pairs = {one + other for p in passages for one, other in pairwise(_LETTERS.findall(p.chunk.indexed.lower()))}
    return frozenset(terms(" ".join([*found, *(word for word in words if word in pairs)])))


def _strange(specifics: Sequence[str], there: Collection[str], *, alike: float = 1.0) -> int:
    """How many of the specifics have a term that is not there, nor one so much `alike`."""
    return sum(
        any(term not in there and not get_close_matches(term, there, n=1, cutoff=alike) for term in terms(specific))
        for specific in specifics
    )
