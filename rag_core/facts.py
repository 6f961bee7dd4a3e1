"""A claim and the text it rests on to what must agree between them: numbers, dates, names, negation, direction. Pure.

Every check that had something to compare gives one Reason that says what it compared. A failed one means that the claim
is never called supported, whatever a model thinks; so each check stays silent where it cannot tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from rag_core import names, polarity
from rag_core.alignment import stem, words
from rag_core.dates import Clock, When, clocks, dates, without
from rag_core.quantities import Quantity, quantities
from rag_core.sentences import is_table_row, sentences
from rag_core.types import Reason, Span

VERSION = "2"
"""Changes whenever an outcome may: verdicts are cached by it."""

LOOSE = 3
"""Up to here language counts without numbers: "two friends", "third parties"."""

SMALL = 10
"""Numbers below are mostly counts: "two friends" is held against "four friends", not against "1,200"."""


ABOUT = 0.05
"""How far, relatively, "about 12 %" may be from what it stands for: farther is a different figure."""

NEAR = 3.0
"""A value up to so many times as large bears out "more than 5 million": beyond, it is another thing's number."""

_CONTRADICTING = frozenset(
    {"number", "percent", "unit", "date", "time", "negation", "direction", "quantifier", "bound"}
)
_DOWN = re.compile(
    r"\b(?:fell|fall\w*|declin\w+|decreas\w+|drop\w*|los[st]\w*|reduc\w+|down|lower\w*|shrank|deficit|negative|minus|below|cut)\b",
    re.IGNORECASE,
)
_SCALED_ELSEWHERE = re.compile(
    r"\|.*\||\t.*\t|\b(?:in|of|€|\$|£|USD|EUR)\s?(?:thousands|millions|billions|000s?|mn|m|bn)\b|[$€£]\s?(?:mn?|bn)\b|'000",
    re.IGNORECASE,
)
"""Signs that a number's unit or scale stands in a header, not beside it."""
_WORD_AFTER = re.compile(r"[ \u00a0-](?!(?:of|in|and|or|for|to|the|at|by|on|per|is|are|was|were)\b)([^\W\d_]+)")
_CODE = re.compile(r"\b(?=\w*\d)(?=\w*[A-Za-z])[A-Za-z][\w]*(?:[-/]\w*\d\w*)*\b|\b[A-Za-z]+-\d+\w*\b")


def check(claim: str, evidence: str, *, wider: str = "") -> list[Reason]:
    """What was compared, in a fixed order; empty when the claim states nothing that can be compared.

    `evidence` is the span; `wider` the text around it, which may introduce by name what the span has a pronoun for.

    >>> [(r.check, r.ok) for r in check("Revenue was 85 %.", "Revenue was 87 % of the plan.")]
    [('number', False)]
    """
    return [*_check(claim, evidence, wider or evidence)]


@lru_cache(maxsize=4096)
def _check(claim: str, evidence: str, wider: str) -> tuple[Reason, ...]:
    return (
        *_dates(claim, evidence, wider),
        *_clocks(claim, evidence),
        *_numbers(claim, evidence),
        *_bindings(claim, evidence),
        *_codes(claim, wider),
        *_names(claim, wider),
        *_polarity(claim, evidence),
    )


def failed(reasons: list[Reason]) -> list[Reason]:
    """Those that do not hold."""
    return [r for r in reasons if not r.ok]


def contradicts(reasons: list[Reason]) -> bool:
    """Whether a failed check shows that the evidence says otherwise, not only that it is silent."""
    return any(not r.ok and r.check in _CONTRADICTING and "says" in r.detail for r in reasons)


# ----------------------------------------------------------------------------------------------- time


def _dates(claim: str, evidence: str, wider: str) -> Iterator[Reason]:
    theirs = dates(evidence)
    years = [q for q in _bare(evidence) if q.unit == "year"]
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
            yield _not_there("date", ours.text, [d.text for d in theirs])


def _rest_is_near(ours: When, matches: list[When], around: set[int]) -> bool:
    """Whether only the year is missing beside the day, and the text around has it."""
    return any(d.month == ours.month and d.day == ours.day for d in matches) and (ours.year in around)


def _clocks(claim: str, evidence: str) -> Iterator[Reason]:
    theirs = clocks(evidence)
    for ours in clocks(claim):
        if any(_same_time(ours, c) for c in theirs):
            yield Reason("time", ok=True, detail=f"{ours.text!r} is in the text")
        else:
            yield _not_there("time", ours.text, [c.text for c in theirs])


