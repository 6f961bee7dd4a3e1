"""The gate tells questions that the passages may answer from those they cannot."""

from __future__ import annotations

import pytest
from builders import passage_of

from rag_core.answering.gate import measure, relevance

LEAVE = passage_of("Employees in grade 4 receive 28 days of annual leave.", dense=0.7)


def test_nothing_found_is_certainly_no_answer():
    """Without passages every term is missing."""
    judged = relevance("How much leave?", [])
    assert (judged.probability, judged.missing) == (0.0, ("leave",))


def test_a_question_in_the_passage_s_words_passes_better_than_another():
    """Sharing terms raises the probability, all else alike."""
    asked = relevance("How many days of annual leave in grade 4?", [LEAVE])
    foreign = relevance("What is the share price of the company?", [LEAVE])
    assert asked.probability > foreign.probability + 0.1


@pytest.mark.parametrize(
    ("near", "right"),
    [
        ("How many days of annual leave do Employees in grade 9 receive?", "grade 4"),
        ("How many days of annual leave do employees of Fabrikam in grade 4 receive?", "employees in grade 4"),
    ],
)
def test_another_number_or_name_lowers_the_probability(near: str, right: str):
    """The right subject with a grade or a company that the passage does not have is a near miss."""
    same = f"How many days of annual leave do {right} receive?"
    assert relevance(near, [LEAVE]).probability < relevance(same, [LEAVE]).probability - 0.2


def test_the_missing_terms_are_named():
    """They are what a refusal tells the asker."""
    _, missing = measure("What is the share price for grade 4?", [LEAVE])
    assert missing == ("share", "price")


def test_a_nearer_passage_never_lowers_the_probability():
    """The gate is monotone in meaning."""
    far, near = (passage_of("Employees receive leave.", dense=d) for d in (0.2, 0.8))
    assert relevance("holiday?", [far]).probability < relevance("holiday?", [near]).probability


def test_a_question_without_content_is_judged_by_meaning_alone():
    """A question of function words has no terms to count."""
    signals, missing = measure("What is it?", [LEAVE])
    assert (signals.said, signals.strange_names, missing) == (0.0, 0.0, ())


def test_digits_in_a_word_are_no_number():
    """The tail number of an aircraft is its name, and it is there."""
    flight = passage_of("The airplane, N1181Y, was headed for Nome.")
    assert measure("Where was N1181Y headed?", [flight])[0].strange_number == 0.0
    assert measure("Where was it headed in 1181?", [flight])[0].strange_number == 1.0


def test_a_fiscal_year_is_its_year_and_no_name():
    """A report writes it in another way."""
    report = passage_of("Revenue in fiscal 2022 was 5 million dollars.")
    here, elsewhere = (measure(f"What was the revenue of FY{year} in USD?", [report])[0] for year in (2022, 2005))
    assert (here.strange_number, here.strange_names) == (0.0, 0.0)
    assert (elsewhere.strange_number, elsewhere.strange_names) == (1.0, 0.0)


def test_a_sentence_must_hold_what_is_asked_for():
    """Who asks for a number is not helped by a sentence on the subject without one."""
    number, word = passage_of("Annual leave is 28 days."), passage_of("Annual leave is a matter of days.")
    question = "How many days of annual leave?"
    assert measure(question, [number])[0].said > measure(question, [word])[0].said == 0.0


@pytest.mark.parametrize(
    ("question", "beside", "answer"),
    [
        ("How many tickets did the arena sell?", "The arena sells tickets since 2016.", "It sold 9 000 tickets."),
        ("Who bought The Mirage?", "We sold The Mirage.", "The Mirage was bought by Hard Rock."),
    ],
)
def test_a_sentence_that_is_only_about_it_does_not_answer(question: str, beside: str, answer: str):
    """What says most of the question and holds no such count, or no name but its own, lowers the probability."""
    about, told = passage_of(beside, dense=0.6), passage_of(answer, dense=0.6)
    assert measure(question, [about])[0].aside > measure(question, [told])[0].aside == 0.0
    assert relevance(question, [about]).probability < relevance(question, [told]).probability


def test_what_stands_out_is_told_from_what_all_say():
    """The margin is over the mean of the passages that come next in nearness."""
    passages = [passage_of("Leave.", label=n, dense=d) for n, d in enumerate([0.2, 0.6, 0.2, 0.2, 0.2, 0.0], start=1)]
    assert measure("Leave?", passages)[0].margin == pytest.approx(0.4)


def test_half_the_names_missing_is_less_strange_than_all_of_them():
    """A place that the asker only mentions stops nobody by itself."""
    travel = passage_of("Hotels in the capital of Portugal cost at most 140 euros a night.")
    some, every = (measure(q, [travel])[0] for q in ("A hotel in Lisbon, Portugal?", "A hotel in Lisbon?"))
    assert (some.strange_names, every.strange_names) == (0.5, 1.0)


def test_a_slip_of_the_pen_is_no_stranger():
    """A name that is nearly there is there; a number that is nearly there is another one."""
    report = passage_of("Netflix had 75 million members in 2015.")
    slip, other = (measure(f"How many members has {name}?", [report])[0] for name in ("Neflix", "Nikon"))
    assert (slip.strange_names, other.strange_names) == (0.0, 1.0)
    assert measure("How many members in 2016?", [report])[0].strange_number == 1.0


@pytest.mark.parametrize(("asked", "written"), [("Bestbuy", "Best Buy"), ("Best Buy", "BestBuy")])
def test_a_compound_is_no_stranger_whichever_way_it_is_written(asked: str, written: str):
    """As one word or as two."""
    shop = passage_of(f"The stores of {written} sell phones.")
    assert measure(f"What do the stores of {asked} sell?", [shop])[0].strange_names == 0.0
    assert measure("What do the stores of Bestsellers sell?", [shop])[0].strange_names == 1.0
