"""What the command line writes: JSON Lines and prose on standard output, all else on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rag_core.errors import RagError
    from rag_core.types import (
        Answer,
        CheckedClaim,
        Citation,
        Document,
        Found,
        Ingested,
        Judgement,
        Page,
        Passage,
        Reason,
        Receipt,
        Rect,
        Usage,
    )

JsonObject = dict[str, Any]


def emit(value: JsonObject) -> None:
    """One JSON object as one line, written through at once; half a surrogate pair is written as JSON's escape."""
    line = json.dumps(value, ensure_ascii=False)
    sys.stdout.write((line if _is_text(line) else json.dumps(value)) + "\n")
    sys.stdout.flush()


def say(text: str = "") -> None:
    """A line for a person."""
    typer.echo(text if _is_text(text) else text.encode(errors="replace").decode())


def note(text: str) -> None:
    """A line beside the data."""
    typer.echo(text if _is_text(text) else text.encode(errors="replace").decode(), err=True)


def _is_text(text: str) -> bool:
    """Whether UTF-8 has it: a file name or a batch may hold half a surrogate pair."""
    return not any("\ud800" <= char <= "\udfff" for char in text)


def fail(error: RagError) -> None:
    """An error's sentence."""
    note(f"pincite: {error}")


def error_of(error: RagError) -> JsonObject:
    """The code that programs read, and the sentence that people do."""
    return {"code": error.code, "message": str(error)}


def ingested(result: Ingested) -> JsonObject:
    """A line of `pincite ingest`."""
    document = result.document
    return {
        "path": result.path,
        "document_id": document.id if document else None,
        "title": document.title if document else None,
        "pages": document.pages if document else None,
        "chunks": document.chunks if document else None,
        "status": result.status,
        "unreadable_pages": list(document.unreadable_pages) if document else [],
        "warnings": list(document.warnings) if document else [],
        "error": {"code": result.code, "message": result.message} if result.code else None,
    }


def page(value: Page) -> JsonObject:
    """A line of `pincite extract`."""
    return {
        "page": value.number,
        "width": _points(value.width),
        "height": _points(value.height),
        "status": value.status,
        "text": value.text,
        "blocks": [
            {"kind": block.kind, "text": block.span.of(value.text), "bbox": rect(block.bbox)} for block in value.blocks
        ],
        "warnings": list(value.warnings),
    }


def document(value: Document) -> JsonObject:
    """A line of `pincite list`."""
    return {
        "document_id": value.id,
        "title": value.title,
        "filename": value.filename,
        "pages": value.pages,
        "chunks": value.chunks,
        "added_at": value.added_at.isoformat(),
        "collections": list(value.collections),
    }


def removed(value: Receipt) -> JsonObject:
    """A line of `pincite remove`: the document, and what the search of the data folder came to."""
    return {
        **document(value.documents[0]),
        "receipt": {
            "deleted": bool(value.deleted),
            "bytes": value.bytes,
            "at": value.at.isoformat(),
            "verified": value.verified,
            "remains": list(value.remains),
        },
    }


def found(identity: object, value: Found) -> JsonObject:
    """A line of `pincite search`."""
    return {
        "id": identity,
        "question": value.question,
        "hits": [_hit(passage) for passage in value.passages],
        "ms": round(value.ms, 1),
        "notes": list(value.notes),
    }


def not_found(identity: object, question: object, error: RagError) -> JsonObject:
    """A line of `pincite search` that failed."""
    return {"id": identity, "question": question, "hits": [], "ms": None, "error": error_of(error)}


def answer(identity: object, value: Answer) -> JsonObject:
    """A line of `pincite ask`."""
    refusal = value.refusal
    return {
        "id": identity,
        "question": value.question,
        "standalone": value.standalone,
        "status": value.status,
        "text": value.text,
        "claims": [checked_claim(claim) for claim in value.claims],
        "withheld": [
            {"text": c.claim.text, "verdict": c.verdict.value, "reasons": list(map(reason, c.reasons))}
            for c in value.withheld
        ],
        "refusal": {"reason": refusal.reason, "nearest": [_hit(p) for p in refusal.nearest]} if refusal else None,
        "writer": value.writer,
        "ms": {stage: round(ms, 1) for stage, ms in value.ms.items()},
        "usage": usage(value.usage),
        "notes": list(value.notes),
    }


