"""Whatever is drawn on a page is read in its order, and every rectangle lies on its words."""

from __future__ import annotations

from typing import Any

import pymupdf
import pytest

from rag_core.types import Page, Rect, Span
from tests import pdfs


def rects_of(page: Page, words: str) -> tuple[Rect, ...]:
    """The rectangles of `words` on the page."""
    start = page.text.index(words)
    return page.glyphs.rects(Span(start, start + len(words)))


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_turned_text_has_one_rectangle_a_line(turn: int, rotation: int):
    """Whichever way the lines run, and however the page is turned, each is marked once, where it stands."""
    lines = ["Wide mats, i. e. large", "ones, lie in the hall"]

    def draw(page: Any) -> None:  # noqa: ANN401
        page.insert_text((300, 400), lines, rotate=turn, fontsize=10)
        page.set_rotation(rotation)

    (page,) = pdfs.read(draw)
    assert page.text == " ".join(lines)
    rects = rects_of(page, page.text)
    assert len(rects) == 2
    long = [max(rect.width, rect.height) for rect in rects]
    assert long == pytest.approx([pymupdf.get_text_length(line, fontsize=10) for line in lines], abs=1.5)
    assert [min(rect.width, rect.height) for rect in rects] == pytest.approx([13.7, 13.7], abs=1.5)


def test_columns_of_japanese_have_one_rectangle_each():
    """Set from top to bottom, a column is a line, and the next one stands to its left."""
    columns = ["日本語の文章は縦に", "書くことがあります"]
    (page,) = pdfs.read(pdfs.downward(*columns, at=(400, 100), size=12))
    assert page.text == "".join(columns)
    first, second = rects_of(page, page.text)
    assert (first.width, first.height) == pytest.approx((12, 108), abs=2)
    assert second.x1 < first.x0
    (part,) = rects_of(page, "文章")
    assert part.height == pytest.approx(24, abs=1)
