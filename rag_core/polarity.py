"""What turns a statement round: negation and what it negates, direction words and their opposites, quantifiers. Pure.

These checks speak only where claim and evidence use the same words: a claim is held against the clause that says the
same thing the other way, never against a negation that merely stands nearby.
"""

# ruff: noqa: E501, RUF001 - one family of words a line

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from rag_core.alignment import STOPWORDS, stem

_TOKEN = re.compile(r"\w+(?:['’]\w+)*|[.,;:!?()]")
_CLAUSE = frozenset(".,;:!?()")
_ENDS = frozenset(".;!?")
_EXCEPTING = frozenset(
    {
        "except",
        "unless",
        "other",
        "avoid",
        "avoided",
        "avoids",
        "prevent",
        "prevents",
        "prevented",
        "exclude",
        "excludes",
        "excluded",
        "excluding",
        "rather",
        "instead",
        "unlikely",
    }
)
_BUT = frozenset({"but", "however", "although", "though", "while", "whereas", "because", "since", "unless", "which"})

_NOT = frozenset({"not", "never", "cannot", "neither", "nor", "without", "hardly", "scarcely", "barely"})
_NO = frozenset({"no", "none", "nobody", "nothing", "nowhere"})
_FAILING = frozenset({"fail", "fails", "failed", "failing", "refuse", "refuses", "refused", "lack", "lacks", "lacked",
                      "lacking", "unable", "denies", "denied", "deny", "prohibited", "forbidden", "prohibits"})  # fmt: skip
_NOT_A_NEGATION = re.compile(
    r"\bnot (?:only|just|merely|necessarily|least)\b|\bno (?:doubt|later|earlier|more|less|fewer|greater|longer than|one)\b"
    r"|\bnot (?:more|less|fewer|later|earlier|exceeding|limited)\b|\bwhether or not\b|\bif not\b|\bno\. ?\d|\bwithout limit\w*",
    re.IGNORECASE,
)
SCOPE = 4
"""Words that carry matter, after a negation, that it reaches."""

_UP = """
    increase increased increases increasing rise rose rises risen rising grow grew grown grows growing growth climb climbed
    jump jumped surge surged soar soared gain gained gains expand expanded expands expansion improve improved improves
    improvement up higher
"""
_DOWN = """
    decrease decreased decreases decreasing fall fell falls fallen falling decline declined declines declining drop dropped
    drops dropping reduce reduced reduces reduction shrink shrank shrunk plunge plunged slump slumped contract contracted
    lose lost loss worsen worsened worsens down lower
"""
OPPOSITES: tuple[tuple[str, str], ...] = (
    (_UP, _DOWN),
    ("more greater larger bigger exceed exceeds exceeded above over", "less fewer smaller below under"),
    (
        "highest most largest maximum max longest best biggest",
        "lowest least smallest minimum min shortest worst fewest",
    ),
    ("before prior preceding earlier", "after following later subsequent"),
    ("accept accepted accepts approve approved approves", "reject rejected rejects"),
    ("allow allowed allows permit permitted permits", "prohibit prohibited prohibits forbid forbidden ban banned"),
    ("win won wins", "lose lost loses"),
    ("include included includes including", "exclude excluded excludes excluding"),
    ("start started starts begin began begins", "end ended ends stop stopped stops"),
    ("open opened opens", "close closed closes"),
    ("mandatory required obligatory compulsory must", "optional voluntary"),
    ("support supported supports", "oppose opposed opposes"),
    ("positive positively", "negative negatively"),
    ("always", "never"),
    ("early earliest first", "late latest last"),
    ("strengthen strengthened", "weaken weakened"),
    ("buy bought buys purchase purchased", "sell sold sells"),
    ("success successful succeeded", "failure unsuccessful failed"),
    ("activate activates activated activation", "inhibit inhibits inhibited inhibition suppress suppresses suppressed"),
    ("upregulated upregulates", "downregulated downregulates"),
    ("import imports imported", "export exports exported"),
    ("internal domestic", "external foreign"),
    ("inside", "outside"),
    ("north northern", "south southern"),
    ("east eastern", "west western"),
    ("male males man men", "female females woman women"),
)
"""Words, and those that turn a statement round when they stand in their place."""


def _sides() -> dict[str, list[tuple[int, int]]]:
    sides: dict[str, list[tuple[int, int]]] = {}
    for group, pair in enumerate(OPPOSITES):
        for side, listed in enumerate(pair):
            for word in listed.split():
                sides.setdefault(word, []).append((group, side))
    return sides


