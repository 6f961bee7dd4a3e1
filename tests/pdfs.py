"""Builders of PDFs whose every word has a known place, and a reader of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pymupdf

from rag_core.adapters.pdf_pages import read_page
from rag_core.reading.layout import read_pages
from rag_core.types import Page, Span

A4 = (595.0, 842.0)
Draw = Callable[[Any], None]
"""Draws on a page."""


def pdf(path: Path, *pages: Draw, size: tuple[float, float] = A4, **save: Any) -> Path:  # noqa: ANN401 -- PyMuPDF has no types
    """A PDF whose pages are drawn by `pages`."""
    document = pymupdf.open()
    for draw in pages:
        draw(document.new_page(width=size[0], height=size[1]))
    document.save(path, **save)
    return path


def read(*pages: Draw, size: tuple[float, float] = A4) -> list[Page]:
    """What we read on pages drawn like this, without a worker process."""
    document: Any = pymupdf.open()
    for draw in pages:
        draw(document.new_page(width=size[0], height=size[1]))
    return pages_in(pymupdf.open("pdf", document.tobytes()))


def pages_in(document: Any) -> list[Page]:  # noqa: ANN401 -- PyMuPDF has no types
    """What we read on the pages of an open document."""
    return list(read_pages(read_page(document, n) for n in range(1, len(document) + 1)))


def text(
    *lines: str, at: tuple[float, float] = (72, 72), size: float = 11, font: str = "helv", step: float = 1.35
) -> Draw:
    """Lines of text below one another; the first one's baseline begins at `at`."""

    def draw(page: Any) -> None:  # noqa: ANN401
        for i, line in enumerate(lines):
            page.insert_text((at[0], at[1] + i * size * step), line, fontsize=size, fontname=font)

    return draw


def from_right(*lines: str, top: float = 60, size: float = 14, step: float = 40) -> Draw:
    """Lines of Hebrew or Arabic against the right margin, shaped and ordered by the engine's own typesetter."""

    def draw(page: Any) -> None:  # noqa: ANN401
        for i, line in enumerate(lines):
            box = (40, top + i * step, page.rect.width - 40, top + (i + 1) * step)
            room, scale = page.insert_htmlbox(box, f'<p dir="rtl" style="font-size:{size}px">{line}</p>')
            assert (room >= 0, scale) == (True, 1), "the line overflows"

    return draw


def downward(*columns: str, at: tuple[float, float] = (400, 100), size: float = 11) -> Draw:
    """Japanese in columns that run down the page, the first one on the right."""

    def draw(page: Any) -> None:  # noqa: ANN401
        for i, column in enumerate(columns):
            page.insert_text((at[0] - i * 1.6 * size, at[1]), column, fontsize=size, fontname="japan")
        document = page.parent
        for xref in range(1, document.xref_length()):
            if document.xref_get_key(xref, "Encoding") == ("name", "/UniJIS-UTF16-H"):
                document.xref_set_key(xref, "Encoding", "/UniJIS-UTF16-V")

    return draw


def all_of(*draws: Draw) -> Draw:
    """All of them on one page, in this order."""

    def draw(page: Any) -> None:  # noqa: ANN401
        for one in draws:
            one(page)

    return draw


def columns(texts: Sequence[str], *, top: float = 120, width: float = 215, gap: float = 24, size: float = 10) -> Draw:
    """Text boxes side by side, the words wrapped."""

    def draw(page: Any) -> None:  # noqa: ANN401
        for i, words in enumerate(texts):
            left = 60 + i * (width + gap)
            left_over = page.insert_textbox((left, top, left + width, 780), words, fontsize=size)
            assert left_over > 0, "the column overflows"

    return draw


def grid(
    rows: Sequence[Sequence[str]],
    *,
    at: tuple[float, float] = (72, 150),
    width: float = 140,
    height: float = 22,
    ruled: bool,
) -> Draw:
    """A table; its rules only when `ruled`."""

    def draw(page: Any) -> None:  # noqa: ANN401
        for r, row in enumerate(rows):
            for c, cell in enumerate(row):
                x, y = at[0] + c * width, at[1] + r * height
                if ruled:
                    page.draw_rect((x, y, x + width, y + height))
                page.insert_text((x + 4, y + 15), cell, fontsize=10)

    return draw


def prose(subject: str, sentences: int = 8) -> str:
    """Sentences of ordinary length that say something different each."""
    return " ".join(
        f"{subject} number {i} was looked at by the committee in the spring of {1990 + i} and found to be sound."
        for i in range(1, sentences + 1)
    )


def width(words: str, size: float) -> float:
    """Points that they take in Helvetica."""
    return float(pymupdf.get_text_length(words, fontsize=size))


def raw(objects: dict[int, bytes], trailer: bytes = b"") -> bytes:
    """A PDF of these objects as they are, 1 being its root: for what no writer of PDFs would write."""
    out = b"%PDF-1.7\n"
    offsets = {}
    for number, body in objects.items():
        offsets[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    last = max(objects)
    lines = [b"%010d 00000 n \n" % offsets[n] if n in offsets else b"0000000000 65535 f \n" for n in range(last + 1)]
    return (
        out
        + b"xref\n0 %d\n%s" % (last + 1, b"".join(lines))
        + b"trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (last + 1, trailer, len(out))
    )


def sheets(*words: str) -> dict[int, bytes]:
    """The objects of a PDF with a page for each of the words: 2 is the root of its pages, 10, 12, 14… are they."""
    objects = {1: b"<</Type/Catalog/Pages 2 0 R>>", 5: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"}
    for i, word in enumerate(words):
        content = b"BT /F1 12 Tf 72 700 Td (%s) Tj ET" % word.encode()
        objects[10 + 2 * i] = (
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 5 0 R>>>>/Contents %d 0 R>>"
            % (11 + 2 * i)
        )
        objects[11 + 2 * i] = b"<</Length %d>>\nstream\n%s\nendstream" % (len(content), content)
    kids = b" ".join(b"%d 0 R" % (10 + 2 * i) for i in range(len(words)))
    return {2: b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, len(words)), **objects}


def span(start: int, end: int) -> Span:
    """Shorter to write."""
    return Span(start, end)
