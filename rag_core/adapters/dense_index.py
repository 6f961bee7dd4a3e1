"""Chunks by meaning: their vectors in a LanceDB table, searched by dot product.

The table holds ids, pages and vectors, never text, so that a removed document leaves no words behind here. Small tables
are read whole, and exactly. Large ones have an approximate index, which is built and kept up to date by the writes.
Whatever no index holds yet is read whole beside it, so a document is found as soon as it was added.
"""

from __future__ import annotations

import asyncio
import math
import os
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from rag_core.adapters.free_memory import give_back
from rag_core.adapters.lance_table import Opened, opened
from rag_core.adapters.unusable import unusable
from rag_core.errors import StoreUnavailable
from rag_core.protocols import Embedder
from rag_core.types import ChunkId, DocumentId, Entry, Hit

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

TABLE = "chunks"
LEAST_AGE = timedelta(milliseconds=1)
"""Of versions that are pruned: all but the one that the pruning itself made."""
TRIES = 3
"""A version that was pruned under a search is gone for it; the latest is there for the next try."""
PROBES = 160
"""Partitions of some 4,000 vectors that a search reads at least: all of them up to 600,000 chunks, two thirds of them
at a million."""
REFINE = 2
"""Candidates an approximate search fetches for each hit, to order them by their true vectors."""
BITS = 4
"""An approximate vector's bits a dimension. One loses a sixth of the best ten; eight take six times as long to build,
and find no more."""
WIDE = 0.4
"""A scope with this share of the table is not filtered for: a filter that names thousands of documents costs more than
the hits that are dropped."""
SPARE = 16
"""Hits fetched beyond those that should do, as the sample tells a share only roughly."""
SAMPLE = 1_000
"""Rows whose documents tell a scope's share of the table."""
STALE = 0.05
"""Growth of the table after which the sample is taken anew."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """From which sizes on a table is searched, and its files and indexes put in order, in which way.

    Each step of upkeep costs little beside embedding what came before it.
    """

    exact_scope: int = 20_000
    """Rows. A smaller scope is read whole, through the index of document ids: exact, and no slower."""
    approximate_from: int = 20_000
    """Rows. Fewer are read whole in some 25 ms, and a removal writes them anew."""
    loose_share: float = 0.05
    """Of all rows, that no index holds yet, and every search reads whole. The index grows by two fifths, at most, until
    it is trained anew: it splits parts that outgrow it, which costs as much."""
    loose_rows: int = 10_000
    """Rows of that kind, at most: 12 ms."""
    segments: int = 6
    """Parts of the approximate index, most of a millisecond each to a search. One more, and it is trained anew as one.
    At a million rows that is a minute's work for 70,000 new ones."""
    fragments: int = 64
    """Files of rows, a sixth of a millisecond each to a search."""
    fragments_unindexed: int = 16
    """The same, where there is no approximate index yet, and merging them all takes a twentieth of a second."""


@dataclass(frozen=True, slots=True)
class _Sample:
    """The documents of rows at even distances."""

    rows: int
    documents: tuple[str, ...]

    def share(self, within: AbstractSet[DocumentId]) -> float:
        """How much of the table is of these documents, in [0, 1]."""
        return sum(document in within for document in self.documents) / max(1, len(self.documents))


