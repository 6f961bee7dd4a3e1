"""A claim and the text it rests on to what must agree between them: numbers, dates, names, negation, direction. Pure.

Every check that had something to compare gives one Reason that says what it compared. A failed one means that the claim
is never called supported, whatever a model thinks; so each check stays silent where it cannot tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from rag_core.checking import (
    bindings,
    conditions,
    exceptions,
    figures,
    names,
    negation,
    opposites,
    quantifiers,
    subjects,
    substitutions,
)
from rag_core.types import Reason

VERSION = "4"
"""Changes whenever an outcome may: verdicts are cached by it."""

CHECKS = frozenset(
    {
        "number", "unit", "bound", "binding", "date", "time", "name", "negation", "direction", "quantifier",
        "exception", "condition", "subject",
    }
)  # fmt: skip
"""What the checks call themselves in their Reasons."""

_CONTRADICTING = frozenset({"number", "unit", "date", "time", "negation", "direction", "quantifier", "bound"})
_CODE = re.compile(
    r"\b(?=\w*\d)(?=\w*[A-Za-z])[A-Za-z][\w]*(?:[-/]\w*\d\w*)*\b|\b[A-Za-z]+-\d+\w*\b|\b\d{2,}[A-Z]{1,3}\b"
)


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
        *figures.reasons(claim, evidence, wider),
        *_codes(claim, wider),
        *_names(claim, wider),
        *_polarity(claim, evidence),
        *_joined(claim, evidence, wider),
    )


def failed(reasons: list[Reason]) -> list[Reason]:
    """Those that do not hold."""
    return [r for r in reasons if not r.ok]


def contradicts(reasons: list[Reason]) -> bool:
    """Whether a failed check shows that the evidence says otherwise, not only that it is silent."""
    return any(not r.ok and r.check in _CONTRADICTING and "says" in r.detail for r in reasons)


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
    measured = " ".join(q.text for q in figures.bare(claim))  # "20 Swiss francs"
    swaps = [s for s in names.missing(claim, wider) if s.name.text not in measured]
    for swap in swaps:
        if swap.instead:
            yield Reason("name", ok=False, detail=f"{swap.name.text!r} is not in the text, which says {swap.instead}")
        elif not swap.name.subject:
            yield Reason("name", ok=False, detail=f"{swap.name.text!r} is not in the text")
    if not swaps and (found := names.names(claim)):
        listed = ", ".join(dict.fromkeys(n.text for n in found))
        yield Reason("name", ok=True, detail=f"{listed} in the text")


def _joined(claim: str, evidence: str, wider: str) -> Iterator[Reason]:
    if pair := bindings.crossed(claim, evidence):
        yield Reason(
            "binding", ok=False, detail=f"the claim joins {pair[0]!r} and {pair[1]!r}, which the text keeps apart"
        )
    elif pair := subjects.converse(claim, evidence):
        yield Reason(
            "subject", ok=False, detail=f"the claim has {pair[0]!r} where the text has {pair[1]!r}, and the reverse"
        )
    elif pair := subjects.other_subject(claim, evidence, wider):
        yield Reason("subject", ok=False, detail=f"the claim says of {pair[0]!r} what the text says of {pair[1]!r}")
    elif pair := substitutions.substituted(claim, evidence, wider):
        yield Reason("binding", ok=False, detail=f"the claim has {pair[0]!r} where the text has {pair[1]!r}")


def _polarity(claim: str, evidence: str) -> Iterator[Reason]:
    if word := negation.unsaid_denial(claim, evidence):
        yield Reason("negation", ok=False, detail=f"the claim has {word!r}, the text denies nothing")
    if word := negation.flipped(claim, evidence) or negation.unlike(claim, evidence):
        yield Reason("negation", ok=False, detail=f"of {word!r}, one says what the other denies")
    if pair := opposites.reversed_words(claim, evidence):
        yield Reason("direction", ok=False, detail=f"the claim has {pair[0]!r}, the text says {pair[1]!r}")
    if pair := quantifiers.bounds(claim, evidence):
        yield Reason("bound", ok=False, detail=f"the claim has {pair[0]!r}, the text says {pair[1]!r}")
    if pair := quantifiers.overstated(claim, evidence):
        yield Reason("quantifier", ok=False, detail=f"the claim has {pair[0]!r}, the text says {pair[1]!r}")
    if pair := exceptions.excepted(claim, evidence):
        yield Reason("exception", ok=False, detail=f"the claim has {pair[0]!r}, the text says {pair[1]!r}")
    if only := conditions.unconditional(claim, evidence):
        yield Reason("condition", ok=False, detail=f"the claim says it outright, the text only {only!r}")
    elif only := conditions.of_all(claim, evidence):
        yield Reason("condition", ok=False, detail=f"the claim says it of all, the text of those {only!r}")
