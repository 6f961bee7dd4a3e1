"""Fits the gate: the weights by which it tells questions that the passages may answer from others.

    python -m eval.train.gate --home DIR [--data DIR]

Asks every question of `eval/data/answerable.jsonl` and `unanswerable.jsonl`, and of the public ones (`pdfqa.jsonl`), of
its own document; those whose document is not in the library of `--home` are passed over, and counted. Prints the
weights to put into `rag_core/answering/gate.py`, and how many questions of each kind they stop when 95 in 100 of our
answerable ones are let through: each question judged by weights that were fitted on other documents, with 95 %
intervals (Wilson, 1927), then what is lost without each signal. The public questions with an answer are harder than
what most people ask, so they have a line of their own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import PredefinedSplit, cross_val_predict

from eval.bench.evidence import read_questions
from eval.unanswerable import FOLDS, data_folder, load_both
from rag_core.answering.gate import Signals, measure
from rag_core.bootstrap import open_library
from rag_core.keeping.ingestion import digest
from rag_core.settings import load_settings
from rag_core.types import Scope

PASSAGES = 8
KEPT = 0.95
"""The part of answerable questions that must pass."""
ANSWERED = "answerable"
PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, what kind it is, and the beginning of its document's digest."""

    kind: str
    text: str
    sha256: str
    fold: int


def every_question(data: Path) -> list[Asked]:
    """Ours and the public ones. A document's questions are all in one fold."""
    unanswerable, answerable = load_both()
    ours = [Asked(str(q.kind), q.question, q.sha256, q.fold) for q in unanswerable]
    ours += [Asked(ANSWERED, q.question, q.sha256, q.fold) for q in answerable]
    folds = {asked.sha256: asked.fold for asked in ours}
    rows = read_questions(data)
    digests = {name: digest(data / name)[:16] for name in {row["pdf"] for row in rows}}
    public = []
    for row in rows:
        sha256 = digests[row["pdf"]]
        kind = PUBLIC if row["pages"] else f"{PUBLIC}, without an answer"
        public.append(Asked(kind, row["question"], sha256, folds.get(sha256, int(sha256[:8], 16) % FOLDS)))
    return [*ours, *public]


async def _measured(questions: Sequence[Asked], home: Path) -> list[tuple[Asked, Signals]]:
    """Each question with its signals, asked of its own document."""
    measured = []
    async with open_library(load_settings(home=home)) as library:
        known = {document.id[:16]: document.id for document in await library.documents(Scope.of("local"))}
        asked = [question for question in questions if question.sha256 in known]
        typer.echo(f"{len(asked)} questions; {len(questions) - len(asked)} passed over", err=True)
        for question in asked:
            scope = Scope.of("local", documents=[known[question.sha256]])
            found = await library.search(question.text, scope=scope, k=PASSAGES)
            measured.append((question, measure(question.text, found.passages)[0]))
    return measured


def interval(part: int, of: int, z: float = 1.96) -> tuple[float, float]:
    """The Wilson score interval of a share, at 95 %."""
    share, spread = part / of, z * z / of
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * ((share * (1 - share) + spread / 4) / of) ** 0.5
    return middle - half, middle + half


def _line(kinds: NDArray[np.str_], held_out: NDArray[np.float64]) -> float:
    """The probability that lets enough of our answerable questions through."""
    return float(np.quantile(held_out[kinds == ANSWERED], 1 - KEPT))


def _near(kinds: NDArray[np.str_]) -> NDArray[np.bool_]:
    """Which of our questions are near misses."""
    return np.asarray(~np.isin(kinds, [ANSWERED, "off_topic"]) & ~np.char.startswith(kinds, PUBLIC))


def _stopped(kinds: NDArray[np.str_], held_out: NDArray[np.float64]) -> tuple[float, float]:
    """The parts of near misses, and of public questions with an answer, that are stopped."""
    below = held_out < _line(kinds, held_out)
    return float(below[_near(kinds)].mean()), float(below[kinds == PUBLIC].mean())


def _report(kinds: NDArray[np.str_], held_out: NDArray[np.float64]) -> None:
    line = _line(kinds, held_out)
    typer.echo(f"probability {line:.2f} lets {KEPT:.0%} of {(kinds == ANSWERED).sum()} answerable questions through")
    near = _near(kinds)
    for name, chosen in [(k, kinds == k) for k in sorted(set(kinds) - {ANSWERED})] + [("all near misses", near)]:
        stopped, count = int((held_out[chosen] < line).sum()), int(chosen.sum())
        low, high = interval(stopped, count)
        typer.echo(f"{name:26} stopped {stopped:3} of {count:3}: {stopped / count:.2f} ({low:.2f} to {high:.2f})")


def main(
    home: Annotated[Path, typer.Option("--home", exists=True)],
    data: Annotated[Path | None, typer.Option("--data", exists=True)] = None,
) -> None:
    """Fit and report."""
    measured = asyncio.run(_measured(every_question(data or data_folder()), home))
    x = np.array([astuple(signals) for _, signals in measured])
    folds = PredefinedSplit([question.fold for question, _ in measured])
    kinds = np.array([question.kind for question, _ in measured])
    y = np.isin(kinds, [ANSWERED, PUBLIC])
    model = LogisticRegression(C=10, class_weight="balanced", max_iter=1_000)

    def held_out(columns: Sequence[int]) -> NDArray[np.float64]:
        return np.asarray(cross_val_predict(model, x[:, columns], y, cv=folds, method="predict_proba")[:, 1])

    every = range(x.shape[1])
    _report(kinds, held_out(every))
    for i, left_out in enumerate(fields(Signals)):
        near, public = _stopped(kinds, held_out([column for column in every if column != i]))
        typer.echo(f"without {left_out.name}: near misses stopped {near:.3f}, public ones with an answer {public:.3f}")
    model.fit(x, y)
    weights = ", ".join(f"{f.name}={w:.1f}" for f, w in zip(fields(Signals), model.coef_[0], strict=True))
    typer.echo(f"WEIGHTS = Signals({weights})")
    typer.echo(f"BIAS = {model.intercept_[0]:.1f}")


if __name__ == "__main__":
    typer.run(main)
