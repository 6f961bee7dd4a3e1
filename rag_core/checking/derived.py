"""A claim's figure to how the text's own figures give it: counted, added, subtracted, from year to year. Pure.

A claim that sums up says numbers that no sentence says. Here they are worked out again, exactly, and only where the
claim's words call for it ("in all", "by", "more"): among many numbers, some two always differ by anything.
"""

# ruff: noqa: RUF001 - dashes as pages have them

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache

from rag_core.checking.agreement import bears_out, close, counted, equal
from rag_core.text.dates import When
from rag_core.text.quantity import Quantity
from rag_core.text.sentences import is_table_row, sentences

MANY = 12
"""Figures of one unit beyond which sums and differences are chance."""

LONGEST_LIST = 12
"""Things that a writer counts without being told how many there are."""

SURE = 100
"""A whole number from here on is no sum of two others by chance."""

BESIDE = 24
"""Characters beside a figure in which a word says that it is a difference."""

_DIFFERENCE = re.compile(
    r"\b(?:by|more|fewer|less|difference|gap|increas\w*|decreas\w*|rise|rose|fall|fell|grew|growth|up|down|additional|extra"
    r"|longer|shorter|higher|lower|older|younger|net|another|widen\w*|narrow\w*)\b",
    re.IGNORECASE,
)
_SUM = re.compile(
    r"\b(?:total\w*|altogether|in all|combined|together|overall|sum|both|extra|additional|plus|aggregate)\b",
    re.IGNORECASE,
)
_YEARS_LATER = re.compile(r"\b(?:later|after|afterwards|thereafter)\b", re.IGNORECASE)
_OPEN = re.compile(r"\bsince\s+(?:\w+\s+){0,2}?$|^\s?[-–—]\s?(?:present|today|now)\b", re.IGNORECASE)
_LIST = re.compile(r"[^,;:.()|\n]{2,70}(?:,\s[^,;:.()|\n]{2,70})*?,?\s(?:and|or|as well as)\s[^,;:.()|\n]{2,70}")
_ITEM = re.compile(r"\s*(?:[-*•◦▪‣–—]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s")

MONTHS_A_YEAR = 12
SECONDS_A_DAY = 86400


def derived(ours: Quantity, claim: str, theirs: Sequence[Quantity], when: Sequence[When], evidence: str) -> str | None:
    """What gives the claim's figure, in words; None when nothing of the text does.

    >>> from rag_core.text.quantities import quantities
    >>> text = "It has 60 primary and 200 secondary places."
    >>> derived(quantities("In all 260 places.")[0], "In all 260 places.", quantities(text), (), text)
    '60 and 200'
    """
    for found in (
        _from_two(ours, claim, theirs),
        _from_years(ours, theirs, when),
        _year_later(ours, theirs, evidence),
        _from_list(ours, claim, theirs, evidence),
    ):
        if found:
            return found
    return None


def _from_two(ours: Quantity, claim: str, theirs: Sequence[Quantity]) -> str | None:
    beside = claim[max(0, ours.span.start - BESIDE) : ours.span.end + BESIDE]
    less, more = bool(_DIFFERENCE.search(beside)), bool(_SUM.search(claim))
    same = [q for q in theirs if q.unit == ours.unit and q.unit not in {"year", "ordinal"}]
    if ours.unit in {"percent", "points", "times"}:
        others = [q for q in theirs if q.unit not in {"year", "ordinal", "points", "times"}] if less else []
        for a, b in _pairs(others):
            if any(_is(ours, value) for value in _change(ours.unit, a, b)):
                return f"{a.text} and {b.text}"
    more = more or (ours.value >= SURE and ours.bound == "exactly" and ours.value % 10 != 0)
    for a, b in _pairs(same):
        if (less and _is(ours, abs(a.value - b.value))) or (more and _is(ours, a.value + b.value)):
            return f"{a.text} and {b.text}"
    return None


def _pairs(found: Sequence[Quantity]) -> Iterator[tuple[Quantity, Quantity]]:
    if len(found) <= MANY:
        yield from (
            (a, b) for a, b in itertools.combinations(found, 2) if a.unit == b.unit and not close(a.value, b.value)
        )


def _change(unit: str, a: Quantity, b: Quantity) -> Iterator[float]:
    """What two values of one thing differ by, in points, in per cent of either, or in times."""
    if unit == "points":
        if a.unit == "percent":
            yield abs(a.value - b.value)
        return
    for one, other in ((a.value, b.value), (b.value, a.value)):
        if one and unit == "percent":
            yield abs(other - one) / abs(one) * 100
        elif one and unit == "times":
            yield abs(other / one)


