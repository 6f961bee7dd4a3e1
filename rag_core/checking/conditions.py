"""A claim that says without its condition, or of all of a kind, what its text says of some cases only. Pure.

What such a claim drops is a hole in the text's own sentence: each of its words is there, and no word of it is wrong. So
a model that counts or reads likeness is sure of it, and only what is *missing* tells.
"""

# ruff: noqa: E501, RUF001 - one family of words a line; the apostrophes of real pages

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from rag_core.checking.polarity import WHOLLY, read
from rag_core.text.sentences import is_table_row, sentences

LEAST = 2
"""Words of matter that a claim must share with what stands under a condition: one is found anywhere."""

LONGEST_HEAD = 4
"""Words of "All part-time staff": more is no bare kind of thing."""

_CONDITION = re.compile(
    r"\b(?:(?<!even )(?<!as )(?<!only )if(?! (?:any|necessary|possible|needed|applicable|at all|so|not|only)\b)|unless|provided that"
    r"|(?<=, )provided(?! (?:by|to|for|in|with|on|at|as)\b)|(?<!is )(?<!are )(?<!was )(?<!were )(?:as|so) long as(?! \w+ (?:years?|months?|weeks?|days?|hours?)\b)|on condition that"
    r"|subject to|except(?:ing)?|other than|apart from|aside from|save for)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\b(?:ask|see|know|check|determin|decid|tell|wonder|find out|learn|verif|evaluat|assess|unsure)\w*\s*$",
    re.IGNORECASE,
)
"""What makes an "if" a question."""
_OPENS = re.compile(
    r"^(?:in the event (?:of|that)|during|when|whenever|once|until|without|outside|for (?!example|instance|more|additional|further|this|that|these|those|details?)|under (?!this|that|these))\b",
    re.IGNORECASE,
)
"""What a rule's setting opens with, when the sentence does: "During probation, notice is one week"."""
_RULES = re.compile(
    r"\b(?:must|may|can|cannot|should|shall|needs?|(?:is|are) (?:not )?(?:required|entitled|allowed|permitted))\b",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"[;:](?=\s)|\s\(|\)|,\s(?:and|but|or|nor|so|yet|while|whereas)\b(?! (?:then )?only\b)"
    r"|(?P<aside>,\s(?:(?:all|both|some|most|each|none) of )?(?:which|who|whom)\b)|\sand\s(?=(?:is|are|was|were|has|have|must|may|can|cannot|should|shall|will)\b)",
    re.IGNORECASE,
)
"""Where one statement of a sentence ends, and what is said under a condition with it."""
_CONDITIONAL = re.compile(
    r"\b(?:if|unless|when|whenever|where|once|provided|long as|except|only|until|in case|in the event|condition\w*|depend\w*|without|during"
    r"|should you|subject to|assuming|other than|apart from|aside from|exclud\w+|beyond|under|some|certain|sometimes|often|most|many|generally|usually|might)\b",
    re.IGNORECASE,
)
"""Words by which a claim may make the same reservation, or a weaker statement."""

_KIND = re.compile(
    r"^(?P<head>(?:(?:all|any|no|every|each|most) )?(?:[\w’'-]+ ){0,2}?[\w’'-]+) "
    r"(?:who|whose|that|which|with|without|under|over|below|above|on|in|from|at|outside|inside|working|hired|employed)\b",
    re.IGNORECASE,
)
_OF_ALL = re.compile(r"(?:all|any|no|every|each|most|those|anyone|everyone|nobody|no one)\b", re.IGNORECASE)
_A_KIND = re.compile(
    r"(?:[A-Z]?[a-z-]+ ){0,2}[A-Z]?[a-z-]*[a-rt-z]s$|(?:[\w-]+ )?(?:staff|people|personnel)$", re.IGNORECASE
)
_ONE_OF_THEM = re.compile(
    r"(?:the|a|an|this|that|these|those|some|several|many|our|their|its|your|his|her|both|such|other)\b", re.IGNORECASE
)
_SAYS = re.compile(
    r"\b(?:is|are|has|have|must|may|can|cannot|should|shall|will|need|needs|does|do|gets?|receives?|earns?|pays?)\b",
    re.IGNORECASE,
)
_GOING_ON = re.compile(r"\s+(?:not )?\w+ing\b", re.IGNORECASE)


def unconditional(claim: str, evidence: str) -> str | None:
    """The condition under which alone the evidence says what the claim says outright; None when there is none.

    It speaks only where the claim has nearly all its words from what stands under the condition, none of the condition's
    own, no reservation of any kind, and where no other sentence says the same outright.

    >>> unconditional("Swaps are allowed.", "Swaps are allowed if the manager hears of them beforehand.")
    'if the manager hears of them beforehand'
    >>> unconditional("Swaps are allowed.", "Swaps are allowed. If the manager hears of one, he notes it.")
    """
    return next(
        (found for part, before in _statements(claim) if (found := _unconditional(part, before, evidence))), None
    )


