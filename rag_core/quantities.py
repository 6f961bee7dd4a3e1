"""Text to the quantities it states: value, precision, unit, bound, and where. Pure.

`1,000.5`, `1.000,5`, `1 000,5`, `1.2 bn`, `(5.3)`, `twelve per cent`, `two-thirds` and `5 percentage points` all come
out as numbers that can be compared. Dates are another module's; a year that stands alone is reported here as one.
"""

# ruff: noqa: E501, RUF001 - units and signs as pages have them

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from rag_core.types import Span

Bound = Literal["exactly", "about", "over", "at_least", "under", "at_most"]
"""How the text holds the number: "more than 5" is `over`, "up to 5" is `at_most`."""

SCALES = {
    "hundred": 1e2, "thousand": 1e3, "k": 1e3, "thousands": 1e3, "tsd": 1e3,
    "million": 1e6, "millions": 1e6, "mn": 1e6, "m": 1e6, "mm": 1e6, "mio": 1e6, "mln": 1e6,
    "billion": 1e9, "billions": 1e9, "bn": 1e9, "b": 1e9, "bln": 1e9, "mrd": 1e9,
    "trillion": 1e12, "trillions": 1e12, "tn": 1e12, "trn": 1e12, "lakh": 1e5, "crore": 1e7,
}  # fmt: skip
_SHORT_SCALES = frozenset({"k", "m", "mm", "b"})
"""Letters that scale only when they touch their number ("5k") or a currency stands before it ("$5 m"): "5 m" is metres."""

CURRENCIES = {
    "$": "USD", "us$": "USD", "usd": "USD", "dollar": "USD", "dollars": "USD", "€": "EUR", "eur": "EUR", "euro": "EUR",
    "euros": "EUR", "£": "GBP", "gbp": "GBP", "pound": "GBP", "pounds": "GBP", "¥": "JPY", "yen": "JPY", "jpy": "JPY",
    "₹": "INR", "inr": "INR", "rupee": "INR", "rupees": "INR", "chf": "CHF", "francs": "CHF", "cad": "CAD", "c$": "CAD",
    "aud": "AUD", "a$": "AUD", "rmb": "CNY", "yuan": "CNY", "cny": "CNY", "₩": "KRW", "won": "KRW", "cent": "USD/100",
    "cents": "USD/100",
}  # fmt: skip

