"""The truth about documents: a SQLite file that says which there are, who sees them, and what their pages say.

Both indexes can be made anew from it. A document counts only while its state is `ready`, which is written last when
it comes and cleared first when it goes. Between `ready` and `embedded` it is found by its words alone. Chunks are kept
as spans of their page's text, so they are literal by construction.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Self

import aiosqlite

from rag_core.adapters import page_codec
from rag_core.adapters.catalog_file import CatalogFile
from rag_core.adapters.catalog_rows import chunk_of, chunk_row, document_of, in_scope, marks, page_of
from rag_core.errors import StoreUnavailable
from rag_core.types import Chunk, ChunkId, CollectionName, Document, DocumentId, IndexState, Page, Scope
from rag_core.types.jobs import LOCAL, Principal

ENDED = "stage IN ('ready', 'failed', 'cancelled')"
"""Of a job: nothing more will become of it."""
CHUNKS_A_QUERY = 500
"""SQLite allows more variables, but gains nothing from it."""


class SqliteCatalog:
    """Implements `Catalog`."""

    def __init__(self, file: CatalogFile) -> None:
        self.file = file

    @classmethod
    async def open(cls, path: Path) -> Self:
        """The catalog at `path`, made or migrated where it must be.

        Raises:
            StoreUnavailable: The folder cannot be written, or the file is no catalog.
            IndexOutOfDate: A newer Pincite made it.
        """
        return cls(await CatalogFile.open(path))

    async def close(self) -> None:
        """Close the file."""
        await self.file.close()

    # ------------------------------------------------------------------------------ what there is

    async def visible(self, scope: Scope) -> frozenset[DocumentId]:
        """The ready documents of the scope."""
        which, values = in_scope(scope)
        rows = await self.file.read(
            f"""
            SELECT DISTINCT m.document_id AS id FROM memberships m
            WHERE {which} AND m.document_id NOT IN (SELECT id FROM documents WHERE state != 'ready')
            """,  # noqa: S608 - only question marks are put in
            values,
        )
        return frozenset([DocumentId(row[0]) for row in rows])

    async def documents(self, scope: Scope) -> list[Document]:
        """The ready documents of the scope, oldest first, each with those of its collections that the scope holds.

        Its name and its age are those of the first who sent it there and has not taken it back.
        """
        which, values = in_scope(scope)
        rows = await self.file.read(
            f"""
            SELECT d.*, json_group_array(DISTINCT m.collection) AS collections,
                min(s.since) AS since, s.filename AS called
            FROM memberships m JOIN senders s USING (collection, document_id) JOIN documents d ON d.id = m.document_id
            WHERE d.state = 'ready' AND {which}
            GROUP BY d.id ORDER BY since, d.id
            """,  # noqa: S608 - only question marks are put in; `called` is of the row that has the `min`
            values,
        )
        return [document_of(row) for row in rows]

    async def find(self, document_id: DocumentId) -> Document | None:
        """The ready document of this id, in whatever collections it is."""
        rows = await self.file.read(
            """
            SELECT d.*, (SELECT json_group_array(collection) FROM memberships WHERE document_id = d.id) AS collections,
                d.added_at AS since, d.filename AS called
            FROM documents d WHERE d.id = ? AND d.state = 'ready'
            """,
            [document_id],
        )
        return document_of(rows[0]) if rows else None

    async def page(self, document_id: DocumentId, number: int) -> Page | None:
        """One page as it was read."""
        rows = await self.file.read(
            "SELECT number, text, layout FROM pages WHERE document_id = ? AND number = ?", [document_id, number]
        )
        return page_of(rows[0]) if rows else None

    async def pages(self, document_id: DocumentId) -> list[Page]:
        """All pages of a document, in order."""
        rows = await self.file.read(
            "SELECT number, text, layout FROM pages WHERE document_id = ? ORDER BY number", [document_id]
        )
        return [page_of(row) for row in rows]

    async def pages_at(self, places: Collection[tuple[DocumentId, int]]) -> dict[tuple[DocumentId, int], Page]:
        """Those pages that there are, by document and number."""
        rows = await self.file.read(
            """
            SELECT p.document_id, p.number, p.text, p.layout
            FROM json_each(?) j JOIN pages p ON p.document_id = json_extract(j.value, '$[0]')
                AND p.number = json_extract(j.value, '$[1]')
            """,
            [json.dumps(list(places))],
        )
        return {(DocumentId(row["document_id"]), row["number"]): page_of(row) for row in rows}

    async def chunks(self, ids: Sequence[ChunkId]) -> dict[ChunkId, Chunk]:
        """The chunks of ready documents among `ids`."""
        found: dict[ChunkId, Chunk] = {}
        for i in range(0, len(ids), CHUNKS_A_QUERY):
            some = ids[i : i + CHUNKS_A_QUERY]
            found |= {c.id: c for c in await self._chunks(f"c.id IN ({marks(some)})", [*some])}
        return found

    async def sections(self, ids: Sequence[ChunkId]) -> dict[ChunkId, str]:
        """The text of the section that each of the chunks is part of."""
        found: dict[ChunkId, str] = {}
        for i in range(0, len(ids), CHUNKS_A_QUERY):
            some = ids[i : i + CHUNKS_A_QUERY]
            rows = await self.file.read(
                f"""
                SELECT c.id, substr(p.text, c.section_start + 1, c.section_stop - c.section_start) AS text
                FROM chunks c JOIN pages p ON p.document_id = c.document_id AND p.number = c.page
                WHERE c.id IN ({marks(some)})
                """,  # noqa: S608 - only question marks are put in
                [*some],
            )
            found |= {ChunkId(row["id"]): row["text"] for row in rows}
        return found

    async def parts(self, ids: Sequence[ChunkId]) -> dict[ChunkId, list[ChunkId]]:
        """The parts of those of the chunks that are whole sections, in reading order."""
        found: dict[ChunkId, list[ChunkId]] = {}
        rows = await self.file.read(
            """
            SELECT w.id AS whole, c.id FROM chunks w
            JOIN chunks c ON c.document_id = w.document_id AND c.page = w.page
                AND c.section_start = w.section_start AND NOT c.whole
            WHERE w.whole AND w.id IN (SELECT value FROM json_each(?)) ORDER BY c.start
            """,
            [json.dumps(ids)],
        )
        for row in rows:
            found.setdefault(ChunkId(row["whole"]), []).append(ChunkId(row["id"]))
        return found

    async def chunks_of(self, document_id: DocumentId) -> list[Chunk]:
        """A document's chunks, in reading order."""
        return await self._chunks("c.document_id = ?", [document_id])

    async def count_chunks(self) -> int:
        """Chunks of ready documents."""
        rows = await self.file.read("SELECT coalesce(sum(chunks), 0) AS n FROM documents WHERE state = 'ready'")
        return int(rows[0]["n"])

    async def _chunks(self, where: str, values: list[object]) -> list[Chunk]:
        rows = await self.file.read(
            f"""
            SELECT c.*, substr(p.text, c.start + 1, c.stop - c.start) AS text
            FROM chunks c JOIN documents d ON d.id = c.document_id AND d.state = 'ready'
            JOIN pages p ON p.document_id = c.document_id AND p.number = c.page
            WHERE {where} ORDER BY c.document_id, c.page, c.stop, c.start DESC
            """,  # noqa: S608 - the conditions are this module's own
            values,
        )
        return [chunk_of(row) for row in rows]

    # ------------------------------------------------------------------------------ coming and going

    async def begin(
        self,
        document: Document,
        pages: Iterable[Page],
        chunks: Iterable[Chunk],
        *,
        principal: Principal = LOCAL,
        size: int = 0,
    ) -> None:
        """Note a document that is being indexed. It stays invisible until `ready`."""
        async with self.file.transaction() as db:
            await db.execute(
                "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, 'indexing', ?, ?, 0, ?)",
                [
                    document.id,
                    document.title,
                    document.filename,
                    document.pages,
                    document.chunks,
                    document.added_at.isoformat(),
                    json.dumps(document.unreadable_pages),
                    json.dumps(document.warnings),
                    size,
                ],
            )
            await db.executemany(
                "INSERT INTO memberships VALUES (?, ?, ?)",
                [(name, document.id, document.added_at.isoformat()) for name in document.collections],
            )
            await db.executemany(
                "INSERT INTO senders VALUES (?, ?, ?, ?, ?)",
                [
                    (name, document.id, principal, document.filename, document.added_at.isoformat())
                    for name in document.collections
                ],
            )
            await db.executemany(
                "INSERT INTO pages VALUES (?, ?, ?, ?)",
                # One by one, in the thread of the connection: a long document would hold up all questions otherwise.
                ((document.id, page.number, page.text, page_codec.encode(page)) for page in pages),
            )
            await db.executemany("INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", map(chunk_row, chunks))

    async def ready(self, document_id: DocumentId, *, embedded: bool = True) -> None:
        """Make a document visible: its rows and its file are there, and the indexes have all of it.

        Without `embedded` that is the keyword index alone, and its vectors are still to come.
        """
        async with self.file.transaction() as db:
            cursor = await db.execute(
                "UPDATE documents SET state = 'ready', embedded = ? WHERE id = ?", [embedded, document_id]
            )
            if cursor.rowcount != 1:
                raise StoreUnavailable("The document was removed while it was being indexed: ingest it again.")

    async def embedded(self, document_id: DocumentId) -> None:
        """Note that all of its vectors are there, too."""
        async with self.file.transaction() as db:
            await db.execute("UPDATE documents SET embedded = 1 WHERE id = ?", [document_id])

    async def unembed(self, document_id: DocumentId) -> None:
        """Note that its vectors are no longer all there."""
        async with self.file.transaction() as db:
            await db.execute("UPDATE documents SET embedded = 0 WHERE id = ?", [document_id])

    async def pending(self) -> list[DocumentId]:
        """Ready documents whose vectors are not all there yet, oldest first."""
        rows = await self.file.read(
            "SELECT id FROM documents WHERE embedded = 0 AND state = 'ready' ORDER BY added_at, id"
        )
        return [DocumentId(row["id"]) for row in rows]

    async def join(
        self,
        document_id: DocumentId,
        collection: CollectionName,
        filename: str,
        *,
        since: datetime,
        principal: Principal = LOCAL,
    ) -> bool:
        """Let a collection see the document, too, as sent by this principal. False when it is no longer ready."""
        async with self.file.transaction() as db:
            return await _joined(db, document_id, collection, since, [(principal, filename)])

    async def share(
        self, document_id: DocumentId, collection: CollectionName, *, scope: Scope, since: datetime
    ) -> bool:
        """Let a collection see the document, too, as sent by whoever sent it to the scope's. False as `join`."""
        which, values = in_scope(scope, "s")
        async with self.file.transaction() as db:
            rows = await db.execute_fetchall(
                f"SELECT principal, filename FROM senders s WHERE {which} AND document_id = ? ORDER BY since",  # noqa: S608 - as above
                [*values, document_id],
            )
            return await _joined(db, document_id, collection, since, [(row[0], row[1]) for row in rows])

    async def leave(self, document_id: DocumentId, collections: Iterable[CollectionName]) -> bool:
        """End memberships. True when none is left: the document is then invisible, and waits to be forgotten."""
        names = list(collections)
        return await self._leave(document_id, f"collection IN ({marks(names)})", names)

    async def take_back(
        self, document_id: DocumentId, principal: Principal, collection: CollectionName | None = None
    ) -> bool:
        """End the memberships that nobody but this principal sent, of one collection or of all. True as `leave`."""
        if collection is None:
            return await self._leave(document_id, "principal = ?", [principal])
        return await self._leave(document_id, "principal = ? AND collection = ?", [principal, collection])

    async def _leave(self, document_id: DocumentId, which: str, values: Sequence[str]) -> bool:
        async with self.file.transaction() as db:
            for table, ended in (("senders", ""), ("jobs", f"AND {ENDED}")):
                await db.execute(
                    f"DELETE FROM {table} WHERE document_id = ? AND {which} {ended}",  # noqa: S608 - ours
                    [document_id, *values],
                )
            await db.execute(
                """
                DELETE FROM memberships WHERE document_id = ? AND NOT EXISTS (
                    SELECT 1 FROM senders s
                    WHERE s.document_id = memberships.document_id AND s.collection = memberships.collection
                )
                """,
                [document_id],
            )
            cursor = await db.execute(
                """
                UPDATE documents SET state = 'removing'
                WHERE id = ? AND NOT EXISTS (SELECT 1 FROM memberships WHERE document_id = documents.id)
                """,
                [document_id],
            )
            return cursor.rowcount > 0

    async def misnamed(self) -> list[Document]:
        """Ready documents that nobody who has them calls what they are called: each as the first of these calls it."""
        rows = await self.file.read(
            """
            SELECT d.*, json_group_array(DISTINCT s.collection) AS collections,
                min(s.since) AS since, s.filename AS called
            FROM documents d JOIN senders s ON s.document_id = d.id
            WHERE d.state = 'ready' GROUP BY d.id HAVING d.filename NOT IN (
                SELECT filename FROM senders WHERE document_id = d.id
            )
            """
        )
        return [document_of(row) for row in rows]

    async def rename(self, document: Document) -> None:
        """Call a document so from now on."""
        async with self.file.transaction() as db:
            await db.execute(
                "UPDATE documents SET title = ?, filename = ? WHERE id = ?",
                [document.title, document.filename, document.id],
            )
        await self.file.scrub()

    async def uploaded_by(self, principal: Principal) -> list[DocumentId]:
        """The documents that this principal sent to any collection, alone or with others."""
        rows = await self.file.read("SELECT DISTINCT document_id FROM senders WHERE principal = ?", [principal])
        return [DocumentId(row[0]) for row in rows]

    async def forget_principal(self, principal: Principal) -> None:
        """Delete a principal's jobs, those under way too, and what was counted of it."""
        async with self.file.transaction() as db:
            for table in ("jobs", "acts"):
                await db.execute(f"DELETE FROM {table} WHERE principal = ?", [principal])  # noqa: S608 - ours
        await self.file.scrub()

    async def outdated(self, now: datetime) -> list[tuple[DocumentId, CollectionName]]:
        """The memberships that are older than their collections keep them."""
        rows = await self.file.read(
            """
            SELECT m.document_id, m.collection FROM memberships m JOIN retention r ON r.collection = m.collection
            WHERE julianday(m.since) + r.days <= julianday(?)
            """,
            [now.isoformat()],
        )
        return [(DocumentId(row[0]), CollectionName(row[1])) for row in rows]

    async def retentions(self) -> dict[CollectionName, float]:
        """For how many days each collection keeps its documents, of those that do not for ever; by name."""
        rows = await self.file.read("SELECT collection, days FROM retention ORDER BY collection")
        return {CollectionName(row[0]): float(row[1]) for row in rows}

    async def set_retention(self, collection: CollectionName, days: float | None) -> None:
        """Keep a collection's documents for so long; None is for ever."""
        async with self.file.transaction() as db:
            await db.execute("DELETE FROM retention WHERE collection = ?", [collection])
            if days is not None:
                await db.execute("INSERT INTO retention VALUES (?, ?)", [collection, days])

    async def says(self, text: str) -> bool:
        """Whether a page of any document has this run of characters. Reads all of them."""
        rows = await self.file.read("SELECT EXISTS (SELECT 1 FROM pages WHERE instr(text, ?))", [text])
        return bool(rows[0][0])

    async def forget(self, document_id: DocumentId) -> None:
        """Delete all rows of a document, and what the log still holds of them."""
        async with self.file.transaction() as db:
            await db.execute("DELETE FROM documents WHERE id = ?", [document_id])
        await self.file.scrub()

    async def unfinished(self) -> list[DocumentId]:
        """Documents that were coming or going when their process ended."""
        return [
            DocumentId(row["id"]) for row in await self.file.read("SELECT id FROM documents WHERE state != 'ready'")
        ]

    async def expected(self) -> dict[DocumentId, tuple[int, bool]]:
        """How many chunks each ready document has, and whether all of their vectors are there."""
        rows = await self.file.read("SELECT id, chunks, embedded FROM documents WHERE state = 'ready'")
        return {DocumentId(row["id"]): (row["chunks"], bool(row["embedded"])) for row in rows}

    async def swept(self) -> datetime | None:
        """When the library was last put in order."""
        rows = await self.file.read("SELECT value FROM meta WHERE key = 'swept'")
        return datetime.fromisoformat(rows[0]["value"]) if rows else None

    async def set_swept(self, at: datetime) -> None:
        """Note that the library is put in order now."""
        async with self.file.transaction() as db:
            await db.execute("INSERT OR REPLACE INTO meta VALUES ('swept', ?)", [at.isoformat()])

    async def rewrite(self) -> None:
        """Write the file anew, so that no copy of what was deleted remains in it."""
        await self.file.rewrite()

    async def tidy(self) -> None:
        """Give freed room back to the system."""
        await self.file.tidy()

    async def all_documents(self) -> list[DocumentId]:
        """Every ready document, of all collections."""
        rows = await self.file.read("SELECT id FROM documents WHERE state = 'ready' ORDER BY added_at, id")
        return [DocumentId(row["id"]) for row in rows]

    # ------------------------------------------------------------------------------ the indexes' state

    async def index_state(self) -> IndexState | None:
        """What the indexes were built with; None while nothing was ever indexed."""
        rows = await self.file.read("SELECT value FROM meta WHERE key = 'index'")
        return IndexState(**json.loads(rows[0]["value"])) if rows else None

    async def set_index_state(
        self, state: IndexState, *, chunks: Sequence[tuple[DocumentId, Sequence[Chunk]]] = ()
    ) -> None:
        """Switch to another generation of the indexes, and to its chunks, at one instant."""
        value = json.dumps(asdict(state))
        async with self.file.transaction() as db:
            await db.execute("INSERT OR REPLACE INTO meta VALUES ('index', ?)", [value])
            for document_id, cut in chunks:
                await db.execute("DELETE FROM chunks WHERE document_id = ?", [document_id])
                await db.executemany("INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", map(chunk_row, cut))
                await db.execute("UPDATE documents SET chunks = ?, embedded = 1 WHERE id = ?", [len(cut), document_id])


async def _joined(
    db: aiosqlite.Connection,
    document_id: DocumentId,
    collection: CollectionName,
    since: datetime,
    sent: Sequence[tuple[Principal, str]],
) -> bool:
    ready = await db.execute_fetchall("SELECT 1 FROM documents WHERE id = ? AND state = 'ready'", [document_id])
    if not list(ready) or not sent:
        return False
    at = since.isoformat()
    await db.execute("INSERT OR IGNORE INTO memberships VALUES (?, ?, ?)", [collection, document_id, at])
    await db.executemany(
        "INSERT OR IGNORE INTO senders VALUES (?, ?, ?, ?, ?)",
        [(collection, document_id, principal, filename, at) for principal, filename in sent],
    )
    return True
