"""Titles in several lines, and what only looks like them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pymupdf
import pytest

from tests import pdfs

BOLD = pymupdf.Font("hebo")
STATEMENTS = (
    "STATEMENTS OF INCOME",
    "BALANCE SHEETS AND NOTES",
    "STATEMENTS OF CASH FLOWS",
    "CHANGES IN EQUITY OF OWNERS",
)


def centred(*lines: str, top: float, size: float = 10, step: float = 1.3) -> pdfs.Draw:
    """Bold lines, each in the middle of the page."""

    def draw(page: Any) -> None:  # noqa: ANN401
        for i, line in enumerate(lines):
            x = (page.rect.width - BOLD.text_length(line, size)) / 2
            page.insert_text((x, top + i * step * size), line, fontsize=size, fontname="hebo")

    return draw


def kinds_of(draws: Iterable[pdfs.Draw]) -> list[list[tuple[str, str]]]:
    """The blocks of each page, by kind and text."""
    return [[(b.kind, b.span.of(page.text)) for b in page.blocks] for page in pdfs.read(*draws)]


@pytest.mark.parametrize("step", [1.3, 1.8])
@pytest.mark.parametrize("company", ["LARK AND DAUGHTERS", "LARK, INC."])
def test_the_company_above_its_statements_is_part_of_their_titles(company: str, step: float):
    """It repeats on every page as a running head does, and is no less the first line of each title."""
    for statement, blocks in zip(
        STATEMENTS,
        kinds_of(
            pdfs.all_of(
                pdfs.text("Table of Contents", at=(40, 30), size=8),
                centred(company, statement, "(In thousands)", top=60, step=step),
                pdfs.text(f"What there is to say of {statement.lower()}", "is said below this title.", at=(72, 140)),
            )
            for statement in STATEMENTS
        ),
        strict=True,
    ):
        headings = [text for kind, text in blocks if kind == "heading"]
        assert " ".join(headings) == f"{company} {statement} (In thousands)"
        assert blocks[0] == ("header", "Table of Contents")
        assert blocks[-1][0] == "paragraph"


def test_a_running_head_in_several_bold_lines_stays_one():
    """All of its lines repeat, and what is below them is text."""
    for blocks in kinds_of(
        pdfs.all_of(
            centred("LARK AND DAUGHTERS", "NOTES TO THE STATEMENTS", "(UNAUDITED)", top=40),
            pdfs.text(f"Of {statement.lower()} we say here", "as much as the others do.", at=(72, 100)),
        )
        for statement in STATEMENTS
    ):
        assert [kind for kind, _ in blocks] == ["header", "header", "header", "paragraph"]


def test_bold_text_set_to_the_left_is_a_heading_in_one_or_two_lines_only():
    """A longer one is a paragraph that is emphasised; set to the middle it is a title."""
    lines = (
        "The name of the company that reports",
        "what it has earned and what it owes",
        "in the year that has gone by",
    )
    (blocks,) = kinds_of(
        [
            pdfs.all_of(
                pdfs.text(*lines, at=(72, 100), font="hebo"),
                centred(*lines, top=200, size=11),
                pdfs.text(
                    "The text is set in plain letters of the same size", "and goes on below the title.", at=(72, 300)
                ),
            )
        ]
    )
    assert [kind for kind, _ in blocks] == ["paragraph", "heading", "paragraph"]


@pytest.mark.parametrize("foot", ["{}", "F-{}", "Lark 2021 report {}"])
def test_the_number_of_a_page_right_below_its_text_is_a_foot(foot: str):
    """It stands at another height on each page, but counts up with them."""

    def page(n: int) -> pdfs.Draw:
        lines = tuple(f"Line {i} of what {STATEMENTS[n % 4].lower()} say" for i in "abcdefghij"[: 4 + 2 * (n % 4)])
        end = 100 + len(lines) * 15
        return pdfs.all_of(pdfs.text(*lines, at=(72, 100)), pdfs.text(foot.format(n), at=(280, end + 20)))

    for n, blocks in enumerate(kinds_of(page(n) for n in range(41, 46)), 41):
        assert blocks[-1] == ("footer", foot.format(n))
        assert [kind for kind, _ in blocks[:-1]] == ["paragraph"] * (len(blocks) - 1)


@pytest.mark.parametrize("number", ["{}00", "9" * 5000])
def test_a_number_below_the_text_that_counts_nothing_is_text(number: str):
    """A result at the end of a page stays, on however many pages there is one, and however long it is."""
    pages = [
        pdfs.all_of(
            pdfs.text(f"The sum of {statement.lower()} is", "as follows here:", at=(72, 100)),
            pdfs.text(number.format(n), at=(280, 160), size=0.5 if len(number) > 9 else 11),
        )
        for n, statement in enumerate(STATEMENTS)
    ]
    assert all(kind == "paragraph" for blocks in kinds_of(pages) for kind, _ in blocks)


def test_lines_of_one_width_in_the_middle_of_the_page_are_a_title():
    """They begin at one place by chance, as lines that are set to the left do by rule."""
    company, statements = "LARK AND DAUGHTERS", ("DAUGHTERS LARK AND", "AND LARK DAUGHTERS", "AND DAUGHTERS LARK")
    for statement, blocks in zip(
        statements,
        kinds_of(
            pdfs.all_of(
                centred(company, statement, top=60),
                pdfs.text(f"Assets of {statement}", at=(40, 140)),
                pdfs.text("2021", at=(530, 140)),
            )
            for statement in statements
        ),
        strict=True,
    ):
        assert blocks[0] == ("heading", f"{company} {statement}")


def test_the_company_beside_the_name_of_its_statement_is_part_of_the_title():
    """The name is on no other page, so that the row is no running head; beside a chapter of several pages it is one."""
    for statement, blocks in zip(
        STATEMENTS,
        kinds_of(
            pdfs.all_of(
                pdfs.text(statement, at=(40, 60), size=9, font="hebo"),
                pdfs.text("LARK AND DAUGHTERS", at=(450, 60), size=9, font="hebo"),
                pdfs.text(f"What there is to say of {statement.lower()}", "is said below.", at=(40, 100)),
            )
            for statement in STATEMENTS
        ),
        strict=True,
    ):
        assert statement in " ".join(text for kind, text in blocks if kind != "header")
    chapter = [
        pdfs.all_of(
            pdfs.text("CASH AND ITS USES", at=(40, 60), size=9, font="hebo"),
            pdfs.text("LARK AND DAUGHTERS", at=(450, 60), size=9, font="hebo"),
            pdfs.text(f"What there is to say of {statement.lower()}", "is said below.", at=(40, 100)),
        )
        for statement in STATEMENTS
    ]
    assert all(blocks[0][0] == "header" for blocks in kinds_of(chapter))


def test_a_name_in_letters_far_larger_than_the_text_is_a_title_on_every_page():
    """No running head is set so large."""
    pages = [
        pdfs.all_of(
            pdfs.text("LARK, INC.", at=(40, 70), size=30),
            pdfs.text(*(f"Of {statement.lower()} we say here what is line {n}" for n in "abcdef"), at=(40, 140)),
        )
        for statement in STATEMENTS
    ]
    assert all(blocks[0][0] != "header" for blocks in kinds_of(pages))


def test_a_title_of_two_lines_of_one_width_may_stand_beside_the_middle_of_what_there_is():
    """Where the text ends early, the middle of the page is not the middle of the text."""
    company, statements = "LARK AND DAUGHTERS", ("DAUGHTERS LARK AND", "AND LARK DAUGHTERS", "AND DAUGHTERS LARK")
    pages = [
        pdfs.all_of(
            centred(company, statement, top=60),
            pdfs.text(f"Assets of {statement}", at=(40, 140)),
            pdfs.text("2021", at=(480, 140)),
        )
        for statement in statements
    ]
    for statement, blocks in zip(statements, kinds_of(pages), strict=True):
        assert blocks[0] == ("heading", f"{company} {statement}")
