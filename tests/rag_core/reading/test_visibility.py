"""What no reader sees is kept out of a page's text, what a reader sees stays, and the page says so."""

from __future__ import annotations

from typing import Any

import pymupdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_core.types import Page
from tests import pdfs

SIZE = 11
LINE = "The public part and the secret words of this line stay."


def page_of(*draws: pdfs.Draw) -> Page:
    """What we read on a page drawn like this."""
    (page,) = pdfs.read(pdfs.all_of(*draws))
    return page


def width(text: str) -> float:
    """As it is drawn."""
    return float(pymupdf.get_text_length(text, fontsize=SIZE))


def cover(before: str, covered: str, *, y: float = 100, top: float = 9, foot: float = 3, **shape: Any) -> pdfs.Draw:  # noqa: ANN401
    """A rectangle over `covered`, which follows `before` on the line at `y`."""
    x = 72 + width(before)

    def draw(page: Any) -> None:  # noqa: ANN401
        page.draw_rect((x, y - top, x + width(covered), y + foot), color=None, **{"fill": (0, 0, 0), **shape})

    return draw


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize(
    "shape",
    [
        {"fill": (0, 0, 0)},
        {"fill": (1, 1, 1)},
        {"top": 11, "foot": 6},
        {"top": 6, "foot": 0},
        {"top": 12, "foot": 5, "radius": 0.15},
    ],
    ids=["black", "white", "tall", "only the letters", "round corners"],
)
def test_the_covered_part_of_a_line_is_left_out_and_the_rest_stays(shape: dict[str, Any], turn: int):
    """It is the words under the shape that nobody sees, whatever the shape's colour and however the page is turned."""

    def rotate(page: Any) -> None:  # noqa: ANN401
        page.set_rotation(turn)

    page = page_of(pdfs.text(LINE, at=(72, 100)), cover("The public part and the ", "secret words", **shape), rotate)
    assert page.text == "The public part and the of this line stay."
    assert page.warnings == ("Hidden text was left out: 11 characters covered.",)


def test_most_of_a_line_may_be_covered():
    """A cover need not hold the whole line, nor one shape be the cover."""
    page = page_of(
        pdfs.text(LINE, at=(72, 100)),
        cover("", "The public part", fill=(0.8, 0.8, 0.8)),
        cover("The public part", " and the secret words of this "),
    )
    assert page.text == "line stay."


@pytest.mark.parametrize(
    "shape",
    [
        {"top": 4.5, "foot": -1.5},
        {"top": 3, "foot": 3},
        {"top": 15, "foot": -6},
        {"fill": (1, 1, 0), "fill_opacity": 0.5},
    ],
    ids=["struck out", "the next row", "the row above", "a marker pen"],
)
def test_what_can_be_read_under_or_beside_a_shape_stays(shape: dict[str, Any]):
    """A thick stroke, the edge of a neighbour's fill and a see-through colour hide no words."""
    page = page_of(pdfs.text(LINE, at=(72, 100)), cover("The ", "public part and the secret words", **shape))
    assert page.text == LINE
    assert page.warnings == ()


def test_what_is_painted_before_the_text_hides_nothing():
    """A shaded box with words on it is what it looks like."""
    assert page_of(cover("", LINE, fill=(0.9, 0.9, 0.6)), pdfs.text(LINE, at=(72, 100))).text == LINE


def test_annotations_that_mark_text_hide_nothing():
    """A reader's yellow pen and strike-out lie over the words; both let them be read."""

    def mark(page: Any) -> None:  # noqa: ANN401
        page.add_highlight_annot((72, 88, 200, 103))
        page.add_strikeout_annot((200, 88, 300, 103))

    page = page_of(pdfs.text(LINE, at=(72, 100)), mark)
    assert page.text == LINE
    assert page.warnings == ()


def test_of_a_number_that_is_covered_in_part_nothing_stays():
    """What is left of it would read as another number."""
    page = page_of(pdfs.text("At most $1,200,000 are paid.", at=(72, 100)), cover("At most ", "$1,2"))
    assert page.text == "At most are paid."
    assert page.warnings == ("Hidden text was left out: 10 characters covered.",)


