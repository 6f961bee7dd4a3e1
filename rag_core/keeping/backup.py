"""A library to one file, while others go on reading and writing."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

from rag_core.protocols import Archive, IndexStore
from rag_core.types.jobs import JobId


class Backup:
    """Writes archives."""

    def __init__(self, *, archive: Archive, store: IndexStore, new_id: Callable[[], JobId]) -> None:
        self._archive = archive
        self._store = store
        self._new_id = new_id

    async def export(self, path: Path) -> int:
        """The library of one instant into a new file; the number of its documents.

        The right to write is held while the catalog is copied and the PDFs get second names, not while they are packed.
        """
        async with self._store.writing():
            snapshot = await self._archive.snapshot(self._new_id())
        try:
            return await self._archive.write(snapshot, path)
        finally:
            await asyncio.to_thread(shutil.rmtree, snapshot, ignore_errors=True)
