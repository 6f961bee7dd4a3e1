"""PDF files to pages, through the worker process."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from rag_core.adapters.pdf import ExtractionLimits, PdfExtractor
from rag_core.errors import (
    Damaged,
    DocumentNotFound,
    Encrypted,
    ExtractionOutOfMemory,
    ExtractionTimedOut,
    NotAPdf,
    NoText,
    PageNotFound,
    TooLarge,
    TooManyPages,
)
from rag_core.types import Rect
from tests import pdfs


@pytest.fixture
def extractor() -> PdfExtractor:
    """With the default limits."""
    return PdfExtractor()


async def test_reads_text_with_the_place_of_each_word(extractor: PdfExtractor, tmp_path: Path):
    """A word's rectangle is where the word was drawn."""
    path = pdfs.pdf(tmp_path / "a.pdf", pdfs.text("The efficient officer", "arrives at nine.", at=(72, 100)))
    (page,) = (await extractor.extract(path)).pages
    assert page.text == "The efficient officer arrives at nine."
    start = page.text.index("arrives")
    (rect,) = page.glyphs.rects(pdfs.span(start, start + 7))
    assert rect.x0 == pytest.approx(72, abs=1.5)
    assert rect.y0 < 100 + 11 * 1.35 < rect.y1


async def test_each_page_is_told_when_it_is_read(extractor: PdfExtractor, tmp_path: Path):
    """By its number, and of how many."""
    path = pdfs.pdf(tmp_path / "a.pdf", *(pdfs.text(f"Page {n} of three.") for n in range(1, 4)))
    told: list[tuple[int, int]] = []
    await extractor.extract(path, progress=lambda page, pages: told.append((page, pages)))
    assert told == [(1, 3), (2, 3), (3, 3)]


async def test_a_name_that_is_no_unicode_is_read(extractor: PdfExtractor, tmp_path: Path):
    """File names are bytes; a message about such a file can be printed."""
    path = tmp_path / os.fsdecode(b"caf\xe9.pdf")
    try:
        path.write_bytes(pdfs.pdf(tmp_path / "a.pdf", pdfs.text("Coffee.")).read_bytes())
    except OSError:
        pytest.skip("this file system takes no such name")
    (page,) = (await extractor.extract(path)).pages
    assert page.text == "Coffee."
    assert (await extractor.render(path, 1)).startswith(b"\x89PNG")
    path.write_bytes(b"no PDF")
    with pytest.raises(NotAPdf) as caught:
        await extractor.extract(path)
    assert str(caught.value).encode()


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
async def test_text_beyond_the_crop_box_is_left_out_and_told(extractor: PdfExtractor, tmp_path: Path, rotation: int):
    """What a crop cuts off nobody sees, so it is hidden text; a line that the edge cuts keeps what is on the page."""

    def draw(page: Any):  # noqa: ANN401
        page.insert_text((72, 100), "On the page.")
        page.insert_text((20, 30), "Above it, a lie.")
        page.insert_text((72, 830), "Below it, a lie.")
        page.insert_text((900, 400), "Beyond the sheet.")
        page.insert_text((416, 300), "Paid on the day after a lie")
        page.insert_text((416, 320), "At most 1,200,000")
        page.set_cropbox(pymupdf.Rect(50, 50, 495, 800))
        page.set_rotation(rotation)

    (page,) = (await extractor.extract(pdfs.pdf(tmp_path / "c.pdf", draw))).pages
    assert page.text == "On the page.\n\nPaid on the day At most"
    assert page.warnings == ("Hidden text was left out: 59 characters off the page.",)
    for block in page.blocks:
        assert 0 <= block.bbox.x0 <= block.bbox.x1 <= page.width
        assert 0 <= block.bbox.y0 <= block.bbox.y1 <= page.height


async def test_a_scan_is_read_however_much_text_is_beside_it(extractor: PdfExtractor, tmp_path: Path):
    """Text that nobody sees does not make a page one that has text."""
    beyond = pdfs.text(*["Nobody sees this line beside the page."] * 12, at=(700, 100))
    scan = pdfs.all_of(picture_of(pdfs.text("Seen")), beyond)
    page, _ = (await extractor.extract(pdfs.pdf(tmp_path / "s.pdf", scan, pdfs.text("Read")), ocr="off")).pages
    assert page.status == "unreadable"
    assert any("off the page" in warning for warning in page.warnings)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
async def test_a_rotated_page_is_read_as_it_is_seen(extractor: PdfExtractor, tmp_path: Path, rotation: int):
    """Coordinates follow the page's rotation, so that highlights land on the text."""

    def draw(page: Any):  # noqa: ANN401
        page.insert_text((72, 100), "Rotated words")
        page.set_rotation(rotation)

    (page,) = (await extractor.extract(pdfs.pdf(tmp_path / "r.pdf", draw))).pages
    assert page.text == "Rotated words"
    assert (page.width > page.height) == (rotation in {90, 270})
    box = page.blocks[0].bbox
    assert 0 <= box.x0 <= box.x1 <= page.width
    assert 0 <= box.y0 <= box.y1 <= page.height


