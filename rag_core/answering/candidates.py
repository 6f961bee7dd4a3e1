"""A question and its passages to the sentences that may answer, each with what is known of it. Pure.

What a sentence is near to in meaning only a model knows: `scored` takes the cosines from outside.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter, mul

from rag_core.answering.expectation import counted, expected, subject, suits
from rag_core.answering.mentions import told_with
from rag_core.text.sentences import is_table_row, sentences, table_headers
from rag_core.text.synonyms import implied
from rag_core.text.terms import terms
from rag_core.types import Passage

MOST = 24
"""Candidates that are compared by meaning, those first that promise most by their words and places: 48 found the right
page no oftener, and took three times as long."""

IMPLIED = 0.5
"""What a synonym of a question's word counts, where the word itself counts 1."""

LISTED = re.compile(r"\s*([•●▪◦‣·*–—-]|\(?\w{1,3}[.)])\s")  # noqa: RUF001 - the marks of real lists
_STOPS = re.compile(r"[.!;]['\"”’)\]⁰¹²³⁴-⁹]*(\[\d+\])*$")  # noqa: RUF001 - the quotation marks of real pages
_LEANS = re.compile(r"^(it|its|they|their|he|his|she|her|this|these|such|both|neither|each)\b", re.IGNORECASE)
"""It means something of the sentence before."""
_POINTS = re.compile(
    r"""^\(?(see|refer\ to|for\ (more|further|additional)\ information|as\ (shown|described|discussed)\ in)\b
    | \b(doi|https?:|ISBN|pp?\.\ ?\d)
    | \b(see|refer\ to)\ (also\ )?(note|table|figure|section|item|part|page|appendix)\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""It points to where something stands, or is an entry of a bibliography: nobody's answer."""
_NUMBERED = re.compile(r"\b([a-z]{3,})\s(\d{1,4}[a-z]?)\b")
_HEADING_WORDS = 10
_COLUMNS = 3
"""Of a table with a header: the first row of two columns is as often a fact as any other."""
_LONG = 60
"""Words of a sentence beyond which it says too much to be an answer."""


@dataclass(frozen=True, slots=True)
class Signals:
    """What the order of candidates rests on."""

    near: float = 0.0
    """The cosine of the question and the sentence, read under its headings and its lead."""
    said: float = 0.0
    """The part of the question's weight, by inverse document frequency, that it says itself."""
    headed: float = 0.0
    """The part that only its headings, its lead or its document's title say."""
    beside: float = 0.0
    """The part that only the sentences beside it say, or those that name what it names."""
    first: float = 0.0
    """1 for a sentence of the first passage, 1/2 of the second, and so on."""
    passage: float = 0.0
    """How far its passage's score is below the best one's; never above 0."""
    fits: float = 0.0
    """1 where it holds what the question asks for, or has the form of such an answer."""
    fragment: float = 0.0
    """1 for a heading, a table's header, or what else has no end of a sentence and is no row and no item of a list."""
    points: float = 0.0
    """1 where it only points to another place."""
    row: float = 0.0
    """1 for the row of a table."""
    long: float = 0.0
    """How far it is longer than an answer is."""
    other: float = 0.0
    """1 where it tells of another of the things that have numbers: grade 7 where the question is of grade 4."""


_values = attrgetter(*Signals.__slots__)
"""Signals as a tuple: `astuple` copies each number deeply, at twenty times the time."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence, or a table's row, with what makes sense of it."""

    passage: Passage
    order: int
    """Its place among the sentences of its passage."""
    text: str
    under: str = ""
    """The heading that it stands under within its passage."""
    lead: str = ""
    """Its table's header, the question it answers, the line that its list began with, or what "it" means."""
    listed: bool = False
    """Whether it is an item of the list that its lead began."""
    heads: bool = False
    """Whether it is the header of a table's rows."""
    said: frozenset[str] = frozenset()
    """The question's terms that it says itself."""
    signals: Signals = Signals()
    score: float = 0.0

    @property
    def read(self) -> str:
        """The sentence as a reader takes it: under its headings and its lead."""
        return "\n".join(part for part in (self.passage.chunk.context, self.under, self.lead, self.text) if part)


def candidates(question: str, passages: Sequence[Passage]) -> list[Candidate]:
    """The sentences worth a closer look, at most `MOST`, with all signals but the cosine."""
    kind, number, numbered = expected(question), counted(question), _numbered(question)
    grouped = [list(sentences_of(passage)) for passage in passages]
    every = [candidate for group in grouped for candidate in group]
    beside = list(_beside(grouped))
    own = [frozenset(terms(c.text)) for c in every]
    weight = _weights(tuple(dict.fromkeys(terms(subject(question)))), own)
    total = sum(weight.values()) or 1.0
    best = max((passage.score for passage in passages), default=0.0)
    wanted = frozenset(weight)

    def part(words: frozenset[str], but: frozenset[str] = frozenset()) -> float:
        """Of the weight that the words say and `but` does not; what another word says for a term counts less."""
        said, meant = (words & wanted) - but, implied(wanted, words) - but
        return sum(weight[t] * (1.0 if t in said else IMPLIED) for t in said | meant) / total

    known: list[Candidate] = []
    for i, (c, said) in enumerate(zip(every, own, strict=True)):
        headed = frozenset(terms(f"{c.passage.title} {c.passage.chunk.context} {c.under} {c.lead}"))
        around = [own[j] for j in beside[i]]
        signals = Signals(
            said=part(said),
            headed=part(headed, said),
            beside=part(frozenset().union(*around), said | headed),
            first=1 / c.passage.label,
            passage=c.passage.score - best,
            fits=float(suits(kind, c.text) if number is None else number.search(f"{c.lead}\n{c.text}") is not None),
            fragment=float(c.heads or _is_fragment(c.text)),
            points=float(_POINTS.search(c.text) is not None),
            row=float(is_table_row(c.text)),
            long=max(0.0, len(c.text.split()) / _LONG - 1),
            other=float(_of_another(numbered, c.text)),
        )
        known.append(replace(c, said=said & weight.keys(), signals=signals))
    return sorted(known, key=lambda c: (-_promise(c.signals), c.passage.label, c.order))[:MOST]


def scored(found: Sequence[Candidate], near: Sequence[float], weights: Signals) -> list[Candidate]:
    """The candidates with their cosines, best first by the weighted sum of their signals; ties stay as they came."""
    known = [replace(c, signals=replace(c.signals, near=n)) for c, n in zip(found, near, strict=True)]
    return sorted((replace(c, score=_weighed(c.signals, weights)) for c in known), key=lambda c: -c.score)


def sentences_of(passage: Passage) -> Iterator[Candidate]:
    """The sentences that can answer, each with its lead. A question and the line before a list are leads alone."""
    text = passage.chunk.text
    spans = sentences(text)
    headers = table_headers(text, spans)
    under = lead = before = ""
    listed = False
    for order, (span, header) in enumerate(zip(spans, headers, strict=True)):
        sentence = span.of(text)
        if opens(sentence):
            lead, before, listed = sentence, "", False
            continue
        item = lead.endswith(":") and LISTED.match(sentence) is not None
        if listed and not item:
            lead = ""
        listed = item
        if header is None and is_heading(sentence):
            under, before = sentence, ""
        leans = before if not lead and _LEANS.match(sentence) else lead
        lead_of_it = leans if header is None else spans[header].of(text)
        heads = order in headers and sentence.count(" | ") >= _COLUMNS - 1
        yield Candidate(passage, order, sentence, under if under != sentence else "", lead_of_it, listed, heads)
        lead = lead if listed else ""
        before = "" if under == sentence else sentence


def _beside(grouped: Sequence[Sequence[Candidate]]) -> Iterator[frozenset[int]]:
    """For each candidate of all groups in a row, those of its own before and after it, and that name what it names."""
    start = 0
    for group in grouped:
        for i, named in enumerate(told_with([c.text for c in group])):
            near = {j for j in (i - 1, i + 1) if 0 <= j < len(group)}
            yield frozenset(start + j for j in near | named)
        start += len(group)


def opens(sentence: str) -> bool:
    """Whether it only opens what follows: a question that is answered there, or the line before a list."""
    return sentence.endswith(("?", ":"))


def _numbered(text: str) -> dict[str, frozenset[str]]:
    """The things that are told apart by number, with the numbers: grade 4, section 12b."""
    found: dict[str, frozenset[str]] = {}
    for word, number in _NUMBERED.findall(text.casefold()):
        if terms(word):
            found[word] = found.get(word, frozenset()) | {number}
    return found


def _of_another(asked: Mapping[str, frozenset[str]], text: str) -> bool:
    """Whether the text names one of the things asked about by other numbers only."""
    told = _numbered(text) if asked else {}
    return any(word in told and not told[word] & numbers for word, numbers in asked.items())


def is_heading(sentence: str) -> bool:
    """Whether the line reads as a heading of what follows: a few words, with a capital first and no stop.

    >>> is_heading("Working from home"), is_heading("You may work from home."), is_heading("12 days")
    (True, False, False)
    """
    return _is_fragment(sentence) and sentence[:1].isupper()


def _is_fragment(text: str) -> bool:
    whole = _STOPS.search(text) or is_table_row(text) or LISTED.match(text) or len(text.split()) > _HEADING_WORDS
    return not whole


def _weighed(signals: Signals, weights: Signals) -> float:
    return math.fsum(map(mul, _values(weights), _values(signals)))


def _promise(signals: Signals) -> float:
    """What a sentence is worth before anyone knows its meaning."""
    return signals.said + signals.headed / 2 + signals.beside / 4 + signals.first / 2 + signals.fits / 4


def _weights(asked: Sequence[str], sentences_terms: Sequence[frozenset[str]]) -> Mapping[str, float]:
    """Inverse document frequency over the sentences at hand: what they all say tells none from another."""
    counts = Counter(term for said in sentences_terms for term in said)
    return {term: math.log(1 + (len(sentences_terms) + 1) / (1 + counts[term])) for term in asked}