def _same_time(a: Clock, b: Clock) -> bool:
    return a.minutes == b.minutes or ((a.ambiguous or b.ambiguous) and (a.minutes - b.minutes) % 720 == 0)


# -------------------------------------------------------------------------------------------- numbers


@lru_cache(maxsize=4096)
def _bare(text: str) -> tuple[Quantity, ...]:
    """The quantities of a text that are no part of a date or a time of day."""
    taken = [d.span for d in dates(text)] + [c.span for c in clocks(text)]
    return tuple(quantities(without(text, taken)))


def _numbers(claim: str, evidence: str) -> Iterator[Reason]:
    theirs = _bare(evidence)
    when = dates(evidence)
    for ours in _bare(claim):
        if ours.unit == "year" and any(w.year and w.year <= ours.value <= (w.until or w.year) for w in when):
            yield Reason("date", ok=True, detail=f"{ours.text} is in the text")
            continue
        if _is_small_talk(ours):
            continue
        kind = "date" if ours.unit == "year" else "number"
        if _counts_loosely(ours, theirs):
            continue
        match = next((q for q in theirs if _agree(ours, q, claim, evidence)), None)
        if match is not None:
            yield Reason(kind, ok=True, detail=f"{ours.text!r} agrees with {match.text!r}")
        else:
            yield _no_such_number(kind, ours, theirs, claim, evidence)


def _bindings(claim: str, evidence: str) -> Iterator[Reason]:
    """Whether a number stands with what the claim says it is of, where its sentence or table has several of its unit.

    What tells the numbers apart is a word that stands with one only; what stands before the first of a sentence may be
    the subject of all. Silent where the claim's number has any such word of the claim beside it, and where the claim
    has several numbers of the unit, since its words may belong to either.
    """
    theirs = _bare(evidence)
    units = [q.unit for q in _bare(claim)]
    for ours in _bare(claim):
        rivals = [q for q in theirs if q.unit == ours.unit]
        if ours.unit in {"", "year", "ordinal"} or _is_small_talk(ours) or not 2 <= len(rivals) <= MANY:  # noqa: PLR2004
            continue
        wanted = set(words(claim[: ours.span.start] + " " + claim[ours.span.end :]))
        if units.count(ours.unit) > 1:
            continue
        clauses = _clauses(evidence)
        matches = [q for q in rivals if _agree(ours, q, claim, evidence)]
        beside = [
            (q, other)
            for q in matches
            for other in rivals
            if other not in matches and _alone(q, clauses, evidence) & wanted <= _alone(other, clauses, evidence)
        ]
        clash = next(
            (
                (q, other)
                for q, other in beside
                if wanted & (_told_apart(other, q, rivals, clauses, evidence) - _alone(q, clauses, evidence))
            ),
            None,
        )
        if clash is not None and {id(q) for q, _ in beside} >= {id(q) for q in matches}:
            detail = f"{ours.text!r} is there, but what the claim says it of stands beside {clash[1].text!r}"
            yield Reason("binding", ok=False, detail=detail)


MANY = 40
"""Numbers of a unit in a span beyond which they are a list, in which no words tell them apart."""

_CLAUSE = re.compile(r"[;:.](?=\s|$)|\n|\b(?:and|but|while|whereas)\b(?! \d)", re.IGNORECASE)


@lru_cache(maxsize=64)
def _clauses(evidence: str) -> list[Span]:
    """The evidence's clauses; a table's row is one."""
    made: list[Span] = []
    for span in sentences(evidence):
        start = span.start
        if not is_table_row(span.of(evidence)):
            for m in _CLAUSE.finditer(evidence, span.start, span.end):
                if start < m.start():
                    made.append(Span(start, m.start()))
                start = m.end()
        if start < span.end:
            made.append(Span(start, span.end))
    return made


def _home(q: Quantity, clauses: list[Span]) -> Span:
    return next((c for c in clauses if c.start <= q.span.start < c.end), q.span)


def _alone(q: Quantity, clauses: list[Span], evidence: str) -> set[str]:
    home = _home(q, clauses)
    return set(words(evidence[home.start : q.span.start] + " " + evidence[q.span.end : home.end]))


def _told_apart(other: Quantity, q: Quantity, rivals: list[Quantity], clauses: list[Span], evidence: str) -> set[str]:
    """The words that stand with another number only, not before the first of one sentence: empty where it is far."""
    home, mine = _home(other, clauses), _home(q, clauses)
    if home == mine:
        return set()
    here = next((s for s in sentences(evidence) if s.start <= q.span.start < s.end), mine)
    if here.start <= other.span.start < here.end:
        first = min(r.span.start for r in rivals if here.start <= r.span.start < here.end)
        return set(words(evidence[max(home.start, first) : home.end]))
    rows = is_table_row(here.of(evidence)) and is_table_row(home.of(evidence))
    return _alone(other, clauses, evidence) if rows else set()


