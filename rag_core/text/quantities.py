"""Text to the quantities it states: value, precision, unit, bound, and where. Pure.

`1,000.5`, `1.000,5`, `1 000,5`, `1.2 bn`, `(5.3)`, `twelve per cent`, `two-thirds` and `5 percentage points` all come
out as numbers that can be compared. Dates are another module's; a year that stands alone is reported here as one.
"""

# ruff: noqa: RUF001 - signs as pages have them

from __future__ import annotations

import re
from dataclasses import replace

from rag_core.text.quantity import Quantity
from rag_core.text.spelled import spelled
from rag_core.text.units import CURRENCIES
from rag_core.text.written import plain_value, written

_NOTE = re.compile(r"(?<=\d)[⁰¹²³⁴-⁹]+(?:,[⁰¹²³⁴-⁹]+)*(?=\s+[^\W\d]|\s*[.;)]|\s*$)")
"""A footnote's mark after a number: no digit of it, as an exponent before a unit would be."""


def quantities(text: str) -> list[Quantity]:
    """Every number of `text` in reading order, written or spelled; parts of names and codes ("COVID-19") are not.

    >>> [(q.value, q.unit, q.bound) for q in quantities("It rose by about 1.2 bn euros, or twelve per cent, in 2019.")]
    [(1200000000.0, 'EUR', 'about'), (12.0, 'percent', 'exactly'), (2019.0, 'year', 'exactly')]
    """
    text = _NOTE.sub(lambda m: " " * len(m[0]), text)
    found = [*written(text), *spelled(text)]
    found.sort(key=lambda q: (q.span.start, -q.span.end))
    kept: list[Quantity] = []
    for q in found:
        if not kept or q.span.start >= kept[-1].span.end:
            kept.append(q)
    return _shared_units(text, kept)


def _shared_units(text: str, found: list[Quantity]) -> list[Quantity]:
    """In "5 to 7 %" and "between $3 and 4 million" the numbers share what one of them states."""
    shared = list(found)
    for i in range(len(found) - 1):
        a, b = found[i], found[i + 1]
        if a.base != 1.0 and not b.unit and re.fullmatch(r"\sto\s", text[a.span.end : b.span.start]):
            if not re.match(r"\s[a-z]", text[b.span.end :]):  # "from eleven weeks to six"
                shared[i + 1] = replace(b, value=b.value * a.base, step=b.step * a.base, unit=a.unit, base=a.base)
            continue
        if not re.fullmatch(r"\s?(?:to|and|or|-|–|—)\s?[$€£]?", text[a.span.end : b.span.start]):
            continue
        factor = _factor(text, b) if _factor(text, a) == 1.0 else 1.0
        if not a.unit and b.unit not in {"", "year", "ordinal"}:
            shared[i] = replace(a, value=a.value * factor, step=a.step * factor, unit=b.unit, other=None, base=b.base)
        elif a.unit in CURRENCIES.values() and not b.unit:
            shared[i] = replace(a, value=a.value * factor, step=a.step * factor, other=None)
            shared[i + 1] = replace(b, unit=a.unit)
    return shared


def _factor(text: str, q: Quantity) -> float:
    plain = plain_value(text, q.span.start)
    return abs(q.value) / plain if plain and q.value else 1.0
