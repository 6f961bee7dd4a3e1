"""Rectangles of a page to the few characters that a button's id has room for, and back. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

from rag_core.types import Rect

DIGITS = 3
"""Base-36 digits of a coordinate: up to 46,655 points, three times as far as a PDF page can reach."""
RECT = 4 * DIGITS


def encoded(rects: Sequence[Rect], most: int) -> str:
    """Rectangles to whole points around them; those beyond `most` are joined with the last that has room.

    >>> decoded(encoded([Rect(72.4, 100.0, 523.2, 112.7)], 5))
    (Rect(x0=72.0, y0=100.0, x1=524.0, y1=113.0),)
    """
    kept = list(rects[:most])
    if len(rects) > most:
        kept[-1] = reduce(Rect.union, rects[most:], kept[-1])
    return "".join(_base36(edge) for rect in kept for edge in _outward(rect))


def decoded(text: str) -> tuple[Rect, ...]:
    """Rectangles from `encoded`; what is left over of a damaged text is dropped."""
    numbers = [int(text[i : i + DIGITS], 36) for i in range(0, len(text) - DIGITS + 1, DIGITS)]
    return tuple(Rect(*map(float, numbers[i : i + 4])) for i in range(0, len(numbers) - 3, 4))


def _outward(rect: Rect) -> Iterator[int]:
    yield from (int(rect.x0), int(rect.y0), -int(-rect.x1 // 1), -int(-rect.y1 // 1))


def _base36(number: int) -> str:
    digits = ""
    number = min(max(number, 0), 36**DIGITS - 1)
    for _ in range(DIGITS):
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits
