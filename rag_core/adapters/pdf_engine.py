"""PyMuPDF, without the layout models that its package would load at once: a worker starts in 0.4 s instead of 1.7."""

from __future__ import annotations

import sys

for _name in ("pymupdf.layout", "pymupdf4llm"):
    if _name not in sys.modules:
        sys.modules[_name] = None  # type: ignore[assignment]  # the import system's own sign for "not here"

import pymupdf  # noqa: E402

__all__ = ["pymupdf"]
