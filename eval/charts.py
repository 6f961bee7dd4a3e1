"""Figures to charts: SVG, and the same as PNG for places that show pictures only. Pure but for the PNG.

Drawn by hand because bars with whiskers and a curve are all there is to draw; PyMuPDF, which is there anyhow, makes the
picture.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from eval.intervals import Estimate
from eval.scoring import Line

WIDTH = 760
LABEL = 130
"""Room for a system's name, in pixels."""
ROW, BAR = 22, 12
HEAD = 34
INK, FAINT, FILL, OTHER = "#1f2933", "#d5dbe1", "#3b6ea5", "#c06c35"
PLOT = 180
"""Height of a curve, in pixels."""
DPI = 144
_ONE_AT_A_TIME = threading.Lock()
"""PyMuPDF knows nothing of threads."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One metric: a bar a system."""

    title: str
    bars: Mapping[str, Estimate]


def panels(found: Sequence[Panel], *, title: str, below: str = "") -> str:
    """All panels in one picture, one below the other; a bar's whisker is its 95 % interval."""
    y = 30.0
    parts = [_text(12, 20, title, size=14, bold=True)]
    for panel in found:
        parts.append(_text(12, y + 18, panel.title, bold=True))
        y += HEAD - 8
        for name, figure in panel.bars.items():
            parts += _bar(name, figure, y)
            y += ROW
        y += 8
    if below:
        parts.append(_text(12, y + 12, below, size=10))
        y += 20
    return _svg(parts, y + 6)


def curve(lines: Sequence[Line], chosen: float, *, title: str) -> str:
    """Precision and recall of refusal at each line of the gate, and the line in use."""
    parts = [_text(12, 20, title, size=14, bold=True)]
    left, right, top, bottom = LABEL, WIDTH - 40, 40, 40 + PLOT

    def x(threshold: float) -> float:
        return left + (right - left) * threshold

    def y(value: float) -> float:
        return bottom - (bottom - top) * value

    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(_line(left, y(tick), right, y(tick), FAINT))
        parts.append(_text(left - 8, y(tick) + 4, f"{tick:.2f}", size=10, anchor="end"))
        parts.append(_text(x(tick), bottom + 16, f"{tick:.2f}", size=10, anchor="middle"))
    for name, colour, row in (("precision", FILL, 46), ("recall", OTHER, 62)):
        figures = [(line.threshold, line.precision if name == "precision" else line.recall) for line in lines]
        points = " ".join(f"{x(at):.1f},{y(figure.value):.1f}" for at, figure in figures if figure)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(_line(12, row, 32, row, colour, 2))
        parts.append(_text(38, row + 4, name, size=11))
    parts.append(_line(x(chosen), top, x(chosen), bottom, INK, 1))
    parts.append(_text(x(chosen) + 4, top + 10, f"in use: {chosen:g}", size=10))
    return _svg(parts, bottom + 26)


def png(svg: str) -> bytes:
    """The picture of a chart. Safe to call from several threads."""
    import pymupdf

    with _ONE_AT_A_TIME, pymupdf.open(stream=svg.encode(), filetype="svg") as drawn:
        made: bytes = drawn[0].get_pixmap(dpi=DPI).tobytes("png")
    return made


def _bar(name: str, figure: Estimate, y: float) -> list[str]:
    left, wide = LABEL, WIDTH - LABEL - 190

    def x(value: float) -> float:
        return left + wide * min(max(value, 0.0), 1.0)

    middle = y + BAR / 2 + 3
    said = f"{figure.value:.2f}  [{figure.low:.2f}, {figure.high:.2f}]  n {figure.n}"
    return [
        _text(left - 8, middle + 4, name, size=11, anchor="end"),
        f'<rect x="{left}" y="{y + 3:.1f}" width="{wide}" height="{BAR}" fill="{FAINT}"/>',
        f'<rect x="{left}" y="{y + 3:.1f}" width="{x(figure.value) - left:.1f}" height="{BAR}" fill="{FILL}"/>',
        _line(x(figure.low), middle, x(figure.high), middle, INK),
        _line(x(figure.low), middle - 4, x(figure.low), middle + 4, INK),
        _line(x(figure.high), middle - 4, x(figure.high), middle + 4, INK),
        _text(left + wide + 10, middle + 4, said, size=11),
    ]


def _line(  # noqa: PLR0913, PLR0917 - from where to where
    x0: float, y0: float, x1: float, y1: float, colour: str, width: float = 1
) -> str:
    return f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{colour}" stroke-width="{width:g}"/>'


def _text(  # noqa: PLR0913 - what a text has
    x: float, y: float, text: str, *, size: int = 12, bold: bool = False, anchor: str = "start"
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="Helvetica, Arial, sans-serif" font-size="{size}" fill="{INK}" '
        f'text-anchor="{anchor}"{weight}>{escape(text)}</text>'
    )


def _svg(parts: Sequence[str], height: float) -> str:
    size = f'width="{WIDTH}" height="{height:.0f}" viewBox="0 0 {WIDTH} {height:.0f}"'
    ground = f'<rect width="{WIDTH}" height="{height:.0f}" fill="#ffffff"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{ground}{"".join(parts)}</svg>'
