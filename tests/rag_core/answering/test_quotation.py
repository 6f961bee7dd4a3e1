"""The quotation writer quotes literally, briefly, and only what holds the thing asked for."""

from __future__ import annotations

import pytest
from builders import passage_of
from fakes import FakeEmbedder

from rag_core.answering.quotation import QuotationWriter
from rag_core.answering.selection import MOST
from rag_core.types import Draft, Passage

WRITER = QuotationWriter(FakeEmbedder())
ROOM = passage_of("The workshop meets in the Cedar Room. Bring gloves.", label=1)
LEAVE = passage_of(
    "Annual leave is 25 days. Except on public holidays, leave is booked a week ahead. Boats stay in harbour.", label=2
)
GAUGES = passage_of(
    "The Petrel is a float gauge. It is accurate to 5 millimetres.\n\n"
    "The Fulmar is a radar gauge. It is accurate to 3 millimetres."
)
RULES = passage_of(
    "The rules afloat are these:\n1. Two people are aboard.\n2. Lifejackets are worn.\n3. A plan is left ashore.\n\n"
    "Boats are blue."
)


def texts(draft: Draft) -> list[str]:
    """What is quoted, in order."""
    return [claim.text for claim in draft.claims or ()]


async def written(question: str, *passages: Passage) -> list[str]:
    """What the writer quotes of the passages."""
    return texts(await WRITER.write(question, passages))


async def test_every_sentence_is_literal_and_cites_its_passage():
    """What is written stands in the passage it names, letter by letter."""
    draft = await WRITER.write("How many days of annual leave are there?", [ROOM, LEAVE])
    assert draft.claims is not None
    assert draft.claims[0].text == "Annual leave is 25 days."
    assert draft.claims[0].markers == (2,)
    assert all(claim.text in LEAVE.chunk.text for claim in draft.claims)
    assert all(claim.span.of(draft.text).startswith(claim.text) for claim in draft.claims)


async def test_the_qualification_that_follows_is_kept():
    """An exception belongs to its rule."""
    assert (await written("How many days of annual leave are there?", LEAVE))[1].startswith("Except on public holidays")


async def test_the_footnote_that_takes_it_back_is_kept():
    """Wherever on its page it stands."""
    page = passage_of("Annual leave is 25 days.⁴ Boats stay in harbour.\n\n⁴ Workshop staff have 20.")
    assert await written("How many days of annual leave are there?", page) == [
        "Annual leave is 25 days.⁴",
        "⁴ Workshop staff have 20.",
    ]


async def test_a_comparison_quotes_each_side():
    """With what "it" means before it."""
    quotes = await written("How accurate is the Petrel compared with the Fulmar?", GAUGES)
    assert quotes == [
        "The Petrel is a float gauge.",
        "It is accurate to 5 millimetres.",
        "The Fulmar is a radar gauge.",
        "It is accurate to 3 millimetres.",
    ]


async def test_a_list_that_is_asked_for_is_quoted_whole():
    """Under the line that it began with, which is no statement of its own, and without what follows it."""
    draft = await WRITER.write("What are the rules afloat?", [RULES])
    assert [(claim.lead, claim.text) for claim in draft.claims or ()] == [
        ("The rules afloat are these:", "1. Two people are aboard."),
        ("The rules afloat are these:", "2. Lifejackets are worn."),
        ("The rules afloat are these:", "3. A plan is left ashore."),
    ]


async def test_a_question_of_the_page_stands_above_its_answer():
    """A page that asks it states nothing by that."""
    page = passage_of("Can I swim in the tank?\n\nNo. The water is salted.")
    draft = await WRITER.write("May I swim in the tank?", [page])
    assert [(claim.lead, claim.text) for claim in draft.claims or ()] == [("Can I swim in the tank?", "No.")]


async def test_yes_or_no_is_decided_by_a_sentence():
    """It is quoted, not paraphrased."""
    page = passage_of("Dogs are common.\n\nDogs are not allowed in the workshop.")
    assert await written("Are dogs allowed in the workshop?", page) == ["Dogs are not allowed in the workshop."]


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What time is the workshop?", "a time of day"),
        ("How much does the workshop cost?", "an amount of money"),
        ("How old must you be for the workshop?", "an age"),
        ("What percentage of the workshop is full?", "a percentage"),
    ],
)
async def test_what_holds_no_such_thing_is_no_answer(question: str, kind: str):
    """However alike it sounds; it says which kind of thing was missing."""
    draft = await WRITER.write(question, [ROOM])
    assert draft.text == ""
    assert draft.unanswered == f"it asks for {kind}, and the nearest sentences hold none"


async def test_a_time_of_something_else_is_no_answer():
    """The sentence that is about what was asked holds none, and no other speaks for it."""
    other = passage_of("Ferries leave at 9:30.", label=2)
    draft = await WRITER.write("What time does the workshop meet?", [ROOM, other])
    assert draft.unanswered == "it asks for a time of day, and the sentence nearest to it holds none"


