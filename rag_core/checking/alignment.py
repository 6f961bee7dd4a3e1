"""A claim and a text to the span that bears on it, or nothing. Pure, and fast enough to run on every candidate page.

Words are matched by their stems and weighed by how rare they are in the text, so that what the claim is *about* finds
its sentence and "the company" does not. No model is asked: what is highlighted must be explicable.
"""

# ruff: noqa: RUF001 - apostrophes of real pages

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rag_core.text.sentences import sentences, table_headers
from rag_core.types import Span

WINDOW = 3
"""Sentences in the widest window: a claim that needs more is several claims."""

ANOTHER_SENTENCE = 0.08
"""Coverage that one more sentence must earn to be taken in; below it, the shorter span shows the reader more."""

RIVAL = 0.06
"""A window elsewhere within this much coverage of the best one bears on the claim as much: the place is ambiguous."""

LONGEST = 2000
"""Characters of a sentence after which it is read in parts: no author's reach so far, but lists of numbers do."""

FLOOR = 0.15
"""Below this coverage a text shares only chance words with a claim."""

COMPLEMENTS = 2
"""Sentences elsewhere that may be read beside the span, for the words that it lacks."""

STOPWORDS = frozenset(
    """
    a an the this that these those it its he she they we you i his her their our your my him them us me who whom whose
    which what when where why how is are was were be been being am do does did done has have had having will would shall
    should can could may might must of to in on at by for from with as into onto over under about than then and or but
    if so not no nor also there here such other same own more most some any all each both only just very too
    """.split()  # noqa: SIM905 - a list of a hundred quoted words reads worse
)
"""They carry the claim's form, not its matter: they neither find a sentence nor count as covered."""

_WORD = re.compile(r"\d[\d.,]*\d|\w+(?:['’]\w+)?", re.UNICODE)
_SUFFIX = re.compile(
    r"(?:ations?|ements?|ments?|ingly|edly|ness|ities|ity|ically|ical|ies|ied|ings?|ers?|ors?|ed|ly|es|s|al|ion|ions|e)$"
)
_UNIT_TOUCHING = re.compile(r"(?<=\d)(?:[kmb]|[mbt]n|kg|km|mg|cm|mm|ml|[kmgt]b|[kmg]w|ft|lbs?)$", re.IGNORECASE)
_LIGATURE = re.compile(r"ffi|ffl|ff|fi|fl")
_SHORTEST_STEM = 3


_IRREGULAR = {
    form: base
    for base, forms in {
        "go": "went gone goes", "rise": "rose risen", "fall": "fell fallen", "grow": "grew grown", "pay": "paid",
        "hold": "held", "leave": "left", "buy": "bought", "sell": "sold", "lead": "led", "win": "won", "lose": "lost",
        "make": "made", "take": "took taken", "give": "gave given", "get": "got gotten", "come": "came",
        "become": "became", "begin": "began begun", "write": "wrote written", "see": "saw seen", "say": "said",
        "tell": "told", "find": "found", "build": "built", "spend": "spent", "send": "sent", "lend": "lent",
        "keep": "kept", "meet": "met", "bring": "brought", "think": "thought", "teach": "taught", "catch": "caught",
        "choose": "chose chosen", "speak": "spoke spoken", "break": "broke broken", "drive": "drove driven",
        "know": "knew known", "show": "shown", "throw": "threw thrown", "fly": "flew flown", "draw": "drew drawn",
        "wear": "wore worn", "bear": "bore born borne", "run": "ran", "sing": "sang sung", "swim": "swam swum",
        "sit": "sat", "stand": "stood", "understand": "understood", "die": "dead death died", "child": "children",
        "man": "men", "woman": "women", "person": "people", "foot": "feet", "eat": "ate eaten",
        "shrink": "shrank shrunk",
        "feed": "fed", "fight": "fought", "seek": "sought", "hear": "heard", "lie": "lay lain", "arise": "arose arisen",
        "wife": "wives", "life": "lives", "half": "halves", "criterion": "criteria", "datum": "data", "bid": "bidden",
    }.items()
    for form in forms.split()
}  # fmt: skip
"""Forms that no suffix rule takes back to their word."""

