"""The catalog's SQLite file: its schema by numbered migrations, and transactions that are whole or undone.

Reads and writes go by connections of their own, so that no read waits for a write. What is deleted is overwritten
(`secure_delete`), and `scrub` empties the log of it.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Self

import aiosqlite

from rag_core.adapters.sqlite_room import rewrite, scrub, vacuum
from rag_core.errors import IndexOutOfDate, StoreBusy, StoreUnavailable

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE documents (
        id TEXT PRIMARY KEY, title TEXT NOT NULL, filename TEXT NOT NULL, pages INTEGER NOT NULL,
        chunks INTEGER NOT NULL, added_at TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('indexing', 'ready', 'removing')),
        unreadable_pages TEXT NOT NULL, warnings TEXT NOT NULL
    ) STRICT;
    CREATE TABLE memberships (
        collection TEXT NOT NULL, document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        PRIMARY KEY (collection, document_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX memberships_by_document ON memberships (document_id);
    CREATE TABLE pages (
        document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE, number INTEGER NOT NULL,
        text TEXT NOT NULL, layout BLOB NOT NULL, PRIMARY KEY (document_id, number)
    ) STRICT;
    CREATE TABLE chunks (
        id TEXT PRIMARY KEY, document_id TEXT NOT NULL, page INTEGER NOT NULL, start INTEGER NOT NULL,
        stop INTEGER NOT NULL, context TEXT NOT NULL,
        FOREIGN KEY (document_id, page) REFERENCES pages (document_id, number) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX chunks_by_document ON chunks (document_id, page, start);
    """,
    """
    ALTER TABLE chunks ADD COLUMN section_start INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE chunks ADD COLUMN section_stop INTEGER NOT NULL DEFAULT 1;
    UPDATE chunks SET section_start = start, section_stop = stop;
    """,
    """
    CREATE INDEX documents_unready ON documents (id) WHERE state != 'ready';
    """,
    """
    ALTER TABLE documents ADD COLUMN embedded INTEGER NOT NULL DEFAULT 1;
    CREATE INDEX documents_without_vectors ON documents (id) WHERE embedded = 0;
    CREATE TABLE jobs (
        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, collection TEXT NOT NULL,
        principal TEXT NOT NULL, flow TEXT NOT NULL, turn REAL NOT NULL, filename TEXT NOT NULL, document_id TEXT,
        bytes INTEGER NOT NULL, ocr TEXT NOT NULL, stage TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0,
        total INTEGER NOT NULL DEFAULT 0, tries INTEGER NOT NULL DEFAULT 0, cancelling INTEGER NOT NULL DEFAULT 0,
        submitted_at TEXT NOT NULL, changed_at TEXT NOT NULL, outcome TEXT, code TEXT, message TEXT
    ) STRICT;
    CREATE INDEX jobs_by_collection ON jobs (collection, number);
    CREATE INDEX jobs_by_document ON jobs (document_id);
    CREATE INDEX jobs_unended ON jobs (turn, bytes, number) WHERE stage NOT IN ('ready', 'failed', 'cancelled');
    """,
    """
    CREATE TABLE model_calls (
        id INTEGER PRIMARY KEY, account TEXT NOT NULL, at REAL NOT NULL, tokens INTEGER NOT NULL,
        under_way INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX model_calls_by_account ON model_calls (account, at);
    CREATE TABLE model_meters (
        account TEXT NOT NULL, meter TEXT NOT NULL, most INTEGER, others INTEGER NOT NULL DEFAULT 0,
        others_until REAL NOT NULL DEFAULT 0, shut_until REAL NOT NULL DEFAULT 0, PRIMARY KEY (account, meter)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE model_scales (account TEXT PRIMARY KEY, scale REAL NOT NULL) STRICT;
    CREATE TABLE model_line (
        ticket INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, seen REAL NOT NULL
    ) STRICT;
    """,
    """
    CREATE TABLE answers (
        number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, answer TEXT NOT NULL
    ) STRICT;
    CREATE TABLE answer_documents (
        document_id TEXT NOT NULL, number INTEGER NOT NULL REFERENCES answers (number) ON DELETE CASCADE,
        PRIMARY KEY (document_id, number)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX answer_documents_by_number ON answer_documents (number);
    """,
    """
    ALTER TABLE memberships ADD COLUMN principal TEXT NOT NULL DEFAULT 'local';
    ALTER TABLE memberships ADD COLUMN since TEXT NOT NULL DEFAULT '';
    UPDATE memberships SET since = (SELECT added_at FROM documents WHERE id = document_id);
    CREATE TABLE retention (collection TEXT PRIMARY KEY, days REAL NOT NULL) STRICT;
    """,
    """
    CREATE TABLE tokens (
        name TEXT PRIMARY KEY, digest TEXT NOT NULL UNIQUE, collection TEXT NOT NULL, permissions TEXT NOT NULL,
        created_at TEXT NOT NULL, expires_at TEXT
    ) STRICT, WITHOUT ROWID;
    """,
    """
    ALTER TABLE documents ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE quotas (
        principal TEXT PRIMARY KEY, uploads_an_hour INTEGER, questions_an_hour INTEGER, bytes INTEGER, pages INTEGER
    ) STRICT;
    CREATE TABLE acts (principal TEXT NOT NULL, act TEXT NOT NULL, at TEXT NOT NULL) STRICT;
    CREATE INDEX acts_by_principal ON acts (principal, act, at);
    CREATE INDEX acts_by_time ON acts (at);
    """,
    """
    CREATE TABLE senders (
        collection TEXT NOT NULL, document_id TEXT NOT NULL, principal TEXT NOT NULL,
        PRIMARY KEY (document_id, collection, principal),
        FOREIGN KEY (collection, document_id) REFERENCES memberships (collection, document_id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX senders_by_principal ON senders (principal, document_id);
    INSERT INTO senders SELECT collection, document_id, principal FROM memberships;
    ALTER TABLE memberships DROP COLUMN principal;
    """,
    """
    ALTER TABLE chunks ADD COLUMN whole INTEGER NOT NULL DEFAULT 0;
    """,
    """
    ALTER TABLE senders ADD COLUMN filename TEXT NOT NULL DEFAULT '';
    ALTER TABLE senders ADD COLUMN since TEXT NOT NULL DEFAULT '';
    UPDATE senders SET filename = (SELECT filename FROM documents WHERE id = document_id), since = (
        SELECT m.since FROM memberships m
        WHERE m.collection = senders.collection AND m.document_id = senders.document_id
    );
    """,
)
"""Migration n takes the schema from version n to n + 1; one that has been released is never edited."""

