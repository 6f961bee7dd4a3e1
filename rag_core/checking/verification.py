"""A draft and the passages it cites to checked claims; a claim and a text to a judgement. Orchestrates the checks.

For each claim: find the span that bears on it, compare the facts, ask the model about that span alone, and decide. More
text around a span never sways the outcome, and what was not judged in full is not called supported.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rag_core.checking import facts, verdicts
from rag_core.checking.alignment import Alignment, align
from rag_core.checking.claims import antecedent, claims, standalone, states
from rag_core.checking.orders import only_ordered
from rag_core.checking.predication import foreign, misplaced, of_its_part, runs_together
from rag_core.checking.pronouns import of_another, spoken_of
from rag_core.checking.quoting import find_quote, says_outright
from rag_core.errors import ModelError
from rag_core.protocols import EntailmentModel
from rag_core.text.sentences import around, sentences
from rag_core.types import CheckedClaim, Citation, Claim, DocumentId, Judgement, Page, Reason, Span, Verdict

VERSION = "4"
"""Changes whenever the way from a claim to its verdict does."""

REMEMBERED = 20_000
"""Scores kept: a day of a busy server, in about 10 MB."""

SHORT = 3
"""A text of so few sentences is judged whole where no words tell which of them bears on the claim."""

SHORT_TEXT = 4000
"""And of so few characters: a list of numbers without a stop is no short text."""

TRIED = 4
"""Passages, best aligned first, that a claim is tried against when it cites none, or its own fail: the rest share so
little with it that trying them would only invite chance."""

PLACES = 3
"""Times that a text may say a claim's words before they are looked for as a statement of their own no longer."""

WIDEST = 1500
"""Characters of a span that joins what several statements rest on; beyond, the weakest one's span is shown instead."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage as evidence: its page, and the part of it that the writer saw (all of it when None)."""

    document_id: DocumentId
    title: str
    page: Page
    within: Span | None = None

    @property
    def text(self) -> str:
        """What the writer saw."""
        return self.page.text if self.within is None else self.within.of(self.page.text)

    @property
    def place(self) -> tuple[DocumentId, int, Span | None]:
        """By which two pieces of evidence are told apart."""
        return self.document_id, self.page.number, self.within

    def on_page(self, span: Span) -> Span:
        """A span of `text` as a span of the page's text."""
        return span if self.within is None else span.shifted(self.within.start)


Elsewhere = Callable[[str], Awaitable[Mapping[int, Evidence]]]
"""Looks a statement up in all that the asker may see."""


@dataclass(frozen=True, slots=True)
class _Case:
    """One statement held against one text."""

    claim: str
    text: str
    quoted: Span | None = None
    again: bool = False
    """The text quotes it in another place, too."""
    alignment: Alignment | None = None
    read: str = ""
    reasons: tuple[Reason, ...] = ()

    @property
    def coverage(self) -> float:
        if self.quoted is not None:
            return 2.0
        return self.alignment.coverage if self.alignment else 0.0


@dataclass(slots=True)
class _Scores:
    """Scores by (claim, span, version), the least recently used forgotten first."""

    kept: OrderedDict[tuple[str, str, str], float] = field(default_factory=OrderedDict)

    def get(self, key: tuple[str, str, str]) -> float | None:
        if key not in self.kept:
            return None
        self.kept.move_to_end(key)
        return self.kept[key]

    def put(self, key: tuple[str, str, str], score: float) -> None:
        self.kept[key] = score
        if len(self.kept) > REMEMBERED:
            self.kept.popitem(last=False)


