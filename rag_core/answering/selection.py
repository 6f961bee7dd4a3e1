"""Scored sentences to the fewest that answer the question, in order, or to why none does. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag_core.answering.candidates import Candidate, sentences_of
from rag_core.answering.expectation import FORMS, Kind, expected, holds
from rag_core.answering.sides import sides_of
from rag_core.finding.ratios import lines_of
from rag_core.text.sentences import is_table_row
from rag_core.text.terms import terms
from rag_core.types import Passage

GAIN = 0.25
"""A further sentence must say this part of the question's weight that those before it do not."""
SECOND = 0.9
"""And its score may be so much below the best one's, or it is about something else that shares a word."""
TIE = 1.5
"""How little the best sentence of another page may score below the best one, for a reader to be given both."""
MOST = 3
"""Sentences of an answer: more is a reading list."""
PAGES = 2
"""Pages from which a sentence is quoted because it is about as likely as the best one."""
LINES = 4
"""Of a statement, for a ratio that is computed from them."""
BESIDES = 2
"""Words that the name of a line may have more than usual: "Total current assets, net of cash"."""
ITEMS = 10
"""Items of a list that is asked for."""
LEAST = 0.55
"""Of nearness and what is said together; below it the best sentence is about something else."""
SPOKEN = 0.28
"""The part of the weight of a question for yes or no that is said in the best sentence or around it; below it, that
sentence does not speak of the very thing."""
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
_ANY_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
"""A fiscal year (FY2022), too."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The sentences to quote, in order, or why there are none."""

    chosen: tuple[Candidate, ...] = ()
    why: str | None = None


def select(question: str, ranked: Sequence[Candidate], passages: Sequence[Passage]) -> Selection:
    """What to quote of `ranked`, which is best first; `passages` is where footnotes and the rest of a list stand."""
    kind = expected(question)
    fitting = [c for c in ranked if _answers(kind, c, question)]
    chosen = _lines(question, ranked, passages)
    if not chosen and (why := _refusal(kind, question, ranked, fitting)) is not None:
        return Selection(why=why)
    if not chosen:
        listed = _items(fitting[0], passages) if kind is Kind.LIST else []
        chosen = _sides(question, fitting) or listed or _fewest(fitting)
    return Selection(tuple(_qualified(chosen, passages)))


def _refusal(kind: Kind, question: str, ranked: Sequence[Candidate], fitting: Sequence[Candidate]) -> str | None:
    """Why none of them answers; None if the best fitting one may."""
    if not ranked:
        return "the nearest passages hold no sentence"
    if not fitting:
        return f"it asks for {kind.value}, and the nearest sentences hold none"
    best = fitting[0]
    if ranked[0].score - best.score > BEHIND and kind not in FORMS:
        return f"it asks for {kind.value}, and the sentence nearest to it holds none"
    signals = best.signals
    around = signals.headed + signals.beside
    spoken = signals.said + around
    if signals.near + signals.said + around / 2 < LEAST or (kind is Kind.YES_NO and spoken < SPOKEN):
        return "the nearest sentences speak of something else"
    if signals.other:
        return "the nearest sentence tells of another number of the same thing"
    year = next((year for year in _YEAR.findall(question) if not _tells(best, year)), None)
    return None if year is None else f"the nearest sentence says nothing of {year}"


def _answers(kind: Kind, candidate: Candidate, question: str) -> bool:
    """Whether it is a whole sentence with such a thing in it; one that counts must count what is asked for.

    A row's number is of whatever its column is named for.
    """
    signals = candidate.signals
    if signals.fragment or signals.points or not holds(kind, candidate.text, question=question):
        return False
    return kind is not Kind.COUNT or bool(signals.fits or signals.row)


def _tells(candidate: Candidate, year: str) -> bool:
    """Whether the year stands where the candidate does."""
    passage = candidate.passage
    return year in f"{passage.title} {passage.chunk.indexed}"


def _fewest(ranked: Sequence[Candidate]) -> list[Candidate]:
    """The best of each likely page, then those that say enough of the question that none before them says."""
    chosen = _rivals(ranked)
    for candidate in ranked:
        if len(chosen) >= MOST or ranked[0].score - candidate.score > SECOND:
            break
        said = frozenset().union(*(c.said for c in chosen))
        gain = candidate.signals.said * len(candidate.said - said) / max(len(candidate.said), 1)
        if gain >= GAIN:
            chosen.append(candidate)
    return chosen


def _rivals(ranked: Sequence[Candidate]) -> list[Candidate]:
    """The best sentence of all, and of each other page the best one, if it is about as likely."""
    by_page: dict[tuple[str, int], Candidate] = {}
    for candidate in ranked:
        if ranked[0].score - candidate.score > TIE:
            break
        by_page.setdefault(_page(candidate), candidate)
    return list(by_page.values())[:PAGES]


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


def _lines(question: str, ranked: Sequence[Candidate], passages: Sequence[Passage]) -> list[Candidate]:
    """What a ratio that is asked for is computed from, a row a line; first the sentence that tells it, if one does."""
    lines = lines_of(question)
    if not lines:
        return []
    years = _ANY_YEAR.findall(question)
    rows = [c for passage in passages for c in sentences_of(passage) if is_table_row(c.text)]
    rows = [row for row in rows if not years or any(_tells(row, year) for year in years)]
    found = [row for line in lines if (row := _row_of(line, rows)) is not None]
    told = [c for c in ranked[:1] if found and set(lines_of(c.text)) & set(lines)]
    return list({(c.passage.label, c.order): c for c in [*told, *found]}.values())[:LINES]


def _row_of(line: str, rows: Sequence[Candidate]) -> Candidate | None:
    """The first row that is named so, with little besides, and has a figure."""
    wanted = frozenset(terms(line))
    for row in rows:
        name, _, cells = row.text.partition("|")
        said = frozenset(terms(name))
        if wanted <= said and len(said) <= len(wanted) + BESIDES and any(c.isdigit() for c in cells):
            return row
    return None


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