def _is_small_talk(q: Quantity) -> bool:
    """Whether language uses it without counting: "first", "a year", "twice", "half"."""
    if any(c.isdigit() for c in q.text):
        return False
    rank = q.unit == "ordinal" and q.value <= LOOSE
    return rank or q.text.lower().split()[0] in {"a", "an"} or q.unit in {"times", "ratio"}


def _counts_loosely(ours: Quantity, theirs: tuple[Quantity, ...]) -> bool:
    """Whether it is "two friends" where the text names both and counts nothing."""
    return (
        not any(c.isdigit() for c in ours.text)
        and not ours.unit
        and ours.value <= LOOSE
        and not any(not q.unit and q.value <= SMALL for q in theirs)
    )


def _no_such_number(kind: str, ours: Quantity, theirs: tuple[Quantity, ...], claim: str, evidence: str) -> Reason:
    """What differs, by name; other numbers are set against it only when they count the same kind of thing."""
    same = next((q for q in theirs if any(_equal(v, ours, q) for v in ours.readings)), None)
    if same is not None and same.unit and ours.unit and same.unit != ours.unit:
        detail = f"the claim has {ours.text!r} ({ours.unit}), the text says {same.text!r} ({same.unit})"
        return Reason("unit", ok=False, detail=detail)
    if same is not None and same.unit == ours.unit and same.value == ours.value and same.bound != ours.bound:
        detail = f"the claim has {_said(ours, claim)!r}, the text says {_said(same, evidence)!r}"
        return Reason("bound", ok=False, detail=detail)
    return _not_there(kind, ours.text, [q.text for q in theirs if _counts_alike(ours, claim, q, evidence)])


def _counts_alike(ours: Quantity, claim: str, theirs: Quantity, evidence: str) -> bool:
    """Whether both have the same unit, or none and the same word after them: "4 sites" and "5 sites"."""
    if ours.unit or theirs.unit:
        return ours.unit == theirs.unit
    mine, yours = (_WORD_AFTER.match(text, q.span.end) for q, text in ((ours, claim), (theirs, evidence)))
    return mine is not None and yours is not None and stem(mine[1]) == stem(yours[1])


def _said(q: Quantity, text: str) -> str:
    return " ".join(text[max(0, q.span.start - 14) : q.span.end].split())


def _not_there(kind: str, text: str, others: list[str]) -> Reason:
    if others:
        listed = ", ".join(dict.fromkeys(others[:4]))
        return Reason(kind, ok=False, detail=f"{text!r} is not in the text, which says {listed}")
    return Reason(kind, ok=False, detail=f"{text!r} is not in the text")


def _agree(ours: Quantity, theirs: Quantity, claim: str, evidence: str) -> bool:
    if not _same_unit(ours, theirs) or not _same_sign(ours, theirs, claim, evidence):
        return False
    in_table = _is_scaled_elsewhere(evidence)
    if any(_equal(v, ours, theirs, in_table=in_table) for v in ours.readings):
        return _bounds_agree(ours, theirs)
    return any(_bears_out(ours, v, theirs) for v in theirs.readings)


@lru_cache(maxsize=1024)
def _is_scaled_elsewhere(evidence: str) -> bool:
    return bool(_SCALED_ELSEWHERE.search(evidence))


def _same_unit(a: Quantity, b: Quantity) -> bool:
    if a.unit == b.unit:
        return True
    kinds = {a.unit, b.unit}
    if "" not in kinds:
        return False
    (known,) = kinds - {""}
    if known == "ordinal":
        return all(q.value >= LOOSE or any(c.isdigit() for c in q.text) for q in (a, b))
    return known not in {"year", "ratio", "times"}  # a table's cell has its unit elsewhere


def _same_sign(a: Quantity, b: Quantity, claim: str, evidence: str) -> bool:
    if (a.value < 0) == (b.value < 0) or a.value == 0 or b.value == 0:
        return True
    positive, negative = (claim, evidence) if a.value > 0 else (evidence, claim)
    return _goes_down(positive) and not _goes_down(negative)  # "fell by 5 %" is "-5 %"


@lru_cache(maxsize=1024)
def _goes_down(text: str) -> bool:
    return bool(_DOWN.search(text))


