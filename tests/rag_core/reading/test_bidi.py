"""Hebrew and Arabic are read in the order of their words, whatever stands between them."""

# ruff: noqa: RUF001 -- letters that look like others are letters here

from __future__ import annotations

from array import array
from typing import Any

import pymupdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_core.reading.bidi import logical, reads_from_right
from rag_core.reading.normalise import normalise
from rag_core.types import Span
from tests import pdfs

SENTENCES = [
    "שלום עולם",
    "בשנת 2024 שולמו 3,500 שקלים (כולל מע״מ) לכל עובד.",
    "החברה Acme Corp Ltd נוסדה ב-1998.",
    "המסמך של Acme Corp (UK) Ltd נכתב ב-Windows 10.",
    "הטמפרטורה ירדה ל-5.5° ביום 12/03/2021, כלומר 15% פחות.",
    'שאלה: מה השעה? "עשר" - ענה.',
    "המחיר הוא $25 או 90 ₪ ליחידה [ראו סעיף 4(ב)].",
    "مرحبا بكم في مدينة دمشق",
    "في سنة 2024 دفعت شركة Acme Corp Ltd 3,500 درهم.",
    "مدة 15% في تاريخ 12/03/2021 (سنة ثانية).",
    "نسبة ١٢ يومًا و٣٫٥ ساعات",
]


@pytest.mark.parametrize("turn", [0, 90])
@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_is_read_as_it_was_written(sentence: str, turn: int):
    """Numbers, dates, brackets and foreign names keep their order and their place, on a landscape page, too."""

    def draw(page: Any) -> None:  # noqa: ANN401
        box = (40, 40, 555, 800)
        page.insert_htmlbox(box, f'<p dir="rtl" style="font-size:14px">{sentence}</p>', rotate=turn)
        page.set_rotation(turn)

    (page,) = pdfs.read(draw)
    assert page.text == sentence


def test_each_word_has_one_rectangle_where_it_is_drawn():
    """The first word stands on the right, and numbers where a reader sees them."""
    document: Any = pymupdf.open()
    draw = pdfs.from_right("בשנת 2024 שולמו 3,500 שקלים לכל עובד.", "שורה שנייה עם Acme בתוכה.")
    draw(document.new_page(width=595, height=842))
    (page,) = pdfs.read(draw)
    for word in page.text.replace(".", "").split():
        start = page.text.index(word)
        (rect,) = page.glyphs.rects(Span(start, start + len(word)))
        places = [place for place in document[0].search_for(word) if place.y0 <= (rect.y0 + rect.y1) / 2 <= place.y1]
        assert (rect.x0, rect.x1) == pytest.approx(
            (min(place.x0 for place in places), max(place.x1 for place in places)), abs=1
        )
    assert len(page.glyphs.rects(Span(0, len(page.text)))) == 2


def test_what_the_engine_parts_is_one_line_and_columns_stay_apart():
    """The pieces of a line that follow one another are joined; what stands a gap away is not."""
    (page,) = pdfs.read(pdfs.from_right("מדת 24 חודשים ועוד 12 ימים", "הסוף 7"))
    assert [block.span.of(page.text) for block in page.blocks] == ["מדת 24 חודשים ועוד 12 ימים", "הסוף 7"]


def drawn(*letters: tuple[str, float, float]) -> tuple[str, array[float]]:
    """Characters in the engine's order, each from one place on the line to another."""
    edges = array("f", [edge for _, x0, x1 in letters for edge in (x0, 0.0, x1, 10.0)])
    return "".join(char for char, _, _ in letters), edges


def test_the_letters_of_a_ligature_come_in_order():
    """Some engines give alef before the lam that it is part of, without a width of its own."""
    text, edges = logical(*drawn(("ا", 30, 36), ("أ", 30, 30), ("ل", 24, 30), ("ع", 18, 24)))
    assert text == "الأع"
    assert len(edges) == 4 * len(text)


def test_a_ligature_of_one_character_is_taken_apart_from_the_right():
    """Its lam stands to the right of its alef, as all that runs from the right."""
    ligature = normalise(*drawn(("\ufea1", 12, 18), ("\ufefc", 18, 30), ("\ufeb3", 30, 36)))
    assert logical(*ligature)[0] == "\u0633\u0644\u0627\u062d"


def test_a_mark_stays_on_the_letter_that_it_is_drawn_on():
    """Even when the engine gives it before all of the line."""
    text, _ = logical(*drawn((" ", 6, 12), ("ً", 13, 17), ("ب", 24, 30), ("ع", 12, 18), ("ا", 6, 12)))
    assert text == "بعًا"


def test_a_line_whose_sentence_ends_at_the_right_runs_from_the_left():
    """Right-to-left words in a paragraph that was set the other way keep the order of that paragraph."""
    text, _ = logical(*drawn(("ב", 12, 18), ("א", 18, 24), (" ", 24, 30), ("X", 30, 36), (".", 36, 42)))
    assert text == "אב X."


@pytest.mark.parametrize(
    ("line", "from_right"),
    [
        ("Words only", False),
        ("מילים", True),
        ("The word שלום means peace", False),
        ("החברה Acme Corp Ltd נוסדה", True),
        ("2024 (12 %)", False),
    ],
)
def test_the_way_a_line_runs_is_known_by_its_letters(line: str, from_right: bool):
    """Most of them, or those at both ends."""
    assert reads_from_right(line) is from_right


WORDS = st.sampled_from(["שלום", "עולם", "בית", "ספר", "ילד", "מים"])
NUMBERS = st.sampled_from(["7", "2024", "3,500", "12/03/2021", "4.5", "15%"])
NAMES = st.sampled_from(["Acme", "Acme Corp", "Windows 10", "B2B"])


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(WORDS, st.one_of(WORDS, NUMBERS, NAMES)), min_size=1, max_size=4))
def test_words_numbers_and_names_come_in_the_order_in_which_they_were_written(pairs: list[tuple[str, str]]):
    """Between right-to-left words, each number and each foreign name is read whole."""
    sentence = " ".join(part for pair in pairs for part in pair) + " סוף"
    (page,) = pdfs.read(pdfs.from_right(sentence, size=10))
    assert page.text == sentence
    assert len(page.glyphs.rects(Span(0, len(sentence)))) == 1
