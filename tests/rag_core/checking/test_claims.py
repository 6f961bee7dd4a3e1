"""A draft becomes the claims it makes, each with its markers and its place."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_core.checking.claims import claims, standalone


def read(draft: str) -> list[tuple[str, tuple[int, ...]]]:
    """Text and markers of each claim."""
    return [(c.text, c.markers) for c in claims(draft)]


@pytest.mark.parametrize(
    ("draft", "markers"),
    [
        ("Leave is 25 days [1].", (1,)),
        ("Leave is 25 days. [1]", (1,)),
        ("Leave is 25 days.[1][2]", (1, 2)),
        ("Leave is 25 days [1, 3].", (1, 3)),
        ("Leave is 25 days [2-4].", (2, 3, 4)),
        ("[4] Leave is 25 days.", (4,)),
        ("Leave [1] is 25 days [2].", (1, 2)),
        ("Leave is 25 days【3†source】.", (3,)),
        ("Leave is 25 days [^2].", (2,)),
        ("Leave is 25 days [Source 2].", (2,)),
        ("Leave is **25 days** [1](#p1).", (1,)),
        ("Leave is 25 days [1] and [2].", (1, 2)),
        ("Leave is 25 days ([1], [2]).", (1, 2)),
        ("Leave is 25 days (see [1]).", (1,)),
        ("Leave is 25 days [Doc 1, p. 3].", (1,)),
        ("Leave is 25 days [1: page 4].", (1,)),
    ],
)
def test_markers_are_read_wherever_they_stand(draft: str, markers: tuple[int, ...]):
    """Before or after the full stop, alone, in lists and ranges, in other tools' brackets."""
    (claim,) = claims(draft)
    assert claim.markers == markers
    assert claim.text == "Leave is 25 days."
    assert claim.span.of(draft) == draft


def test_each_sentence_keeps_its_own_markers():
    """A marker belongs to the sentence it follows, not to the next one."""
    assert read("Dr. Ho paid 1.5 bn. [1] It fell by 3.2 % in Jan. 2019 [2]. Nobody knew.") == [
        ("Dr. Ho paid 1.5 bn.", (1,)),
        ("It fell by 3.2 % in Jan. 2019.", (2,)),
        ("Nobody knew.", ()),
    ]


def test_a_citation_phrase_leaves_with_its_marker():
    """The words around "[1]" that only serve it are no part of what is claimed."""
    assert read("According to [1], the fee is 5 euros.") == [("the fee is 5 euros.", (1,))]


@pytest.mark.parametrize(
    "draft",
    [
        "Who approves it?",
        "# Annual leave",
        "**Annual leave**",
        "I could not find the approver in the documents.",
        "The passages do not mention a stock price.",
        "I don't know.",
        "There is no information about that in the provided documents.",
        "Here is what the document says:",
        "Let me know if you need more.",
        "There is no mention of parental leave.",
        "None of the passages mentions parking.",
        "Parking is not mentioned in the documents.",
        "Parking isn't addressed anywhere.",
        "The handbook is silent on this.",
        "As an AI language model, I cannot verify this.",
        "Sources: [1], [2]",
        "See Fig. 3 for more.",
        "The component descriptions:",
        "The component descriptions [1]:",
        "1. The component descriptions [1]:",
        "Staff are entitled to the following [1]:",
        "The answer is 7.",
        "So the correct answer to this question is 15 days. [1]",
        "My answer would be: no.",
    ],
)
def test_what_asserts_nothing_is_not_checkable(draft: str):
    """Questions, headings, hedges and talk are kept, and never counted."""
    assert [c.checkable for c in claims(draft)] == [False]


@pytest.mark.parametrize(
    "draft",
    [
        "I could not find the figure, but it is 12 %.",
        "The passages do not mention 2019, when profit doubled.",
        "## Profit doubled in 2019. [1]",
        "```\nProfit doubled.\n```",
        "Profit doubled, didn't it. Yes.",
        "Please note that profit doubled. [1]",
        "Meals are not included in the price.",
        "Profit is not given to members.",
        "The answer is that profit doubled.",
        "The answer must be given within ten days.",
    ],
)
def test_a_statement_cannot_hide(draft: str):
    """A hedge, a heading or a code fence around a statement does not spare it the check."""
    assert any(c.checkable for c in claims(draft))


