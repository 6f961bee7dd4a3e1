"""Fits the second stage: the weights by which `rag_core.ranking` orders what both indexes found.

    python -m eval.train.ranking --home DIR [--data DIR]

Asks the public questions (`pdfqa.jsonl`) and ours (`eval/data/answerable.jsonl`) of their own documents, which must be
in the library of `--home`. The loss is listwise: the part of a softmax over the candidates that falls on gold pages.
Prints hit@1 and hit@5 by page, each question ordered by weights that were fitted on other documents, and the weights
on all.
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
from scipy.optimize import minimize

from eval.bench.evidence import read_questions
from eval.train.entailment import data_folder
from eval.unanswerable import load_both
from rag_core.adapters.catalog import SqliteCatalog
from rag_core.adapters.embedder import SentenceTransformerEmbedder
from rag_core.adapters.index_store import FolderIndexStore
from rag_core.fusion import reciprocal_rank_fusion
from rag_core.ingestion import digest
from rag_core.ranking import Signals, signals_of
from rag_core.retrieval import CANDIDATES
from rag_core.settings import load_settings
from rag_core.types import DocumentId

FOLDS = 5
SHRINK = 0.005
"""Of the squared weights, in units of each signal's spread."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its candidates."""

    name: str
    """Of the set."""
    fold: int
    signals: NDArray[np.float64]
    """Shape (candidates, signals)."""
    pages: tuple[int, ...]
    gold: NDArray[np.bool_]


async def measured(questions: Sequence[tuple[str, str, DocumentId, Sequence[int]]], home: Path) -> list[Asked]:
    """The candidates of (set, question, document, pages), as retrieval finds them."""
    settings = load_settings(home=home)
    embedder = SentenceTransformerEmbedder(settings.embedding_model, dtype=settings.embedding_dtype)
    catalog = await SqliteCatalog.open(home / "catalog.sqlite3")
    store = FolderIndexStore(home, catalog, embedder, patience=1)
    found = []
    try:
        indexes = await store.current()
        if indexes is None:
            raise typer.BadParameter("nothing was ever indexed there", param_hint="--home")
        for name, question, document, pages in questions:
            dense = await indexes.dense.retrieve(question, within=[document], k=CANDIDATES)
            sparse = await indexes.sparse.retrieve(question, within=[document], k=CANDIDATES)
            ids = [hit.chunk_id for hit in reciprocal_rank_fusion([dense, sparse])]
            known = await catalog.chunks(ids)
            chunks = [known[identity] for identity in ids if identity in known]
            if not chunks:
                continue
            nearness = await indexes.closeups.nearness(question, ids)
            signals = signals_of(question, chunks, await catalog.sections(ids), nearness)
            on = tuple(chunk.page for chunk in chunks)
            found.append(
                Asked(
                    name, int(document[:8], 16) % FOLDS, np.array([astuple(s) for s in signals]), on, np.isin(on, pages)
                )
            )
    finally:
        await store.close()
        await catalog.close()
        await embedder.close()
    return found


def fitted(asked: Sequence[Asked]) -> NDArray[np.float64]:
    """The weights that put most of the softmax on gold pages."""
    spread = np.concatenate([a.signals for a in asked]).std(0) + 1e-9
    useful = [a for a in asked if a.gold.any()]

    def loss(weights: NDArray[np.float64]) -> float:
        total = 0.0
        for a in useful:
            scores = a.signals / spread @ weights
            total += float(np.logaddexp.reduce(scores) - np.logaddexp.reduce(scores[a.gold]))
        return total / len(useful) + SHRINK * float(weights @ weights)

    return np.asarray(minimize(loss, np.zeros(len(fields(Signals))), method="L-BFGS-B").x / spread)


def _rank(a: Asked, weights: NDArray[np.float64]) -> int:
    order = np.argsort(-(a.signals @ weights), kind="stable")
    pages = list(dict.fromkeys(a.pages[i] for i in order))
    gold = {page for page, good in zip(a.pages, a.gold, strict=True) if good}
    return next((rank for rank, page in enumerate(pages, 1) if page in gold), 0)


def main(
    home: Annotated[Path, typer.Option("--home", exists=True)],
    data: Annotated[Path | None, typer.Option("--data", exists=True)] = None,
) -> None:
    """Fit and report."""
    folder = data or data_folder()
    ids = {name: digest(folder / name) for name in {row["pdf"] for row in read_questions(folder)}}
    by_start = {identity[:16]: identity for identity in ids.values()}
    questions = [("public", r["question"], ids[r["pdf"]], r["pages"]) for r in read_questions(folder) if r["pages"]]
    questions += [("ours", q.question, by_start[q.sha256], q.pages) for q in load_both()[1] if q.sha256 in by_start]
    asked = asyncio.run(measured(questions, home))
    ranks: dict[str, list[int]] = {}
    for fold in range(FOLDS):
        weights = fitted([a for a in asked if a.fold != fold])
        for a in asked:
            if a.fold == fold:
                ranks.setdefault(a.name, []).append(_rank(a, weights))
    for name, got in ranks.items():
        first, five = (sum(0 < r <= k for r in got) / len(got) for k in (1, 5))
        typer.echo(f"{name}: {len(got)} questions, hit@1 {first:.3f}, hit@5 {five:.3f}")
    pairs = zip(fields(Signals), fitted(asked), strict=True)
    typer.echo("WEIGHTS = Signals({})".format(", ".join(f"{f.name}={w:.1f}" for f, w in pairs)))


if __name__ == "__main__":
    typer.run(main)
