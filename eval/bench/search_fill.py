"""A made-up library in a data folder: catalog and both indexes, timed while they grow."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import typer
from numpy.typing import NDArray

from eval.bench import madeup
from rag_core.adapters.catalog import SqliteCatalog
from rag_core.adapters.embedder import SentenceTransformerEmbedder
from rag_core.adapters.index_store import FolderIndexStore
from rag_core.finding.index_state import state_of
from rag_core.protocols import Indexes
from rag_core.reading.chunking import PageChunker
from rag_core.types import DocumentId, Entry, Hit, ModelCard, Span

AT_ONCE = 20
"""Documents handed to the indexes together: one by one would take hours at a million chunks."""
GROWTH = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000)
"""Sizes at which the growing library is asked."""
ASKED = 40
"""Questions then."""
EXACT = 200
"""Hits kept of the exact search."""
WARM = 10
"""Questions that go before those that count."""
MB = 2**20


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds of a call: median and 95th percentile by the wall, mean processor time of all threads."""

    p50: float
    p95: float
    cpu: float
    fewest: int
    """Results of the question that had fewest."""

    def __str__(self) -> str:
        return f"{self.p50:8.1f} {self.p95:8.1f} {self.cpu:8.1f} {self.fewest:8}"


@dataclass(slots=True)
class Filled:
    """What filling a library took."""

    chunks: int
    documents: int
    words: int
    """A chunk's."""
    seconds: dict[str, list[float]] = field(default_factory=dict)
    """Wall and processor seconds by what was filled."""
    growth: dict[str, list[list[float]]] = field(default_factory=dict)
    """By index: chunks, the median, and the 95th percentile."""
    megabytes: float = 0.0
    """The peak of the process that filled it."""


class Known:
    """An embedder that knows the vectors of the questions, so that an index is timed alone."""

    def __init__(self, card: ModelCard, around: madeup.Anchors) -> None:
        self._card = card
        self._vectors = dict(zip(around.questions, around.asked, strict=True))

    async def card(self) -> ModelCard:
        """The model that made the vectors."""
        return self._card

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Words, which nobody asks for."""
        return [len(text.split()) for text in texts]

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The questions' vectors."""
        return np.stack([self._vectors[text] for text in texts])

    async def embed_parts(
        self,
        texts: Sequence[str],
        _parts: Sequence[Sequence[Span]],
        *,
        bulk: bool = False,  # noqa: ARG002 - the protocol's
    ) -> list[NDArray[np.float32]]:
        """The same, as nobody asks for parts of a question."""
        return [vector[None] for vector in await self.embed(texts)]


class Best:
    """The scores of the chunks nearest to each question, found exactly while vectors go by."""

    def __init__(self, asked: NDArray[np.float32]) -> None:
        self._asked = asked
        self.scores: NDArray[np.float32] = np.empty((len(asked), 0), dtype=np.float32)
        """Shape (questions, hits), best first."""

    def look(self, vectors: NDArray[np.float32]) -> None:
        """Take these chunks in."""
        scores = np.concatenate([self.scores, self._asked @ vectors.T], axis=1)
        self.scores = -np.sort(-scores, axis=1)[:, :EXACT]


async def timed(
    questions: Sequence[str], ask: Callable[[str], Awaitable[Sequence[object]]], *, warm: int = WARM
) -> Cost:
    """What `ask` costs, over the questions."""
    for question in questions[:warm]:
        await ask(question)
    walls, counts, cpu = [], [], time.process_time()
    for question in questions:
        start = time.perf_counter()
        counts.append(len(await ask(question)))
        walls.append((time.perf_counter() - start) * 1000)
    spent = (time.process_time() - cpu) * 1000 / len(questions)
    return Cost(float(np.median(walls)), float(np.percentile(walls, 95)), spent, min(counts))


async def fill(chunks: int, words: int, home: Path, data: Path) -> Filled:
    """Make the library in `home`."""
    embedder = SentenceTransformerEmbedder()
    card = await embedder.card()
    around = await madeup.anchors(data, home / "anchors.npy", embedder)
    state = state_of(card, PageChunker(embedder.count_tokens, window=card.window), generation=1)
    await embedder.close()
    catalog = await SqliteCatalog.open(home / "catalog.sqlite3")
    await catalog.set_index_state(state)
    indexes = await FolderIndexStore(home, catalog, Known(card, around), patience=1).build(state)
    filled = Filled(chunks, -(-chunks // madeup.CHUNKS), words)
    best = Best(around.asked)
    some: list[madeup.Made] = []
    ids: list[DocumentId] = []
    count = 0
    for made in madeup.library(around, chunks, words=words):
        some.append(made)
        ids.append(made.document.id)
        count += len(made.chunks)
        if len(some) == AT_ONCE or count >= chunks or count in GROWTH:
            await _put(filled, some, catalog, indexes)
            best.look(np.concatenate([one.vectors[:, 0] for one in some]))
            some = []
        if count in GROWTH:
            await _asked_while_growing(filled, count, around.questions[:ASKED], indexes, frozenset(ids))
    np.save(home / "exact.npy", best.scores)
    await indexes.close()
    await catalog.close()
    filled.megabytes = resident(peak=True)
    return filled


async def _put(filled: Filled, some: Sequence[madeup.Made], catalog: SqliteCatalog, indexes: Indexes) -> None:
    async def note() -> None:
        for made in some:
            await catalog.begin(made.document, made.pages, made.chunks)
            await catalog.ready(made.document.id)

    entries = [entry for made in some for entry in entries_of(made)]
    steps: dict[str, Callable[[], Awaitable[None]]] = {
        "vectors": lambda: indexes.dense.add(entries),
        "close-ups": lambda: indexes.closeups.add(entries),
        "keywords": lambda: indexes.sparse.add(entries),
        "catalog": note,
    }
    for name, step in steps.items():
        wall, cpu = time.perf_counter(), time.process_time()
        await step()
        spent = filled.seconds.setdefault(name, [0.0, 0.0])
        spent[0] += time.perf_counter() - wall
        spent[1] += time.process_time() - cpu


async def _asked_while_growing(
    filled: Filled, count: int, questions: Sequence[str], indexes: Indexes, within: Collection[DocumentId]
) -> None:
    async def dense(question: str) -> list[Hit]:
        return await indexes.dense.retrieve(question, within=within, k=50)

    async def sparse(question: str) -> list[Hit]:
        return await indexes.sparse.retrieve(question, within=within, k=50)

    for name, ask in (("dense", dense), ("sparse", sparse)):
        cost = await timed(questions, ask)
        filled.growth.setdefault(name, []).append([count, cost.p50, cost.p95])
    typer.echo(f"{count:9} chunks: " + ", ".join(f"{name} {at[-1][1]:.1f} ms" for name, at in filled.growth.items()))


def entries_of(made: madeup.Made) -> list[Entry]:
    """A made-up document as the indexes take it."""
    return [
        Entry(chunk, made.document.title, its_own) for chunk, its_own in zip(made.chunks, made.vectors, strict=True)
    ]


def resident(*, peak: bool = False) -> float:
    """Megabytes of memory of this process, now or at most (Linux)."""
    wanted = "VmHWM:" if peak else "VmRSS:"
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(wanted)), 0.0)


def megabytes(folder: Path) -> float:
    """Of a folder's files, or of one file."""
    files = folder.rglob("*") if folder.is_dir() else [folder]
    return sum(file.stat().st_size for file in files if file.is_file()) / MB
