"""Answers, verdicts and passages to the text of Discord messages. Pure.

What comes from a document is made inert: it shows as it is written, formats nothing, links to nothing and calls nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.inert import inert, short
from bot.phrases import say
from bot.splitting import prose, split
from bot.store.records import KeptAnswer, Quote, Withheld
from rag_core.types import Answer, CheckedClaim, Citation, Found, Passage, Verdict

MARKS = {
    Verdict.SUPPORTED: "✅",
    Verdict.CONTRADICTED: "❌",
    Verdict.UNSUPPORTED: "⚠️",
    Verdict.UNCHECKABLE: "◻️",
}


def answer(value: Answer) -> list[str]:
    """The answer with its citations below it, or the refusal with what is nearest, as one message or more."""
    return split(_answer(value))


def draft(statements: Sequence[tuple[str, Verdict | None]]) -> str:
    """An answer that is being written: what is being checked, and what was found to be supported. No answer yet."""
    lines = [say().writing]
    for text, verdict in statements:
        if verdict is None:
            lines.append(say().checking.format(text=inert(short(text))))
        elif verdict is Verdict.SUPPORTED:
            lines.append(f"-# ✅ {inert(short(text))}")
    return split(lines)[0]


def verification(values: Sequence[CheckedClaim]) -> list[str]:
    """Each statement with its verdict, and the quote it rests on or the checks it failed."""
    if not values:
        return [say().no_statement]
    return split(line for value in values for line in _checked(value))


def rechecked(values: Sequence[CheckedClaim]) -> list[str]:
    """What an answer's statements come to now."""
    supported = sum(value.verdict is Verdict.SUPPORTED for value in values)
    head = say().rechecked.format(supported=supported, count=len(values))
    return split([head, *(line for value in values for line in _checked(value))])


def found(value: Found) -> list[str]:
    """The passages, best first, each with its page; and what to know of how they were found."""
    passages = [
        f"**{number}.** {_on_page(passage.title, passage.chunk.page)}\n> {inert(short(passage.chunk.text))}"
        for number, passage in enumerate(value.passages, start=1)
    ]
    return split([*(passages or [say().nothing_near]), *_noted(value.notes)])


def withheld(values: Sequence[Withheld]) -> list[str]:
    """The statements that were not published, each with what it failed by."""
    lines = [say().withheld_head]
    for value in values:
        lines.append(f"{MARKS[Verdict(value.verdict)]} **{_verdict(Verdict(value.verdict))}**: {inert(value.text)}")
        lines += [f"-# {inert(short(reason))}" for reason in value.reasons]
    return split(lines)


def citations(value: Answer) -> list[Citation]:
    """Each of an answer's citations once, by number."""
    cited = {citation.marker: citation for claim in value.claims for citation in claim.citations}
    return [cited[marker] for marker in sorted(cited)]


def kept(value: Answer) -> KeptAnswer:
    """What is remembered of an answer."""
    return KeptAnswer(
        text=value.text,
        withheld=tuple(
            Withheld(
                claim.claim.text,
                claim.verdict.value,
                tuple(f"{reason.check}: {reason.detail}" for reason in claim.reasons if not reason.ok),
            )
            for claim in value.withheld
        ),
        quotes=tuple(Quote(c.document_id, c.page, c.quote) for c in citations(value)),
        standalone=value.standalone,
    )


def _answer(value: Answer) -> Iterator[str]:
    if value.standalone is not None:
        yield say().understood.format(question=inert(short(value.standalone)))
    if value.refusal is not None:
        yield f"🚫 {inert(value.refusal.reason)}"
        for passage in value.refusal.nearest:
            yield say().nearest.format(passage=_where(passage))
    else:
        yield from prose(value.text)
        for citation in citations(value):
            yield f"-# {_citation(citation, quoted=citation.quote in value.text)}"
    if value.withheld:
        count = len(value.withheld)
        yield say().one_withheld if count == 1 else say().some_withheld.format(count=count)
    yield from _noted(value.notes)


def _noted(notes: Sequence[str]) -> Iterator[str]:
    for note in notes:
        yield f"-# {inert(note)}"


def _checked(value: CheckedClaim) -> Iterator[str]:
    yield f"{MARKS[value.verdict]} **{_verdict(value.verdict)}**: {inert(value.claim.text)}"
    for citation in value.citations:
        yield f"-# {_on_page(citation.title, citation.page)}: “{inert(short(citation.quote))}”"
    for reason in value.reasons:
        if not reason.ok:
            yield f"-# {inert(reason.check)}: {inert(short(reason.detail))}"


def _citation(value: Citation, *, quoted: bool) -> str:
    """Where it stands, and what is quoted, unless the answer itself does so already."""
    where = f"\\[{value.marker}\\] {_on_page(value.title, value.page)}"
    return where if quoted else f"{where}: “{inert(short(value.quote))}”"


def _where(value: Passage) -> str:
    return f"{_on_page(value.title, value.chunk.page)}: “{inert(short(value.chunk.text))}”"


def _on_page(title: str, page: int) -> str:
    return say().on_page.format(title=inert(title), page=page)


def _verdict(value: Verdict) -> str:
    phrases = say()
    return {
        Verdict.SUPPORTED: phrases.supported,
        Verdict.CONTRADICTED: phrases.contradicted,
        Verdict.UNSUPPORTED: phrases.unsupported,
        Verdict.UNCHECKABLE: phrases.uncheckable,
    }[value]
