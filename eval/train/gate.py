"""Fits the gate: the weights by which it tells questions that the passages may answer from others.

    python -m eval.train.gate --home DIR

Asks every question of `eval/data/answerable.jsonl` and `unanswerable.jsonl` of its own document; those whose document
is not in the library of `--home` are passed over, and counted. Prints the weights to put into `rag_core/gate.py`, and
how many questions of each kind they stop when 95 in 100 answerable ones are let through: each question judged by
weights that were fitted on other documents, with 95 % intervals (Wilson, 1927).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import astuple, fields
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import PredefinedSplit, cross_val_predict

from eval.unanswerable import Question, load_both
from rag_core.bootstrap import open_library
from rag_core.gate import Signals, measure
from rag_core.settings import load_settings
from rag_core.types import Scope

PASSAGES = 8
KEPT = 0.95
"""The part of answerable questions that must pass."""
ANSWERED = "answerable"


async def _measured(questions: Sequence[Question], home: Path) -> list[tuple[Question, Signals]]:
    """Each question with its signals, asked of its own document."""
    measured = []
    async with open_library(load_settings(home=home)) as library:
        known = {document.id[:16]: document.id for document in await library.documents(Scope.of("local"))}
        asked = [question for question in questions if question.sha256 in known]
        typer.echo(f"{len(asked)} questions; {len(questions) - len(asked)} passed over", err=True)
        for question in asked:
            scope = Scope.of("local", documents=[known[question.sha256]])
            found = await library.search(question.question, scope=scope, k=PASSAGES)
            measured.append((question, measure(question.question, found.passages)[0]))
    return measured


def interval(part: int, of: int, z: float = 1.96) -> tuple[float, float]:
    """The Wilson score interval of a share, at 95 %."""
    share, spread = part / of, z * z / of
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * ((share * (1 - share) + spread / 4) / of) ** 0.5
    return middle - half, middle + half


def _report(kinds: NDArray[np.str_], held_out: NDArray[np.float64]) -> None:
    line = float(np.quantile(held_out[kinds == ANSWERED], 1 - KEPT))
    typer.echo(f"probability {line:.2f} lets {KEPT:.0%} of {(kinds == ANSWERED).sum()} answerable questions through")
    near = (kinds != ANSWERED) & (kinds != "off_topic")
    for name, chosen in [(k, kinds == k) for k in sorted(set(kinds) - {ANSWERED})] + [("all near misses", near)]:
        stopped, count = int((held_out[chosen] < line).sum()), int(chosen.sum())
        low, high = interval(stopped, count)
        typer.echo(f"{name:16} stopped {stopped:3} of {count:3}: {stopped / count:.2f} ({low:.2f} to {high:.2f})")


def main(home: Annotated[Path, typer.Option("--home", exists=True)]) -> None:
    """Fit and report."""
    unanswerable, answerable = load_both()
    measured = asyncio.run(_measured([*unanswerable, *answerable], home))
    x = np.array([astuple(signals) for _, signals in measured])
    folds = PredefinedSplit([question.fold for question, _ in measured])
    lacks = {question.id: str(question.kind) for question in unanswerable}
    kinds = np.array([lacks.get(question.id, ANSWERED) for question, _ in measured])
    y = kinds == ANSWERED
    model = LogisticRegression(C=10, class_weight="balanced")
    _report(kinds, cross_val_predict(model, x, y, cv=folds, method="predict_proba")[:, 1])
    model.fit(x, y)
    weights = ", ".join(f"{f.name}={w:.1f}" for f, w in zip(fields(Signals), model.coef_[0], strict=True))
    typer.echo(f"WEIGHTS = Signals({weights})")
    typer.echo(f"BIAS = {model.intercept_[0]:.1f}")


if __name__ == "__main__":
    typer.run(main)
