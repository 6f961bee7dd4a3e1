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


def rects_of(*glyphs: tuple[float, float, float, float]) -> list[tuple[float, float, float, float]]:
    """The rectangles around glyphs that stand at these places."""
    edges = array("f", [edge for glyph in glyphs for edge in glyph])
    return [rect.as_tuple() for rect in Glyphs(edges).rects(Span(0, len(glyphs)))]


def test_a_line_down_or_up_the_page_is_one_rectangle():
    """Turned letters are wide and ideographs square; each column of them is a line, a gap between words or not."""
    down = [(100, y, 115, y + 6) for y in (50, 56, 62, 80, 86)]
    up = [(80, 150 - y, 95, 156 - y) for y in (50, 56, 62, 80, 86)]
    assert rects_of(*down, *up) == [(100, 50, 115, 92), (80, 64, 95, 106)]
    columns = [(x, y, x + 11, y + 11) for x in (300, 280) for y in range(100, 166, 11)]
    assert rects_of(*columns) == [(300, 100, 311, 166), (280, 100, 291, 166)]


def test_two_turned_words_far_apart_are_two_rectangles():
    """What is four times as far off as the line is high is another line."""
    assert len(rects_of((100, 50, 115, 56), (100, 56, 115, 62), (100, 130, 115, 136), (100, 136, 115, 142))) == 2


def test_short_lines_below_one_another_are_no_column():
    """Upright letters are not turned ones; of two ideographs that stand so, the next one tells what they are."""
    assert len(rects_of((72, 50, 78, 65), (72, 63, 78, 78), (78, 63, 84, 78))) == 2
    square = [(72, 50, 83, 61), (72, 61, 83, 72), (83, 61, 94, 72), (94, 61, 105, 72)]
    assert rects_of(*square) == [(72, 50, 83, 61), (72, 61, 105, 72)]


def test_an_accent_stands_where_its_letter_stands():
    """Marks, and the parts of a ligature, do not say which way a line runs."""
    letter, mark = (100, 50, 115, 56), (101, 51, 114, 55)
    assert rects_of(letter, mark, (100, 56, 115, 62), (100, 62, 115, 68)) == [(100, 50, 115, 68)]
    assert rects_of((50, 10, 56, 22), (50, 10, 56, 22), (56, 10, 62, 22)) == [(50, 10, 62, 22)]


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
