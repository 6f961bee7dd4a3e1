"""Candidates to their final order."""

from __future__ import annotations

from rag_core.finding.ranking import rank, signals_of
from rag_core.types import Chunk, Nearness
from tests.builders import chunk_of

LEAVE = chunk_of("Grade 3 has 25 days of annual leave.", page=1)
NOISE = chunk_of("The harbour master keeps the gate.", page=2)
TABLE = chunk_of("Revenue | 5 | 6 | 7\nCosts | 3 | 4 | 5\nProfit | 2 | 2 | 2", page=3)


def order(
    question: str,
    *chunks: Chunk,
    near: dict[Chunk, float] | None = None,
    words: dict[Chunk, float] | None = None,
    around: str = "",
) -> list[Chunk]:
    """The chunks, best first."""
    nearness = {chunk.id: Nearness(0.5, score) for chunk, score in (near or {}).items()}
    said = {chunk.id: score for chunk, score in (words or {}).items()}
    sections = {chunk.id: f"{chunk.text} {around if chunk is NOISE else ''}" for chunk in chunks}
    return [chunk for chunk, _ in rank(question, chunks, sections=sections, nearness=nearness, words=said)]


def test_what_the_keyword_index_found_comes_first():
    """However large its scores are; what it did not find has none."""
    assert order("Holidays?", NOISE, LEAVE, words={LEAVE: 0.3}) == [LEAVE, NOISE]
    assert order("Holidays?", NOISE, LEAVE, words={NOISE: 11.0, LEAVE: 23.0}) == [LEAVE, NOISE]


def test_the_nearest_sentence_counts():
    """Where no words tell; whatever stands around it."""
    assert order("Holidays?", NOISE, LEAVE, near={NOISE: 0.1, LEAVE: 0.8}) == [LEAVE, NOISE]


def test_the_words_around_count_too():
    """A chunk whose section speaks of the subject is above one whose section does not."""
    assert order("overtime at weekends", LEAVE, NOISE, around="Overtime at weekends.") == [NOISE, LEAVE]


def test_a_figure_is_looked_for_in_tables():
    """Only when one is asked for."""
    figure, other = (signals_of(q, [TABLE], {}, {}, {})[0] for q in ("What was the growth of sales?", "Who wrote it?"))
    assert (figure.table, other.table) == (1.0, 0.0)
    assert figure.figures > other.figures == 0.0


def test_equal_scores_stay_as_they_came_and_none_is_lost():
    """A question that nothing answers changes no order."""
    assert order("?", NOISE, LEAVE) == [NOISE, LEAVE]
    assert order("?") == []


def test_another_page_comes_before_more_of_the_same():
    """When they are about as good; what is far better stays, and nothing is lost."""
    first, more = (chunk_of(f"Leave {n}.", page=1, start=n * 20) for n in range(2))
    other = chunk_of("Leave 2.", page=2)
    assert order("?", first, more, other, near={first: 0.6, more: 0.59, other: 0.58}) == [first, other, more]
    assert order("?", first, more, other, near={first: 0.6, more: 0.59, other: 0.3}) == [first, more, other]
