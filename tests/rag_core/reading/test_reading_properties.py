"""Whatever is drawn on a page is read in its order, and every rectangle lies on its words."""

from __future__ import annotations

from typing import Any

import pymupdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_columns_of_japanese_are_read_however_the_page_is_turned(rotation: int):
    """Their columns then run along the page, or up."""
    columns = ["日本語の文章は縦に", "書くことがあります"]

    def draw(page: Any) -> None:  # noqa: ANN401
        pdfs.downward(*columns)(page)
        page.set_rotation(rotation)

    (page,) = pdfs.read(draw)
    assert page.text == "".join(columns)


# ------------------------------------------------------------------- whatever is drawn, however the page is turned

ROTATIONS = st.sampled_from([0, 90, 180, 270])
UPRIGHT = st.booleans()
"""Whether the sheet was turned so that its text stands upright, as on a landscape page; else it is seen turned."""


def turned(draw: pdfs.Draw, rotation: int, *, upright: bool) -> Any:  # noqa: ANN401 -- PyMuPDF has no types
    """A document of one page with this rotation."""
    sheet: Any = pymupdf.open()
    draw(sheet.new_page(width=595, height=842))
    if not upright:
        sheet[0].set_rotation(rotation)
        return pymupdf.open("pdf", sheet.tobytes())
    document: Any = pymupdf.open()
    width, height = (842, 595) if rotation % 180 else (595, 842)
    page = document.new_page(width=width, height=height)
    page.show_pdf_page(page.rect, sheet, 0, rotate=rotation)
    page.set_rotation(rotation)
    return pymupdf.open("pdf", document.tobytes())


def assert_each_word_is_marked_where_it_stands(document: Any, page: Page) -> None:  # noqa: ANN401
    """Every word of the page, each of which is there once, against the engine's own words of the same page."""
    matrix = document[0].rotation_matrix
    places = {word[4]: pymupdf.Rect(word[:4]) * matrix for word in document[0].get_text("words")}
    assert sorted(words_of(page)) == sorted(places)
    for word, place in places.items():
        (rect,) = rects_of(page, word)
        assert rect.as_tuple() == pytest.approx(tuple(place), abs=1.5), word


def words_of(page: Page) -> list[str]:
    """All that is read, without the joints of a table's cells."""
    return [word for word in page.text.split() if word != "|"]


def wordy(name: str, count: int) -> str:
    """So many words of ordinary length, no two alike and none a part of another."""
    lengths = (0, 4, 2, 6, 1, 3)
    return " ".join(f"{name}{i:03}{'x' * lengths[i % len(lengths)]}" for i in range(count))


@settings(max_examples=12, deadline=None)
@given(
    st.integers(2, 3), st.lists(st.integers(30, 90), min_size=3, max_size=3), st.integers(12, 40), ROTATIONS, UPRIGHT
)
def test_columns_are_read_in_order(count: int, lengths: list[int], gap: int, rotation: int, upright: bool):
    """Two or three, filled one after the other, under a title."""
    lengths.sort(reverse=True)
    texts = [wordy(name, length) for name, length in zip("abc", lengths, strict=True)][:count]
    width = (475 - gap * (count - 1)) / count
    title = pdfs.text("Title Over All", at=(60, 80), size=18)
    draw = pdfs.all_of(title, pdfs.columns(texts, width=width, gap=gap, size=8))
    document = turned(draw, rotation, upright=upright)
    (page,) = pdfs.pages_in(document)
    assert words_of(page) == " ".join(["Title Over All", *texts]).split()
    assert_each_word_is_marked_where_it_stands(document, page)


@settings(max_examples=16, deadline=None)
@given(st.integers(2, 4), st.integers(3, 7), st.booleans(), ROTATIONS, UPRIGHT)
def test_tables_are_read_row_by_row(columns: int, rows: int, ruled: bool, rotation: int, upright: bool):
    """With rules or without, between two paragraphs; each cell is whole and in its row."""
    cells = [[f"r{r}c{c}q {10 + r}.{c}{r}" for c in range(columns)] for r in range(rows)]
    above, below = wordy("a", 20), wordy("b", 20)

    def draw(page: Any) -> None:  # noqa: ANN401
        page.insert_textbox((72, 60, 520, 130), above, fontsize=10)
        page.insert_textbox((72, 400, 520, 480), below, fontsize=10)

    table = pdfs.grid(cells, width=440 / columns, ruled=ruled)
    upright = upright or ruled  # on a page that is seen turned, rules are not made use of
    document = turned(pdfs.all_of(draw, table), rotation, upright=upright)
    (page,) = pdfs.pages_in(document)
    assert words_of(page) == " ".join([above, *(cell for row in cells for cell in row), below]).split()
    for r, row in enumerate(cells):
        for c, cell in enumerate(row):
            x, y = 72 + c * 440 / columns + 4, 150 + r * 22 + 15
            drawn = pymupdf.Rect(x, y - 11, x + pymupdf.get_text_length(cell, fontsize=10), y + 4)
            (rect,) = rects_of(page, cell)
            place = drawn if upright else drawn * document[0].rotation_matrix
            assert rect.as_tuple() == pytest.approx(tuple(place), abs=2.5)


@settings(max_examples=12, deadline=None)
@given(st.integers(1, 3), st.sampled_from([1, 2]), st.integers(70, 110), ROTATIONS, UPRIGHT)
def test_footnotes_come_after_the_text(notes: int, columns: int, length: int, rotation: int, upright: bool):
    """However many, below one column or two; they are no part of the text, and their marks are superscripts."""
    texts = [wordy(name, length) for name in "ab"[:columns]]
    foot = [wordy("nuo"[n], 17) for n in range(notes)]  # as wide as both columns

    def draw(page: Any) -> None:  # noqa: ANN401
        for n, note in enumerate(foot):
            page.insert_text((60, 750 + 16 * n), str(n + 1), fontsize=5)
            page.insert_text((63.5, 753 + 16 * n), note, fontsize=7)

    document = turned(pdfs.all_of(pdfs.columns(texts, width=475 / columns - 12), draw), rotation, upright=upright)
    (page,) = pdfs.pages_in(document)
    marked = [f"{'¹²³'[n]}{note}" for n, note in enumerate(foot)]
    assert words_of(page) == " ".join([*texts, *marked]).split()
    if upright or not rotation:
        *body, last = page.blocks
        assert last.kind == "footnote"
        assert all(marked[0] not in block.span.of(page.text) for block in body if block.kind != "footnote")
