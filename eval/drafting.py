"""A document's pages to a set of questions for a person to edit: from its headings, tables and sentences. Pure.

What is drafted is a start and no measure: the answers are what the page says beside the words asked for, and whoever
keeps a row has read it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, zip_longest

from eval.datasets import Question, line_of
from rag_core.text.quantities import quantities
from rag_core.text.sentences import sentences
from rag_core.types import FURNITURE, Block, Page

LONGEST = 200
"""Characters of evidence: longer is a passage, and nobody checks it by eye."""
SHORTEST = 25
WORDS = 4
"""Of a sentence that says something."""
_STATES = re.compile(
    r"^(?P<subject>(?:The |An? |Every |Each )?[A-Z][\w'’-]*(?: [\w'’-]+){0,6}?) "  # noqa: RUF001 - as set in print
    r"(?P<verb>is|are|was|were|has|have|must|may|can) (?P<rest>[^.]{8,})\.$"
)
_POINTING = re.compile(
    r"\b(?:it|this|that|these|those|they|he|she|we|you|there|such|here|our|your|my|who|which|what|if|when|should|will)\b",
    re.IGNORECASE,
)
"""Words in a subject that mean something only beside what stands around them, or show that it is none."""
_NUMBERED = re.compile(r"^(?:\d+(?:\.\d+)*\.?|[A-Z]\.|[IVX]+\.)\s+")
EARLY = 20
"""Characters within which an amount stands, if it is what the sentence is about."""
_ASKS = {"has": "does", "have": "do", "must": "must", "may": "may", "can": "can"}


def drafted(pages: Sequence[Page], *, document: str, most: int) -> list[str]:
    """Lines of a set, at most so many, by turns of each kind and from all over the pages; each reads back as a row."""
    kinds = [_spread([q for page in pages for q in kind(page, document)], most) for kind in (_stated, _rows, _headed)]
    turns = [question for turn in zip_longest(*kinds) for question in turn if question is not None]
    unique = {question.question.casefold(): question for question in reversed(turns)}
    kept = [question for question in turns if unique[question.question.casefold()] is question][:most]
    return [line_of(_numbered(question, number)) for number, question in enumerate(kept, start=1)]


def _stated(page: Page, document: str) -> Iterator[Question]:
    """From sentences of the form "Annual leave is 25 days": how much when there is a number, else what."""
    for block in _body(page, "paragraph", "list_item"):
        text = block.span.of(page.text)
        for span in sentences(text):
            sentence = " ".join(span.of(text).split())
            found = _STATES.match(sentence)
            if not found or not SHORTEST <= len(sentence) <= LONGEST or _POINTING.search(found["subject"]):
                continue
            subject, verb, rest = _lowered(found["subject"]), found["verb"], found["rest"]
            number = any(quantity.span.start < EARLY for quantity in quantities(rest)[:1])
            if verb in _ASKS:
                asked = f"What {_ASKS[verb]} {subject} {'have' if verb in {'has', 'have'} else 'do'}?"
            else:
                asked = f"{'How much or how many' if number else 'What'} {verb} {subject}?"
            kind = "number" if number else "fact"
            yield _question(document, page.number, asked, answer=rest, evidence=sentence, kind=kind)


def _rows(page: Page, document: str) -> Iterator[Question]:
    """From rows of tables: the value of one column for what the row is named by."""
    for block in _body(page, "table"):
        for row in block.rows[1:]:
            name, *cells = [part.strip() for part in row.labelled.split(" | ")]
            for cell in cells[:1]:
                column, colon, value = cell.partition(": ")
                if colon and value and name:
                    asked = f"What is the {_lowered(column)} of {name.rpartition(': ')[2]}?"
                    evidence = row.span.of(page.text)[:LONGEST]
                    yield _question(document, page.number, asked, answer=value, evidence=evidence, kind="table")


def _headed(page: Page, document: str) -> Iterator[Question]:
    """From headings: what the section says, its first sentence being the evidence."""
    blocks = [block for block in page.blocks if block.kind not in FURNITURE]
    for heading, after in pairwise(blocks):
        if heading.kind != "heading" or after.kind != "paragraph":
            continue
        title = _NUMBERED.sub("", " ".join(heading.span.of(page.text).split()))
        text = after.span.of(page.text)
        first = next(iter(sentences(text)), None)
        if first is None or len(title.split()) > 2 * WORDS:
            continue
        said = " ".join(first.of(text).split())
        if len(said.split()) >= WORDS and len(said) <= LONGEST:
            asked = f"What does it say about {_lowered(title)}?"
            yield _question(document, page.number, asked, answer=said, evidence=said, kind="section")


def _body(page: Page, *kinds: str) -> Iterator[Block]:
    return (block for block in page.blocks if block.kind in kinds)


def _question(  # noqa: PLR0913 - what a question has
    document: str, page: int, asked: str, *, answer: str, evidence: str, kind: str
) -> Question:
    return Question(
        id="draft",
        documents=(document,),
        question=asked,
        answerable=True,
        answer=" ".join(answer.split()),
        pages=((document, page),),
        evidence=evidence,
        kind=kind,
    )


def _numbered(question: Question, number: int) -> Question:
    return replace(question, id=f"q-{number:03}")


def _spread(questions: Sequence[Question], most: int) -> list[Question]:
    step = max(len(questions) / most, 1.0)
    return [questions[int(i * step)] for i in range(min(len(questions), most))]


def _lowered(phrase: str) -> str:
    """As in the middle of a sentence: abbreviations keep their capitals.

    >>> _lowered("The Annual leave"), _lowered("NIST policy")
    ('the Annual leave', 'NIST policy')
    """
    return phrase if phrase[1:2].isupper() else phrase[:1].lower() + phrase[1:]
