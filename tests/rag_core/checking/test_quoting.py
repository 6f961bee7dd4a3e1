"""Where a page says something word for word."""

from __future__ import annotations

import pytest

from rag_core.checking import facts
from rag_core.checking.quoting import find_quote


@pytest.mark.parametrize(
    ("quote", "page", "found"),
    [
        ("until they are 18.", "Guardians sign until they are 18.⁹ Then they sign.", "until they are 18."),
        ("annual leave is long", "Our annual leave⁴ is long.", "annual leave⁴ is long"),
        ("the office is efficient", "The\noffice is  eﬃcient.", "The\noffice is  eﬃcient"),
        ("5 m", "It is 5 m² wide.", None),
        ("5 %", "It rose to 2.5 % then.", None),
        ("12 days", "It took 112 days.", None),
    ],
)
def test_a_quote_is_found_where_it_stands(quote: str, page: str, found: str | None):
    """Marks of footnotes and the page's spacing do not matter; a digit or a unit does."""
    span = find_quote(quote, page)
    assert (span and span.of(page)) == found


def test_a_footnote_mark_is_no_part_of_a_number():
    """What it marks is compared by its value."""
    assert facts.failed(facts.check("Leave is 25 days.", "Leave is 25⁹ days.")) == []
    assert facts.failed(facts.check("Leave is 259 days.", "Leave is 25⁹ days."))
