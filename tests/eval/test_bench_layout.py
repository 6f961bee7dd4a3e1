"""What the layout bench counts as kept: evidence, rows of tables, and lines that follow each other."""

from __future__ import annotations

from typing import Any

from eval.bench.layout_scores import Line, coverage, joints, normalised, row_kept, row_lines, rows_in, sample

STATEMENT = "Revenue: Subscription $ 16,388 $ 14,573 Product 532 555 Total revenue 17,606 15,785 Years 2022 2021"


def test_evidence_is_whole_when_it_stands_together_on_one_of_the_pages() -> None:
    """Line breaks, hyphens at a line's end and other pages do not matter; a word from elsewhere in between does."""
    evidence = ["the certification program for all examiners of the agency"]
    kept = normalised("By then the certi-\nfication program\nfor all examiners of the agency was done.")
    cut = normalised("the certification program for | Objective 1.1 | all examiners of the agency")

    assert coverage(evidence, ["", kept]) == (True, 1.0)
    whole, pieces = coverage(evidence, [cut])
    assert not whole
    assert pieces < 1


def test_rows_are_labels_with_at_least_two_values_and_no_dates() -> None:
    """A sentence with numbers in it has no rows, and a row of years is a heading."""
    assert [(row.label, row.values) for row in rows_in(STATEMENT)] == [
        ("revenuesubscription", ("16388", "14573")),
        ("product", ("532", "555")),
        ("totalrevenue", ("17606", "15785")),
    ]
    assert rows_in("It grew from 3 to 4 on December 31, 2019 and again by 5 6 later.") == []


def test_a_row_is_kept_only_by_a_line_of_its_own() -> None:
    """Values on other lines are lost, and a whole table run into one line has no rows."""
    product = rows_in(STATEMENT)[1]

    assert row_kept(product, row_lines("Product | $ 532 | 555")) == (True, True)
    assert row_kept(product, row_lines("Product | 532\n555")) == (True, False)
    assert row_kept(product, row_lines("Product\n532 | 555")) == (False, False)
    assert row_kept(product, row_lines("Product 532 555" + " and all the other rows of the table" * 5)) == (
        False,
        False,
    )


def test_the_lines_of_a_column_are_followed_downwards_and_then_to_the_next_column() -> None:
    """Joints are those of reading one column after the other, however the lines lie side by side."""
    words = ("one", "two", "three", "four", "five")
    left = [_line(f"left column, text number {word}", 40, 100 + 12 * i) for i, word in enumerate(words)]
    right = [_line(f"right column, text number {word}", 300, 100 + 12 * i) for i, word in enumerate(words)]
    text = normalised(" ".join(line[0] for line in [*left, *right]))

    found = joints([*left, *right])

    assert len(found) == 9
    assert all(joint in text for joint in found)


def test_the_rows_of_a_table_are_not_followed_downwards() -> None:
    """Two short pieces beside a label make a row, which is read from left to right."""
    rows = [
        line
        for i in range(3)
        for line in (
            _line(f"a label that is long enough {i}", 40, 100 + 12 * i),
            _line("1,000", 300, 100 + 12 * i),
            _line("2,000", 400, 100 + 12 * i),
        )
    ]

    assert joints(rows) == []


def test_a_sample_takes_the_sources_in_turn_and_is_the_same_for_the_same_seed() -> None:
    """A large source does not crowd out a small one; rows without words on a page are left out."""
    rows = [_row("large", f"large{i}.pdf") for i in range(20)] + [_row("small", "small.pdf")]
    rows += [_row("none", "none.pdf", evidence_verbatim_on_page=None), _row("far", "far.pdf", pages=[1, 2, 3, 4])]

    chosen = sample(rows, 4, seed=1)

    assert sorted(gold.source for gold in chosen) == ["large", "large", "large", "small"]
    assert sample(rows, 4, seed=1) == chosen


def _line(text: str, x0: float, y0: float) -> Line:
    return text, x0, y0, x0 + 200, y0 + 10


def _row(source: str, pdf: str, **changes: Any) -> dict[str, Any]:  # noqa: ANN401 -- JSON
    row = {"source": source, "pdf": pdf, "pages": [1], "evidence": "words", "evidence_verbatim_on_page": True}
    return row | changes
