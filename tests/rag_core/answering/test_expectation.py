"""What a question asks for, and which sentences hold it."""

from __future__ import annotations

import pytest

from rag_core.answering.expectation import Kind, expected, holds, subject


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What time is the workshop?", Kind.TIME),
        ("When was the bridge built?", Kind.WHEN),
        ("In which year did sales fall?", Kind.DATE),
        ("Who approves a claim?", Kind.PERSON),
        ("How many days of leave are there?", Kind.COUNT),
        ("How long is probation?", Kind.DURATION),
        ("How far ahead must leave be booked?", Kind.DURATION),
        ("What is the daily fee?", Kind.MONEY),
        ("What does a place at the nursery cost?", Kind.MONEY),
        ("How much do engineers earn for a week?", Kind.MONEY),
        ("How old must a helmsman be?", Kind.AGE),
        ("How accurate is the Petrel?", Kind.AMOUNT),
        ("How deep is the tank?", Kind.AMOUNT),
        ("How fast must a loss be reported?", Kind.DURATION),
        ("What is the height of the tower?", Kind.AMOUNT),
        ("What percentage of staff is remote?", Kind.PERCENT),
        ("When does the van leave?", Kind.WHEN),
        ("Where do we gather in a fire?", Kind.PLACE),
        ("Which room is the workshop in?", Kind.PLACE),
        ("Which bank pays the salaries?", Kind.ORGANISATION),
        ("Why was it moved?", Kind.REASON),
        ("How do I book a car?", Kind.HOW_TO),
        ("What is zero trust?", Kind.DEFINITION),
        ("What are the rules afloat?", Kind.LIST),
        ("May I bring my dog?", Kind.YES_NO),
        ("Is leave longer or shorter?", Kind.ANYTHING),
        ("Tell me about the move.", Kind.ANYTHING),
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
        (Kind.MONEY, "The company pays 80 per cent of a season ticket.", False),
        (Kind.MONEY, "Rotterdam | 52 | 139", True),
        (Kind.AGE, "There must be two people aboard.", False),
        (Kind.AGE, "A helmsman is at least 18 years old.", True),
        (Kind.PERCENT, "You pay 5 per cent of salary.", True),
        (Kind.PERCENT, "The plan was opened on 1 April.", False),
        (Kind.WHEN, "The van leaves at 11:40.", True),
        (Kind.WHEN, "They leave after impeachment.", True),
        (Kind.WHEN, "The van is red.", False),
        (Kind.PLACE, "Assemble on the upper car park.", True),
        (Kind.PLACE, "Assemble quickly.", False),
        (Kind.PERSON, "It meets on the first Monday of March.", False),
        (Kind.REASON, "It never closes, because the tank is manned.", True),
        (Kind.REASON, "It is 40 metres long.", False),
        (Kind.ORGANISATION, "You pay 5 per cent and the company pays 9 per cent.", False),
        (Kind.ORGANISATION, "⁸ For departures before 06:00 the allowance is paid.", False),
        (Kind.ORGANISATION, "The plan is run by the Tarnsey Mutual.", True),
        (Kind.ORGANISATION, "Claims go to the audit committee.", True),
        (Kind.ORGANISATION, "Claims go to the committee.", False),
        (Kind.DURATION, "The tank is 40 metres long.", True),
        (Kind.ANYTHING, "It is.", True),
        (Kind.YES_NO, "Boats.", True),
    ],
)
def test_a_sentence_holds_the_thing_or_not(kind: Kind, sentence: str, held: bool):
    """What holds none cannot answer, however alike it sounds."""
    assert holds(kind, sentence) is held


@pytest.mark.parametrize(
    ("question", "sentence", "held"),
    [
        ("How deep is the tank?", "Eleven kilometres along the coast lies a tank 40 metres long.", False),
        ("How deep is the tank?", "The tank is 3 m deep.", True),
        ("How deep is the tank?", "It is filled to a depth of three metres.", True),
        ("How deep was the discount?", "The discount was 5 per cent of the price.", True),
        ("How tall is the tower?", "It needs 300 metres of rope.", False),
        ("How tall is the tower?", "The tower has 12 storeys.", True),
        ("How heavy is the boat?", "It weighs 12 tons.", True),
        ("How heavy is the boat?", "It carries 12 people.", False),
        ("How hot is the tank?", "The water is held at 9 degrees.", True),
        ("How fast is the boat?", "It makes 20 knots.", True),
        ("How fast is the boat?", "It is 20 metres long.", False),
        ("How fast is an error put right?", "It is put right within two working days.", True),
        ("How wide is the door?", "Door | 90\nGate | 120", True),
        ("Which bank pays?", "It is decided by the Staff Council.", False),
        ("Which council decides?", "It is decided by the Staff Council.", True),
    ],
)
def test_a_sentence_holds_what_the_question_measures_or_names(question: str, sentence: str, held: bool):
    """Of another measure, or of another sort of body, it is no answer."""
    assert holds(expected(question), sentence, question=question) is held


def test_words_of_asking_are_no_subject():
    """No answer repeats them; but where there is nothing else they are kept."""
    assert subject("By what time must I call in?").split() == ["By", "must", "I", "call", "in?"]
    assert subject("What time?") == "What time?"
