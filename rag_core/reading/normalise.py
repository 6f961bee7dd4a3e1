r"""Characters as a PDF has them to characters as a reader means them, each still tied to its rectangle. Pure.

>>> from array import array
>>> normalise("e\ufb03cient", array("f", [0, 0, 1, 1] * 7))[0]
'efficient'
"""

# ruff: noqa: RUF001 -- look-alike characters are what it is about

from __future__ import annotations

import re
import unicodedata
from array import array

_PLAIN = re.compile(
    r"[\x20-\x7e\u00a1-\u00ac\u00ae-\u02af\u0370-\u0373\u0386-\u0587\u2013\u2014\u2018-\u201e\u2022\u20ac]*"
)
"""Text made of these alone is already as it should be."""
_DROPPED = re.compile(
    r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ud800-\udfff\ufffe\uffff]"
)
"""Controls, soft hyphens, marks of direction and halves of surrogates: no reader sees them."""
_FOLDED = re.compile(
    r"[\u00a0\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\t\n\r\x0b\x0c\ufb00-\ufb4f\ufb50-\ufdff\ufe70-\ufefc\uff01-\uff5e\uffe0-\uffe6\u2f00-\u2fd5\u2e80-\u2eff\u2011\u0132\u0133\u01c4-\u01cc\u2126\u212a\u212b]"
)
"""Ligatures, presentation forms, full-width letters, radicals and odd spaces: they stand for other characters.

Full NFKC is too much: it would turn m² into m2 and ½ into 1⁄2, which says something else.
"""

_MARK = re.compile(r"\s*[-\u2212\u2013]?\d{1,3}(?:[\s,\u2013-]+\d{1,3})*,?\s*")
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"


def is_mark(text: str) -> bool:
    """Whether `text`, set small and high, is a footnote's number, several of them, or an exponent."""
    return _MARK.fullmatch(text) is not None


def raised(mark: str) -> str:
    """The digits of a mark as superscripts, one for one, so that they are never read as part of the number before.

    >>> raised("8,9"), raised("-3")
    ('⁸,⁹', '⁻³')
    """
    at = len(mark) - len(mark.lstrip())
    if mark[at : at + 1] in {"-", "\u2212", "\u2013"}:
        mark = f"{mark[:at]}⁻{mark[at + 1 :]}"
    return mark.translate(_SUPERSCRIPT)


def is_plain(text: str) -> bool:
    """Whether `normalise` would leave `text` as it is."""
    return (text.isascii() and text.isprintable()) or _PLAIN.fullmatch(text) is not None


def clean(text: str) -> str:
    """`text` normalised, for words that have no place on a page: titles, labels."""
    return " ".join(normalise(text, array("f", bytes(16 * len(text))))[0].split())


def normalise(text: str, edges: array[float]) -> tuple[str, array[float]]:
    """The text as meant and its edges, four a character; a character that becomes several shares its box among them.

    Runs of spaces stay: they may be the gap between two cells.
    """
    if is_plain(text):
        return text, edges
    out: list[str] = []
    boxes: array[float] = array("f")
    for i, char in enumerate(text):
        if _DROPPED.match(char):
            continue
        new = _fold(char) if _FOLDED.match(char) else char
        box = edges[4 * i : 4 * i + 4]
        if len(new) == 1:
            boxes.extend(box)
        else:
            _share(boxes, box, len(new), from_right=unicodedata.bidirectional(char) in {"R", "AL"})
        out.append(new)
    joined = "".join(out)
    return _composed(joined, boxes)


def _fold(char: str) -> str:
    if char.isspace():
        return " "
    if char == "\u2011":
        return "-"
    return unicodedata.normalize("NFKC", char).strip() or char


def _share(boxes: array[float], box: array[float], parts: int, *, from_right: bool) -> None:
    x0, y0, x1, y1 = box
    step = (x1 - x0) / parts
    for k in range(parts)[:: -1 if from_right else 1]:
        boxes.extend((x0 + k * step, y0, x0 + (k + 1) * step if k + 1 < parts else x1, y1))


def _composed(text: str, boxes: array[float]) -> tuple[str, array[float]]:
    """NFC, letter by letter: a base and its accents become one character with the box of them all."""
    if unicodedata.is_normalized("NFC", text):
        return text, boxes
    out: list[str] = []
    kept: array[float] = array("f")
    start = 0
    while start < len(text):
        end = start + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        new = unicodedata.normalize("NFC", text[start:end])
        for k, char in enumerate(new):
            last = k + 1 == len(new)
            parts = range(start + k, end if last else start + k + 1)
            out.append(char)
            kept.extend(_around(boxes, parts) if parts else boxes[4 * end - 4 : 4 * end])
        start = end
    return "".join(out), kept


def _around(boxes: array[float], parts: range) -> tuple[float, float, float, float]:
    a, b = parts.start * 4, parts.stop * 4
    return min(boxes[a:b:4]), min(boxes[a + 1 : b : 4]), max(boxes[a + 2 : b : 4]), max(boxes[a + 3 : b : 4])
