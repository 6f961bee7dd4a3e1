"""Which pages are pictures of text, and what becomes of them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rag_core.types.rawpage import Box, RawPage, Run

FEW = 100
"""Characters: a page with fewer under a picture that fills it is a scan with a stamp or a page number."""
FILLS = 0.5
"""Of the page: from here on a picture is its content, and not an illustration."""
GARBLED = 0.3
"""Of the characters: with more that stand for nothing, the text layer is no text."""
OUTLINES = 60
"""Shapes: from here on a page without text may be text drawn as shapes."""


def needs_reading(page: RawPage) -> bool:
    """Whether there is something on the page to read that its text layer does not hold."""
    text = "".join(run.text for run in page.runs)
    letters = len(text) - text.count(" ")
    if letters == 0:
        return bool(page.images) or len(page.shapes) >= OUTLINES
    garbled = sum(c == "\ufffd" or "\ue000" <= c <= "\uf8ff" for c in text)
    return garbled > GARBLED * letters or (letters < FEW and filled(page) >= FILLS)


def filled(page: RawPage) -> float:
    """The part of the page that its largest picture fills."""
    area = max(page.width * page.height, 1.0)
    return (
        max(
            (min(x1, page.width) - max(x0, 0)) * (min(y1, page.height) - max(y0, 0)) / area
            for x0, y0, x1, y1 in page.images
        )
        if page.images
        else 0.0
    )


def with_picture_read(page: RawPage, runs: Sequence[Run], *, instead: bool) -> RawPage:
    """The page with what was read in its picture: beside its text layer, or `instead` of it."""
    if not runs:
        return replace(page, warnings=(*page.warnings, "No text was found in the picture of this page."))
    kept = () if instead else page.runs
    new = [run for run in runs if not any(_inside(run.bbox, k.bbox) for k in kept)]
    return replace(page, runs=(*kept, *new), ocr=True)


def unread(page: RawPage, why: str) -> RawPage:
    """The page, marked as one that has something that nobody read."""
    return replace(page, failed=True, warnings=(*page.warnings, why))


def is_garbled(page: RawPage) -> bool:
    """Whether the text layer is no text."""
    text = "".join(run.text for run in page.runs)
    return sum(c == "\ufffd" or "\ue000" <= c <= "\uf8ff" for c in text) > GARBLED * max(len(text), 1)


def _inside(box: Box, other: Box) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return other[0] <= x <= other[2] and other[1] <= y <= other[3]