BUSY_SECONDS = 30.0
"""How long SQLite waits for another process's transaction; ours last milliseconds."""


class CatalogFile:
    """An open catalog. Its tables belong to the adapters that share it."""

    def __init__(self, path: Path, reader: aiosqlite.Connection, writer: aiosqlite.Connection) -> None:
        self.path = path
        self._reader = reader
        self._writer = writer
        self._writing = asyncio.Lock()
        """A connection has one transaction at a time, and a process has many tasks."""

    @classmethod
    async def open(cls, path: Path) -> Self:
        """The catalog at `path`, made or migrated where it must be.

        Raises:
            StoreUnavailable: The folder cannot be written, or the file is no catalog.
            IndexOutOfDate: A newer Pincite made it.
        """
        with translated(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            writer = await _connect(path)
            try:
                await _migrate(writer)
                reader = await _connect(path)
            except BaseException:  # cancelled or failed, it is undone and raised again
                await writer.close()
                raise
        return cls(path, reader, writer)

    async def close(self) -> None:
        """Close both connections."""
        await self._reader.close()
        await self._writer.close()

    async def read(self, sql: str, values: Iterable[object] = ()) -> list[sqlite3.Row]:
        """The rows of a query."""
        with translated():
            return list(await self._reader.execute_fetchall(sql, tuple(values)))

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[aiosqlite.Connection]:
        """Write within it; whatever leaves it by an exception has changed nothing."""
        async with self._writing:
            with translated():
                try:
                    await self._writer.execute("BEGIN IMMEDIATE")
                    # A newer program may have opened the folder since, and this one knows nothing of its tables.
                    _refuse_newer(await _version(self._writer))
                    yield self._writer
                except BaseException:  # cancelled or failed, it is undone and raised again
                    await self._writer.rollback()
                    raise
                await self._writer.commit()

    async def scrub(self) -> bool:
        """Empty the log, which still holds what was deleted. False when somebody reads from it all the time."""
        async with self._writing:
            with translated():
                return await scrub(self._writer)

    async def rewrite(self) -> None:
        """Write the file anew, so that no copy of what was deleted remains in it."""
        async with self._writing:
            with translated():
                await rewrite(self._writer)

    async def tidy(self) -> None:
        """Give freed room back to the system when it is a good part of the file."""
        async with self._writing:
            with translated():
                await vacuum(self._writer)


async def _connect(path: Path) -> aiosqlite.Connection:
    db = await aiosqlite.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    db.row_factory = sqlite3.Row
    try:
        for pragma in ("journal_mode = WAL", "foreign_keys = ON", "synchronous = FULL", "secure_delete = ON"):
            await db.execute_fetchall(f"PRAGMA {pragma}")  # a result left unread would hold up the first commit
    except BaseException:  # cancelled or failed, it is undone and raised again
        await db.close()  # its thread would keep the process from ending
        raise
    return db


async def _migrate(db: aiosqlite.Connection) -> None:
    # Within one exclusive transaction, so that two processes that start together migrate once.
    await db.execute("BEGIN EXCLUSIVE")
    try:
        version = await _version(db)
        _refuse_newer(version)
        for migration in MIGRATIONS[version:]:
            for statement in filter(str.strip, migration.split(";")):
                await db.execute(statement)
        await db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    except BaseException:  # cancelled or failed, it is undone and raised again
        await db.rollback()
        raise
    await db.commit()


async def _version(db: aiosqlite.Connection) -> int:
    [row] = await db.execute_fetchall("PRAGMA user_version")
    return int(row[0])


def _refuse_newer(version: int) -> None:
    if version > len(MIGRATIONS):
        raise IndexOutOfDate(
            f"The catalog has schema version {version}, and this Pincite knows {len(MIGRATIONS)}: install a newer one."
        )


@contextmanager
def translated(path: Path | None = None) -> Iterator[None]:
    """The one place where SQLite's exceptions become ours."""
    try:
        yield
    except sqlite3.OperationalError as exc:
        if "locked" in str(exc) or "busy" in str(exc):
            raise StoreBusy("Another process is writing to the catalog and did not finish; try again.") from exc
        raise StoreUnavailable(f"The catalog cannot be used ({exc}). {_ADVICE}") from exc
    except sqlite3.DatabaseError as exc:
        raise StoreUnavailable(f"The catalog cannot be read ({exc}). {_ADVICE}") from exc
    except OSError as exc:
        raise StoreUnavailable(
            f"The data folder {str(path.parent if path else '')!r} cannot be used: {exc.strerror}. {_ADVICE}"
        ) from exc


_ADVICE = "Check that the data folder exists, can be written and has room, or name another with --home."
