"""A claim that denies what a text asserts, or the reverse. Pure.

It speaks only where both use the same words: a claim is held against the clause that says the same thing the other way,
never against a negation that merely stands nearby.
"""

from __future__ import annotations

import re

from rag_core.checking.alignment import stem
from rag_core.checking.polarity import FAILING, NOT_A_NEGATION, of_one_thing, read


def flipped(claim: str, evidence: str) -> str | None:
    """The word that one text denies and the other asserts, about the same things; None when there is none.

    >>> flipped("The plan does not cover dental care.", "The plan covers dental care for all staff.")
    'cover'
    >>> flipped("Dental care is covered.", "Dental care is covered; eye care is not covered.")
    """
    ours, theirs = read(claim), read(evidence)
    for word in ours.words:
        if not word.matter:
            continue
        mine_too = ours.keys[word.sentence] - {word.key}
        near = {w.sentence for w in theirs.places.get(word.key, ())}
        told = {i for i in near if of_one_thing(mine_too, theirs.keys.get(i, frozenset()) - {word.key})}
        alike = [w for w in theirs.places.get(word.key, ()) if w.sentence in told]
        if not alike:
            continue
        mine = ours.cues_of(word.sentence, but=word.key)
        yours = frozenset().union(*(theirs.cues_of(w.sentence, but=word.key) for w in alike))
        if word.strictly and not yours - mine and not any(w.negated for w in alike) and not mine <= yours & FAILING:
            return word.text
        if not mine & _CONDITIONS and any(_is_conditional(theirs.cues_of(w.sentence)) for w in alike):
            continue
        denied = all(w.negated for w in alike) and any(w.strictly for w in alike)
        if denied and not word.negated and not (mine - yours - FAILING) and yours - mine:
            return word.text
    return None


def unlike(claim: str, evidence: str) -> str | None:
    """The word that one text has with a prefix that denies it, "ineffective", and the other without; None for none.

    >>> unlike("The drug is effective.", "The drug is ineffective.")
    'effective'
    """
    ours, theirs = read(claim), read(evidence)
    for one, other in ((ours, theirs), (theirs, ours)):
        for word in one.words:
            if word.negated or not word.matter or not _MAY_BE_DENIED.search(word.text):
                continue
            keys = {stem(prefix + word.text) for prefix in _PREFIXES}
            facing = [w for key in keys for w in other.places.get(key, ()) if not w.negated]
            mine = one.keys[word.sentence] - {word.key}
            if word.key not in other.places and any(
                of_one_thing(mine, other.keys.get(w.sentence, frozenset()) - {w.key}) for w in facing
            ):
                return word.text
    return None


_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis")
_MAY_BE_DENIED = re.compile(
    r"(?:able|ible|ive|ent|ant|ate|al|ete|ect|ful|ous|ary|ised|ized|ated|fair|safe|clear|equal|even|known|healthy|likely"
    r"|stable|certain|lawful|legal|regular|pure|mature|honest|loyal|similar)(?:ly)?$"
)
"""Words that such a prefix turns round: "in" before "come" or "un" before "it" denies nothing."""


def _is_conditional(cues: frozenset[str]) -> bool:
    """Whether a sentence forbids only what is not otherwise allowed: "not … without consent"."""
    return bool(cues & _CONDITIONS and cues - _CONDITIONS)


_CONDITIONS = frozenset({"without", "except", "unless"})


def unsaid_denial(claim: str, evidence: str) -> str | None:
    """The word of a claim that denies everything ("no", "none", "never") where the evidence denies nothing at all.

    >>> unsaid_denial("No vehicles may use the bridge.", "Heavy vehicles use the bridge daily.")
    'no'
    """
    found = _CLAIMS_NONE.search(NOT_A_NEGATION.sub(" ", claim))
    if found and not read(evidence).denies and not _NEGATIVE.search(evidence):
        return found[0].lower()
    return None


_CLAIMS_NONE = re.compile(r"\b(?:no|none|never|nobody|nothing|neither)\b", re.IGNORECASE)
_NEGATIVE = re.compile(
    r"\b(?:un\w{3,}|in(?:adequate|valid|eligible|capable|sufficient)\w*|non\w*|\w+less|free|zero|absen\w+|only|lack\w*|"
    r"den\w+|refus\w+|reject\w*|prevent\w*|avoid\w*|stop\w*|ban\w*|against|0)\b",
    re.IGNORECASE,
)
"""What else may make a text negative: enough for the check to keep silent."""
