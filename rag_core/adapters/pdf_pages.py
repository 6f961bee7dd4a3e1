"""A PyMuPDF page to a `RawPage`: one pass of the engine gives characters, shapes and the order they were painted in.

Runs only in the worker process.
"""

from __future__ import annotations

import math
from array import array
from dataclasses import replace
from itertools import chain
from operator import itemgetter
from typing import Any

from rag_core.adapters.pdf_engine import pymupdf
from rag_core.adapters.pdf_picture import scale_for
from rag_core.reading.bidi import has_right_to_left, lines_made_whole
from rag_core.reading.doubles import without_doubles
from rag_core.reading.normalise import is_mark, raised
from rag_core.reading.scans import GARBLED
from rag_core.reading.visibility import hidden_text, without
from rag_core.types.rawpage import Box, RawPage, Run, Shape

_BBOX = itemgetter("bbox")
_CHARACTER = itemgetter("c")
_FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_PRESERVE_LIGATURES | pymupdf.TEXT_COLLECT_VECTORS
_PAINTED = pymupdf.mupdf.FZ_STEXT_FILLED | pymupdf.mupdf.FZ_STEXT_STROKED
_BOLD = pymupdf.TEXT_FONT_BOLD
_FAKE_BOLD = pymupdf.mupdf.FZ_STEXT_BOLD
_BOLD_NAMES = ("bold", "black", "heavy", "semibold", "demi")
_VECTOR = pymupdf.mupdf.FZ_STEXT_BLOCK_VECTOR
MAX_SHAPES = 4000
"""A map has a hundred thousand paths; no table has this many, and reading them all is slow."""


def read_page(document: Any, number: int) -> RawPage:  # noqa: ANN401 -- PyMuPDF has no types
    """Page `number`, counted from 1, with coordinates as a reader sees them, whatever the page's rotation.

    Raises:
        Exception: Whatever PyMuPDF raises for a page it cannot load.
    """
    page = document[number - 1]
    drawn = _drawn(page)
    runs, shapes = _read(page, drawn, _FLAGS)
    unknown = sum(run.text.count("\ufffd") for run in runs)
    if 0 < unknown <= GARBLED * sum(len(run.text) for run in runs):
        # A few glyphs without a meaning: their codes are at least different from one another.
        runs, shapes = _read(page, drawn, _FLAGS | pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE)
    turned = page.rotation_matrix if page.rotation else None
    width, height = page.rect.width, page.rect.height
    all_painted = all(run.painted for run in runs)
    images: tuple[Box, ...] = () if all_painted else image_boxes(page, turned)
    covering = _covering(drawn, turned) if page.get_images() else ()
    raw = RawPage(number, width, height, tuple(runs), tuple(shapes), images or covering, covering)
    seen = without(raw, hidden_text(raw, _Picture(page)))
    if not images and sum(len(run.text) for run in seen.runs) < FEW_CHARACTERS:
        images = image_boxes(page, turned)
    return replace(seen, runs=without_doubles(seen.runs), images=images)


def _covering(drawn: Any, turned: Any) -> tuple[Box, ...]:  # noqa: ANN401 -- PyMuPDF has no types
    """The pictures that were painted after text that is where they are."""
    before: list[Box] = []
    found: list[Box] = []
    for x0, y0, x1, y1, _, _, kind in _textpage(drawn, _FLAGS | pymupdf.TEXT_PRESERVE_IMAGES).extractBLOCKS():
        if kind == 0:
            before.append((x0, y0, x1, y1))
        elif kind == 1 and any(x0 < b[2] and b[0] < x1 and y0 < b[3] and b[1] < y1 for b in before):
            box = _box((x0, y0, x1, y1), turned)
            found += [box] if box is not None else []
    return tuple(found)


LOOK_DPI = 100
GLANCE_DPI = 50
"""To see whether leaving out the text changes anything, half as much is enough."""
CONTRAST = 24
"""Of 255 grey levels: less is not seen."""
FEW_CHARACTERS = 200
"""A page with fewer may be a picture with a stamp on it, so its pictures are looked up."""


def _read(page: Any, drawn: Any, flags: int) -> tuple[list[Run], list[Shape]]:  # noqa: ANN401 -- PyMuPDF has no types
    rotation = page.rotation
    turned = page.rotation_matrix if rotation else None
    right, bottom = page.rect.width, page.rect.height
    runs: list[Run] = []
    shapes: list[Shape] = []
    line_number = 0
    blocks = _textpage(drawn, flags).extractRAWDICT()["blocks"]
    for order, block in enumerate(blocks):
        if block["type"] == 0:
            for line in block["lines"]:
                line_number += 1
                _read_line(line, line_number, order, rotation, turned, runs)
        elif block["type"] == _VECTOR and len(shapes) < MAX_SHAPES:
            shape = _shape(block, order, turned)
            x0, y0, x1, y1 = shape.bbox
            if x0 < right and y0 < bottom and x1 > 0 and y1 > 0:
                shapes.append(shape)
    if any(has_right_to_left(run.text) for run in runs):
        runs = lines_made_whole(runs)
    return runs, shapes


