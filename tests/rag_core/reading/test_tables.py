"""Rows of cells to tables: which cell a piece belongs to, and where a row and a table end."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests import pdfs

Line = tuple[float, Sequence[tuple[float, str]]]
"""The height of a baseline, and what is written on it from where on."""


def drawn(*lines: Line, size: float = 9) -> pdfs.Draw:
    """Pieces of text at their places."""
    return pdfs.all_of(*(pdfs.text(words, at=(x, y), size=size) for y, pieces in lines for x, words in pieces))


def lines_of(*lines: Line) -> list[str]:
    """What is read where these lines are drawn; the blocks one after the other."""
    (page,) = pdfs.read(drawn(*lines))
    return [line for block in page.blocks for line in block.span.of(page.text).split("\n")]


SHIPS: Sequence[Line] = (
    (160, [(60, "Sloops"), (260, "$"), (280, "4,100"), (360, "$"), (380, "3,900"), (450, "5"), (464, "%")]),
    (174, [(60, "Ketches"), (280, "2,200"), (380, "2,000"), (446, "10"), (464, "%")]),
    (188, [(60, "Yawls"), (280, "1,900"), (380, "1,700"), (446, "12"), (464, "%")]),
)
"""Rows of amounts with their signs apart."""


def test_a_sign_that_names_a_column_is_not_part_of_the_name_before_it():
    """A "%" far from any amount names its column with the word below it; close to an amount it is part of that."""
    assert lines_of(
        (134, [(270, "July 2,"), (370, "July 3,"), (454, "%")]),
        (144, [(60, "(millions)"), (280, "2023"), (380, "2022"), (436, "Change")]),
        *SHIPS,
    ) == [
        "(millions) | July 2, 2023 | July 3, 2022 | % Change",
        "Sloops | $ 4,100 | $ 3,900 | 5 %",
        "Ketches | 2,200 | 2,000 | 10 %",
        "Yawls | 1,900 | 1,700 | 12 %",
    ]


def test_signs_side_by_side_name_a_column_each():
    """Under "2019", "$" stands above the amounts and "%" above the shares."""
    rows = [
        (160.0 + 14 * i, [(60.0, name), (280.0, amount), (340.0, share), (400.0, amount), (460.0, share)])
        for i, (name, amount, share) in enumerate([("Kefir", "71,822", "77%"), ("Cheese", "11,459", "12%")])
    ]
    assert lines_of(
        (134, [(310, "2019"), (430, "2018")]),
        (146, [(60, "In thousands"), (285, "$"), (345, "%"), (405, "$"), (465, "%")]),
        *rows,
    ) == [
        "2019 | 2018",
        "In thousands | $ | % | $ | %",
        "Kefir | 71,822 | 77% | 71,822 | 77%",
        "Cheese | 11,459 | 12% | 11,459 | 12%",
    ]


def test_a_name_in_two_lines_beside_names_in_one_is_read_from_the_top():
    """Its lines overlap those of its neighbour, which is set in the middle, so that all three stand in one row."""
    assert lines_of(
        (140, [(289, "Rigid")]),
        (144, [(180, "Flexibles"), (380, "Total")]),
        (148, [(280, "Packaging")]),
        (150, [(60, "($ million)")]),
        (164, [(60, "Net sales 2023"), (195, "2,777"), (300, "897"), (390, "3,673")]),
        (178, [(60, "Net sales 2022"), (195, "2,967"), (300, "942"), (390, "3,909")]),
    ) == [
        "($ million) | Flexibles | Rigid Packaging | Total",
        "Net sales 2023 | 2,777 | 897 | 3,673",
        "Net sales 2022 | 2,967 | 942 | 3,909",
    ]


def test_a_name_of_rows_in_two_lines_is_no_part_of_the_row_above():
    """The lines of the name go together, though the second begins in lower case."""
    assert lines_of(
        (146, [(280, "2023"), (380, "2022")]),
        (160, [(60, "Net income"), (280, "4,100"), (380, "3,900")]),
        (174, [(60, "Changes in operating assets, net of")]),
        (184, [(60, "acquired assets:")]),
        (198, [(60, "Receivables"), (280, "2,200"), (380, "2,000")]),
        (212, [(60, "Payables"), (280, "1,900"), (380, "1,700")]),
    ) == [
        "2023 | 2022",
        "Net income | 4,100 | 3,900",
        "Changes in operating assets, net of acquired assets:",
        "Receivables | 2,200 | 2,000",
        "Payables | 1,900 | 1,700",
    ]


def test_the_last_row_of_a_table_is_read_whole():
    """Its name goes on in a second line; what begins with a letter of a list is the next question."""
    assert lines_of(
        (120, [(60, "a. What is the date of the plan?"), (320, "7/26/2007")]),
        (136, [(60, "b. Has the plan been changed in a way"), (320, "No")]),
        (146, [(60, "that its readers would notice?")]),
        (162, [(60, "c. If so, say in which way:")]),
    ) == [
        "a. What is the date of the plan? | 7/26/2007",
        "b. Has the plan been changed in a way that its readers would notice? | No",
        "c. If so, say in which way:",
    ]


@pytest.mark.parametrize("left", [318, 300, 280])
def test_a_unit_set_to_the_middle_of_the_names_is_no_part_of_one(left: int):
    """Whether it stands between two names, or reaches below one or both, it has a line of its own."""
    assert lines_of(
        (134, [(60, "Fair value"), (270, "June 30, 2023"), (370, "December 31, 2022")]),
        (146, [(left, "(In thousands)" if left > 280 else "(In thousands, but for the shares)")]),
        (160, [(60, "Money market funds"), (300, "2,195"), (400, "12,009")]),
        (174, [(60, "Corporate bonds"), (300, "4,561"), (400, "4,466")]),
    ) == [
        "Fair value | June 30, 2023 | December 31, 2022",
        "(In thousands)" if left > 280 else "(In thousands, but for the shares)",
        "Money market funds | 2,195 | 12,009",
        "Corporate bonds | 4,561 | 4,466",
    ]


def test_a_remark_under_one_name_is_part_of_it():
    """In brackets too, when it stands below that name alone."""
    assert lines_of(
        (134, [(60, "Measure"), (280, "Sales"), (380, "Margin")]),
        (146, [(378, "(share)")]),
        (160, [(60, "Flexibles"), (280, "2,195"), (380, "12.5")]),
        (174, [(60, "Rigid"), (280, "4,561"), (380, "14.6")]),
    ) == ["Measure | Sales | Margin (share)", "Flexibles | 2,195 | 12.5", "Rigid | 4,561 | 14.6"]


def test_a_name_goes_on_with_a_capital_where_rows_stand_apart():
    """The distance tells: the second line of a name is close to the first, the name of rows is not."""
    assert lines_of(
        (128, [(280, "2023"), (380, "2022")]),
        (146, [(60, "Net sales"), (280, "2,195"), (380, "2,009")]),
        (164, [(60, "Comparable Constant Currency"), (280, "4,561"), (380, "4,466")]),
        (174, [(60, "Growth")]),
        (192, [(60, "Other")]),
        (210, [(60, "Volume"), (280, "4,561"), (380, "4,466")]),
    ) == [
        "2023 | 2022",
        "Net sales | 2,195 | 2,009",
        "Comparable Constant Currency Growth | 4,561 | 4,466",
        "Other",
        "Volume | 4,561 | 4,466",
    ]


def test_a_line_as_close_to_the_next_row_as_to_the_one_above_stays_with_neither():
    """The first line of a long name belongs to the row below it, though the row above is near."""
    assert lines_of(
        (128, [(280, "2023"), (380, "2022")]),
        (146, [(60, "Preferred stock"), (280, "2,195"), (380, "2,009")]),
        (156, [(60, "Common stock, fifty cents each;")]),
        (166, [(60, "Shares issued"), (280, "863"), (380, "859")]),
        (184, [(60, "Capital"), (280, "4,561"), (380, "4,466")]),
        (202, [(60, "Reserves"), (280, "4,561"), (380, "4,466")]),
    )[2:4] == ["Common stock, fifty cents each;", "Shares issued | 863 | 859"]


def test_a_long_name_of_rows_cuts_no_table_in_two():
    """However long it is, it stands where the names of rows do; prose between two tables runs on below the amounts."""
    rows: Sequence[Line] = [
        (160 + 12 * i, [(60, name), (400, f"{i}1,100"), (470, f"{i}3,900")]) for i, name in enumerate("ABC")
    ]
    prose = "Between the two tables the text says, at some length, what is to be made of the first one of them."
    long = "Adjustments to reconcile net earnings to total cash provided by operating activities:"
    for words, tables in ((long, 1), (prose, 2)):
        lower = [(y + 48, pieces) for y, pieces in rows]
        (page,) = pdfs.read(drawn(*rows, (196, [(60, words)]), *lower, size=8))
        assert [block.kind for block in page.blocks].count("table") == tables
        assert words in [block.span.of(page.text) for block in page.blocks] or tables == 1
        assert page.text.count(words) == 1


def test_the_second_lines_of_rows_with_dashes_stay_apart():
    """A dash is an amount: a line that has some is a row of its own, though it begins in the middle of a sentence."""
    assert lines_of(
        (128, [(300, "2016"), (400, "2015")]),
        (146, [(60, "Class A stock, 100 shares allowed,")]),
        (156, [(60, "90 of them issued in the year"), (300, "-"), (400, "-")]),
        (166, [(60, "Class B stock, 200 shares allowed,")]),
        (176, [(60, "eighty of them issued"), (300, "-"), (400, "-")]),
        (190, [(60, "Capital"), (300, "1,357"), (400, "1,116")]),
    )[-3:] == [
        "90 of them issued in the year | - | -",
        "Class B stock, 200 shares allowed, eighty of them issued | - | -",
        "Capital | 1,357 | 1,116",
    ]


def test_names_with_what_holds_for_each_are_no_header():
    """A form in two pairs of columns: no row of it names the others, though the first have no number in them."""
    rows = [
        ("Certificate:", "Private", "Seat:", "Front"),
        ("Rating:", "Single-engine Land", "Restraint:", "Seatbelt"),
        ("Other rating:", "None", "Second pilot:", "No"),
        ("Last exam:", "03/01/2007", "Age:", "60"),
    ]
    lines = [(100.0 + 10.5 * i, [(60.0 + 120 * k, words) for k, words in enumerate(row)]) for i, row in enumerate(rows)]
    assert lines_of(*lines) == [" | ".join(row) for row in rows]


def test_rows_of_words_are_not_lines_of_the_header():
    """They stand apart; the number that tells an amount comes only in the fourth of them."""
    names = ("Lark", "Wren", "Finch", "Crane", "Stork")
    rows = list(
        zip(names, ("sloop", "ketch", "yawl", "16", "17"), ("Hull", "Goole", "Rye", "Ely", "Deal"), strict=True)
    )
    lines = [
        (100.0 + 18 * i, [(60.0 + 120 * k, words) for k, words in enumerate(row)])
        for i, row in enumerate([("Ship", "Rig", "Port"), *rows])
    ]
    (page,) = pdfs.read(drawn(*lines))
    (table,) = page.blocks
    assert [row.labelled for row in table.rows] == [
        "Ship | Rig | Port",
        *(f"{ship} | Rig: {rig} | Port: {port}" for ship, rig, port in rows),
    ]


def test_a_heading_in_larger_letters_parts_two_tables():
    """What is set larger than the rows around it is the heading of those below."""
    upper: Sequence[Line] = [(100, [(60, "Wind"), (200, "5")]), (112, [(60, "Ceiling"), (200, "250")])]
    lower: Sequence[Line] = [(150, [(60, "Runway"), (200, "3260")]), (162, [(60, "Elevation"), (200, "25")])]
    (page,) = pdfs.read(pdfs.all_of(drawn(*upper, *lower), pdfs.text("Airport", at=(60, 134), size=12)))
    assert [block.kind for block in page.blocks] == ["table", "heading", "table"]


def test_a_value_that_goes_on_below_the_last_row_is_read_whole():
    """Its further lines begin where values do, close below it."""
    assert lines_of(
        (100, [(60, "Pilot"), (200, "none")]),
        (115, [(60, "Flight time"), (200, "2640 hours in all, 2555 of this make,")]),
        (125.5, [(200, "5 hours in the last ninety days,")]),
        (136, [(200, "two in the last month")]),
    ) == [
        "Pilot | none",
        "Flight time | 2640 hours in all, 2555 of this make, 5 hours in the last ninety days, two in the last month",
    ]


def test_amounts_stay_beside_their_names_however_these_are_set():
    """Names as long as lines of prose, a little above their amounts, are no column of their own."""
    names = ("Net income for each common share of the company", "Net income for each share, all options used", "Basic")
    amounts = [("$ 5.22", "$ 2.28", "$ 3.29"), ("5.19", "2.26", "3.28"), ("2,850", "2,929", "2,995")]
    draws = [pdfs.text(name, at=(40, 100 + 16 * i), size=8) for i, name in enumerate(names)]
    for i, row in enumerate(amounts):
        draws += [pdfs.text(value, at=(400 + 60 * k, 102 + 16 * i), size=8) for k, value in enumerate(row)]
    (page,) = pdfs.read(pdfs.all_of(*draws))
    assert [line.split(" | ")[:2] for line in page.text.splitlines()] == [
        [name, row[0]] for name, row in zip(names, amounts, strict=True)
    ]
