"""A page comes back from its bytes as it went in."""

from __future__ import annotations

from array import array
from dataclasses import replace

from builders import page_of
from hypothesis import given
from hypothesis import strategies as st

from rag_core.adapters import page_codec
from rag_core.types import Block, Glyphs, Page, Rect, Span, TableRow


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300))
def test_any_page_survives(text: str):
    """Text, blocks and the place of every character, to a thirty-second of a point."""
    page = page_of(text, number=3)
    back = page_codec.decode(3, text, page_codec.encode(page))
    assert back == page


def test_tables_and_warnings_survive():
    """Rows keep their spans and labels."""
    text = "Grade | Days\n3 | 25"
    table = Block(
        "table", Span(0, len(text)), Rect(1, 2, 3, 4), rows=(TableRow(Span(13, len(text)), "Grade: 3 | Days: 25"),)
    )
    page = replace(page_of(text), blocks=(table,), warnings=("hidden text",), status="ocr")
    assert page_codec.decode(1, text, page_codec.encode(page)) == page


def test_places_are_kept_to_a_thirty_second_of_a_point():
    """Rounding moves a rectangle less than a reader can see."""
    page = Page(1, 10, 10, "text", "a", glyphs=Glyphs(array("f", (1.111, 2.222, 3.333, 14399.9))))
    back = page_codec.decode(1, "a", page_codec.encode(page))
    assert max(abs(a - b) for a, b in zip(page.glyphs.edges, back.glyphs.edges, strict=True)) <= 1 / 64