def _is(ours: Quantity, value: float) -> bool:
    """Whether the value is what the claim says, rounded as it is said there."""
    if value <= 0:
        return False
    made = replace(ours, value=value, other=None, bound="exactly", step=ours.step * 1e-6)
    return equal(abs(ours.value), ours, made) or bears_out(ours, value, made)


def _from_years(ours: Quantity, theirs: Sequence[Quantity], when: Sequence[When]) -> str | None:
    """The time from one date of the text to another."""
    if ours.unit == "months" and ours.base == MONTHS_A_YEAR:
        years = {int(q.value) for q in theirs if q.unit == "year"} | {w.year for w in when if w.year} | _ends(when)
        for a, b in itertools.combinations(sorted(years), 2):
            if len(years) <= MANY and _is(ours, float(b - a) * MONTHS_A_YEAR):
                return f"{a} and {b}"
    if ours.unit == "time" and ours.base >= SECONDS_A_DAY:
        days = sorted({d for w in when if (d := _day(w)) is not None})
        for first, last in itertools.combinations(days, 2):
            if len(days) <= MANY and _is(ours, float((last - first).days) * SECONDS_A_DAY):
                return f"{first} and {last}"
    return None


def _ends(when: Sequence[When]) -> set[int]:
    return {w.until for w in when if w.until is not None}


def _day(when: When) -> date | None:
    if when.year is None or when.month is None or when.day is None:
        return None
    try:
        return date(when.year, when.month, when.day)
    except ValueError:
        return None


def _year_later(ours: Quantity, theirs: Sequence[Quantity], evidence: str) -> str | None:
    """The year that the text has by another and "six years later"."""
    if ours.unit != "year" or not _YEARS_LATER.search(evidence):
        return None
    spans = [q for q in theirs if q.unit == "months" and q.base == MONTHS_A_YEAR]
    for year in theirs:
        if year.unit == "year" and int(year.value) < ours.value:
            for q in spans:
                if close(year.value + q.value / MONTHS_A_YEAR, ours.value):
                    return f"{year.text} and {q.text}"
    return None


def _from_list(ours: Quantity, claim: str, theirs: Sequence[Quantity], evidence: str) -> str | None:
    """The number of things that the text lists, where it has no number of those things itself."""
    things = counted(ours, claim)
    if ours.unit or not things or ours.value not in range(3, LONGEST_LIST + 1):
        return None
    if any(not q.unit and counted(q, evidence) == things for q in theirs):
        return None
    return "the things listed" if int(ours.value) in _lengths(evidence) else None


@lru_cache(maxsize=256)
def _lengths(text: str) -> frozenset[int]:
    """How long the lists of a text are: in a sentence, item below item, row below row."""
    found = {m[0].count(",") + 2 - bool(re.search(r",\s(?:and|or|as well as)\s", m[0])) for m in _LIST.finditer(text)}
    spans = sentences(text)
    kinds = ["row" if is_table_row(s.of(text)) else "item" if _ITEM.match(s.of(text)) else "" for s in spans]
    for kind, run in itertools.groupby(kinds):
        if kind:
            rows = len(list(run))
            found |= {rows, rows - 1}
    return frozenset(found)


def spans_year(year: float, theirs: Sequence[Quantity], when: Sequence[When], evidence: str) -> bool:
    """Whether the text has a year within what it says: "from 1988 to 1992", "since 1992", "1965-present".

    >>> from rag_core.text.quantities import quantities
    >>> text = "It owned the mill from 1988 to 1992."
    >>> spans_year(1990, quantities(text), (), text)
    True
    """
    if any(w.year and w.until and w.year <= year <= w.until for w in when):
        return True
    years = [q for q in theirs if q.unit == "year"]
    for a, b in itertools.pairwise(years):
        between = evidence[a.span.end : b.span.start]
        if a.value < year < b.value and re.fullmatch(r"\s?(?:[-–—]|to|until|till|through|and)\s?", between):
            return between.strip() != "and" or evidence[: a.span.start].rstrip().lower().endswith("between")
    return any(
        q.value < year
        and (
            _OPEN.search(evidence[max(0, q.span.start - 30) : q.span.start])
            or _OPEN.search(evidence[q.span.end : q.span.end + 12])
        )
        for q in years
    )
