"""Sentences are found where a reader would find them."""

# ruff: noqa: RUF001

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_core.text.sentences import around, sentences


def cut(text: str) -> list[str]:
    """The sentences themselves."""
    return [span.of(text) for span in sentences(text)]


@pytest.mark.parametrize(
    "one",
    [
        "Dr. Smith et al. (2019) paid $1.5 bn. to A. B. Jones Inc. of Ohio.",
        "See Fig. 3 and Sec. 4.2 for details, e.g. the U.S. Treasury's figures.",
        "Revenue rose 3.5 % to 1,000.5 million on Jan. 5 at 5 p.m. local time.",
        "He asked “Why?” and left.",
        "George W. Bush and J. R. R. Tolkien met at No. 10 Downing St. on Monday.",
        "The rate was approx. 12 % vs. 11 % in Vol. II of the report.",
        "The plan covers employees\nwho have worked for the company for\nmore than one year.",
        "1. Payment is due within 30 days.",
    ],
)
def test_one_sentence_stays_whole(one: str):
    """Abbreviations, initials, decimals, item numbers and wrapped lines do not split."""
    assert cut(one) == [one]


@pytest.mark.parametrize(
    "parts",
    [
        ["It moved to the U.S.", "The plan failed."],
        ["It rose to 12 %.", "It fell in 2019.", "Why?", "Nobody knows!"],
        ["He left at 5 p.m.", "The office closed."],
        ["“It is over.”", "She left."],
        ["It grew.[1][2]", "It shrank. [3]", "It ended."],
        ["See Appendix A.", "The leave is there."],
        ["This was noted.3", "The next year differed."],
        ["Until they are 18.⁹", "The next year differs.¹, ²", "See “this.”³", "It ends."],
        ["the crew was hit .", "phillips was taken to hospital ."],
        ["The answer was no.", "He left."],
        ["He was born in 1990.", "2001 was his best year."],
        ["You and I.", "We did it."],
    ],
)
def test_sentences_are_parted(parts: list[str]):
    """A full stop that ends a sentence ends it, with its quotes, brackets and markers."""
    assert cut(" ".join(parts)) == parts


def test_chinese_and_japanese_need_no_space():
    """Ideographic full stops end sentences."""
    parts = ["今日は雨です。", "明日は晴れ！", "「本当？」", "と聞いた。"]
    assert cut("".join(parts)) == parts


def test_items_and_rows_stand_alone():
    """List items, headings and table rows are cut at their lines, without full stops."""
    text = "Leave\n\nYou get:\n- 25 days\n- 3 weeks\n  of notice\n\nGrade | Days\n1 | 25\n2 | 30"
    assert cut(text) == ["Leave", "You get:", "- 25 days", "- 3 weeks\n  of notice", "Grade | Days", "1 | 25", "2 | 30"]


@pytest.mark.parametrize(
    "parts",
    [
        ["How long is set out in section\n25.", "Customer data is kept for six years."],
        ["Anyone who wishes to join applies by May\n2.", "The waiting list opens on that day."],
        ["You get what follows.", "7. A day for moving house"],
        ["What it is.", "2. What it is for"],
        ["You get", "1. 25 days", "2. a place to keep\nyour bicycle", "3. lunch"],
        ["4. Leave of 25 days", "5. Sick pay"],
    ],
)
def test_a_number_at_the_start_of_a_wrapped_line_is_no_item(parts: list[str]):
    """It begins one after a sentence's end, or when it counts up with the items around it."""
    assert cut("\n".join(parts).replace("25.\nC", "25. C").replace("2.\nT", "2. T")) == parts


def test_a_heading_above_prose_is_cut_off():
    """A short line that the margin did not end is its own sentence."""
    text = "Annual leave\nEvery employee has twenty-five days of paid leave in each calendar\nyear of service."
    assert cut(text)[0] == "Annual leave"


def test_text_without_stops_is_cut_at_lines():
    """A page of figures does not become one sentence."""
    text = "\n".join(f"item {i} of a long list with no stops whatever in it" for i in range(60))
    assert max(map(len, cut(text))) <= 700


def test_around_finds_the_sentence():
    """An offset belongs to the sentence that covers it."""
    text = "One. Two."
    spans = sentences(text)
    assert [around(spans, i) for i in (0, 3, 4, 5, 8, 9)] == [0, 0, None, 1, 1, None]


@given(st.text(alphabet=st.sampled_from(list("abAB.!?。 \n\t|-1,;“”[]()…#")), max_size=200))
def test_nothing_visible_is_lost(text: str):
    """Spans run forward, do not overlap, and hold every visible character."""
    spans = sentences(text)
    assert all(a.end <= b.start for a, b in itertools.pairwise(spans))
    assert re.sub(r"\s", "", "".join(s.of(text) for s in spans)) == re.sub(r"\s", "", text)
    assert all(s.of(text) == s.of(text).strip() for s in spans)
