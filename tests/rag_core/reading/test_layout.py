"""Raw pages to pages as a person reads them."""

from __future__ import annotations

import functools
from typing import Any

import pymupdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_core.adapters.pdf_pages import read_page
from rag_core.reading.layout import read_pages
from rag_core.reading.normalise import clean
from rag_core.types import Page, Rect, Span
from tests import pdfs


def pages_of(*draws: pdfs.Draw, size: tuple[float, float] = pdfs.A4) -> list[Page]:
    """What we read on pages drawn like this."""
    document: Any = pymupdf.open()
    for draw in draws:
        draw(document.new_page(width=size[0], height=size[1]))
    document = pymupdf.open("pdf", document.tobytes())
    return list(read_pages(read_page(document, n) for n in range(1, len(document) + 1)))


def kinds(page: Page) -> list[tuple[str, str]]:
    """Each block's kind and text."""
    return [(b.kind, b.span.of(page.text)) for b in page.blocks]


@pytest.mark.parametrize("count", [2, 3])
def test_columns_are_read_one_after_the_other(count: int):
    """Under a full-width title, each column is read to its end before the next."""
    words = [pdfs.prose(name) for name in ("Alpha", "Beta", "Gamma")[:count]]
    width = 215 if count == 2 else 150
    (page,) = pages_of(
        pdfs.all_of(
            pdfs.text("A title over all of the columns", at=(60, 80), size=20), pdfs.columns(words, width=width)
        )
    )
    assert page.text == "\n\n".join(["A title over all of the columns", *words])
    assert page.blocks[0].kind == "heading"


def test_words_broken_across_lines_are_joined():
    """A hyphen at the end of a line goes, unless the page has the word with its hyphen, or a number follows."""
    (page,) = pages_of(
        pdfs.text("The well-known commit-", "tee met in a long-", "term room of COVID-", "19 and a multi-year plan")
    )
    assert page.text == "The well-known committee met in a long-term room of COVID-19 and a multi-year plan"


def test_running_heads_and_page_numbers_are_known():
    """What repeats at the edge of the pages is furniture; the text itself is not, even if two pages begin alike."""
    draws = [
        pdfs.all_of(
            pdfs.text("Annual report 2024", at=(72, 40), size=9),
            pdfs.text(f"Page {n} begins here and", "goes on to the next line.", at=(72, 120)),
            pdfs.text(f"{n} | Company", at=(72, 810), size=9),
        )
        for n in range(1, 6)
    ]
    for page in pages_of(*draws):
        assert [kind for kind, _ in kinds(page)] == ["header", "paragraph", "footer"]


CHAPTERS = (
    "About this book",
    "1. Joining",
    "2. Annual leave",
    "3. Sickness and other leave",
    "Appendix A. Whom to call",
)


@pytest.mark.parametrize("varies", ["right", "left", "after a bar", "beside a page number"])
def test_running_heads_that_differ_in_part_are_known(varies: str):
    """One part of a row that repeats makes the whole row furniture, whatever the chapter puts beside it."""

    def head(n: int, chapter: str) -> pdfs.Draw:
        match varies:
            case "right":
                parts = ("Larkspur \u00b7 Handbook", chapter)
            case "left":
                parts = (chapter, "Larkspur Handbook")
            case "after a bar":
                return pdfs.text(f"Larkspur Handbook | {chapter}", at=(72, 40), size=8)
            case _:
                parts = (str(n), chapter)
        return pdfs.all_of(pdfs.text(parts[0], at=(72, 40), size=8), pdfs.text(parts[1], at=(400, 40), size=8))

    pages = pages_of(
        *(
            pdfs.all_of(head(n, chapter), pdfs.text(f"What this page is about: {chapter}", "and more.", at=(72, 90)))
            for n, chapter in enumerate(CHAPTERS, 11)
        )
    )
    assert [[kind for kind, _ in kinds(page)] for page in pages] == [["header", "paragraph"]] * len(CHAPTERS)


@pytest.mark.parametrize("rows", [("Mandatory", "Mandatory"), ("Guidance", "")])
def test_what_repeats_within_the_text_stays(rows: tuple[str, str]):
    """A cell that repeats down its column, or a label beside the text, is no running head on however many pages."""
    pages = pages_of(
        *(
            pdfs.all_of(
                pdfs.text(f"{chapter} is asked for", f"{chapter} is looked at", at=(72, 72), size=10),
                pdfs.text(*filter(None, rows), at=(400, 72), size=10),
            )
            for chapter in CHAPTERS
        )
    )
    assert not [block for page in pages for block in page.blocks if block.kind in {"header", "footer"}]


