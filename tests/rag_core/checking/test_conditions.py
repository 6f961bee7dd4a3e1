"""A claim keeps the condition that its text sets, and is of no more things than the text is of."""

import pytest

from rag_core.checking.facts import check, failed


def dropped(claim: str, evidence: str) -> list[str]:
    """What the claim leaves out, as the check says it."""
    return [r.detail for r in failed(check(claim, evidence)) if r.check == "condition"]


@pytest.mark.parametrize(
    ("claim", "text", "condition"),
    [
        ("Swaps are allowed.", "Swaps are allowed if the manager hears of them.", "if the manager hears of them"),
        ("The fee is not refunded.", "The fee is not refunded unless the course is full.", "unless the course is full"),
        (
            "The next working day is given instead.",
            "If a holiday falls on a Sunday, the next working day is given instead; this is not so on Lamp Day.",
            "If a holiday falls on a Sunday",
        ),
        (
            "Where the two differ, your contract prevails.",
            "Where the two differ, your contract prevails, unless the handbook is more generous.",
            "unless the handbook is more generous",
        ),
        (
            "It allows three copies, which may be digital.",
            "It allows three copies, which may be digital, provided that none leaves the library.",
            "provided that none leaves the library",
        ),
        ("Commuting is not covered.", "Commuting is not covered, except for a call-out.", "except for a call-out"),
        (
            "Either side may end the employment within a week.",
            "During probation, either side may end the employment within a week.",
            "During probation",
        ),
        (
            "The court meets on Mondays, and anybody may listen.",
            "The court meets on Mondays, and anybody may listen unless a child is heard.",
            "unless a child is heard",
        ),
        ("Staff may park inside.", "Staff with a blue badge may park inside.", "with a blue badge"),
        ("Nobody has resigned.", "Nobody who was appointed in May has resigned.", "who was appointed in May"),
        ("All applicants are heard.", "All applicants from abroad are heard.", "from abroad"),
    ],
)
def test_what_is_said_under_a_condition_is_not_said_outright(claim: str, text: str, condition: str):
    """The condition is named, so that a reader sees what is missing."""
    assert any(condition in detail for detail in dropped(claim, text))


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Swaps are allowed if the manager hears of them.", "Swaps are allowed if the manager hears of them."),
        ("Swaps are allowed when the manager knows.", "Swaps are allowed if the manager hears of them."),
        ("Swaps are allowed.", "Swaps are allowed. If the manager hears of one, he notes it."),
        ("The manager hears of swaps.", "Swaps are allowed if the manager hears of them."),
        (
            "The alarm is tested on Wednesdays.",
            "The alarm is tested on Wednesdays; if it sounds longer than a minute, leave.",
        ),
        (
            "Claims must be made within 45 days.",
            "Claims must be made within 45 days and are paid in the same month if they arrive by the 12th.",
        ),
        ("The day is paid in full.", "The day is paid in full even if the office closes early."),
        ("The board asked for a date.", "The board asked for a date and wanted to know if the plan was paid for."),
        ("The shop may sell tea.", "The shop on the corner may sell tea."),
        ("Some staff may park inside.", "Some staff in Bern may park inside."),
        ("Men are playing chess.", "Men in red hats are playing chess."),
        ("The will was strong.", "Her will was strong, and her tongue was as long as her will."),
    ],
)
def test_what_is_said_outright_or_kept_passes(claim: str, text: str):
    """A reservation that is kept, a condition on something else, and one of a kind that is only spoken of."""
    assert not dropped(claim, text)