def _equal(value: float, ours: Quantity, theirs: Quantity, *, in_table: bool = False) -> bool:
    """Equal, or equal once the finer one is rounded to the coarser one's last digit."""
    target = abs(value)
    if in_table and "" in {theirs.unit, ours.unit} and _close(_unscaled(ours), _unscaled(theirs)):
        return True
    for other in map(abs, theirs.readings):
        finer = ours.step > theirs.step > 0 and target >= 10 * ours.step
        if _close(target, other) or (finer and abs(target - other) <= ours.step / 2 * (1 + 1e-9)):
            return True
        if ours.bound == "about" and abs(target - other) <= ABOUT * max(target, other):
            return True
    return False


def _unscaled(q: Quantity) -> float:
    """The number as written, for a table whose header holds the scale or the unit."""
    m = re.search(r"\d[\d.,]*", q.text)
    if not m:
        return abs(q.value)
    digits = m[0].rstrip(".,").replace(",", "")
    try:
        return float(digits)
    except ValueError:
        return abs(q.value)


def _close(a: float, b: float) -> bool:
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1e-12)


def _bounds_agree(ours: Quantity, theirs: Quantity) -> bool:
    """Whether "more than 5" may rest on "5": only when the text has the same bound, or one that implies it."""
    implies = {
        "exactly": {"exactly", "about", "at_least", "at_most"},
        "about": {"about", "exactly", "over", "under", "at_least", "at_most"},
        "over": {"over", "at_least", "about", "exactly"},
        "under": {"under", "at_most", "about", "exactly"},
        "at_least": {"at_least", "exactly", "about"},
        "at_most": {"at_most", "exactly", "about"},
    }
    return ours.bound in implies[theirs.bound]


def _bears_out(ours: Quantity, value: float, theirs: Quantity) -> bool:
    """Whether another value of the same kind makes a bound true: "more than 5 million" by 5.2 million."""
    if theirs.bound not in {"exactly", "about"} or not ours.value or not value:
        return False
    ratio = value / ours.value
    match ours.bound:
        case "over" | "at_least":
            return 1 < ratio <= NEAR
        case "under" | "at_most":
            return 1 / NEAR <= ratio < 1
        case _:
            return False


# ------------------------------------------------------------------------------------- words and names


def _codes(claim: str, wider: str) -> Iterator[Reason]:
    there = re.sub(r"[\W_]", "", wider).casefold()
    for m in _CODE.finditer(claim):
        key = re.sub(r"[\W_]", "", m[0]).casefold()
        if re.fullmatch(r"\d+(?:st|nd|rd|th|s|k|m|bn?|%|am|pm)|q[1-4]|fy\d+|[a-z]?\d", key):
            continue
        if key not in there:
            yield Reason("name", ok=False, detail=f"{m[0]!r} is not in the text")


def _names(claim: str, wider: str) -> Iterator[Reason]:
    swaps = names.missing(claim, wider)
    for swap in swaps:
        if swap.instead:
            yield Reason("name", ok=False, detail=f"{swap.name.text!r} is not in the text, which says {swap.instead}")
        elif not swap.name.subject:
            yield Reason("name", ok=False, detail=f"{swap.name.text!r} is not in the text")
    if not swaps and (found := names.names(claim)):
        listed = ", ".join(dict.fromkeys(n.text for n in found))
        yield Reason("name", ok=True, detail=f"{listed} in the text")


def _polarity(claim: str, evidence: str) -> Iterator[Reason]:
    if word := polarity.unsaid_denial(claim, evidence):
        yield Reason("negation", ok=False, detail=f"the claim has {word!r}, the text denies nothing")
    if word := polarity.flipped(claim, evidence):
        yield Reason("negation", ok=False, detail=f"of {word!r}, one says what the other denies")
    if pair := polarity.reversed_words(claim, evidence):
        yield Reason("direction", ok=False, detail=f"the claim has {pair[0]!r}, the text says {pair[1]!r}")
    if pair := polarity.bounds(claim, evidence):
        yield Reason("bound", ok=False, detail=f"the claim has {pair[0]!r}, the text says {pair[1]!r}")
    if pair := polarity.overstated(claim, evidence):
        yield Reason("quantifier", ok=False, detail=f"the claim has {pair[0]!r}, the text says {pair[1]!r}")
    if pair := polarity.excepted(claim, evidence):
        yield Reason("exception", ok=False, detail=f"the claim has {pair[0]!r}, the text says {pair[1]!r}")
