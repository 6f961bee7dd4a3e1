"""Columns whose lengths differ."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests import pdfs


def test_a_raised_mark_stays_behind_its_line():
    """It overlaps the line it stands on, and is no line above it."""
    (page,) = pdfs.read(
        pdfs.all_of(
            pdfs.text("the models are tuned on sets of data", "or other languages, and so are those", "of others."),
            pdfs.text("1", at=(180, 78.5), size=5),
        )
    )
    assert page.text.index("or other languages") < page.text.index("1")
    assert len(page.blocks) == 1


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(2, 12), min_size=2, max_size=3), st.integers(14, 40))
@example([3, 9, 3], 24)
@example([2, 12, 2], 14)
def test_columns_of_any_lengths_are_read_one_after_the_other(lengths: list[int], gap: int):
    """A short column beside a long one is still a column, also when the long one is between two short ones."""
    texts = [pdfs.prose(name, n) for name, n in zip(("Alpha", "Beta", "Gamma"), lengths, strict=False)]
    width = (490 - gap * (len(texts) - 1)) / len(texts)
    (page,) = pdfs.read(pdfs.columns(texts, width=width, size=8, gap=gap))
    assert page.text.replace("\n\n", " ") == " ".join(texts)
