"""The quotation writer quotes literally, briefly, and only what holds the thing asked for."""

from __future__ import annotations

from builders import passage_of
from fakes import FakeEmbedder

from rag_core.quotation import MOST, QuotationWriter

WRITER = QuotationWriter(FakeEmbedder())
ROOM = passage_of("The workshop meets in the Cedar Room. Bring gloves.", label=1)
LEAVE = passage_of(
    "Annual leave is 25 days. Except on public holidays, leave is booked a week ahead. Boats stay in harbour.", label=2
)


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
    draft = await WRITER.write("How many days of annual leave are there?", [LEAVE])
    assert draft.claims is not None
    assert [claim.text for claim in draft.claims][1].startswith("Except on public holidays")


async def test_a_time_is_not_answered_by_a_room():
    """It says which kind of thing was missing."""
    draft = await WRITER.write("What time is the workshop?", [ROOM])
    assert draft.text == ""
    assert draft.unanswered == "it asks for a time of day, and the nearest sentences hold none"


async def test_another_subject_is_not_answered():
    """A number alone does not answer a question about something else."""
    draft = await WRITER.write("How many employees work in the Lisbon warehouse?", [LEAVE])
    assert draft.unanswered is not None


async def test_an_answer_is_short():
    """However many sentences fit."""
    long = passage_of(" ".join(f"Leave rule {i} gives {i} days of annual leave." for i in range(1, 20)))
    draft = await WRITER.write("How many days of annual leave?", [long])
    assert draft.claims is not None
    assert 1 <= len(draft.claims) <= MOST
