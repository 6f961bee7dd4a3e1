"""Lines that hold Hebrew or Arabic from the order they are drawn in to the order they are read in. Pure.

PDF engines give the letters of a right-to-left word in logical order, but leave punctuation and numbers where they are
drawn. So the line is put in visual order by the letters' places first, and from there in logical order.
"""

from __future__ import annotations

import re
import unicodedata
from array import array

_RIGHT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_LEFT = re.compile(r"[A-Za-z\u00c0-\u024f\u0370-\u052f]")
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")


def reads_from_right(text: str) -> bool:
    """Whether most letters of `text` are of a script that runs from right to left."""
    return not text.isascii() and len(_RIGHT.findall(text)) > len(_LEFT.findall(text))


def logical(text: str, edges: array[float]) -> tuple[str, array[float]]:
    """A right-to-left line in the order it is read; characters keep their edges.

    A simplified Unicode bidirectional algorithm: the base runs from right to left; numbers and words of other scripts
    inside run from left to right.
    """
    if len({edges[i] for i in range(0, len(edges), 4)}) < 0.5 * len(text):
        return text, edges
    marks = _clusters(text)
    marks.sort(key=lambda span: -(edges[4 * span[0]] + edges[4 * span[0] + 2]))
    order: list[tuple[int, int]] = []
    foreign: list[tuple[int, int]] = []
    for span in marks:
        if _runs_left_to_right(text[span[0]]) or (
            foreign and text[span[0]] in ".,:/-%$€£" and _between(span, marks, text)
        ):
            foreign.append(span)
            continue
        order += reversed(foreign)
        foreign = []
        order.append(span)
    order += reversed(foreign)
    out: array[float] = array("f")
    for start, end in order:
        out.extend(edges[4 * start : 4 * end])
    return "".join(text[start:end] for start, end in order), out


def _clusters(text: str) -> list[tuple[int, int]]:
    """Spans of a character and the marks on it."""
    spans: list[tuple[int, int]] = []
    for i, char in enumerate(text):
        if spans and unicodedata.combining(char):
            spans[-1] = (spans[-1][0], i + 1)
        else:
            spans.append((i, i + 1))
    return spans


def _runs_left_to_right(char: str) -> bool:
    return unicodedata.bidirectional(char) in {"L", "EN", "AN"}


def _between(span: tuple[int, int], marks: list[tuple[int, int]], text: str) -> bool:
    """Whether the next character to the left also runs from left to right: 3.5 is one number."""
    i = marks.index(span)
    return i + 1 < len(marks) and _runs_left_to_right(text[marks[i + 1][0]])
