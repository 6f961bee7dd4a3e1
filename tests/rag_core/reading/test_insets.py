"""Text in a frame beside running text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests import pdfs

LEFT = tuple(
    f"The {name} line of the article is set beside the box and goes on"
    for name in ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
)
BELOW = ("Below the box the lines of the article are as wide as the page is, and so they run on and on.",) * 2
FACTS = (("Founded", "1 May 1788"), ("Seat", "Washington"), ("Judges", "nine, for life"), ("Website", "court.example"))


def article(page: Any) -> None:  # noqa: ANN401
    """Lines of text, the first of them narrow."""
    for i, line in enumerate((*LEFT, *BELOW)):
        page.insert_text((60, 100 + 13 * i), line, fontsize=9)


def facts(page: Any) -> None:  # noqa: ANN401
    """A heading and four facts, which keep to lines of their own."""
    page.insert_text((400, 104), "High Court", fontsize=11, fontname="hebo")
    for i, (name, fact) in enumerate(FACTS):
        page.insert_text((390, 122.5 + 15 * i), name, fontsize=8)
        page.insert_text((450, 122.5 + 15 * i), fact, fontsize=8)


def drawn_box(page: Any) -> None:  # noqa: ANN401
    """One rectangle."""
    page.draw_rect((380, 88, 540, 190))


def three_rules(page: Any) -> None:  # noqa: ANN401
    """A box that goes on from the page before: nothing closes it above."""
    page.draw_line((380, 88), (380, 190))
    page.draw_line((540, 88), (540, 190))
    page.draw_line((380, 190), (540, 190))


def shade(page: Any) -> None:  # noqa: ANN401
    """A coloured ground."""
    page.draw_rect((380, 88, 540, 190), color=None, fill=(0.9, 0.93, 1))


@pytest.mark.parametrize("frame", [drawn_box, three_rules, shade])
def test_a_frame_beside_text_is_read_on_its_own(frame: Callable[[Any], None]):
    """The article is not cut, and the facts stay with their names, before the paragraph that begins beside them."""
    (page,) = pdfs.read(pdfs.all_of(frame, article, facts), size=(600, 400))
    assert [(b.kind, b.span.of(page.text)) for b in page.blocks] == [
        ("heading", "High Court"),
        ("table", "\n".join(f"{name} | {fact}" for name, fact in FACTS)),
        ("paragraph", " ".join((*LEFT, *BELOW))),
    ]


def test_a_shaded_column_of_a_table_is_no_frame():
    """What shares its lines with the text beside it is a cell of them."""
    names = [f"The cost of the {name} part of the work as planned" for name in ("first", "second", "third", "fourth")]

    def draw(page: Any) -> None:  # noqa: ANN401
        page.draw_rect((380, 88, 540, 160), color=None, fill=(0.9, 0.93, 1))
        for i, name in enumerate(names):
            page.insert_text((60, 102 + 15 * i), name, fontsize=9)
            page.insert_text((420, 102 + 15 * i), f"{i + 1},100", fontsize=9)

    (page,) = pdfs.read(draw, size=(600, 400))
    assert page.text == "\n".join(f"{name} | {i},100" for i, name in enumerate(names, 1))


def test_a_value_of_many_lines_is_one():
    """However many lines it has, they are lines of the one cell, and the table goes on."""
    (page,) = pdfs.read(
        pdfs.all_of(
            pdfs.text("Residence", at=(60, 100), size=9),
            pdfs.text("City Palace", "Louvre Palace", "Versailles", "Tuileries", at=(160, 100), size=9, step=1.4),
            pdfs.text("Appointer", at=(60, 160), size=9),
            pdfs.text("Hereditary", at=(160, 160), size=9),
            pdfs.text("Pretender", at=(60, 175), size=9),
            pdfs.text("Louis", at=(160, 175), size=9),
        )
    )
    assert page.text.split("\n") == [
        "Residence | City Palace Louvre Palace Versailles Tuileries",
        "Appointer | Hereditary",
        "Pretender | Louis",
    ]


def test_a_frame_is_read_before_the_paragraph_beside_its_top():
    """Its edge tells where it begins, though its words stand lower than the first line beside it."""

    def low(page: Any) -> None:  # noqa: ANN401
        page.draw_rect((380, 88, 540, 195))
        for i, (name, fact) in enumerate(FACTS):
            page.insert_text((390, 135.5 + 15 * i), name, fontsize=8)
            page.insert_text((450, 135.5 + 15 * i), fact, fontsize=8)

    (page,) = pdfs.read(
        pdfs.all_of(pdfs.text("A title above both", at=(60, 60), size=16), low, article), size=(600, 400)
    )
    assert [block.kind for block in page.blocks] == ["heading", "table", "paragraph"]
    assert page.blocks[-1].span.of(page.text) == " ".join((*LEFT, *BELOW))
