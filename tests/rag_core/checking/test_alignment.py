"""A claim finds the span that bears on it, and only that."""

from hypothesis import given
from hypothesis import strategies as st

from rag_core.checking.alignment import align

HANDBOOK = (
    "The office is in Bern. Employees have 25 days of annual leave. Notice is one month.\n\n"
    "Grade | Leave\n1 | 25 days\n2 | 28 days\n3 | 30 days\n\nParking is free for visitors on Sundays."
)


def test_the_sentence_that_says_it_is_found():
    """Inflection, order and chatter do not matter."""
    found = align("An employee is given 25 days of leave annually.", HANDBOOK)
    assert found is not None
    assert found.span.of(HANDBOOK) == "Employees have 25 days of annual leave."


def test_a_row_is_read_with_its_header():
    """The span is the row; its header is context."""
    found = align("Grade 3 leave is 30 days.", HANDBOOK)
    assert found is not None
    assert found.span.of(HANDBOOK) == "3 | 30 days"
    assert "Grade | Leave" in found.read(HANDBOOK)


def test_nothing_is_said_where_nothing_bears_on_it():
    """No span rather than a guess."""
    assert align("Whales sing in the deep sea.", HANDBOOK) is None
    assert align("", HANDBOOK) is None
    assert align("Whales", "") is None


def test_two_places_that_do_as_well_are_said():
    """Ambiguity is a value, not a guess."""
    text = "Fees are due in May. The pool is closed. Fees are due in May."
    found = align("Fees are due in May.", text)
    assert found is not None
    assert [s.of(text) for s in found.rivals] == ["Fees are due in May."]


def test_lost_ligatures_and_grouped_digits_match():
    """Pages lose "fi" and group digits; claims do not."""
    text = "Unrelated words stand here. The oce of certied nance has 4,523,000 files. More words."
    found = align("The office of certified finance: 4523000.", text)
    assert found is not None
    assert "4,523,000" in found.span.of(text)


@given(st.text(max_size=80), st.text(max_size=300))
def test_spans_lie_in_the_text(claim: str, text: str):
    """Whatever is given, a found span can be quoted."""
    found = align(claim, text)
    if found is not None:
        assert found.span.of(text)
        assert 0 < found.coverage <= 1 + 1e-9
        assert all(s.end <= len(text) for s in (found.span, *found.rivals, *found.context))
