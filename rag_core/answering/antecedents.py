"""A turn of a conversation to what a pronoun in the next question may mean. Pure."""

# ruff: noqa: RUF001 - the apostrophe of real questions

from __future__ import annotations

import re
from collections.abc import Iterator

from rag_core.text.terms import terms
from rag_core.types import Exchange

_FLAGS = re.IGNORECASE | re.VERBOSE

_PEOPLE = frozenset({"he", "him", "his", "she", "her", "hers"})
_SEVERAL = frozenset({"they", "them", "their", "these", "those"})

VERB = re.compile(
    r"""\b(?:is|are|was|were|am|be|been|do|does|did|done|has|have|had|can|could|may|might|must|shall|should|will|would
    |get|gets|need|needs|pay|pays|happens?|applies|apply|counts?|means?)\b""",
    _FLAGS,
)
_CAPITALISED = r"[A-Z](?:[\w'’&.-]*\w)?"
CAPITALS = re.compile(rf"(?<=[\s“\"(])(?!I\b){_CAPITALISED}(?:\s+(?:(?:of|the|for|and|de|van)\s+)?{_CAPITALISED})*")
_NOUNS = re.compile(
    r"""\b(?:the|an?|our|my|your|their|its)\s+[\w'’-]+
    (?:\s+(?!(?:is|are|was|were|do|does|did|has|have|had|can|could|may|might|must|shall|should|will|would|in|of|for|at|on|to
    |by|with|from|and|or|before|after|during|per|get|gets|cost|costs|last|lasts|end|ends|start|starts|begin|begins|take
    |takes|work|works|need|needs|apply|applies|pay|pays|allowed|open|required|paid|covered|included|entitled|available|due
    |valid|free)\b)[\w'’-]+){0,3}""",
    _FLAGS,
)
SUBJECT = re.compile(
    r"""\b(?P<verb>(?P<helps>do|does|did|can|could|may|might|must|should|will|would)|is|are|was|were|has|have)\s+
    (?P<subject>(?:(?:the|an?|our|my|your|all|every|each|full-time|part-time|permanent)\s+)*[\w'’-]+?)\s+
    (?(helps)(?=(?:get|have|need|work|earn|receive|take|pay|book|use|apply|claim|carry|bring|be|join|leave|give|make|sell
        |buy|own|report|hold|keep)\w*\b)
    |(?=(?:paid|eligible|made|given|taken|left|sold|bought|held|kept|\w{3,}(?:ed|ing))\b))""",
    _FLAGS,
)
"""Whoever does it: "do employees get", "are they entitled". What stands after "is annual" is no verb: "leave"."""
_ORGANISED = re.compile(
    r"\b(?:Council|Committee|Board|Team|House|Room|Court|Act|Table|Department|Company|Inc|Ltd|Office|Street|Road|Point)\b"
)
"""Names with such a word are no person's."""
MONTH = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b(?:\s+\d{4})?"
)
DAY = re.compile(r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b", re.IGNORECASE)


def topic_of(turn: Exchange, word: str) -> str | None:
    """What `word` means after the turn: a person of its answer, or the last name of its question, or the last thing.

    >>> topic_of(Exchange("How accurate is the Petrel?", "“It is accurate to 5 millimetres.”"), "it")
    'the Petrel'
    """
    answered = [m[0] for m in CAPITALS.finditer(f" {turn.answer}")]
    named = [m[0] for m in CAPITALS.finditer(turn.question)]
    if word in _PEOPLE:
        people = [name for name in answered if _is_person(name)] or [name for name in named if _is_person(name)]
        return people[0] if people else None
    if word == "there":
        return named[-1] if named else None
    things = list(_things(turn.question))
    if word in _SEVERAL:
        several = [thing for thing in things if thing.endswith("s")]
        things = several or things
    if named:
        return f"the {named[-1]}" if re.search(rf"\bthe\s+{re.escape(named[-1])}", turn.question) else named[-1]
    return things[-1] if things else None


def _things(question: str) -> Iterator[str]:
    """Noun phrases of a question, with their articles, else its content words in a row."""
    found = [m[0] for m in _NOUNS.finditer(question)]
    if found:
        yield from found
        return
    subject = SUBJECT.search(question)
    if subject:
        yield subject["subject"]
        return
    words = [w for w in re.findall(r"[\w'’-]+", question) if terms(w) and not VERB.fullmatch(w)]
    if words:
        yield " ".join(words[-2:])


def _is_person(name: str) -> bool:
    """Two or three capitalised words, none of which is a calendar's: the closest that spelling comes to a person."""
    words = name.split()
    other = any(pattern.search(name) for pattern in (MONTH, DAY, _ORGANISED))
    return len(words) in {2, 3} and all(word[:1].isupper() for word in words) and not other