async def test_a_password_opens_and_a_wrong_one_is_told(extractor: PdfExtractor, tmp_path: Path):
    """Encrypted files need their password; one whose user password is empty just opens."""
    locked = pdfs.pdf(
        tmp_path / "l.pdf", pdfs.text("Secret"), encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="pw", owner_pw="own"
    )
    with pytest.raises(Encrypted, match="give its password"):
        await extractor.extract(locked)
    with pytest.raises(Encrypted, match="does not open"):
        await extractor.extract(locked, password="no")
    assert (await extractor.extract(locked, password="pw")).pages[0].text == "Secret"
    free = tmp_path / "free.pdf"
    free.write_bytes(await extractor.decrypt(locked, "pw"))
    assert (await extractor.extract(free)).pages[0].text == "Secret"
    owned = pdfs.pdf(tmp_path / "o.pdf", pdfs.text("Open"), encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="own")
    assert (await extractor.extract(owned)).pages[0].text == "Open"


async def test_what_is_no_pdf_is_told_by_its_name_only(extractor: PdfExtractor, tmp_path: Path):
    """A picture or a web page called .pdf is not a PDF, and no path is in the message."""
    path = tmp_path / "page.pdf"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(2000))
    with pytest.raises(NotAPdf, match=r"'page\.pdf' is not a PDF") as caught:
        await extractor.extract(path)
    assert str(tmp_path) not in str(caught.value)
    with pytest.raises(DocumentNotFound):
        await extractor.extract(tmp_path / "none.pdf")
    with pytest.raises(NotAPdf):
        await extractor.extract(tmp_path)


async def test_limits_are_kept(tmp_path: Path):
    """Bytes and pages beyond the limits are refused by name."""
    path = pdfs.pdf(tmp_path / "a.pdf", *[pdfs.text("x")] * 3)
    with pytest.raises(TooLarge):
        await PdfExtractor(ExtractionLimits(max_bytes=100)).extract(path)
    with pytest.raises(TooManyPages):
        await PdfExtractor(ExtractionLimits(max_pages=2)).extract(path)


async def test_damage_is_repaired_with_a_warning_or_refused(extractor: PdfExtractor, tmp_path: Path):
    """A lost cross-reference table is rebuilt; noise is refused."""
    path = pdfs.pdf(tmp_path / "a.pdf", pdfs.text("Still here"))
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.rindex(b"startxref")] + b"startxref\n99\n%%EOF")
    extraction = await extractor.extract(path)
    assert extraction.pages[0].text == "Still here"
    assert any("repaired" in w for w in extraction.warnings)
    path.write_bytes(b"%PDF-1.7\n" + bytes(range(256)) * 20)
    with pytest.raises(Damaged):
        await extractor.extract(path)


async def test_an_empty_document_has_no_text(extractor: PdfExtractor, tmp_path: Path):
    """Nothing to read on any page is an error that says so."""
    with pytest.raises(NoText):
        await extractor.extract(pdfs.pdf(tmp_path / "e.pdf", pdfs.text()))


async def test_cancelling_ends_the_worker(extractor: PdfExtractor, tmp_path: Path):
    """No worker outlives the call that started it."""
    path = pdfs.pdf(tmp_path / "a.pdf", *[pdfs.text(*["words and words"] * 40)] * 200)
    others = set(_children())
    task = asyncio.ensure_future(extractor.extract(path))
    while not (children := set(_children()) - others):  # noqa: ASYNC110 -- the process table sends no events
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not children & set(_children())


def _children() -> list[str]:
    return Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()


async def test_renders_a_page_with_its_highlights(extractor: PdfExtractor, tmp_path: Path):
    """The pixels under a highlight turn yellow, the letters stay, and a huge page stays small."""
    path = pdfs.pdf(tmp_path / "a.pdf", pdfs.text("Mark this", at=(72, 100)))
    plain = pymupdf.Pixmap(await extractor.render(path, 1, dpi=72))
    marked = pymupdf.Pixmap(await extractor.render(path, 1, highlights=[Rect(72, 85, 140, 105)], dpi=72))
    assert (plain.width, plain.height) == (595, 842)
    assert marked.pixel(138, 88) == (255, 232, 90)
    assert marked.pixel(300, 300) == (255, 255, 255)
    with pytest.raises(PageNotFound):
        await extractor.render(path, 2)
    huge = pdfs.pdf(tmp_path / "h.pdf", pdfs.text("far"), size=(14400, 14400))
    small = pymupdf.Pixmap(await extractor.render(huge, 1, dpi=300))
    assert small.width * small.height < 17_000_000


