"""A comparison is told from its question, side by side."""

from __future__ import annotations

import pytest

from rag_core.answering.sides import sides_of


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("How does the Petrel differ from the Fulmar in accuracy?", [["petrel"], ["fulmar"]]),
        ("Is notice for grade 3 shorter than for grade 6?", [["3"], ["6"]]),
        ("What is the difference between sick leave and storm days?", [["leav", "sick"], ["day", "storm"]]),
        ("Compare apprentices with contractors.", [["apprentic"], ["contractor"]]),
    ],
)
def test_each_side_has_the_words_that_tell_it_apart(question: str, sides: list[list[str]]):
    """In the question's order."""
    assert [sorted(side) for side in sides_of(question)] == sides


@pytest.mark.parametrize("question", ["How accurate is the Petrel?", "Which is longer?", "", "Is Bergen cold?"])
def test_what_compares_nothing_has_no_sides(question: str):
    """One thing, or none, is no comparison."""
    assert sides_of(question) == ()