def test_white_text_that_runs_off_its_dark_box_ends_with_the_box():
    """Where the box ends, white stands on white."""
    words = "White on black and white on paper"

    def draw(page: Any) -> None:  # noqa: ANN401
        page.draw_rect((60, 85, 72 + width("White on black "), 105), fill=(0, 0, 0), color=None)
        page.insert_text((72, 100), words, color=(1, 1, 1))

    page = page_of(draw)
    assert page.text == "White on black"
    assert page.warnings == ("Hidden text was left out: 15 characters in the colour of what is under it.",)


def test_turned_text_is_covered_along_its_own_line():
    """Up a margin as across the page."""

    def draw(page: Any) -> None:  # noqa: ANN401
        page.insert_text((40, 500), "Read this and not that", rotate=90, fontsize=SIZE)
        page.draw_rect((31, 300, 43, 500 - width("Read this ")), fill=(0, 0, 0), color=None)

    assert page_of(draw).text == "Read this"


WORDS = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel"]


@settings(max_examples=20, deadline=None)
@given(st.sets(st.integers(0, len(WORDS) - 1), min_size=1), st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0, 90]))
def test_exactly_the_covered_words_are_left_out(covered: set[int], grey: float, turn: int):
    """Whichever words of a line lie under shapes, the others are the text."""
    covers = [cover(" ".join([*WORDS[:i], ""]), WORDS[i], fill=(grey, grey, grey)) for i in covered]
    page = page_of(pdfs.text(" ".join(WORDS), at=(72, 100)), *covers, lambda page: page.set_rotation(turn))
    assert page.text.replace("|", " ").split() == [word for i, word in enumerate(WORDS) if i not in covered]
    assert sum(int(warning.split()[5]) for warning in page.warnings) == sum(len(WORDS[i]) for i in covered)


def picture(box: tuple[float, float, float, float], *greys: int) -> pdfs.Draw:
    """An opaque picture in stripes of these greys."""
    pixmap = pymupdf.Pixmap(pymupdf.csGRAY, 1, len(greys), bytes(greys), False)

    def draw(page: Any) -> None:  # noqa: ANN401
        page.insert_image(box, stream=pixmap.tobytes("png"), keep_proportion=False)

    return draw


def clipped(page: Any) -> None:  # noqa: ANN401
    """A line outside of the path that clips it."""
    page.insert_text((72, 200), "The hidden limit is 99 bar.")
    (xref,) = page.get_contents()
    document = page.parent
    document.update_stream(xref, b"q 0 0 1 1 re W n " + document.xref_stream(xref) + b" Q")


@pytest.mark.parametrize("greys", [(128, 128), (60, 200, 90, 170, 30, 220, 100, 150)], ids=["plain", "striped"])
@pytest.mark.parametrize("turn", [0, 90])
def test_text_under_a_picture_is_left_out(greys: tuple[int, ...], turn: int):
    """Whatever the picture shows, nobody reads what it covers; what stands on it is read."""

    def rotate(page: Any) -> None:  # noqa: ANN401
        page.set_rotation(turn)

    page = page_of(
        pdfs.text("The limit is 10 bar."),
        pdfs.text("The hidden limit is 99 bar.", at=(72, 200)),
        picture((60, 180, 400, 300), *greys),
        pdfs.text("Caption on the picture.", at=(72, 280)),
        rotate,
    )
    assert "The limit is 10 bar." in page.text
    assert "99" not in page.text
    assert "Caption on the picture." in page.text
    assert page.warnings == ("Hidden text was left out: 22 characters covered.",)


def test_text_that_a_clipping_path_cuts_away_is_left_out():
    """It is drawn where nothing is let through."""
    (page,) = pdfs.read(clipped)
    assert page.text == ""


def test_words_placed_on_a_picture_that_shows_nothing_are_hidden():
    """A text layer says what its picture shows; where that is blank, it says something else."""

    def layer(page: Any) -> None:  # noqa: ANN401
        page.insert_text((72, 200), "The hidden limit is 99 bar.", render_mode=3)

    shown = page_of(pdfs.text("The limit is 10 bar."), picture((60, 180, 400, 300), 255), layer)
    assert shown.text == "The limit is 10 bar."
    assert "placed but not drawn" in shown.warnings[0]
