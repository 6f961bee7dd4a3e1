"""Replies and a set to figures, against counts made by hand."""

from __future__ import annotations

import pytest

from eval.datasets import LabelledClaim, Question
from eval.replies import Cited, Judged, Reply, Statement, dump, load
from eval.scoring import Asked, best, figure, score, score_claims
from rag_core.types import Usage

IDS = {"a.pdf": "A"}


def asked(name: str, *pages: int, answer: str = "28 days") -> Asked:
    """A question that these pages answer; none is a question without an answer."""
    places = tuple(("a.pdf", page) for page in pages)
    return Asked(Question(name, ("a.pdf",), f"{name}?", bool(pages), answer if pages else "", places), IDS)


def said(text: str, *pages: int | None, found: tuple[int, ...] = (1, 2, 3), **more: object) -> Reply:
    """An answer of one statement a page, which cites it; None is a statement that cites nothing."""
    statements = tuple(
        Statement(text, "supported" if page else "unsupported", (Cited("A", page, text, literal=True),) if page else ())
        for page in pages
    )
    return Reply("answered", tuple(("A", page) for page in found), text, statements, **more)  # type: ignore[arg-type]


def refused(**more: object) -> Reply:
    """A refusal that found three pages."""
    return Reply("refused", (("A", 1), ("A", 2), ("A", 3)), reason="No.", **more)  # type: ignore[arg-type]


def test_citations_are_counted_claim_by_claim_and_coverage_stands_beside():
    """Two of three citing statements are right; three of four cite; one of two questions was rightly cited."""
    scores = score(
        "s",
        [
            (asked("one", 1), said("It is 28 days.", 1, 1, None)),
            (asked("two", 2), said("It is 9 days.", 3)),
            (asked("none"), said("It is blue.", 1)),
        ],
    )
    values = {name: e.value for t in scores.tables for name, e in t.figures.items()}
    assert values["citation precision"] == pytest.approx(2 / 3)
    assert values["citation coverage"] == pytest.approx(3 / 4)
    assert values["rightly cited"] == 1 / 2
    assert values["quotes literal"] == 1
    assert values["contains"] == values["number match"] == 1 / 2


def test_a_perfect_citation_on_one_answer_does_not_hide_the_refusals():
    """Precision is 1, and only one question in four was rightly cited."""
    pairs = [(asked("one", 1), said("28 days", 1)), *((asked(f"q{i}", 1), refused()) for i in range(3))]
    scores = score("s", pairs)
    assert (figure(scores, "citation precision"), figure(scores, "rightly cited")) != (None, None)
    assert figure(scores, "citation precision").value == 1  # type: ignore[union-attr]
    assert figure(scores, "rightly cited").value == 1 / 4  # type: ignore[union-attr]
    assert figure(scores, "refused wrongly").value == 3 / 4  # type: ignore[union-attr]


def test_refusal_is_the_positive_class():
    """Of three refusals two are of questions without an answer; of three such questions two are refused."""
    scores = score(
        "s",
        [
            (asked("a"), refused()),
            (asked("b"), refused()),
            (asked("c"), said("It is blue.", 1)),
            (asked("d", 1), refused()),
            (asked("e", 1), said("28 days", 1)),
        ],
    )
    assert figure(scores, "refusal precision").value == pytest.approx(2 / 3)  # type: ignore[union-attr]
    assert figure(scores, "refusal recall").value == pytest.approx(2 / 3)  # type: ignore[union-attr]
    assert figure(scores, "refused wrongly").value == 1 / 2  # type: ignore[union-attr]


def test_what_failed_is_in_no_figure():
    """It is counted apart: neither a refusal nor a wrong answer."""
    scores = score("s", [(asked("a", 1), Reply("failed", reason="away")), (asked("b", 1), said("28 days", 1))])
    assert (scores.counted, scores.failed) == (1, 1)
    assert figure(scores, "contains").n == 1  # type: ignore[union-attr]


def test_the_sweep_of_a_gate_is_what_each_line_would_refuse():
    """At 0.5 the two questions without an answer and one with are below; the best line parts them as well as can be."""
    pairs = [
        (asked("a"), refused(probability=0.1)),
        (asked("b"), refused(probability=0.3)),
        (asked("c", 1), said("28 days", 1, probability=0.4)),
        (asked("d", 1), said("28 days", 1, probability=0.9)),
    ]
    lines = {round(line.threshold, 2): line for line in score("s", pairs).sweep}
    assert (lines[0.5].refused, lines[0.5].precision.value) == (3, pytest.approx(2 / 3))  # type: ignore[union-attr]
    assert lines[0.0].precision is None
    chosen = best(score("s", pairs).sweep)
    assert chosen is not None
    assert (chosen.threshold, chosen.f1) == (0.35, 1.0)
    assert score("s", pairs[:2]).sweep == ()


def test_verdicts_are_counted_for_the_word_supported():
    """One false claim let through, one true one withheld, and a failure that is no verdict."""
    rows = [LabelledClaim(str(i), "It is so.", "It is so.", i < 2, "digit" if i else "quote") for i in range(5)]
    judged = [Judged("supported", supported=True), Judged("unsupported", supported=False)]
    judged += [Judged("supported", supported=True), Judged("unsupported", supported=False), Judged("failed", False)]
    scores = score_claims("v", zip(rows, judged, strict=True))
    values = {name: e.value for name, e in scores.tables[0].figures.items()}
    assert values == {
        "verdict accuracy": 1 / 2,
        "balanced accuracy": 1 / 2,
        "supported: precision": 1 / 2,
        "supported: coverage": 1 / 2,
        "false claims let through": 1 / 2,
    }
    assert scores.verdicts == {"quote": (1, 1), "digit": (3, 1)}
    assert scores.failed == 1


def test_tokens_and_cost_are_told_where_a_model_was_asked():
    """A price that is not known is no price of zero."""
    usage = Usage("m", 1, 300, 20, 0.01)
    priced = score("s", [(asked("a", 1), said("28 days", 1, usage=usage))])
    assert figure(priced, "input tokens").value == 300  # type: ignore[union-attr]
    assert figure(priced, "US dollars").value == 0.01  # type: ignore[union-attr]
    unknown = score("s", [(asked("a", 1), said("28 days", 1, usage=Usage("m", 1, 300, 20, None)))])
    assert figure(unknown, "US dollars") is None


def test_what_is_kept_of_a_reply_is_all_of_it():
    """Through JSON and back it is the same value."""
    for outcome in (
        said("28 days", 1, None, usage=Usage("m", 1, 3, 2, None), ms={"total": 1.5}, passages=("p",)),
        refused(probability=0.2),
        Judged("contradicted", supported=False, confidence=0.1, ms=2.0),
    ):
        assert load(dump(outcome)) == outcome
