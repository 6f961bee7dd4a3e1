"""Numbers in digits to quantities, whatever their grouping, sign, currency, scale and unit. Pure."""

# ruff: noqa: E501, RUF001 - units and signs as pages have them

from __future__ import annotations

import re
from collections.abc import Iterator

from rag_core.text.quantity import BACK, Quantity, bound_of
from rag_core.text.units import AFTER, CURRENCIES, SPACES, UNITS, scale_and_unit
from rag_core.types import Span

YEARS = range(1000, 2200)

_NUMBER = re.compile(
    rf"""
    (?<![\w.,/])                                             # not inside a word, a code or another number
    (?P<open>\()?
    (?P<sign>[-−–+](?=[$€£¥₹]?\d)|(?:minus|negative)[ ])?
    (?P<cur>(?:US|C|A)?\$|[€£¥₹₩]|\b(?:USD|EUR|GBP|CHF|JPY|INR|CAD|AUD|CNY|RMB|Rs\.?)(?=[ {SPACES}]?\d))?[ {SPACES}]?
    (?P<sign2>[-−](?=\d))?
    (?P<num>\d{{1,3}}(?:[,'’]\d{{3}})+(?:\.\d+)?|\d{{1,3}}(?:\.\d{{3}})+(?:,\d+)?|\d{{1,3}}(?:[{SPACES} ]\d{{3}})+(?:[.,]\d+)?(?![\d])
      |\d+,\d{{1,2}}(?!\d)|\d{{1,3}}(?:,\d{{2}})+,\d{{3}}|\d+(?:[.·]\d+)?|\.\d+)
    (?P<ord>(?:st|nd|rd|th)\b)?(?![\d_])
    (?P<close>\))?
    """,
    re.VERBOSE,
)  # fmt: skip


def written(text: str) -> Iterator[Quantity]:
    """The numbers in digits, in order; digits of names and codes are none."""
    for m in _NUMBER.finditer(text):
        after = AFTER.match(text, m.end("ord") if m["ord"] else m.end("close") if m["close"] else m.end("num"))
        assert after is not None
        if _in_a_code(text, m):
            continue
        value, step, other = _value(m["num"])
        currency = CURRENCIES.get(
            (m["cur"] or "").lower().rstrip("."), "INR" if (m["cur"] or "").startswith("Rs") else ""
        )
        touching = text[m.end("num") : m.end("num") + 1].isalpha()
        scale, unit, end = scale_and_unit(after, currency, touching=touching)
        base = 1.0
        if m["ord"]:
            unit, scale, end = "ordinal", 1.0, m.end("ord")
        else:
            unit, base = _kind(text, m, unit, currency, end, scaled=scale != 1.0)
        by = scale * base
        sign = -1.0 if _is_negative(text, m, unit) else 1.0
        yield Quantity(
            sign * value * by,
            ("-" if sign < 0 else "") + (m["cur"] or "") + text[m.start("num") : max(end, m.end("num"))].strip(),
            Span(m.start("num"), max(end, m.end("num"))),
            unit,
            step * by,
            bound_of(text, m.start(), end),
            None if other is None else sign * other * by,
            base,
        )


def _kind(  # noqa: PLR0913 - all that a number's unit depends on
    text: str, m: re.Match[str], unit: str, currency: str, end: int, *, scaled: bool
) -> tuple[str, float]:
    """What the number measures, and what its unit is worth."""
    before = text[max(0, m.start() - BACK) : m.start()]
    if unit in {"pound", "pounds"} and _weighs(text, m.start(), end):
        return UNITS["lb"]
    if unit in UNITS:
        return UNITS[unit]
    money = CURRENCIES.get(unit, currency)
    if money:
        return (money.removesuffix("/100"), 0.01) if money.endswith("/100") else (money, 1.0)
    if not unit and not scaled and _AGED.search(before):
        return UNITS["years"]
    if not scaled and re.fullmatch(r"\d{4}", m["num"]) and int(m["num"]) in YEARS:
        return "year", 1.0
    return unit, 1.0


_AGED = re.compile(
    r"\b(?:aged?|ages|died at|turn(?:s|ed|ing)?|between the ages of) (?:of )?(?:\d{1,3} ?(?:to|and|-|–) ?)?$",
    re.IGNORECASE,
)
"""Words after which a bare number counts years: "aged 18", "he turns 50"."""

_HEAVY = re.compile(r"\b(?:weigh\w*|heav\w*|lift\w*|load\w*|lbs?|mass)\b", re.IGNORECASE)


def _weighs(text: str, start: int, end: int) -> bool:
    """Whether pounds are a weight here, not money."""
    return bool(_HEAVY.search(text[max(0, start - 40) : start]) or re.match(r" (?:in weight|heav)", text[end:]))


_TOUCHES = re.compile(
    r"(?:[kmbglhx]|mn|bn|tn|mm|cm|kms?|kg|mg|[µμ]g|ml|pp|am|pm|mi|ft|lbs?|mph|kph|[kmgt]b|[kmg]wh?|twh|ha|bps?|hrs?|min|k?m²)(?![^\W_])",
    re.IGNORECASE,
)
"""Units and scales that are written right after their number: "5kg", "$1.2bn"; with other letters it is a code."""


def _in_a_code(text: str, m: re.Match[str]) -> bool:
    """Whether the digits belong to a name: "COVID-19", "F-16", "p53", "3D", "2.1.4", "10:30", "http://x/12"."""
    start, end = m.start("num"), m.end("ord") if m["ord"] else m.end("num")
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if re.match(r"[^\W\d]", after) and not _TOUCHES.match(text, end):
        return True
    if re.match(r"[.:]\d", after) or re.match(r"/\d", after):
        return bool(re.match(r"[.:]\d", after))
    return bool(re.match(r"[A-Za-z][-–]", before)) and not m["sign"] and not re.match(r"\s|$", before[:1] or " ")


def _is_negative(text: str, m: re.Match[str], unit: str) -> bool:
    if m["sign2"] or (m["sign"] and m["sign"] != "+"):
        before = text[max(0, m.start() - BACK) : m.start()].rstrip(" ")
        return not re.search(r"[\d%)]$", before)  # "10 -15" and "3 % -4 %" are ranges, "It is -5" is not
    bracketed = bool(m["open"] and m["close"])
    return bracketed and unit not in {"year", "ordinal"} and ("." in m["num"] or "," in m["num"] or bool(m["cur"]))


def plain_value(text: str, at: int) -> float | None:
    """The digits alone that stand at `at`, without scale or unit; None where none stand."""
    m = _NUMBER.match(text, at)
    return _value(m["num"])[0] if m else None


def _value(number: str) -> tuple[float, float, float | None]:
    """Its value, the worth of its last digit, and its other reading where the grouping is ambiguous."""
    plain = re.sub(rf"[{SPACES} '’]", "", number).replace("·", ".")
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
