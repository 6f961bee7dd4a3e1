"""What a PDF engine saw on a page, before anyone read it: runs of characters, shapes and pictures. Pure values."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points, origin at the top left of the page as a reader sees it."""


@dataclass(frozen=True, slots=True)
class Run:
    """Characters of one font on one baseline, in the order they are read."""

    text: str
    edges: array[float]
    """x0, y0, x1, y1 of each character."""
    bbox: Box
    size: float
    bold: bool
    line: int
    """Runs with one number are parts of one line, in order."""
    order: int
    """When it was painted: what is painted later lies above."""
    turn: int = 0
    """Degrees, clockwise, by which its baseline is turned from left-to-right."""
    vertical: bool = False
    """Set from top to bottom, as Japanese may be."""
    colour: int = 0
    """0xRRGGBB."""
    alpha: int = 255
    painted: bool = True
    """False for text that is placed but not drawn (render modes 3 and 7)."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A filled or stroked path, by its bounds."""

    bbox: Box
    order: int
    colour: int
    alpha: int
    stroked: bool
    exact: bool
    """The path is the rectangle of its bounds."""


@dataclass(frozen=True, slots=True)
class RawPage:
    """One page as the engine gave it."""

    number: int
    width: float
    height: float
    runs: tuple[Run, ...] = ()
    shapes: tuple[Shape, ...] = ()
    images: tuple[Box, ...] = ()
    covering: tuple[Box, ...] = ()
    """Those of the pictures that were painted over text; they may be see-through."""
    warnings: tuple[str, ...] = ()
    ocr: bool = False
    """The runs were read from the page's picture."""
    failed: bool = False
    """There is something on the page that nobody could read."""
