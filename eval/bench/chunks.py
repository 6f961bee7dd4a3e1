"""How long a chunk should be: what each size and overlap does to evidence, to retrieval, and to the index.

    python -m eval.bench.chunks [--data DIR] [--target 160]… [--overlap 40]… [--characters N]

Reads the public questions (`pdfqa.jsonl`) and their PDFs. For every size it reports how much of the gold evidence is
within one chunk, and how often the gold page is hit by dense, sparse and fused search with the document given.
`--characters` takes the documents with most questions for their length until that much text is reached: all of them
take a night on a small machine, and a fifth of the text has three in four of the questions.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray
from rich.progress import track

from eval.bench.evidence import Found, evidence_in, read_documents, read_questions
from eval.unanswerable import data_folder
from rag_core.adapters.embedder import SentenceTransformerEmbedder
from rag_core.adapters.sparse_index import SparseIndex
from rag_core.finding.fusion import reciprocal_rank_fusion
from rag_core.keeping.ingestion import digest
from rag_core.reading.chunking import OVERLAP, TARGET, PageChunker
from rag_core.types import Chunk, DocumentId, Entry, Extraction, Hit

CANDIDATES = 50
BATCH = 256
K = 5


@dataclass(frozen=True, slots=True)
class Size:
    """One way to cut."""

    target: int
    overlap: int


@dataclass(frozen=True, slots=True)
class Cut:
    """What it gave."""

    size: Size
    chunks: int
    tokens: int
    """Of all that is embedded, context included."""
    evidence: float
    hits: Mapping[str, tuple[float, float]]
    """hit@1 and hit@5 by retriever."""


def chosen(
    rows: Sequence[Mapping[str, Any]], documents: Mapping[str, Extraction], characters: int
) -> dict[str, Extraction]:
    """The documents with most questions for their length, up to so many characters."""
    asked = Counter(row["pdf"] for row in rows)
    length = {name: sum(len(page.text) for page in document.pages) for name, document in documents.items()}
    taken: dict[str, Extraction] = {}
    total = 0
    for name in sorted(asked, key=lambda name: length[name] / asked[name]):
        if total + length[name] > characters:
            break
        total += length[name]
        taken[name] = documents[name]
    return taken


async def measure(
    size: Size,
    rows: Sequence[Mapping[str, Any]],
    documents: Mapping[str, Extraction],
    ids: Mapping[str, DocumentId],
    embedder: SentenceTransformerEmbedder,
) -> Cut:
    """Cut, index, and ask."""
    card = await embedder.card()
    chunker = PageChunker(embedder.count_tokens, card.window, target=size.target, overlap=size.overlap)
    cuts = {
        name: [chunk for chunk in chunker.chunk(ids[name], document.pages) if not chunk.whole]
        for name, document in documents.items()
    }
    found = [evidence_in(row, documents[row["pdf"]], cuts[row["pdf"]]) for row in rows if row["verbatim"]]
    every = [chunk for chunks in cuts.values() for chunk in chunks]
    vectors = await _vectors(every, embedder, str(size))
    hits = await _hits(rows, ids, every, vectors, embedder)
    return Cut(
        size,
        chunks=len(every),
        tokens=sum(embedder.count_tokens([chunk.indexed for chunk in every])),
        evidence=sum(f is Found.IN_ONE_CHUNK for f in found) / max(len(found), 1),
        hits=hits,
    )


async def _vectors(chunks: Sequence[Chunk], embedder: SentenceTransformerEmbedder, what: str) -> NDArray[np.float32]:
    ordered = sorted(range(len(chunks)), key=lambda i: len(chunks[i].indexed))  # equal lengths pad least
    starts = track(range(0, len(chunks), BATCH), description=what)
    vectors = np.concatenate(
        [await embedder.embed([chunks[i].indexed for i in ordered[start : start + BATCH]]) for start in starts]
    )
    back = np.empty_like(vectors)
    back[ordered] = vectors
    return back


async def _hits(
    rows: Sequence[Mapping[str, Any]],
    ids: Mapping[str, DocumentId],
    chunks: Sequence[Chunk],
    vectors: NDArray[np.float32],
    embedder: SentenceTransformerEmbedder,
) -> dict[str, tuple[float, float]]:
    asked = [row for row in rows if row["pages"]]
    queries = await embedder.embed([row["question"] for row in asked])
    owner = np.array([chunk.document_id for chunk in chunks])
    ranks: dict[str, list[int]] = {"dense": [], "sparse": [], "rrf": []}
    with tempfile.TemporaryDirectory() as folder:
        index = await SparseIndex.open(Path(folder))
        await index.add([Entry(chunk, "", vector[None]) for chunk, vector in zip(chunks, vectors, strict=True)])
        for row, query in zip(asked, queries, strict=True):
            mine = np.flatnonzero(owner == ids[row["pdf"]])
            scores = vectors[mine] @ query
            best = mine[np.argsort(-scores, kind="stable")[:CANDIDATES]]
            dense = [Hit(chunks[i].id, chunks[i].document_id, chunks[i].page, 0.0) for i in best]
            sparse = await index.retrieve(row["question"], within=[ids[row["pdf"]]], k=CANDIDATES)
            for name, run in (
                ("dense", dense),
                ("sparse", sparse),
                ("rrf", reciprocal_rank_fusion([dense, sparse])),
            ):
                ranks[name].append(_rank(run, row["pages"]))
        await index.close()
    return {
        name: (sum(r == 1 for r in values) / len(values), sum(0 < r <= K for r in values) / len(values))
        for name, values in ranks.items()
    }


def _rank(run: Sequence[Hit], gold: Sequence[int]) -> int:
    """The first hit on a gold page, from 1; 0 when there is none."""
    return next((rank for rank, hit in enumerate(run, 1) if hit.page in gold), 0)


async def _run(data: Path, sizes: Sequence[Size], characters: int) -> None:
    rows = read_questions(data)
    documents = chosen(rows, await read_documents(data, rows), characters)
    rows = [row for row in rows if row["pdf"] in documents]
    ids = {name: digest(data / name) for name in documents}
    typer.echo(
        f"{len(documents)} documents, {sum(len(d.pages) for d in documents.values())} pages, {len(rows)} questions"
    )
    typer.echo("target overlap  chunks  tokens  evidence  dense@1/@5     sparse@1/@5    rrf@1/@5")
    embedder = SentenceTransformerEmbedder()
    try:
        for size in sizes:
            cut = await measure(size, rows, documents, ids, embedder)
            figures = "  ".join(f"{one:.3f} / {five:.3f}" for one, five in cut.hits.values())
            typer.echo(
                f"{size.target:6} {size.overlap:7} {cut.chunks:7} {cut.tokens // 1000:6}k {cut.evidence:9.3f}  "
                + figures
            )
    finally:
        await embedder.close()


def main(
    data: Annotated[Path | None, typer.Option("--data", exists=True)] = None,
    target: Annotated[list[int] | None, typer.Option("--target", min=16)] = None,
    overlap: Annotated[list[int] | None, typer.Option("--overlap", min=0)] = None,
    characters: Annotated[int, typer.Option("--characters", min=1)] = 10**9,
) -> None:
    """Print one line a size."""
    sizes = [Size(t, o) for t in target or [TARGET] for o in overlap or [OVERLAP]]
    asyncio.run(_run(data or data_folder(), sizes, characters))


if __name__ == "__main__":
    typer.run(main)
