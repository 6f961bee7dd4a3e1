"""Typeset `handbook.html` as `employee-handbook.pdf`, the same bytes on every run.

Every `<section>` of the HTML is one A4 page. Its body is whatever stands between an optional `<header>`
and an optional `<div class="notes">`; a body made of `<div class="column">` elements is set side by side.
MuPDF lays out the HTML; this script adds what a stylesheet cannot say: where footnotes, columns, running
heads and page numbers stand, the table of contents, and the outline. A page too full for its content is an
error, never a silent spill onto the next.

Run it with no arguments:  python examples/make_handbook.py
"""

import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

import pymupdf

SOURCE = Path(__file__).with_name("handbook.html")
TARGET = Path(__file__).with_name("employee-handbook.pdf")

PAGE = pymupdf.paper_rect("a4")
BODY = pymupdf.Rect(72, 76, PAGE.width - 72, PAGE.height - 68)
COLUMN_GAP = 24
NOTE_RULE_LENGTH = 110
RUNNING_HEAD = "Larkspur Instruments · Employee Handbook"

METADATA = {
    "title": "Larkspur Instruments: Employee Handbook, Seventh Edition",
    "author": "Larkspur Instruments, People team",
    "subject": "A fictional handbook written for demonstrations; CC0 1.0",
    "keywords": "employee handbook, leave, pay, travel, safety",
    "creator": "make_handbook.py",
    "producer": "PyMuPDF",
    "creationDate": "D:20260211090000Z",
    "modDate": "D:20260211090000Z",
}
"""Fixed dates: a clock in the file would make every build differ."""

LIGATURE = re.compile(r"(?<=f)[fijlt](?![^<>]*>)")
"""The second letter of a pair that MuPDF would draw as one glyph, and text extraction return as one character."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the outline, on a 1-based page."""

    level: int
    text: str
    page: int


class PageTooFullError(Exception):
    """The content of one `<section>` is taller than its page."""


class Typesetter:
    """Draws HTML into rectangles of a PDF, page after page."""

    def __init__(self, css: str) -> None:
        self._css = css
        self._buffer = io.BytesIO()
        self._writer = pymupdf.DocumentWriter(self._buffer)
        self._device: pymupdf.DeviceWrapper | None = None

    def begin_page(self) -> None:
        """Open a blank page; what is drawn next falls on it."""
        self._device = self._writer.begin_page(PAGE)

    def end_page(self) -> None:
        """Close the page opened last."""
        self._writer.end_page()

    def height(self, html: str, width: float) -> float:
        """How tall the HTML would stand in a column of this width."""
        _, filled = self._story(html).place(pymupdf.Rect(0, 0, width, PAGE.height))
        return float(pymupdf.Rect(filled).height)

    def draw(self, html: str, rect: pymupdf.Rect) -> float:
        """Draw the HTML from the top of `rect` and return the y at which it ends.

        Raises:
            PageTooFullError: The HTML does not fit the rectangle.
        """
        story = self._story(html)
        more, filled = story.place(rect)
        if more:
            opening = re.sub(r"<[^>]+>", "", html).strip()[:40]
            raise PageTooFullError(f"The text that begins {opening!r} does not fit {rect.height:.0f} points.")
        story.draw(self._device)
        return float(pymupdf.Rect(filled).y1)

    def finish(self) -> pymupdf.Document:
        """The pages drawn so far, as a document."""
        self._writer.close()
        return pymupdf.open("pdf", self._buffer.getvalue())

    def _story(self, html: str) -> pymupdf.Story:
        return pymupdf.Story(html=LIGATURE.sub(r"<span>\g<0></span>", html), user_css=self._css)


def inner_html(elements: Iterable[ET.Element]) -> str:
    """The elements as one string of HTML, in order."""
    return "".join(ET.tostring(element, encoding="unicode", method="html") for element in elements)


def headings(sections: Sequence[ET.Element]) -> list[Heading]:
    """Every `<h1>` and `<h2>`, in reading order, but not the title on the cover."""
    return [
        Heading(int(element.tag[1]), "".join(element.itertext()), page)
        for page, section in enumerate(sections, start=1)
        if section.get("class") != "cover"
        for element in section.iter()
        if element.tag in {"h1", "h2"}
    ]


