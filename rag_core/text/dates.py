"""Text to the dates and times of day it states, each as exact as the text is. Pure.

"12 June 2019", "June 12th, 2019", "2019-06-12" and "12.06.2019" are one day; "June 2019" is a month that contains it;
"the 1990s", "the 19th century", "Q3 2019", "FY 2019" and "2019/20" are spans of time. "12/06/2019" keeps both of its readings.
"""

# ruff: noqa: E501, RUF001 - one pattern a line

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from rag_core.types import Span

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
MONTHS = (
    {name: i for i, name in enumerate(_MONTHS, 1)} | {name[:3]: i for i, name in enumerate(_MONTHS, 1)} | {"sept": 9}
)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}

_CENTURIES = {
    "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
    "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "twenty-first": 21,
}  # fmt: skip

_M = r"(?P<month>(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)(?:\.|\b)|january|february|march|april|may|june|july|august|september|october|november|december)"
_Y = r"(?P<year>1[0-9]\d\d|20\d\d|21\d\d)"
_D = r"(?P<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_PATTERNS = tuple(
    re.compile(p, re.IGNORECASE)
    for p in (
        rf"\b{_D}(?:\s+of)?\s+{_M},?\s+{_Y}\b",
        rf"\b{_M}\s+{_D}\s*,?\s+{_Y}\b",
        r"\b(?P<year>1\d{3}|20\d\d)-(?P<mnum>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12]\d|3[01])\b",
        r"\b(?P<a>0?[1-9]|[12]\d|3[01])[./](?P<b>0?[1-9]|[12]\d|3[01])[./](?P<year>1\d{3}|20\d\d)\b",
        rf"\b{_M},?\s+(?:of\s+)?{_Y}\b",
        r"\b(?:Q(?P<q>[1-4])|(?P<qw>first|second|third|fourth|[1-4](?:st|nd|rd|th))[ -]quarter)(?:\s+of)?(?:\s+(?:the\s+)?(?:fiscal|financial)?(?:\s*year)?)?\s*(?:of\s+)?(?P<year>20\d\d|19\d\d)\b",
        r"\b(?:Q(?P<q>[1-4])|(?P<qw>first|second|third|fourth|[1-4](?:st|nd|rd|th))[ -](?:fiscal[ -])?quarter)\b(?!\s+of\s+the\s+(?!fiscal|financial|year))",
        r"\b(?P<year>1\d{3}|20\d\d)\s?[/–-]\s?(?P<y2>\d\d)\b(?![-/]\d)",
        rf"\b(?P<cent>\d{{1,2}}(?:st|nd|rd|th)|{'|'.join(_CENTURIES)})[ -]century\b(?!\s+b\.?c)",
        r"\b(?:FY|fiscal(?:\s+year)?|financial year)\s*'?(?P<fy>\d{2})\b(?![\d,.%])",
        r"\b(?:the\s+)?(?:early|mid|late)?[- ]?(?P<decade>1\d\d0|20\d0)'?s\b",
        r"\b(?:the|early|mid|late)[- ]['’]?(?P<short>[2-9]0)s\b",
        rf"\b{_D}(?:\s+of)?\s+{_M}(?!\w)",
        rf"\b{_M}\s+{_D}(?![\d.,]*\d)\b(?!\s*(?:%|per\s?cent|million|billion))",
        rf"\b(?:in|of|by|from|until|till|since|late|early|last|next|this|each|every|after|before|during|to)\s+{_M}(?!\w)",
    )
)
_CLOCK = re.compile(
    r"\b(?:(?P<h>[01]?\d|2[0-4])[:.](?P<m>[0-5]\d)(?:[:.][0-5]\d)?\s*(?P<ap>[ap]\.?m\b\.?)?|(?P<h2>1[0-2]|0?[1-9])\s*(?P<ap2>[ap]\.?m\b\.?)"
    r"|(?P<h3>1[0-2]|[1-9]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s*o['’]?clock|(?P<named>noon|midday|midnight))",
    re.IGNORECASE,
)
_NOON = 12
_HOURS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