class DenseIndex:
    """Implements `Index` on LanceDB; embeds each query with the model that embedded the chunks."""

    def __init__(self, folder: Path, opened: Opened, embedder: Embedder, *, dimension: int, sizes: Sizes) -> None:
        self._folder = folder
        self._opened = opened
        self._embedder = embedder
        self._dimension = dimension
        self._sizes = sizes
        self._sample = _Sample(0, ())

    @classmethod
    async def open(cls, folder: Path, embedder: Embedder, *, dimension: int, sizes: Sizes | None = None) -> Self:
        """The index in `folder`, made empty where there is none; `dimension` is its vectors' length.

        Raises:
            StoreUnavailable: The folder cannot be used.
        """
        os.environ.setdefault("LANCEDB_LOG", "error")  # or it tells whoever looks on of its own housekeeping
        await asyncio.to_thread(import_module, "lancedb")  # for a second, while the event loop goes on
        with _translated():
            table = await _open(folder, dimension)
        return cls(folder, table, embedder, dimension=dimension, sizes=sizes or Sizes())

    async def retrieve(self, query: str, *, within: Collection[DocumentId], k: int) -> list[Hit]:
        """The chunks nearest in meaning; a score is the cosine of the angle to the query, in [-1, 1]."""
        if not within or not query.strip():
            return []
        vector = (await self._embedder.embed([query]))[0]
        rows = await self._nearest(vector, within if isinstance(within, AbstractSet) else frozenset(within), k)
        return [
            Hit(ChunkId(row["chunk_id"]), DocumentId(row["document_id"]), row["page"], 1.0 - row["_distance"])
            for row in rows
        ]

    async def add(self, entries: Sequence[Entry]) -> None:
        """Store the entries' vectors."""
        if not entries:
            return
        import numpy as np
        import pyarrow as pa

        vectors = np.stack([entry.vectors[0] for entry in entries])
        with _translated():
            schema = await self._table.schema()
            columns = [
                pa.array([entry.chunk.id for entry in entries]),
                pa.array([entry.chunk.document_id for entry in entries]),
                pa.array([entry.chunk.page for entry in entries], pa.int32()),
                pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), vectors.shape[1]),
            ]
            await self._table.add(pa.Table.from_arrays(columns, schema=schema))
            await self._keep_up()

    async def remove(self, document_id: DocumentId) -> None:
        """Delete the document's rows, and the old versions that still hold them.

        A small table is written anew, and nothing of the document stays on the disk. A large one only marks rows as
        deleted, and writes a file anew when a tenth of it is marked or the approximate index is trained again; until
        then it keeps their vectors, never words. A rebuild leaves none.
        """
        with _translated():
            deleted = await self._table.delete(_only([document_id]))
            if not deleted.num_deleted_rows:
                return
            if await self._table.count_rows() < self._sizes.approximate_from:
                await self._table.update(updates_sql={"page": "page"})
            await self._tidy()

    async def count(self) -> int:
        """How many chunks it holds."""
        with _translated():
            return int(await self._table.count_rows())

    async def tally(self) -> dict[DocumentId, int]:
        """Chunks by document."""
        with _translated():
            rows = await self._table.query().select(["document_id"]).to_arrow()
        return Counter(map(DocumentId, rows["document_id"].to_pylist()))

    async def tidy(self) -> None:
        """Merge small files, and delete old versions and what a process that died left of new ones.

        Memory that is free in this process goes back to the system: LanceDB's threads, and others, leave it in pieces.
        """
        with _translated():
            await self._tidy()
        await asyncio.to_thread(give_back)

    async def close(self) -> None:
        """Close the table and its connection."""
        self._opened.close()

    @property
    def cached_bytes(self) -> int:
        """What LanceDB keeps in memory of what it has read."""
        return int(self._opened.session.size_bytes)

    @property
    def _table(self) -> Any:  # noqa: ANN401 - LanceDB has no stubs
        return self._opened.table

    # ------------------------------------------------------------------------------ searching

    async def _nearest(self, vector: NDArray[np.float32], within: AbstractSet[DocumentId], k: int) -> list[Any]:
        for tries_left in reversed(range(TRIES)):
            try:
                with _translated():
                    return await self._searched(vector, within, k)
            except StoreUnavailable:
                if not tries_left:
                    raise
        raise AssertionError("the last try returns or raises")

    async def _searched(self, vector: NDArray[np.float32], within: AbstractSet[DocumentId], k: int) -> list[Any]:
        sample = await self._sampled()
        share = sample.share(within)
        if share >= WIDE:
            asked = math.ceil(k * (2 - share) / share) + SPARE
            rows = await _rows(self._search(vector, asked).nprobes(PROBES))
            inside = [row for row in rows if row["document_id"] in within]
            if len(inside) >= k or len(rows) < asked:
                return inside[:k]
        search = self._search(vector, k).where(_only(within))
        if share * sample.rows <= self._sizes.exact_scope:
            return await _rows(search.bypass_vector_index())
        # No upper bound: it goes on to further partitions until it has k hits inside the scope.
        return await _rows(search.maximum_nprobes(0).minimum_nprobes(PROBES))

    def _search(self, vector: NDArray[np.float32], k: int) -> Any:  # noqa: ANN401 - as above
        search = self._table.vector_search(vector).distance_type("dot").limit(k).refine_factor(REFINE)
        return search.select(["chunk_id", "document_id", "page", "_distance"])

    async def _sampled(self) -> _Sample:
        rows = await self._table.count_rows()
        if rows > self._opened.rows:
            # The old one is not closed: searches that are under way hold it, and it goes with the last of them.
            self._opened = await _open(self._folder, self._dimension, rows=rows)
        if abs(rows - self._sample.rows) > STALE * self._sample.rows:
            taken = min(rows, SAMPLE)
            offsets = [i * rows // taken for i in range(taken)]
            found = await self._table.take_offsets(offsets).select(["document_id"]).to_arrow() if offsets else None
            self._sample = _Sample(rows, tuple(found["document_id"].to_pylist()) if found is not None else ())
        return self._sample

    # ------------------------------------------------------------------------------ upkeep

    async def _keep_up(self) -> None:
        """Put files and indexes in order when enough came that none of them holds."""
        rows = await self._table.count_rows()
        fragments = (await self._table.stats())["fragment_stats"]["num_fragments"]
        vectors = await self._index_of("vector")
        if vectors is None:
            worn, loose = rows >= self._sizes.approximate_from, fragments > self._sizes.fragments_unindexed
        else:
            worn = vectors.num_segments > self._sizes.segments
            loose = vectors.num_unindexed_rows > min(self._sizes.loose_rows, self._sizes.loose_share * rows)
        if worn:
            await self._train()
        elif loose or fragments > self._sizes.fragments:
            await self._tidy()

    async def _train(self) -> None:
        """Build the approximate index anew, over all rows."""
        from lancedb.index import IvfFlat, IvfRq

        # A sixteenth of a partition's vectors, and few rounds: more find no more. Lance merges smaller partitions than
        # its own at the next chance, so their size is left to it.
        how = {"distance_type": "dot", "sample_rate": 64, "max_iterations": 15}
        quantized = self._dimension % 8 == 0  # as Lance demands
        await self._table.create_index("vector", config=IvfRq(num_bits=BITS, **how) if quantized else IvfFlat(**how))
        await self._tidy()

    async def _tidy(self) -> None:
        """Merge small files, add loose rows to the indexes, and drop old versions.

        Lance merges only files that are in the same part of the approximate index, so large ones stay as they are
        until it is trained again.
        """
        from lancedb.index import BTree

        for _ in range(2):  # it prunes before it writes the indexes: again, for what those replaced
            await self._table.optimize(cleanup_older_than=LEAST_AGE, delete_unverified=True)
        if await self._index_of("document_id") is None and await self._table.count_rows():
            await self._table.create_index("document_id", config=BTree())

    async def _index_of(self, column: str) -> Any:  # noqa: ANN401 - as above
        return next((index for index in await self._table.list_indices() if index.columns == [column]), None)


async def _open(folder: Path, dimension: int, *, rows: int = 0) -> Opened:
    return await opened(folder, TABLE, _schema(dimension), vector_bytes=dimension * BITS // 8, rows=rows)


async def _rows(search: Any) -> list[Any]:  # noqa: ANN401 - as above
    return list((await search.to_arrow()).to_pylist())


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
        raise unusable("The vector index", exc) from exc
