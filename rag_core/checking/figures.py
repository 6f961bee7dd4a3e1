"""The dates, times and numbers of a claim against those of a text, one Reason each. Pure.

A figure that the text lacks fails its check. Only where the text has another one of the same thing, in words that the
claim shares, does the Reason say so: then the text says otherwise, and is not merely silent.
"""

# ruff: noqa: RUF001 - dashes as pages have them

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeVar

from rag_core.checking import polarity
from rag_core.checking.agreement import LOOSE, agree, count_alike, counted, equal
from rag_core.checking.alignment import words
from rag_core.checking.bindings import clauses_of, misplaced
from rag_core.checking.derived import derived, spans_year
from rag_core.text.dates import WEEKDAYS, Clock, When, clocks, dates, without
from rag_core.text.quantities import quantities
from rag_core.text.quantity import Quantity
from rag_core.text.spelled import VAGUE
from rag_core.types import Reason, Span

Placed = TypeVar("Placed", Quantity, When, Clock)

SMALL = 10
"""Numbers below are mostly counts: "two friends" is held against "four friends", not against "1,200"."""

SHARED = 2
"""Words of matter that a claim must share with the clause of a figure, for that figure to be of the same thing."""


def reasons(claim: str, evidence: str, wider: str) -> Iterator[Reason]:
    """What was compared, in a fixed order; `wider` is the text around, which may have the year of a day."""
    denied = polarity.read(claim).denies
    for reason in (
        *_dates(claim, evidence, wider),
        *_periods(claim, evidence),
        *_weekdays(claim, evidence),
        *_clocks(claim, evidence),
        *_numbers(claim, evidence),
    ):
        # "It did not close in 2018" is no less true when the text says that it closed in 2019.
        yield (
            Reason(reason.check, ok=False, detail=reason.detail.partition(", which says")[0])
            if denied and not reason.ok
            else reason
        )
    for mine, other in misplaced(claim, _serious(claim), evidence, bare(evidence)):
        detail = f"{mine.text!r} is there, but what the claim says it of stands beside {other.text!r}"
        yield Reason("binding", ok=False, detail=detail)


@lru_cache(maxsize=4096)
def bare(text: str) -> tuple[Quantity, ...]:
    """The quantities of a text that are no part of a date or a time of day."""
    taken = [d.span for d in dates(text)] + [c.span for c in clocks(text)]
    return tuple(quantities(without(text, taken)))


def _serious(claim: str) -> list[Quantity]:
    return [q for q in bare(claim) if not _is_small_talk(q, claim)]


# ----------------------------------------------------------------------------------------------- time


def _dates(claim: str, evidence: str, wider: str) -> Iterator[Reason]:
    theirs = dates(evidence)
    years = [q for q in bare(evidence) if q.unit == "year"]
    around = {int(y) for y in re.findall(r"\b(?:1\d{3}|20\d\d)\b", wider)}
    for ours in dates(claim):
        matches = [d for d in theirs if ours.agrees(d)]
        full = [d for d in matches if not ours.missing_in(d)]
        if full:
            yield Reason("date", ok=True, detail=f"{ours.text!r} agrees with {full[0].text!r}")
        elif matches and _rest_is_near(ours, matches, around):
            yield Reason("date", ok=True, detail=f"{ours.text!r} agrees with {matches[0].text!r}")
        elif ours.year and ours.month is None and any(ours.year <= y.value <= (ours.until or ours.year) for y in years):
            yield Reason("date", ok=True, detail=f"{ours.text!r} agrees with the year in the text")
        else:
            others = [d for d in theirs if _exactness(d) == _exactness(ours) and not ours.agrees(d)]
            yield _not_there("date", ours.text, [d.text for d in _of_the_same(ours.span, claim, others, evidence)])


_PERIOD = re.compile(
    r"\b(?P<which>first|second|third|last|next|previous) (?P<of>day|week|month|quarter|half|year|decade)s?\b",
    re.IGNORECASE,
)