def usage(value: Usage) -> JsonObject:
    """What language models did for an answer."""
    return {
        "model": value.model,
        "calls": value.calls,
        "input_tokens": value.input_tokens,
        "output_tokens": value.output_tokens,
        "cost_usd": None if value.cost is None else round(value.cost, 6),
        "seconds": round(value.seconds, 3),
    }


def checked_claim(value: CheckedClaim) -> JsonObject:
    """One claim of an answer, or of a text that was verified."""
    return {
        "text": value.claim.text,
        "verdict": value.verdict.value,
        "confidence": round(value.confidence, 4),
        "reasons": [reason(r) for r in value.reasons],
        "citations": [_citation(c) for c in value.citations],
    }


def judgement(identity: object, evidence: str, value: Judgement) -> JsonObject:
    """A line of `pincite verify --batch`."""
    return {
        "id": identity,
        "verdict": value.verdict.value,
        "confidence": round(value.confidence, 4),
        "reasons": [reason(r) for r in value.reasons],
        "quote": value.span.of(evidence) if value.span else None,
        "span": [value.span.start, value.span.end] if value.span else None,
    }


def reason(value: Reason) -> JsonObject:
    """One check's outcome."""
    return {"check": value.check, "ok": value.ok, "detail": value.detail}


def rect(value: Rect) -> list[float]:
    """Its corners, to a hundredth of a point."""
    return [_points(edge) for edge in value.as_tuple()]


def prose(value: Answer) -> Iterator[str]:
    """An answer as a person reads it: the text, then for each claim its verdict, quote, document and page."""
    if value.standalone is not None:
        yield f"Understood as: {value.standalone}"
    if value.refusal is not None:
        yield f"Refused. {value.refusal.reason}"
        for passage in value.refusal.nearest:
            yield f"  nearest: {passage.title}, page {passage.chunk.page}: {_short(passage.chunk.text)}"
    else:
        yield value.text
    for claim in value.claims:
        yield from claim_prose(claim)
    if value.withheld:
        yield f"  withheld: {len(value.withheld)}"
        for claim in value.withheld:
            yield from claim_prose(claim)
    for sentence in value.notes:
        yield f"  note: {sentence}"
    if value.usage.calls:
        yield f"  {_spent(value.usage)}"


def _spent(value: Usage) -> str:
    cost = "at a price unknown" if value.cost is None else f"${value.cost:.6f}"
    return (
        f"{value.model}: {value.input_tokens} tokens read, {value.output_tokens} written, {cost}, {value.seconds:.1f} s"
    )


def claim_prose(value: CheckedClaim) -> Iterator[str]:
    """A claim's verdict, and what it rests on or fails by."""
    yield f"  {value.verdict.value} ({value.confidence:.2f}): {_short(value.claim.text)}"
    for citation in value.citations:
        yield f"    [{citation.marker}] {citation.title}, page {citation.page}: “{_one_line(citation.quote)}”"
    for r in value.reasons:
        if not r.ok:
            yield f"    {r.check}: {r.detail}"


def _hit(passage: Passage) -> JsonObject:
    return {
        "rank": passage.label,
        "document_id": passage.chunk.document_id,
        "title": passage.title,
        "page": passage.chunk.page,
        "chunk_id": passage.chunk.id,
        "text": passage.chunk.text,
        "score": round(passage.score, 6),
        "bbox": rect(passage.bbox) if passage.bbox else None,
    }


def _citation(value: Citation) -> JsonObject:
    return {
        "marker": value.marker,
        "document_id": value.document_id,
        "title": value.title,
        "page": value.page,
        "quote": value.quote,
        "span": [value.span.start, value.span.end],
        "rects": [rect(r) for r in value.rects],
    }


def _points(value: float) -> float:
    return round(value, 2)


def _one_line(text: str) -> str:
    return " ".join(text.split())


SHORT = 160
"""Characters of a passage that fit two lines of a terminal."""


def _short(text: str) -> str:
    line = _one_line(text)
    return line if len(line) <= SHORT else line[: SHORT - 1].rstrip() + "…"
