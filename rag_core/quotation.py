"""A question and its passages to the fewest literal sentences that answer it, without any language model."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rag_core.expectation import Kind, expected, holds
from rag_core.protocols import Embedder
from rag_core.sentences import sentences
from rag_core.terms import terms
from rag_core.types import Claim, Draft, Passage, Span

NAME = "quote"

CANDIDATES = 32
"""Sentences compared by meaning: those that share most terms with the question, from all passages."""
LEAST_COVERED = 0.34
"""A sentence with less than this part of the weight of the question's terms is about something else."""
SECOND = 0.85
"""A further sentence must score this part of the best one's score, and say something that the first does not."""
MOST = 3
"""Sentences of an answer: more is a reading list."""

_QUALIFIES = re.compile(
    r"^(except|unless|however|but|only|this (does not|applies|excludes)|these|otherwise|exceptions?|in that case)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Candidate:
    passage: Passage
    order: int
    """Its place among the sentences of its passage."""
    text: str
    covered: float
    score: float = 0.0


class QuotationWriter:
    """Implements `Writer` by quoting: what it writes stands in a passage, letter by letter."""

    name = NAME

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    async def write(self, question: str, passages: Sequence[Passage]) -> Draft:
        """The sentences that answer, best first, each citing its passage; or which kind of thing none of them holds."""
        kind = expected(question)
        asked = dict.fromkeys(terms(question))
        candidates = _candidates(asked, passages)
        fitting = [c for c in candidates if holds(kind, c.text)]
        if not fitting:
            return Draft("", NAME, unanswered=_unanswered(kind, candidates))
        ranked = await self._rank(question, fitting)
        best = ranked[0]
        if best.covered < LEAST_COVERED:
            return Draft("", NAME, unanswered="the nearest sentences speak of something else")
        return _draft(_with_qualification(_chosen(ranked, asked), candidates))

    async def _rank(self, question: str, candidates: Sequence[_Candidate]) -> list[_Candidate]:
        texts = [f"{c.passage.chunk.context}\n{c.text}" if c.passage.chunk.context else c.text for c in candidates]
        vectors = await self._embedder.embed([question, *texts])
        nearness = vectors[1:] @ vectors[0]
        scored = [
            _Candidate(c.passage, c.order, c.text, c.covered, float(near) + c.covered + 0.5 / (1 + c.passage.label))
            for c, near in zip(candidates, nearness, strict=True)
        ]
        return sorted(scored, key=lambda c: -c.score)


def _candidates(asked: Sequence[str] | dict[str, None], passages: Sequence[Passage]) -> list[_Candidate]:
    """The sentences that share most with the question, each with the part of the question's weight that it covers."""
    every = [
        (passage, order, span.of(passage.chunk.text))
        for passage in passages
        for order, span in enumerate(sentences(passage.chunk.text))
    ]
    said = [
        (frozenset(terms(text)), frozenset(terms(f"{passage.title} {passage.chunk.context}")))
        for passage, _, text in every
    ]
    weight = _weights(asked, [own for own, _ in said])
    total = sum(weight.values()) or 1.0
    found = [
        # A heading's word counts half: it says what a sentence is about, but the sentence itself must say something.
        _Candidate(
            passage, order, text, sum(w if t in own else w / 2 if t in above else 0 for t, w in weight.items()) / total
        )
        for (passage, order, text), (own, above) in zip(every, said, strict=True)
        if own
    ]
    return sorted(found, key=lambda c: (-c.covered, c.passage.label, c.order))[:CANDIDATES]


def _weights(asked: Sequence[str] | dict[str, None], sentences_terms: Sequence[frozenset[str]]) -> dict[str, float]:
    """Inverse document frequency over the sentences at hand: what they all say tells none from another."""
    counts = Counter(term for said in sentences_terms for term in said)
    return {term: math.log(1 + (len(sentences_terms) + 1) / (1 + counts[term])) for term in asked}


def _chosen(ranked: Sequence[_Candidate], asked: dict[str, None]) -> list[_Candidate]:
    chosen = [ranked[0]]
    said = set(terms(ranked[0].text))
    for candidate in ranked[1:]:
        more = {t for t in terms(candidate.text) if t in asked} - said
        if len(chosen) < MOST and candidate.score >= SECOND * ranked[0].score and more:
            chosen.append(candidate)
            said |= set(terms(candidate.text))
    return chosen


def _with_qualification(chosen: Sequence[_Candidate], candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """The chosen, each followed by the sentence after it where that one takes something back."""
    kept: list[_Candidate] = []
    for candidate in chosen:
        kept.append(candidate)
        after = next((c for c in candidates if c.passage is candidate.passage and c.order == candidate.order + 1), None)
        if after is not None and after not in kept and after not in chosen and _QUALIFIES.match(after.text):
            kept.append(after)
    return kept


def _draft(chosen: Sequence[_Candidate]) -> Draft:
    text = ""
    claims = []
    for candidate in chosen:
        line = f"{candidate.text} [{candidate.passage.label}]"
        start = len(text)
        text += line + "\n"
        claims.append(Claim(candidate.text, Span(start, start + len(line)), markers=(candidate.passage.label,)))
    return Draft(text.rstrip("\n"), NAME, claims=tuple(claims))


def _unanswered(kind: Kind, candidates: Sequence[_Candidate]) -> str:
    if not candidates:
        return "the nearest passages hold no sentence"
    return f"it asks for {kind.value}, and the nearest sentences hold none"