def _drawn(page: Any) -> Any:  # noqa: ANN401 -- PyMuPDF has no types
    """The page as a list of what is painted, before it is turned."""
    if not (rotation := page.rotation):
        return page.get_displaylist()
    page.set_rotation(0)
    try:
        return page.get_displaylist()
    finally:
        page.set_rotation(rotation)


def _textpage(drawn: Any, flags: int) -> Any:  # noqa: ANN401 -- PyMuPDF has no types
    """All the text of the page, also what its crop box cuts off, which a page's own method drops.

    What a clipping path leaves nothing of is not in a display list, and so not in here.
    """
    engine = pymupdf.mupdf
    everywhere = engine.FzRect(engine.FzRect.Fixed_INFINITE)
    text = engine.FzStextPage(everywhere)
    device = engine.fz_new_stext_device(text, engine.FzStextOptions(flags))
    engine.fz_run_display_list(drawn.this, device, engine.FzMatrix(), everywhere, engine.FzCookie())
    engine.fz_close_device(device)
    return pymupdf.TextPage(text)


class _Picture:
    """The page as rendered, when somebody asks."""

    def __init__(self, page: Any) -> None:  # noqa: ANN401 -- PyMuPDF has no types
        self._page = page
        self._pixels: dict[tuple[int, bool], Any] = {}

    def shows(self, box: Box) -> bool:
        """Whether the rendered page is anything but one plain colour inside `box`."""
        inner = self._inside(box, LOOK_DPI, text=True)
        return bool(inner.size) and int(inner.max()) - int(inner.min()) > CONTRAST

    def shows_text(self, box: Box) -> bool:
        """Whether the page would look otherwise inside `box` if its text were left out."""
        with_text, without_text = (self._inside(box, GLANCE_DPI, text=text).astype("int16") for text in (True, False))
        return bool(with_text.size) and int(abs(with_text - without_text).max()) > CONTRAST

    def _inside(self, box: Box, dpi: int, *, text: bool) -> Any:  # noqa: ANN401 -- an array of grey levels
        scale = scale_for(self._page.rect.width, self._page.rect.height, dpi)
        if (dpi, text) not in self._pixels:
            self._pixels[dpi, text] = _rendered(self._page, scale, text=text)
        x0, y0, x1, y1 = (max(round(edge * scale), 0) for edge in box)
        return self._pixels[dpi, text][y0 + 1 : max(y1 - 1, y0 + 2), x0 + 1 : max(x1 - 1, x0 + 2)]


def _rendered(page: Any, scale: float, *, text: bool) -> Any:  # noqa: ANN401 -- PyMuPDF has no types
    """The page's grey levels, with its text or without."""
    import numpy as np

    matrix = pymupdf.Matrix(scale, scale)
    pixmap = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(page.rect * matrix))
    pixmap.clear_with(255)
    engine = pymupdf.mupdf
    transform = engine.FzMatrix(scale, 0, 0, scale, 0, 0)
    device = engine.fz_new_draw_device(transform, pixmap.this)
    if not text:
        device.m_internal.fill_text = device.m_internal.stroke_text = None
    engine.fz_run_page(engine.FzPage(page.this), device, engine.FzMatrix(), engine.FzCookie())
    engine.fz_close_device(device)
    return np.frombuffer(pixmap.samples, dtype=np.uint8).reshape(pixmap.height, pixmap.stride)[:, : pixmap.width]


def image_boxes(page: Any, turned: Any) -> tuple[Box, ...]:  # noqa: ANN401 -- PyMuPDF has no types
    """Where the page's pictures are."""
    boxes = [_box(info["bbox"], turned) for info in page.get_image_info()]
    return tuple(box for box in boxes if box is not None)


def _read_line(  # noqa: PLR0913, PLR0917
    line: Any,  # noqa: ANN401 -- PyMuPDF has no types
    number: int,
    order: int,
    rotation: int,
    turned: Any,  # noqa: ANN401
    runs: list[Run],
) -> None:
    dx, dy = line["dir"]
    turn = 0 if dx > 0.999 and not rotation else (round(math.degrees(math.atan2(dy, dx))) + rotation) % 360  # noqa: PLR2004
    marks = _marks(line) if len(line["spans"]) > 1 else frozenset()
    for i, span in enumerate(line["spans"]):
        chars = span["chars"]
        if not chars:
            continue
        text = "".join(map(_CHARACTER, chars))
        edges = array("f", list(chain.from_iterable(map(_BBOX, chars))))
        box = _box(span["bbox"], turned)
        if box is None or not math.isfinite(sum(edges)):
            continue
        if turned is not None:
            edges = turned_edges(edges, turned)
        flags = span["char_flags"]
        font = span["font"].lower()
        runs.append(
            Run(
                text=raised(text) if i in marks else text,
                edges=edges,
                bbox=box,
                size=span["size"],
                bold=bool(span["flags"] & _BOLD or flags & _FAKE_BOLD or any(name in font for name in _BOLD_NAMES)),
                line=number,
                order=order,
                turn=turn,
                vertical=bool(line["wmode"]),
                colour=span["color"] & 0xFFFFFF,
                alpha=span["alpha"],
                painted=bool(flags & _PAINTED),
            )
        )


