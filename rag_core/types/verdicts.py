"""Claims, and what the evidence says of each. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rag_core.types.documents import DocumentId
from rag_core.types.pages import Rect, Span


class Verdict(StrEnum):
    """What checking a claim against its evidence came to."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"
    UNCHECKABLE = "uncheckable"


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of a draft, as it stands there, with the passages it cites. It has no verdict yet."""

    text: str
    """Without its markers."""
    span: Span
    """Its place in the draft, markers included."""
    markers: tuple[int, ...] = ()
    checkable: bool = True
    """False for questions, headings and hedges, which assert nothing."""
    subject: str = ""
    """What a fragment ("It rose to 12 %") speaks of, taken from before it; empty when it stands alone."""
    columns: str = ""
    """The header of the table whose row it quotes, letter by letter: shown above the row, and no claim itself."""
    lead: str = ""
    """The line that opens what it quotes, letter by letter: a list's ("You need:"), or the question it answers; shown
    above it, and no claim itself."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One check's outcome, in words a person understands."""

    check: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """A claim against one text: the verdict, how sure, why, and the span of the text that it rests on."""

    verdict: Verdict
    confidence: float
    """The calibrated probability that the claim is supported; 0.5 is the line of a forced choice."""
    reasons: tuple[Reason, ...]
    span: Span | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.confidence <= 1:
            raise ValueError(f"a confidence is a probability, got {self.confidence}")
        if self.verdict is Verdict.SUPPORTED and (self.span is None or not all(r.ok for r in self.reasons)):
            raise ValueError("a supported claim has a span and no failed check")


@dataclass(frozen=True, slots=True)
class Citation:
    """A quote found in a page. It equals `page.text[span]`, and the rectangles are where a reader sees it."""

    marker: int
    document_id: DocumentId
    title: str
    page: int
    quote: str
    span: Span
    rects: tuple[Rect, ...]

    def __post_init__(self) -> None:
        if len(self.quote) != len(self.span) or not self.rects:
            raise ValueError("a citation quotes its span and has a place on its page")


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim with its verdict, and the citations that were found for it."""

    claim: Claim
    verdict: Verdict
    confidence: float
    reasons: tuple[Reason, ...]
    citations: tuple[Citation, ...] = ()

    def __post_init__(self) -> None:
        if self.verdict is Verdict.SUPPORTED and not self.citations:
            raise ValueError("a supported claim has a citation")