def _periods(claim: str, evidence: str) -> Iterator[Reason]:
    """The first week against the first month: the same place in line, of another length."""
    theirs = {(m["which"].lower(), m["of"].lower()): m[0] for m in _PERIOD.finditer(evidence)}
    for m in _PERIOD.finditer(claim):
        which, of = m["which"].lower(), m["of"].lower()
        others = [text for (rank, what), text in theirs.items() if rank == which or what == of == "half"]
        if others and (which, of) not in theirs:
            yield Reason("date", ok=False, detail=f"{m[0]!r} is not in the text, which says {others[0]}")


def _weekdays(claim: str, evidence: str) -> Iterator[Reason]:
    theirs = {m[0].lower().rstrip("s"): m[0] for m in _WEEKDAY.finditer(evidence)}
    for m in _WEEKDAY.finditer(claim):
        if theirs and m[0].lower().rstrip("s") not in theirs:
            yield Reason(
                "date", ok=False, detail=f"{m[0]!r} is not in the text, which says {', '.join(theirs.values())}"
            )


_WEEKDAY = re.compile(rf"\b(?:{'|'.join(WEEKDAYS)})s?\b", re.IGNORECASE)


def _exactness(when: When) -> tuple[bool, bool, bool]:
    return when.month is not None or when.quarter is not None, when.day is not None, when.quarter is not None


def _rest_is_near(ours: When, matches: list[When], around: set[int]) -> bool:
    """Whether only the year is missing beside the day or the quarter, and the text around has it."""
    return ours.year in around and any(
        (d.month == ours.month and d.day == ours.day) or (d.quarter is not None and d.quarter == ours.quarter)
        for d in matches
    )


def _clocks(claim: str, evidence: str) -> Iterator[Reason]:
    theirs = clocks(evidence)
    for ours in clocks(claim):
        if any(_same_time(ours, c) for c in theirs):
            yield Reason("time", ok=True, detail=f"{ours.text!r} is in the text")
        else:
            yield _not_there("time", ours.text, [c.text for c in _of_the_same(ours.span, claim, theirs, evidence)])


def _same_time(a: Clock, b: Clock) -> bool:
    return a.minutes == b.minutes or ((a.ambiguous or b.ambiguous) and (a.minutes - b.minutes) % 720 == 0)


# -------------------------------------------------------------------------------------------- numbers


def _numbers(claim: str, evidence: str) -> Iterator[Reason]:
    theirs = bare(evidence)
    when = dates(evidence)
    for ours in bare(claim):
        kind = "date" if ours.unit == "year" else "number"
        if kind == "date" and _has_year(ours, claim, theirs, when, evidence):
            yield Reason("date", ok=True, detail=f"{ours.text} is in the text")
            continue
        if ours.unit == "ratio" or (ours.unit == "ordinal" and _is_small_talk(ours, claim)):
            yield from _told_otherwise(ours, claim, theirs, evidence)
            continue
        match = next((q for q in theirs if agree(ours, q, claim, evidence)), None)
        if match is not None and not (_is_small_talk(ours, claim) or _counts_loosely(ours, claim, theirs, evidence)):
            yield Reason(kind, ok=True, detail=f"{ours.text!r} agrees with {match.text!r}")
        elif _is_small_talk(ours, claim) or _counts_loosely(ours, claim, theirs, evidence):
            continue
        elif found := derived(ours, claim, theirs, when, evidence):
            yield Reason(kind, ok=True, detail=f"{ours.text!r} follows from {found}")
        else:
            yield _no_such_number(kind, ours, theirs, claim, evidence)


def _told_otherwise(ours: Quantity, claim: str, theirs: Sequence[Quantity], evidence: str) -> Iterator[Reason]:
    """A fraction, or "second", which may be mere words: only another one of the same thing is held against it."""
    if any(agree(ours, q, claim, evidence) for q in theirs):
        return
    if ours.unit == "ordinal":
        things = counted(ours, claim)
        others = [q for q in theirs if q.unit == "ordinal" and things and counted(q, evidence) == things]
    else:
        shares = [q for q in theirs if q.unit in {"percent", "ratio"}]
        others = _of_the_same(ours.span, claim, shares, evidence)
    if others:
        yield _not_there("number", ours.text, [q.text for q in others])


