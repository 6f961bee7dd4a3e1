"""Fits the second stage: the weights by which `rag_core.finding.ranking` orders what both indexes found.

    python -m eval.train.ranking --home DIR [--data DIR]

Asks the public questions (`pdfqa.jsonl`) and ours (`eval/data/answerable.jsonl`) of their own documents, which must be
in the library of `--home`, and the public ones of all documents, too. The loss is listwise: the part of a softmax over
the candidates that falls on gold pages. Prints hit@1 and hit@5 by page for each index, for their fusion, for all
signals and for all but one, each question ordered by weights that were fitted on other documents; then the weights on
all.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray
from scipy.optimize import minimize

from eval.bench.evidence import read_questions
from eval.unanswerable import FOLDS, data_folder, load_both
from rag_core.adapters.catalog import SqliteCatalog
from rag_core.adapters.embedder import SentenceTransformerEmbedder
from rag_core.adapters.index_store import FolderIndexStore
from rag_core.finding.fusion import reciprocal_rank_fusion
from rag_core.finding.ranking import Signals, signals_of
from rag_core.finding.ratios import spelled_out
from rag_core.finding.retrieval import CANDIDATES
from rag_core.keeping.ingestion import digest
from rag_core.protocols import Indexes
from rag_core.settings import load_settings
from rag_core.types import DocumentId, Hit

SHRINK = 0.005
"""Of the squared weights, in units of each signal's spread."""
NAMES = [f.name for f in fields(Signals)]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Question:
    """One whose pages are known."""

    name: str
    """Of the set."""
    text: str
    document: DocumentId
    pages: Sequence[int]

    @property
    def fold(self) -> int:
        """All questions about a document are in one."""
        return int(self.document[:8], 16) % FOLDS


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its candidates, in the order of their fusion."""

    question: Question
    signals: Floats
    """Shape (candidates, signals)."""
    places: tuple[tuple[DocumentId, int], ...]
    gold: NDArray[np.bool_]
    found: dict[str, Floats]
    """By index, what each candidate earns by its rank there; 0 where it was not found."""


async def measured(questions: Sequence[Question], home: Path, *, pooled: bool) -> list[Asked]:
    """The questions with what retrieval finds in their own documents, or in all."""
    found = []
    async with _opened(home) as (catalog, indexes):
        every = await catalog.all_documents()
        for question in questions:
            within = every if pooled else [question.document]
            if asked := await _measured(question, within, catalog, indexes):
                found.append(asked)
    return found


async def _measured(
    question: Question, within: Collection[DocumentId], catalog: SqliteCatalog, indexes: Indexes
) -> Asked | None:
    text = spelled_out(question.text)
    runs = {
        "dense": await indexes.dense.retrieve(text, within=within, k=CANDIDATES),
        "sparse": await indexes.sparse.retrieve(text, within=within, k=CANDIDATES),
    }
    ids = [hit.chunk_id for hit in reciprocal_rank_fusion(runs.values())]
    known = await catalog.chunks(ids)
    chunks = [known[identity] for identity in ids if identity in known]
    if not chunks:
        return None
    nearness = await indexes.closeups.nearness(text, ids)
    words = {hit.chunk_id: hit.score for hit in runs["sparse"]}
    signals = signals_of(text, chunks, await catalog.sections(ids), nearness, words)
    places = tuple((chunk.document_id, chunk.page) for chunk in chunks)
    earned = {name: _earned(run) for name, run in runs.items()}
    return Asked(
        question,
        np.array([astuple(s) for s in signals]),
        places,
        np.array([document == question.document and page in question.pages for document, page in places]),
        {name: np.array([by_id.get(chunk.id, 0.0) for chunk in chunks]) for name, by_id in earned.items()},
    )


def _earned(run: Sequence[Hit]) -> dict[str, float]:
    return {hit.chunk_id: 1 / rank for rank, hit in enumerate(run, start=1)}


@asynccontextmanager
async def _opened(home: Path) -> AsyncIterator[tuple[SqliteCatalog, Indexes]]:
    settings = load_settings(home=home)
    embedder = SentenceTransformerEmbedder(settings.embedding_model, dtype=settings.embedding_dtype)
    catalog = await SqliteCatalog.open(home / "catalog.sqlite3")
    store = FolderIndexStore(home, catalog, embedder, patience=1)
    try:
        indexes = await store.current()
        if indexes is None:
            raise typer.BadParameter("nothing was ever indexed there", param_hint="--home")
        yield catalog, indexes
    finally:
        await store.close()
        await catalog.close()
        await embedder.close()


def fitted(asked: Sequence[Asked], *, without: str | None = None) -> Floats:
    """The weights that put most of the softmax on gold pages; 0 for the signal that is left out."""
    kept = np.array([name != without for name in NAMES])
    spread = np.concatenate([a.signals for a in asked]).std(0) + 1e-9
    useful = [a for a in asked if a.gold.any()]

    def loss(weights: Floats) -> float:
        total = 0.0
        for a in useful:
            scores = a.signals / spread @ (weights * kept)
            total += float(np.logaddexp.reduce(scores) - np.logaddexp.reduce(scores[a.gold]))
        return total / len(useful) + SHRINK * float(weights @ weights)

    return np.asarray(minimize(loss, np.zeros(len(NAMES)), method="L-BFGS-B").x * kept / spread)


def _rank(a: Asked, scores: Floats) -> int:
    """The first gold page's, from 1; 0 when none was found."""
    places = list(dict.fromkeys(a.places[i] for i in np.argsort(-scores, kind="stable")))
    gold = {place for place, good in zip(a.places, a.gold, strict=True) if good}
    return next((rank for rank, place in enumerate(places, 1) if place in gold), 0)


