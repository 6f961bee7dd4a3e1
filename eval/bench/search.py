"""What a search costs in a library of any size: each index alone, and the whole from a question's words to passages.

    python -m eval.bench.search --chunks 100000 [--words 90] [--home DIR] [--data DIR] [--plot FILE]

Fills a data folder with a made-up library (`eval.bench.madeup`), measures as it grows, then asks real questions in a
fresh process. A folder that it filled before is only asked again. Beside wall time stands the processor time of all
threads, which other programs on the machine blur less. Recall is against an exact search over the same vectors.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import random
import tempfile
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from eval.bench import madeup
from eval.bench.search_fill import Cost, Filled, Known, entries_of, fill, megabytes, resident, timed
from eval.unanswerable import data_folder
from rag_core.adapters.catalog import SqliteCatalog
from rag_core.adapters.embedder import SentenceTransformerEmbedder
from rag_core.adapters.index_store import FolderIndexStore
from rag_core.bootstrap import open_library
from rag_core.protocols import Index, Indexes, Stored
from rag_core.settings import Settings, load_settings
from rag_core.types import DocumentId, Entry, Hit, ModelCard, Passage, Scope

DATA = data_folder()
SCOPES = (1, 10, 100, 1_000, 10_000)
"""Documents of a scope, where there are more."""
DEPTHS = (10, 50, 200)
"""Hits asked of an index. The whole asks 50 of each."""
K = 10
"""Passages asked of the whole."""
MOVED = 20
"""Documents that are added one by one, and removed again."""

Costs = dict[str, dict[str, Cost]]


def main(  # noqa: PLR0913, PLR0917 - each is an option
    chunks: Annotated[int, typer.Option("--chunks", min=1_000)] = 100_000,
    words: Annotated[int, typer.Option("--words", min=2, help="Of a chunk.")] = madeup.WORDS,
    home: Annotated[Path | None, typer.Option("--home", help="Keep the library here, or ask the one here.")] = None,
    data: Annotated[Path, typer.Option("--data", help="The public data sets.")] = DATA,
    questions: Annotated[int, typer.Option("--questions", min=10, help="Asked of each scope.")] = 2 * madeup.QUESTIONS,
    plot: Annotated[Path | None, typer.Option("--plot", help="Draw the costs here.")] = None,
) -> None:
    """Fill, ask, and print."""
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as scratch:
        where = home or Path(scratch)
        where.mkdir(parents=True, exist_ok=True)
        notes = where / "bench.json"
        if not notes.exists():
            # Another process, so that memory is measured in one that has only searched.
            with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
                notes.write_text(
                    json.dumps(asdict(process.submit(_fill, chunks, words, where, data).result())), "utf-8"
                )
        filled = Filled(**json.loads(notes.read_text("utf-8")))
        costs = asyncio.run(_ask(filled, where, data, questions))
    if plot is not None:
        from eval.bench.search_plot import draw

        draw(plot, filled, costs)


def _fill(chunks: int, words: int, home: Path, data: Path) -> Filled:
    return asyncio.run(fill(chunks, words, home, data))


async def _ask(filled: Filled, home: Path, data: Path, most: int) -> Costs:
    """Print all figures, and return the costs by who was asked, and what."""
    settings = load_settings(home=home)
    embedder = SentenceTransformerEmbedder(
        settings.embedding_model, dtype=settings.embedding_dtype, threads=settings.threads
    )
    around = await madeup.anchors(data, home / "anchors.npy", embedder)
    questions = around.questions[:most]
    catalog = await SqliteCatalog.open(home / "catalog.sqlite3")
    state = await catalog.index_state()
    assert state is not None
    store = FolderIndexStore(
        home, catalog, Known(ModelCard("", state.embedding, state.dimension, 256), around), patience=1
    )
    documents = await catalog.all_documents()
    scopes = _scopes(documents)
    _print_filled(filled, home)
    typer.echo(f"\n{'milliseconds':36} {'p50':>8} {'p95':>8} {'cpu':>8} {'fewest':>8}    load {os.getloadavg()[0]:.1f}")
    before = resident()
    indexes = await store.current()
    assert indexes is not None
    start = time.perf_counter()
    await indexes.dense.retrieve(around.questions[0], within=frozenset(documents), k=K)
    typer.echo(f"{'dense: the first search':36} {(time.perf_counter() - start) * 1000:8.1f}")
    costs = {
        "dense": await _indexed("dense", indexes.dense, questions, scopes),
        "sparse": await _indexed("sparse", indexes.sparse, questions, scopes),
    }
    typer.echo(f"memory that both indexes take: {resident() - before:.0f} MB")
    await _recall(around, indexes.dense, frozenset(documents), np.load(home / "exact.npy"))
    cost = await timed(questions, lambda question: _embedded(embedder, question))
    _print("embedding the question", cost)
    await embedder.close()
    costs["whole"] = await _whole(settings, questions, scopes)
    await _moved(around, indexes)
    await store.close()
    await catalog.close()
    return costs


def _scopes(documents: Sequence[DocumentId]) -> dict[str, frozenset[DocumentId]]:
    shuffled = random.Random(madeup.SEED).sample(documents, len(documents))  # noqa: S311 - no secret
    sizes = [size for size in SCOPES if size < len(documents)]
    return {str(size): frozenset(shuffled[:size]) for size in sizes} | {"all": frozenset(documents)}


async def _indexed(
    name: str, index: Index, questions: Sequence[str], scopes: dict[str, frozenset[DocumentId]]
) -> dict[str, Cost]:
    def asking(within: Collection[DocumentId], k: int) -> Callable[[str], Awaitable[list[Hit]]]:
        return lambda question: index.retrieve(question, within=within, k=k)

    costs = {f"k={k}": await timed(questions, asking(scopes["all"], k)) for k in DEPTHS}
    for k, cost in costs.items():
        _print(f"{name}: all documents, {k}", cost)
    for size, within in scopes.items():
        costs[size] = await timed(questions, asking(within, 50))
        _print(f"{name}: {size} documents, k=50", costs[size])
    return costs


async def _recall(
    around: madeup.Anchors,
    dense: Index,
    within: Collection[DocumentId],
    exact: np.ndarray[tuple[int, int], np.dtype[np.float32]],
) -> None:
    for k in DEPTHS:
        found = []
        for question, scores in zip(around.questions, exact, strict=True):
            hits = await dense.retrieve(question, within=within, k=k)
            found.append(sum(hit.score > scores[k - 1] - 1e-5 for hit in hits) / k)
        typer.echo(f"dense: recall@{k} {np.mean(found):.4f}, of the worst question {min(found):.2f}")


async def _embedded(embedder: SentenceTransformerEmbedder, question: str) -> list[object]:
    return list(await embedder.embed([question]))


async def _whole(
    settings: Settings, questions: Sequence[str], scopes: dict[str, frozenset[DocumentId]]
) -> dict[str, Cost]:
    costs = {}
    async with open_library(settings) as library:

        def asking(scope: Scope) -> Callable[[str], Awaitable[Sequence[Passage]]]:
            async def ask(question: str) -> Sequence[Passage]:
                return (await library.search(question, scope=scope, k=K)).passages

            return ask

        for size, within in scopes.items():
            scope = Scope(frozenset([madeup.COLLECTION]), None if size == "all" else within)
            costs[size] = await timed(questions, asking(scope))
            _print(f"whole: {size} documents, k={K}", costs[size])
        typer.echo(f"memory of the process, with the model: {resident():.0f} MB")
    return costs


async def _moved(around: madeup.Anchors, indexes: Indexes) -> None:
    """Add a few documents one by one, and remove them again."""
    some = list(madeup.library(around, MOVED * madeup.CHUNKS, seed=madeup.SEED + 1))
    by_name = {made.document.title + made.document.id: made for made in some}
    stores: dict[str, Stored] = {"dense": indexes.dense, "sparse": indexes.sparse, "close-ups": indexes.closeups}
    for name, index in stores.items():

        def adding(index: Stored) -> Callable[[str], Awaitable[list[Entry]]]:
            async def add(key: str) -> list[Entry]:
                entries = entries_of(by_name[key])
                await index.add(entries)
                return entries

            return add

        def removing(index: Stored) -> Callable[[str], Awaitable[list[Entry]]]:
            async def remove(key: str) -> list[Entry]:
                await index.remove(by_name[key].document.id)
                return []

            return remove

        _print(f"{name}: add a document", await timed(list(by_name), adding(index), warm=0))
        _print(f"{name}: remove a document", await timed(list(by_name), removing(index), warm=0))


def _print_filled(filled: Filled, home: Path) -> None:
    folders = {
        "vectors": next(home.glob("vectors/*/*.lance")),
        "close-ups": next(home.glob("vectors/*/closeups.sqlite3")),
        "keywords": home / "keywords",
        "catalog": home / "catalog.sqlite3",
    }
    typer.echo(f"{filled.chunks} chunks of {filled.words} words, {filled.documents} documents")
    for name, (wall, cpu) in filled.seconds.items():
        typer.echo(f"{name:10} {wall:7.0f} s, {cpu:7.0f} s of processor time, {megabytes(folders[name]):7.0f} MB")
    typer.echo(f"peak memory of filling: {filled.megabytes:.0f} MB")


def _print(what: str, cost: Cost) -> None:
    typer.echo(f"{what:36} {cost}")


if __name__ == "__main__":
    typer.run(main)
