"""How well keyword search finds the gold page, codes, quotations and numbers; and SciFact's documents.

    python -m eval.bench.keywords [--data DIR] [--no-pdfs]

Reads the public questions (`pdfqa.jsonl`) with their PDFs, as the product reads and cuts them, and `retrieval/scifact`;
what is not there is left out. A question is asked twice: of its document, and of all of them.
"""

from __future__ import annotations

import asyncio
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from eval.bench.evidence import read_documents, read_questions
from eval.bench.scifact import claims, ndcg
from eval.bench.scifact import rows as abstracts
from eval.unanswerable import data_folder
from rag_core.adapters.embedder import SentenceTransformerEmbedder
from rag_core.adapters.sparse_index import SparseIndex
from rag_core.keeping.ingestion import digest
from rag_core.protocols import Index
from rag_core.reading.chunking import PageChunker
from rag_core.types import Chunk, ChunkId, DocumentId, Entry, Span

CANDIDATES = 50
DEEP = 10
AT_ONCE = 512
"""Chunks a commit."""
LOOKUPS = 200
"""Of each kind."""
RARE = 5
"""Chunks that hold what is looked up, at most: of more, the first ten could not but be right."""
QUOTED = 5
"""Words of a quotation."""


# ------------------------------------------------------------------------------------------ questions


@dataclass(frozen=True, slots=True)
class Ranking:
    """How high the right hit stood."""

    first: float
    """The share of questions whose first hit is right."""
    fifth: float
    """The share with a right one among five."""
    reciprocal: float
    """MRR of the first ten."""
    found: float
    """The share with a right one among all that were asked for."""

    @classmethod
    def of(cls, ranks: Sequence[int]) -> Ranking:
        """From the rank of the first right hit of each question, 0 where there is none."""
        n = len(ranks)
        return cls(
            sum(rank == 1 for rank in ranks) / n,
            sum(0 < rank <= 5 for rank in ranks) / n,  # noqa: PLR2004
            sum(1 / rank for rank in ranks if 0 < rank <= DEEP) / n,
            sum(rank > 0 for rank in ranks) / n,
        )

    def __str__(self) -> str:
        return f"@1 {self.first:.3f}  @5 {self.fifth:.3f}  MRR@10 {self.reciprocal:.3f}  @50 {self.found:.3f}"


async def ranked(
    index: Index, rows: Sequence[Mapping[str, Any]], ids: Mapping[str, DocumentId], *, pooled: bool
) -> tuple[Ranking, list[float]]:
    """How high a gold page stands, and the milliseconds of each search."""
    ranks, times = [], []
    everything = sorted(set(ids.values()))
    for row in rows:
        gold = ids[row["pdf"]]
        start = time.perf_counter()
        hits = await index.retrieve(row["question"], within=everything if pooled else [gold], k=CANDIDATES)
        times.append((time.perf_counter() - start) * 1000)
        right = (i for i, hit in enumerate(hits, 1) if hit.document_id == gold and hit.page in row["pages"])
        ranks.append(next(right, 0))
    return Ranking.of(ranks), times


# -------------------------------------------------------------------------------------------- lookups


@dataclass(frozen=True, slots=True)
class Lookup:
    """Something to be found as it stands."""

    query: str
    wanted: str
    """What a right chunk's text holds, case and blanks aside."""


_CODE = re.compile(
    r"(?<![\w./-])(?!\d+-[a-z]{2})(?=[\w./-]*\d)(?=[\w./-]*[A-Za-z])[A-Za-z0-9]+(?:[-./][A-Za-z0-9]+)+(?![\w/-])"
)
_GROUPED = re.compile(r"(?<![\d.,])\d{2,3}(?:,\d{3})+(?![\d.,])")


def lookups(texts: Sequence[str]) -> dict[str, list[Lookup]]:
    """The lookups of each kind, drawn from `texts`, the same at every run."""
    rng = random.Random(0)  # noqa: S311 - a sample, no secret
    codes = _drawn(rng, texts, _CODE.findall)
    numbers = _drawn(rng, texts, _GROUPED.findall)
    quotations = _drawn(rng, rng.sample(texts, min(len(texts), 4 * LOOKUPS)), lambda text: _runs(rng, text))
    return {
        "codes": [Lookup(code, code) for code in codes],
        "codes among other words": [Lookup(_with_words(rng, code, texts), code) for code in codes],
        "codes, blanks for signs": [Lookup(re.sub(r"[-/]", " ", code), code) for code in codes],
        "numbers without commas": [Lookup(number.replace(",", ""), number) for number in numbers],
        "quotations": [Lookup(f"Where does it say “{words}”?", words) for words in quotations],
    }


def _drawn(rng: random.Random, texts: Sequence[str], find: Callable[[str], list[str]]) -> list[str]:
    """Some of what `find` finds, none of it in many texts."""
    counts = Counter(found for text in texts for found in set(find(text)))
    rare = sorted(found for found, n in counts.items() if n <= RARE)
    return rng.sample(rare, min(len(rare), LOOKUPS))


def _with_words(rng: random.Random, code: str, texts: Sequence[str]) -> str:
    """`code` among words of other texts: right is still what holds the code."""
    others = [word for text in rng.sample(texts, 40) for word in text.split() if word.isalpha() and word.islower()]
    return f"How does {code} bear on {' '.join(rng.sample(others, 3))}?"


