"""How far ingestion falls behind the embedder: the whole ingest of a folder against embedding the same chunks alone.

    python -m eval.bench.ingest FOLDER [--home DIR] [--most N] [--every N]

Both run in this one process, one after the other. The smallest file is ingested first and not counted, so that neither
is charged with loading the model, and the ratio says what reading, cutting and indexing cost on top. The goal is a
ratio of at most 1.5. With `--every N` only every Nth portion of chunks is embedded alone, and its time
is scaled to all.
"""

from __future__ import annotations

import asyncio
import resource
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer

from rag_core.adapters.catalog import SqliteCatalog
from rag_core.adapters.embedder import SentenceTransformerEmbedder
from rag_core.bootstrap import open_library
from rag_core.keeping.indexing import EMBEDDED_AT_ONCE
from rag_core.keeping.ingestion import Source
from rag_core.settings import load_settings
from rag_core.types import CollectionName, DocumentId, Ingested

COLLECTION = "local"


async def _ingest(files: list[Path], home: Path) -> tuple[float, list[Ingested]]:
    """Seconds for the whole ingest but the first file, and what became of the others."""
    results: list[Ingested] = []
    sources = [Source(file, file.name) for file in files]
    async with open_library(load_settings(home=home)) as library:
        await library.add(sources[:1], collection=CollectionName(COLLECTION), report=lambda _: None)
        start = time.perf_counter()
        await library.add(sources[1:], collection=CollectionName(COLLECTION), report=results.append)
        return time.perf_counter() - start, results


async def _embed(home: Path, documents: list[DocumentId], every: int) -> tuple[float, int]:
    """Seconds that the embedder alone needs for the documents' chunks, in the same portions, and their number."""
    settings = load_settings(home=home)
    embedder = SentenceTransformerEmbedder(settings.embedding_model, dtype=settings.embedding_dtype)
    catalog = await SqliteCatalog.open(home / "catalog.sqlite3")
    try:
        await embedder.embed(["warm"])
        portions = []
        for document in documents:
            texts = [chunk.indexed for chunk in await catalog.chunks_of(document)]
            portions += [texts[i : i + EMBEDDED_AT_ONCE] for i in range(0, len(texts), EMBEDDED_AT_ONCE)]
        taken = portions[::every]
        start = time.perf_counter()
        for portion in taken:
            await embedder.embed(portion)
        chunks = sum(map(len, portions))
        seconds = (time.perf_counter() - start) * chunks / sum(map(len, taken))
    finally:
        await catalog.close()
        await embedder.close()
    return seconds, chunks


def main(
    folder: Annotated[Path, typer.Argument(exists=True, file_okay=False)],
    home: Annotated[Path | None, typer.Option("--home", help="Keep the library here.")] = None,
    every: Annotated[int, typer.Option("--every", min=1, help="Embed only every Nth portion alone.")] = 1,
    most: Annotated[int | None, typer.Option("--most", help="Only the first so many files.")] = None,
) -> None:
    """Measure, and print one line of figures."""
    files = sorted(sorted(folder.rglob("*.pdf"))[:most], key=lambda file: file.stat().st_size)
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as scratch:
        where = home or Path(scratch)
        whole, results = asyncio.run(_ingest(files, where))
        indexed = [result.document.id for result in results if result.document and result.status == "indexed"]
        alone, chunks = asyncio.run(_embed(where, indexed, every))
    pages = sum(result.document.pages for result in results if result.document)
    failed = sum(result.status == "failed" for result in results)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    typer.echo(
        f"{len(results)} files ({failed} failed), {pages} pages, {chunks} chunks: ingest {whole:.0f} s "
        f"({pages / whole:.1f} pages/s, peak {memory:.0f} MB), embedding alone {alone:.0f} s "
        f"({chunks / alone:.1f} chunks/s); ingest_ratio={whole / alone:.3f}"
    )


if __name__ == "__main__":
    typer.run(main)
