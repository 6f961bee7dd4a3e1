"""A question of how deep, heavy, hot or fast something is to whether a sentence states such a measure. Pure.

"How deep is the test tank?" is not answered by how long it is, though both are metres.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from rag_core.text.quantities import quantities
from rag_core.text.sentences import is_table_row
from rag_core.text.units import CURRENCIES

_FLAGS = re.IGNORECASE | re.VERBOSE


@dataclass(frozen=True, slots=True)
class Measure:
    """What is measured, and how texts speak of it."""

    asked: str
    """A question's words for it: an adjective, or a noun."""
    units: frozenset[str]
    """As `rag_core.text.units` calls them."""
    spoken: str = r"(?!)"
    """Units that stand in a sentence and are in no table, or mean something else there: knots, degrees."""
    told: str = r"(?!)"
    """Words beside a number that say that it is of this measure: deep, depth."""


_FIGURES = frozenset({"percent", "points", *CURRENCIES.values()})
"""A discount is deep, a rate high and a fine heavy by these."""
_LENGTH = _FIGURES | {"length"}
MEASURES = (
    Measure("deep|depth", _LENGTH, r"fathoms?", "deep|depth|below|down"),
    Measure(
        "tall|high|height|altitude|elevation",
        _LENGTH,
        r"storeys|stories|floors",
        "tall|high|height|altitude|elevation|above|up",
    ),
    Measure("wide|broad|width|breadth", _LENGTH, told="wide|broad|width|breadth|across|diameter"),
    Measure("thick|thickness", _LENGTH, told="thick|thickness"),
    Measure(
        r"far\ (?:away|apart|is|are|was|were|from)|distance",
        _LENGTH | {"time"},
        r"leagues?|blocks",
        "away|from|along|off|offshore|inland|apart|distance|north|south|east|west|distant|beyond|ahead|upstream",
    ),
    Measure("heavy|weight", _FIGURES | {"mass"}, r"tons?|pounds|stone", "heavy|weigh|weighs|weighed|weight"),
    Measure(
        "hot|cold|warm|temperature",
        frozenset({"celsius", "fahrenheit"}),
        r"degrees|°|kelvin",
        "hot|cold|warm|temperature",
    ),
    Measure(
        r"fast\ (?:is|are|was|were|can)|speed",
        _FIGURES | {"speed", "time", "months"},
        r"knots|(?:[\w²]+\s)?(?:per|an|a|each)\s(?:second|minute|hour|day)|\w+/s",
    ),
)
_ASKS = tuple(
    (
        measure,
        re.compile(
            rf"""\bhow\s+(?:{measure.asked})\b
            | \b(?:what|which)\s+(?:is|was|are|were)\s+the\s+(?:\w+\s+)?(?:{measure.asked})\s+of\b""",
            _FLAGS,
        ),
    )
    for measure in MEASURES
)
_OWN = re.compile(rf"[\s-]*(?P<word>{'|'.join(measure.told for measure in MEASURES)}|long|of)\b", re.IGNORECASE)
"""What stands behind a quantity and says of what it is: "40 metres long", "300 metres of rope"."""
_NAMED = re.compile(rf"\b(?P<word>{'|'.join(m.told for m in MEASURES)}|length)\W+(?:\w+\W+){{0,3}}$", re.IGNORECASE)
"""The same before it: "a depth of"."""


@lru_cache(maxsize=256)
def measured(question: str) -> Measure | None:
    """The measure that the question asks for; None where it asks for none.

    >>> "length" in measured("How deep is the tank?").units, measured("How deep-rooted is it?")
    (True, None)
    """
    if re.search(r"\bhow\s+\w+-", question, re.IGNORECASE):
        return None
    return next((measure for measure, asks in _ASKS if asks.search(question)), None)


def states(measure: Measure, sentence: str) -> bool:
    """Whether the sentence states a quantity of this measure. A row may: its unit is mostly in its table's header.

    >>> deep = measured("How deep is the tank?")
    >>> [states(deep, text) for text in ("It is 40 metres long.", "It is 3 metres deep.", "It holds 3 metres.")]
    [False, True, True]
    """
    if is_table_row(sentence):
        return any(char.isdigit() for char in sentence)
    told = re.compile(measure.told, re.IGNORECASE)
    for quantity in quantities(sentence):
        before, after = sentence[: quantity.span.start], sentence[quantity.span.end :]
        spoken = re.match(rf"[\s-]*(?:{measure.spoken})(?!\w)", after, re.IGNORECASE)
        if quantity.unit not in measure.units and spoken is None:
            continue
        of = _OWN.match(after[spoken.end() :] if spoken else after) or _NAMED.search(before)
        if of is None or told.fullmatch(of["word"]) or quantity.unit in _FIGURES:
            return True
    return False
