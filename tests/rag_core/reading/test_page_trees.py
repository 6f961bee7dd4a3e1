"""A list of pages that contradicts itself loses none of them, and ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag_core.adapters.pdf import PdfExtractor
from rag_core.errors import TooManyPages
from rag_core.types import Extraction
from tests import pdfs

WORDS = ("First", "Second", "Third")


async def read(tmp_path: Path, objects: dict[int, bytes]) -> Extraction:
    """What we read in a PDF of these objects."""
    path = tmp_path / "a.pdf"
    path.write_bytes(pdfs.raw(objects))
    return await PdfExtractor().extract(path)


@pytest.mark.parametrize("count", [b"/Count 1", b"/Count 0", b"/Count -3", b"/Count 900", b"/Count(three)", b""])
async def test_all_pages_are_read_whatever_their_count(tmp_path: Path, count: bytes):
    """The count is only what the file says of itself; the pages are what it has."""
    objects = pdfs.sheets(*WORDS)
    objects[2] = objects[2].replace(b"/Count 3", count)
    found = await read(tmp_path, objects)
    assert [page.text for page in found.pages] == list(WORDS)
    assert "list of pages is wrong" in found.warnings[0]


@pytest.mark.parametrize(
    "root",
    [
        b"<</Type/Pages/Parent 2 0 R/Kids[10 0 R 12 0 R 14 0 R]/Count 3>>",
        b"<</Type/Pages/Kids[10 0 R 2 0 R 12 0 R 14 0 R]/Count 4>>",
        b"<</Type/Pages/Kids[]/Count 0>>",
        b"<</Type/Font>>",
    ],
    ids=["hangs from itself", "holds itself", "holds nothing", "is none"],
)
async def test_a_root_that_makes_no_sense_is_mended(tmp_path: Path, root: bytes):
    """Where the tree leads nowhere, the pages are the objects that say so."""
    found = await read(tmp_path, {**pdfs.sheets(*WORDS), 2: root})
    assert [page.text for page in found.pages] == list(WORDS)


async def test_a_branch_that_counts_too_few_loses_nothing(tmp_path: Path):
    """A wrong count inside the tree moves pages out of reach although the whole adds up."""
    objects = pdfs.sheets(*WORDS)
    objects[2] = b"<</Type/Pages/Kids[3 0 R 14 0 R]/Count 3>>"
    objects[3] = b"<</Type/Pages/Parent 2 0 R/Kids[10 0 R 12 0 R]/Count 1>>"
    assert [page.text for page in (await read(tmp_path, objects)).pages] == list(WORDS)


async def test_one_page_may_stand_in_several_places(tmp_path: Path):
    """Each place is a page; and a small file cannot claim more of them than are read."""
    objects = pdfs.sheets("Again")
    objects[2] = b"<</Type/Pages/Kids[%s]/Count 40>>" % (b"10 0 R " * 40)
    assert [page.text for page in (await read(tmp_path, objects)).pages] == ["Again"] * 40
    objects[2] = b"<</Type/Pages/Kids[20 0 R 20 0 R]/Count 1048576>>"
    objects |= {20 + i: b"<</Type/Pages/Kids[%d 0 R %d 0 R]/Count 2>>" % (21 + i, 21 + i) for i in range(19)}
    objects[39] = objects[10]
    with pytest.raises(TooManyPages):
        await read(tmp_path, objects)


async def test_a_page_that_is_missing_is_unreadable_and_keeps_its_number(tmp_path: Path):
    """The pages after it are still cited by the numbers that a reader sees."""
    objects = pdfs.sheets(*WORDS)
    del objects[12]
    pages = (await read(tmp_path, objects)).pages
    assert [page.status for page in pages] == ["text", "unreadable", "text"]
    assert pages[2].text == "Third"
