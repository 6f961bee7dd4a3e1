"""A page to its sections."""

from __future__ import annotations

from rag_core.reading.sections import ENOUGH, section_of, sections_of
from rag_core.types import FURNITURE, Block, BlockKind, Page, Rect, Span
from tests.builders import glyphs_of

LONG = "x" * ENOUGH


def page_of(*blocks: tuple[BlockKind, str]) -> Page:
    """A page made of blocks, one after the other."""
    text, made = "", []
    for kind, words in blocks:
        start = len(text) + 2 if text else 0
        text = f"{text}\n\n{words}" if text else words
        made.append(Block(kind, Span(start, len(text)), Rect(0, 0, 1, 1), 2 if kind == "heading" else 0))
    return Page(1, 100, 100, "text", text, tuple(made), glyphs_of(text))


def read(page: Page) -> list[str]:
    """The sections' texts."""
    return [section.of(page.text) for section in sections_of(page)]


def test_a_section_goes_from_one_heading_to_the_next():
    """Headings that follow each other begin one section, and running heads are part of none."""
    page = page_of(
        ("header", "Report"),
        ("paragraph", LONG),
        ("heading", "Leave"),
        ("heading", "Annual leave"),
        ("paragraph", LONG),
        ("heading", "Pay"),
        ("table", LONG),
        ("footer", "7"),
    )
    assert read(page) == [LONG, f"Leave\n\nAnnual leave\n\n{LONG}", f"Pay\n\n{LONG}"]


def test_short_sections_are_one():
    """A title stays with the table under it, and a page of small headings is one thing."""
    page = page_of(("heading", "Statement"), ("paragraph", "In millions"), ("heading", "Assets"), ("table", "Cash | 5"))
    assert read(page) == [page.text]


def test_no_section_reaches_over_a_running_head():
    """What stands before furniture and what stands after it are two."""
    page = page_of(("paragraph", "Before."), ("header", "Report"), ("paragraph", "After."))
    assert read(page) == ["Before.", "After."]
    assert all(block.kind not in FURNITURE for block in page.blocks if block.span in sections_of(page))


def test_a_part_is_in_the_section_that_holds_it():
    """And is its own section where none does."""
    sections = (Span(0, 10), Span(12, 40))
    assert section_of(sections, 15, 20) == Span(12, 40)
    assert section_of(sections, 8, 15) == Span(8, 15)


def test_a_line_above_a_heading_belongs_to_what_follows():
    """The exhibit's number says nothing without the statement, however long that is."""
    page = page_of(("paragraph", "Exhibit 99.1"), ("heading", "Statement of income"), ("table", LONG))
    assert read(page) == [page.text]


def test_headings_with_nothing_under_them_belong_to_what_is_before():
    """The last questions of a form, which nobody has answered, are part of it."""
    page = page_of(("heading", "Risks"), ("table", LONG), ("heading", "c. If so, how?"), ("heading", "N/A"))
    assert read(page) == [page.text]
