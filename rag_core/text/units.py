"""The scale word and the unit that stand after a number. Pure."""

# ruff: noqa: E501 - units and signs as pages have them

from __future__ import annotations

import re

SCALES = {
    "hundred": 1e2, "thousand": 1e3, "k": 1e3, "thousands": 1e3, "tsd": 1e3,
    "million": 1e6, "millions": 1e6, "mn": 1e6, "m": 1e6, "mm": 1e6, "mio": 1e6, "mln": 1e6,
    "billion": 1e9, "billions": 1e9, "bn": 1e9, "b": 1e9, "bln": 1e9, "mrd": 1e9,
    "trillion": 1e12, "trillions": 1e12, "tn": 1e12, "trn": 1e12, "lakh": 1e5, "crore": 1e7, "dozen": 12.0,
}  # fmt: skip
_SHORT_SCALES = frozenset({"k", "m", "mm", "b"})
"""Letters that scale only when they touch their number ("5k") or a currency stands before it ("$5 m"): "5 m" is metres."""

CURRENCIES = {
    "$": "USD", "us$": "USD", "usd": "USD", "dollar": "USD", "dollars": "USD", "bucks": "USD", "€": "EUR", "eur": "EUR", "euro": "EUR",
    "euros": "EUR", "£": "GBP", "gbp": "GBP", "pound": "GBP", "pounds": "GBP", "¥": "JPY", "yen": "JPY", "jpy": "JPY",
    "₹": "INR", "inr": "INR", "rupee": "INR", "rupees": "INR", "chf": "CHF", "francs": "CHF", "cad": "CAD", "c$": "CAD",
    "aud": "AUD", "a$": "AUD", "rmb": "CNY", "yuan": "CNY", "cny": "CNY", "₩": "KRW", "won": "KRW", "cent": "USD/100",
    "cents": "USD/100", "pence": "GBP/100", "penny": "GBP/100",
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
    **dict.fromkeys(("km", "kms", "kilometre", "kilometres", "kilometer", "kilometers"), ("length", 1000.0)),
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
    **dict.fromkeys(("m²", "m2", "sq m", "square metre", "square metres", "square meter", "square meters"),
                    ("area", 1.0)),
    **dict.fromkeys(("km²", "km2", "sq km", "square km", "square kms", "square kilometre", "square kilometres",
                     "square kilometer", "square kilometers"), ("area", 1e6)),
    **dict.fromkeys(("sq mi", "square mile", "square miles"), ("area", 2.589988e6)),
    **dict.fromkeys(("sq ft", "square foot", "square feet"), ("area", 0.09290304)),
    **dict.fromkeys(("hectare", "hectares", "ha"), ("area", 1e4)),
}  # fmt: skip
"""What a unit measures, and in how many of its base. Months are not days: "30 days" and "a month" are told apart."""

SPACES = "\u00a0\u2009\u202f"
"""Blanks that are no line's end: pages have them inside numbers."""

BETWEEN = (
    "working|business|calendar|full|whole|consecutive|successive|additional|extra|more|further|other|paid|unpaid|earth|fiscal|financial|short"
    "|long|us|british|swiss|canadian|australian|hong[ ]kong|small|net"
)
"""What may stand between a number and its unit: "ten working days", "40 Swiss francs"."""

AFTER = re.compile(
    rf"""
    [ {SPACES}-]?
    (?P<scale>hundred|thousands?|millions?|billions?|trillions?|lakh|crore|mn|mio|mln|bn|bln|mrd|tn|trn|tsd|[kKmMbB](?![\w/%-]|\.\w)|mm(?!\w))?
    (?:[ {SPACES}-]?(?:(?:{BETWEEN})[ ])?(?P<unit>percentage[ ]points?|basis[ ]points?|per[ ]cent|percent|pct\b|%[- ]?points?|%|[°º]\s?[CF]\b|degrees[ ](?:celsius|fahrenheit)
      |metric[ ]tons?|sq(?:uare|\.)?[ ][a-z]+|k?m[²2](?!\d)|km/h|kilowatt-hours?|years?-old|p\.p\.|us[ ]dollars?|[A-Za-z]+(?![\w]))(?:-old)?)?
    """,
    re.VERBOSE | re.IGNORECASE,
)


def scale_and_unit(after: re.Match[str], currency: str, *, touching: bool) -> tuple[float, str, int]:
    """What a match of `AFTER` holds: the scale, the unit as written or none that is known, and where they end."""
    scale, end = 1.0, after.start()
    word = (after["scale"] or "").lower()
    unit = (
        re.sub(r"\s+", " ", (after["unit"] or "").lower()).replace("º", "°").replace("° ", "°").replace("sq. ", "sq ")
    )
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
    if unit in {"times", "fold"}:
        return scale, "times", after.end("unit")
    if unit in {"second", "quarter", "third"} or (unit not in UNITS and unit not in CURRENCIES):
        return scale, "", end
    return scale, unit, after.end("unit")
