"""What each policy publishes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from builders import document_id

from rag_core.answering.publication import publish
from rag_core.checking.claims import claims
from rag_core.types import CheckedClaim, Citation, Claim, Policy, Rect, Span, Verdict


def claim(text: str, verdict: Verdict, *quotes: str, page: int = 1) -> CheckedClaim:
    """A checked claim that cites these quotes of one page."""
    citations = tuple(
        Citation(9, document_id(1), "t", page, quote, Span(i * 100, i * 100 + len(quote)), (Rect(0, 0, 1, 1),))
        for i, quote in enumerate(quotes)
    )
    return CheckedClaim(Claim(text, Span(0, len(text)), (9,)), verdict, 0.9, (), citations)


TRUE = claim("Leave is 25 days.", Verdict.SUPPORTED, "Leave is 25 days.")
FALSE = claim("Leave is 30 days.", Verdict.CONTRADICTED)
MORE = claim("Boats stay in harbour in storms.", Verdict.SUPPORTED, "In storms no boat leaves.", page=2)


def test_strict_publishes_supported_claims_alone():
    """What failed is withheld, and counted."""
    published = publish([TRUE, FALSE, MORE], "strict")
    assert published.text == "“Leave is 25 days.” [1]\nBoats stay in harbour in storms. [2]"
    assert published.withheld == (FALSE,)
    assert [c.citations[0].marker for c in published.claims] == [1, 2]


def test_a_pronoun_names_its_thing_where_the_sentence_before_is_withheld():
    """What is left would else be read of something that nobody sees."""
    it = claim("It was 20 days before.", Verdict.SUPPORTED, "It was 20 days before.")
    it = replace(it, claim=replace(it.claim, subject="Annual leave"))
    assert publish([FALSE, it], "strict").text == "Annual leave was 20 days before. [1]"
    assert publish([TRUE, it], "strict").text.endswith("“It was 20 days before.” [2]")


def test_flag_shows_the_others_marked():
    """Nobody takes them for checked."""
    assert publish([TRUE, FALSE], "flag").text == "“Leave is 25 days.” [1]\nLeave is 30 days. (contradicted)"


def test_quote_publishes_what_the_page_says():
    """Not what the writer made of it."""
    assert publish([MORE], "quote").text == "“In storms no boat leaves.” [1]"


@pytest.mark.parametrize("policy", ["strict", "flag", "quote"])
def test_nothing_supported_nothing_published(policy: Policy):
    """Under any policy."""
    published = publish([FALSE], policy)
    assert (published.text, published.claims, published.withheld) == ("", (), (FALSE,))


def test_what_opens_a_list_stands_above_it_once():
    """Bare, without quotation marks or a citation: it is no claim."""
    items = [claim(text, Verdict.SUPPORTED, text) for text in ("• Gloves.", "• Boots.")]
    opened = [replace(item, claim=replace(item.claim, lead="You need:")) for item in items]
    assert publish([TRUE, *opened], "strict").text.splitlines() == [
        "“Leave is 25 days.” [1]",
        "You need:",
        "“• Gloves.” [2]",
        "“• Boots.” [3]",
    ]


def test_one_place_keeps_one_number():
    """Two claims that rest on the same quote share its marker."""
    published = publish([TRUE, MORE, TRUE], "strict")
    assert [c.citations[0].marker for c in published.claims] == [1, 2, 1]


def test_quotation_marks_are_a_promise():
    """A paraphrase never stands between them."""
    assert "“" not in publish([MORE], "strict").text


def test_rows_stand_under_the_header_of_their_table():
    """Once for all that follow each other, with as many cells as the widest row; the header is no claim."""

    def row(text: str) -> CheckedClaim:
        checked = claim(text, Verdict.SUPPORTED, text)
        return replace(checked, claim=replace(checked.claim, columns="Grade | Leave"))

    published = publish([TRUE, row("Grade 3 | 25 days"), row("Grade 4 | 28 days")], "strict")
    assert published.text == (
        "“Leave is 25 days.” [1]\n\n| Grade | Leave |\n|---|---|\n| Grade 3 | 25 days [1] |\n| Grade 4 | 28 days [1] |"
    )
    assert publish([row("Grade 3 | 25 days | 5")], "strict").text.startswith("| Grade | Leave |  |\n|---|---|---|\n")


def test_what_is_published_of_a_table_is_claimed_by_its_rows_alone():
    """Whoever checks the answer again checks what it says, each cell with its column."""
    row = claim("Grade 3 | 25 days", Verdict.SUPPORTED, "Grade 3 | 25 days")
    published = publish([replace(row, claim=replace(row.claim, columns="Grade | Leave"))], "strict")
    again = [found.text for found in claims(published.text) if found.checkable]
    assert again == ["Grade: Grade 3 | Leave: 25 days"]
