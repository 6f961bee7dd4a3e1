"""What a draft says of "it", or of something by name, held against whom the page means by "it" there. Pure."""

# ruff: noqa: RUF001 - the apostrophe of real pages

from __future__ import annotations

import re

from rag_core.checking.bindings import clauses_of
from rag_core.text.sentences import around, sentences
from rag_core.text.synonyms import implied
from rag_core.text.terms import terms
from rag_core.types import Span

BEFORE = 2
"""Sentences before one that says "it" in which its page says what that is."""

NAMED = 0.5
"""Of the words of a subject, the part that must be there: a draft may call a thing by a longer name than its page."""

SOMETHING = 2
"""Words of matter before a pronoun in its sentence that name what it may stand for; fewer are an "and then"."""

_SAYS = re.compile(r"\b(?:is|are|was|were|has|have|had|will|must|may|can|shall|should|does|do|did)\b", re.IGNORECASE)
_PRONOUN = re.compile(r"(?:they|it)\b(?!['’])", re.IGNORECASE)


def spoken_of(subject: str, span: Span, text: str) -> bool:
    """Whether the text at `span`, the sentences before it, or the heading above them, name the subject.

    >>> page = "The Fulmar is small. It is good to 5 mm. The Petrel is large. It is never moved. It has three lamps."
    >>> spoken_of("The Petrel", Span(81, 100), page), spoken_of("The Fulmar", Span(81, 100), page)
    (True, False)
    """
    wanted = frozenset(terms(subject))
    spans = sentences(text)
    at = around(spans, span.start)
    if not wanted or at is None:
        return True
    first = max(0, at - BEFORE)
    heading = next((s.of(text) for s in reversed(spans[:first]) if s.of(text)[-1:] not in ".!?;:,"), "")
    there = frozenset(terms(f"{heading} {text[spans[first].start : span.end]}"))
    named = len(wanted & there) + len(implied(wanted, there))
    return named >= NAMED * len(wanted)


def of_another(claim: str, evidence: str) -> str | None:
    """Where the text says with a pronoun what the claim says of its subject, and means another: what it means.

    >>> of_another("The extra days are not paid out.", "Carried-over days lapse in June; they are not paid out.")
    'Carried-over days lapse in June'
    >>> of_another("Carried-over days are not paid out.", "Carried-over days lapse in June; they are not paid out.")
    """
    verb = _SAYS.search(claim)
    subject = frozenset(terms(claim[: verb.start()])) if verb else frozenset()
    said = frozenset(terms(claim[verb.end() :])) if verb else frozenset()
    if not subject or not said:
        return None
    meant: str | None = None
    for span in sentences(evidence):
        for clause in clauses_of(evidence):
            if not span.start <= clause.start < span.end or not said <= frozenset(terms(clause.of(evidence))):
                continue
            before = evidence[span.start : clause.start].strip(" ,;:\n")
            if len(terms(before)) < SOMETHING or not _PRONOUN.match(clause.of(evidence).strip()):
                return None
            there = frozenset(terms(before))
            if len(subject & there) + len(implied(subject, there)) > NAMED * len(subject):
                return None
            meant = " ".join(before.split())
    return meant
