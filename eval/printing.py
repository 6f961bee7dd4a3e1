"""Runs, figures and comparisons to what the command line writes: tables for people, JSON Lines for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from eval.comparison import Comparison, Difference
from eval.documents import Brought
from eval.intervals import Estimate
from eval.judge import Tally
from eval.replies import Outcome, is_failed
from eval.run_values import Run
from eval.scoring import Scores, Table, best, by_system
from rag_core.cli.output import emit, note, say
from rag_core.cli.progress import bars

SPEED = "milliseconds"
HEADLINES = (
    "hit@1", "hit@5", "nDCG@10", "contains", "citation precision", "rightly cited", "refusal precision",
    "refusal recall", "retrieval p50",
)  # fmt: skip
"""Columns of the table for a README: one or two of each kind, none in the place of another."""
VERDICTS = ("balanced accuracy", "supported: precision", "supported: coverage", "false claims let through")


class Bar:
    """How far ingestion and the run are, on a terminal; nothing in a pipe. Implements the ingestion's `Progress`."""

    def __init__(self) -> None:
        self._bars = bars()
        self._task = self._bars.add_task("starting", total=None)

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()

    def heard(self, run: Run) -> None:
        """A question was answered."""
        self._bars.update(self._task, description=f"asking {run.dataset.name}", completed=run.done, total=run.total)

    @property
    def ingest(self) -> Self:
        """The same bar, for ingestion."""
        return self

    def reading(self, path: Path) -> None:
        """A file is being read."""
        self._bars.update(self._task, description=f"reading {path.name}")

    def embedding(self, path: Path, done: int, total: int) -> None:
        """So many more of a file's chunks have their vectors."""
        self._bars.update(self._task, description=f"embedding {path.name}", total=total, advance=done)

    def done(self, path: Path) -> None:
        """A file is done."""
        self._bars.reset(self._task, description=f"done {path.name}", total=None)


def brought(value: Brought) -> None:
    """What became of a set's documents."""
    for name in value.absent:
        note(f"{name!r} is not here: its questions are skipped. Name the file with --document.")
    if value.fresh:
        note(f"{value.fresh} documents ingested in {value.seconds:.1f} s")


def scores(run: Run, found: Sequence[Scores], *, json: bool) -> None:
    """All figures, a table a kind; how the run stands first and last, so that nobody misses it."""
    if json:
        emit(run_object(run))
        for value in _objects(run, found):
            emit(value)
        return
    say(f"{run.dataset.name}, run {run.id}: {run.summary}")
    for name in dict.fromkeys(table.name for s in found for table in s.tables):
        tables = [table for s in found for table in s.tables if table.name == name]
        say()
        for line in _columns(name, tables):
            say(line)
    for s in found:
        at = best(s.sweep)
        if at is not None:
            say()
            say(
                f"{s.system}: the gate in use is at {run.fingerprint.get('setting gate', '?')}; "
                f"on this set the best F1 of refusal, {at.f1:.3f}, is at {at.threshold:g}"
            )
    if run.state != "finished":
        note(f"This run is not whole. {run.summary}")


def failures(outcomes: Mapping[tuple[str, str], Outcome]) -> None:
    """Why systems failed, each reason once, with how often."""
    reasons = Counter((system, outcome.reason) for (system, _), outcome in outcomes.items() if is_failed(outcome))
    for (system, reason), times in reasons.items():
        note(f"{system} failed {times} times: {reason}")


def markdown(run: Run, found: Sequence[Scores]) -> Iterator[str]:
    """The tables for a README, a row a system, each figure with its interval."""
    yield from _markdown_of(found, HEADLINES)
    yield ""
    yield from _markdown_of(found, VERDICTS)
    if run.state != "finished":
        yield f"\n{run.summary}"


def history(runs: Sequence[Run], *, json: bool) -> None:
    """A line a run."""
    for run in runs:
        if json:
            emit(run_object(run))
        else:
            say(f"{run.id}  {run.started_at:%Y-%m-%d %H:%M}  {run.dataset.name}  {', '.join(run.systems)}")
            say(f"          {run.summary}")
    if not runs and not json:
        note("There are no runs yet: `pincite eval run SET` makes one.")


