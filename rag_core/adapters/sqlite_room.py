"""What a SQLite file holds beyond its rows: a log of what was written, and pages that nothing uses any more."""

from __future__ import annotations

import asyncio
from typing import Any

import aiosqlite

SPARE = 0.25
"""Of a file's pages: free ones beyond it go back to the system. Writing the file anew takes a second for each GB."""
LEAST_PAGES = 256
"""A MiB: smaller files are left as they are."""
TRIES = 50
WAIT_SECONDS = 0.1
"""A log cannot be emptied while somebody reads from it, which takes milliseconds."""


async def scrub(db: aiosqlite.Connection) -> bool:
    """Empty the log, which still holds what was deleted. False when somebody reads from it all the time."""
    for _ in range(TRIES):
        busy, *_rest = await _one(db, "PRAGMA wal_checkpoint(TRUNCATE)")
        if not busy:
            return True
        await asyncio.sleep(WAIT_SECONDS)
    return False


async def rewrite(db: aiosqlite.Connection) -> None:
    """Write the file anew, row by row, while readers go on with the old pages.

    What is deleted is overwritten where it stands. Where it stood before a page of the tree was split or merged, a copy
    may remain, and only this is rid of it.
    """
    await db.execute_fetchall("VACUUM")
    await scrub(db)


async def vacuum(db: aiosqlite.Connection) -> None:
    """Write the file anew when much of it is free. Readers go on with the old pages until it is done."""
    [pages] = await _one(db, "PRAGMA page_count")
    [free] = await _one(db, "PRAGMA freelist_count")
    if pages > LEAST_PAGES and free > SPARE * pages:
        await rewrite(db)


async def _one(db: aiosqlite.Connection, sql: str) -> tuple[Any, ...]:
    return tuple(next(iter(await db.execute_fetchall(sql))))
