"""Claims told while a draft is written: first as being checked, then with their verdicts, and never twice."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from builders import document_id, page_of

from rag_core.checking.claims import claims
from rag_core.checking.reading_along import ReadingAlong
from rag_core.checking.verification import Evidence, Verifier
from rag_core.types import AnswerEvent, Checked, Checking, Restarted, Verdict

PAGE = "Annual leave for grade 3 is 25 days. The notice period is eight weeks."
DRAFT = "Annual leave for grade 3 is 25 days [1]. The notice period is nine weeks [1]."


class Counting:
    """Believes everything, and counts how often it is asked."""

    version = "counting"

    def __init__(self) -> None:
        self.asked = 0

    async def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Sure of everything."""
        self.asked += len(pairs)
        return [0.95 for _ in pairs]


@pytest.fixture
def told() -> list[AnswerEvent]:
    """What the listener heard."""
    return []


@pytest.fixture
def model() -> Counting:
    """The entailment model."""
    return Counting()


@pytest.fixture
def reading(told: list[AnswerEvent], model: Counting) -> ReadingAlong:
    """A reader of one page."""
    evidence = {1: Evidence(document_id(1), "A handbook", page_of(PAGE))}
    return ReadingAlong(Verifier(model), evidence, told.append)


async def test_a_claim_is_checking_until_it_has_its_verdict(reading: ReadingAlong, told: list[AnswerEvent]):
    """Each is told as a draft first; the last one waits until the draft is done, because its marker may still come."""
    for end in range(1, len(DRAFT)):
        await reading.hear(DRAFT[:end])
    early = [event for event in told if isinstance(event, Checking)]
    assert [event.text for event in early] == ["Annual leave for grade 3 is 25 days."]
    checked = await reading.finish(claims(DRAFT))
    assert [claim.verdict is Verdict.SUPPORTED for claim in checked] == [True, False]
    kinds = [(type(event), event.index) for event in told if not isinstance(event, Restarted)]
    assert kinds[-4:] == [(Checking, 0), (Checked, 0), (Checking, 1), (Checked, 1)]


async def test_what_was_checked_early_is_not_checked_again(reading: ReadingAlong, model: Counting):
    """The verdict of the finished draft is the one that was told."""
    await reading.hear(DRAFT)
    before = model.asked
    [first, _] = claims(DRAFT)
    await reading.finish([first])
    assert model.asked == before


async def test_a_draft_that_begins_anew_is_said_to(reading: ReadingAlong, told: list[AnswerEvent]):
    """A cut connection, a second attempt, other words: what was told is void, and said to be."""
    await reading.hear(DRAFT)
    other = "The notice period is eight weeks [1]. Annual leave for grade 3 is 25 days [1]."
    await reading.hear(other)
    checked = await reading.finish(claims(other))
    assert told.count(Restarted()) == 1
    after = told[told.index(Restarted()) + 1 :]
    assert [e.text for e in after if isinstance(e, Checking)] == [claim.claim.text for claim in checked]
    assert [claim.claim.span.of(other) for claim in checked] == [
        "The notice period is eight weeks [1].",
        "Annual leave for grade 3 is 25 days [1].",
    ]
