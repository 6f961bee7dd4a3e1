"""Pages that are pictures are known as such, and read whichever way they lie."""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from rag_core.adapters.pdf import PdfExtractor
from rag_core.reading.layout import read_pages
from rag_core.reading.scans import needs_reading, with_picture_read
from rag_core.types import Page, Span
from rag_core.types.rawpage import Box, RawPage, Run, Shape
from tests import pdfs

SIZE = (200.0, 110.0)
"""Points: small pictures are read fast."""
LINES = ("Every officer may take", "25 days of leave a year,", "and carry over five.")
STEP = 1.6


def run_of(text: str, box: Box = (72, 72, 200, 86)) -> Run:
    """Characters that all stand in one place."""
    return Run(text, array("f", box * len(text)), box, 11, bold=False, line=1, order=1)


def shape() -> Shape:
    """Anything that is painted."""
    return Shape((0, 0, 10, 10), 1, 0, 255, stroked=False, exact=True)


FULL: Box = (0, 0, 595, 842)


@pytest.mark.parametrize(
    ("wanted", "page"),
    [
        (True, RawPage(1, 595, 842, images=(FULL,))),
        (True, RawPage(1, 595, 842, (run_of("Page 7"),), images=(FULL,))),
        (True, RawPage(1, 595, 842, (run_of("\ufffd\ufffd\ue001 a few"),))),
        (True, RawPage(1, 595, 842, shapes=(shape(),) * 60)),
        (False, RawPage(1, 595, 842)),
        (False, RawPage(1, 595, 842, (run_of("Page 7"),), images=((100, 100, 200, 200),))),
        (False, RawPage(1, 595, 842, (run_of("A page of words. " * 10),), images=(FULL,))),
    ],
    ids=["a scan", "a stamped scan", "no text", "outlines", "empty", "an illustration", "a text layer"],
)
def test_what_has_something_to_read_in_its_picture_is_known(wanted: bool, page: RawPage):
    """A page is read by its picture where the text layer does not hold what is there, and only there."""
    assert needs_reading(page) is wanted


def test_what_the_picture_shows_of_the_text_layer_is_not_read_twice():
    """Beside a text layer only what is new is added, unless the layer is to be replaced."""
    page = RawPage(1, 595, 842, (run_of("Page 7"),))
    read = [run_of("Page 7"), run_of("Words", (72, 300, 200, 314))]
    assert [run.text for run in with_picture_read(page, read, instead=False).runs] == ["Page 7", "Words"]
    assert [run.text for run in with_picture_read(page, read, instead=True).runs] == ["Page 7", "Words"]
    assert "No text was found" in with_picture_read(page, [], instead=False).warnings[0]


def picture(turn: int, *, note: str = "") -> pdfs.Draw:
    """A page whose picture lies turned, with a note that runs up its margin."""
    document: Any = pymupdf.open()
    sheet = document.new_page(width=SIZE[0], height=SIZE[1])
    pdfs.text(*LINES, at=(30, 30), size=12, step=STEP)(sheet)
    if note:
        sheet.insert_text((16, 100), note, rotate=90, fontsize=8)
    png = sheet.get_pixmap(dpi=300).tobytes("png")

    def scan(page: Any) -> None:  # noqa: ANN401
        if turn % 180:
            page.set_mediabox((0, 0, SIZE[1], SIZE[0]))
        page.insert_image(page.rect, stream=png, rotate=-turn % 360)

    return scan


@pytest.fixture(scope="module")
def reader() -> Any:  # noqa: ANN401
    """The engine, started once."""
    pytest.importorskip("rapidocr_onnxruntime")
    from rag_core.adapters.pdf_ocr import Reader

    return Reader()


def read(reader: Any, draw: pdfs.Draw) -> Page:  # noqa: ANN401
    """The page as read from its picture."""
    document: Any = pymupdf.open()
    page = document.new_page(width=SIZE[0], height=SIZE[1])
    draw(page)
    raw = with_picture_read(RawPage(1, page.rect.width, page.rect.height), reader.runs_of(page, 1), instead=True)
    (got,) = read_pages([raw])
    return got


def straight(box: tuple[float, float, float, float], turn: int) -> tuple[float, float, float, float]:
    """Where something is on the sheet that was scanned, given where it is on the page."""
    x0, y0, x1, y1 = box
    match turn:
        case 90:
            return y0, SIZE[1] - x1, y1, SIZE[1] - x0
        case 180:
            return SIZE[0] - x1, SIZE[1] - y1, SIZE[0] - x0, SIZE[1] - y0
        case 270:
            return SIZE[0] - y1, x0, SIZE[0] - y0, x1
        case _:
            return box


@pytest.mark.parametrize("turn", [180, 90, 270, 0])
def test_a_scan_is_read_whichever_way_it_lies(reader: Any, turn: int):  # noqa: ANN401
    """Its lines come in order, and their rectangles are on the page as it lies; the page before does not matter."""
    page = read(reader, picture(turn))
    assert page.status == "ocr"
    assert page.text.replace("\n\n", " ") == " ".join(LINES)
    start = page.text.index("25 days")
    (rect,) = page.glyphs.rects(Span(start, start + 7))
    x0, y0, x1, y1 = straight(rect.as_tuple(), turn)
    assert (x0, x1) == pytest.approx((30, 30 + pymupdf.get_text_length("25 days", fontsize=12)), abs=4)
    assert y0 < 30 + 12 * STEP - 4 < y1


def test_a_note_up_the_margin_of_a_scan_is_read(reader: Any):  # noqa: ANN401
    """A line of another direction than its page is tried from both ends."""
    page = read(reader, picture(0, note="Seen by the auditor"))
    assert "Every officer may take" in page.text
    assert "Seen by the auditor" in page.text
    start = page.text.index("Seen")
    (rect,) = page.glyphs.rects(Span(start, start + 4))
    assert rect.y0 > 70
    assert rect.height > rect.width


async def test_a_scan_that_lies_sideways_is_read_by_the_worker(tmp_path: Path):
    """From the file to the page."""
    pytest.importorskip("rapidocr_onnxruntime")
    path = pdfs.pdf(tmp_path / "s.pdf", picture(270), size=SIZE)
    (page,) = (await PdfExtractor().extract(path)).pages
    assert (page.status, page.width < page.height) == ("ocr", True)
    assert page.text.replace("\n\n", " ") == " ".join(LINES)
