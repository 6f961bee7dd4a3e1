"""What was painted twice in one place is read once; what stands there twice is read twice."""

from __future__ import annotations

from typing import Any

import pytest

from tests import pdfs

LINE = "The limit is 16 bar."


def text_of(draw: pdfs.Draw) -> str:
    """What we read on a page drawn like this."""
    return pdfs.read(draw)[0].text


@pytest.mark.parametrize("shift", [0.3, 1.0])
def test_a_second_coat_is_read_once(shift: float):
    """For a shadow, a whole line is painted again a little to the side."""
    again = pdfs.text(LINE, at=(72 + shift, 72 + shift))
    assert text_of(pdfs.all_of(pdfs.text(LINE), again)) == LINE


def test_words_painted_twice_each_are_read_once():
    """To look bold, each word is painted again before the next one is painted at all."""

    def draw(page: Any) -> None:  # noqa: ANN401
        x = 72.0
        for word in LINE.split():
            for shift in (0, 0.3):
                page.insert_text((x + shift, 72), word, fontsize=12)
            x += pdfs.width(f"{word} ", 12)

    assert text_of(draw) == LINE


def test_equal_words_side_by_side_and_below_one_another_stay():
    """A column of noughts, and a word said twice, are what they are."""
    read = text_of(pdfs.text("Over and over and over.", "0", "0", "0"))
    assert " ".join(read.split()) == "Over and over and over. 0 0 0"