SMALL = 0.88
"""Of the size beside it: a footnote's mark is smaller, mostly two thirds."""
RISE = 0.15
"""Of the size beside it: its baseline is at least this much higher; a fraction's numerator is too."""
TOUCHES = 0.35
"""Of the size: a mark follows what it marks without a space."""


def _marks(line: Any) -> frozenset[int]:  # noqa: ANN401 -- PyMuPDF has no types
    """Which spans of a line are digits set small and high, right after a word or right before one.

    PyMuPDF's own flag compares only with the first character of the line, which may be a mark itself.
    """
    spans = [(i, span, "".join(map(_CHARACTER, span["chars"]))) for i, span in enumerate(line["spans"])]
    spans = [(i, span, text) for i, span, text in spans if text.strip()]
    if len(spans) < 2 or not any(is_mark(text) for _, _, text in spans):  # noqa: PLR2004 -- a mark and what it marks
        return frozenset()
    found: set[int] = set()
    for k, (i, span, text) in enumerate(spans):
        if not is_mark(text):
            continue
        before = next((s for j, s, _ in reversed(spans[:k]) if j not in found), None)
        after, follows = (spans[k + 1][1], spans[k + 1][2].lstrip()) if k + 1 < len(spans) else (None, "")
        if follows[:1] in {"/", "\u2044"} and not (k and spans[k - 1][2][-1:].isdigit()):
            continue  # the numerator of a fraction, unless that would be read as one number with what is before it
        start, end = _along(span, line["dir"])
        follows_word = (
            before is not None
            and _is_above(span, before, line["dir"])
            and start - _along(spans[k - 1][1], line["dir"])[1] <= TOUCHES * before["size"]
        )
        leads_word = (
            after is not None
            and _is_above(span, after, line["dir"])
            and _along(after, line["dir"])[0] - end <= (TOUCHES / 3 if k else 1.0) * after["size"]
        )
        if follows_word or leads_word:
            found.add(i)
    return frozenset(found)


def _is_above(span: Any, other: Any, direction: tuple[float, float]) -> bool:  # noqa: ANN401
    dx, dy = direction
    (x, y), (base_x, base_y) = span["origin"], other["origin"]
    rise = (x - base_x) * dy - (y - base_y) * dx
    return bool(span["size"] <= SMALL * other["size"] and RISE * other["size"] <= rise <= other["size"])


def _along(span: Any, direction: tuple[float, float]) -> tuple[float, float]:  # noqa: ANN401
    """Where its ink begins and ends along the line."""
    dx, dy = direction
    boxes = [char["bbox"] for char in span["chars"] if not char["c"].isspace()]
    places = [x * dx + y * dy for x0, y0, x1, y1 in boxes for x, y in ((x0, y0), (x1, y1))]
    return min(places), max(places)


def turned_edges(edges: array[float], matrix: Any) -> array[float]:  # noqa: ANN401 -- PyMuPDF has no types
    """Where the edges are after `matrix`, which turns by right angles."""
    a, b, c, d, e, f = matrix
    out = array("f")
    for i in range(0, len(edges), 4):
        x0, y0, x1, y1 = edges[i : i + 4]
        ax, ay, bx, by = a * x0 + c * y0 + e, b * x0 + d * y0 + f, a * x1 + c * y1 + e, b * x1 + d * y1 + f
        out.extend((min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)))
    return out


def _box(bbox: Any, turned: Any) -> Box | None:  # noqa: ANN401 -- PyMuPDF has no types
    x0, y0, x1, y1 = bbox if turned is None else turned_edges(array("f", bbox), turned)
    return (x0, y0, x1, y1) if math.isfinite(x0 + y0 + x1 + y1) else None


def _shape(block: Any, order: int, turned: Any) -> Shape:  # noqa: ANN401 -- PyMuPDF has no types
    return Shape(
        bbox=_box(block["bbox"], turned) or (0.0, 0.0, 0.0, 0.0),
        order=order,
        colour=block["color"] & 0xFFFFFF,
        alpha=block["alpha"],
        stroked=block["stroked"],
        exact=block["isrect"],
    )
