"""A LanceDB table, opened with as much memory for its caches as a search of it can use, and no more.

LanceDB keeps what it has read of a table's files and indexes, by their names, in the caches of a session: up to 7 GB
unless it is told otherwise. Each write makes new files, and what is kept of those that were deleted is never asked for
again, so a table that many documents pass through fills whatever room there is.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

METADATA_BYTES = 16 * 2**20
"""For what is told of files: a table of 50,000 rows has half a megabyte of it."""
LEAST_ROWS = 20_000
"""For which there is room at any time, so that a new library is not opened again and again as it grows."""
SPARE = 2
"""Times the rows that are there, for which there is room when it is opened: for those to come."""
BESIDE = 160
"""Bytes that a row takes in the indexes' cache beside its approximate vector. With vectors of 192 bytes a row took 230,
before the index of document ids, 80 at most, was read as a whole."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A table, and what it needs as long as it is open."""

    connection: Any
    table: Any
    session: Any
    """Its caches."""
    rows: int
    """That there is room for: with more, each search reads parts of the indexes from the disk."""

    def close(self) -> None:
        """Close the table and its connection."""
        self.table.close()
        self.connection.close()


async def opened(folder: Path, name: str, schema: pa.Schema, *, vector_bytes: int, rows: int = 0) -> Opened:
    """The table in `folder`, made empty where there is none, with room for twice as many rows as it is told.

    `vector_bytes` is the length of an approximate vector.
    """
    import lancedb

    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    room = max(LEAST_ROWS, SPARE * rows)
    session = lancedb.Session(
        index_cache_size_bytes=room * (vector_bytes + BESIDE), metadata_cache_size_bytes=METADATA_BYTES
    )
    # No interval: every read sees what other processes have written. Looking costs a tenth of a millisecond.
    connection = await lancedb.connect_async(folder, read_consistency_interval=timedelta(0), session=session)
    table = await connection.create_table(name, schema=schema, exist_ok=True)
    return Opened(connection, table, session, room)
