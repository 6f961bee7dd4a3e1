"""Numbers in words to quantities: "twenty-five", "two-thirds", "half a million", "one in five", "a year". Pure."""

# ruff: noqa: E501 - units and signs as pages have them

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from rag_core.text.quantity import BACK, Quantity, bound_of
from rag_core.text.units import AFTER, CURRENCIES, SCALES, UNITS, scale_and_unit
from rag_core.types import Span

_ONES = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
    "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
}  # fmt: skip
_FRACTIONS = {"half": 1 / 2, "third": 1 / 3, "thirds": 1 / 3, "quarter": 1 / 4, "quarters": 1 / 4, "fifth": 1 / 5,
              "fifths": 1 / 5, "tenth": 1 / 10, "tenths": 1 / 10}  # fmt: skip
VAGUE = re.compile(
    r"\b(?:several|many|some|few|couple of|hundreds of|thousands of|tens of|millions of|dozens of)\s$", re.IGNORECASE
)
"""What stands before a scale word that is no number: "several hundred", "a few million"."""

_MULTIPLES = {"twice": 2.0, "double": 2.0, "doubled": 2.0, "thrice": 3.0, "triple": 3.0, "tripled": 3.0}


_WORDED = re.compile(
    r"\b(?P<words>(?:(?:{n})(?:[ -]|\b)(?:and[ ])?)+)(?P<frac>(?:thirds?|quarters?|fifths?|tenths?|half)\b)?".format(
        n="|".join((*sorted((*_ONES, *_TENS), key=len, reverse=True), "hundred", "thousand", "million", "billion",
                    "trillion", "dozen"))
    ),
    re.IGNORECASE,
)  # fmt: skip
_ORDINAL_WORD = re.compile(
    r"\b(?:(?P<tens>{t})-)?(?P<one>{o})\b".format(
        t="|".join(_TENS), o="|".join(sorted(_ORDINALS, key=len, reverse=True))
    ),
    re.IGNORECASE,
)
_LONE = re.compile(r"\b(?:(?P<a>a|one)[ -](?P<frac>half|third|quarter|fifth|tenth)|(?P<half>half)(?= (?:of|the|a)\b)"
                   r"|(?:one|1) (?:in|out of)(?: every)? (?P<in>two|three|four|five|six|seven|eight|nine|ten|twenty|\d{1,3})|(?P<mult>twice|doubled?|thrice|tripled?))\b", re.IGNORECASE)  # fmt: skip
_HALVED = "|".join(
    [*sorted((w for w in UNITS if w.isalpha() or w == "percentage point"), key=len, reverse=True), "hundred", "thousand",
     "million", "billion", "trillion", "dozen"]
)  # fmt: skip
_HALVES = re.compile(
    rf"\b(?:(?:(?P<whole>\d+|{'|'.join(_ONES)}) and a )?(?:(?P<half>half)(?: an?)?|(?P<part>quarter|third) of an?|(?P<few>quarter)(?= (?:million|billion|trillion))) (?P<what>{_HALVED})"
    rf"|(?P<whole2>an?|\d+|{'|'.join(_ONES)}) (?P<what2>{_HALVED}) and a half)\b",
    re.IGNORECASE,
)
"""Halves of a unit or a scale: "half a million", "two and a half hours", "an hour and a half"."""


def spelled(text: str) -> Iterator[Quantity]:
    """The numbers in words, kind by kind; those that overlap are for the caller to choose from."""
    yield from _in_words(text)
    yield from _ordinals(text)
    yield from _fractions(text)
    yield from _halves(text)
    yield from _units_of_one(text)


