"""Several processes on one data folder: `python -m eval.bench.together --processes 4 --seconds 60`.

Each submits documents of its own, drains when it may, removes some, and searches all the time. In the end nothing may
be lost or double, and no error may have been met. Searches are timed while all of that goes on, and at rest: before it,
when there are few documents, and after it, when there are as many. The reader is a stand-in, and so is the model unless
`--model` asks for the packaged one, so that what is measured is the stores and who waits for whom.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path

from eval.bench.faults import text_of
from eval.bench.plain import HashedEmbedder, PlainExtractor
from rag_core.bootstrap import open_library
from rag_core.keeping.ingestion import Source
from rag_core.library import Library
from rag_core.settings import load_settings
from rag_core.types import CollectionName, Ingested, Scope

LOCAL = CollectionName("local")
SCOPE = Scope.of(LOCAL)
APART = 10_000
"""Between the numbers of two processes' documents."""
BEFORE = 40
"""Documents that are there when it begins."""
AT_REST = 10.0
"""Seconds of searching alone."""
TOGETHER = 600.0
"""Seconds within which all processes have to come so far: some remove documents at the end, which takes a few."""


@dataclass
class Told:
    """What one process did and met."""

    there: set[str] = field(default_factory=set)
    before: list[float] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)
    after: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Plan:
    """What all processes do."""

    home: Path
    seconds: float
    model: bool
    """Whether vectors are those of the packaged model."""

    def library(self) -> AbstractAsyncContextManager[Library]:
        """The data folder, open."""
        embedder = None if self.model else HashedEmbedder()
        return open_library(load_settings(home=self.home), embedder=embedder, extractor=PlainExtractor())


def _work(plan: Plan, number: int, together: Barrier, say: Connection) -> None:
    say.send(asyncio.run(_working(plan, number, together)))


async def _working(plan: Plan, number: int, together: Barrier) -> Told:
    draw, told = random.Random(number), Told()  # noqa: S311 - no secret hangs on it
    async with plan.library() as library:
        await library.search("the first one loads what all need", scope=SCOPE)
        await asyncio.to_thread(together.wait, TOGETHER)
        await _searched(library, AT_REST, told.before, told)
        await asyncio.to_thread(together.wait, TOGETHER)
        until = time.monotonic() + plan.seconds
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_searched(library, plan.seconds, told.busy, told))
            tasks.create_task(_ingested(library, plan.home.parent, number, until, draw, told))
        await asyncio.to_thread(together.wait, TOGETHER)
        await _searched(library, AT_REST, told.after, told)
    return told


async def _searched(library: Library, seconds: float, times: list[float], told: Told) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        start = time.perf_counter()
        try:
            await library.search("what does the document say again", scope=SCOPE)
        except Exception as exc:  # noqa: BLE001 - whatever it met is what is looked for
            told.errors.append(f"search: {type(exc).__name__}: {exc}")
        times.append((time.perf_counter() - start) * 1000)
        await asyncio.sleep(0.1)


async def _ingested(  # noqa: PLR0913, PLR0917 - what a process needs to know
    library: Library, folder: Path, number: int, until: float, draw: random.Random, told: Told
) -> None:
    count = number * APART
    while time.monotonic() < until:
        sources = []
        for _ in range(draw.randint(1, 4)):
            count += 1
            path = folder / f"{count}.pdf"
            path.write_text(text_of(count), encoding="utf-8")
            sources.append(Source(path, path.name))
        results: list[Ingested] = []
        try:
            await library.add(sources, collection=LOCAL, report=results.append)
            told.there |= {Path(result.path).name for result in results if result.status == "indexed"}
            told.errors += [f"{result.path}: {result.status} {result.message}" for result in results if result.code]
            if draw.random() < 0.3 and told.there:  # noqa: PLR2004 - now and then
                name = draw.choice(sorted(told.there))
                receipt = await library.remove((await library.document(name, scope=SCOPE)).id, scope=SCOPE)
                told.there.discard(name)
                told.errors += [f"remains of {name}: {each}" for each in receipt.remains]
        except Exception as exc:  # noqa: BLE001 - as above
            told.errors.append(f"ingest: {type(exc).__name__}: {exc}")


async def _filled(plan: Plan) -> Told:
    """A library in which searches at rest find something."""
    told, results = Told(), list[Ingested]()
    sources = []
    for number in range(BEFORE):
        path = plan.home.parent / f"{number}.pdf"
        path.write_text(text_of(number), encoding="utf-8")
        sources.append(Source(path, path.name))
    async with plan.library() as library:
        await library.add(sources, collection=LOCAL, report=results.append)
    told.there = {Path(result.path).name for result in results if result.status == "indexed"}
    return told


async def _compared(plan: Plan, told: list[Told]) -> list[str]:
    there = set[str]().union(*(one.there for one in told))
    async with plan.library() as library:
        names = Counter(document.filename for document in await library.documents(SCOPE))
        differences = [str(difference) for difference in await library.differences()]
    return [
        *(f"lost: {name}" for name in there - names.keys()),
        *(f"not asked for: {name}" for name in names.keys() - there),
        *(f"double: {name}" for name, count in names.items() if count > 1),
        *differences,
    ]


def _p95(times: list[float]) -> float:
    return round(statistics.quantiles(times, n=20)[-1], 1) if len(times) > 1 else 0.0


def main(arguments: list[str]) -> int:
    """Run it, and say what it came to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--model", action="store_true", help="embed with the packaged model")
    given = parser.parse_args(arguments)
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory(prefix="pincite-together-") as folder:
        plan = Plan(Path(folder) / "home", given.seconds, given.model)
        before = asyncio.run(_filled(plan))
        together = context.Barrier(given.processes)
        pipes, workers = [], []
        for number in range(1, given.processes + 1):
            ours, theirs = multiprocessing.Pipe()
            worker = context.Process(target=_work, args=(plan, number, together, theirs))
            worker.start()
            pipes.append(ours)
            workers.append(worker)
        told: list[Told] = [pipe.recv() for pipe in pipes]
        for worker in workers:
            worker.join()
        wrong = asyncio.run(_compared(plan, [before, *told]))
    searches = {which: [ms for one in told for ms in getattr(one, which)] for which in ("before", "busy", "after")}
    print(
        json.dumps(
            {
                "documents": sum(len(one.there) for one in told),
                "searches": len(searches["busy"]),
                "p95 at rest before": _p95(searches["before"]),
                "p95 while ingesting": _p95(searches["busy"]),
                "p95 at rest after": _p95(searches["after"]),
                "errors": [error for one in told for error in one.errors],
                "wrong": wrong,
            },
            indent=1,
        )
    )
    return 1 if wrong or any(one.errors for one in told) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