_SIDES = _sides()
_BOUNDS = re.compile(
    r"\b(?P<least>at least|no (?:less|fewer) than|not less than|or more|minimum of|a minimum)\b"
    r"|\b(?P<most>at most|no (?:more|greater|longer|later) than|not (?:more|exceed\w*)(?: than)?|up to|or less|or fewer|maximum of|a maximum)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text with what bears on it."""

    text: str
    key: str
    sentence: int
    negated: bool
    """Within the reach of a negation of its clause."""
    strictly: bool
    """The very next word of matter after the negation."""


@dataclass(frozen=True, slots=True)
class _Reading:
    words: tuple[Word, ...]
    cued: frozenset[int]
    """The sentences that negate anything, or make an exception."""


@lru_cache(maxsize=2048)
def read(text: str) -> _Reading:
    """The words of `text` in order, each marked with whether a negation reaches it."""
    masked = _NOT_A_NEGATION.sub(lambda m: "_" * len(m[0]), text)
    words: list[Word] = []
    cued: set[int] = set()
    sentence, reach, first = 0, 0, False
    for m in _TOKEN.finditer(masked):
        token = m[0].casefold()
        if token in _CLAUSE or token in _BUT:
            sentence, reach = sentence + (token in _ENDS), 0
            continue
        negates = token in _NOT or token in _NO or token in _FAILING or token.endswith(("n't", "n’t")) or token == "n"  # noqa: S105 - of "did n't"
        if negates:
            reach, first = SCOPE, True
        if negates or token in _EXCEPTING:
            cued.add(sentence)
            continue
        if token in STOPWORDS or not token[0].isalnum() or len(token) == 1:
            continue
        words.append(Word(token, stem(token), sentence, reach > 0, first and reach > 0))
        reach, first = max(0, reach - 1), False
    return _Reading(tuple(words), frozenset(cued))


ALIKE = 0.6
"""Of a claim's other words, the part that a sentence must have for the two to speak of one thing."""


def flipped(claim: str, evidence: str) -> str | None:
    """The word that one text denies and the other asserts, about the same things; None when there is none.

    >>> flipped("The plan does not cover dental care.", "The plan covers dental care for all staff.")
    'cover'
    >>> flipped("Dental care is covered.", "Dental care is covered; eye care is not covered.")
    """
    ours, theirs = read(claim), read(evidence)
    for word in ours.words:
        same = [w for w in theirs.words if w.key == word.key]
        alike = [w for w in same if _alike(word, ours, w, theirs)]
        if not alike:
            continue
        if word.strictly and all(w.sentence not in theirs.cued for w in alike):
            return word.text
        if word.sentence not in ours.cued and all(w.strictly for w in alike) and not any(not w.negated for w in same):
            return word.text
    return None


def _alike(word: Word, ours: _Reading, other: Word, theirs: _Reading) -> bool:
    """Whether the two sentences share so much else that they speak of one thing."""
    mine = {w.key for w in ours.words if w.sentence == word.sentence and w.key != word.key}
    yours = {w.key for w in theirs.words if w.sentence == other.sentence}
    return bool(mine) and len(mine & yours) >= ALIKE * len(mine)


def reversed_words(claim: str, evidence: str) -> tuple[str, str] | None:
    """A word of the claim and its opposite in the evidence, where each stands for the other; None when there is none.

    It speaks only when the claim uses one side of a pair, the evidence only the other, neither is negated, and the
    clauses share what they are about.

    >>> reversed_words("Sales rose in 2019.", "In 2019, sales fell by 3 %.")
    ('rose', 'fell')
    """
    ours, theirs = read(claim), read(evidence)
    mine, yours = list(_sided(ours.words)), list(_sided(theirs.words))
    for group, side, word in mine:
        if any(g == group and s != side for g, s, _ in mine) or word.sentence in ours.cued:
            continue
        facing = [(s, w) for g, s, w in yours if g == group]
        if not facing or any(s == side or w.negated for s, w in facing):
            continue
        for _, other in facing:
            if _shares_a_subject(word, ours, other, theirs):
                return word.text, other.text
    return None


def _shares_a_subject(word: Word, ours: _Reading, other: Word, theirs: _Reading) -> bool:
    mine = {w.key for w in ours.words if w.key != word.key}
    common = len(mine & {w.key for w in theirs.words if w.sentence == other.sentence})
    return common >= 2 or (common == 1 and len(mine) <= 2)  # noqa: PLR2004 - two words make a common subject


def _sided(words: Iterable[Word]) -> Iterator[tuple[int, int, Word]]:
    for word in words:
        for group, side in _SIDES.get(word.text, ()):
            yield group, side, word


def bounds(claim: str, evidence: str) -> tuple[str, str] | None:
    """Find "at least" in the one where the other says "at most" and nothing else; None when they do not clash."""
    ours, theirs = _bound_words(claim), _bound_words(evidence)
    if len(ours) == 1 and len(theirs) == 1 and ours.keys() != theirs.keys():
        return next(iter(ours.values())), next(iter(theirs.values()))
    return None


def _bound_words(text: str) -> dict[str, str]:
    return {m.lastgroup or "": m[0].lower() for m in _BOUNDS.finditer(text)}


_ALL = re.compile(r"\b(?:all|every|each|any|always|both|entire(?:ly)?|everyone|everybody)\b", re.IGNORECASE)
_SOME = re.compile(r"\b(?:some|many|most|several|few|certain|sometimes|often|usually|mostly|part(?:ly|ially)?|majority)\b", re.IGNORECASE)  # fmt: skip
_ONLY = re.compile(r"\b(?:only|solely|exclusively|sole|just|merely|nothing but|none other|alone|limited to|no other|unique(?:ly)?|purely|except|unless)\b", re.IGNORECASE)  # fmt: skip
_CLAIMS_ONLY = re.compile(r"\b(?:(?<!not )only|solely|exclusively)\b(?! \d)(?! after| when| if)", re.IGNORECASE)
_CLAIMS_ALL = re.compile(r"\b(?:all|every|always)\b(?! of which| in all)", re.IGNORECASE)


def overstated(claim: str, evidence: str) -> tuple[str, str] | None:
    """A quantifier of the claim that the evidence does not bear: "all" for "some", "only" for none; None when fine.

    >>> overstated("All staff work from home.", "Most staff work from home.")
    ('all', 'most')
    """
    every = _CLAIMS_ALL.search(claim)
    if every and not _ALL.search(evidence) and (some := _SOME.search(evidence)):
        after = _following(claim, every.end())
        if after and after & _following(evidence, some.end()):
            return every[0].lower(), some[0].lower()
    only = _CLAIMS_ONLY.search(claim)
    if only and not _ONLY.search(evidence):
        return only[0].lower(), "no such limit"
    return None


def _following(text: str, start: int) -> set[str]:
    return {stem(w) for w in re.findall(r"\w+", text[start : start + 40])[:4] if w.lower() not in STOPWORDS}