def test_a_last_word_made_of_roman_letters_is_no_page_number():
    """A paragraph that ends with "civil" at the foot of a page loses nothing; page xiv has its number."""
    draws = [pdfs.all_of(pdfs.text("Text."), pdfs.text(foot, at=(72, 800))) for foot in ("civil", "xiv")]
    assert [page.blocks[-1].kind for page in pages_of(*draws)] == ["paragraph", "footer"]


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize(
    ("before", "mark", "after", "reads"),
    [
        ("until they are 18.", "9", "Then", "until they are 18.⁹ Then"),
        ("sections 9 and 10.", "1,2", "But", "sections 9 and 10.¹,² But"),
        ("an area of 5 m", "2", "at most", "an area of 5 m² at most"),
        ("leave of 25", "3", "days", "leave of 25³ days"),
    ],
)
def test_raised_digits_are_never_part_of_a_number(before: str, mark: str, after: str, reads: str, apart: bool):
    """A footnote's number is a superscript, with its own place on the page, whether painted with its line or later."""
    x = 72 + pymupdf.get_text_length(before, fontsize=11)
    marks = pdfs.text(mark, at=(x, 96), size=7)
    line = [pdfs.text(before, at=(72, 100)), pdfs.text(after, at=(x + 13, 100))]
    (page,) = pages_of(pdfs.all_of(*line, marks) if apart else pdfs.all_of(line[0], marks, line[1]))
    assert page.text == reads
    at = len(before)
    (rect,) = page.glyphs.rects(Span(at, at + 1))
    assert rect.x0 == pytest.approx(x, abs=1)
    assert rect.y1 < 100


def test_a_note_with_a_raised_mark_is_a_footnote():
    """At the foot of a page, a small line that begins with a superscript is a note; fractions stay what they are."""
    (page,) = pages_of(
        pdfs.all_of(
            pdfs.text("Add", "and this is the text", at=(72, 72)),
            pdfs.text("1", at=(96, 69), size=6),
            pdfs.text("/2 cup", at=(100, 72)),
            pdfs.text("9", at=(72, 747), size=5.5),
            pdfs.text("See the annex.", at=(76, 750), size=8),
        )
    )
    assert page.text.startswith("Add 1/2 cup")
    assert kinds(page)[-1] == ("footnote", "⁹See the annex.")


def test_small_numbers_in_other_columns_are_no_marks():
    """A small figure that stands a little higher, but apart from the words, keeps its digits."""
    (page,) = pages_of(
        pdfs.all_of(
            pdfs.text("Total", at=(72, 100)), pdfs.text("12", at=(110, 97), size=7), pdfs.text("end", at=(140, 100))
        )
    )
    assert "12" in page.text


def test_separators_of_lines_become_spaces():
    """What a program may take for the end of a line is none."""
    assert clean("Tree\u2029Anchor\u2028Trunk") == "Tree Anchor Trunk"


def test_superscript_characters_stay():
    """They mean something else than the digits they are made of."""
    text = "m² 10⁻³ 18.⁹ x¹"
    assert clean(text) == text


@pytest.mark.parametrize("ruled", [True, False])
def test_table_rows_stay_whole_and_carry_their_labels(ruled: bool):
    """A label and its value are never parted."""
    rows = [
        ("Grade", "Annual leave", "Sick leave"),
        ("Grade 2", "20 days", "10 days"),
        ("Grade 3", "25 days", "12 days"),
    ]
    (page,) = pages_of(pdfs.all_of(pdfs.text("Leave depends on the grade."), pdfs.grid(rows, ruled=ruled)))
    (table,) = [b for b in page.blocks if b.kind == "table"]
    assert [r.labelled for r in table.rows][1:] == [
        "Grade 2 | Annual leave: 20 days | Sick leave: 10 days",
        "Grade 3 | Annual leave: 25 days | Sick leave: 12 days",
    ]
    assert [r.span.of(page.text) for r in table.rows][2] == "Grade 3 | 25 days | 12 days"


def test_lists_headings_and_notes_are_told_apart():
    """Each kind of block by how it looks."""
    (page,) = pages_of(
        pdfs.all_of(
            pdfs.text("2.1 Leave", size=11, font="hebo"),
            pdfs.text(
                "Everyone has leave, which is a right, and may take it at", "any time of the year.1", at=(72, 95)
            ),
            pdfs.text("• the first of the items", "• the second of the items", at=(80, 140)),
            pdfs.text("1 Except in May.", at=(72, 780), size=8),
        )
    )
    assert [kind for kind, _ in kinds(page)] == ["heading", "paragraph", "list_item", "list_item", "footnote"]
    assert page.blocks[0].level == 3