def fill_contents(table: ET.Element, outline: Sequence[Heading]) -> None:
    """Give the empty contents table one row for every chapter."""
    for heading in outline:
        if heading.level == 1:
            row = ET.SubElement(table, "tr")
            ET.SubElement(row, "td").text = heading.text
            ET.SubElement(row, "td", {"class": "right"}).text = str(heading.page)


def draw_head(typesetter: Typesetter, chapter: str) -> None:
    """Set the running head: the handbook's name on the left, the chapter's on the right."""
    area = pymupdf.Rect(BODY.x0, 40, BODY.x1, 60)
    typesetter.draw(f'<p class="running">{RUNNING_HEAD}</p>', area)
    typesetter.draw(f'<p class="running right">{chapter}</p>', area)


def draw_foot(typesetter: Typesetter, page: int) -> None:
    """Set the page number."""
    area = pymupdf.Rect(BODY.x0, PAGE.height - 46, BODY.x1, PAGE.height - 26)
    typesetter.draw(f'<p class="running right">Page {page}</p>', area)


def draw_section(typesetter: Typesetter, section: ET.Element) -> float | None:
    """Draw one section's header, body and notes, in that order, which is also the order text extraction sees.

    Returns the y of the rule that parts the notes from the body, or nothing where there are no notes.
    """
    header = [child for child in section if child.tag == "header"]
    notes = [child for child in section if child.get("class") == "notes"]
    body = [child for child in section if child not in header and child not in notes]
    notes_top = BODY.y1 - typesetter.height(inner_html(notes), BODY.width) if notes else BODY.y1
    rule = notes_top - 5 if notes else None

    top = typesetter.draw(inner_html(header), BODY) if header else BODY.y0
    bottom = rule - 6 if rule else BODY.y1
    columns = [[child] for child in body if child.get("class") == "column"] or [body]
    width = (BODY.width - COLUMN_GAP * (len(columns) - 1)) / len(columns)
    for index, column in enumerate(columns):
        left = BODY.x0 + index * (width + COLUMN_GAP)
        html = f'<div class="{section.get("class", "")}">{inner_html(column)}</div>'
        typesetter.draw(html, pymupdf.Rect(left, top, left + width, bottom))

    if notes:
        typesetter.draw(inner_html(notes), pymupdf.Rect(BODY.x0, notes_top, BODY.x1, BODY.y1))
    return rule


def typeset(source: str) -> pymupdf.Document:
    """The handbook as a document, with its outline and metadata.

    Raises:
        PageTooFullError: A section holds more than one page can.
    """
    root = ET.fromstring(source)  # noqa: S314  our own file, never a stranger's
    sections = root.findall("./body/section")
    outline = headings(sections)
    for table in root.iterfind(".//table[@id='contents']"):
        fill_contents(table, outline)

    typesetter = Typesetter(css=root.findtext("./head/style", default=""))
    rules = []
    for page, section in enumerate(sections, start=1):
        chapter = next((heading.text for heading in outline if heading.page == page), "")
        typesetter.begin_page()
        draw_head(typesetter, chapter)
        rules.append(draw_section(typesetter, section))
        draw_foot(typesetter, page)
        typesetter.end_page()

    document = typesetter.finish()
    for sheet, rule in zip(document, rules, strict=True):
        if rule is not None:
            sheet.draw_line((BODY.x0, rule), (BODY.x0 + NOTE_RULE_LENGTH, rule), color=(0.45, 0.5, 0.55), width=0.6)
    document.set_toc([[heading.level, heading.text, heading.page] for heading in outline])
    document.set_metadata(METADATA)
    document.subset_fonts()
    return document


def main() -> None:
    """Write the handbook beside this script."""
    with typeset(SOURCE.read_text(encoding="utf-8")) as document:
        document.save(TARGET, garbage=4, deflate=True, no_new_id=True)


if __name__ == "__main__":
    main()
