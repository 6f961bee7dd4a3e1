"""A number as a text states it: value, precision, unit, bound, and where. Pure."""

# ruff: noqa: E501 - units and signs as pages have them

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from rag_core.types import Span

Bound = Literal["exactly", "about", "over", "at_least", "under", "at_most"]
"""How the text holds the number: "more than 5" is `over`, "up to 5" is `at_most`."""

_SCALED = re.compile(r"\d\s?(?:[kmb]|mn|bn|tn)\b|thousand|million|billion|trillion|hundred|lakh|crore", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as a text states it."""

    value: float
    text: str
    """As the text has it, with its sign and the currency before it."""
    span: Span
    unit: str = ""
    """What it measures ("percent", "USD", "time", "year", "ordinal"); empty for a bare number."""
    step: float = 0.0
    """The worth of its last stated digit: 0.1 for 11.8, 1e5 for 1.2 million; 0 when it was said in words."""
    bound: Bound = "exactly"
    other: float | None = None
    """The second reading of an ambiguous grouping: `1.000` is 1000 or 1.0."""
    base: float = 1.0
    """What its unit is worth: 12 for years, which are counted in months."""

    @property
    def readings(self) -> tuple[float, ...]:
        """Every value that the text may mean."""
        return (self.value,) if self.other is None else (self.value, self.other)

    @property
    def is_scaled(self) -> bool:
        """Whether a scale word stands with it: "5 million", "5k"."""
        return _SCALED.search(self.text) is not None

    def times(self, scale: float) -> Quantity:
        """The number in the scale that a table's header gives."""
        other = None if self.other is None else self.other * scale
        return replace(self, value=self.value * scale, step=self.step * scale, other=other)

    def without_unit(self) -> Quantity:
        """The number alone, its scale word counted: 5 for "5 years", 5 million for "5 million euros"."""
        if self.base == 1.0:
            return self
        other = None if self.other is None else self.other / self.base
        return replace(self, value=self.value / self.base, step=self.step / self.base, other=other, base=1.0)


_BOUND_WORDS: dict[Bound, str] = {
    "at_most": r"(?:not|never|n't) exceed(?:ing)?|no more than|not more than|at most|up to|maximum(?: of)?|not exceeding|no later than|max\.?|within|no greater than|≤|<=|as much as|as many as",
    "at_least": r"no less than|not less than|no fewer than|at least|minimum(?: of)?|starting at|≥|>=|as few as|as little as",
    "over": r"more tha[nt]|greater than|over|above|exceed(?:s|ed|ing)?|in excess of|higher than|larger than|longer than|older than|upwards of|surpass(?:es|ed|ing)?|>|topped|beyond",
    "under": r"less than|fewer than|lower than|under|below|smaller than|shorter than|younger than|<",
    "about": r"about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.|c\.|~|≈|close to|an estimated|estimated|in the region of|just over|just under",
}
_BEFORE = {bound: re.compile(rf"(?<!\w)(?:{words})[ (]*$", re.IGNORECASE) for bound, words in _BOUND_WORDS.items()}
BACK = 26
"""Characters that the longest of these words needs."""


def bound_of(text: str, start: int, end: int) -> Bound:
    """How the words around a number hold it."""
    before = text[max(0, start - BACK) : start]
    for bound, pattern in _BEFORE.items():
        if pattern.search(before):
            return bound
    after = text[end : end + 12].lower()
    if re.match(r"\+|\s?or (?:more|above|over|older|longer|higher|greater)\b", after):
        return "at_least"
    if re.match(r"\s?or (?:less|below|under|younger|fewer|lower)\b", after):
        return "at_most"
    return "exactly"
