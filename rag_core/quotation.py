"""A question and its passages to the fewest literal sentences that answer it, without any language model."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rag_core.expectation import Kind, expected, holds
from rag_core.protocols import Embedder
from rag_core.sentences import sentences, table_headers
from rag_core.terms import terms
from rag_core.types import Claim, Draft, Passage, Span

NAME = "quote"

CANDIDATES = 32
"""Sentences compared by meaning: those that share most terms with the question, from all passages."""
LEAST = 0.6
"""Of nearness and covered terms together; below it the best sentence is about something else. Of the public questions'
right sentences 19 in 20 are above 0.7; of the best ones in a document that holds no answer most are below."""
GAIN = 0.25
"""A further sentence must say this part of the question's weight that those before it do not."""
SECOND = 0.9
"""And it must score this part of the best one's score, or it is about something else that shares a word."""
FIRST_PASSAGE = 0.5
"""What a sentence gains from standing in the first passage, two thirds of it in the second, and so on down."""
MOST = 3
"""Sentences of an answer: more is a reading list."""

_LISTED = re.compile(r"\s*([•●▪◦‣·*–—-]|\(?\w{1,3}[.)])\s")  # noqa: RUF001 - the marks of real lists
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
    lead: str
    """What makes sense of it: its table's header, the question it answers, the line that its list began with."""
    said: frozenset[str] = frozenset()
    """The question's terms that it says itself."""
    covered: float = 0.0
    """The part of the question's weight that it says, or half so much where only its headings do."""
    near: float = 0.0
    """Its cosine with the question."""

    @property
    def score(self) -> float:
        """What sentences are ranked by."""
        return self.near + self.covered + FIRST_PASSAGE / (1 + self.passage.label)

    @property
    def read(self) -> str:
        """The sentence as a reader takes it: under its headings and its lead."""
        return "\n".join(part for part in (self.passage.chunk.context, self.lead, self.text) if part)


class QuotationWriter:
    """Implements `Writer` by quoting: what it writes stands in a passage, letter by letter."""

    name = NAME

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    async def write(self, question: str, passages: Sequence[Passage]) -> Draft:
        """The sentences that answer, best first, each citing its passage; or which kind of thing none of them holds."""
        kind = expected(question)
        asked = tuple(dict.fromkeys(terms(question)))
        candidates = _candidates(asked, passages)
        fitting = [c for c in candidates if holds(kind, c.text)]
        if not fitting:
            return Draft("", NAME, unanswered=_unanswered(kind, candidates))
        ranked = await self._rank(question, fitting)
        if ranked[0].near + ranked[0].covered < LEAST:
            return Draft("", NAME, unanswered="the nearest sentences speak of something else")
        return _draft(_with_qualification(_chosen(ranked), candidates))

    async def _rank(self, question: str, candidates: Sequence[_Candidate]) -> list[_Candidate]:
        vectors = await self._embedder.embed([question, *(c.read for c in candidates)])
        nearness = vectors[1:] @ vectors[0]
        scored = [replace(c, near=float(near)) for c, near in zip(candidates, nearness, strict=True)]
        return sorted(scored, key=lambda c: -c.score)


def _candidates(asked: Sequence[str], passages: Sequence[Passage]) -> list[_Candidate]:
    """The sentences that share most with the question, each with the part of the question's weight that it covers."""
    every = [candidate for passage in passages for candidate in _sentences(passage)]
    own = [frozenset(terms(c.text)) for c in every]
    above = [frozenset(terms(f"{c.passage.title} {c.passage.chunk.context} {c.lead}")) for c in every]
    weight = _weights(asked, own)
    total = sum(weight.values()) or 1.0
    found = [
        # A heading's word counts half: it says what a sentence is about, but the sentence itself must say something.
        replace(
            c,
            said=said & weight.keys(),
            covered=sum(w if t in said else w / 2 if t in headed else 0 for t, w in weight.items()) / total,
        )
        for c, said, headed in zip(every, own, above, strict=True)
        if said
    ]
    return sorted(found, key=lambda c: (-c.covered, c.passage.label, c.order))[:CANDIDATES]


def _sentences(passage: Passage) -> Iterator[_Candidate]:
    """The sentences that can answer, each with its lead. A question and the line before a list are leads alone."""
    text = passage.chunk.text
    spans = sentences(text)
    lead = ""
    for order, (span, header) in enumerate(zip(spans, table_headers(text, spans), strict=True)):
        sentence = span.of(text)
        if sentence.endswith(("?", ":")):
            lead = sentence
            continue
        yield _Candidate(passage, order, sentence, lead if header is None else spans[header].of(text))
        if not (lead.endswith(":") and _LISTED.match(sentence)):
            lead = ""


def _weights(asked: Sequence[str], sentences_terms: Sequence[frozenset[str]]) -> dict[str, float]:
    """Inverse document frequency over the sentences at hand: what they all say tells none from another."""
    counts = Counter(term for said in sentences_terms for term in said)
    return {term: math.log(1 + (len(sentences_terms) + 1) / (1 + counts[term])) for term in asked}


def _chosen(ranked: Sequence[_Candidate]) -> list[_Candidate]:
    """The best, and those after it that say enough of the question that no sentence before them says."""
    chosen = [ranked[0]]
    for candidate in ranked[1:]:
        said = frozenset().union(*(c.said for c in chosen))
        gain = candidate.covered * len(candidate.said - said) / max(len(candidate.said), 1)
        if len(chosen) < MOST and gain >= GAIN and candidate.score >= SECOND * ranked[0].score:
            chosen.append(candidate)
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
    for quote, label in _quotes(chosen):
        line = f"{quote} [{label}]"
        start = len(text)
        text += line + "\n"
        claims.append(Claim(quote, Span(start, start + len(line)), markers=(label,)))
    return Draft(text.rstrip("\n"), NAME, claims=tuple(claims))


def _quotes(chosen: Sequence[_Candidate]) -> Iterator[tuple[str, int]]:
    """Each sentence with its passage's label, after its lead where that has not been quoted yet."""
    quoted: set[tuple[int, str]] = set()
    for candidate in chosen:
        for text in (candidate.lead, candidate.text):
            if text and (quote := (candidate.passage.label, text)) not in quoted:
                quoted.add(quote)
                yield text, candidate.passage.label


def _unanswered(kind: Kind, candidates: Sequence[_Candidate]) -> str:
    if not candidates:
        return "the nearest passages hold no sentence"
    return f"it asks for {kind.value}, and the nearest sentences hold none"
