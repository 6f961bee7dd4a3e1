"""Scored sentences to the fewest that answer the question, in order, or to why none does. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag_core.candidates import Candidate, sentences_of
from rag_core.expectation import FORMS, Kind, expected, holds
from rag_core.sides import sides_of
from rag_core.terms import terms
from rag_core.types import Passage

GAIN = 0.25
"""A further sentence must say this part of the question's weight that those before it do not."""
SECOND = 0.9
"""And its score may be so much below the best one's, or it is about something else that shares a word."""
TIE = 0.4
"""How little the best sentence of another page may score below the best one, for a reader to be given both."""
MOST = 3
"""Sentences of an answer: more is a reading list."""
ITEMS = 10
"""Items of a list that is asked for."""
LEAST = 0.4
"""Of nearness and what is said together; below it the best sentence is about something else."""
BEHIND = 1.2
"""How far the best sentence that holds what is asked for may score below the best one of all: that one is what the
question is about, and it holds none."""

_QUALIFIES = re.compile(
    r"""^(except|unless|however|but|only|this\ (does\ not|applies|excludes)|these|otherwise|exceptions?|in\ that\ case
    |the\ (only\ )?exceptions?|nor)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_NOTE = re.compile(r"(?<=[\w.,;)])([⁰¹²³⁴-⁹]+)(?=\s|$)")
"""The mark of a footnote, behind a word or a stop."""
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


@dataclass(frozen=True, slots=True)
class Selection:
    """The sentences to quote, in order, or why there are none."""

    chosen: tuple[Candidate, ...] = ()
    why: str | None = None


def select(question: str, ranked: Sequence[Candidate], passages: Sequence[Passage]) -> Selection:
    """What to quote of `ranked`, which is best first; `passages` is where footnotes and the rest of a list stand."""
    kind = expected(question)
    if not ranked:
        return Selection(why="the nearest passages hold no sentence")
    fitting = [
        c for c in ranked if holds(kind, c.text, question=question) and not (c.signals.fragment or c.signals.points)
    ]
    if not fitting:
        return Selection(why=f"it asks for {kind.value}, and the nearest sentences hold none")
    best = fitting[0]
    if ranked[0].score - best.score > BEHIND and kind not in FORMS:
        return Selection(why=f"it asks for {kind.value}, and the sentence nearest to it holds none")
    if best.signals.near + best.signals.said + best.signals.headed / 2 < LEAST:
        return Selection(why="the nearest sentences speak of something else")
    years = [year for year in _YEAR.findall(question) if not _tells(best, year)]
    if years:
        return Selection(why=f"the nearest sentence says nothing of {years[0]}")
    chosen = _sides(question, fitting) or (_items(best, passages) if kind is Kind.LIST else []) or _fewest(fitting)
    return Selection(tuple(_qualified(chosen, passages)))


def _tells(candidate: Candidate, year: str) -> bool:
    """Whether the year stands where the candidate does."""
    passage = candidate.passage
    return year in f"{passage.title} {passage.chunk.indexed}"


def _fewest(ranked: Sequence[Candidate]) -> list[Candidate]:
    """The best, and those after it that say enough of the question that no sentence before them says."""
    chosen = [ranked[0]]
    for candidate in ranked[1:]:
        said = frozenset().union(*(c.said for c in chosen))
        gain = candidate.signals.said * len(candidate.said - said) / max(len(candidate.said), 1)
        behind = ranked[0].score - candidate.score
        if (gain >= GAIN and behind <= SECOND) or (behind <= TIE and all(_page(candidate) != _page(c) for c in chosen)):
            chosen.append(candidate)
        if len(chosen) == MOST:
            break
    return chosen


def _page(candidate: Candidate) -> tuple[str, int]:
    return candidate.passage.chunk.document_id, candidate.passage.chunk.page


def _sides(question: str, ranked: Sequence[Candidate]) -> list[Candidate]:
    """One for each thing that is set side by side, unless one sentence tells of them all; none if a side has none."""
    sides = sides_of(question)
    if not sides or all(side <= _about(ranked[0]) for side in sides):
        return []
    chosen: list[Candidate] = []
    for side in sides:
        others = frozenset().union(*sides) - side
        its_own = [c for c in ranked if side <= _about(c) and not others & _about(c)]
        if not its_own:
            return []
        chosen.append(its_own[0])
    return chosen


def _about(candidate: Candidate) -> frozenset[str]:
    return frozenset(terms(f"{candidate.lead} {candidate.text}"))


def _items(best: Candidate, passages: Sequence[Passage]) -> list[Candidate]:
    """All items of the list that the best one is of; none if it is of none."""
    if not best.listed:
        return []
    every = [c for passage in passages if passage is best.passage for c in sentences_of(passage)]
    return [c for c in every if c.listed and c.lead == best.lead][:ITEMS]


def _qualified(chosen: Sequence[Candidate], passages: Sequence[Passage]) -> Iterator[Candidate]:
    """The chosen, each followed by the sentence after it, or the footnote, that takes something of it back."""
    given: set[tuple[int, int]] = {(c.passage.label, c.order) for c in chosen}
    for candidate in chosen:
        yield candidate
        for after in _takes_back(candidate, passages):
            if (after.passage.label, after.order) not in given:
                given.add((after.passage.label, after.order))
                yield after


def _takes_back(candidate: Candidate, passages: Sequence[Passage]) -> Iterator[Candidate]:
    marks = set(_NOTE.findall(candidate.text))
    for passage in passages:
        if (passage.chunk.document_id, passage.chunk.page) != _page(candidate):
            continue
        for other in sentences_of(passage):
            follows = passage is candidate.passage and other.order == candidate.order + 1
            if (follows and _QUALIFIES.match(other.text)) or any(other.text.startswith(mark) for mark in marks):
                yield other
