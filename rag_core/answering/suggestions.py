"""A document's pages to questions that it may answer, from its plainest statements and its headings. Pure.

Whether it does answer them is for whoever asks them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from rag_core.types import Page

MOST = 12
"""Candidates: a quarter of them answered is enough, and asking one costs a search."""
LONGEST = 80
"""Characters: a question is read at a glance."""
FRONT = 10
"""The first tenth of a document has its covers and its contents, which nobody asks about."""

_SENTENCE = r"(?:^|(?<=[.;:!?] ))"
_AMOUNT = re.compile(
    _SENTENCE + r"(?P<subject>(?:The |An? )?[A-Z][\w'-]*(?: [\w'-]+){0,4}) (?P<verb>is|are|was|were) "
    r"\d[\d,.]* (?P<unit>days|weeks|months|years|hours|minutes|people|employees|members|pages|metres|meters"
    r"|kilometres|kilometers|miles|litres|liters|degrees)\b"
)
"""`Annual leave is 25 days`."""
_DEFINED = re.compile(
    _SENTENCE + r"(?P<subject>(?:The |An? )?[A-Z][\w'-]*(?: [\w'-]+){0,2}) is (?:an? |defined as )(?!few|lot|bit)"
)
"""`Zero trust is a set of principles`."""
_TITLE = re.compile(r"[A-Za-z][\w'-]*(?: [\w'(),&/-]+){0,7}")
_NUMBERED = re.compile(r"^(?:\d+(?:\.\d+)*|[A-Z]\.|[IVX]+\.)\s+")
_POINTING = re.compile(
    r"\b(?:it|this|that|these|those|they|he|she|we|you|there|which|what|who|note|here|another|following|each|such|one)\b",
    re.IGNORECASE,
)
"""Words that mean something only beside what stands before them."""
_NO_SUBJECT = re.compile(
    r"^(?:how|what|where|when|why|who|about|your|our|my|to|in|on|for|with|contents|table of|introduction|abstract"
    r"|references|index|appendix|summary|conclusions?|acknowledge?ments?|preface|foreword|keywords|audience)\b",
    re.IGNORECASE,
)
"""Headings that name nothing to ask about."""


def suggestions(pages: Sequence[Page]) -> list[str]:
    """Questions by turns about an amount, a definition and a section, each kind from all over the pages; none twice."""
    stated = [_stated(page) for page in pages]
    amounts = [question for page in stated for question in page[0]]
    definitions = [question for page in stated for question in page[1]]
    headings = [question for page in pages[len(pages) // FRONT :] for question in _about_headings(page)]
    turns = zip_longest(*map(_spread, (amounts, definitions, headings)))
    unique = dict.fromkeys(question for turn in turns for question in turn if question and len(question) <= LONGEST)
    return list(unique)[:MOST]


def _spread(questions: Sequence[str]) -> list[str]:
    """At most `MOST` of them, evenly from the first on."""
    step = max(len(questions) / MOST, 1.0)
    return [questions[int(i * step)] for i in range(min(len(questions), MOST))]


def _stated(page: Page) -> tuple[list[str], list[str]]:
    texts = [
        " ".join(block.span.of(page.text).split()) for block in page.blocks if block.kind in {"paragraph", "list_item"}
    ]
    return (
        [
            f"How many {found['unit']} {found['verb']} {_lowered(found['subject'])}?"
            for text in texts
            for found in _AMOUNT.finditer(text)
            if not _POINTING.search(found["subject"])
        ],
        [
            f"What is {_lowered(found['subject'])}?"
            for text in texts
            for found in _DEFINED.finditer(text)
            if not _POINTING.search(found["subject"])
        ],
    )


def _about_headings(page: Page) -> Iterator[str]:
    for block in page.blocks:
        if block.kind != "heading":
            continue
        title = _NUMBERED.sub("", " ".join(block.span.of(page.text).split())).rstrip(".:")
        if _TITLE.fullmatch(title) and not _NO_SUBJECT.match(title):
            yield f"What does it say about {_lowered(title)}?"


def _lowered(phrase: str) -> str:
    """As in the middle of a sentence: names and abbreviations keep their capitals."""
    first, *rest = phrase.split(" ")
    if any(char.isupper() for char in first[1:]) or (
        rest and rest[0][:1].isupper() and first not in {"The", "A", "An"}
    ):
        return phrase
    return " ".join([first.lower(), *rest])
