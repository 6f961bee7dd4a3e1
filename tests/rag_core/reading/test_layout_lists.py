"""Items of lists, whatever marks them."""

from __future__ import annotations

from array import array

import pytest

from rag_core.reading.layout import read_pages
from rag_core.types.rawpage import RawPage, Run
from tests import pdfs


def line(number: int, *pieces: tuple[float, str]) -> list[Run]:
    """A line of text whose pieces begin at these places; every character is five points wide."""
    top = 60.0 + 14 * number
    runs = []
    for x, words in pieces:
        edges = array("f")
        for i in range(len(words)):
            edges.extend((x + 5 * i, top, x + 5 * i + 5, top + 10))
        box = (x, top, x + 5 * len(words), top + 10)
        runs.append(Run(words, edges, box, 10, bold=False, line=number, order=number))
    return runs


@pytest.mark.parametrize("mark", ["\u2022", "\uf0b7", "\uf0a7"])
def test_a_mark_far_before_its_text_begins_an_item_and_no_table(mark: str):
    """Word's bullets come as characters of a symbol font, which have no meaning of their own."""
    runs = [
        *line(0, (60, "Teens have access to:")),
        *line(1, (70, mark + " "), (100, "technology that is new and training,")),
        *line(2, (70, mark + " "), (100, "mentors with an interest in all that is")),
        *line(3, (100, "possible, and")),
        *line(4, (70, mark + " "), (100, "paid internships.")),
    ]
    (page,) = read_pages([RawPage(1, 400, 600, tuple(runs))])
    assert [(b.kind, b.span.of(page.text)) for b in page.blocks] == [
        ("paragraph", "Teens have access to:"),
        ("list_item", f"{mark} technology that is new and training,"),
        ("list_item", f"{mark} mentors with an interest in all that is possible, and"),
        ("list_item", f"{mark} paid internships."),
    ]


def test_each_note_at_the_foot_of_a_page_is_a_note_of_its_own():
    """Close below one another, some in two lines; a number in the midst of one begins nothing."""
    notes = ("1 See the annex, in which all that", "2023 has brought is told.", "2 Except in May.", "3 Or June.")
    (page,) = pdfs.read(
        pdfs.all_of(
            pdfs.text(
                *("The text of the page is larger and has its own lines,", "and there are several of them.") * 2,
                at=(72, 72),
            ),
            pdfs.text(*notes, at=(72, 740), size=8, step=1.2),
        )
    )
    assert [(b.kind, b.span.of(page.text)) for b in page.blocks][-3:] == [
        ("footnote", f"{notes[0]} {notes[1]}"),
        ("footnote", notes[2]),
        ("footnote", notes[3]),
    ]
