"""Which documents a question sets side by side."""

from __future__ import annotations

from dataclasses import replace

import pytest
from builders import document_id, document_of

from rag_core.finding.comparison import KNOWN_BY_NAME, compared
from rag_core.types import Document

REPORTS = [
    replace(document_of(n, title="Form 10-K"), filename=name)
    for n, name in enumerate(["BESTBUY_2023_10K.pdf", "BOEING_2018_10K.pdf", "BOEING_2022_10K.pdf", "Nike_2019.pdf"], 1)
]


def named(question: str, documents: list[Document] = REPORTS) -> list[set[int]]:
    """The groups, by the documents' numbers."""
    numbers = {document_id(n): n for n in range(1, len(documents) + 1)}
    return [{numbers[identity] for identity in group} for group in compared(question, documents)]


@pytest.mark.parametrize(
    ("question", "groups"),
    [
        ("How does Boeing's debt in 2018 compare with Nike's?", [{2}, {4}]),
        ("Which of Best Buy and Nike has more stores?", [{1}, {4}]),
        ("boeing 2018 vs boeing 2022: backlog", [{2}, {3}]),
    ],
)
def test_documents_that_are_compared_are_named(question: str, groups: list[set[int]]):
    """By company, by year, and however the file's name is written."""
    assert sorted(map(sorted, named(question))) == sorted(map(sorted, groups))


def test_reports_that_are_named_by_the_same_words_are_one_side():
    """No year was asked for, so either report may tell."""
    assert named("How does Boeing's debt differ from Nike's?") == [{4}, {2, 3}]


@pytest.mark.parametrize(
    "question",
    [
        "What was Nike's revenue and Boeing's backlog?",
        "How does Nike's revenue compare with its plan?",
        "Is it more than last year?",
        "Was Boeing's margin in 2022 better than in 2019?",
        "Does the best form of debt differ from Nike's?",
        "",
    ],
)
def test_one_document_or_none_is_no_comparison(question: str):
    """Without words of comparison, or with one name, the search is as ever."""
    assert named(question) == []


def test_a_word_of_every_title_names_nothing():
    """All of them are forms."""
    assert named("How does this form differ from a form 10-K?") == []


def test_in_a_large_library_nobody_is_known_by_name():
    """Looking through all titles would cost more than the search."""
    many = [document_of(n, title=f"Report {n}") for n in range(1, KNOWN_BY_NAME + 2)]
    assert compared("Compare Report 3 with Report 4", many) == []
    assert len(compared("Compare Report 3 with Report 4", many[:-1])) > 1


def test_of_equally_well_named_ones_the_first_named_comes_first():
    """Whatever order sets have in this process."""
    assert named("Which of Nike and Best Buy has more stores?")[0] == {4}
    assert named("Which of Best Buy and Nike has more stores?")[0] == {1}
