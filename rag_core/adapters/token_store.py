"""The tokens: a table of the catalog, in which a secret stands only as its digest."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime

from rag_core.adapters.catalog_file import CatalogFile
from rag_core.types import CollectionName
from rag_core.types.credentials import Token, permissions_of
from rag_core.types.jobs import Principal


class SqliteTokens:
    """Implements `Tokens`."""

    def __init__(self, file: CatalogFile) -> None:
        self._file = file

    async def add(self, token: Token, digest: str) -> bool:
        """Keep a token; False when its name is taken."""
        async with self._file.transaction() as db:
            added = await db.execute(
                "INSERT OR IGNORE INTO tokens (name, digest, collection, permissions, created_at, expires_at) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                [
                    *(token.name, digest, token.collection, " ".join(sorted(token.permissions))),
                    token.created_at.isoformat(),
                    token.expires_at.isoformat() if token.expires_at else None,
                ],
            )
            return added.rowcount == 1

    async def find(self, digest: str) -> Token | None:
        """The token by the digest of its secret."""
        rows = await self._file.read("SELECT * FROM tokens WHERE digest = ?", [digest])
        return _token(rows[0]) if rows else None

    async def all(self) -> list[Token]:
        """Every token, by name."""
        return [_token(row) for row in await self._file.read("SELECT * FROM tokens ORDER BY name")]

    async def remove(self, name: str) -> bool:
        """Forget a token; False when there is none of that name."""
        async with self._file.transaction() as db:
            return (await db.execute("DELETE FROM tokens WHERE name = ?", [name])).rowcount == 1


def _token(row: sqlite3.Row) -> Token:
    return Token(
        name=Principal(row["name"]),
        collection=CollectionName(row["collection"]),
        permissions=permissions_of(row["permissions"].split()),
        created_at=_moment(row["created_at"]),
        expires_at=_moment(row["expires_at"]) if row["expires_at"] else None,
    )


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)
