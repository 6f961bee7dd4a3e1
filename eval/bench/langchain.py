"""How fast Pincite takes documents in and finds in them, beside a LangChain pipeline over the same files and model.

    python -m eval.bench.langchain [PDF…] [--times N]

Both run in this one process, one after the other, with the model loaded before; without a file, the examples are taken.
Pincite also keeps where each character stands, a keyword index and a vector a sentence; the pipeline keeps text and one
vector a chunk, in memory. Needs the extra `bench`.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Annotated

import typer

from eval.datasets import dataset
from eval.running import packaged
from eval.systems.corpus import Corpus
from eval.systems.langchain import LangChain
from rag_core.adapters.blobs import FolderBlobs
from rag_core.bootstrap import open_library
from rag_core.cli.demo import examples
from rag_core.keeping.ingestion import Source
from rag_core.settings import load_settings
from rag_core.types import CollectionName, Ingested, Scope

COLLECTION = CollectionName("bench")
K = 5


async def _seconds(work: Awaitable[object]) -> float:
    start = time.perf_counter()
    await work
    return time.perf_counter() - start


async def _median(work: Callable[[str], Awaitable[object]], asked: Sequence[str], times: int) -> float:
    rounds = [[await _seconds(work(question)) for question in asked] for _ in range(times + 1)]
    return median(seconds for one in rounds[1:] for seconds in one)


async def _run(files: Sequence[Path], home: Path, times: int) -> None:
    settings = load_settings(home=home)
    asked = [question.question for question in dataset("zero-trust").questions]
    async with open_library(settings) as library:
        embedder = packaged(settings)
        await embedder.embed(["Load the model."])
        await library.judge([("Load.", "Load.")])
        results: list[Ingested] = []
        warm, *_ = sorted(files, key=lambda file: file.stat().st_size)
        await library.add([Source(warm, warm.name)], collection=COLLECTION, report=results.append)
        scope = Scope.of(COLLECTION)
        for result in results:
            if result.document is not None:
                await library.remove(result.document.id, scope=scope)
        results.clear()
        ours = await _seconds(
            library.add([Source(file, file.name) for file in files], collection=COLLECTION, report=results.append)
        )
        documents = tuple(result.document.id for result in results if result.document is not None)
        corpus = Corpus(
            library=library,
            embedder=embedder,
            documents=documents,
            collections=frozenset({COLLECTION}),
            passages=settings.passages,
            gate=settings.gate,
            path=FolderBlobs(home / "blobs").path,
        )
        theirs_to_find = LangChain()
        theirs = await _seconds(theirs_to_find.prepare(corpus))

        async def find(question: str) -> object:
            return await library.search(question, scope=scope, k=K)

        async def also_find(question: str) -> object:
            return await theirs_to_find.ask(question, documents)

        # Both remember the vector of a question that was asked before, so the first round is left out.
        found, also = [await _median(work, asked, times) for work in (find, also_find)]
        await embedder.close()
    typer.echo(f"ingest: Pincite {ours:.1f} s, LangChain {theirs:.1f} s; ratio {ours / theirs:.2f}")
    typer.echo(
        f"search, median: Pincite {found * 1000:.0f} ms, LangChain {also * 1000:.0f} ms; ratio {found / also:.2f}"
    )


def main(
    files: Annotated[list[Path] | None, typer.Argument(exists=True, dir_okay=False)] = None,
    times: Annotated[int, typer.Option("--times", min=1, help="How often each question is asked.")] = 3,
) -> None:
    """Print two ratios."""
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as home:
        asyncio.run(_run(files or sorted(examples().glob("*.pdf")), Path(home), times))


if __name__ == "__main__":
    typer.run(main)