async def test_a_crop_is_the_lines_around_the_highlights(extractor: PdfExtractor, tmp_path: Path):
    """As wide as the page, the mark still on its words; without highlights it is all of the page."""
    path = pdfs.pdf(tmp_path / "a.pdf", pdfs.text("Mark this", at=(72, 400)))
    crop = pymupdf.Pixmap(await extractor.render(path, 1, highlights=[Rect(72, 385, 140, 405)], crop=True, dpi=72))
    assert crop.width == 595
    assert crop.height == 117
    assert crop.pixel(138, 388 - 337) == (255, 232, 90)
    whole = pymupdf.Pixmap(await extractor.render(path, 1, crop=True, dpi=72))
    assert whole.height == 842


def picture_of(draw: pdfs.Draw) -> pdfs.Draw:
    """A page that is the picture of another, as a scanner makes it."""
    document: Any = pymupdf.open()
    draw(document.new_page(width=595, height=842))
    png = document[0].get_pixmap(dpi=150).tobytes("png")

    def scan(page: Any) -> None:  # noqa: ANN401
        page.insert_image(page.rect, stream=png)

    return scan


async def test_a_scan_is_read_and_marked_and_costs_no_other_page(extractor: PdfExtractor, tmp_path: Path):
    """A page without a text layer is read from its picture, words apart and in their place; others stay as they are."""
    pytest.importorskip("rapidocr_onnxruntime")
    lines = pdfs.text("The quick brown fox jumps over", "the lazy dog in 2024.", at=(72, 120), size=14)
    path = pdfs.pdf(tmp_path / "s.pdf", pdfs.text("Set in type"), picture_of(lines))
    first, second = (await extractor.extract(path)).pages
    assert (first.status, second.status) == ("text", "ocr")
    assert second.text.replace("\n\n", " ") == "The quick brown fox jumps over the lazy dog in 2024."
    start = second.text.index("brown")
    (rect,) = second.glyphs.rects(pdfs.span(start, start + 5))
    left = 72 + pymupdf.get_text_length("The quick ", fontsize=14)
    assert rect.x0 == pytest.approx(left, abs=5)
    assert rect.y0 < 118 < rect.y1


async def test_without_ocr_a_scan_is_unreadable_and_said_to_be(extractor: PdfExtractor, tmp_path: Path):
    """The document is read all the same; one that is nothing but scans has no text."""
    scan = picture_of(pdfs.text("Unread"))
    pages = (await extractor.extract(pdfs.pdf(tmp_path / "m.pdf", scan, pdfs.text("Read")), ocr="off")).pages
    assert [page.status for page in pages] == ["unreadable", "text"]
    assert "OCR is off" in pages[0].warnings[0]
    with pytest.raises(NoText, match="switch it on"):
        await extractor.extract(pdfs.pdf(tmp_path / "s.pdf", scan), ocr="off")


async def test_a_page_that_kills_its_reader_costs_only_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The worker is started again without that page; when every page kills it, the file is given up."""
    path = pdfs.pdf(tmp_path / "a.pdf", *[pdfs.text(f"Page {n}") for n in (1, 2, 3)])
    monkeypatch.setattr("rag_core.adapters.pdf.WORKER", ("-c", DIES_ON_PAGE_2))
    pages = (await PdfExtractor().extract(path)).pages
    assert [page.status for page in pages] == ["text", "unreadable", "text"]


DIES_ON_PAGE_2 = """
import os
import rag_core.adapters.pdf_worker as worker
import rag_core.adapters.pdf_pages as pages
read = pages.read_page
pages.read_page = lambda document, n: os.abort() if n == 2 else read(document, n)
worker.main()
"""


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("import os; os.abort()", Damaged),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", ExtractionOutOfMemory),
        ("import sys; sys.stdout.write('what?')", Damaged),
        ("import sys, msgpack; sys.stdout.buffer.write(msgpack.packb(['page', [1, 'x']]))", Damaged),
        ("import time; time.sleep(60)", ExtractionTimedOut),
        ("raise MemoryError", ExtractionOutOfMemory),
    ],
)
async def test_a_worker_that_dies_or_talks_nonsense_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, error: type[Exception]
):
    """Whatever becomes of the worker, the caller gets one of the errors of a document."""
    monkeypatch.setattr("rag_core.adapters.pdf.WORKER", ("-c", code))
    with pytest.raises(error, match=r"a\.pdf"):
        await PdfExtractor(ExtractionLimits(seconds=3)).extract(pdfs.pdf(tmp_path / "a.pdf", pdfs.text("x")))


async def test_memory_is_limited(tmp_path: Path):
    """A worker that may have next to nothing says so."""
    with pytest.raises((ExtractionOutOfMemory, Damaged)):
        await PdfExtractor(ExtractionLimits(memory_mb=64)).extract(pdfs.pdf(tmp_path / "a.pdf", pdfs.text("x")))


async def test_a_lying_page_count_ends(extractor: PdfExtractor, tmp_path: Path):
    """A page tree that claims more pages than it has gives those it has, or an error, and no hang."""
    path = pdfs.pdf(tmp_path / "a.pdf", pdfs.text("Only page"))
    path.write_bytes(path.read_bytes().replace(b"/Count 1", b"/Count 900"))
    pages = (await extractor.extract(path)).pages
    assert pages[0].text == "Only page"
    assert len(pages) == 1


async def test_after_too_many_bad_pages_the_rest_is_given_up_and_what_was_read_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Every page that kills the worker costs a new start, so a file has only so many."""
    path = pdfs.pdf(tmp_path / "a.pdf", *[pdfs.text(f"Page {n}") for n in range(1, 6)])
    monkeypatch.setattr("rag_core.adapters.pdf.WORKER", ("-c", DIES_ON_PAGE_2.replace("n == 2", "n > 1")))
    monkeypatch.setattr("rag_core.adapters.pdf.MAX_BAD_PAGES", 2)
    pages = (await PdfExtractor().extract(path)).pages
    assert [page.status for page in pages] == ["text", *["unreadable"] * 4]
    assert "does not end" in pages[2].warnings[0]
    assert "too many before it" in pages[4].warnings[0]


