"""A PyMuPDF page to a `RawPage`: one pass of the engine gives characters, shapes and the order they were painted in.

Runs only in the worker process.
"""

from __future__ import annotations

import math
from array import array
from typing import Any

import pymupdf

from rag_core.rawpage import Box, RawPage, Run, Shape

_FLAGS = (
    pymupdf.TEXT_PRESERVE_WHITESPACE
    | pymupdf.TEXT_PRESERVE_LIGATURES
    | pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE
    | pymupdf.TEXT_COLLECT_VECTORS
)
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
    rotation = page.rotation
    turned = page.rotation_matrix if rotation else None
    blocks = page.get_textpage(flags=_FLAGS).extractRAWDICT()["blocks"]
    runs: list[Run] = []
    shapes: list[Shape] = []
    line_number = 0
    for order, block in enumerate(blocks):
        if block["type"] == 0:
            for line in block["lines"]:
                line_number += 1
                _read_line(line, line_number, order, rotation, turned, runs)
        elif block["type"] == _VECTOR and len(shapes) < MAX_SHAPES:
            shapes.append(_shape(block, order, turned))
    width, height = page.rect.width, page.rect.height
    images: tuple[Box, ...] = ()
    if sum(len(run.text) for run in runs) < FEW_CHARACTERS or not all(run.painted for run in runs):
        images = image_boxes(page, turned)
    return RawPage(number, width, height, tuple(runs), tuple(shapes), images)


FEW_CHARACTERS = 200
"""A page with fewer may be a picture with a stamp on it, so its pictures are looked up."""


def image_boxes(page: Any, turned: Any) -> tuple[Box, ...]:  # noqa: ANN401 -- PyMuPDF has no types
    """Where the page's pictures are."""
    boxes = [_box(info["bbox"], turned) for info in page.get_image_info()]
    return tuple(box for box in boxes if box is not None)


def _read_line(line: Any, number: int, order: int, rotation: int, turned: Any, runs: list[Run]) -> None:  # noqa: ANN401, PLR0913, PLR0917
    dx, dy = line["dir"]
    turn = 0 if dx > 0.999 and not rotation else (round(math.degrees(math.atan2(dy, dx))) + rotation) % 360  # noqa: PLR2004
    for span in line["spans"]:
        chars = span["chars"]
        if not chars:
            continue
        edges = array("f")
        for char in chars:
            edges.extend(char["bbox"])
        if turned is not None:
            edges = _turned(edges, turned)
        box = (min(edges[0::4]), min(edges[1::4]), max(edges[2::4]), max(edges[3::4]))
        if not all(map(math.isfinite, box)):
            continue
        flags = span["char_flags"]
        font = span["font"].lower()
        runs.append(
            Run(
                text="".join([char["c"] for char in chars]),
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


def _turned(edges: array[float], matrix: Any) -> array[float]:  # noqa: ANN401 -- PyMuPDF has no types
    a, b, c, d, e, f = matrix
    out = array("f")
    for i in range(0, len(edges), 4):
        x0, y0, x1, y1 = edges[i : i + 4]
        ax, ay, bx, by = a * x0 + c * y0 + e, b * x0 + d * y0 + f, a * x1 + c * y1 + e, b * x1 + d * y1 + f
        out.extend((min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)))
    return out


def _box(bbox: Any, turned: Any) -> Box | None:  # noqa: ANN401 -- PyMuPDF has no types
    edges = array("f", bbox)
    if not all(map(math.isfinite, edges)):
        return None
    x0, y0, x1, y1 = edges if turned is None else _turned(edges, turned)
    return (x0, y0, x1, y1)


def _shape(block: Any, order: int, turned: Any) -> Shape:  # noqa: ANN401 -- PyMuPDF has no types
    return Shape(
        bbox=_box(block["bbox"], turned) or (0.0, 0.0, 0.0, 0.0),
        order=order,
        colour=block["color"] & 0xFFFFFF,
        alpha=block["alpha"],
        stroked=block["stroked"],
        exact=block["isrect"],
    )
