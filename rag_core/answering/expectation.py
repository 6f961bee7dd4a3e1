"""A question to the kind of thing it asks for, and whether a sentence holds one. Pure.

"What time is the workshop?" is not answered by "The workshop meets in the Cedar Room", however alike they sound.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from rag_core.answering.measures import measured, states
from rag_core.text.terms import terms


class Kind(StrEnum):
    """What an answer must hold, or (from `YES_NO` on) what form it is likely to have."""

    TIME = "a time of day"
    DATE = "a date"
    WHEN = "a time or a date"
    PERSON = "a name"
    PLACE = "a place"
    ORGANISATION = "an organisation"
    COUNT = "a count"
    AMOUNT = "a number"
    AGE = "an age"
    MONEY = "an amount of money"
    PERCENT = "a percentage"
    DURATION = "a length of time"
    REASON = "a reason"
    YES_NO = "yes or no"
    DEFINITION = "a definition"
    LIST = "a list"
    HOW_TO = "a way to do it"
    ANYTHING = "anything"


FORMS = frozenset({Kind.YES_NO, Kind.DEFINITION, Kind.LIST, Kind.HOW_TO, Kind.ANYTHING})
"""Kinds that a sentence can answer whatever it holds: `suits` tells the likely ones from the rest."""

_FLAGS = re.IGNORECASE | re.VERBOSE

_AUXILIARY = r"""(?:is|are|was|were|does|do|did|can|could|may|might|must|should|shall|will|would|has|have|had|am
    |isn't|aren't|doesn't|don't|can't|won't)"""

_QUESTIONS: tuple[tuple[Kind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, _FLAGS))
    for kind, pattern in (
        (Kind.TIME, r"\b(what|which)\ (time|times|hour|hours)\b | \bhow\ (early|late)\b | \bo.?clock\b"),
        (Kind.AGE, r"\bhow\ old\b | \b(what|which)\ age\b"),
        (
            Kind.PERCENT,
            r"\b(what|which)\ (per\ ?cent|percentage|proportion|share|fraction)\b | \bhow\ many\ per\ ?cent\b",
        ),
        (
            Kind.DURATION,
            r"""\bhow\ (long|often|soon|quickly|frequently)\b
            | \bhow\ (much|many)\ (time|warning|notice|years|months|weeks|hours|minutes)\b
            | \bhow\ (far\ ahead|far\ in\ advance|fast\ (must|should|do|does|will|has|have))\b""",
        ),
        (
            Kind.MONEY,
            r"""\bhow\ much\ money\b | \bhow\ (expensive|costly)\b
            | \bhow\ much\ \b.{0,80}\b(cost|costs|pay|paid|owe|owes|charge|charged|earn|earns|sell|sold|price|spend)\b
            | ^\s*(what|which)\b.{0,80}\b(costs?|owes?|earns?|charges?)
            \ *(\ (a|an|in|per|each|for|if|when|every)\b|\?|$)
            | \b(what|which)\ (is|was|are|were)\ the
            \ ((?!for|of|in)\w+\ ){0,3}(price|cost|fee|salary|fare|fine)\b(?!-)""",
        ),
        (Kind.COUNT, r"\bhow\ many\b | \bwhat\ (is|was)\ the\ (total\ )?number\ of\b"),
        (
            Kind.AMOUNT,
            r"\bhow\ (much|far|big|large|accurate|strong|loud)\b",
        ),
        (Kind.DATE, r"\b(what|which)\ (year|years|date|dates|day|days|month|months|quarter)\b | \b(since|by)\ when\b"),
        (
            Kind.WHEN,
            rf"""^\s*(and\ )?(until\ |from\ |since\ |by\ )?when(:|\ {_AUXILIARY}\b) | \b(until|from)\ when\b
            | ^\s*when\s*\?*\s*$ | ,\ when\ {_AUXILIARY}\b""",
        ),
        (Kind.DEFINITION, r"^\s*(?-i:[Ww]ho\ (is|was)\ [A-Z]\w+(\ [A-Z]\w+)*)\s*\?*\s*$"),
        (
            Kind.PERSON,
            r"^\s*(and\ )?(who|whom|whose)\b | \b(by|to|with|from|for|of)\ whom\b | \b(which|what)\ person\b",
        ),
        (
            Kind.PLACE,
            r"""(^\s*|,\ )(and\ )?(from\ |to\ )?where\b
            | \b(what|which)\ (place|city|town|country|state|county|room|building|street|address|location|floor
            |site)\b""",
        ),
        (
            Kind.ORGANISATION,
            r"""\b(what|which)\ (company|organi[sz]ation|agency|firm|bank|department|team|university|institution|body
            |authority|supplier|vendor|court|office|committee)\b""",
        ),
        (
            Kind.REASON,
            r"""^\s*(and\ )?why\b | \bfor\ (what|which)\ reason
            | \bwhat\ (is|was|are|were)\ the\ (\w+\ )?(reason|cause)""",
        ),
        (
            Kind.HOW_TO,
            r"""^\s*how\ (do|can|should|must|could|would)\ (i|we|you|one|employees?|members?|users?|people)\b
            | ^\s*how\ to\b | \bwhat\ (should|must|do|can)\ (i|we|one|you)\ do\b""",
        ),
        (
            Kind.LIST,
            r"""^\s*(list|name|enumerate)\b
            | ^\s*(what|which)\ (are|were)\ (the|some|all|its|their)\b
            | \b(what|which)\ (kinds|types|sorts|items|steps|factors|components|services|categories|conditions)\b""",
        ),
        (
            Kind.DEFINITION,
            r"""^\s*what\ (is|are)\ ((an?|the)\ )?[\w'’-]+(\ [\w'’-]+){0,2}\s*(\([\w\ -]+\))?\s*\?*\s*$
            | \bwhat\ (is|are)\ meant\ by\b | \bwhat\ (do|does)\ .{1,60}\ (mean|stand\ for)\b | ^\s*define\b
            | \b(definition|meaning)\ of\b | \bhow\ (is|are|does|do)\ .{1,60}\ defined?\b""",  # noqa: RUF001 - meant
        ),
        (Kind.YES_NO, rf"^\s*(and\ |so\ |but\ )?{_AUXILIARY}\ (?!.*\b(or)\b)"),
    )
)  # fmt: skip

_ASKING = re.compile(
    r"""\b(what|which)\ (time|hour|date|day|month|year|kind|type|sort|percentage|share|proportion|amount|number)s?\b
    (\ of\b)?
    | \bhow\ (much|many|old|long|large|big|far|early|late|often|deep|tall|high|wide|heavy|hot|cold|fast)\b
    | \bwhat\ (is|was|are|were)\ the\ (total\ )?(number|amount|percentage|share|date|name)\ of\b""",
    _FLAGS,
)

_NUMBER = r"""\d | \b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen
    |seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion
    |dozen|half|quarter|third|once|twice|none|no|zero|both|single|several)\b"""
_DIGITS = (
    r"\b\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twenty|thirty|forty|fifty|hundred)"
)
_COUNTED = re.compile(
    r"\bhow\s+many\s+(?:\w+\s+(?=(?:days|hours|weeks|people|members)\b))?(?P<noun>[a-z]+)", re.IGNORECASE
)
_SAME = (("people", "person", "employee", "staff", "member", "worker", "men", "visitor"),)
"""Nouns that stand for each other when they are counted."""
_MONTH = r"""\b(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?
    |nov(ember)?|dec(ember)?)\b"""
_DAY = r"\b(mon|tues|wednes|thurs|fri|satur|sun)days? | \b(christmas|easter|today|yesterday|tomorrow|midsummer)\b"
_ROLE = r"""\b(manager|director|officer|chief|head|president|minister|secretary|chair|board|committee|department|team
    |staff|employee|owner|agency|council|court|judge|pilot|user|member|anyone|everyone|nobody|company|administrator
    |doctor|physician|supervisor|person|people|component|engine|provider|librarian|engineer)s?\b"""
_CAPITAL = r"(?<=[A-Za-z0-9À-ÿ,;:(]\ )(?!I\b)[A-ZÀ-Þ]\w"
"""Inside a sentence; the mark of a footnote begins one, too."""
_TRADES = "company|corporation|corp|inc|ltd|llc|plc|group|firm|bank|supplier|vendor"
_MEETS = "committee|council|board|panel|assembly|team"
_RULES = "agency|authority|department|ministry|office|bureau|commission|administration"
_TEACHES = "university|college|institute|school"
_BODIES = (_TRADES, _MEETS, _RULES, _TEACHES, "court")
_BODY = rf"(?:{'|'.join(_BODIES)}|institution|association|foundation|service|society|union|trust|fund|hospital|party)"
_CLOCK = r"""\b\d{1,2}[:.h]\d{2}\b | \b\d{1,2}\s?(a\.?m|p\.?m)\b | \bo.?clock\b | \b\d{4}\s?hours\b
    | \b(noon|midday|midnight|dawn|dusk|around\ the\ clock)\b"""
_CALENDAR = rf"""\b1\d{{3}}\b | \b20\d{{2}}\b | {_MONTH} | {_DAY} | \b\d{{1,2}}[/.-]\d{{1,2}}[/.-]\d{{2,4}}\b
    | \b\d{{1,2}}(st|nd|rd|th)\b | \b(day|week|month|year|century|centurie)s?\b"""
_SITE = r"""\b(room|hall|street|road|building|office|house|floor|city|town|country|state|county|park|lane|avenue
    |square|factory|station|workshop|reception|gate|yard|jetty|harbou?r|port|site|island|airport|school|college|hospital
    |library|website|desk|page|outside|inside|abroad|home|online|everywhere|anywhere|nowhere)s?\b"""

_REFERENCE = re.compile(
    r"\b(table|figure|fig|section|chapter|page|note|step|appendix|annex|item)s?\.?\s+\d+(\.\d+)*", re.IGNORECASE
)
"""A number that points to another place answers nothing: "as Table 1 shows"."""
_CALENDAR_NAME = re.compile(
    r"""\b(January|February|March|April|May|June|July|August|September|October|November|December
    |(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)\b""",
    re.VERBOSE,
)
"""Capitals that are nobody's name."""

_WORD = re.compile(r"\d[\d,.]*\d|\w+")
_NAMES = frozenset({Kind.PERSON, Kind.ORGANISATION})

_HOLDS: dict[Kind, re.Pattern[str]] = {
    Kind.TIME: re.compile(_CLOCK, _FLAGS),
    Kind.DATE: re.compile(_CALENDAR, _FLAGS),
    Kind.WHEN: re.compile(
        rf"{_CLOCK} | {_CALENDAR} | \b(after|before|until|during|once|upon|when|whenever|while|within|as\ soon\ as)\b",
        _FLAGS,
    ),
    # A capital inside the sentence, two at its start, or a role that stands for a name.
    Kind.PERSON: re.compile(rf"{_CAPITAL} | ^[A-ZÀ-Þ][\w.]+\ (of\ )?[A-ZÀ-Þ] | (?i:{_ROLE})", re.VERBOSE),
    Kind.PLACE: re.compile(
        rf"(?i:\b(in|at|on|near|from|to|by|of|outside|inside|beside|behind|opposite)\b)\ (the\ )?[A-ZÀ-Þ]"
        rf" | (?i:{_SITE}) | \|",
        re.VERBOSE,
    ),
    # A capital inside the sentence, a name of such a body at its start, or one that is told from others of its kind:
    # the audit committee, not the committee.
    Kind.ORGANISATION: re.compile(
        rf"{_CAPITAL} | ^[A-Z]{{2,}}\b | ^([A-ZÀ-Þ][\w.&-]*\ ((of|for|and|the)\ )*)+{_BODY}\b"
        rf" | \b(?!(the|an?|our|your|its|their|each|every|this|that|any|no)\b)[a-z]+\ (?i:{_BODY})s?\b",
        re.VERBOSE,
    ),
    Kind.COUNT: re.compile(_NUMBER, _FLAGS),
    Kind.AMOUNT: re.compile(_NUMBER, _FLAGS),
    Kind.AGE: re.compile(r"\b(aged?|years?|months?|born|older|younger|over\ \d+|under\ \d+)\b", _FLAGS),
    # In a table the currency stands in its header, or in a caption.
    Kind.MONEY: re.compile(
        r"""[$€£¥₹] | \b(usd|eur|gbp|dollars?|euros?|pounds?|(?<!per\ )cents?|pence|penny|free|no\ charge
        |at\ no\ cost)\b
        | \|\s*[(-]?\d[\d,.]*\s*[)]?\s*(\||$) | \d\ (thousand|million|billion)\b""",
        _FLAGS,
    ),
    Kind.PERCENT: re.compile(
        r"% | \b(per\ ?cent|percentage|half|third|quarter|all|none|entire|full)\b | \|[^|]*\d", _FLAGS
    ),
    Kind.DURATION: re.compile(
        r"""(second|minute|hour|day|night|week|fortnight|month|quarter|year|decade|centur)
        | \b(daily|weekly|monthly|quarterly|yearly|annual|annually|biennial|hourly|immediately|once|twice|times|always
        |never|forever|indefinite|permanent|life)
        | \d[\w.]*[ -](km|kilomet(re|er)s?|m|met(re|er)s?|cm|feet|foot|ft|inch(es)?|miles?|pages|words|characters)
        \ (long|in\ length)\b""",
        _FLAGS,
    ),
    Kind.REASON: re.compile(
        r"""\b(because|since|so\ that|due\ to|owing\ to|thanks\ to|in\ order\ to|therefore|thus|hence|reasons?|results?
        |result(ed|ing)|caus(e|es|ed|ing)|led\ to|leads?\ to|driven|reflect(s|ed|ing)?|attribut\w+|if|unless|fail\w*
        |to\ (avoid|ensure|prevent|help|protect|reduce|allow|make|keep|support|enable|minimi[sz]e|improve|meet|give
        |save))\b
        | ,\ (as|for|so)\ """,
        _FLAGS,
    ),
    Kind.YES_NO: re.compile(
        r"""\b(yes|no|not|never|none|nobody|neither|nor|only|must|may|can|cannot|shall|should|will|allowed|permitted
        |prohibit\w*|forbid\w*|required|optional|free|except|unless|always|every\w*|any\w*|all|is|are|was|were|does
        |has|have)\b | n.t\b""",
        _FLAGS,
    ),
    Kind.DEFINITION: re.compile(
        r"""\b(is|are)\ (an?|the|any|one|defined|considered)\b | \b(means?|refers?\ to|stands?\ for|consists?\ of
        |denotes?
        |describes?|is\ that|provides?)\b | ^[^,.]{2,60},\ (an?|the)\ | ^[^.:]{2,60}:\ """,
        _FLAGS,
    ),
    Kind.LIST: re.compile(r"[,;].*\b(and|or)\b | ^\s*([•●▪◦‣·*–—-]|\(?\w{1,3}[.)])\s | \|", _FLAGS),  # noqa: RUF001
    Kind.HOW_TO: re.compile(
        r"""\b(must|should|may|can|need|needs|by\ \w+ing|through|via|use|contact|call|ask|visit|book|submit|write|speak
        |go
        |send|make\ sure|be\ sure|first|then)\b""",
        _FLAGS,
    ),
}


def expected(question: str) -> Kind:
    """The kind of thing that an answer to `question` must hold; `ANYTHING` when its words do not say.

    >>> expected("What time does the workshop start?")
    <Kind.TIME: 'a time of day'>
    >>> expected("Tell me about the move.")
    <Kind.ANYTHING: 'anything'>
    """
    kind = next((kind for kind, pattern in _QUESTIONS if pattern.search(question)), Kind.ANYTHING)
    return Kind.AMOUNT if kind in FORMS and measured(question) is not None else kind


def subject(question: str) -> str:
    """The question without the words that only say which kind of thing it asks for: no answer repeats them.

    >>> subject("By what time must I call in?"), subject("How large is the grant?")
    ('By  must I call in?', ' is the grant?')
    """
    left = _ASKING.sub("", question)
    return left if terms(left) else question


def holds(kind: Kind, sentence: str, *, question: str = "") -> bool:
    """Whether `sentence` holds such a thing: necessary for an answer, not enough for one. Of `FORMS`, any may answer.

    What the question names itself is no answer to it: neither its names where it asks for one, nor its numbers.

    >>> holds(Kind.TIME, "The workshop meets in the Cedar Room."), holds(Kind.TIME, "It meets at 9:30.")
    (False, True)
    >>> holds(Kind.PERSON, "We sold The Mirage.", question="Who bought The Mirage?")
    False
    """
    measure = measured(question) if kind is Kind.AMOUNT else None
    if measure is not None:
        return states(measure, sentence)
    return kind in FORMS or suits(kind, _without(question, sentence, kind) if question else sentence)


def _without(question: str, sentence: str, kind: Kind) -> str:
    """The sentence without the question's numbers or names, and the names of bodies of another sort than it wants."""
    if kind is Kind.ORGANISATION and (others := _other_bodies(question)):
        sentence = re.sub(rf"\b([A-ZÀ-Þ][\w&-]*\ )+(?i:{others})s?\b", "_", sentence)
    words = {word.lower() for word in _WORD.findall(question) if kind in _NAMES or word[0].isdigit()}
    return _WORD.sub(lambda found: "_" if found[0].lower() in words else found[0], sentence)


@lru_cache(maxsize=256)
def _other_bodies(question: str) -> str:
    """What bodies are called that are none of those asked for, as alternatives: a council is no bank."""
    meant = [body for body in _BODIES if re.search(rf"\b(?:what|which)\s+(?:{body})\b", question, re.IGNORECASE)]
    return "|".join(body for body in _BODIES if meant and body not in meant)


def counted(question: str) -> re.Pattern[str] | None:
    """What finds a number of the things that a question counts, close before them; None if it counts none.

    >>> counted("How many people may sail?").search("It is certified for eight persons.") is not None
    True
    """
    found = _COUNTED.search(question)
    if found is None:
        return None
    noun = found["noun"].lower()
    stem = next((same for same in _SAME if noun in same), (noun.removesuffix("s").removesuffix("ie"),))
    things = "|".join(map(re.escape, stem))
    return re.compile(rf"(?:{_DIGITS})(?:[\w,.]*\s+)(?:[\w-]+\s+){{0,2}}(?:{things})", re.IGNORECASE)


def suits(kind: Kind, sentence: str) -> bool:
    """Whether `sentence` holds such a thing, or has the form that such an answer mostly has.

    >>> suits(Kind.DEFINITION, "The Sanderling, a portable pressure gauge, is hired out.")
    True
    """
    pattern = _HOLDS.get(kind)
    if pattern is None:
        return True
    if kind in {Kind.PERSON, Kind.ORGANISATION}:
        sentence = _CALENDAR_NAME.sub("", sentence)
    return pattern.search(_REFERENCE.sub("", sentence)) is not None