def _in_words(text: str) -> Iterator[Quantity]:
    for m in _WORDED.finditer(text):
        tokens = [t for t in re.split(r"[ -]+", m["words"].lower().strip(" -")) if t and t != "and"]
        value = _from_words(tokens)
        if value is None or (tokens[0] in SCALES and VAGUE.search(text[max(0, m.start() - BACK) : m.start()])):
            continue
        start, stop = m.start(), m.start() + len(m["words"].rstrip(" -"))
        if text[start:stop].lower().endswith(" and"):
            stop -= 4
        if m["frac"]:
            yield _worded(text, start, m.end(), value * _FRACTIONS[m["frac"].lower()], "ratio")
            continue
        scale, kind, base, end = _unit_at(text, stop)
        yield replace(_worded(text, start, max(stop, end), value * scale * base, kind), base=base)


def _ordinals(text: str) -> Iterator[Quantity]:
    for m in _ORDINAL_WORD.finditer(text):
        value = _ORDINALS[m["one"].lower()] + (_TENS[m["tens"].lower()] if m["tens"] else 0)
        yield _worded(text, m.start(), m.end(), float(value), "ordinal")


def _fractions(text: str) -> Iterator[Quantity]:
    for m in _LONE.finditer(text):
        if m["mult"]:
            yield _worded(text, m.start(), m.end(), _MULTIPLES[m["mult"].lower()], "times")
        elif m["in"]:
            of = float(m["in"]) if m["in"].isdigit() else _from_words([m["in"].lower()])
            if of:
                yield _worded(text, m.start(), m.end(), 1 / of, "ratio")
        else:
            yield _worded(text, m.start(), m.end(), _FRACTIONS[(m["frac"] or m["half"]).lower()], "ratio")


def _halves(text: str) -> Iterator[Quantity]:
    for m in _HALVES.finditer(text):
        whole, what = m["whole"] or m["whole2"] or "zero", (m["what"] or m["what2"]).lower()
        part = _FRACTIONS[m["part"].lower()] if m["part"] else 0.25 if m["few"] else 0.5
        kind, base = UNITS.get(what, ("", 1.0))
        end = m.end()
        if what in SCALES:
            _, kind, base, end = _unit_at(text, m.end())
        value = (_number_of(whole) + part) * SCALES.get(what, 1.0) * base
        yield replace(_worded(text, m.start(), max(end, m.end()), value, kind), base=base)


def _units_of_one(text: str) -> Iterator[Quantity]:
    for m in _ONE.finditer(text):
        word = m[1].lower()
        kind, base = UNITS.get(word, ("", SCALES.get(word, 1.0)))
        yield replace(_worded(text, m.start(), m.end(), base, kind), base=base if kind else 1.0)


_ONE = re.compile(r"\b(?:an?) (hour|day|week|month|year|decade|hundred|thousand|million|billion)\b", re.IGNORECASE)


def _unit_at(text: str, at: int) -> tuple[float, str, float, int]:
    """The scale, what is measured, what its unit is worth, and where both end."""
    after = AFTER.match(text, at)
    assert after is not None
    scale, unit, end = scale_and_unit(after, "", touching=False)
    kind, base = UNITS.get(unit, (CURRENCIES.get(unit, ""), 1.0))
    return scale, kind, base, end


def _number_of(word: str) -> float:
    if word.isdigit():
        return float(word)
    return 1.0 if word.lower() in {"a", "an"} else float(_ONES[word.lower()])


def _worded(text: str, start: int, end: int, value: float, unit: str) -> Quantity:
    return Quantity(value, text[start:end], Span(start, end), unit, 0.0, bound_of(text, start, end))


def _from_words(tokens: list[str]) -> float | None:
    """The number that words spell; None when they spell several ("nineteen ninety", "two three")."""
    total = current = 0.0
    last = ""
    for token in tokens:
        if token in _ONES:
            if last in _ONES or (last in _TENS and _ONES[token] > 9):  # noqa: PLR2004 - "twenty twelve" is no number
                return None
            current += _ONES[token]
        elif token in _TENS:
            if last in _ONES or last in _TENS:
                return None
            current += _TENS[token]
        elif token == "hundred":  # noqa: S105 - a word
            current = (current or 1) * 100
        else:
            total += (current or 1) * SCALES[token]
            current = 0.0
        last = token
    return total + current
