"""Claims about science to the abstracts that bear on them: nDCG@10 on SciFact, the whole way that a question goes.

    python -m eval.bench.scifact [--data DIR] [--home DIR]

Each of the 5,183 abstracts is a document of one page, cut, embedded and indexed as any other; a claim finds passages of
all of them, and a document's rank is its first passage's. Takes some minutes, most of them to embed; a folder that was
filled before is only asked again. BEIR (Thakur et al., 2021) publishes 0.665 for BM25 on the same data.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import tempfile
from array import array
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, get_args

import numpy as np
import typer
from rich.progress import track

from eval.unanswerable import data_folder
from rag_core.adapters.catalog import SqliteCatalog
from rag_core.adapters.embedder import SentenceTransformerEmbedder
from rag_core.adapters.index_store import FolderIndexStore
from rag_core.finding.index_state import state_of
from rag_core.finding.parts import Wholes, parts_of
from rag_core.finding.retrieval import Retrieval
from rag_core.reading.chunking import PageChunker
from rag_core.types import (
    Block,
    Chunk,
    CollectionName,
    Document,
    DocumentId,
    Entry,
    Glyphs,
    ModelCard,
    Page,
    Rect,
    Scope,
    SearchMode,
    Span,
)

DEEP = 10
"""Ranks that count."""
PASSAGES = 40
"""Asked for, so that ten documents are among them."""
AT_ONCE = 64
"""Abstracts embedded together."""
COLLECTION = CollectionName("scifact")


@dataclass(frozen=True, slots=True)
class Claim:
    """A question, and the grades of the documents that bear on it."""

    text: str
    grades: Mapping[str, int]


def claims(folder: Path) -> list[Claim]:
    """Those that were judged."""
    judged: dict[str, dict[str, int]] = defaultdict(dict)
    for line in (folder / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, document, grade = line.split("\t")
        judged[query][document] = int(grade)
    return [Claim(row["text"], judged[row["_id"]]) for row in rows(folder / "queries.jsonl") if row["_id"] in judged]


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file of JSON lines."""
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def ndcg(ranked: Sequence[str], grades: Mapping[str, int]) -> float:
    """Normalised discounted cumulative gain of the first ten (Järvelin and Kekäläinen, 2002)."""
    gained = sum(_gain(grades.get(name, 0), rank) for rank, name in enumerate(ranked[:DEEP], 1))
    best = sum(_gain(grade, rank) for rank, grade in enumerate(sorted(grades.values(), reverse=True)[:DEEP], 1))
    return gained / best


def _gain(grade: int, rank: int) -> float:
    return float((2**grade - 1) / np.log2(rank + 1))


@asynccontextmanager
async def _opened(home: Path) -> AsyncIterator[tuple[Retrieval, SqliteCatalog, FolderIndexStore, Any]]:
    embedder = SentenceTransformerEmbedder()
    catalog = await SqliteCatalog.open(home / "catalog.sqlite3")
    store = FolderIndexStore(home, catalog, embedder, patience=1)

    def chunker(card: ModelCard) -> PageChunker:
        return PageChunker(embedder.count_tokens, window=card.window)

    try:
        yield Retrieval(catalog, store, embedder, chunker), catalog, store, (embedder, chunker)
    finally:
        await store.close()
        await catalog.close()
        await embedder.close()


async def _run(folder: Path, home: Path) -> None:
    abstracts = {row["_id"]: row for row in rows(folder / "corpus.jsonl")}
    names = {_identity(name): name for name in abstracts}
    asked = claims(folder)
    async with _opened(home) as (retrieval, catalog, store, (embedder, chunker)):
        if await catalog.index_state() is None:
            await _fill(list(abstracts.values()), catalog, store, embedder, chunker(await embedder.card()))
        typer.echo(f"{len(names)} abstracts, {await catalog.count_chunks()} chunks, {len(asked)} claims")
        for mode in get_args(SearchMode):
            gains = []
            for claim in track(asked, description=mode):
                found = await retrieval.find(claim.text, scope=Scope.of(COLLECTION), k=PASSAGES, mode=mode)
                ranked = dict.fromkeys(names[passage.chunk.document_id] for passage in found.passages)
                gains.append(ndcg(list(ranked), claim.grades))
            typer.echo(f"{mode:8} nDCG@{DEEP} {np.mean(gains):.4f}")


async def _fill(
    abstracts: Sequence[Mapping[str, Any]],
    catalog: SqliteCatalog,
    store: FolderIndexStore,
    embedder: SentenceTransformerEmbedder,
    chunker: PageChunker,
) -> None:
    state = state_of(await embedder.card(), chunker, generation=1)
    indexes = await store.build(state)
    for i in track(range(0, len(abstracts), AT_ONCE), description="embedding"):
        titled: list[tuple[str, Chunk]] = []
        for row in abstracts[i : i + AT_ONCE]:
            page, identity = _page(row["text"]), _identity(row["_id"])
            chunks = chunker.chunk(identity, [page])
            at = datetime(2026, 1, 1, tzinfo=UTC)
            document = Document(identity, row["title"], f"{row['_id']}.pdf", 1, len(chunks), at, (COLLECTION,))
            await catalog.begin(document, [page], chunks)
            await catalog.ready(identity)
            titled += [(row["title"], chunk) for chunk in chunks]
        small = [c for _, c in titled if not c.whole]
        made = await embedder.embed_parts([c.indexed for c in small], [parts_of(c) for c in small], bulk=True)
        vectors = Wholes().given([c for _, c in titled], made)
        await indexes.add([Entry(c, title, its_own) for (title, c), its_own in zip(titled, vectors, strict=True)])
    await indexes.close()
    await catalog.set_index_state(state)


def _page(text: str) -> Page:
    span = Span(0, len(text))
    glyphs = Glyphs(array("f", bytes(16 * len(text))))
    return Page(1, 595, 842, "text", text, (Block("paragraph", span, Rect(0, 0, 1, 1)),), glyphs)


def _identity(name: str) -> DocumentId:
    return DocumentId(hashlib.sha256(name.encode()).hexdigest())


def main(
    data: Annotated[Path | None, typer.Option("--data", exists=True)] = None,
    home: Annotated[Path | None, typer.Option("--home", help="Keep the library here, or ask the one here.")] = None,
) -> None:
    """Print one line a mode."""
    folder = (data or data_folder()) / "retrieval" / "scifact"
    with tempfile.TemporaryDirectory() as scratch:
        asyncio.run(_run(folder, home or Path(scratch)))


if __name__ == "__main__":
    typer.run(main)
