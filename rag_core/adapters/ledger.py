"""What each principal did within the last hour, and what it may do: in the catalog, as all processes count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple
from datetime import UTC, datetime

from rag_core.adapters.catalog_file import CatalogFile
from rag_core.types.jobs import LOCAL, Principal
from rag_core.types.quotas import EVERYBODY, HOUR, Act, Held, Quota, refuse_too_often


class SqliteLedger:
    """Implements `Ledger`."""

    def __init__(self, file: CatalogFile, *, now: Callable[[], datetime]) -> None:
        self._file = file
        self._now = now

    async def quota(self, principal: Principal) -> Quota:
        """The principal's own, else everybody's; the command line has only its own."""
        whose = [principal] if principal == LOCAL else [principal, EVERYBODY]
        for one in whose:
            rows = await self._file.read(
                "SELECT uploads_an_hour, questions_an_hour, bytes, pages FROM quotas WHERE principal = ?", [one]
            )
            if rows:
                return Quota(*rows[0])
        return Quota()

    async def quotas(self) -> dict[Principal, Quota]:
        """Those that were set, by principal, everybody's first."""
        rows = await self._file.read(
            "SELECT principal, uploads_an_hour, questions_an_hour, bytes, pages FROM quotas ORDER BY principal"
        )
        return {Principal(row[0]): Quota(*row[1:]) for row in rows}

    async def set_quota(self, principal: Principal, quota: Quota | None) -> None:
        """Allow so much; None takes the principal's own quota away."""
        async with self._file.transaction() as db:
            await db.execute("DELETE FROM quotas WHERE principal = ?", [principal])
            if quota is not None:
                await db.execute("INSERT INTO quotas VALUES (?, ?, ?, ?, ?)", [principal, *astuple(quota)])

    async def charge(self, principal: Principal, act: Act, count: int) -> None:
        """Note that the principal does something, unless it did so too often."""
        most = (await self.quota(principal)).an_hour(act)
        if most is None:
            return
        now = self._now().astimezone(UTC)
        since = (now - HOUR).isoformat()
        async with self._file.transaction() as db:  # a clock that was set back must lock nobody out
            await db.execute("UPDATE acts SET at = ? WHERE at > ?", [now.isoformat(), now.isoformat()])
        async with self._file.transaction() as db:  # nobody comes between the look and the note
            rows = await db.execute_fetchall(
                "SELECT at FROM acts WHERE principal = ? AND act = ? AND at > ? ORDER BY at", [principal, act, since]
            )
            refuse_too_often(act, count, most, [datetime.fromisoformat(row[0]) for row in rows], now)
            await db.executemany("INSERT INTO acts VALUES (?, ?, ?)", [(principal, act, now.isoformat())] * count)
            await db.execute("DELETE FROM acts WHERE at <= ?", [since])

    async def held(self, principal: Principal) -> Held:
        """What the principal's documents and waiting files take up."""
        rows = await self._file.read(
            """
            SELECT coalesce(sum(bytes), 0), coalesce(sum(pages), 0) FROM documents
            WHERE id IN (SELECT document_id FROM senders WHERE principal = ?)
            """,
            [principal],
        )
        waiting = await self._file.read(
            """
            SELECT coalesce(sum(bytes), 0) FROM jobs
            WHERE principal = ? AND stage NOT IN ('ready', 'failed', 'cancelled')
                AND document_id NOT IN (SELECT document_id FROM senders WHERE principal = ?)
            """,
            [principal, principal],
        )
        return Held(int(rows[0][0]) + int(waiting[0][0]), int(rows[0][1]))
