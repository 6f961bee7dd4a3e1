"""Questions beside a long document that the same process ingests: `python -m eval.bench.beside`.

Everybody's first library: the program that answers is the one that reads, cuts, indexes and embeds. Searches are timed
alone and while a document comes, which is timed alone, too. The model is the packaged one; the reader is a stand-in, as
PDFs are read by a process of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

from eval.bench.faults import text_of
from eval.bench.plain import PlainExtractor
from rag_core.bootstrap import open_library
from rag_core.keeping.ingestion import Source
from rag_core.library import Library
from rag_core.settings import load_settings
from rag_core.types import CollectionName, Ingested, Scope

LOCAL = CollectionName("local")
SCOPE = Scope.of(LOCAL)
BEFORE = 20
"""Short documents that are there when it begins."""
PAUSE_SECONDS = 0.1
"""Between two questions."""
ALONE = 60
"""Questions at rest."""


async def _measured(home: Path, pages: int) -> dict[str, float]:
    async with open_library(load_settings(home=home), extractor=PlainExtractor()) as library:
        for number in range(BEFORE):
            await _ingested(library, _file(home.parent, number, text_of(number)))
        rest = [await _searched(library, number) for number in range(ALONE)]
        alone = await _ingested(library, _file(home.parent, 1001, _long(1001, pages)))
        rest += [await _searched(library, number) for number in range(ALONE, 2 * ALONE)]
        coming = asyncio.create_task(_ingested(library, _file(home.parent, 1002, _long(1002, pages))))
        beside: list[float] = []
        while not coming.done():
            beside.append(await _searched(library, 2 * ALONE + len(beside)))
        return {
            "questions at rest, median ms": round(statistics.median(rest), 1),
            "questions at rest, p95 ms": _p95(rest),
            "questions beside it": len(beside),
            "questions beside it, median ms": round(statistics.median(beside), 1),
            "questions beside it, p95 ms": _p95(beside),
            "the document alone, s": round(alone, 1),
            "the document beside questions, s": round(await coming, 1),
        }


async def _searched(library: Library, number: int) -> float:
    """How many milliseconds it took to find something, for a question that nobody asked before."""
    await asyncio.sleep(PAUSE_SECONDS)
    start = time.perf_counter()
    await library.search(f"what does document {number} say on its page", scope=SCOPE)
    return (time.perf_counter() - start) * 1000


async def _ingested(library: Library, path: Path) -> float:
    """How many seconds it took."""
    results: list[Ingested] = []
    start = time.perf_counter()
    await library.add([Source(path, path.name)], collection=LOCAL, report=results.append)
    assert results[0].status == "indexed", results
    return time.perf_counter() - start


def _file(folder: Path, number: int, text: str) -> Path:
    path = folder / f"{number}.pdf"
    path.write_text(text, encoding="utf-8")
    return path


def _long(number: int, pages: int) -> str:
    """A document of so many pages, each a chunk or two."""
    return "\f".join(
        " ".join(f"On page {page} of report {number}, gauge {gauge} stood at {page * gauge} mm." for gauge in range(20))
        for page in range(1, pages + 1)
    )


def _p95(times: list[float]) -> float:
    return round(statistics.quantiles(times, n=20)[-1], 1)


def main(arguments: list[str]) -> int:
    """Run it, and say what it came to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=200)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="pincite-beside-") as folder:
        print(json.dumps(asyncio.run(_measured(Path(folder) / "home", given.pages)), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