def comparisons(found: Sequence[Comparison], *, json: bool) -> None:
    """What changed, and who flipped."""
    for c in found:
        if json:
            for difference in c.differences:
                emit(_difference(c, difference))
            continue
        say(f"{c.before} to {c.after}: {c.shared} questions, paired")
        for warning in c.warnings:
            note(f"Mind: {warning}")
        for d in c.differences:
            sure = "significant" if d.significant else "may be chance"
            say(
                f"  {d.metric:18} {d.before:.3f} to {d.after:.3f}  {d.change.value:+.3f} "
                f"[{d.change.low:+.3f}, {d.change.high:+.3f}]  p {d.p:.3f} ({d.test}; {sure})"
            )
            if d.better:
                say(f"    better: {', '.join(d.better)}")
            if d.worse:
                say(f"    worse:  {', '.join(d.worse)}")


def judged(model: str, found: Sequence[Tally], *, json: bool) -> None:
    """A judge's figures; what is pending is said beside each, and is in none."""
    for t in found:
        if json:
            figure = {} if t.figure is None else {"value": t.figure.value, "low": t.figure.low, "high": t.figure.high}
            n = t.figure.n if t.figure else 0
            emit({"judge": model, "system": t.system, "metric": t.metric, "n": n, "pending": t.pending, **figure})
            continue
        name = "agreement with labels" if t.metric == "label" else t.metric
        said = "pending" if t.figure is None else f"{_figure(t.figure, '')} n {t.figure.n}"
        pending = f", {t.pending} pending" if t.pending and t.figure else ""
        say(f"{t.system:16} {name:22} {said}{pending}")
    if found and not json:
        say(f"judged by {model}")


def run_object(run: Run) -> dict[str, Any]:
    """A run for programs."""
    return {
        "run": run.id,
        "set": run.dataset.name,
        "state": run.state,
        "summary": run.summary,
        "systems": [*run.systems],
        "done": run.done,
        "failed": run.failed,
        "total": run.total,
        "skipped": run.skipped,
        "started_at": run.started_at.isoformat(),
        "finished_at": run.finished_at.isoformat() if run.finished_at else None,
        "fingerprint": dict(run.fingerprint),
    }


def _objects(run: Run, found: Sequence[Scores]) -> Iterator[dict[str, Any]]:
    for s in found:
        for table in s.tables:
            for metric, e in table.figures.items():
                yield {
                    "run": run.id, "state": run.state, "system": s.system, "table": table.name, "metric": metric,
                    "value": round(e.value, 6), "low": round(e.low, 6), "high": round(e.high, 6), "n": e.n,
                }  # fmt: skip


def _difference(c: Comparison, d: Difference) -> dict[str, Any]:
    return {
        "before": c.before, "after": c.after, "metric": d.metric, "shared": c.shared, "value_before": d.before,
        "value_after": d.after, "change": d.change.value, "low": d.change.low, "high": d.change.high, "p": d.p,
        "test": d.test, "better": [*d.better], "worse": [*d.worse], "warnings": [*c.warnings],
    }  # fmt: skip


def _columns(name: str, tables: Sequence[Table]) -> Iterator[str]:
    figures = by_system(tables)
    metrics = list(dict.fromkeys(metric for own in figures.values() for metric in own))
    rows = [[name, *metrics]]
    rows += [[system, *(_figure(own.get(m), name) for m in metrics)] for system, own in figures.items()]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _figure(e: Estimate | None, table: str) -> str:
    if e is None:
        return "-"
    return f"{e.value:.0f}" if table == SPEED else f"{e.value:.3f} [{e.low:.3f}, {e.high:.3f}]"


def _markdown_of(found: Sequence[Scores], wanted: Sequence[str]) -> Iterator[str]:
    every = by_system([table for s in found for table in s.tables])
    every = {system: figures for system, figures in every.items() if any(m in figures for m in wanted)}
    metrics = [m for m in wanted if any(m in figures for figures in every.values())]
    if not metrics:
        return
    yield f"| system | {' | '.join(metrics)} |"
    yield f"|---|{'---|' * len(metrics)}"
    for system, figures in every.items():
        cells = [_short(figures.get(m), speed=m.endswith(("p50", "p95"))) for m in metrics]
        yield f"| `{system}` | {' | '.join(cells)} |"


def _short(e: Estimate | None, *, speed: bool) -> str:
    if e is None:
        return ""
    return f"{e.value:.0f} ms" if speed else f"{e.value:.2f} ({e.low:.2f} to {e.high:.2f})"
