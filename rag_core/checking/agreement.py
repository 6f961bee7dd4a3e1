"""Whether a number of a claim and a number of a text are the same: unit, sign, value, rounding, bound. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from rag_core.checking.alignment import STOPWORDS, stem, words
from rag_core.text.quantity import Quantity
from rag_core.text.units import SCALES

ABOUT = 0.05
"""How far, relatively, "about 12 %" may be from what it stands for: farther is a different figure."""

NEAR = 3.0
"""A value up to so many times as large bears out "more than 5 million": beyond, it is another thing's number."""

SHARE = 1.0
"""Percentage points by which "two thirds" may be off: 67 %, but not 65."""

LOOSE = 3
"""Up to here language counts without numbers: "two friends", "third parties"."""

_DOWN = re.compile(
    r"\b(?:fell|fall\w*|declin\w+|decreas\w+|drop\w*|los[st]\w*|reduc\w+|down|lower\w*|shrank|deficit|negative|minus|below|cut)\b",
    re.IGNORECASE,
)
_SCALED_ELSEWHERE = re.compile(
    r"\|.*\||\t.*\t|\b(?:in|of|€|\$|£|USD|EUR)\s?(?:thousands|millions|billions|000s?|mn|m|bn)\b|[$€£]\s?(?:mn?|bn)\b|'000",
    re.IGNORECASE,
)
"""Signs that a number's unit or scale stands in a header, not beside it."""

_TABLE_SCALE = re.compile(
    r"(?<![\d.,] )(?<!\d)\b(?P<word>thousands?|millions?|billions?)\b|[$€£]\s?(?P<letter>mn?|bn)\b"
    r"|(?P<noughts>'000|\b000s)\b",
    re.IGNORECASE,
)
"""A header's "in millions", "thousand tonnes", "$m": the scale of the numbers below it."""

_WORD_AFTER = re.compile(r"[ \u00a0-]([^\W\d_]+)")

_NO_NOUN = STOPWORDS | frozenset(
    """
    last next this per up down yearly annually today now since until before during between within against compared
    respectively only
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)


def agree(ours: Quantity, theirs: Quantity, claim: str, evidence: str) -> bool:
    """Whether `theirs` says what `ours` says, or bears it out: "more than 5 million" by 5.2 million."""
    if not _same_unit(ours, theirs, claim, evidence) or not _same_sign(ours, theirs, claim, evidence):
        return False
    if ours.unit != theirs.unit and "" in {ours.unit, theirs.unit}:
        ours, theirs = ours.without_unit(), theirs.without_unit()
    if ours.unit != theirs.unit and "ratio" in {ours.unit, theirs.unit}:
        return abs(_share(ours) - _share(theirs)) <= SHARE
    in_table = _is_scaled_elsewhere(evidence)
    scale = _table_scale(evidence) if in_table else 1.0
    if scale > 1.0 and not theirs.is_scaled:
        scaled = theirs.times(scale)
        if any(equal(v, ours, scaled) for v in ours.readings):
            return _bounds_agree(ours, theirs)
        in_table = not ours.is_scaled
    if any(equal(v, ours, theirs, in_table=in_table) for v in ours.readings):
        return _bounds_agree(ours, theirs)
    if not ours.unit and counted(theirs, evidence) not in {"", counted(ours, claim), *words(claim)}:
        return False
    return any(bears_out(ours, v, theirs) for v in theirs.readings)


def _share(q: Quantity) -> float:
    return q.value * 100 if q.unit == "ratio" else q.value


def equal(value: float, ours: Quantity, theirs: Quantity, *, in_table: bool = False) -> bool:
    """Equal, or equal once the finer one is rounded to the coarser one's last digit."""
    target = abs(value)
    if in_table and "" in {theirs.unit, ours.unit} and close(_unscaled(ours), _unscaled(theirs)):
        return True
    for other in map(abs, theirs.readings):
        finer = ours.step > theirs.step > 0 and target >= 10 * ours.step
        if close(target, other) or (finer and abs(target - other) <= ours.step / 2 * (1 + 1e-9)):
            return True
        if ours.bound == "about" and abs(target - other) <= ABOUT * max(target, other):
            return True
    return False


def close(a: float, b: float) -> bool:
    """Whether they differ by no more than arithmetic does."""
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1e-12)