def _orders(given: Sequence[Asked]) -> Iterator[tuple[str, Callable[[Asked], Floats]]]:
    """Ways to order candidates, by name; those that are fitted are fitted on the other folds' documents."""
    yield "dense", lambda a: a.found["dense"]
    yield "sparse", lambda a: a.found["sparse"]
    yield "both, by rank", lambda a: -np.arange(len(a.places), dtype=float)
    for without in (None, *NAMES):
        by_fold = [fitted([a for a in given if a.question.fold != fold], without=without) for fold in range(FOLDS)]
        name = "all signals" if without is None else f"all but {without}"
        yield name, lambda a, by_fold=by_fold: a.signals @ by_fold[a.question.fold]  # type: ignore[misc]


def _report(sets: dict[str, Sequence[Asked]], given: Sequence[Asked]) -> None:
    typer.echo(" " * 20 + "".join(f"{f'{name}, {len(asked)}':>22}" for name, asked in sets.items()))
    for name, order in _orders(given):
        line = f"{name:20}"
        for asked in sets.values():
            ranks = [_rank(a, order(a)) for a in asked]
            first, five = (sum(0 < r <= k for r in ranks) / len(ranks) for k in (1, 5))
            line += f"{first:14.3f} / {five:.3f}"
        typer.echo(line)


def main(
    home: Annotated[Path, typer.Option("--home", exists=True)],
    data: Annotated[Path | None, typer.Option("--data", exists=True)] = None,
) -> None:
    """Fit and report."""
    folder = data or data_folder()
    ids = {name: digest(folder / name) for name in {row["pdf"] for row in read_questions(folder)}}
    by_start = {identity[:16]: identity for identity in ids.values()}
    public = [
        Question("public", r["question"], ids[r["pdf"]], r["pages"]) for r in read_questions(folder) if r["pages"]
    ]
    ours = [Question("ours", q.question, by_start[q.sha256], q.pages) for q in load_both()[1] if q.sha256 in by_start]
    given = asyncio.run(measured([*public, *ours], home, pooled=False))
    pooled = asyncio.run(measured(public, home, pooled=True))
    _report(
        {
            "public": [a for a in given if a.question.name == "public"],
            "ours": [a for a in given if a.question.name == "ours"],
            "public, pooled": pooled,
        },
        given,
    )
    weights = zip(NAMES, fitted(given), strict=True)
    typer.echo("WEIGHTS = Signals({})".format(", ".join(f"{name}={weight:.1f}" for name, weight in weights)))


if __name__ == "__main__":
    typer.run(main)
