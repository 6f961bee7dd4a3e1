"""Documents that come and go: `python -m eval.bench.growth --cycles 2000` compares the folder with a fresh one.

The reader and the model are stand-ins, so that what is measured is the stores. In the end the documents that stayed are
ingested into an empty folder, and both are compared after they were put in order, as whoever drains does every hour.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import sys
import tempfile
import time
from pathlib import Path

from eval.bench.faults import text_of
from eval.bench.plain import HashedEmbedder, PlainExtractor
from rag_core.bootstrap import open_library
from rag_core.ingestion import Source
from rag_core.library import Library
from rag_core.settings import load_settings
from rag_core.types import CollectionName, Ingested, Scope

LOCAL = CollectionName("local")
SCOPE = Scope.of(LOCAL)
STAY = 50
"""Documents that are there at any time."""
AN_HOUR = 100
"""Cycles between two compactions: a busy hour's."""


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


async def run(cycles: int, folder: Path) -> dict[str, object]:
    """Sizes, seconds and memory."""
    home, files = folder / "home", folder / "files"
    files.mkdir()
    memory: list[float] = []
    largest = 0
    async with open_library(load_settings(home=home), embedder=HashedEmbedder(), extractor=PlainExtractor()) as library:
        await ingested(library, files, list(range(STAY)))
        start = time.perf_counter()
        for cycle in range(cycles):
            oldest = (await library.documents(SCOPE))[0]
            receipt = await library.remove(oldest.id, scope=SCOPE)
            assert receipt.verified, receipt.remains
            await ingested(library, files, [STAY + cycle])
            if cycle % AN_HOUR == AN_HOUR - 1:
                largest = max(largest, size(home))
                await library.tidy()
                memory.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10)
                print(f"{cycle + 1:6d} cycles, {size(home) / 2**20:7.1f} MiB, {memory[-1]:6.0f} MB", flush=True)
        seconds = time.perf_counter() - start
        await library.tidy()
    fresh = folder / "fresh"
    async with open_library(
        load_settings(home=fresh), embedder=HashedEmbedder(), extractor=PlainExtractor()
    ) as library:
        await ingested(library, files, list(range(cycles, cycles + STAY)))
        await library.tidy()
    return {
        "cycles": cycles,
        "seconds a cycle": round(seconds / max(1, cycles), 3),
        "bytes": size(home),
        "bytes of a fresh one": size(fresh),
        "times": round(size(home) / size(fresh), 2),
        "largest between compactions": largest,
        "peak memory so far in MB": [round(each) for each in memory],
    }


def main(arguments: list[str]) -> int:
    """Run it, and say what it came to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cycles", type=int, default=2000)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="pincite-growth-") as folder:
        print(json.dumps(asyncio.run(run(given.cycles, Path(folder))), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
