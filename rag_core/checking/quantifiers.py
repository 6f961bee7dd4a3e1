"""How much of its things a claim says: "all" for "some", "only" for none, "at least" for "at most". Pure."""

# ruff: noqa: E501 - one family of words a line

from __future__ import annotations

import re

from rag_core.checking.alignment import STOPWORDS, stem
from rag_core.checking.polarity import ALIKE, DENIES, read
from rag_core.text.sentences import sentences

_BOUNDS = re.compile(
    r"\b(?P<least>at least|no (?:less|fewer) than|not less than|or more|minimum of|a minimum)\b"
    r"|\b(?P<most>at most|no (?:more|greater|longer|later) than|not (?:more|exceed\w*)(?: than)?|up to|or less|or fewer|maximum of|a maximum)\b",
    re.IGNORECASE,
)


_ALL = re.compile(r"\b(?:all|every|each|any|always|both|entire(?:ly)?|everyone|everybody)\b", re.IGNORECASE)
_SOME = re.compile(r"\b(?:some|many|most|several|few|certain|sometimes|often|usually|mostly|part(?:ly|ially)?|majority)\b", re.IGNORECASE)  # fmt: skip
_LIMIT = re.compile(
    r"\b(?:up to|except|unless|only|excluding|other than|one in \w+|one \w+ in \w+|(?:under|over|below|above)(?= (?:the age|\d|one|two|three|four|five|six|seven|eight|nine|ten|twelve|eighteen))|if|half|some|many|most"
    r"|several|few)\b",
    re.IGNORECASE,
)
_ONLY = re.compile(r"\b(?:only|solely|exclusively|sole|just|merely|nothing but|none other|alone|limited to|reserved (?:for|to)|restricted to|confined to|no other|unique(?:ly)?|purely|except|unless|never|another|single|one|sole|no)\b", re.IGNORECASE)  # fmt: skip
_CLAIMS_ONLY = re.compile(
    r"\b(?:(?<!not )(?<!the )(?<!an )(?<!his )(?<!her )(?<!its )(?<!their )only|solely|exclusively)\b(?! (?:\d|an? (?:modest|small|slight|few|minor|limited|little|fraction|part|short|brief)|ever|after|when|if|one|two|three|four|five|six|seven|ten|a few|about|around))",
    re.IGNORECASE,
)
_MOST = re.compile(r"\b(?:most|majority(?: of)?|nearly all|almost all)\b(?: of)?(?: the)?", re.IGNORECASE)
_MANY = re.compile(r"\b(?:most|many|all|majority(?: of)?|nearly all|almost all)\b(?: of)?(?: the)?", re.IGNORECASE)
_SOME_ONLY = re.compile(
    r"\b(?:some|several|a few|few|certain|minority(?: of)?|hardly any)\b(?: of)?(?: the)?", re.IGNORECASE
)
_FEW = re.compile(r"(?<!\ba )(?<!quite a )\b(?:few|hardly any|minority(?: of)?)\b(?: of)?(?: the)?", re.IGNORECASE)
_NOT_ALL = re.compile(r"\bnot (?:all|every|always)\b", re.IGNORECASE)
_CLAIMS_ALL = re.compile(
    r"(?<!\bat )(?<!\bof )(?<!\babove )(?<!\bafter )\b(?:all|every|always)\b(?! of which| in all)", re.IGNORECASE
)


def bounds(claim: str, evidence: str) -> tuple[str, str] | None:
    """Find "at least" in the one where the other says "at most" and nothing else; None when they do not clash."""
    ours, theirs = _bound_words(claim), _bound_words(evidence)
    if len(ours) == 1 and len(theirs) == 1 and ours.keys() != theirs.keys():
        return next(iter(ours.values())), next(iter(theirs.values()))
    return None


def _bound_words(text: str) -> dict[str, str]:
    return {m.lastgroup or "": m[0].lower() for m in _BOUNDS.finditer(text)}


def overstated(claim: str, evidence: str) -> tuple[str, str] | None:
    """A quantifier of the claim that the evidence does not bear: "all" for "some", "only" for none; None when fine.

    >>> overstated("All staff work from home.", "Most staff work from home.")
    ('all', 'most')
    """
    every = _CLAIMS_ALL.search(_NOT_ALL.sub(" ", claim))
    if every and (some := _limited(every, claim, evidence)):
        return every[0].lower(), some
    if amount := _other_amount(claim, evidence, _MOST, _SOME_ONLY) or _other_amount(claim, evidence, _FEW, _MANY):
        return amount
    only = _CLAIMS_ONLY.search(claim)
    if only and not _ONLY.search(evidence) and not DENIES.search(claim[: only.start()]):
        return only[0].lower(), "no such limit"
    return None


def _other_amount(claim: str, evidence: str, ours: re.Pattern[str], theirs: re.Pattern[str]) -> tuple[str, str] | None:
    """An amount of the claim where the evidence has another one of the same things: "most patients", "few patients"."""
    mine = ours.search(claim)
    if not mine or ours.search(evidence):
        return None
    counted = _next_word(claim, mine.end())
    other = next((m for m in theirs.finditer(evidence) if counted and _next_word(evidence, m.end()) == counted), None)
    return (mine[0].lower(), other[0].lower()) if other else None


def _next_word(text: str, start: int) -> str:
    m = re.match(r"\s*(\w+)", text[start : start + 40])
    return stem(m[1]) if m else ""


def _limited(every: re.Match[str], claim: str, evidence: str) -> str | None:
    """The limit that the evidence puts on what the claim says of all, in a sentence about the same things."""
    wanted = {w.key for w in read(claim).words if w.matter}
    after = _following(claim, every.end())
    for span in sentences(evidence):
        sentence = span.of(evidence)
        if _ALL.search(sentence):
            continue
        some = _SOME.search(sentence)
        if some and after & _following(sentence, some.end()):
            return some[0].lower()
        limit = _LIMIT.search(sentence)
        common = len(wanted & {w.key for w in read(sentence).words if w.matter})
        if limit and common >= 2 and common >= ALIKE * len(wanted):  # noqa: PLR2004 - two words make a common subject
            return limit[0].lower()
    return None


def _following(text: str, start: int) -> set[str]:
    return {stem(w) for w in re.findall(r"\w+", text[start : start + 40])[:4] if w.lower() not in STOPWORDS}