class Verifier:
    """Judges claims. Safe to share between tasks; alignment and facts run on threads, never on the event loop."""

    def __init__(self, entailment: EntailmentModel) -> None:
        self._entailment = entailment
        self._scores = _Scores()

    @property
    def version(self) -> str:
        """Names everything that a verdict depends on."""
        return f"{VERSION}.{facts.VERSION}.{self._entailment.version}"

    async def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """Each claim against its text, in order. A span of a Judgement is a span of that text.

        A claim of several statements is supported when each of them is, contradicted when any is, and as sure as the
        geometric mean of them: the least would call every long text doubtful. One without a statement (a question, a
        heading) is uncheckable.
        """
        plans = await asyncio.to_thread(_plans, pairs)
        flat = [case for plan in plans for case in plan]
        judged = iter(await self._judge(flat))
        return [_joined([next(judged) for _ in plan]) for plan in plans]

    async def check(
        self, draft: str, evidence: Mapping[int, Evidence], *, elsewhere: Elsewhere | None = None
    ) -> list[CheckedClaim]:
        """The claims of `draft` in order, each with its verdict, and citations when it is supported.

        A claim is held against the passages it cites, or all when it cites none. A marker that names no passage is
        dropped; a citation that fails is repaired when another passage supports the claim, or what `elsewhere` finds
        does. Either is said in a reason. What the passages contradict is looked up nowhere else.
        """
        return await self.check_claims(claims(draft), evidence, elsewhere=elsewhere)

    async def check_claims(
        self, found: Sequence[Claim], evidence: Mapping[int, Evidence], *, elsewhere: Elsewhere | None = None
    ) -> list[CheckedClaim]:
        """The same for claims that were cut already, in order."""
        return [await self._check_anywhere(claim, evidence, elsewhere) for claim in found]

    async def _check_anywhere(
        self, claim: Claim, evidence: Mapping[int, Evidence], elsewhere: Elsewhere | None
    ) -> CheckedClaim:
        checked = await self._check(claim, evidence)
        if elsewhere is None or checked.verdict is not Verdict.UNSUPPORTED:
            return checked
        seen = {e.place for e in evidence.values()}
        first = max(evidence, default=0) + 1
        more = [e for e in (await elsewhere(standalone(claim))).values() if e.place not in seen]
        further = dict(enumerate(more, first))
        again = await self._check(replace(claim, markers=()), further)
        if again.verdict is not Verdict.SUPPORTED:
            return checked
        notes = [r for r in checked.reasons if r.check == "marker"]
        place = further[again.citations[0].marker]
        detail = f"page {place.page.number} of {place.title!r} supports it, none of the passages shown does"
        notes.append(Reason("citation_repaired", ok=True, detail=detail))
        return replace(again, claim=claim, reasons=(*notes, *again.reasons))

    async def _check(self, claim: Claim, evidence: Mapping[int, Evidence]) -> CheckedClaim:
        if not claim.checkable:
            return CheckedClaim(claim, Verdict.UNCHECKABLE, 0.0, (_NO_CLAIM,))
        invented = [m for m in claim.markers if m not in evidence]
        notes = [Reason("marker", ok=True, detail=f"[{m}] names no passage and was dropped") for m in invented]
        cited = [m for m in claim.markers if m in evidence]
        others = [m for m in evidence if m not in cited]
        best, markers = await self._best(claim, {m: evidence[m] for m in cited}, every=True)
        if others and (best is None or best.verdict is not Verdict.SUPPORTED):
            elsewhere, found = await self._best(claim, {m: evidence[m] for m in others}, every=False)
            if elsewhere is not None and elsewhere.verdict is Verdict.SUPPORTED:
                if cited:
                    was, now = (", ".join(f"[{m}]" for m in ms) for ms in (cited, found))
                    notes.append(Reason("citation_repaired", ok=True, detail=f"{now} supports it, {was} does not"))
                best, markers = elsewhere, found
            elif best is None:
                best, markers = elsewhere, found
        if best is None:
            return CheckedClaim(claim, Verdict.UNSUPPORTED, 0.0, (*notes, _NO_PASSAGE))
        citations = tuple(c for m, j in markers.items() if (c := _citation(m, evidence[m], j)) is not None)
        if best.verdict is Verdict.SUPPORTED and not citations:
            return CheckedClaim(claim, Verdict.UNSUPPORTED, best.confidence, (*notes, *best.reasons, _NO_PLACE))
        if best.verdict is not Verdict.SUPPORTED:
            citations = ()
        elif not states(claim.text) and all(_is_heading(c, evidence[c.marker]) for c in citations):
            return CheckedClaim(claim, Verdict.UNCHECKABLE, 0.0, (*notes, _HEADING))
        return CheckedClaim(claim, best.verdict, best.confidence, (*notes, *best.reasons), citations)

    async def _best(
        self, claim: Claim, passages: Mapping[int, Evidence], *, every: bool
    ) -> tuple[Judgement | None, dict[int, Judgement]]:
        """The best judgement, and by marker those that support the claim: all of them, or the best alone.

        Any passage may support it; only the one that covers it best can contradict it.
        """
        if not passages:
            return None, {}
        statement = standalone(claim)
        of = antecedent(claim)
        made = await asyncio.to_thread(
            lambda: {m: _case(claim.text, statement, e.text, of=of) for m, e in passages.items()}
        )
        markers = sorted(made, key=lambda m: -made[m].coverage)[: None if every else TRIED]
        judged = dict(zip(markers, await self._judge([made[m] for m in markers]), strict=True))
        closest = made[markers[0]].coverage
        judged = {m: j if made[m].coverage == closest else _no_denial(j) for m, j in judged.items()}
        ranked = sorted(judged.items(), key=lambda item: (_RANK[item[1].verdict], -item[1].confidence))
        best = ranked[0][1]
        supporting = {m: j for m, j in judged.items() if j.verdict is Verdict.SUPPORTED}
        if not every and supporting:
            supporting = {ranked[0][0]: best}
        return best, dict(sorted(supporting.items())) if every else supporting

    async def _judge(self, cases: Sequence[_Case]) -> list[Judgement]:
        version = self.version
        asked = [c for c in cases if c.quoted is None and c.read]
        keys = list(dict.fromkeys((c.claim, c.read, version) for c in asked))
        known = {key: score for key in keys if (score := self._scores.get(key)) is not None}
        new = [key for key in keys if key not in known]
        failure: ModelError | None = None
        if new:
            try:
                scores = await self._entailment.score([(claim, read) for claim, read, _ in new])
            except ModelError as exc:
                failure = exc  # said in the verdict: "not judged" is not "not supported"
            else:
                for key, score in zip(new, scores, strict=True):
                    known[key] = score
                    self._scores.put(key, score)
        return [_decide(case, known.get((case.claim, case.read, version)), failure) for case in cases]