def test_a_table_that_goes_on_over_the_page_keeps_its_labels():
    """The part on the next page has no header of its own, and its rows still carry the labels."""
    header, rows = ("Item", "Price"), [(f"Item {i}", f"{100 + i}.50") for i in range(40)]
    first, second = pages_of(
        pdfs.grid([header, *rows[:20]], at=(72, 72), ruled=True), pdfs.grid(rows[20:], at=(72, 72), ruled=True)
    )
    assert first.blocks[0].rows[1].labelled == "Item 0 | Price: 100.50"
    assert second.blocks[0].rows[0].labelled == "Item 20 | Price: 120.50"


def test_titles_over_several_columns_are_part_of_the_labels():
    """A label in two lines is one label, and what stands above several columns belongs to each."""

    def draw(page: Any) -> None:  # noqa: ANN401
        for x, words in ((240, "Three months ended"), (400, "Six months ended")):
            page.insert_text((x, 100), words, fontsize=9)
        for x, month, year in (
            (230, "July 2,", "2023"),
            (300, "July 3,", "2022"),
            (390, "July 2,", "2023"),
            (460, "July 3,", "2022"),
        ):
            page.insert_text((x, 114), month, fontsize=9)
            page.insert_text((x, 126), year, fontsize=9)
        for i, name in enumerate(("Net sales", "Cost of sales", "Gross profit")):
            page.insert_text((72, 142 + 14 * i), name, fontsize=9)
            for k, x in enumerate((230, 300, 390, 460)):
                page.insert_text((x, 142 + 14 * i), f"1,{i}{k}0", fontsize=9)

    (page,) = pages_of(draw)
    (table,) = page.blocks
    assert table.rows[-1].labelled == (
        "Gross profit | Three months ended July 2, 2023: 1,200 | Three months ended July 3, 2022: 1,210"
        " | Six months ended July 2, 2023: 1,220 | Six months ended July 3, 2022: 1,230"
    )


def cells(*rows: tuple[float, list[tuple[float, str]]], size: float = 9) -> pdfs.Draw:
    """Words at their places, row by row."""

    def draw(page: Any) -> None:  # noqa: ANN401
        for y, row in rows:
            for x, words in row:
                page.insert_text((x, y), words, fontsize=size)

    return draw


def test_the_lines_of_a_columns_name_are_one_name():
    """A name in three lines beside names in one is read whole, though it stands wider than the amounts below it."""
    (page,) = pages_of(
        cells(
            (100, [(330, "EPS")]),
            (111, [(322, "(Diluted")]),
            (122, [(278, "Net"), (332, "US")]),
            (133, [(72, "($ million)"), (200, "EBITDA"), (270, "Income"), (322, "cents)")]),
            (150, [(72, "Net income of the group"), (212, "805"), (285, "805"), (337, "52.9")]),
            (164, [(72, "Tax expense"), (212, "300"), (285, "120"), (343, "1.2")]),
        )
    )
    (table,) = page.blocks
    assert table.rows[0].labelled == "($ million) | EBITDA | Net Income | EPS (Diluted US cents)"
    assert table.rows[2].labelled == "Tax expense | EBITDA: 300 | Net Income: 120 | EPS (Diluted US cents): 1.2"


def test_a_list_of_facts_has_no_header():
    """The first of several names with what holds for each names no column; a fact in two lines is one fact."""
    (page,) = pages_of(
        cells(
            (100, [(72, "Established"), (160, "June 21, 1788")]),
            (116, [(72, "Location"), (160, "Washington, D.C.")]),
            (132, [(72, "Composition"), (160, "Nomination by the president with")]),
            (142, [(72, "method"), (160, "confirmation by the senate")]),
            (158, [(72, "Judge term length"), (160, "Life tenure")]),
        )
    )
    (table,) = page.blocks
    assert [row.labelled for row in table.rows] == [
        "Established | June 21, 1788",
        "Location | Washington, D.C.",
        "Composition method | Nomination by the president with confirmation by the senate",
        "Judge term length | Life tenure",
    ]


def test_a_tables_header_that_repeats_on_every_page_is_no_running_head():
    """The first line of names in two lines stands at one height on all pages, and stays with its table."""

    def part(n: int) -> pdfs.Draw:
        return cells(
            (60, [(300, "Relation to")]),
            (71, [(72, "Name"), (180, "King from"), (300, "predecessor")]),
            *[(90 + 14 * i, [(72, f"King {n}{i}"), (180, f"{900 + n + i}"), (300, "Son")]) for i in range(4)],
        )

    pages = pages_of(*(part(n) for n in range(4)))
    assert all(page.blocks[0].kind == "table" for page in pages)
    assert pages[2].blocks[0].rows[0].labelled == "Name | King from | Relation to predecessor"