def _unconditional(statement: str, before: str, evidence: str) -> str | None:
    keys, reserved = _keys(statement), _reservations(before + statement)
    found: str | None = None
    for sentence in _told(evidence):
        cases = list(_cases(sentence))
        for condition, governed in cases:
            rest = _keys(governed)
            if _says(keys, rest) and not keys & (_keys(condition) - rest) and reserved <= _reservations(governed):
                found = found or " ".join(condition.split())
        if not cases and _says(keys, _keys(sentence)):
            return None
    return found


def _statements(claim: str) -> list[tuple[str, str]]:
    """The claim, and its parts where it has several, each with what stands before it: one may be what is too bold."""
    cuts = [0, *(m.start() for m in _PARTS.finditer(claim)), len(claim)]
    parts = [(claim[a:b], claim[:a]) for a, b in pairwise(cuts)]
    return [(claim, "")] if len(parts) == 1 else [(claim, ""), *parts]


def _reservations(text: str) -> frozenset[str]:
    return frozenset(m[0].casefold() for m in _CONDITIONAL.finditer(text))


def of_all(claim: str, evidence: str) -> str | None:
    """What the evidence restricts its subject by, where the claim says the same of all of the kind; None for nothing.

    >>> of_all("Staff may park inside.", "Staff with a blue badge may park inside.")
    'with a blue badge'
    >>> of_all("The shop may sell tea.", "The shop on the corner may sell tea.")
    """
    return next((found for part, _ in _statements(claim) if (found := _of_all(part, evidence))), None)


def _of_all(claim: str, evidence: str) -> str | None:
    for sentence in _told(evidence):
        kind = _KIND.match(sentence)
        if kind is None or not _is_kind(kind["head"]) or _SAYS.search(kind["head"]):
            continue
        head, ours = kind["head"], claim.strip(" ,;:")
        mine = re.match(rf"(?:and |all (?:of )?(?:the )?)?{re.escape(head)} ", ours, re.IGNORECASE)
        verb = _SAYS.match(ours, mine.end()) if mine else None
        if verb is None or (not _OF_ALL.match(head) and _GOING_ON.match(ours, verb.end())):
            continue
        said = _keys(ours[verb.end() :])
        for m in re.finditer(rf"\b{re.escape(verb[0])}\b", sentence[kind.end() :], re.IGNORECASE):
            only = sentence[kind.end("head") : kind.end() + m.start()]
            rest = _keys(sentence[kind.end() + m.end() :])
            lost = _keys(only)
            if said and len(said & rest) >= WHOLLY * len(said) and 2 * len(lost & _keys(ours)) < len(lost):
                return " ".join(only.split())
    return None


def _is_kind(head: str) -> bool:
    if len(head.split()) > LONGEST_HEAD or (_ONE_OF_THEM.match(head) and not head.casefold().startswith("those")):
        return False
    return bool(_OF_ALL.match(head) or _A_KIND.fullmatch(head))


def _cases(sentence: str) -> Iterator[tuple[str, str]]:
    """Each condition of a sentence, and what stands under it."""
    parts = list(_PARTS.finditer(sentence))
    for m in _CONDITION.finditer(sentence):
        if _ASKS.search(sentence[: m.start()]):
            continue
        whole = sentence[: m.start()].endswith(", ")  # an aside with "which" before it is not all it bears on
        start = max((p.start() for p in parts if p.start() <= m.start() and not (whole and p["aside"])), default=0)
        end = min((p.start() for p in parts if p.start() > m.start()), default=len(sentence))
        before = re.sub(
            r"^\W*(?:and|but|or|nor|so|yet|while|whereas)?\W*", "", sentence[start : m.start()], flags=re.IGNORECASE
        )
        if before:
            yield sentence[m.start() : end].rstrip(". )"), before
        elif (comma := sentence.find(",", m.end())) >= 0:
            yield sentence[m.start() : comma], _to_semicolon(sentence[comma:])
    if _OPENS.match(sentence) and (comma := sentence.find(",")) >= 0:
        governed = _to_semicolon(sentence[comma:])
        if _RULES.search(governed):
            yield sentence[:comma], governed


def _to_semicolon(text: str) -> str:
    return re.split(r"[;:](?=\s)", text, maxsplit=1)[0]


def _says(keys: frozenset[str], there: frozenset[str]) -> bool:
    common = len(keys & there)
    return common >= LEAST and common >= WHOLLY * len(keys)


@lru_cache(maxsize=256)
def _told(evidence: str) -> tuple[str, ...]:
    found = [" ".join(span.of(evidence).split()) for span in sentences(evidence)]
    return tuple(sentence for sentence in found if not is_table_row(sentence))


@lru_cache(maxsize=4096)
def _keys(text: str) -> frozenset[str]:
    return frozenset(w.key for w in read(text).words if w.matter)