@pytest.mark.parametrize("title", ["Annual leave", "How leave is counted"])
@pytest.mark.parametrize("between", ["\n", "\n\n", "\n- "])
def test_a_line_that_names_what_follows_asserts_nothing(title: str, between: str):
    """A heading is one without Markdown, too."""
    found = claims(f"{title}{between}Staff have 25 days of leave in every year [1].")
    assert [c.checkable for c in found if c.text == title] in ([False], [])
    assert any(c.checkable and "25 days" in c.text for c in found)


@pytest.mark.parametrize(
    "answer", ["Hester Larkspur", "The Head of People", "25 days\n\nStaff have 25 days of leave [1]."]
)
def test_a_short_answer_is_no_heading(answer: str):
    """A name alone may be all that was asked for, and a figure is always checked."""
    assert claims(answer)[0].checkable


def test_lists_and_tables_give_a_claim_a_line():
    """List items take their lead-in as subject; rows take their column labels."""
    items = "Benefits include:\n- dental care [2]\n- 3 weeks of sick leave. [3]"
    draft = f"{items}\n\n| Grade | Days |\n|---|---|\n| 1 | 25 [1] |"
    found = [c for c in claims(draft) if c.checkable]
    assert [(standalone(c), c.markers) for c in found] == [
        ("Benefits include: dental care", (2,)),
        ("Benefits include: 3 weeks of sick leave.", (3,)),
        ("Grade: 1 | Days: 25", (1,)),
    ]
    assert all(c.span.of(draft) in draft for c in found)


def test_a_fragment_takes_its_subject_from_before_it():
    """A pronoun is read as the last thing that fits it."""
    made = [
        standalone(c) for c in claims("Employees get leave. The dropout rate was 10 %. It rose to 12 %. They left.")
    ]
    assert made[2:] == ["The dropout rate rose to 12 %.", "Employees left."]


@given(st.text(alphabet=st.sampled_from(list("abAB.?! \n|-*#[]12,:`")), max_size=150))
def test_claims_run_forward_and_hold_every_word(draft: str):
    """Whatever the draft, claims lie in it in order, without overlap."""
    found = claims(draft)
    assert all(a.span.end <= b.span.start for a, b in itertools.pairwise(found))
    assert all(c.span.end <= len(draft) for c in found)


def test_a_marker_ends_a_statement_within_its_sentence():
    """Each half is held against what it cites; one marker at the end covers both."""
    assert read("Leave is 25 days [1]; notice is a month [2].") == [
        ("Leave is 25 days", (1,)),
        ("notice is a month.", (2,)),
    ]
    assert read("Leave is 25 days, and notice is a month [2].") == [("Leave is 25 days, and notice is a month.", (2,))]
    assert read("Leave is 25 days [1], not 20 [2].") == [("Leave is 25 days, not 20.", (1, 2))]


def test_a_table_needs_no_outer_bars():
    """Its rows take their labels all the same."""
    found = [c for c in claims("Grade | Days\n--- | ---\n3 | 25 [1]") if c.checkable]
    assert [(standalone(c), c.markers) for c in found] == [("Grade: 3 | Days: 25", (1,))]


def test_items_with_labels_take_no_subject_from_one_another():
    """Each says itself what it is of."""
    assert [standalone(c) for c in claims("- **Leave:** 25 days\n- **Notice:** one month")] == [
        "Leave: 25 days",
        "Notice: one month",
    ]


def test_a_list_of_sources_states_nothing():
    """Titles under "References" are no claims; sentences there still are."""
    assert not any(c.checkable for c in claims("References\n[1] Handbook, p. 3\n[2] Guide, p. 4"))
    assert any(c.checkable for c in claims("References\nThe handbook was changed in 2019."))


@pytest.mark.parametrize(
    "lead",
    ["Please note that ", "In summary, ", "Based on the passages, ", "However, ", "Yes, ", "The answer is that "],
)
def test_what_is_put_before_a_statement_is_not_held_against_the_page(lead: str):
    """The statement alone is compared; the claim keeps its words."""
    (claim,) = claims(f"{lead}staff get 25 days [1].")
    assert standalone(claim) == "Staff get 25 days."
    assert claim.text == f"{lead}staff get 25 days."