def test_what_no_reader_sees_is_left_out_and_told():
    """White, tiny, undrawn, covered and transparent text is hidden; white on black, and text over a tint, is not."""

    def draw(page: Any) -> None:  # noqa: ANN401
        page.insert_text((72, 80), "Plain to see.")
        page.insert_text((72, 120), "white lie", color=(1, 1, 1))
        page.insert_text((72, 140), "tiny lie", fontsize=1)
        page.insert_text((72, 160), "undrawn lie", render_mode=3)
        page.insert_text((72, 180), "faint lie", fill_opacity=0.01)
        page.insert_text((72, 220), "covered lie")
        page.draw_rect((60, 200, 300, 230), fill=(0, 0, 0), color=None)
        page.draw_rect((60, 240, 300, 270), fill=(0, 0, 0), color=None)
        page.insert_text((72, 260), "White on black.", color=(1, 1, 1))
        page.draw_rect((60, 280, 300, 310), fill=(0.9, 0.9, 0.6), color=None)
        page.insert_text((72, 300), "Black on a tint.")

    (page,) = pages_of(draw)
    assert "lie" not in page.text
    assert [line for line in page.text.split("\n") if line] == ["Plain to see.", "White on black.", "Black on a tint."]
    assert len(page.warnings) == 5


def test_turned_text_is_read_along_its_own_lines():
    """A note up the margin does not get between the lines of the page, and its rectangles are where it stands."""

    def draw(page: Any) -> None:  # noqa: ANN401
        page.insert_text((40, 500), "Downloaded by a guest", fontsize=8, rotate=90)
        page.insert_textbox((80, 100, 500, 700), pdfs.prose("Alpha"), fontsize=11)

    (page,) = pages_of(draw)
    assert page.text == f"{pdfs.prose('Alpha')}\n\nDownloaded by a guest"
    assert page.blocks[1].bbox.x1 < 45
    assert page.blocks[1].bbox.height > 60


word = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=9)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(word, st.integers(40, 480), st.integers(40, 800), st.integers(6, 20)), min_size=1, max_size=12),
    st.sampled_from([0, 90, 180, 270]),
)
def test_every_word_is_read_once_and_its_rectangle_is_where_it_was_drawn(
    words: list[tuple[str, int, int, int]], rotation: int
):
    """Wherever words are put, each is in the text, in one block, on the page, and under its own rectangle."""
    placed = {f"{text}{i:02}": (x, y, size) for i, (text, x, y, size) in enumerate(words)}
    apart: dict[str, tuple[int, int, int]] = {}
    for text, (x, y, size) in placed.items():
        if all(abs(y - v) > 24 or abs(x - u) > 250 for u, v, _ in apart.values()):
            apart[text] = (x, y, size)

    def draw(page: Any) -> None:  # noqa: ANN401
        for text, (x, y, size) in apart.items():
            page.insert_text((x, y), text, fontsize=size)
        page.set_rotation(rotation)

    document: Any = pymupdf.open()
    draw(document.new_page(width=595, height=842))
    document = pymupdf.open("pdf", document.tobytes())
    matrix = document[0].rotation_matrix
    (page,) = read_pages([read_page(document, 1)])
    assert sorted(page.text.replace("|", " ").split()) == sorted(apart)
    for text, (x, y, size) in apart.items():
        start = page.text.index(text)
        rects = page.glyphs.rects(Span(start, start + len(text)))
        rect = functools.reduce(Rect.union, rects)  # of a word that stands upright, each letter is a line
        width = pymupdf.get_text_length(text, fontsize=size)
        drawn = pymupdf.Rect(x, y - size, x + width, y + 0.3 * size) * matrix
        middle = pymupdf.Point((rect.x0 + rect.x1) / 2, (rect.y0 + rect.y1) / 2)
        assert drawn.contains(middle)
        assert -1 <= rect.x0 <= rect.x1 <= page.width + 1
        assert -1 <= rect.y0 <= rect.y1 <= page.height + 1


@settings(max_examples=15, deadline=None)
@given(st.integers(2, 3), st.integers(6, 14), st.integers(14, 40))
def test_columns_stay_apart_whatever_their_length_and_gap(count: int, sentences: int, gap: int):
    """The words of one column are read before those of the next."""
    texts = [pdfs.prose(name, sentences) for name in ("Alpha", "Beta", "Gamma")[:count]]
    (page,) = pages_of(pdfs.columns(texts, width=(490 - gap * (count - 1)) / count, size=8, gap=gap))
    assert page.text.replace("\n\n", " ") == " ".join(texts)


def test_a_sign_that_stands_for_a_number_is_no_number():
    """Feet that are alike but for it say different things, and nothing breaks."""
    feet = ["Lot # 5", "Lot 9 9", "Lot # 7", "Lot 3 1"]
    pages = pages_of(
        *(
            pdfs.all_of(pdfs.text(*pdfs.prose(f"Page{n}").split(". ")[:3]), pdfs.text(foot, at=(72, 600)))
            for n, foot in enumerate(feet)
        )
    )
    assert [foot in page.text for page, foot in zip(pages, feet, strict=True)] == [True] * len(feet)
