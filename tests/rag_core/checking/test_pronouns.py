"""What is said of "it" is said of what the draft means by it, or it is not supported."""

from collections.abc import Sequence

import pytest

from rag_core.checking.verification import Verifier
from rag_core.types import Verdict

PAGE = (
    "The Fulmar is the small gauge. It is accurate to 5 millimetres and weighs four kilos. "
    "It is painted red. It is never moved. "
    "The Sanderling is the tall gauge. It is accurate to 3 millimetres and weighs nine kilos."
)


class Agreeable:
    """Entailment that believes everything."""

    version = "agreeable"

    async def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """0.9 for all."""
        return [0.9] * len(pairs)


@pytest.mark.parametrize(
    ("draft", "verdict"),
    [
        ("The Sanderling is the tall gauge. It is accurate to 3 millimetres and weighs nine kilos.", Verdict.SUPPORTED),
        (
            "The Fulmar is the small gauge. It is accurate to 3 millimetres and weighs nine kilos.",
            Verdict.UNSUPPORTED,
        ),
        ("The Sanderling is the tall gauge. It is painted red.", Verdict.UNSUPPORTED),
        ("The Fulmar is the small gauge. It is painted red.", Verdict.SUPPORTED),
    ],
)
async def test_a_quotation_with_a_pronoun_is_of_what_its_page_means(draft: str, verdict: Verdict):
    """The words are there each time; whom they are said of decides."""
    [judgement] = await Verifier(Agreeable()).judge([(draft, PAGE)])
    assert judgement.verdict is verdict


async def test_a_pronoun_of_the_page_is_not_taken_for_the_claims_subject():
    """The page's "they" are the days before the semicolon."""
    page = (
        "The extra days in the last column are added once. "
        "Carried-over days must be used by 30 June or they lapse; they are not paid out."
    )
    claims = ["The extra days in the last column are not paid out.", "Carried-over days are not paid out."]
    judged = await Verifier(Agreeable()).judge([(claim, page) for claim in claims])
    assert [judgement.verdict for judgement in judged] == [Verdict.UNSUPPORTED, Verdict.SUPPORTED]
