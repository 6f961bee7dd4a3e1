"""Raw pages to pages as a person reads them."""

from __future__ import annotations

from typing import Any

import pymupdf
import pytest

from rag_core.adapters.pdf_pages import read_page
from rag_core.layout import read_pages
from rag_core.types import Page
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
