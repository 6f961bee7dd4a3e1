"""A question to the kind of thing it asks for, and whether a sentence holds one. Pure.

"What time is the workshop?" is not answered by "The workshop meets in the Cedar Room", however alike they sound.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import assert_never


class Kind(StrEnum):
    """What an answer must hold."""

    TIME = "a time of day"
    DATE = "a date"
    PERSON = "a name"
    AMOUNT = "a number"
    MONEY = "an amount of money"
    DURATION = "a length of time"
    ANYTHING = "anything"


_FLAGS = re.IGNORECASE | re.VERBOSE

_QUESTIONS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (Kind.TIME, re.compile(r"\b(what|which)\ (time|hour)\b", _FLAGS)),
    (Kind.DURATION, re.compile(r"\bhow\ (long|often|soon|quickly|frequently)\b", _FLAGS)),
    (
        Kind.MONEY,
        re.compile(
            r"""\bhow\ much\ (money | (does|do|did)\ .{1,60}\ cost)\b
            | \b(what|which)\ (is|was|are|were)\ the\ (\w+\ ){0,3}(price|cost|fee|salary|fare)\b""",
            _FLAGS,
        ),
    ),
    (
        Kind.AMOUNT,
        re.compile(
            r"""\bhow\ (many|much|far|old|tall|high|deep|wide|big|large|fast)\b
            | \bwhat\ (percentage|proportion|share)\ of\b""",
            _FLAGS,
        ),
    ),
    (
        Kind.DATE,
        re.compile(r"^\s*when\b | \b(what|which)\ (year|date|day|month)\b | \b(since|by)\ when\b", _FLAGS),
    ),
    (Kind.PERSON, re.compile(r"^\s*(who|whom|whose)\b | \b(by|to|with|from)\ whom\b", _FLAGS)),
)

_NUMBER = r"""\d | \b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen
    |seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion
    |dozen|half|quarter|third|once|twice|none|no|zero|both|single|several)\b"""
_MONTH = r"""\b(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?
    |nov(ember)?|dec(ember)?)\b"""
_DAY = r"\b(mon|tues|wednes|thurs|fri|satur|sun)day | \b(christmas|easter|today|yesterday|tomorrow|midsummer)\b"
_ROLE = r"""\b(manager|director|officer|chief|head|president|minister|secretary|chair|board|committee|department|team
    |staff|employee|owner|agency|council|court|judge|pilot|user|member|anyone|everyone|nobody|company|administrator
    |doctor|physician|supervisor|person|people|component|engine|provider)s?\b"""

_REFERENCE = re.compile(
    r"\b(table|figure|fig|section|chapter|page|note|step|appendix|annex|item)s?\.?\s+\d+(\.\d+)*", re.IGNORECASE
)
"""A number that points to another place answers nothing: "as Table 1 shows"."""

_HOLDS: dict[Kind, re.Pattern[str]] = {
    Kind.TIME: re.compile(
        r"""\b\d{1,2}[:.h]\d{2}\b | \b\d{1,2}\s?(a\.?m|p\.?m)\b | \bo.?clock\b | \b\d{4}\s?hours\b
        | \b(noon|midday|midnight|dawn|dusk)\b""",
        _FLAGS,
    ),
    Kind.DATE: re.compile(
        rf"""\b1\d{{3}}\b | \b20\d{{2}}\b | {_MONTH} | {_DAY} | \b\d{{1,2}}[/.-]\d{{1,2}}[/.-]\d{{2,4}}\b
        | \b\d{{1,2}}(st|nd|rd|th)\b | \b(day|week|month|year|century|centurie)s?\b""",
        _FLAGS,
    ),
    # A capital inside the sentence, two at its start, or a role that stands for a name.
    Kind.PERSON: re.compile(
        rf"(?<=[\w,;:(]\ )(?!I\b)[A-ZÀ-Þ]\w | ^[A-ZÀ-Þ][\w.]+\ (of\ )?[A-ZÀ-Þ] | (?i:{_ROLE})", re.VERBOSE
    ),
    Kind.AMOUNT: re.compile(_NUMBER, _FLAGS),
    Kind.MONEY: re.compile(
        r"[$€£¥₹] | \b(usd|eur|gbp|dollars?|euros?|pounds?|cents?|pence|free|no\ charge)\b | \d", _FLAGS
    ),
    Kind.DURATION: re.compile(
        r"""(second|minute|hour|day|night|week|fortnight|month|quarter|year|decade|centur)
        | \b(daily|weekly|monthly|quarterly|yearly|annual|annually|biennial|hourly|immediately|once|twice|times|always
        |never|forever|indefinite|permanent|life)""",
        _FLAGS,
    ),
}


def expected(question: str) -> Kind:
    """The kind of thing that an answer to `question` must hold; `ANYTHING` when its words do not say.

    >>> expected("What time does the workshop start?")
    <Kind.TIME: 'a time of day'>
    >>> expected("Why was it moved?")
    <Kind.ANYTHING: 'anything'>
    """
    return next((kind for kind, pattern in _QUESTIONS if pattern.search(question)), Kind.ANYTHING)


def holds(kind: Kind, sentence: str) -> bool:
    """Whether `sentence` holds such a thing: necessary for an answer, not enough for one."""
    match kind:
        case Kind.ANYTHING:
            return True
        case Kind.TIME | Kind.DATE | Kind.PERSON | Kind.AMOUNT | Kind.MONEY | Kind.DURATION:
            return _HOLDS[kind].search(_REFERENCE.sub("", sentence)) is not None
        case _:
            assert_never(kind)
