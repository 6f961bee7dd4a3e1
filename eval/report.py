"""A run to one HTML file that needs nothing else, and to the PNG that a chat shows."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from eval import charts, report_html
from eval.charts import Panel
from eval.datasets import Question
from eval.replies import Outcome, Reply
from eval.run_values import Run
from eval.scoring import Asked, Scores, figure, per_question
from rag_core.errors import RagError
from rag_core.library import Library
from rag_core.types import DocumentId, Scope

WORST = 8
"""Answers that are shown with their pages: enough to see a pattern, few enough to look at."""
BEST_KNOWN = ("groq", "openai", "quote")
MISSED = "The answer lacks what was wanted, or cites another page."
ANSWERED = "Answered, though no page does."
REFUSED = "Refused, though the page below answers it."
WHYS = (MISSED, ANSWERED, REFUSED)
"""From worst to least: what is wrong and looks right does the most harm."""
SHOWN = ("hit@1", "hit@5", "contains", "citation precision", "rightly cited", "refusal precision", "refusal recall",
         "balanced accuracy", "supported: precision", "supported: coverage")  # fmt: skip
"""What the chart has a panel for, of what was measured."""


@dataclass(frozen=True, slots=True)
class Report:
    """What `pincite eval report` writes."""

    html: str
    png: bytes


@dataclass(frozen=True, slots=True)
class Wrong:
    """An answer that was not what was wanted, and the page that has it."""

    question: Question
    system: str
    reply: Reply
    why: str
    picture: str = ""
    """A data URL; empty where there is no page to show."""


async def report(
    library: Library, run: Run, scores: Sequence[Scores], outcomes: Mapping[tuple[str, str], Outcome], *, scope: Scope
) -> Report:
    """All that is known of the run so far; whether that is all of it stands above everything else."""
    svg = _svg(run, chart_panels(scores))
    sweeps = {
        s.system: charts.curve(
            s.sweep, float(run.fingerprint.get("setting gate", 0)), title=f"Refusal by the line of the gate: {s.system}"
        )
        for s in scores
        if s.sweep
    }
    worst = [await _shown(library, run, wrong, scope) for wrong in worst_of(run, outcomes)]
    html = report_html.page(run, scores, outcomes, svg=svg, sweeps=sweeps, worst=worst)
    return Report(html, await asyncio.to_thread(charts.png, svg))


async def chart(run: Run, scores: Sequence[Scores]) -> bytes | None:
    """The report's chart alone, as PNG; None where nothing was measured that has a panel."""
    found = chart_panels(scores)
    return await asyncio.to_thread(charts.png, _svg(run, found)) if found else None


def _svg(run: Run, found: Sequence[Panel]) -> str:
    return charts.panels(found, title=f"{run.dataset.name}: {run.state}", below="Whiskers: 95 % intervals.")


def chart_panels(scores: Sequence[Scores]) -> list[Panel]:
    """A panel for each metric of note that some system has."""
    found = []
    for metric in SHOWN:
        bars = {s.system: got for s in scores if (got := figure(s, metric)) is not None}
        if bars:
            found.append(Panel(metric, bars))
    return found


def worst_of(run: Run, outcomes: Mapping[tuple[str, str], Outcome]) -> list[Wrong]:
    """What went wrong with the system that answers, at most a few: its best known one, where there are several.

    First what was answered wrongly, then what has no answer and was given one, then what was refused though it has one;
    each in the order of the set.
    """
    answering = {name for (name, _), o in outcomes.items() if isinstance(o, Reply) and o.statements}
    system = next((s for s in (*BEST_KNOWN, *run.systems) if s in answering), None)
    if system is None:
        return []
    replies = [(q, outcomes.get((system, q.id))) for q in run.dataset.questions]
    judged = [
        (_why(q, reply, run.documents), q, reply)
        for q, reply in replies
        if isinstance(reply, Reply) and reply.status != "failed"
    ]
    return [Wrong(q, system, reply, why) for kind in WHYS for why, q, reply in judged if why == kind][:WORST]


def _why(question: Question, reply: Reply, documents: Mapping[str, str]) -> str:
    refused = reply.status == "refused"
    own = per_question(Asked(question, documents), reply)
    if not question.answerable:
        return "" if refused else ANSWERED
    if refused:
        return REFUSED
    return "" if own.get("contains", 1.0) and own.get("rightly cited", 1.0) else MISSED


async def _shown(library: Library, run: Run, wrong: Wrong, scope: Scope) -> Wrong:
    place = _place(run, wrong.question, wrong.reply)
    if place is None:
        return wrong
    document, page, quote = place
    return replace(wrong, picture=await _picture(library, DocumentId(document), page, quote, scope))


def _place(run: Run, question: Question, reply: Reply) -> tuple[str, int, str] | None:
    if question.pages:
        name, page = question.pages[0]
        return run.documents[name], page, question.evidence
    for statement in reply.statements:
        for cited in statement.citations:
            return cited.document, cited.page, cited.quote
    return None


async def _picture(library: Library, document: DocumentId, page: int, quote: str, scope: Scope) -> str:
    for wanted in dict.fromkeys((quote or None, None)):
        try:
            made = await library.show(document, page, scope=scope, quote=wanted)
        except RagError:
            continue  # the page may not say it letter by letter, or may be gone: a report is made of what there is
        return f"data:image/png;base64,{base64.b64encode(made).decode()}"
    return ""
