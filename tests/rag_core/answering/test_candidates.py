"""Passages become sentences, each with what makes sense of it."""

from __future__ import annotations

from builders import passage_of

from rag_core.answering.candidates import MOST, Candidate, Signals, candidates, scored, sentences_of


def _sentence(text: str, holding: str) -> Candidate:
    return next(c for c in sentences_of(passage_of(text)) if holding in c.text)


def test_a_sentence_stands_under_the_heading_before_it():
    """A reader takes it so, and so is it compared."""
    assert _sentence("Driving\n\nThe rate is 46 pence a kilometre.", "46").read == (
        "Driving\nThe rate is 46 pence a kilometre."
    )


def test_a_pronoun_leads_back_to_the_sentence_that_it_leans_on():
    """What "it" is must be told with it."""
    leaning = _sentence("The Petrel is a float gauge. It is accurate to 5 millimetres.", "accurate")
    assert leaning.lead == "The Petrel is a float gauge."


def test_an_item_keeps_the_line_that_its_list_began_with():
    """And the sentence after the list does not."""
    text = "The rules afloat are these:\n1. Two people are aboard.\n2. Lifejackets are worn.\n\nBoats are blue."
    items = list(sentences_of(passage_of(text)))
    assert [(c.lead, c.listed) for c in items] == [
        ("The rules afloat are these:", True),
        ("The rules afloat are these:", True),
        ("", False),
    ]


def test_a_row_keeps_its_header():
    """Numbers alone answer nothing."""
    row = _sentence("Grade | Leave | Carried over\nGrade 3 | 25 days | 5 days", "25")
    assert row.lead == "Grade | Leave | Carried over"


def test_words_said_and_words_only_headed_are_told_apart():
    """Both are parts of the question's weight, and no term counts twice."""
    passage = passage_of("Leave is 25 days.", context="Grade 3")
    (found,) = candidates("How many days of leave does grade 3 get?", [passage])
    assert found.said == {"leav", "day"}
    assert found.signals.headed > 0
    assert found.signals.headed + found.signals.said <= 1.000001


def test_there_are_only_so_many_candidates():
    """However long the passages."""
    long = passage_of(" ".join(f"Leave rule {i} gives {i} days." for i in range(1, 100)))
    assert len(candidates("How many days of leave?", [long])) == MOST


def test_equal_candidates_stay_in_order():
    """Equal inputs give equal outputs."""
    found = candidates("leave", [passage_of("Leave is paid. Leave is paid.")])
    assert [c.order for c in scored(found, [0.5, 0.5], Signals(near=1.0))] == [0, 1]


def test_what_is_said_of_a_name_elsewhere_is_said_beside_it():
    """Whoever reads that the station never closes knows from before which one it is."""
    page = passage_of("Withy Point is the calibration station. It rains. Gulls shout. Withy Point never closes. Boats.")
    found = {c.text: c.signals.beside for c in candidates("When does the calibration station open?", [page])}
    assert found["Withy Point never closes."] > 0 == found["Boats."]