async def test_a_page_that_cannot_be_put_in_order_costs_only_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """It is told apart from the pages that were taken from the file meanwhile."""
    path = pdfs.pdf(tmp_path / "a.pdf", *[pdfs.text(f"Page {n}") for n in range(1, 10)])
    monkeypatch.setattr("rag_core.adapters.pdf.WORKER", ("-c", DIES_IN_ORDERING_2))
    pages = (await PdfExtractor().extract(path)).pages
    assert [page.number for page in pages if page.status == "unreadable"] == [2]


DIES_IN_ORDERING_2 = """
import os
import rag_core.adapters.pdf_worker as worker
import rag_core.reading.layout as layout
order = layout.read_page
layout.read_page = lambda raw, *rest: os.abort() if raw.number == 2 and raw.runs else order(raw, *rest)
worker.main()
"""


async def test_a_file_that_kills_its_reader_is_told_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """That no page has text says less than why."""
    monkeypatch.setattr("rag_core.adapters.pdf.WORKER", ("-c", DIES_ON_PAGE_2.replace("n == 2", "n == 1")))
    with pytest.raises(Damaged, match="broke down"):
        await PdfExtractor().extract(pdfs.pdf(tmp_path / "a.pdf", pdfs.text("x")))


@pytest.mark.parametrize(
    "encryption",
    [b"/Filter/Adobe.PubSec/SubFilter/adbe.pkcs7.s4/V 2", b"/Filter/EBX_HANDLER/V 1", b"/Filter/Standard/V 99/R 99"],
)
async def test_encryption_that_no_password_opens_is_told_as_encryption(
    extractor: PdfExtractor, tmp_path: Path, encryption: bytes
):
    """Certificates and the shops' own locks are no damage."""
    path = tmp_path / "a.pdf"
    path.write_bytes(pdfs.raw(pdfs.sheets("x"), b"/Encrypt<<%s>>/ID[<00><00>]" % encryption))
    with pytest.raises(Encrypted, match="no password opens"):
        await extractor.extract(path)


async def test_a_password_is_prepared_as_the_standard_says(extractor: PdfExtractor, tmp_path: Path):
    """Full-width letters and soft hyphens, as some keyboards give them, stand for the plain ones."""
    path = pdfs.pdf(tmp_path / "a.pdf", pdfs.text("Open"), encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="password")
    assert (await extractor.extract(path, password="\uff50\uff41ss\u00adword")).pages[0].text == "Open"


@pytest.mark.parametrize("broken", [b"/Filter/FlateDecode", b"/Filter/NoSuchDecode"])
async def test_a_page_whose_content_is_broken_is_unreadable_and_not_empty(
    extractor: PdfExtractor, tmp_path: Path, broken: bytes
):
    """There was something on it, and nobody could read it."""
    objects = pdfs.sheets("First", "Second")
    objects[11] = b"<</Length 9%s>>\nstream\n\x01\x02\x03\x04\x05\x06\x07\x08\x09\nendstream" % broken
    path = tmp_path / "a.pdf"
    path.write_bytes(pdfs.raw(objects))
    pages = (await extractor.extract(path)).pages
    assert [page.status for page in pages] == ["unreadable", "text"]
    assert pages[0].warnings == ("This page is damaged.",)