_NUMERALS = {
    word: str(number)
    for number, word in enumerate(
        """
        two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
        nineteen twenty
        """.split(),  # noqa: SIM905 - a list of quoted words reads worse
        2,
    )
} | {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90"}
"""Spelled numbers and digits find each other; "one" is a pronoun as often as a number."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Where in a text a claim finds what bears on it."""

    span: Span
    coverage: float
    """The part of the claim's weighed words that the span says, from 0 to 1."""
    rivals: tuple[Span, ...] = ()
    """Other places that bear on it as much: the place is ambiguous when there are any."""
    context: tuple[Span, ...] = ()
    """What must be read beside the span: its table's header, and sentences that say the figures and words it lacks."""

    def read(self, text: str) -> str:
        """The span with its context, in reading order: what is judged."""
        parts = sorted({self.span, *self.context})
        return "\n".join(part.of(text) for part in parts)


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word's key: equal for its inflections, for a ligature that the page lost, and for both ways to group digits.

    >>> stem("policies") == stem("policy"), stem("4,523,000") == stem("4523000")
    (True, True)
    """
    if word[0].isdigit():
        return _UNIT_TOUCHING.sub("", word.replace(",", "").rstrip("."))
    low = unicodedata.normalize("NFKC", word).casefold().split("'")[0].split("’")[0]
    plain = "".join(c for c in unicodedata.normalize("NFD", low) if not unicodedata.combining(c))
    if plain in _NUMERALS:
        return _NUMERALS[plain]
    plain = _IRREGULAR.get(plain, plain)
    cut = plain if plain.endswith("ss") else _SUFFIX.sub("", plain)
    root = cut if len(cut) >= _SHORTEST_STEM else plain
    if root.endswith(("i", "y")) and len(root) > _SHORTEST_STEM:
        root = root[:-1]
    return _LIGATURE.sub("", root) or root


def words(text: str) -> list[str]:
    """The stems of a text's words that carry matter, in order."""
    return [stem(w) for w in _WORD.findall(text) if w.casefold() not in STOPWORDS]


def align(claim: str, text: str) -> Alignment | None:
    """The shortest run of at most `WINDOW` sentences that says most of the claim's words; None when none does.

    Ties go to the earlier run. Sentences near the winner that would do as well are its rivals.

    >>> text = "The office is in Bern. Leave is 25 days. Notice is a month."
    >>> align("Staff have 25 days of leave.", text).span.of(text)
    'Leave is 25 days.'
    """
    scene = _scene(claim, text)
    runs = sorted(_runs(scene), key=lambda run: (-run.score, run.first, run.last))
    if not runs or runs[0].coverage < FLOOR:
        return None
    best = runs[0]
    return Alignment(scene.span(best), best.coverage, _rivals(runs, scene), _context(best, scene))


@dataclass(frozen=True, slots=True)
class _Scene:
    """The sentences of a text as seen by one claim."""

    spans: tuple[Span, ...]
    hits: tuple[frozenset[str], ...]
    """By sentence, the claim's words that it says."""
    headers: tuple[int | None, ...]
    """By sentence, the header of the table whose row it is."""
    breaks: frozenset[int]
    """Sentences that begin a new paragraph."""
    weights: dict[str, float]
    total: float

    def coverage(self, found: Iterable[str]) -> float:
        """The part of the claim that these words make up."""
        return sum(self.weights[w] for w in found) / self.total if self.total else 0.0

    def span(self, run: _Run) -> Span:
        """From the first to the last sentence of a run."""
        return Span(self.spans[run.first].start, self.spans[run.last].end)


def _scene(claim: str, text: str) -> _Scene:
    spans = [part for span in sentences(text) for part in _parts(text, span)]
    wanted = set(words(claim))
    bags = [frozenset(words(span.of(text))) for span in spans]
    weights = _weights(wanted, bags)
    breaks = {i for i in range(1, len(spans)) if "\n\n" in text[spans[i - 1].end : spans[i].start]}
    hits = tuple(_hits(wanted, bag) for bag in bags)
    headers = tuple(table_headers(text, spans))
    return _Scene(tuple(spans), hits, headers, frozenset(breaks), weights, sum(weights.values()))


def _parts(text: str, span: Span) -> list[Span]:
    """Itself, or where a text has no stops for pages, its runs of whole words."""
    if len(span) <= LONGEST:
        return [span]
    cut = re.compile(rf"\S(?:.{{0,{LONGEST - 2}}}\S)?(?!\S)|\S{{1,{LONGEST}}}", re.DOTALL)
    return [Span(m.start(), m.end()) for m in cut.finditer(text, span.start, span.end)]


@dataclass(frozen=True, slots=True)
class _Run:
    first: int
    last: int
    score: float
    coverage: float
    found: frozenset[str]


def _weights(wanted: set[str], bags: Sequence[frozenset[str]]) -> dict[str, float]:
    """Rare words weigh more; words of the claim that the text never says weigh as the rarest ones."""
    counts = Counter(word for bag in bags for word in bag)
    rarest = math.log(1 + len(bags) / 0.5)
    base = 1.0
    return {w: base + (math.log(1 + len(bags) / counts[w]) if counts[w] else rarest) for w in sorted(wanted)}


def _hits(wanted: set[str], bag: frozenset[str]) -> frozenset[str]:
    exact = wanted & bag
    missing = [w for w in wanted - exact if len(w) > _PREFIX and not w[0].isdigit()]
    if not missing:
        return frozenset(exact)
    prefixes = {b[:_PREFIX] for b in bag if len(b) > _PREFIX}
    return frozenset(exact | {w for w in missing if w[:_PREFIX] in prefixes})


_PREFIX = 5
"""Words of one family mostly share so many letters ("regulat-", "employ-")."""


def _runs(scene: _Scene) -> list[_Run]:
    runs = []
    for first, header in enumerate(scene.headers):
        found: frozenset[str] = scene.hits[header] if header is not None and scene.hits[first] else frozenset()
        for last in range(first, min(first + WINDOW, len(scene.spans))):
            if last > first and last in scene.breaks:
                break
            found |= scene.hits[last]
            if found:
                coverage = scene.coverage(found)
                runs.append(_Run(first, last, coverage - ANOTHER_SENTENCE * (last - first), coverage, found))
    return runs


def _has_figure(keys: Iterable[str]) -> bool:
    return any(key[0].isdigit() for key in keys)


def _rivals(runs: Sequence[_Run], scene: _Scene) -> tuple[Span, ...]:
    """The runs behind the first that would do as well, none of them overlapping another."""
    kept = [runs[0]]
    for run in runs[1:]:
        if run.score < runs[0].score - RIVAL:
            break
        if all(run.last < other.first or run.first > other.last for other in kept):
            kept.append(run)
    return tuple(scene.span(run) for run in kept[1:])


def _context(best: _Run, scene: _Scene) -> tuple[Span, ...]:
    chosen: list[int] = []
    header = scene.headers[best.first]
    if header is not None and not best.first <= header <= best.last:
        chosen.append(header)
    found = best.found
    for _ in range(COMPLEMENTS):
        gains = [
            (_has_figure(hits - found) and len(hits) > 1, scene.coverage(hits - found), -i)
            for i, hits in enumerate(scene.hits)
            if not best.first <= i <= best.last and i not in chosen
        ]
        if not gains or not (max(gains)[0] or max(gains)[1] >= ANOTHER_SENTENCE):
            break
        i = -max(gains)[2]
        chosen.append(i)
        found |= scene.hits[i]
    return tuple(scene.spans[i] for i in sorted(chosen))
