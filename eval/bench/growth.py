"""Documents that come and go: `python -m eval.bench.growth --cycles 2000` compares the folder with a fresh one.

Each cycle removes the oldest document, ingests another, and searches; every tenth asks. The stores are put in order
after every hundred, as whoever drains does every hour. In the end those that stayed are ingested into an empty folder.
Resident memory is told every minute, with its slope over all but the first quarter of the run, and over its second
half: `--minutes 60` ends it after an hour, however many cycles that were. The reader is a stand-in, and so is the
embedding model without `--models`, so that what is measured is the stores; answers are verified as ever.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eval.bench.faults import text_of
from eval.bench.memory import resident
from eval.bench.plain import HashedEmbedder, PlainExtractor
from rag_core.bootstrap import open_library
from rag_core.keeping.ingestion import Source
from rag_core.library import Library
from rag_core.settings import load_settings
from rag_core.types import CollectionName, Ingested, Scope

LOCAL = CollectionName("local")
SCOPE = Scope.of(LOCAL)
STAY = 50
"""Documents that are there at any time."""
AN_HOUR = 100
"""Cycles between two compactions: a busy hour's."""
ASKED_EVERY = 10
"""Cycles."""
WARMING = 0.25
"""Of the run: what is loaded meanwhile is no growth."""


@dataclass
class Memory:
    """Resident megabytes, once a minute."""

    start: float = field(default_factory=time.monotonic)
    samples: list[tuple[float, int]] = field(default_factory=list)

    def look(self) -> None:
        """Take a sample if it is time for one."""
        minutes = (time.monotonic() - self.start) / 60
        if not self.samples or minutes >= self.samples[-1][0] + 1:
            self.samples.append((minutes, resident()))
            print(f"{minutes:6.1f} min, {self.samples[-1][1]:5d} MB", file=sys.stderr, flush=True)

    def slope(self, after: float) -> float | None:
        """Megabytes an hour, by least squares, after this share of the run."""
        late = self.samples[int(len(self.samples) * after) :]
        if len(late) < 3:  # noqa: PLR2004 - two points are on any line
            return None
        return round(statistics.linear_regression(*zip(*late, strict=True)).slope * 60, 1)


def size(home: Path) -> int:
    """Bytes of all files below."""
    return sum(path.stat().st_size for path in home.rglob("*") if path.is_file())


async def ingested(library: Library, files: Path, numbers: list[int]) -> list[Ingested]:
    """What became of these documents."""
    results: list[Ingested] = []
    sources = []
    for number in numbers:
        path = files / f"{number}.pdf"
        path.write_text(text_of(number), encoding="utf-8")
        sources.append(Source(path, path.name))
    await library.add(sources, collection=LOCAL, report=results.append)
    return results


async def cycle(library: Library, files: Path, number: int) -> None:
    """The oldest goes, another comes, and is asked."""
    oldest = (await library.documents(SCOPE))[0]
    receipt = await library.remove(oldest.id, scope=SCOPE)
    assert receipt.verified, receipt.remains
    [result] = await ingested(library, files, [number])
    assert result.status == "indexed", result
    question = f"What does document {text_of(number).split()[1]} say?"
    assert (await library.search(question, scope=SCOPE)).passages
    if number % ASKED_EVERY == 0:
        await library.ask(question, scope=SCOPE, writer="quote")


async def run(cycles: int, seconds: float, folder: Path, *, models: bool = False) -> dict[str, Any]:
    """Sizes, seconds and memory."""
    home, files = folder / "home", folder / "files"
    files.mkdir()
    memory, largest, done = Memory(), 0, 0
    async with _library(home, models=models) as library:
        await ingested(library, files, list(range(STAY)))
        start = time.monotonic()
        while done < cycles and time.monotonic() < start + seconds:
            await cycle(library, files, STAY + done)
            done += 1
            memory.look()
            if done % AN_HOUR == 0:
                largest = max(largest, size(home))
                await library.tidy()
                print(f"{done:6d} cycles, {size(home) / 2**20:7.1f} MiB", file=sys.stderr, flush=True)
        took = time.monotonic() - start
        await library.tidy()
    async with _library(folder / "fresh", models=models) as library:
        await ingested(library, files, list(range(done, done + STAY)))
        await library.tidy()
    fresh = size(folder / "fresh")
    middle = memory.samples[len(memory.samples) // 2]
    return {
        "cycles": done,
        "seconds a cycle": round(took / max(1, done), 3),
        "bytes": size(home),
        "bytes of a fresh one": fresh,
        "times": round(size(home) / fresh, 2),
        "largest between compactions": largest,
        "resident MB at start, middle, end": [memory.samples[0][1], middle[1], memory.samples[-1][1]],
        "MB an hour": memory.slope(WARMING),
        "MB an hour in the second half": memory.slope(0.5),
    }


def _library(home: Path, *, models: bool) -> AbstractAsyncContextManager[Library]:
    embedder = None if models else HashedEmbedder()
    return open_library(load_settings(home=home), embedder=embedder, extractor=PlainExtractor())


def main(arguments: list[str]) -> int:
    """Run it, and say what it came to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cycles", type=int, default=sys.maxsize)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--models", action="store_true", help="embed with the model that the settings name")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="pincite-growth-") as folder:
        measured = run(given.cycles, given.minutes * 60, Path(folder), models=given.models)
        print(json.dumps(asyncio.run(measured), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