def bears_out(ours: Quantity, value: float, theirs: Quantity) -> bool:
    """Whether another value of the same kind makes a bound of the claim true."""
    if not ours.value or not value:
        return False
    ratio = value / ours.value
    exact = theirs.bound in {"exactly", "about"}
    # "More than 220,000" is "more than 223,000", rounded; "within 32 days" is not "within 30 days".
    rounded = theirs.bound == ours.bound and _roundness(ours.value) > _roundness(value)
    match ours.bound:
        case "over" | "at_least":
            return (exact or rounded) and 1 < ratio <= NEAR
        case "under" | "at_most":
            return (exact or rounded) and 1 / NEAR <= ratio < 1
        case _:
            return False


def _roundness(value: float) -> int:
    """How many noughts a whole number ends with."""
    digits = f"{abs(value):.0f}"
    return len(digits) - len(digits.rstrip("0"))


def count_alike(ours: Quantity, claim: str, theirs: Quantity, evidence: str) -> bool:
    """Whether both have the same unit, or none and the same word after them: "4 sites" and "5 sites"."""
    if ours.unit or theirs.unit:
        return ours.unit == theirs.unit
    mine, yours = counted(ours, claim), counted(theirs, evidence)
    return bool(mine) and mine == yours


def counted(q: Quantity, text: str) -> str:
    """The stem of the word right after a number: what it counts, or a unit that is not known. Empty for none."""
    after = _WORD_AFTER.match(text, q.span.end)
    return stem(after[1]) if after and after[1].lower() not in _NO_NOUN else ""


@lru_cache(maxsize=1024)
def _is_scaled_elsewhere(evidence: str) -> bool:
    return bool(_SCALED_ELSEWHERE.search(evidence))


def _same_unit(a: Quantity, b: Quantity, claim: str, evidence: str) -> bool:
    if a.unit == b.unit:
        return True
    kinds = {a.unit, b.unit}
    if kinds == {"percent", "ratio"}:
        return True
    if "" not in kinds:
        return False
    (known,) = kinds - {""}
    if known == "ordinal":
        return all(q.value >= LOOSE or any(c.isdigit() for c in q.text) for q in (a, b))
    if known in {"year", "ratio", "times"}:
        return False
    # A table's cell has its unit elsewhere; "14 patients" has none, and is not "14 %".
    return not counted(a, claim) if a.unit == "" else not counted(b, evidence)


def _same_sign(a: Quantity, b: Quantity, claim: str, evidence: str) -> bool:
    if (a.value < 0) == (b.value < 0) or a.value == 0 or b.value == 0:
        return True
    positive, negative = (claim, evidence) if a.value > 0 else (evidence, claim)
    return _goes_down(positive) and not _goes_down(negative)  # "fell by 5 %" is "-5 %"


@lru_cache(maxsize=1024)
def _goes_down(text: str) -> bool:
    return bool(_DOWN.search(text))


@lru_cache(maxsize=1024)
def _table_scale(evidence: str) -> float:
    """What the numbers of a table are counted in, by its header; 1 where it does not say, or says several."""
    found = {_scale_of(m) for m in _TABLE_SCALE.finditer(evidence)}
    return found.pop() if len(found) == 1 else 1.0


def _scale_of(m: re.Match[str]) -> float:
    if m["word"]:
        return SCALES[m["word"].lower()]
    return 1e3 if m["noughts"] else SCALES["bn" if m["letter"].lower() == "bn" else "mn"]


def _unscaled(q: Quantity) -> float:
    """The number as written, for a table whose header holds the scale or the unit."""
    m = re.search(r"\d[\d.,]*", q.text)
    if not m:
        return abs(q.value)
    digits = m[0].rstrip(".,").replace(",", "")
    try:
        return float(digits)
    except ValueError:
        return abs(q.value)


_IMPLIES = {
    "exactly": {"exactly", "about", "at_least", "at_most"},
    "about": {"about", "exactly", "over", "under", "at_least", "at_most"},
    "over": {"over", "at_least", "about", "exactly"},
    "under": {"under", "at_most", "about", "exactly"},
    "at_least": {"at_least", "exactly", "about"},
    "at_most": {"at_most", "exactly", "about"},
}
"""By the bound of the text, those that a claim with the same number may have."""


def _bounds_agree(ours: Quantity, theirs: Quantity) -> bool:
    """Whether "more than 5" may rest on "5": only when the text has the same bound, or one that implies it."""
    return ours.bound in _IMPLIES[theirs.bound]