_LEAST = 0.01
"""One hopeless statement must not make the mean of many zero."""

_RANK = {Verdict.SUPPORTED: 0, Verdict.CONTRADICTED: 1, Verdict.UNSUPPORTED: 2, Verdict.UNCHECKABLE: 3}
_NO_CLAIM = Reason("checkable", ok=False, detail="it asserts nothing")
_HEADING = Reason("checkable", ok=False, detail="it is a heading of the page, which asserts nothing")
_NO_PASSAGE = Reason("alignment", ok=False, detail="there is no passage to hold it against")
_SAID_AGAIN = Reason("place", ok=True, detail="the text says it in another place, too; the first is shown")
_STITCHED = Reason("literal", ok=True, detail="the text has each statement of it word for word, but not together")
_PARTLY = Reason("literal", ok=True, detail="the text says a part of it word for word")
_ORDERED = Reason("order", ok=False, detail="the text tells its reader to say so, and does not say so itself")
_MISPLACED = Reason("subject", ok=False, detail="the text says it of something else, right before “which”")
_FOREIGN = Reason("subject", ok=False, detail="the text has no word of what the claim speaks of")
_OF_SOMETHING_ELSE = Reason(
    "subject", ok=False, detail="the text does not say it of what the claim says it of, where it has a pronoun"
)
_OF_ITS_PART = Reason("subject", ok=False, detail="one says of a thing what the other says of something of it")
_RUN_TOGETHER = Reason("subject", ok=False, detail="the text says it of two, and the claim leaves one of them out")
_NO_PLACE = Reason("place", ok=False, detail="the words have no place on the page that could be shown")


def _plans(pairs: Sequence[tuple[str, str]]) -> list[list[_Case]]:
    return [_plan(claim, text) for claim, text in pairs]


def _plan(claim: str, text: str) -> list[_Case]:
    """The statements of a claim, each with what bears on it in the text; one case when the text says it all."""
    whole = _case(claim, claim, text)
    if whole.quoted is not None:
        return [whole]
    parts = [part for part in claims(claim) if part.checkable]
    if len(parts) == 1:
        return [_case(parts[0].text, standalone(parts[0]), text)]
    return [_case(part.text, standalone(part), text, of=antecedent(part)) for part in parts]