def _runs(rng: random.Random, text: str) -> list[str]:
    words = text.split()
    if len(words) < 2 * QUOTED or any(sign in text for sign in '"“”|'):
        return []
    start = rng.randrange(len(words) - QUOTED)
    return [" ".join(words[start : start + QUOTED])]


async def looked_up(
    index: Index, asked: Sequence[Lookup], texts: Mapping[ChunkId, str], within: Collection[DocumentId]
) -> tuple[float, float]:
    """The share of lookups whose first hit is right, and of all the first ten hits, the share that is."""
    first, right, seen = 0, 0, 0
    for lookup in asked:
        hits = await index.retrieve(lookup.query, within=within, k=DEEP)
        good = [_plain(lookup.wanted) in texts[hit.chunk_id] for hit in hits]
        first += bool(good and good[0])
        right += sum(good)
        seen += len(good)
    return first / len(asked), right / max(seen, 1)


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


# -------------------------------------------------------------------------------------------- SciFact


async def scifact(folder: Path) -> tuple[float, int]:
    """nDCG@10 over the test queries, and how many there are."""
    corpus = DocumentId("scifact")
    entries = [
        Entry(_chunk(row["_id"], corpus, row["text"]), row["title"], np.zeros((1, 1), np.float32))
        for row in abstracts(folder / "corpus.jsonl")
    ]
    gains = []
    async with filled(entries) as index:
        for claim in claims(folder):
            hits = await index.retrieve(claim.text, within=[corpus], k=DEEP)
            gains.append(ndcg([hit.chunk_id for hit in hits], claim.grades))
    return sum(gains) / len(gains), len(gains)


def _chunk(name: str, document: DocumentId, text: str) -> Chunk:
    span = Span(0, max(len(text), 1))
    return Chunk(ChunkId(name), document, 1, span, span, text)


# ---------------------------------------------------------------------------------------------- runs


@asynccontextmanager
async def filled(entries: Sequence[Entry]) -> AsyncIterator[SparseIndex]:
    """An index of the entries in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        index = await SparseIndex.open(Path(folder))
        try:
            for i in range(0, len(entries), AT_ONCE):
                await index.add(entries[i : i + AT_ONCE])
            yield index
        finally:
            await index.close()


async def cut(data: Path, rows: Sequence[Mapping[str, Any]]) -> list[Entry]:
    """The chunks of the questions' PDFs, as the product makes and indexes them."""
    documents = await read_documents(data, rows)
    embedder = SentenceTransformerEmbedder()
    try:
        chunker = PageChunker(embedder.count_tokens, (await embedder.card()).window)
        entries: dict[ChunkId, Entry] = {}
        for name, document in documents.items():
            title = f"{document.title or Path(name).stem} {re.sub('[-_]', ' ', Path(name).stem)}"
            chunks = chunker.chunk(digest(data / name), document.pages)
            # Two names may be one document: equal bytes, equal ids.
            entries |= {chunk.id: Entry(chunk, title, np.zeros((1, 1), np.float32)) for chunk in chunks}
    finally:
        await embedder.close()
    return list(entries.values())


async def report(entries: Sequence[Entry], rows: Sequence[Mapping[str, Any]], ids: Mapping[str, DocumentId]) -> None:
    """Print what was found of the questions and the lookups."""
    asked = [row for row in rows if row["pages"]]
    typer.echo(f"{len(set(ids.values()))} documents, {len(entries)} chunks, {len(asked)} questions")
    start = time.perf_counter()
    async with filled(entries) as index:
        typer.echo(f"indexed at {len(entries) / (time.perf_counter() - start):.0f} chunks a second")
        for name, pooled in (("document given", False), ("all pooled", True)):
            ranking, times = await ranked(index, asked, ids, pooled=pooled)
            typer.echo(
                f"{name:15} {ranking}   {np.median(times):.1f} ms (p50), {np.percentile(times, 95):.1f} ms (p95)"
            )
        texts = {entry.chunk.id: _plain(entry.chunk.text) for entry in entries}
        for name, some in lookups([entry.chunk.text for entry in entries]).items():
            first, clean = await looked_up(index, some, texts, sorted(set(ids.values())))
            typer.echo(f"{len(some)} {name}: first hit right {first:.3f}, of ten hits right {clean:.3f}")


async def _run(data: Path, pdfs: bool) -> None:
    if pdfs and (data / "pdfqa.jsonl").exists():
        rows = read_questions(data)
        ids = {name: digest(data / name) for name in sorted({row["pdf"] for row in rows})}
        await report(await cut(data, rows), rows, ids)
    if (data / "retrieval" / "scifact").exists():
        gain, n = await scifact(data / "retrieval" / "scifact")
        typer.echo(f"SciFact, {n} queries: nDCG@10 {gain:.4f}")


def main(
    data: Annotated[Path | None, typer.Option("--data", exists=True)] = None,
    pdfs: Annotated[bool, typer.Option("--pdfs/--no-pdfs")] = True,
) -> None:
    """Print one line a measure."""
    asyncio.run(_run(data or data_folder(), pdfs))


if __name__ == "__main__":
    typer.run(main)
