"""A claim that passes over the exception or the condition that its text makes. Pure."""

# ruff: noqa: E501, RUF001 - one family of words a line

from __future__ import annotations

import re
from functools import lru_cache

from rag_core.checking.polarity import ALIKE, DENIES, WHOLLY, read
from rag_core.text.sentences import sentences

_EXCEPTION = re.compile(
    r"\b(?:except(?:ing)?(?: (?:for|in|on|at|with|by|to|that|when|where))?|excluding|excludes?|excluded|other than|apart from"
    r"|aside from|with the exceptions? of|save for)\b",
    re.IGNORECASE,
)
_SCOPE_ENDS = re.compile(
    r"[.;:()]|,(?= (?:and|but|which|who|while)\b)"
    r"|\b(?:may|must|can|cannot|could|shall|should|will|would|might|is|are|was|were|be|has|have|had|do|does|did)\b",
    re.IGNORECASE,
)
"""Where what is excepted ends: its clause's edge, or the verb of "All staff except apprentices may park"."""
_ONLY_ON = re.compile(
    r"\bonly (?:if|with|when|whenever|while|after|before|where|upon|once|under|until|by|provided|on|in|for|at|during|from)\b",
    re.IGNORECASE,
)
_PERMITS = re.compile(
    r"\b(?:may|can|could|must|shall|should|will|would|is|are|was|were|be|been) (?:\w+ )?|\b(?:allow|permit|entitle)",
    re.IGNORECASE,
)
_ADDS = re.compile(r"\b(?:also|too|as well|additionally)\b", re.IGNORECASE)
_WHOLE = re.compile(
    r"\b(?:all|every|everyone|everybody|everything|each|always|no|none|never|nobody|nothing)\b", re.IGNORECASE
)


def excepted(claim: str, evidence: str) -> tuple[str, str] | None:
    """A word of the claim and the exception or limit of the evidence that it passes over; None when there is none.

    It speaks where the claim is about what the evidence excepts, says of all what the evidence says of all but some, or
    leaves out the condition after "only". A claim that makes an exception or a denial of its own is not judged.

    >>> excepted("The plan covers dental care.", "The plan covers everything except dental care.")
    ('dental', 'except dental care')
    >>> excepted("Visitors may enter the lab.", "Visitors may enter the lab only with an escort.")
    ('visitors', 'only with an escort')
    """
    if _EXCEPTION.search(claim) or not (_EXCEPTION.search(evidence) or _ONLY_ON.search(evidence)):
        return None
    wanted = [w for w in read(claim).words if w.matter]
    keys = {w.key for w in wanted}
    denied = DENIES.search(claim)
    for span in sentences(evidence):
        sentence = span.of(evidence)
        for m in _EXCEPTION.finditer(sentence):
            scope, rest = _parted(sentence, m)
            elsewhere = _keys(rest) | _keys(evidence[: span.start]) | _keys(evidence[span.end :])
            inside = [w for w in wanted if w.key in _keys(scope) and w.key not in elsewhere]
            main = keys - _keys(scope)
            about = len(main & _keys(rest))
            if (
                inside
                and about
                and about >= ALIKE * len(main)
                and not denied
                and not DENIES.search(rest)
                and not _ADDS.search(rest)
            ):
                return inside[0].text, " ".join((m[0] + " " + scope).split())
            whole = _WHOLE.search(claim)
            if whole and not inside and _WHOLE.search(rest) and about >= 2 and about >= ALIKE * len(keys):  # noqa: PLR2004
                return whole[0].lower(), " ".join((m[0] + " " + scope).split())
        only = _ONLY_ON.search(sentence)
        if (
            only
            and not denied
            and not re.search(r"\bonly\b", claim, re.IGNORECASE)
            and _PERMITS.search(sentence[: only.start()])
        ):
            scope, rest = _parted(sentence, only)
            said = [w for w in wanted if w.key in _keys(rest)]
            if len(said) >= 2 and len(said) >= WHOLLY * len(keys) and not keys & (_keys(scope) - _keys(rest)):  # noqa: PLR2004
                return said[0].text, " ".join((only[0] + " " + scope).split())
    return None


def _parted(sentence: str, marker: re.Match[str]) -> tuple[str, str]:
    """What the exception reaches, and the sentence without it."""
    opens = not sentence[: marker.start()].strip("\"'“‘(- ")
    ends = re.compile(r",").search(sentence, marker.end()) if opens else _SCOPE_ENDS.search(sentence, marker.end())
    end = ends.start() if ends else len(sentence)
    return sentence[marker.end() : end], sentence[: marker.start()] + " " + sentence[end:]


@lru_cache(maxsize=2048)
def _keys(text: str) -> frozenset[str]:
    return frozenset(w.key for w in read(text).words if w.matter)
