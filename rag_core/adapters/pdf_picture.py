"""A page to PNG, with lines marked as by a yellow pen. Runs only in the worker process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rag_core.adapters.pdf_engine import pymupdf

MAX_PIXELS = 16_000_000
"""An A4 page at 300 dpi has 8.7 million; a poster, or a page that claims to be a mile wide, gets fewer dots an inch."""
PEN = (255, 232, 90)
DARK = 90
"""Mean brightness below which paint is laid on instead of tinted: a pen does not show on black paper."""
MARGIN = 1.0
"""Points around a highlight, so that it does not cut into the letters."""
AROUND = 48.0
"""Points above and below the highlights of a crop: three or four lines, to see what they stand among."""


def png_of(page: Any, highlights: Sequence[Sequence[float]], dpi: int, *, crop: bool = False) -> bytes:  # noqa: ANN401 -- PyMuPDF has no types
    """The page as a reader sees it, at `dpi` or as much of it as `MAX_PIXELS` allows.

    A crop is as wide as the page: a line that is cut off at its ends proves less.
    """
    scale = scale_for(page.rect.width, page.rect.height, dpi)
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), alpha=False, colorspace=pymupdf.csRGB)
    if not highlights:
        return bytes(pixmap.tobytes("png"))
    rows_kept = slice(0, pixmap.height)
    if crop:
        top, bottom = min(h[1] for h in highlights) - AROUND, max(h[3] for h in highlights) + AROUND
        rows_kept = slice(max(int(top * scale), 0), min(int(bottom * scale) + 1, pixmap.height))
    picture = np.frombuffer(pixmap.samples, dtype=np.uint8).reshape(pixmap.height, pixmap.width, 3).copy()
    marked = np.zeros(picture.shape[:2], dtype=bool)
    for x0, y0, x1, y1 in highlights:
        rows = slice(max(int((y0 - MARGIN) * scale), 0), max(int((y1 + MARGIN) * scale) + 1, 0))
        columns = slice(max(int((x0 - MARGIN) * scale), 0), max(int((x1 + MARGIN) * scale) + 1, 0))
        marked[rows, columns] = True
    if marked.any():
        pen = np.array(PEN, dtype=np.float32)
        under = picture[marked].astype(np.float32)
        dark = under.mean() < DARK
        picture[marked] = (under * 0.6 + pen * 0.4 if dark else under * pen / 255).astype(np.uint8)
    kept = picture[rows_kept] if rows_kept.start < rows_kept.stop else picture
    return bytes(pymupdf.Pixmap(pymupdf.csRGB, pixmap.width, kept.shape[0], kept.tobytes(), False).tobytes("png"))


def scale_for(width: float, height: float, dpi: int) -> float:
    """Pixels a point."""
    scale = max(dpi, 1) / 72
    pixels = max(width * height, 1.0) * scale * scale
    return scale if pixels <= MAX_PIXELS else scale * float((MAX_PIXELS / pixels) ** 0.5)
