"""The tables of the bot's file, and how an older file becomes the present one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rag_core.errors import StoreUnavailable

if TYPE_CHECKING:
    import aiosqlite

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE servers (id INTEGER PRIMARY KEY, settings TEXT NOT NULL) STRICT;
    CREATE TABLE uploads (
        id INTEGER PRIMARY KEY,
        server_id INTEGER, channel_id INTEGER NOT NULL, message_id INTEGER NOT NULL, attachment_id INTEGER NOT NULL,
        place_id INTEGER NOT NULL, card_id INTEGER,
        uploader_id INTEGER NOT NULL, filename TEXT NOT NULL, collection TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('coming', 'ready', 'failed')),
        document_id TEXT, job_id TEXT, added_at TEXT NOT NULL,
        UNIQUE (message_id, attachment_id)
    ) STRICT;
    CREATE INDEX uploads_by_place ON uploads (place_id);
    CREATE INDEX uploads_by_document ON uploads (collection, document_id);
    CREATE TABLE questions (
        id INTEGER PRIMARY KEY,
        server_id INTEGER, place_id INTEGER NOT NULL, message_id INTEGER UNIQUE, answer_id INTEGER,
        asker_id INTEGER NOT NULL, question TEXT NOT NULL, document_id TEXT, leans_on INTEGER,
        state TEXT NOT NULL CHECK (state IN ('waiting', 'answered', 'failed')), attempts INTEGER NOT NULL DEFAULT 0,
        answer TEXT, asked_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX questions_by_place ON questions (place_id, asker_id);
    CREATE INDEX questions_by_answer ON questions (answer_id);
    CREATE TABLE votes (
        answer_id INTEGER NOT NULL, voter_id INTEGER NOT NULL, server_id INTEGER, good INTEGER NOT NULL,
        reason TEXT NOT NULL DEFAULT '', voted_at TEXT NOT NULL, PRIMARY KEY (answer_id, voter_id)
    ) STRICT;
    CREATE TABLE hints (place_id INTEGER NOT NULL, hint TEXT NOT NULL, PRIMARY KEY (place_id, hint)) STRICT;
    """,
    """
    CREATE TABLE followed_runs (
        server_id INTEGER PRIMARY KEY, place_id INTEGER NOT NULL, message_id INTEGER NOT NULL, run_id TEXT
    ) STRICT;
    """,
    """
    ALTER TABLE questions ADD COLUMN charged INTEGER NOT NULL DEFAULT 0;
    UPDATE questions SET charged = attempts > 0;
    """,
    """
    CREATE TABLE heard (message_id INTEGER PRIMARY KEY) STRICT;
    CREATE TRIGGER upload_forgotten AFTER DELETE ON uploads BEGIN
        INSERT OR IGNORE INTO heard VALUES (old.message_id);
    END;
    CREATE TRIGGER question_forgotten AFTER DELETE ON questions WHEN old.message_id IS NOT NULL BEGIN
        INSERT OR IGNORE INTO heard VALUES (old.message_id);
    END;
    """,
)
"""Migration n takes the file from version n to n + 1; one that has been released is never edited."""


async def migrate(connection: aiosqlite.Connection) -> None:
    """Bring the file to the present version.

    Raises:
        StoreUnavailable: A newer Pincite made it.
    """
    async with connection.execute("PRAGMA user_version") as cursor:
        row = await cursor.fetchone()
    version = row[0] if row else 0
    if version > len(MIGRATIONS):
        raise StoreUnavailable("A newer Pincite made the bot's file bot.sqlite3: install that version, or a newer one.")
    for number, migration in enumerate(MIGRATIONS[version:], start=version + 1):
        await connection.executescript(f"BEGIN; {migration} PRAGMA user_version = {number}; COMMIT;")
