"""The vectors of chunks and of their sentences, by chunk, in a SQLite file: for a close look at what was found.

A chunk's own vector is the mean of all it says; the sentence that answers may be far nearer to the question. This is
late interaction (Khattab and Zaharia, 2020) with sentences for tokens, as a vector a token is too much to keep. Vectors
are kept as bytes, each scaled to its largest component: what a byte rounds moves a cosine by less than a thousandth.
Like the index beside it the file holds no text.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self

import aiosqlite

from rag_core.adapters.sqlite_room import rewrite, scrub, vacuum
from rag_core.adapters.unusable import unusable
from rag_core.finding.parts import nearness_of
from rag_core.protocols import Embedder
from rag_core.types import ChunkId, DocumentId, Entry, Nearness

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SCHEMA = """
    CREATE TABLE IF NOT EXISTS closeups (chunk_id TEXT PRIMARY KEY, document_id TEXT NOT NULL, vectors BLOB NOT NULL);
    CREATE INDEX IF NOT EXISTS closeups_by_document ON closeups (document_id);
"""
BUSY_SECONDS = 30.0
"""How long SQLite waits for another process's transaction."""
LARGEST = 127
"""Of a signed byte."""


class SqliteCloseups:
    """Implements `Closeups`."""

    def __init__(
        self, reader: aiosqlite.Connection, writer: aiosqlite.Connection, embedder: Embedder, dimension: int
    ) -> None:
        self._reader = reader
        """Its own, so that no question waits for what is written to reach the disk."""
        self._writer = writer
        self._embedder = embedder
        self._dimension = dimension

    @classmethod
    async def open(cls, path: Path, embedder: Embedder, *, dimension: int) -> Self:
        """The file at `path`, made empty where there is none; `dimension` is its vectors' length.

        Raises:
            StoreUnavailable: It cannot be used.
        """
        with _translated():
            writer = await _connect(path)
            try:
                await writer.executescript(SCHEMA)
                reader = await _connect(path)
            except BaseException:  # cancelled or failed: its thread would keep the process from ending
                await writer.close()
                raise
        return cls(reader, writer, embedder, dimension)

    async def nearness(self, query: str, ids: Sequence[ChunkId]) -> dict[ChunkId, Nearness]:
        """How near the query is to each chunk, and to the nearest of its parts."""
        if not ids or not query.strip():
            return {}
        vector = (await self._embedder.embed([query]))[0]
        with _translated():
            rows = list(
                await self._reader.execute_fetchall(
                    "SELECT chunk_id, vectors FROM closeups WHERE chunk_id IN (SELECT value FROM json_each(?))",
                    [json.dumps(ids)],  # one value however many there are: SQLite bounds how many a statement takes
                )
            )
            if any(not row[1] or len(row[1]) % self._dimension for row in rows):
                raise sqlite3.DatabaseError("vectors of another length")
        return _compared(vector, rows, self._dimension)

    async def add(self, entries: Sequence[Entry]) -> None:
        """Store the entries' vectors."""
        rows = [(entry.chunk.id, entry.chunk.document_id, _packed(entry.vectors)) for entry in entries]
        with _translated():
            await self._writer.executemany("INSERT OR REPLACE INTO closeups VALUES (?, ?, ?)", rows)
            await self._writer.commit()

    async def remove(self, document_id: DocumentId) -> None:
        """Delete the document's rows, and what the log still holds of them."""
        with _translated():
            await self._writer.execute("DELETE FROM closeups WHERE document_id = ?", [document_id])
            await self._writer.commit()
            await scrub(self._writer)

    async def count(self) -> int:
        """How many chunks it holds."""
        with _translated():
            rows = list(await self._reader.execute_fetchall("SELECT count(*) FROM closeups"))
        return int(rows[0][0])

    async def tally(self) -> dict[DocumentId, int]:
        """Chunks by document."""
        with _translated():
            rows = await self._reader.execute_fetchall(
                "SELECT document_id, count(*) FROM closeups GROUP BY document_id"
            )
        return {DocumentId(row[0]): int(row[1]) for row in rows}

    async def rewrite(self) -> None:
        """Write the file anew, so that no copy of what was deleted remains in it."""
        with _translated():
            await rewrite(self._writer)

    async def tidy(self) -> None:
        """Give freed room back to the system when it is a good part of the file."""
        with _translated():
            await vacuum(self._writer)

    async def close(self) -> None:
        """Close the file."""
        await self._reader.close()
        await self._writer.close()


async def _connect(path: Path) -> aiosqlite.Connection:
    db = await aiosqlite.connect(path, timeout=BUSY_SECONDS)
    try:
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "secure_delete = ON"):
            await db.execute_fetchall(f"PRAGMA {pragma}")
    except BaseException:  # cancelled or failed: its thread would keep the process from ending
        await db.close()
        raise
    return db


def _packed(vectors: NDArray[np.float32]) -> bytes:
    import numpy as np

    largest = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), np.finfo(np.float32).tiny)
    return bytes(np.rint(vectors / largest * LARGEST).astype(np.int8).tobytes())


def _compared(vector: NDArray[np.float32], rows: Sequence[sqlite3.Row], dimension: int) -> dict[ChunkId, Nearness]:
    import numpy as np

    if not rows:
        return {}
    vectors = np.frombuffer(b"".join(row[1] for row in rows), dtype=np.int8).reshape(-1, dimension).astype(np.float32)
    cosines = vectors @ vector / np.maximum(np.linalg.norm(vectors, axis=1), 1)
    starts = np.cumsum([0, *(len(row[1]) // dimension for row in rows[:-1])])
    ends = [*starts[1:], len(cosines)]
    return {
        ChunkId(row[0]): nearness_of(cosines[start:end]) for row, start, end in zip(rows, starts, ends, strict=True)
    }


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as exc:
        raise unusable("The index of vectors for a close look", exc) from exc
