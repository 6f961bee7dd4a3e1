"""What is made of a page by rule is what the rule says, and never a quotation of the page."""

from collections import defaultdict
from collections.abc import Iterable

import pytest

from eval.corruptions import Made, corrupted, retold

PAGE = """\
Swaps are allowed at the station if the manager hears of them 48 hours beforehand.
Staff with a blue badge may park in the yard for up to 3 hours. However, a guest may stay for 9 hours at most.
The alarm is tested before the first turn, and is never switched off.
The board approves the budget of the year.
"""


def by_kind(made: Iterable[Made]) -> dict[str, list[str]]:
    """The claims of each kind."""
    found: dict[str, list[str]] = defaultdict(list)
    for one in made:
        found[one.kind].append(one.claim)
    return found


@pytest.mark.parametrize(
    ("kind", "claim"),
    [
        ("condition dropped", "Swaps are allowed at the station."),
        ("restriction dropped", "Staff may park in the yard for up to 3 hours."),
        ("number from nearby", "Staff with a blue badge may park in the yard for up to 9 hours."),
        ("unit", "Swaps are allowed at the station if the manager hears of them 48 days beforehand."),
        ("modality", "Staff with a blue badge must park in the yard for up to 3 hours."),
        ("before and after", "The alarm is tested after the first turn, and is never switched off."),
        ("negation added", "Staff with a blue badge may not park in the yard for up to 3 hours."),
        ("other subject", "The alarm may park in the yard for up to 3 hours."),
    ],
)
def test_a_rule_changes_what_it_names(kind: str, claim: str):
    """One thing is wrong, and the rest is the page's own."""
    assert claim in by_kind(corrupted(PAGE))[kind]


def test_what_is_retold_stays_true():
    """A half of what is joined, a joining word left out, a word for its like."""
    made = by_kind(retold(PAGE))
    assert "A guest may stay for 9 hours at most." in made["true: clipped"]
    assert "Swaps are allowed at the station if the manager hears of them 48 hours beforehand." not in {
        claim for claims in made.values() for claim in claims
    }


def test_nothing_is_a_quotation():
    """What the page says word for word is true of it, whatever a rule meant."""
    text = "Staff may park inside the old yard. Staff in Bern may park inside the old yard."
    assert "Staff may park inside the old yard." not in {made.claim for made in corrupted(text)}
