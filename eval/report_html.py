"""The parts of a run's report to HTML. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from eval.intervals import Estimate
from eval.replies import Outcome, Reply
from eval.run_values import Run
from eval.scoring import Scores, best, by_system
from eval.systems.registry import CHECKERS, SYSTEMS

if TYPE_CHECKING:
    from eval.report import Wrong

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1f2933; }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; font-variant-numeric: tabular-nums; }
td, th { padding: .25rem .7rem; border-bottom: 1px solid #d5dbe1; text-align: left; vertical-align: top; }
small { color: #61707f; } .stop { background: #fde8e0; border-left: 4px solid #c03; padding: .6rem 1rem; }
article { border: 1px solid #d5dbe1; padding: .8rem 1rem; margin: 1rem 0; } img, svg { max-width: 100%; height: auto; }
"""
SPEED = "milliseconds"


def page(  # noqa: PLR0913 - all of it is on the page
    run: Run,
    scores: Sequence[Scores],
    outcomes: Mapping[tuple[str, str], Outcome],
    *,
    svg: str,
    sweeps: Mapping[str, str],
    worst: Sequence[Wrong],
) -> str:
    """The whole file."""
    title = f"Pincite eval: {run.dataset.name}"
    body = [
        f"<h1>{escape(title)}</h1>",
        _state(run),
        "<p>" + escape(f"Run {run.id}, begun {run.started_at:%Y-%m-%d %H:%M} UTC. ") + _counted(scores) + "</p>",
        "<h2>At a glance</h2>",
        svg,
        *_tables(run, scores),
        *_sweeps(scores, sweeps, float(run.fingerprint.get("setting gate", 0))),
        *_worst(worst),
        *_every(run, outcomes),
        *_fingerprint(run),
    ]
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    return "\n".join([head, *body, "</html>\n"])


def _state(run: Run) -> str:
    kind = "" if run.state == "finished" else ' class="stop"'
    return f"<p{kind}>{escape(run.summary)}</p>"


def _counted(scores: Sequence[Scores]) -> str:
    failed = sum(s.failed for s in scores)
    return "Nothing failed." if not failed else f"{failed} outcomes failed, and are in no figure."


def _tables(run: Run, scores: Sequence[Scores]) -> Iterator[str]:
    """One a kind, a row a system: what finds well is not said to answer well."""
    names = dict.fromkeys(table.name for s in scores for table in s.tables)
    for name in names:
        rows = by_system([table for s in scores for table in s.tables if table.name == name])
        metrics = list(dict.fromkeys(metric for figures in rows.values() for metric in figures))
        cells = [[_system(system), *(_cell(figures.get(m), name) for m in metrics)] for system, figures in rows.items()]
        yield f"<h2>{escape(name.capitalize())}</h2>"
        yield _table(["system", *map(escape, metrics)], cells)
    kinds = {kind for s in scores for kind in s.verdicts}
    if kinds:
        judging = [s for s in scores if s.verdicts]
        yield "<h2>Verdicts by kind of claim</h2>"
        yield _table(
            ["kind", "claims", *(escape(s.system) for s in judging)],
            [
                [escape(kind), str(judging[0].verdicts[kind][0]), *(_part(s.verdicts.get(kind)) for s in judging)]
                for kind in sorted(kinds)
            ],
        )
    if run.prepared:
        spent = [[escape(s), escape(_seconds(took))] for s, took in run.prepared.items() if took]
        if spent:
            yield "<h2>Seconds to index</h2>" + _table(["system", "seconds"], spent)


def _system(name: str) -> str:
    what = SYSTEMS[name].what if name in SYSTEMS else CHECKERS[name].what
    return f"{escape(name)}<br><small>{escape(what)}</small>"


def _cell(figure: Estimate | None, table: str) -> str:
    if figure is None:
        return "–"  # noqa: RUF001 - not measured, as tables print it
    if table == SPEED:
        return f"{figure.value:.0f}"
    return f"{figure.value:.3f}<br><small>{figure.low:.3f} to {figure.high:.3f}, n {figure.n}</small>"


def _part(counts: tuple[int, int] | None) -> str:
    return f"{counts[1] / counts[0]:.2f}" if counts else "–"  # noqa: RUF001 - as above


def _seconds(took: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {seconds:.1f}" for name, seconds in took.items())


def _sweeps(scores: Sequence[Scores], drawn: Mapping[str, str], chosen: float) -> Iterator[str]:
    for s in scores:
        at = best(s.sweep)
        if at is None:
            continue
        yield drawn[s.system]
        yield (
            f"<p>The line in use is {chosen:g}. On this very set the highest F1 of refusal, {at.f1:.3f}, would be at "
            f"{at.threshold:g}; a line chosen on the set that it is reported on flatters itself.</p>"
        )


def _worst(worst: Sequence[Wrong]) -> Iterator[str]:
    if not worst:
        return
    yield f"<h2>The worst answers of {escape(worst[0].system)}</h2>"
    for item in worst:
        said = item.reply.text or f"Refused: {item.reply.reason}"
        wanted = item.question.answer or item.question.evidence or ", ".join(item.question.holds)
        picture = f'<img alt="The page" src="{item.picture}">' if item.picture else ""
        yield (
            f"<article><b>{escape(item.question.question)}</b> <small>{escape(item.question.id)}, "
            f"{escape(item.question.kind)}</small><p>{escape(item.why)}</p><p>Said: {escape(said)}</p>"
            f"<p>Wanted: {escape(wanted)}</p>{picture}</article>"
        )


def _every(run: Run, outcomes: Mapping[tuple[str, str], Outcome]) -> Iterator[str]:
    for system in run.systems:
        rows = [
            [escape(q.id), escape(q.question), escape(reply.status), escape(reply.text or reply.reason)]
            for q in run.dataset.questions
            if isinstance(reply := outcomes.get((system, q.id)), Reply) and reply.status != "found"
        ]
        if rows:
            table = _table(["id", "question", "status", "said"], rows)
            yield f"<details><summary>Every answer of {escape(system)}</summary>{table}</details>"


def _fingerprint(run: Run) -> Iterator[str]:
    yield "<h2>What it was made with</h2>"
    yield _table(["", ""], [[escape(name), escape(value)] for name, value in run.fingerprint.items()])


def _table(head: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["<tr>" + "".join(f"<th>{cell}</th>" for cell in head) + "</tr>"]
    lines += ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows]
    return "<table>" + "".join(lines) + "</table>"
