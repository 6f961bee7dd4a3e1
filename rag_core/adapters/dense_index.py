"""Chunks by meaning: their vectors in a LanceDB table, searched by dot product.

The table holds ids, pages and vectors, never text, so that a removed document leaves no words behind here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from rag_core.errors import StoreUnavailable
from rag_core.protocols import Embedder
from rag_core.types import ChunkId, DocumentId, Entry, Hit

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

TABLE = "chunks"
LEAST_AGE = timedelta(milliseconds=1)
"""Of versions that are pruned with a removal: all but the one that the removal itself made."""
TRIES = 2
"""A version that was pruned under a search is gone for it; the latest is there for the next try."""


class DenseIndex:
    """Implements `Index` on LanceDB; embeds each query with the model that embedded the chunks."""

    def __init__(self, connection: Any, table: Any, embedder: Embedder) -> None:  # noqa: ANN401 - LanceDB has no stubs
        self._connection = connection
        self._table = table
        self._embedder = embedder

    @classmethod
    async def open(cls, folder: Path, embedder: Embedder, *, dimension: int) -> Self:
        """The index in `folder`, made empty where there is none; `dimension` is its vectors' length.

        Raises:
            StoreUnavailable: The folder cannot be used.
        """
        import lancedb

        with _translated():
            await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
            # No interval: every read sees what other processes have written.
            connection = await lancedb.connect_async(folder, read_consistency_interval=timedelta(0))
            table = await connection.create_table(TABLE, schema=_schema(dimension), exist_ok=True)
        return cls(connection, table, embedder)

    async def retrieve(self, query: str, *, within: Collection[DocumentId], k: int) -> list[Hit]:
        """The chunks nearest in meaning; a score is the cosine of the angle to the query, in [-1, 1]."""
        if not within or not query.strip():
            return []
        vector = (await self._embedder.embed([query]))[0]
        rows = await self._nearest(vector, within, k)
        return [
            Hit(ChunkId(row["chunk_id"]), DocumentId(row["document_id"]), row["page"], 1.0 - row["_distance"])
            for row in rows
        ]

    async def _nearest(self, vector: NDArray[np.float32], within: Collection[DocumentId], k: int) -> list[Any]:
        for tries_left in reversed(range(TRIES)):
            search = self._table.vector_search(vector).distance_type("dot").where(_only(within)).limit(k)
            search = search.select(["chunk_id", "document_id", "page", "_distance"])
            try:
                with _translated():
                    return list((await search.to_arrow()).to_pylist())
            except StoreUnavailable:
                if not tries_left:
                    raise
        raise AssertionError("the last try returns or raises")

    async def add(self, entries: Sequence[Entry]) -> None:
        """Store the entries' vectors."""
        if not entries:
            return
        import numpy as np
        import pyarrow as pa

        vectors = np.stack([entry.vector for entry in entries])
        with _translated():
            schema = await self._table.schema()
            columns = [
                pa.array([entry.chunk.id for entry in entries]),
                pa.array([entry.chunk.document_id for entry in entries]),
                pa.array([entry.chunk.page for entry in entries], pa.int32()),
                pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), vectors.shape[1]),
            ]
            await self._table.add(pa.Table.from_arrays(columns, schema=schema))

    async def remove(self, document_id: DocumentId) -> None:
        """Delete the document's rows, and the old versions that still hold them."""
        with _translated():
            await self._table.delete(_only([document_id]))
            await self._table.optimize(cleanup_older_than=LEAST_AGE, delete_unverified=True)

    async def count(self) -> int:
        """How many chunks it holds."""
        with _translated():
            return int(await self._table.count_rows())

    async def close(self) -> None:
        """Close the table and its connection."""
        self._table.close()
        self._connection.close()


def _schema(dimension: int) -> pa.Schema:
    import pyarrow as pa

    return pa.schema(
        [
            ("chunk_id", pa.string()),
            ("document_id", pa.string()),
            ("page", pa.int32()),
            ("vector", pa.list_(pa.float32(), dimension)),
        ]
    )


def _only(documents: Collection[DocumentId]) -> str:
    # Ids are hexadecimal digests that this program computed: nothing in them can end the string.
    return "document_id IN ({})".format(", ".join(f"'{document_id}'" for document_id in sorted(documents)))


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (RuntimeError, ValueError, OSError) as exc:  # all that LanceDB raises
        raise StoreUnavailable(f"The vector index cannot be used ({exc}). `pincite rebuild` makes it anew.") from exc
