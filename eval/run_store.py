"""Runs, what came of each question, and servers' own questions: tables of the catalog's SQLite file.

They live beside the documents because they quote them: when a document leaves its collection, or goes for good, the
runs over it, and the own questions that name it by its id, go in the same transaction, by triggers, so that the core
need not know that there are evals.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Self

import aiosqlite

from eval import replies
from eval.datasets import Dataset, line_of, row_of
from eval.errors import RunNotFound
from eval.replies import Outcome
from eval.run_values import Run, State
from rag_core.errors import StoreBusy, StoreUnavailable

SCHEMA = (
    """CREATE TABLE IF NOT EXISTS eval_runs (
        id TEXT PRIMARY KEY, owner TEXT NOT NULL, dataset TEXT NOT NULL, rows TEXT NOT NULL, folder TEXT,
        systems TEXT NOT NULL, documents TEXT NOT NULL, fingerprint TEXT NOT NULL, state TEXT NOT NULL,
        started_at TEXT NOT NULL, finished_at TEXT, total INTEGER NOT NULL, skipped INTEGER NOT NULL,
        note TEXT NOT NULL, prepared TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE IF NOT EXISTS eval_run_documents (
        run_id TEXT NOT NULL REFERENCES eval_runs (id) ON DELETE CASCADE, document_id TEXT NOT NULL,
        PRIMARY KEY (run_id, document_id)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS eval_outcomes (
        run_id TEXT NOT NULL REFERENCES eval_runs (id) ON DELETE CASCADE, system TEXT NOT NULL, row_id TEXT NOT NULL,
        outcome TEXT NOT NULL, failed INTEGER NOT NULL, PRIMARY KEY (run_id, system, row_id)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS eval_judgements (
        run_id TEXT NOT NULL REFERENCES eval_runs (id) ON DELETE CASCADE, system TEXT NOT NULL, row_id TEXT NOT NULL,
        metric TEXT NOT NULL, model TEXT NOT NULL, value REAL NOT NULL, tokens INTEGER NOT NULL,
        PRIMARY KEY (run_id, system, row_id, metric, model)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS eval_questions (
        owner TEXT NOT NULL, id TEXT NOT NULL, line TEXT NOT NULL, added_at TEXT NOT NULL, added_by TEXT NOT NULL,
        PRIMARY KEY (owner, id)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TRIGGER IF NOT EXISTS eval_document_gone AFTER DELETE ON documents BEGIN
        DELETE FROM eval_runs WHERE id IN (SELECT run_id FROM eval_run_documents WHERE document_id = OLD.id);
    END""",
    """CREATE TRIGGER IF NOT EXISTS eval_document_left AFTER DELETE ON memberships BEGIN
        DELETE FROM eval_runs WHERE owner = OLD.collection
        AND id IN (SELECT run_id FROM eval_run_documents WHERE document_id = OLD.document_id);
    END""",
    """CREATE TRIGGER IF NOT EXISTS eval_asked_document_gone AFTER DELETE ON documents BEGIN
        DELETE FROM eval_questions WHERE EXISTS (SELECT 1 FROM json_each(line, '$.documents') WHERE value = OLD.id);
    END""",
    """CREATE TRIGGER IF NOT EXISTS eval_asked_document_left AFTER DELETE ON memberships BEGIN
        DELETE FROM eval_questions WHERE owner = OLD.collection
        AND EXISTS (SELECT 1 FROM json_each(line, '$.documents') WHERE value = OLD.document_id);
    END""",
)
PROGRESS = """(SELECT count(*) FROM eval_outcomes o WHERE o.run_id = r.id) AS done,
    (SELECT coalesce(sum(failed), 0) FROM eval_outcomes o WHERE o.run_id = r.id) AS failed"""
BUSY_SECONDS = 30.0


class RunStore:
    """Keeps runs. The catalog must have been opened before, because the triggers stand on its tables."""

    def __init__(self, db: aiosqlite.Connection) -> None:
        self._db = db
        self._one_at_a_time = asyncio.Lock()

    @classmethod
    async def open(cls, path: Path) -> Self:
        """The runs in the catalog at `path`.

        Raises:
            StoreUnavailable: The file cannot be used.
        """
        with _translated():
            db = await aiosqlite.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
            db.row_factory = sqlite3.Row
            try:
                for pragma in ("journal_mode = WAL", "foreign_keys = ON", "secure_delete = ON"):
                    await db.execute_fetchall(f"PRAGMA {pragma}")
                for statement in SCHEMA:
                    await db.execute(statement)
            except BaseException:  # cancelled or failed, it is undone and raised again
                await db.close()
                raise
        return cls(db)

    async def close(self) -> None:
        """Close the connection."""
        await self._db.close()

    # ------------------------------------------------------------------------------ runs

    async def begin(self, run: Run) -> None:
        """Keep a new run."""
        values = {
            "id": run.id,
            "owner": run.owner,
            "dataset": run.dataset.name,
            "rows": "\n".join(map(line_of, run.dataset.rows)),
            "folder": str(run.dataset.folder) if run.dataset.folder else None,
            "systems": json.dumps(run.systems),
            "documents": json.dumps(dict(run.documents)),
            "fingerprint": json.dumps(dict(run.fingerprint)),
            "state": run.state,
            "started_at": run.started_at.isoformat(),
            "total": run.total,
            "skipped": run.skipped,
            "note": run.note,
            "prepared": "{}",
        }
        names, marks = ", ".join(values), ", ".join("?" for _ in values)
        async with self._transaction() as db:
            await db.execute(f"INSERT INTO eval_runs ({names}) VALUES ({marks})", [*values.values()])  # noqa: S608
            await db.executemany(
                "INSERT INTO eval_run_documents VALUES (?, ?)", [(run.id, d) for d in {*run.documents.values()}]
            )

    async def end(self, run_id: str, state: State, *, at: datetime | None, note: str = "") -> None:
        """Say how a run stands."""
        finished = at.isoformat() if at else None
        async with self._transaction() as db:
            await db.execute(
                "UPDATE eval_runs SET state = ?, finished_at = ?, note = ? WHERE id = ?",
                [state, finished, note, run_id],
            )

    async def prepared(self, run_id: str, system: str, seconds: Mapping[str, float]) -> None:
        """Keep what indexing took, the first time."""
        async with self._transaction() as db:
            rows = await db.execute_fetchall("SELECT prepared FROM eval_runs WHERE id = ?", [run_id])
            for row in rows:
                known = {system: dict(seconds), **json.loads(row["prepared"])}
                await db.execute("UPDATE eval_runs SET prepared = ? WHERE id = ?", [json.dumps(known), run_id])

    async def run(self, run_id: str, *, owner: str | None = None) -> Run:
        """A run by its id or the beginning of it; `latest` is the owner's last one.

        Raises:
            RunNotFound: There is none, or more than one, or it is another owner's.
        """
        found = await (self._runs(owner, most=1) if run_id == "latest" else self._runs(owner, begins=run_id))
        if len(found) != 1:
            how = "no run" if not found else f"{len(found)} runs"
            raise RunNotFound(f"There is {how} {run_id!r}: `pincite eval history` lists those that there are.")
        return found[0]

    async def runs(self, *, owner: str | None = None) -> list[Run]:
        """All runs of an owner, or of all, the last one first."""
        return await self._runs(owner)

    async def progress(self, run_id: str) -> tuple[int, int]:
        """How many rows are done, and how many of these failed.

        Raises:
            RunNotFound: The run has gone, perhaps with a document of its own.
        """
        rows = await self._all(f"SELECT {PROGRESS} FROM eval_runs r WHERE r.id = ?", [run_id])  # noqa: S608 - our own
        if not rows:
            raise RunNotFound(f"The run {run_id!r} was deleted.")
        return rows[0]["done"], rows[0]["failed"]

    async def _runs(self, owner: str | None, *, begins: str = "", most: int = -1) -> list[Run]:
        rows = await self._all(
            f"""
            SELECT r.*, {PROGRESS} FROM eval_runs r
            WHERE (?1 IS NULL OR r.owner = ?1) AND substr(r.id, 1, length(?2)) = ?2
            ORDER BY r.started_at DESC, r.id DESC LIMIT ?3
            """,  # noqa: S608 - our own
            [owner, begins, most],
        )
        return [_run(row) for row in rows]

    async def owners(self) -> list[str]:
        """Whoever has a run or a question, in order."""
        rows = await self._all("SELECT owner FROM eval_runs UNION SELECT owner FROM eval_questions ORDER BY 1", [])
        return [row["owner"] for row in rows]

    async def forget(self, owner: str) -> None:
        """Delete all runs and questions of an owner."""
        async with self._transaction() as db:
            await db.execute("DELETE FROM eval_runs WHERE owner = ?", [owner])
            await db.execute("DELETE FROM eval_questions WHERE owner = ?", [owner])

    # ------------------------------------------------------------------------------ outcomes

    async def add(self, run_id: str, system: str, outcomes: Mapping[str, Outcome]) -> None:
        """Keep what came of some rows; a failure before is replaced."""
        lines = [(run_id, system, row, replies.dump(o), int(replies.is_failed(o))) for row, o in outcomes.items()]
        async with self._transaction() as db:
            # A run may have gone with a document of its own: then there is nothing to keep.
            await db.executemany(
                """
                INSERT OR REPLACE INTO eval_outcomes
                SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM eval_runs WHERE id = ?1)
                """,
                lines,
            )

    async def outcomes(self, run_id: str) -> dict[tuple[str, str], Outcome]:
        """By system and row."""
        rows = await self._all("SELECT system, row_id, outcome FROM eval_outcomes WHERE run_id = ?", [run_id])
        return {(row["system"], row["row_id"]): replies.load(row["outcome"]) for row in rows}

    # ------------------------------------------------------------------------------ judgements

    async def judge(  # noqa: PLR0913 - a row has so many columns
        self, run_id: str, system: str, row: str, *, metric: str, model: str, value: float, tokens: int
    ) -> None:
        """Keep one judgement of a language model."""
        async with self._transaction() as db:
            await db.execute(
                """
                INSERT OR REPLACE INTO eval_judgements
                SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE EXISTS (SELECT 1 FROM eval_runs WHERE id = ?1)
                """,
                [run_id, system, row, metric, model, value, tokens],
            )

    async def judgements(self, run_id: str, model: str) -> dict[tuple[str, str, str], float]:
        """By system, row and metric: what this model judged."""
        rows = await self._all(
            "SELECT system, row_id, metric, value FROM eval_judgements WHERE run_id = ? AND model = ?", [run_id, model]
        )
        return {(row["system"], row["row_id"], row["metric"]): row["value"] for row in rows}

    # ------------------------------------------------------------------------------ own questions

    async def add_question(self, owner: str, row_id: str, line: str, *, at: datetime, by: str) -> None:
        """Keep a question of a server's own; the same id again replaces it."""
        async with self._transaction() as db:
            await db.execute(
                "INSERT OR REPLACE INTO eval_questions VALUES (?, ?, ?, ?, ?)",
                [owner, row_id, line, at.isoformat(), by],
            )

    async def remove_questions(self, owner: str | None, *, row_id: str | None = None, by: str | None = None) -> int:
        """Delete one question, all that somebody added, or all; how many there were.

        With what somebody added, the runs go that asked it: they have its words, too.
        """
        async with self._transaction() as db:
            await db.execute(
                """
                DELETE FROM eval_runs WHERE EXISTS (
                    SELECT 1 FROM eval_questions q WHERE q.owner = eval_runs.owner AND instr(eval_runs.rows, q.line)
                    AND (?1 IS NULL OR q.owner = ?1) AND (?2 IS NULL OR q.id = ?2) AND q.added_by = ?3
                )
                """,
                [owner, row_id, by],
            )
            done = await db.execute(
                """
                DELETE FROM eval_questions
                WHERE (?1 IS NULL OR owner = ?1) AND (?2 IS NULL OR id = ?2) AND (?3 IS NULL OR added_by = ?3)
                """,
                [owner, row_id, by],
            )
            return done.rowcount

    async def questions(self, owner: str | None = None, *, by: str | None = None) -> list[str]:
        """The lines of an owner's own set, or of what somebody added, oldest first."""
        rows = await self._all(
            """
            SELECT line FROM eval_questions WHERE (?1 IS NULL OR owner = ?1) AND (?2 IS NULL OR added_by = ?2)
            ORDER BY added_at, owner, id
            """,
            [owner, by],
        )
        return [row["line"] for row in rows]

    # ------------------------------------------------------------------------------ the file

    async def _all(self, query: str, values: Sequence[object]) -> list[Any]:
        with _translated():
            return list(await self._db.execute_fetchall(query, values))

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[aiosqlite.Connection]:
        with _translated():
            async with self._one_at_a_time:
                await self._db.execute("BEGIN IMMEDIATE")
                try:
                    yield self._db
                except BaseException:  # cancelled or failed, it is undone and raised again
                    await self._db.rollback()
                    raise
                await self._db.commit()


def _run(row: sqlite3.Row) -> Run:
    rows = tuple(row_of(json.loads(line)) for line in row["rows"].split("\n"))
    run = Run(
        id=row["id"],
        owner=row["owner"],
        dataset=Dataset(row["dataset"], rows, Path(row["folder"]) if row["folder"] else None),
        systems=tuple(json.loads(row["systems"])),
        documents=json.loads(row["documents"]),
        fingerprint=json.loads(row["fingerprint"]),
        state=row["state"],
        started_at=datetime.fromisoformat(row["started_at"]),
        finished_at=datetime.fromisoformat(row["finished_at"]) if row["finished_at"] else None,
    )
    return replace(
        run,
        done=row["done"],
        failed=row["failed"],
        total=row["total"],
        skipped=row["skipped"],
        note=row["note"],
        prepared=json.loads(row["prepared"]),
    )


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as exc:
        if "locked" in str(exc) or "busy" in str(exc):
            raise StoreBusy("Another process is writing to the catalog and did not finish; try again.") from exc
        raise StoreUnavailable(f"The runs of the evals cannot be kept: {exc}.") from exc
    except sqlite3.DatabaseError as exc:
        raise StoreUnavailable(f"The runs of the evals cannot be read: {exc}.") from exc
