"""Runs of evals, their figures and comparisons to what Discord shows. Pure.

How a run stands is said first, in words that nobody can take for more than it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import discord

from bot.inert import inert, short
from bot.limits import EMBED_FIELD, EMBED_FIELDS, EMBED_TEXT
from bot.phrases import say
from bot.splitting import split
from eval.comparison import Comparison, Difference
from eval.datasets import Dataset, Question
from eval.intervals import Estimate
from eval.report import SHOWN
from eval.run_values import Run
from eval.scoring import Scores, figure

CELLS = 16
"""Of the bar that shows how far a run is."""
MOST_NAMED = 5
"""Questions that are named of those that flipped; the rest are counted."""
QUESTION = 120
"""Characters of a question where it is named."""
COLOURS = {
    "finished": discord.Colour.green(),
    "partial": discord.Colour.orange(),
    "interrupted": discord.Colour.orange(),
    "empty": discord.Colour.red(),
    "running": discord.Colour.blurple(),
}


def progress(run: Run) -> str:
    """How far it is, on one line."""
    filled = CELLS * run.done // max(run.total, 1)
    bar = "█" * filled + "░" * (CELLS - filled)
    return say().eval_running.format(set=inert(run.dataset.name), bar=bar, done=run.done, total=run.total, run=run.id)


def result(run: Run, scores: Sequence[Scores], before: Sequence[Comparison]) -> discord.Embed:
    """The figures of each system with their intervals, and what became worse since the run before."""
    lines = [standing(run), *_absent(run)]
    if before:
        lines += ["", *_since(run, before)]
    shown = discord.Embed(
        title=short(f"{inert(run.dataset.name)} · {', '.join(run.systems)}", 200),
        description=split(lines, EMBED_TEXT)[0],
        colour=COLOURS[run.state],
        timestamp=run.started_at,
    )
    for value in scores[:EMBED_FIELDS]:
        rows = [f"{metric} **{got.value:.2f}** [{got.low:.2f}, {got.high:.2f}]" for metric, got in _figures(value)]
        if rows:
            shown.add_field(name=value.system, value=split(rows, EMBED_FIELD)[0])
    return shown.set_footer(text=say().eval_footer.format(run=run.id))


def described(run: Run, scores: Sequence[Scores]) -> str:
    """The chart in words, for who cannot see it."""
    rows = (f"{value.system}, {metric}: {got.value:.2f}" for value in scores for metric, got in _figures(value))
    return f"{run.dataset.name}. {'; '.join(rows)}"


def standing(run: Run) -> str:
    """How a run stands."""
    phrases = say()
    said = {
        "running": phrases.eval_state_running,
        "interrupted": phrases.eval_state_interrupted,
        "partial": phrases.eval_state_partial,
        "empty": phrases.eval_state_empty,
        "finished": phrases.eval_state_finished,
    }[run.state]
    counted = said.format(done=run.done, total=run.total, failed=run.failed, skipped=run.skipped)
    return f"{counted} {inert(run.note)}".strip()


def history(runs: Sequence[Run]) -> list[str]:
    """A line a run, the last one first."""
    if not runs:
        return [say().eval_no_runs]
    return split(
        f"`{run.id}` <t:{int(run.started_at.timestamp())}:f> **{inert(run.dataset.name)}** "
        f"({', '.join(run.systems)}): {standing(run)}"
        for run in runs
    )


def comparisons(run: Run, found: Sequence[Comparison]) -> list[str]:
    """What changed from one run to another, and which questions flipped."""
    lines: list[str] = []
    for comparison in found:
        lines.append(f"**{comparison.before} → {comparison.after}**")
        lines += [f"-# ⚠️ {inert(warning)}" for warning in comparison.warnings]
        lines += [line for d in comparison.differences for line in _difference(run, d)]
    return split(lines)


def own_set(found: Dataset | None) -> list[str]:
    """A channel's own questions, a line each."""
    if found is None:
        return [say().own_none]
    return split([say().own_head, *(f"- `{q.id}` {inert(short(q.question, QUESTION))}" for q in found.questions)])


def own_question(question: Question) -> list[str]:
    """All that is kept of a question."""
    phrases = say()
    pages = ", ".join(str(page) for _, page in question.pages)
    lines = [f"`{question.id}` **{inert(question.question)}**"]
    lines += [phrases.own_answer.format(answer=inert(question.answer))] if question.answer else []
    lines += [phrases.own_pages.format(pages=pages)] if pages else []
    lines += [] if question.answerable else [phrases.own_unanswerable]
    return split(lines)


def _figures(scores: Scores) -> Iterator[tuple[str, Estimate]]:
    for metric in SHOWN:
        got = figure(scores, metric)
        if got is not None:
            yield metric, got


def _absent(run: Run) -> list[str]:
    absent = [name for name in run.dataset.documents if name not in run.documents]
    return [say().eval_absent.format(names=inert(short(", ".join(absent))))] if absent else []


def _since(run: Run, before: Sequence[Comparison]) -> Iterator[str]:
    """What fell since the run before, by metric, with the questions that flipped; or that nothing did."""
    phrases = say()
    yield phrases.eval_since.format(run=before[0].before.partition(":")[0])
    fell = [d for comparison in before for d in comparison.differences if d.metric in SHOWN and d.worse]
    if not fell:
        yield phrases.eval_nothing_worse
    for difference in fell:
        yield from _difference(run, difference)


def _difference(run: Run, value: Difference) -> Iterator[str]:
    if not (value.better or value.worse):
        return
    sure = say().eval_significant if value.significant else say().eval_may_be_chance
    mark = "📉" if value.change.value < 0 else "📈"
    yield f"{mark} {value.metric}: {value.before:.2f} → {value.after:.2f} ({sure}, p {value.p:.2f})"
    for head, ids in ((say().eval_worse, value.worse), (say().eval_better, value.better)):
        if ids:
            yield f"-# {head} {_named(run, ids)}"


def _named(run: Run, ids: Sequence[str]) -> str:
    texts = {question.id: question.question for question in run.dataset.questions}
    names = "; ".join(inert(short(texts.get(one, one), QUESTION)) for one in ids[:MOST_NAMED])
    more = len(ids) - MOST_NAMED
    return names + (f" … +{more}" if more > 0 else "")
