"""The queue of ingestions: a table of the catalog, which any process adds to and one drains."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import get_args

from rag_core.adapters.catalog import SqliteCatalog
from rag_core.adapters.catalog_file import CatalogFile
from rag_core.adapters.catalog_rows import in_scope
from rag_core.types import CollectionName, Document, DocumentId, Ingested, OcrMode, Scope
from rag_core.types.jobs import CANCELLED, ENDED, Claimed, Job, JobId, Outcome, Principal, Stage, Turn, Upload

UNENDED = "stage NOT IN ('ready', 'failed', 'cancelled')"
"""Word for word the condition of an index."""
STAGES: dict[str, Stage] = {stage: stage for stage in get_args(Stage)}
OCR_MODES: dict[str, OcrMode] = {mode: mode for mode in get_args(OcrMode)}


class SqliteJobQueue:
    """Implements `JobQueue`."""

    def __init__(self, catalog: SqliteCatalog, *, now: Callable[[], datetime]) -> None:
        self._catalog = catalog
        self._file: CatalogFile = catalog.file
        self._now = now

    # ------------------------------------------------------------------------------ for those who send

    async def submit(self, uploads: Sequence[Upload]) -> None:
        """Put files into the queue; each moves its flow on."""
        async with self._file.transaction() as db:
            for upload in uploads:
                failed = upload.code is not None
                await db.execute(
                    f"""
                    INSERT INTO jobs (id, collection, principal, flow, turn, filename, document_id, bytes, ocr, stage,
                                      submitted_at, changed_at, outcome, code, message)
                    VALUES (?, ?, ?, ?,
                        max(coalesce((SELECT min(turn) FROM jobs WHERE {UNENDED}), 0),
                            coalesce((SELECT max(turn + 1 + bytes / 1048576.0) FROM jobs
                                      WHERE {UNENDED} AND flow = ?), 0)),
                        ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,  # noqa: S608 - the condition is this module's own
                    [
                        *(upload.id, upload.collection, upload.principal, upload.flow, upload.flow),
                        *(upload.filename, upload.document_id, upload.bytes, upload.ocr),
                        "failed" if failed else "queued",
                        *(upload.submitted_at.isoformat(), self._now().isoformat()),
                        *("failed" if failed else None, upload.code, upload.message),
                    ],
                )

    async def job(self, job_id: JobId, scope: Scope) -> Job | None:
        """The job, where the scope holds its collection; None, too, when its document was removed since."""
        jobs = await self._jobs(scope, "AND j.id = ?", [job_id])
        return jobs[0] if jobs else None

    async def jobs(self, scope: Scope) -> list[Job]:
        """The jobs of the scope, oldest first."""
        return await self._jobs(scope, "", [])

    async def cancel(self, job_id: JobId) -> None:
        """End a job that waits; ask whoever has it in hand to let it go."""
        async with self._file.transaction() as db:
            await db.execute(
                f"""
                UPDATE jobs SET cancelling = 1, changed_at = ?,
                    stage = CASE stage WHEN 'queued' THEN 'cancelled' ELSE stage END,
                    outcome = CASE stage WHEN 'queued' THEN 'failed' ELSE outcome END,
                    code = CASE stage WHEN 'queued' THEN ? ELSE code END,
                    message = CASE stage WHEN 'queued' THEN ? ELSE message END
                WHERE id = ? AND {UNENDED}
                """,  # noqa: S608 - as above
                [self._now().isoformat(), CANCELLED.code, CANCELLED.message, job_id],
            )

    async def pulse(self) -> object:
        """Something that changes whenever the queue moves; that it grows is no move."""
        rows = await self._file.read(
            "SELECT count(*), sum(tries), sum(done), max(stage), max(changed_at) FROM jobs WHERE stage != 'queued'"
        )
        return tuple(rows[0])

    async def _jobs(self, scope: Scope, where: str, values: list[object]) -> list[Job]:
        which, scoped = in_scope(scope, "j")
        rows = await self._file.read(
            f"SELECT * FROM jobs j WHERE {which} {where} ORDER BY j.number",  # noqa: S608 - only question marks are put in
            [*scoped, *values],
        )
        named = {DocumentId(row["document_id"]) for row in rows if row["stage"] == "ready"}
        seen = Scope(scope.collections, frozenset(named))
        documents = {d.id: d for d in await self._catalog.documents(seen)} if named else {}
        jobs = (_job(row, documents) for row in rows)
        return [job for job in jobs if job is not None]

    # ------------------------------------------------------------------------------ for the one who drains

    async def first(self) -> Turn | None:
        """Whose turn it is among those that wait."""
        rows = await self._file.read(
            f"SELECT turn, bytes, number FROM jobs WHERE {UNENDED} AND stage = 'queued' "  # noqa: S608 - as above
            "ORDER BY turn, bytes, number LIMIT 1"
        )
        return Turn(*rows[0]) if rows else None

    async def claim(self) -> Claimed | None:
        """Take the first of those that wait."""
        async with self._file.transaction() as db:
            rows = list(
                await db.execute_fetchall(
                    f"SELECT * FROM jobs WHERE {UNENDED} AND stage = 'queued' "  # noqa: S608 - as above
                    "ORDER BY turn, bytes, number LIMIT 1"
                )
            )
            if not rows:
                return None
            row = rows[0]
            await db.execute(
                """
                UPDATE jobs SET stage = 'reading', tries = tries + 1, done = 0, total = 0, changed_at = ? WHERE id = ?
                """,
                [self._now().isoformat(), row["id"]],
            )
        return Claimed(
            id=JobId(row["id"]),
            collection=CollectionName(row["collection"]),
            principal=Principal(row["principal"]),
            filename=row["filename"],
            document_id=DocumentId(row["document_id"]),
            ocr=OCR_MODES[row["ocr"]],
            tries=row["tries"] + 1,
            kept=row["outcome"] == "indexed",
            turn=Turn(row["turn"], row["bytes"], row["number"]),
        )

    async def advance(self, job_id: JobId, stage: Stage, done: int, total: int) -> bool:
        """Note how far a job has come. False when it is to be let go: cancelled, or gone with its collection."""
        async with self._file.transaction() as db:
            cursor = await db.execute(
                f"""
                UPDATE jobs SET stage = ?, done = ?, total = ?, changed_at = ?,
                    outcome = CASE ? WHEN 'embedding' THEN 'indexed' ELSE outcome END
                WHERE id = ? AND cancelling = 0 AND {UNENDED}
                """,  # noqa: S608 - as above
                [stage, done, total, self._now().isoformat(), stage, job_id],
            )
            return cursor.rowcount > 0

    async def end(self, job_id: JobId, outcome: Outcome) -> None:
        """Note what became of a job."""
        async with self._file.transaction() as db:
            await db.execute(
                f"""
                UPDATE jobs SET stage = ?, outcome = ?, code = ?, message = ?, changed_at = ?
                WHERE id = ? AND {UNENDED}
                """,  # noqa: S608 - as above
                [outcome.stage, outcome.status, outcome.code, outcome.message, self._now().isoformat(), job_id],
            )

    async def requeue(self, *, spared: bool = False) -> None:
        """Give back what a process had in hand; end it where it was cancelled. If `spared`, that was no try."""
        now = self._now().isoformat()
        async with self._file.transaction() as db:
            await db.execute(
                f"""
                UPDATE jobs SET stage = 'cancelled', outcome = 'failed', code = ?, message = ?, changed_at = ?
                WHERE {UNENDED} AND cancelling = 1
                """,  # noqa: S608 - as above
                [CANCELLED.code, CANCELLED.message, now],
            )
            await db.execute(
                f"""
                UPDATE jobs SET stage = 'queued', tries = tries - ?, changed_at = ?
                WHERE {UNENDED} AND stage != 'queued'
                """,  # noqa: S608 - as above
                [int(spared), now],
            )

    async def unended(self) -> list[JobId]:
        """All jobs that something may still become of."""
        return [JobId(row[0]) for row in await self._file.read(f"SELECT id FROM jobs WHERE {UNENDED}")]  # noqa: S608 - as above

    async def forget(self, *, before: datetime) -> None:
        """Delete jobs that ended before then: they hold names of files."""
        async with self._file.transaction() as db:
            await db.execute(
                f"DELETE FROM jobs WHERE NOT ({UNENDED}) AND changed_at < ?",  # noqa: S608 - as above
                [before.isoformat()],
            )


def _job(row: sqlite3.Row, documents: dict[DocumentId, Document]) -> Job | None:
    stage = STAGES[row["stage"]]
    result: Ingested | None = None
    document = documents.get(row["document_id"])
    if stage == "ready":
        if document is None:
            return None
        result = Ingested(row["filename"], "duplicate" if row["outcome"] == "duplicate" else "indexed", document)
    elif stage in ENDED:
        result = Ingested(row["filename"], "failed", code=row["code"], message=row["message"])
    return Job(
        id=JobId(row["id"]),
        collection=CollectionName(row["collection"]),
        principal=Principal(row["principal"]),
        filename=row["filename"],
        document_id=DocumentId(row["document_id"]) if row["document_id"] else None,
        stage=stage,
        done=row["done"],
        total=row["total"],
        submitted_at=datetime.fromisoformat(row["submitted_at"]).astimezone(UTC),
        result=result,
    )
