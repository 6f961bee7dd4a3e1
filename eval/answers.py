"""An answer's text and the answer that was wanted to the field's scores. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from rag_core.text.quantities import quantities

_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_MARKER = re.compile(r"\[C?\d+\]")
_PUNCTUATION = re.compile(r"[^\w\s]|_")
_GROUPED = re.compile(r"(?<=\d)[,'’](?=\d{3})")  # noqa: RUF001 - as printed tables have it
CLOSE = 1e-9
"""Relative: two readings of one number differ by rounding alone."""


def normalised(text: str) -> str:
    """In lower case, without punctuation, articles and citation markers (Rajpurkar et al., 2016).

    What stands between digits goes, too, so that 4,523,000 and 4523000 are one.

    >>> normalised("The fee is £4,500 [1].")
    'fee is 4500'
    """
    bare = _MARKER.sub(" ", text.casefold())
    bare = _GROUPED.sub("", bare)
    return " ".join(_ARTICLE.sub(" ", _PUNCTUATION.sub(" ", bare)).split())


def contains(text: str, wanted: Sequence[str]) -> float:
    """1 when every wanted string stands in the text as whole words, normalised ("answer accuracy"; Liu et al., 2023).

    >>> contains("Grade 4 has 28 days [2].", ["28 days"]), contains("It has 128 days.", ["28 days"])
    (1.0, 0.0)
    """
    said = f" {normalised(text)} "
    return float(all(f" {normalised(one)} " in said for one in wanted))


def f1(text: str, wanted: str) -> float:
    """The harmonic mean of the words' precision and recall, repetitions counted (Rajpurkar et al., 2016).

    >>> round(f1("It is 28 days long", "28 days"), 3)
    0.571
    """
    said, gold = Counter(normalised(text).split()), Counter(normalised(wanted).split())
    common = (said & gold).total()
    if common == 0:
        return 0.0
    precision, recall = common / said.total(), common / gold.total()
    return 2 * precision * recall / (precision + recall)


def numbers_match(text: str, wanted: str) -> float | None:
    """1 when each number of the wanted answer is in the text, in whatever writing; None when it has none.

    Units are not compared: "28 days" and "28" are one, as the question said of what. This is the tolerance of DROP's
    numeric answers (Dua et al., 2019), for answers that are sentences.

    >>> numbers_match("Revenue was 4,523,000 dollars.", "4.523 million"), numbers_match("Twelve", "no number")
    (1.0, None)
    """
    gold = quantities(wanted)
    if not gold:
        return None
    said = [reading for quantity in quantities(_MARKER.sub(" ", text)) for reading in quantity.readings]
    return float(all(any(_same(a, b) for a in quantity.readings for b in said) for quantity in gold))


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= CLOSE * max(abs(one), abs(other), 1.0)
