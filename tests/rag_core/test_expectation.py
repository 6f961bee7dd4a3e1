"""What a question asks for, and which sentences hold it."""

from __future__ import annotations

import pytest

from rag_core.expectation import Kind, expected, holds


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What time is the workshop?", Kind.TIME),
        ("When was the bridge built?", Kind.DATE),
        ("In which year did sales fall?", Kind.DATE),
        ("Who approves a claim?", Kind.PERSON),
        ("How many days of leave are there?", Kind.AMOUNT),
        ("How long is probation?", Kind.DURATION),
        ("What is the daily fee?", Kind.MONEY),
        ("What percentage of staff is remote?", Kind.AMOUNT),
        ("Why was it moved?", Kind.ANYTHING),
        ("What is zero trust?", Kind.ANYTHING),
    ],
)
def test_a_question_says_what_it_asks_for(question: str, kind: Kind):
    """By its first words."""
    assert expected(question) is kind


@pytest.mark.parametrize(
    ("kind", "sentence", "held"),
    [
        (Kind.TIME, "The workshop meets in the Cedar Room.", False),
        (Kind.TIME, "The workshop starts at 9:30.", True),
        (Kind.TIME, "Doors open at 5 p.m. sharp.", True),
        (Kind.TIME, "There are 30 places.", False),
        (Kind.DATE, "Awarded on July 21, 2022", True),
        (Kind.DATE, "It is painted blue.", False),
        (Kind.PERSON, "Claims are approved by Ada Lovelace.", True),
        (Kind.PERSON, "Claims are approved by the finance director.", True),
        (Kind.PERSON, "It must be approved in writing.", False),
        (Kind.AMOUNT, "Seven tenets follow.", True),
        (Kind.AMOUNT, "Leave is generous.", False),
        (Kind.AMOUNT, "Leave depends on your grade, as Table 1 shows.", False),
        (Kind.MONEY, "It costs £57 a night.", True),
        (Kind.MONEY, "It is costly.", False),
        (Kind.DURATION, "Probation lasts six months.", True),
        (Kind.DURATION, "Probation is short.", False),
        (Kind.ANYTHING, "It is.", True),
    ],
)
def test_a_sentence_holds_the_thing_or_not(kind: Kind, sentence: str, held: bool):
    """What holds none cannot answer, however alike it sounds."""
    assert holds(kind, sentence) is held