UNITS: dict[str, tuple[str, float]] = {
    **dict.fromkeys(("%", "percent", "per cent", "pct", "pc"), ("percent", 1.0)),
    **dict.fromkeys(("percentage point", "percentage points", "pp", "ppt", "ppts", "p.p.", "points"),
                    ("points", 1.0)),
    **dict.fromkeys(("basis point", "basis points", "bps", "bp"), ("points", 0.01)),
    **dict.fromkeys(("second", "seconds", "sec", "secs"), ("time", 1.0)),
    **dict.fromkeys(("minute", "minutes", "min", "mins"), ("time", 60.0)),
    **dict.fromkeys(("hour", "hours", "hr", "hrs"), ("time", 3600.0)),
    **dict.fromkeys(("day", "days"), ("time", 86400.0)),
    **dict.fromkeys(("week", "weeks", "wk", "wks"), ("time", 604800.0)),
    **dict.fromkeys(("month", "months"), ("months", 1.0)),
    **dict.fromkeys(("quarter", "quarters"), ("months", 3.0)),
    **dict.fromkeys(("year", "years", "yr", "yrs", "year-old", "years-old"), ("months", 12.0)),
    **dict.fromkeys(("decade", "decades"), ("months", 120.0)),
    **dict.fromkeys(("mm", "millimetre", "millimetres", "millimeter", "millimeters"), ("length", 0.001)),
    **dict.fromkeys(("cm", "centimetre", "centimetres", "centimeter", "centimeters"), ("length", 0.01)),
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters"), ("length", 1.0)),
    **dict.fromkeys(("km", "kilometre", "kilometres", "kilometer", "kilometers"), ("length", 1000.0)),
    **dict.fromkeys(("inch", "inches"), ("length", 0.0254)),
    **dict.fromkeys(("foot", "feet", "ft"), ("length", 0.3048)),
    **dict.fromkeys(("yard", "yards"), ("length", 0.9144)),
    **dict.fromkeys(("mile", "miles"), ("length", 1609.344)),
    **dict.fromkeys(("µg", "μg", "microgram", "micrograms"), ("mass", 1e-6)),
    **dict.fromkeys(("mg", "milligram", "milligrams"), ("mass", 1e-3)),
    **dict.fromkeys(("g", "gram", "grams"), ("mass", 1.0)),
    **dict.fromkeys(("kg", "kilogram", "kilograms", "kilo", "kilos"), ("mass", 1e3)),
    **dict.fromkeys(("tonne", "tonnes", "metric ton", "metric tons"), ("mass", 1e6)),
    **dict.fromkeys(("lb", "lbs"), ("mass", 453.592)),
    **dict.fromkeys(("ounce", "ounces", "oz"), ("mass", 28.3495)),
    **dict.fromkeys(("litre", "litres", "liter", "liters"), ("volume", 1.0)),
    **dict.fromkeys(("ml", "millilitre", "millilitres", "milliliter", "milliliters"), ("volume", 0.001)),
    **dict.fromkeys(("gallon", "gallons"), ("volume", 3.78541)),
    **dict.fromkeys(("kb",), ("bytes", 1e3)),
    **dict.fromkeys(("mb", "megabytes"), ("bytes", 1e6)),
    **dict.fromkeys(("gb", "gigabytes"), ("bytes", 1e9)),
    **dict.fromkeys(("tb", "terabytes"), ("bytes", 1e12)),
    **dict.fromkeys(("°c", "degrees celsius"), ("celsius", 1.0)),
    **dict.fromkeys(("°f", "degrees fahrenheit"), ("fahrenheit", 1.0)),
    **dict.fromkeys(("mph",), ("speed", 1.609344)),
    **dict.fromkeys(("km/h", "kph"), ("speed", 1.0)),
    **dict.fromkeys(("watt", "watts"), ("power", 1.0)),
    **dict.fromkeys(("kw", "kilowatt", "kilowatts"), ("power", 1e3)),
    **dict.fromkeys(("mw", "megawatts", "megawatt"), ("power", 1e6)),
    **dict.fromkeys(("gw", "gigawatts", "gigawatt"), ("power", 1e9)),
    **dict.fromkeys(("kwh", "kilowatt-hours", "kilowatt-hour"), ("energy", 1e3)),
    **dict.fromkeys(("mwh",), ("energy", 1e6)),
    **dict.fromkeys(("twh",), ("energy", 1e12)),
    **dict.fromkeys(("acre", "acres"), ("area", 4046.86)),
    **dict.fromkeys(("hectare", "hectares", "ha"), ("area", 1e4)),
}  # fmt: skip
"""What a unit measures, and in how many of its base. Months are not days: "30 days" and "a month" are told apart."""

YEARS = range(1000, 2200)

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
_MULTIPLES = {"twice": 2.0, "double": 2.0, "doubled": 2.0, "thrice": 3.0, "triple": 3.0, "tripled": 3.0, "dozen": 12.0}


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

    @property
    def readings(self) -> tuple[float, ...]:
        """Every value that the text may mean."""
        return (self.value,) if self.other is None else (self.value, self.other)


_SPACE = "\u00a0\u2009\u202f"
_NOTE = re.compile(r"(?<=\d)[⁰¹²³⁴-⁹]+(?:,[⁰¹²³⁴-⁹]+)*(?=\s+[^\W\d]|\s*[.;)]|\s*$)")
"""A footnote's mark after a number: no digit of it, as an exponent before a unit would be."""

