"""What the checks and the entailment score come to: a Judgement that a reader can act on. Pure.

It fails closed. Supported needs a span, every check to hold and a score above the stricter threshold; contradicted
needs a check that shows the text saying otherwise. All else is unsupported, and what was not judged is uncheckable.
"""

from __future__ import annotations

from collections.abc import Sequence

from rag_core.checking import facts
from rag_core.types import Judgement, Reason, Span, Verdict

SUPPORTED_AT = 0.7
"""The score from which a claim is called supported. Above the even line of 0.5 on purpose: a wrong mark costs a reader
more than a missing one. On public claims three in four of those it marks are right here; docs/verification.md has the
curve."""

LITERAL = 0.97
"""The confidence of a claim that the evidence says word for word: what is left is a sentence torn from its context."""

CONTRADICTED_AT = 0.5
"""A failed check shows a contradiction only where the score, too, is on the side of no."""


NOTHING_BEARS = 0.1
"""The confidence where no span bears on a claim: some true answers share no word with their text."""


def judge(score: float, reasons: Sequence[Reason], span: Span | None, *, ambiguous: bool = False) -> Judgement:
    """The verdict on one claim that was held against one span.

    `score` is the calibrated probability of support, and stays the confidence whatever the checks say: a failed check
    withholds the mark, it does not pretend to know more.
    """
    if span is None:
        return Judgement(Verdict.UNSUPPORTED, min(score, 0.5), (*reasons, NOTHING_FOUND), None)
    said = [*reasons]
    broken = facts.failed(said)
    if not broken and score >= SUPPORTED_AT:
        if ambiguous:
            said.append(Reason("place", ok=True, detail="other places of the text bear on it as much"))
        said.append(Reason("entailment", ok=True, detail=f"the text supports it with probability {score:.2f}"))
        return Judgement(Verdict.SUPPORTED, score, tuple(said), span)
    if broken and facts.contradicts(said) and score < CONTRADICTED_AT:
        return Judgement(Verdict.CONTRADICTED, score, tuple(said), span)
    if score < SUPPORTED_AT:
        said.append(Reason("entailment", ok=False, detail=f"the text supports it with probability {score:.2f} only"))
    return Judgement(Verdict.UNSUPPORTED, score, tuple(said), span)


def literal(span: Span) -> Judgement:
    """The verdict on a claim that is a quotation."""
    return Judgement(
        Verdict.SUPPORTED, LITERAL, (Reason("literal", ok=True, detail="the text says it word for word"),), span
    )


def uncheckable(why: str) -> Judgement:
    """The verdict on what asserts nothing."""
    return Judgement(Verdict.UNCHECKABLE, 0.0, (Reason("checkable", ok=False, detail=why),))


NOTHING_FOUND = Reason("alignment", ok=False, detail="nothing in the text bears on it")