def _case(claim: str, statement: str, text: str, *, of: str = "") -> _Case:
    """`of` is what the pronoun that opens the claim stands for in its draft: the text must say it of the same."""
    quoted = _quotation(claim, text) or (_quotation(statement, text) if statement in claim else None)
    if quoted and (not of or spoken_of(of, quoted, text)):
        return _Case(statement, text, quoted, again=find_quote(claim, text[quoted.end :]) is not None)
    alignment = align(statement, text)
    read = alignment.read(text) if alignment else ""
    if not alignment and text.strip() and len(text) <= SHORT_TEXT and len(sentences(text)) <= SHORT:
        start = len(text) - len(text.lstrip())
        alignment = Alignment(Span(start, len(text.rstrip())), 0.0)
        read = text.strip()
    if alignment is None or not read:
        return _Case(statement, text, alignment=alignment, read=read)
    reasons = tuple(facts.check(statement, read, wider=text))
    if only_ordered(claim, alignment.span, text):
        reasons = (*reasons, _ORDERED)
    if (of and (quoted or not spoken_of(of, alignment.span, text))) or of_another(statement, read):
        reasons = (*reasons, _OF_SOMETHING_ELSE)
    if misplaced(statement, read):
        reasons = (*reasons, _MISPLACED)
    if foreign(statement, read):
        reasons = (*reasons, _FOREIGN)
    if any(of_its_part(statement, span.of(read)) for span in sentences(read)):
        reasons = (*reasons, _OF_ITS_PART)
    if runs_together(statement, read):
        reasons = (*reasons, _RUN_TOGETHER)
    return _Case(statement, text, alignment=alignment, read=read, reasons=reasons)


def _quotation(claim: str, text: str) -> Span | None:
    """Where the text says the claim word for word, whole, and its sentence does not turn it round."""
    spans: list[Span] = []
    start = 0
    for _ in range(PLACES):
        found = find_quote(claim, text[start:])
        if found is None:
            return None
        span = found.shifted(start)
        spans = spans or sentences(text)
        first, last = around(spans, span.start), around(spans, span.end - 1)
        if first is None or last is None:
            return None
        sentence = Span(spans[first].start, spans[last].end)
        if says_outright(span, sentence, text) and not only_ordered(claim, span, text):
            return span
        start = span.end
    return None


def _decide(case: _Case, score: float | None, failure: ModelError | None) -> Judgement:
    if case.quoted is not None:
        said = verdicts.literal(case.quoted)
        return replace(said, reasons=(*said.reasons, _SAID_AGAIN)) if case.again else said
    if not case.read or case.alignment is None:
        return verdicts.judge(verdicts.NOTHING_BEARS, (), None)
    if score is None:
        return Judgement(
            Verdict.UNCHECKABLE, 0.0, (*case.reasons, Reason("entailment", ok=False, detail=f"not judged: {failure}"))
        )
    return verdicts.judge(score, case.reasons, case.alignment.span, ambiguous=bool(case.alignment.rivals))


def _no_denial(judgement: Judgement) -> Judgement:
    """The judgement of a passage that covers a claim less than another: its support counts, its denial does not."""
    if judgement.verdict is not Verdict.CONTRADICTED:
        return judgement
    return replace(judgement, verdict=Verdict.UNSUPPORTED)


def _joined(parts: Sequence[Judgement]) -> Judgement:
    """One judgement for a claim of several statements."""
    if not parts:
        return verdicts.uncheckable("it asserts nothing")
    if len(parts) == 1:
        return parts[0]
    weakest = min(parts, key=lambda p: (-_RANK[p.verdict], p.confidence))
    worst = next((p for p in parts if p.verdict is Verdict.CONTRADICTED), weakest)
    confidence = math.exp(sum(math.log(max(p.confidence, _LEAST)) for p in parts) / len(parts))
    literal = all(any(r.check == "literal" for r in p.reasons) for p in parts)
    whole = _STITCHED if literal else _PARTLY
    reasons = tuple(dict.fromkeys(whole if r.check == "literal" else r for p in parts for r in p.reasons))
    if worst.verdict is not Verdict.SUPPORTED:
        return replace(worst, confidence=confidence, reasons=reasons)
    spans = [p.span for p in parts if p.span is not None]
    hull = Span(min(s.start for s in spans), max(s.end for s in spans))
    return replace(worst, confidence=confidence, reasons=reasons, span=hull if len(hull) <= WIDEST else worst.span)


def _is_heading(citation: Citation, evidence: Evidence) -> bool:
    """Whether what is cited stands in a heading of its page."""
    span = citation.span
    return any(
        b.kind == "heading" and b.span.start <= span.start and span.end <= b.span.end for b in evidence.page.blocks
    )


def _citation(marker: int, evidence: Evidence, judgement: Judgement) -> Citation | None:
    """The judgement's span as a citation of its page; None when no character of it has a place there."""
    if judgement.span is None:
        return None
    span = evidence.on_page(judgement.span)
    rects = evidence.page.glyphs.rects(span)
    if not rects:
        return None
    return Citation(
        marker, evidence.document_id, evidence.title, evidence.page.number, span.of(evidence.page.text), span, rects
    )