def _has_year(ours: Quantity, claim: str, theirs: Sequence[Quantity], when: Sequence[When], evidence: str) -> bool:
    if any(w.year and w.until is None and w.year == ours.value for w in when):
        return True
    if any(w.year and w.until and ours.value in {w.year, w.until} for w in when):
        return True
    ends = re.match(r"\s?(?:[-–—]|to|until|through|and)\s?\d", claim[ours.span.end :]) or re.search(
        r"(?:[-–—]|\b(?:to|until|through|and|since|from|after|before))\s?$", claim[: ours.span.start], re.IGNORECASE
    )
    return not ends and spans_year(ours.value, theirs, when, evidence)


def _is_small_talk(q: Quantity, text: str) -> bool:
    """Whether language uses it without counting: "first", "one of them", "a year", "twice", "several hundred"."""
    if any(c.isdigit() for c in q.text):
        return False
    if q.unit == "ordinal" and q.value <= LOOSE:
        return True
    if not q.unit and q.text.lower() == "one":
        return True
    return (
        q.text.lower().split()[0] in {"a", "an"}
        or q.unit == "ratio"
        or (q.unit == "times" and " " not in q.text)
        or bool(VAGUE.search(text[max(0, q.span.start - 12) : q.span.start]))
    )


def _counts_loosely(ours: Quantity, claim: str, theirs: tuple[Quantity, ...], evidence: str) -> bool:
    """Whether it is "two friends" where the text names both and counts no friends."""
    return (
        not any(c.isdigit() for c in ours.text)
        and not ours.unit
        and ours.value <= LOOSE
        and not any(_may_count_the_same(ours, claim, q, evidence) for q in theirs)
    )


def _may_count_the_same(ours: Quantity, claim: str, theirs: Quantity, evidence: str) -> bool:
    if theirs.unit or theirs.value > SMALL or theirs.text.lower() == "one":
        return False
    mine, yours = counted(ours, claim), counted(theirs, evidence)
    return bool(mine) and (not yours or mine == yours)


def _no_such_number(kind: str, ours: Quantity, theirs: tuple[Quantity, ...], claim: str, evidence: str) -> Reason:
    """What differs, by name; other numbers are set against it only when they count the same kind of thing."""
    same = next((q for q in theirs if any(equal(v, ours, q) for v in ours.readings)), None)
    if same is not None and same.unit and ours.unit and same.unit != ours.unit:
        detail = f"the claim has {ours.text!r} ({ours.unit}), the text says {same.text!r} ({same.unit})"
        return Reason("unit", ok=False, detail=detail)
    if same is not None and same.unit == ours.unit and same.value == ours.value and same.bound != ours.bound:
        detail = f"the claim has {_said(ours, claim)!r}, the text says {_said(same, evidence)!r}"
        return Reason("bound", ok=False, detail=detail)
    alike = [q for q in theirs if count_alike(ours, claim, q, evidence)]
    return _not_there(kind, ours.text, [q.text for q in _of_the_same(ours.span, claim, alike, evidence)])


def _of_the_same(span: Span, claim: str, others: Sequence[Placed], evidence: str) -> list[Placed]:
    """Those that stand in a clause which shares words with the claim: they are of the same thing."""
    wanted = set(words(claim[: span.start] + " " + claim[span.end :]))
    clauses = clauses_of(evidence)
    kept = []
    for other in others:
        here = next((c for c in clauses if c.start <= other.span.start < c.end), other.span)
        beside = set(words(evidence[here.start : other.span.start] + " " + evidence[other.span.end : here.end]))
        if len(wanted & beside) >= min(SHARED, len(wanted)) or (beside and beside <= wanted):
            kept.append(other)
    return kept


def _said(q: Quantity, text: str) -> str:
    return " ".join(text[max(0, q.span.start - 14) : q.span.end].split())


def _not_there(kind: str, text: str, others: list[str]) -> Reason:
    if others:
        listed = ", ".join(dict.fromkeys(others[:4]))
        return Reason(kind, ok=False, detail=f"{text!r} is not in the text, which says {listed}")
    return Reason(kind, ok=False, detail=f"{text!r} is not in the text")
