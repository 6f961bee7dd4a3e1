"""A follow-up becomes the question that it means, and a question that stands alone stays as it is."""

# ruff: noqa: RUF001 - the apostrophe of real questions

from __future__ import annotations

import pytest

from rag_core.answering.followups import standalone
from rag_core.types import Exchange

LEAVE = Exchange("How many days of annual leave does grade 3 get?", "“Grade 3 | 25 days” [1]")
STAFF = Exchange("How many days of annual leave do employees get?", "“Employees get 25 days.” [1]")
CEILING = Exchange("What is the hotel ceiling in Bergen?", "“Bergen | £146” [1]")
CHAIR = Exchange("Who chairs the Staff Council?", "“The chair is Bronagh Tull.” [1]")
PROBATION = Exchange("How long is probation?", "“Probation lasts six months.” [1]")


@pytest.mark.parametrize(
    ("last", "asked", "meant"),
    [
        (STAFF, "What about contractors?", "How many days of annual leave do contractors get?"),
        (LEAVE, "and grade 5?", "How many days of annual leave does grade 5 get?"),
        (LEAVE, "What about 6 then?", "How many days of annual leave does grade 6 get?"),
        (CEILING, "And in Lisbon?", "What is the hotel ceiling in Lisbon?"),
        (CEILING, "how about Halifax", "What is the hotel ceiling in Halifax?"),
        (CEILING, "Why?", "Why: what is the hotel ceiling in Bergen?"),
        (Exchange("What was revenue in 2021?"), "and 2022?", "What was revenue in 2022?"),
        (Exchange("Who spoke on Monday?"), "And on Friday?", "Who spoke on Friday?"),
        (Exchange("Does the plan cover dental care?"), "What about eye care?", "Does the plan cover eye care?"),
        (Exchange("When is payday?"), "And in December?", "When is payday in December?"),
        (Exchange("How accurate is the Petrel?"), "How often is it serviced?", "How often is the Petrel serviced?"),
        (
            Exchange("Are lifejackets required?"),
            "How often are they inspected?",
            "How often are lifejackets inspected?",
        ),
        (CHAIR, "What is her extension?", "What is Bronagh Tull’s extension?"),
        (CHAIR, "When does it meet?", "When does the Staff Council meet?"),
        (PROBATION, "Can it be extended?", "Can probation be extended?"),
        (Exchange("How many days is annual leave?"), "And is it paid?", "And is annual leave paid?"),
        (Exchange("Is the travel report required?"), "Who signs it?", "Who signs the travel report?"),
        (Exchange("Are interns paid for overtime?"), "What about contractors?", "Are contractors paid for overtime?"),
    ],
)
def test_a_follow_up_takes_what_it_lacks_from_the_turn_before(last: Exchange, asked: str, meant: str):
    """Its like gives way, or a pronoun does, or the whole question follows the new question word."""
    assert standalone(asked, [last]) == meant


@pytest.mark.parametrize(
    "asked",
    [
        "What is the policy on dogs?",
        "Is there a canteen at Withy Point?",
        "How long is the ferry crossing, and does it run on Sundays?",
        "Is it true that nobody swims?",
        "",
        "   ",
        "???",
    ],
)
def test_a_question_that_says_enough_stays_as_it_is(asked: str):
    """Whatever was asked before."""
    assert standalone(asked, [LEAVE, PROBATION]) == asked


def test_without_turns_nothing_is_added():
    """There is nothing to take it from."""
    assert standalone("What about contractors?", []) == "What about contractors?"


def test_a_pronoun_may_reach_over_a_turn_that_names_nobody():
    """The nearest turn that says who is meant counts."""
    assert standalone("When can she be reached?", [CHAIR, PROBATION]) == "When can Bronagh Tull be reached?"


def test_a_question_does_not_grow_without_bound():
    """A page that was asked before is not repeated."""
    assert standalone("Why?", [Exchange("x " * 400)]) == "Why?"
