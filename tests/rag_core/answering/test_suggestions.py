"""Questions that a document may answer, made of what it says."""

from __future__ import annotations

from dataclasses import replace

from builders import page_of

from rag_core.answering.suggestions import LONGEST, MOST, suggestions
from rag_core.types import Page


def headed(text: str, *, number: int = 1) -> Page:
    """A page whose first paragraph is a heading."""
    page = page_of(text, number=number)
    return replace(page, blocks=(replace(page.blocks[0], kind="heading", level=2), *page.blocks[1:]))


def test_a_plain_statement_becomes_the_question_that_it_answers():
    """Amounts and definitions, with the words that a reader of the document would use."""
    page = page_of("Annual leave is 25 days for every employee. The HR Portal is a web site.")
    assert suggestions([page]) == ["How many days is annual leave?", "What is the HR Portal?"]


def test_a_heading_becomes_a_question_about_its_section():
    """Without its number, and in the middle of a sentence."""
    assert suggestions([headed("3.2 Remote work\n\nAsk your manager.")]) == ["What does it say about remote work?"]


def test_what_means_nothing_alone_is_not_asked():
    """A pronoun, a pointer, and a heading that names no subject."""
    pages = [
        page_of("It is 25 days long. The following is a list. This policy is a summary."),
        headed("Introduction\n\nWelcome."),
        headed("How it changes\n\nRarely."),
    ]
    assert suggestions(pages) == []


def test_kinds_take_turns_and_there_are_few():
    """So that three of them show three sides of a document, and none is too long to read at a glance."""
    pages = [headed(f"Chapter {'x' * n}\n\nChapter {'x' * n} is {n} pages.", number=n) for n in range(1, 60)]
    made = suggestions(pages)
    assert len(made) == len(set(made)) == MOST
    assert made[0].startswith("How many pages")
    assert made[1].startswith("What does it say about")
    assert max(map(len, made)) <= LONGEST
    assert suggestions([]) == []