@dataclass(frozen=True, slots=True)
class When:
    """A date as exact as the text has it: what is not said is None."""

    text: str
    span: Span
    year: int | None = None
    month: int | None = None
    day: int | None = None
    until: int | None = None
    """The last year of a decade, a century or "2019/20"."""
    swapped: bool = False
    """Day and month may stand the other way round: "12/06/2019"."""
    quarter: int | None = None

    def agrees(self, other: When) -> bool:
        """Whether both may be the same time: everything that both say is equal."""
        return any(
            _same(self.year, self.until, other.year, other.until)
            and _equal(month, other.month)
            and _equal(day, other.day)
            and _equal(self.quarter, other.quarter or _quarter_of(other.month))
            for month, day in self._readings()
        ) or (other.swapped and not self.swapped and other.agrees(self))

    def missing_in(self, other: When) -> bool:
        """Whether this one says something that the other does not."""
        mine = (self.year, self.month, self.day, self.quarter)
        theirs = (other.year, other.month, other.day, other.quarter or _quarter_of(other.month))
        return any(a is not None and b is None for a, b in zip(mine, theirs, strict=True))

    def _readings(self) -> Iterator[tuple[int | None, int | None]]:
        yield self.month, self.day
        if self.swapped:
            yield self.day, self.month


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day, in minutes after midnight; `ambiguous` when it may be twelve hours later."""

    text: str
    span: Span
    minutes: int
    ambiguous: bool = False


def dates(text: str) -> list[When]:
    """The dates of `text` in reading order. Years that stand alone are quantities of the unit "year".

    >>> [(d.year, d.month, d.day) for d in dates("From June 12th, 2019 until 5 May; in the 1990s.")]
    [(2019, 6, 12), (None, 5, 5), (1990, None, None)]
    """
    return [*_dates(text)]


@lru_cache(maxsize=4096)
def _dates(text: str) -> tuple[When, ...]:
    found: list[When] = []
    for pattern in _PATTERNS:
        for m in pattern.finditer(text):
            span = Span(m.start("month") if _is_month_alone(m) else m.start(), m.end())
            if all(span.end <= d.span.start or span.start >= d.span.end for d in found):
                when = _when(m, span)
                if when is not None:
                    found.append(when)
    return tuple(sorted(found, key=lambda d: d.span))


def clocks(text: str) -> list[Clock]:
    """The times of day of `text`: "5 p.m.", "17:00", "noon".

    >>> [c.minutes for c in clocks("From 9:30 to 5 p.m.")]
    [570, 1020]
    """
    return [clock for m in _CLOCK.finditer(text) if (clock := _clock(text, m)) is not None]


def without(text: str, spans: list[Span]) -> str:
    """`text` with `spans` blanked, its length kept: what is left for the readers of other things."""
    letters = list(text)
    for span in spans:
        letters[span.start : span.end] = " " * len(span)
    return "".join(letters)


def _is_month_alone(m: re.Match[str]) -> bool:
    """Whether it is "until March": the word before only tells the month from the verb."""
    g = m.groupdict()
    return bool(g.get("month")) and not g.get("day") and not g.get("year")


def _when(m: re.Match[str], span: Span) -> When | None:
    g = m.groupdict()
    number = {k: int(v) for k, v in g.items() if v and v.isdigit()}
    year = number.get("year")
    if g.get("a"):
        return _by_numbers(m[0], span, year, number["a"], number["b"])
    if year is not None and g.get("y2"):
        last = year // 100 * 100 + number["y2"]
        return When(m[0], span, year, until=last) if last > year else None
    if years := _years(g):
        return When(m[0], span, years[0], until=years[1])
    if g.get("month") in {"may", "mar", "march"} and year is None:
        return None  # "may 5 people come", "a long march"
    month: int | None = number.get("mnum") or (MONTHS[g["month"].lower().rstrip(".")] if g.get("month") else None)
    quarter = number.get("q") or (_QUARTERS[g["qw"].lower()] if g.get("qw") else None)
    return When(m[0][span.start - m.start() :], span, year, month, number.get("day"), quarter=quarter)


def _years(g: dict[str, str | None]) -> tuple[int, int | None] | None:
    """The first and the last year of "the 1990s", "the 1800s", "the 90s" or "the 19th century"; the one of "FY19"."""
    if fy := g.get("fy"):
        return 2000 + int(fy), None
    if decade := g.get("decade"):
        return int(decade), int(decade) + (99 if int(decade) % 100 == 0 else 9)
    if short := g.get("short"):
        return 1900 + int(short), 1909 + int(short)
    if cent := g.get("cent"):
        century = _CENTURIES.get(cent.lower()) or int(re.sub(r"\D", "", cent))
        return 100 * century - 99, 100 * century
    return None


def _by_numbers(text: str, span: Span, year: int | None, a: int, b: int) -> When | None:
    """The date of "12.06.2019": its first numbers are day and month, or month and day, or may be both."""
    if a > _NOON and b > _NOON:
        return None
    day, month = (a, b) if b <= _NOON else (b, a)
    return When(text, span, year, month, day, swapped=a <= _NOON and b <= _NOON and a != b)


def _clock(text: str, m: re.Match[str]) -> Clock | None:
    span = Span(m.start(), m.start() + len(m[0].rstrip()))
    if m["named"]:
        return Clock(m[0], span, 0 if m["named"].lower() == "midnight" else _NOON * 60)
    half = (m["ap"] or m["ap2"] or "").lower()[:1]
    if not half and "." in m[0]:
        return None  # "3.50" is a number
    if m["h3"]:
        hour = int(m["h3"]) if m["h3"].isdigit() else _HOURS.index(m["h3"].lower()) + 1
        return Clock(m[0], span, hour % _NOON * 60, ambiguous=True)
    hour, minute = int(m["h"] or m["h2"]), int(m["m"] or 0)
    if half:
        hour = hour % _NOON + (_NOON if half == "p" else 0)
    elif re.match(r"\s*(?:hours|hrs|h\b)", text[m.end() :]):
        half = "h"
    return Clock(m[0], span, hour * 60 + minute, ambiguous=not half and hour <= _NOON and not m[0].startswith("0"))


def _equal(a: int | None, b: int | None) -> bool:
    return a is None or b is None or a == b


def _same(a: int | None, a_until: int | None, b: int | None, b_until: int | None) -> bool:
    if a is None or b is None:
        return True
    return a <= (b_until or b) and b <= (a_until or a)


def _quarter_of(month: int | None) -> int | None:
    return None if month is None else (month + 2) // 3
