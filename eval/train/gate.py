"""Fits the gate: the weights by which it tells answerable questions from others.

    python -m eval.train.gate QA.jsonl --home DIR

Each question of the set is asked of its own document (answerable, where it has a page) and of another one (off topic).
Prints the weights to put into `rag_core/gate.py`, and what they achieve on questions that they were not fitted on. The
documents must be in the library of `--home`; questions on others are passed over, and counted.
"""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import astuple
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict

from rag_core.bootstrap import open_library
from rag_core.gate import Signals, measure
from rag_core.settings import load_settings
from rag_core.types import Scope

SEED = 7
PASSAGES = 8
KEPT = 0.95
"""The part of answerable questions that must pass."""


async def _signals(rows: list[dict[str, Any]], home: Path) -> list[tuple[str, bool, Signals]]:
    """(question id, answerable, signals) for each question, asked of its own document and of another."""
    draw = random.Random(SEED)  # noqa: S311 - a sample, not a secret
    measured = []
    async with open_library(load_settings(home=home)) as library:
        documents = {document.filename: document.id for document in await library.documents(Scope.of("local"))}
        asked = [row for row in rows if Path(row["pdf"]).name in documents]
        typer.echo(
            f"{len(asked)} questions on {len(documents)} documents; {len(rows) - len(asked)} passed over", err=True
        )
        for row in asked:
            own = documents[Path(row["pdf"]).name]
            other = draw.choice([identity for identity in documents.values() if identity != own])
            for document in (own, other):
                scope = Scope.of("local", documents=[document])
                found = await library.search(row["question"], scope=scope, k=PASSAGES)
                signals, _ = measure(row["question"], found.passages)
                measured.append((row["id"], document == own and bool(row["pages"]), signals))
    return measured


def main(
    questions: Annotated[Path, typer.Argument(exists=True)],
    home: Annotated[Path, typer.Option("--home", exists=True)],
) -> None:
    """Fit and report."""
    rows = [json.loads(line) for line in questions.read_text(encoding="utf-8").splitlines()]
    measured = asyncio.run(_signals(rows, home))
    x = np.array([astuple(signals) for _, _, signals in measured])
    y = np.array([answerable for _, answerable, _ in measured])
    groups = [identity for identity, _, _ in measured]
    model = LogisticRegression(C=10)
    held_out = cross_val_predict(model, x, y, groups=groups, cv=GroupKFold(5), method="predict_proba")[:, 1]
    line = float(np.quantile(held_out[y], 1 - KEPT))
    model.fit(x, y)
    nearness, together, anywhere = model.coef_[0]
    typer.echo(f"WEIGHTS = Signals(nearness={nearness:.1f}, together={together:.1f}, anywhere={anywhere:.1f})")
    typer.echo(f"BIAS = {model.intercept_[0]:.1f}")
    typer.echo(
        f"at {KEPT:.0%} of {y.sum()} answerable let through (probability {line:.2f}), "
        f"{(held_out[~y] < line).mean():.3f} of {(~y).sum()} others stopped (5-fold cross-validation)"
    )


if __name__ == "__main__":
    typer.run(main)
