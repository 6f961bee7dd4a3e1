"""Checked claims to what is published of them, under a policy. Pure.

`strict` publishes supported claims alone; `flag` shows the others too, marked; `quote` publishes the quotes of
supported claims and nothing that a writer wrote. In each, what is published calls nobody and links to nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from rag_core.checking.claims import antecedent, standalone
from rag_core.text.inert import inert
from rag_core.types import CheckedClaim, Citation, Policy, Verdict

BAR = " | "
"""Between the cells of a row."""


@dataclass(frozen=True, slots=True)
class Publication:
    """The text, the claims in it with their citations numbered from 1, and those kept back."""

    text: str
    claims: tuple[CheckedClaim, ...]
    withheld: tuple[CheckedClaim, ...]


def publish(checked: Sequence[CheckedClaim], policy: Policy) -> Publication:
    """What may be shown. Its text is empty when no claim is supported, whatever the policy."""
    supported = [claim for claim in checked if claim.verdict is Verdict.SUPPORTED]
    others = [claim for claim in checked if claim.verdict is not Verdict.SUPPORTED]
    if not supported:
        return Publication("", (), tuple(others))
    match policy:
        case "strict" | "quote":
            shown, withheld = list(_named(checked)), others
        case "flag":
            shown, withheld = list(checked), []
        case _:
            assert_never(policy)
    numbered = _renumbered(shown)
    return Publication("\n".join(_lines(numbered, policy)), tuple(numbered), tuple(withheld))


def _named(checked: Sequence[CheckedClaim]) -> Iterator[CheckedClaim]:
    """The supported claims; a pronoun whose sentence is kept back gives way to what it stood for, and was judged as."""
    before = True
    for claim in checked:
        supported = claim.verdict is Verdict.SUPPORTED
        if supported and not before and antecedent(claim.claim):
            yield replace(claim, claim=replace(claim.claim, text=standalone(claim.claim), subject=""))
        elif supported:
            yield claim
        before = supported


def _renumbered(claims: Sequence[CheckedClaim]) -> list[CheckedClaim]:
    """Citations numbered in the order in which they are met; the same quote keeps its number."""
    numbers: dict[tuple[object, ...], int] = {}

    def number(citation: Citation) -> Citation:
        place = (citation.document_id, citation.page, citation.span)
        return replace(citation, marker=numbers.setdefault(place, len(numbers) + 1))

    return [replace(claim, citations=tuple(map(number, claim.citations))) for claim in claims]


def _lines(claims: Sequence[CheckedClaim], policy: Policy) -> Iterator[str]:
    """A line a claim, under the line that opens it.

    Rows of a table stand under its header, as Markdown has them, apart from what is around them.
    """
    above: str | None = None
    opened = ""
    for n, claim in enumerate(claims):
        head = _head(claim)
        if head != above and n:
            yield ""
        if head is None:
            lead = inert(_one_line(claim.claim.lead))
            if lead and lead != opened:
                yield lead
            opened = lead
            yield _line(claim, policy)
        else:
            if head != above:
                yield f"| {head} |"
                yield f"|{'---|' * (head.count(BAR) + 1)}"
            yield f"| {inert(_one_line(claim.claim.text))} {_markers(claim)} |"
        above = head


def _head(claim: CheckedClaim) -> str | None:
    """What stands above a row, with as many cells: no reader of Markdown would show more. None where it is no row."""
    if not claim.claim.columns or claim.verdict is not Verdict.SUPPORTED:
        return None
    head = inert(_one_line(claim.claim.columns))
    return head + BAR * (claim.claim.text.count(BAR) - head.count(BAR))


def _markers(claim: CheckedClaim) -> str:
    return "".join(f"[{citation.marker}]" for citation in claim.citations)


def _line(claim: CheckedClaim, policy: Policy) -> str:
    markers = _markers(claim)
    text = inert(claim.claim.text)
    if claim.verdict is not Verdict.SUPPORTED:
        return f"{text} ({claim.verdict.value})"
    if policy == "quote":
        return " ".join(f"“{inert(_one_line(c.quote))}” [{c.marker}]" for c in claim.citations)
    # Quotation marks are a promise: they stand only around what the page says, letter by letter.
    if len(claim.citations) == 1 and _one_line(claim.citations[0].quote) == _one_line(text):
        return f"“{_one_line(text)}” {markers}"
    return f"{text} {markers}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
