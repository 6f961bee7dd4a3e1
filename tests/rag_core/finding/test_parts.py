"""Chunks to the sentences and rows that a question is compared with one by one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from builders import chunk_of
from hypothesis import given
from hypothesis import strategies as st

from rag_core.finding.parts import LEAST, MOST, Wholes, parts_of
from rag_core.types import Span


def test_rows_are_parts_of_their_own():
    """A table's rows are told from each other."""
    rows = ["Grade 3 | Annual leave: 25 days | Notice: 2 months", "Grade 4 | Annual leave: 28 days | Notice: 3 months"]
    chunk = chunk_of("\n".join(rows), context="Leave")
    assert [part.of(chunk.indexed) for part in parts_of(chunk)] == rows


def test_a_short_line_belongs_to_what_follows_it():
    """A heading alone says nothing to compare."""
    chunk = chunk_of(
        "2.1 Leave\nGrade 3 has twenty-five days of annual leave.\nNobody may carry over more than five days."
    )
    assert [part.of(chunk.indexed) for part in parts_of(chunk)] == [
        "2.1 Leave\nGrade 3 has twenty-five days of annual leave.",
        "Nobody may carry over more than five days.",
    ]


def test_one_sentence_has_no_parts():
    """It is its own part."""
    assert parts_of(chunk_of("Nobody may carry over more than five days of annual leave.")) == []


@given(st.lists(st.text("ab .\n|", min_size=1, max_size=90), min_size=1, max_size=40), st.text("ab\n", max_size=9))
def test_parts_lie_in_the_text_in_order(lines: list[str], context: str):
    """They are bounded in number, none reaches into the context, and what they leave out is blank."""
    chunk = chunk_of("\n".join(["x", *lines, "x"]), context=context)
    parts = parts_of(chunk)
    assert len(parts) <= MOST
    assert all(len(part) >= LEAST for part in parts)
    ends = [len(chunk.indexed) - len(chunk.text), *(part.end for part in parts)]
    starts = [part.start for part in parts]
    between = [chunk.indexed[end:start] for end, start in zip(ends, starts, strict=False)]
    assert not parts or not "".join([*between, chunk.indexed[ends[-1] :]]).strip()


def test_the_vector_of_a_section_is_the_mean_of_its_parts():
    """Of those of the section before the last chunk alone, wherever a batch ends."""
    section = Span(0, 9)
    parts = [replace(chunk_of("abc", start=start), section=section) for start in (0, 3, 6)]
    whole = replace(chunk_of("abcabcabc"), whole=True)
    wholes = Wholes()
    wholes.given([chunk_of("before", page=2), *parts[:2]], np.eye(3, dtype=np.float32)[:, None])
    last, mean = wholes.given([parts[2], whole], np.eye(3, dtype=np.float32)[None, :1])
    assert last.tolist() == [[1, 0, 0]]
    assert mean == pytest.approx(np.full((1, 3), 3**-0.5))