_NUMBER = re.compile(
    rf"""
    (?<![\w.,/])                                             # not inside a word, a code or another number
    (?P<open>\()?
    (?P<sign>[-−–+](?=[$€£¥₹]?\d)|(?:minus|negative)[ ])?
    (?P<cur>(?:US|C|A)?\$|[€£¥₹₩]|\b(?:USD|EUR|GBP|CHF|JPY|INR|CAD|AUD|CNY|RMB|Rs\.?)(?=[ {_SPACE}]?\d))?[ {_SPACE}]?
    (?P<sign2>[-−](?=\d))?
    (?P<num>\d{{1,3}}(?:[,'’]\d{{3}})+(?:\.\d+)?|\d{{1,3}}(?:\.\d{{3}})+(?:,\d+)?|\d{{1,3}}(?:[{_SPACE} ]\d{{3}})+(?:[.,]\d+)?(?![\d])
      |\d+,\d{{1,2}}(?!\d)|\d{{1,3}}(?:,\d{{2}})+,\d{{3}}|\d+(?:\.\d+)?|\.\d+)
    (?P<ord>st|nd|rd|th)?\b
    (?P<close>\))?
    """,
    re.VERBOSE,
)  # fmt: skip
_AFTER = re.compile(
    rf"""
    [ {_SPACE}-]?
    (?P<scale>hundred|thousands?|millions?|billions?|trillions?|lakh|crore|mn|mio|mln|bn|bln|mrd|tn|trn|tsd|[kKmMbB](?![\w/%.-])|mm(?!\w))?
    (?:[ {_SPACE}-]?(?P<unit>percentage[ ]points?|basis[ ]points?|per[ ]cent|percent|pct\b|%[- ]?points?|%|[°º]\s?[CF]\b|degrees[ ](?:celsius|fahrenheit)
      |metric[ ]tons?|km/h|kilowatt-hours?|years?-old|p\.p\.|us[ ]dollars?|[A-Za-z]+(?![\w]))(?:-old)?)?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_WORDED = re.compile(
    r"\b(?P<words>(?:(?:{n})(?:[ -]|\b)(?:and[ ])?)+)(?P<frac>(?:thirds?|quarters?|fifths?|tenths?|half)\b)?".format(
        n="|".join((*sorted((*_ONES, *_TENS), key=len, reverse=True), "hundred", "thousand", "million", "billion",
                    "trillion"))
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
                   r"|(?P<mult>twice|doubled?|thrice|tripled?|dozen))\b", re.IGNORECASE)  # fmt: skip
_BOUND_WORDS: dict[Bound, str] = {
    "at_most": r"no more than|not more than|at most|up to|maximum(?: of)?|not exceeding|no later than|max\.?|within|no greater than|≤|<=|as much as|as many as",
    "at_least": r"no less than|not less than|no fewer than|at least|minimum(?: of)?|starting at|≥|>=|as few as|as little as",
    "over": r"more than|greater than|over|above|exceed(?:s|ed|ing)?|in excess of|higher than|larger than|longer than|older than|upwards of|surpass(?:es|ed|ing)?|>|topped|beyond",
    "under": r"less than|fewer than|lower than|under|below|smaller than|shorter than|younger than|<",
    "about": r"about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.|c\.|~|≈|close to|an estimated|estimated|in the region of|just over|just under",
}
_BEFORE = {bound: re.compile(rf"(?<!\w)(?:{words})[ (]*$", re.IGNORECASE) for bound, words in _BOUND_WORDS.items()}
_BACK = 26
"""Characters that the longest of these words needs."""


def quantities(text: str) -> list[Quantity]:
    """Every number of `text` in reading order, written or spelled; parts of names and codes ("COVID-19") are not.

    >>> [(q.value, q.unit, q.bound) for q in quantities("It rose by about 1.2 bn euros, or twelve per cent, in 2019.")]
    [(1200000000.0, 'EUR', 'about'), (12.0, 'percent', 'exactly'), (2019.0, 'year', 'exactly')]
    """
    text = _NOTE.sub(lambda m: " " * len(m[0]), text)
    found = [*_written(text), *_spelled(text)]
    found.sort(key=lambda q: (q.span.start, -q.span.end))
    kept: list[Quantity] = []
    for q in found:
        if not kept or q.span.start >= kept[-1].span.end:
            kept.append(q)
    return _shared_units(text, kept)


def _written(text: str) -> Iterator[Quantity]:
    for m in _NUMBER.finditer(text):
        after = _AFTER.match(text, m.end("ord") if m["ord"] else m.end("close") if m["close"] else m.end("num"))
        assert after is not None
        if _in_a_code(text, m):
            continue
        value, step, other = _value(m["num"])
        currency = CURRENCIES.get(
            (m["cur"] or "").lower().rstrip("."), "INR" if (m["cur"] or "").startswith("Rs") else ""
        )
        touching = text[m.end("num") : m.end("num") + 1].isalpha()
        scale, unit, end = _scale_and_unit(after, currency, touching=touching)
        base = 1.0
        if m["ord"]:
            unit, scale, end = "ordinal", 1.0, m.end("ord")
        elif unit in UNITS:
            unit, base = UNITS[unit]
        elif unit in CURRENCIES:
            unit = CURRENCIES[unit]
        elif currency:
            unit = currency
        elif scale == 1.0 and re.fullmatch(r"\d{4}", m["num"]) and int(m["num"]) in YEARS:
            unit = "year"
        if unit == "USD/100":
            unit, base = "USD", 0.01
        by = scale * base
        sign = -1.0 if _is_negative(text, m, unit) else 1.0
        yield Quantity(
            sign * value * by,
            ("-" if sign < 0 else "") + (m["cur"] or "") + text[m.start("num") : max(end, m.end("num"))].strip(),
            Span(m.start("num"), max(end, m.end("num"))),
            unit,
            step * by,
            _bound(text, m.start(), end),
            None if other is None else sign * other * by,
        )


def _in_a_code(text: str, m: re.Match[str]) -> bool:
    """Whether the digits belong to a name: "COVID-19", "F-16", "p53", "3D", "2.1.4", "10:30", "http://x/12"."""
    start, end = m.start("num"), m.end("ord") if m["ord"] else m.end("num")
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if re.match(r"[A-Za-z_]", after) and not re.match(
        r"(?i)(?:[kmb]|mn|bn|mm|cm|km|kg|mg|g|ml|pp|am|pm|th|st|nd|rd|mi|ft|lb|s\b)", text[end : end + 3]
    ):
        return True
    if re.match(r"[.:]\d", after) or re.match(r"/\d", after):
        return bool(re.match(r"[.:]\d", after))
    return bool(re.match(r"[A-Za-z][-–]", before)) and not m["sign"] and not re.match(r"\s|$", before[:1] or " ")


def _is_negative(text: str, m: re.Match[str], unit: str) -> bool:
    if m["sign2"] or (m["sign"] and m["sign"] != "+"):
        before = text[max(0, m.start() - _BACK) : m.start()].rstrip(" ")
        return not re.search(r"[\d%)]$", before)  # "10 -15" and "3 % -4 %" are ranges, "It is -5" is not
    bracketed = bool(m["open"] and m["close"])
    return bracketed and unit not in {"year", "ordinal"} and ("." in m["num"] or "," in m["num"] or bool(m["cur"]))


def _value(number: str) -> tuple[float, float, float | None]:
    """Its value, the worth of its last digit, and its other reading where the grouping is ambiguous."""
    plain = re.sub(rf"[{_SPACE} '’]", "", number)
    if re.fullmatch(r"\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?", plain) or (
        "," in plain and "." in plain and plain.rfind(".") > plain.rfind(",")
    ):
        plain = plain.replace(",", "")
    elif "," in plain:
        plain = plain.replace(".", "").replace(",", ".")
    elif re.fullmatch(r"\d{1,3}(?:\.\d{3}){2,}", plain):
        plain = plain.replace(".", "")
    elif re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", plain):
        return float(plain), 0.001, float(plain.replace(".", ""))
    return float(plain), 10.0 ** -len(plain.partition(".")[2]), None


def _scale_and_unit(after: re.Match[str], currency: str, *, touching: bool) -> tuple[float, str, int]:
    scale, end = 1.0, after.start()
    word = (after["scale"] or "").lower()
    unit = re.sub(r"\s+", " ", (after["unit"] or "").lower()).replace("º", "°").replace("° ", "°")
    if word and (
        word not in _SHORT_SCALES or currency or (touching and word not in {"m", "mm"}) or after["scale"] == "M"
    ):
        scale, end = SCALES[word], after.end("scale")
    elif word:
        return 1.0, word, after.end("scale")
    if unit.startswith("us dollar"):
        unit = "usd"
    if re.fullmatch(r"%[- ]?points?", unit):
        unit = "points"
    if unit in {"point", "points"} and not (after["unit"] or "").startswith("%"):
        return scale, "points scored", after.end("unit")
    if unit in {"second", "quarter", "third"} or (unit not in UNITS and unit not in CURRENCIES):
        return scale, "", end
    return scale, unit, after.end("unit")


def _bound(text: str, start: int, end: int) -> Bound:
    before = text[max(0, start - _BACK) : start]
    for bound, pattern in _BEFORE.items():
        if pattern.search(before):
            return bound
    after = text[end : end + 12].lower()
    if re.match(r"\+|\s?or (?:more|above|over|older|longer|higher|greater)\b", after):
        return "at_least"
    if re.match(r"\s?or (?:less|below|under|younger|fewer|lower)\b", after):
        return "at_most"
    return "exactly"


def _spelled(text: str) -> Iterator[Quantity]:
    for m in _WORDED.finditer(text):
        tokens = [t for t in re.split(r"[ -]+", m["words"].lower().strip(" -")) if t and t != "and"]
        value = _from_words(tokens)
        if value is None:
            continue
        start, stop = m.start(), m.start() + len(m["words"].rstrip(" -"))
        if text[start:stop].lower().endswith(" and"):
            stop -= 4
        if m["frac"]:
            yield _worded(text, start, m.end(), value * _FRACTIONS[m["frac"].lower()], "ratio")
            continue
        after = _AFTER.match(text, stop)
        assert after is not None
        scale, unit, end = _scale_and_unit(after, "", touching=False)
        kind, base = UNITS.get(unit, (CURRENCIES.get(unit, ""), 1.0))
        if tokens == ["one"] and not kind:
            continue  # "one of them", "no one": a pronoun
        yield _worded(text, start, max(stop, end), value * scale * base, kind)
    for m in _ORDINAL_WORD.finditer(text):
        value = _ORDINALS[m["one"].lower()] + (_TENS[m["tens"].lower()] if m["tens"] else 0)
        yield _worded(text, m.start(), m.end(), float(value), "ordinal")
    for m in _LONE.finditer(text):
        if m["mult"]:
            yield _worded(
                text, m.start(), m.end(), _MULTIPLES[m["mult"].lower()], "" if m["mult"].lower() == "dozen" else "times"
            )
        else:
            yield _worded(text, m.start(), m.end(), _FRACTIONS[(m["frac"] or m["half"]).lower()], "ratio")
    for m in re.finditer(
        r"\b(?:an?) (hour|day|week|month|year|decade|hundred|thousand|million|billion)\b", text, re.IGNORECASE
    ):
        word = m[1].lower()
        kind, base = UNITS.get(word, ("", SCALES.get(word, 1.0)))
        yield _worded(text, m.start(), m.end(), base, kind)


def _worded(text: str, start: int, end: int, value: float, unit: str) -> Quantity:
    return Quantity(value, text[start:end], Span(start, end), unit, 0.0, _bound(text, start, end))


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


def _shared_units(text: str, found: list[Quantity]) -> list[Quantity]:
    """In "5 to 7 %" and "between $3 and 4 million" the numbers share what one of them states."""
    shared = list(found)
    for i in range(len(found) - 1):
        a, b = found[i], found[i + 1]
        if not re.fullmatch(r"\s?(?:to|and|or|-|–|—)\s?[$€£]?", text[a.span.end : b.span.start]):
            continue
        factor = _factor(text, b) if _factor(text, a) == 1.0 else 1.0
        if not a.unit and b.unit not in {"", "year", "ordinal"}:
            shared[i] = replace(a, value=a.value * factor, step=a.step * factor, unit=b.unit, other=None)
        elif a.unit in CURRENCIES.values() and not b.unit:
            shared[i] = replace(a, value=a.value * factor, step=a.step * factor, other=None)
            shared[i + 1] = replace(b, unit=a.unit)
    return shared


def _factor(text: str, q: Quantity) -> float:
    m = _NUMBER.match(text, q.span.start)
    if not m or q.value == 0:
        return 1.0
    plain = _value(m["num"])[0]
    return abs(q.value) / plain if plain else 1.0
