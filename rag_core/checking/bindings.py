"""Whether a claim joins what the text joins: a figure and what it is of, a subject and what is said of it. Pure.

It speaks only where the text's own words tell things apart, and says the same of another one; else it is silent.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from rag_core.checking.agreement import agree, counted
from rag_core.checking.alignment import words
from rag_core.text.quantity import Quantity
from rag_core.text.sentences import is_table_row, sentences
from rag_core.types import Span

MANY = 40
"""Numbers of a unit in a span beyond which they are a list, in which no words tell them apart."""

_CLAUSE = re.compile(
    r"[;:.](?=\s|$)|\n|,(?=\s[^,]*\d)|\b(?:and|but|while|whereas)\b(?! \d)|(?<=[^\W\d_])\s+and(?= \d)", re.IGNORECASE
)


def misplaced(
    claim: str, ours: Sequence[Quantity], evidence: str, theirs: Sequence[Quantity]
) -> Iterator[tuple[Quantity, Quantity]]:
    """The numbers of the claim that the text has of another thing, each with the one that is of what the claim says.

    What tells numbers apart is a word that stands with one only; what stands before the first of a sentence may be the
    subject of all. Silent where the claim's number has any such word of the claim beside it.
    """
    kinds = [_kind(q, claim) for q in ours]
    for mine in ours:
        rivals = [q for q in theirs if q.unit == mine.unit]
        if mine.unit in {"", "year", "ordinal"} or not 2 <= len(rivals) <= MANY:  # noqa: PLR2004 - itself and another
            continue
        if kinds.count(_kind(mine, claim)) > 1:
            continue  # the claim's words may belong to either
        wanted = set(words(claim[: mine.span.start] + " " + claim[mine.span.end :]))
        other = _clash(mine, wanted, claim, rivals, evidence)
        if other is not None:
            yield mine, other


def _clash(mine: Quantity, wanted: set[str], claim: str, rivals: Sequence[Quantity], evidence: str) -> Quantity | None:
    clauses = clauses_of(evidence)
    matches = [q for q in rivals if agree(mine, q, claim, evidence)]
    beside = [
        (q, other)
        for q in matches
        for other in rivals
        if other not in matches and _alone(q, clauses, evidence) & wanted <= _alone(other, clauses, evidence)
    ]
    if {id(q) for q, _ in beside} < {id(q) for q in matches}:
        return None
    return next(
        (
            other
            for q, other in beside
            if wanted & (_told_apart(other, q, rivals, clauses, evidence) - _alone(q, clauses, evidence))
        ),
        None,
    )


def crossed(claim: str, evidence: str) -> tuple[str, str] | None:
    """Two clauses of the claim that each mix what two clauses of the text keep apart: a word of each mixed pair.

    It speaks only where the claim uses nearly the text's own words; a summary may join what the text parts.

    >>> crossed("Latin is taught in grade 5; French is optional.", "French is taught in grade 5; Latin is optional.")
    ('latin', '5')
    """
    ours = [set(words(span.of(claim))) for span in clauses_of(claim)]
    rows = [span.of(evidence) for span in clauses_of(evidence)]
    theirs = [set(words(row)) for row in rows if not is_table_row(row)]
    if len(ours) < 2 or not 2 <= len(theirs) <= MANY:  # noqa: PLR2004 - two to be crossed
        return None
    for one, other in itertools.pairwise(ours):
        for t1, t2 in itertools.combinations(theirs, 2):
            first, second = t1 - t2, t2 - t1
            if len((one | other) & (t1 | t2)) < OWN_WORDS * len(one | other):
                continue
            if one & first and one & second and other & first and other & second and not one & other & (first | second):
                return min(one & second), min(one & first)
    return None


OWN_WORDS = 0.75
"""Of the claim's words, the part that the two clauses must have."""


def _kind(q: Quantity, text: str) -> str:
    """What a number measures or counts."""
    return q.unit or counted(q, text)


@lru_cache(maxsize=128)
def clauses_of(text: str) -> list[Span]:
    """The clauses of a text; a table's row is one."""
    made: list[Span] = []
    for span in sentences(text):
        start = span.start
        if not is_table_row(span.of(text)):
            for m in _CLAUSE.finditer(text, span.start, span.end):
                if start < m.start():
                    made.append(Span(start, m.start()))
                start = m.end()
        if start < span.end:
            made.append(Span(start, span.end))
    return made


def home(q: Quantity, clauses: list[Span]) -> Span:
    """The clause that a number stands in."""
    return next((c for c in clauses if c.start <= q.span.start < c.end), q.span)


def _alone(q: Quantity, clauses: list[Span], text: str) -> set[str]:
    here = home(q, clauses)
    return set(words(text[here.start : q.span.start] + " " + text[q.span.end : here.end]))


def _told_apart(
    other: Quantity, q: Quantity, rivals: Sequence[Quantity], clauses: list[Span], evidence: str
) -> set[str]:
    """The words that stand with another number only, not before the first of one sentence: empty where it is far."""
    there, mine = home(other, clauses), home(q, clauses)
    if there == mine:
        return set()
    here = next((s for s in sentences(evidence) if s.start <= q.span.start < s.end), mine)
    if here.start <= other.span.start < here.end:
        first = min(r.span.start for r in rivals if here.start <= r.span.start < here.end)
        return set(words(evidence[max(there.start, first) : there.end]))
    rows = is_table_row(here.of(evidence)) and is_table_row(there.of(evidence))
    return _alone(other, clauses, evidence) if rows else set()
