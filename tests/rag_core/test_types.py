"""Wrong states cannot be written."""

from __future__ import annotations

from array import array

import pytest
from builders import document_id, page_of

from rag_core.types import (
    Answer,
    CheckedClaim,
    Citation,
    Claim,
    Glyphs,
    Judgement,
    Page,
    Reason,
    Rect,
    Span,
    Verdict,
)


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (3, 3), (4, 2)])
def test_a_span_runs_forward(start: int, end: int):
    """Empty and backward spans are refused."""
    with pytest.raises(ValueError, match="runs forward"):
        Span(start, end)


def test_a_rectangle_is_ordered_and_finite():
    """NaN from a damaged page goes no further."""
    with pytest.raises(ValueError, match="ordered"):
        Rect(0, 0, float("nan"), 1)


def test_every_character_has_a_place():
    """A page whose glyphs do not match its text is refused."""
    with pytest.raises(ValueError, match="2 characters, 1 glyphs"):
        Page(1, 10, 10, "text", "ab", glyphs=Glyphs(array("f", [0] * 4)))


def test_rectangles_come_one_a_line():
    """A quote over two lines has two rectangles, and the space between words breaks none."""
    page = page_of("a" * 70 + " " + "b" * 30)
    rects = page.glyphs.rects(Span(60, 90))
    assert [rect.as_tuple() for rect in rects] == [(410, 50, 530, 60), (50, 62, 110, 72)]


def test_supported_needs_a_quote_and_no_failed_check():
    """A failed check means never supported, whatever a model says."""
    failed = Reason("numbers", ok=False, detail="12 against 11")
    with pytest.raises(ValueError, match="no failed check"):
        Judgement(Verdict.SUPPORTED, 0.99, (failed,), Span(0, 1))
    with pytest.raises(ValueError, match="has a citation"):
        CheckedClaim(Claim("a", Span(0, 1)), Verdict.SUPPORTED, 0.9, ())


def test_a_citation_has_a_place_on_its_page():
    """One without rectangles cannot be shown, so it cannot be built."""
    with pytest.raises(ValueError, match="place on its page"):
        Citation(1, document_id(1), "t", 1, "a", Span(0, 1), ())


def test_a_refusal_says_why():
    """There is no refused answer without a refusal, nor the reverse."""
    with pytest.raises(ValueError, match="says why"):
        Answer("q", "refused", "", (), (), None, "quote", {})
