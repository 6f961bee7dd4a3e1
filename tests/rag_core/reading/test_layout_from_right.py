"""Pages in scripts that run from right to left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests import pdfs

LEAVE = (("דרגה", "ימי חופשה", "ימי מחלה"), ("שנייה", "20", "10"), ("שלישית", "25", "12"), ("רביעית", "30", "14"))
"""Grades with their days of leave and of sickness, the first column first."""


def hebrew(words: str, box: Sequence[float]) -> pdfs.Draw:
    """Words against the right side of a box, wrapped."""

    def draw(page: Any) -> None:  # noqa: ANN401
        room, scale = page.insert_htmlbox(box, f'<p dir="rtl" style="font-size:10px;margin:0">{words}</p>')
        assert (room >= 0, scale) == (True, 1), "the words overflow"

    return draw


@pytest.mark.parametrize("ruled", [True, False])
def test_the_columns_of_a_table_run_from_right_to_left(ruled: bool):
    """The name of a row is its rightmost cell, and is read first."""
    boxes = [[(380 - 120 * c, 100 + 30 * r, 500 - 120 * c, 130 + 30 * r) for c in range(3)] for r in range(len(LEAVE))]

    def rules(page: Any) -> None:  # noqa: ANN401
        for box in (box for row in boxes if ruled for box in row):
            page.draw_rect(box)

    cells = [
        hebrew(words, (x0 + 4, y0 + 8, x1 - 4, y1))
        for row, line in zip(LEAVE, boxes, strict=True)
        for words, (x0, y0, x1, y1) in zip(row, line, strict=True)
    ]
    (page,) = pdfs.read(pdfs.all_of(rules, *cells))
    (table,) = page.blocks
    assert page.text == "\n".join(" | ".join(row) for row in LEAVE)
    assert table.rows[2].labelled == "שלישית | ימי חופשה: 25 | ימי מחלה: 12"


def test_the_right_column_of_text_is_read_first():
    """As the lines themselves run, so do the columns."""
    first = " ".join(["הוועדה בחנה את הדוח הראשון באביב ומצאה אותו תקין לחלוטין"] * 8)
    second = " ".join(["המועצה דחתה את ההצעה השנייה בסתיו ולא שבה לדון בה עוד"] * 8)
    (page,) = pdfs.read(pdfs.all_of(hebrew(second, (60, 100, 280, 700)), hebrew(first, (310, 100, 530, 700))))
    assert page.text == f"{first}\n\n{second}"