async def test_a_year_that_is_not_there_is_not_answered():
    """The figure of another year answers nothing."""
    draft = await WRITER.write("How many days of annual leave were there in 2019?", [LEAVE])
    assert draft.unanswered == "the nearest sentence says nothing of 2019"


async def test_another_subject_is_not_answered():
    """A number alone does not answer a question about something else."""
    draft = await WRITER.write("How many employees work in the Lisbon warehouse?", [LEAVE])
    assert draft.unanswered is not None


async def test_a_heading_is_no_answer():
    """It says what follows is about, and nothing of it."""
    page = passage_of("Annual leave\n\nEvery grade has 25 days of leave.")
    assert await written("How many days of annual leave are there?", page) == ["Every grade has 25 days of leave."]


async def test_an_answer_is_short():
    """However many sentences fit."""
    long = passage_of(" ".join(f"Leave rule {i} gives {i} days of annual leave." for i in range(1, 20)))
    assert 1 <= len(await written("How many days of annual leave?", long)) <= MOST


@pytest.mark.parametrize(("number", "days"), [("4", "28"), ("7", "33")])
async def test_things_with_numbers_are_not_taken_for_each_other(number: str, days: str):
    """Grade 7 has no say on grade 4, though its row has a 4, too."""
    table = passage_of(
        "Grade | Annual leave | Carried over | Extra\nGrade 4 | 28 days | 5 days | 3 days\n"
        "Grade 6 | 31 days | 7 days | 4 days\nGrade 7 | 33 days | None | 4 days"
    )
    assert await written(f"How many days does somebody in grade {number} get?", table) == [
        next(line for line in table.chunk.text.splitlines() if line.startswith(f"Grade {number} | {days}"))
    ]


async def test_a_row_has_its_columns_beside_it():
    """The header says what its cells are, and is no statement of its own."""
    table = passage_of("Grade | Annual leave | Carried over\nGrade 3 | 25 days | 5 days\nGrade 4 | 28 days | 5 days")
    draft = await WRITER.write("How many days of annual leave does grade 4 have?", [table])
    assert [(claim.text, claim.columns) for claim in draft.claims or ()] == [
        ("Grade 4 | 28 days | 5 days", "Grade | Annual leave | Carried over")
    ]


async def test_a_ratio_is_answered_by_the_lines_it_is_computed_from():
    """However often a page speaks of the ratio, the figures stand in the statement."""
    talk = passage_of("We watch the current ratio closely. The current ratio guides our treasury.", label=1)
    sheet = passage_of(
        "Assets | 2022\nTotal current assets | 831\nTotal assets | 990\nTotal current liabilities | 400", label=2
    )
    draft = await WRITER.write("What is the current ratio? Round it to two decimal places.", [talk, sheet])
    rows = [claim.text for claim in draft.claims or () if claim.columns]
    assert rows == ["Total current assets | 831", "Total current liabilities | 400"]


async def test_what_the_answer_should_look_like_is_not_looked_for():
    """The page does not say it."""
    plain, formal = LEAVE, "Based on the table, how many days of annual leave are there? Answer in whole days, please."
    assert await written(formal, plain) == await written("How many days of annual leave are there?", plain)


async def test_two_pages_that_are_as_likely_are_both_quoted():
    """None is clearly ahead, so a reader is given both."""
    here = passage_of("Annual leave is 25 days.", label=1)
    there = passage_of("Annual leave is 25 days a year.", label=2)
    assert await written("How many days of annual leave are there?", here, there) == [
        "Annual leave is 25 days.",
        "Annual leave is 25 days a year.",
    ]


async def test_a_count_of_other_things_is_no_answer():
    """The sentence has a number, and none of employees."""
    page = passage_of("By 2026 the agency will ask more employees of the agency.")
    draft = await WRITER.write("How many employees does the agency have?", [page])
    assert draft.unanswered == "it asks for a count, and the nearest sentences hold none"


async def test_another_number_of_the_same_thing_is_no_answer():
    """Where there is no grade 8, the sentence on grade 6 does not stand for it."""
    page = passage_of("Employees in grade 6 have 31 days of annual leave.")
    draft = await WRITER.write("How many days of annual leave do employees in grade 8 have?", [page])
    assert draft.unanswered == "the nearest sentence tells of another number of the same thing"


async def test_yes_or_no_is_not_decided_by_what_speaks_of_something_else():
    """A sentence that shares one word with the question has nothing to say on it."""
    page = passage_of("Nobody at Larkspur may advise you on the plan. The plan is run by the Tarnsey Mutual.")
    draft = await WRITER.write("Does Larkspur reimburse private medical insurance premiums abroad?", [page])
    assert draft.unanswered == "the nearest sentences speak of something else"
