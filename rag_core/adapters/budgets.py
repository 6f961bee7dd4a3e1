"""Who may ask which language model when: tables of the catalog's SQLite file, so that all processes keep one count.

Its connection is its own and waits for the catalog's transactions as those of another process do. A process that dies
leaves a reservation and a place in the line; both are forgotten after a while.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from rag_core.adapters.catalog_file import BUSY_SECONDS, translated
from rag_core.types.admission import Call, State, Wait, admit, left, others
from rag_core.types.allowances import in_force
from rag_core.types.meters import DAY, Meter, Reading

T = TypeVar("T")

STALE_CALL = 600.0
"""Seconds: a request under way for longer belongs to a process that died; it counts as made when it began."""
STALE_TURN = 15.0
"""Seconds: who stands in the line asks every second; one that has not for so long is gone."""
ASK_AGAIN = 1.0
"""Seconds between two looks at a line in which others stand before."""

STEADINESS = 0.7
"""How much of the scale stays when another prompt was counted: a few calls move it, and no single one sways it."""
SCALES = (0.5, 4.0)
"""Beyond these the count is of something else: a cached prompt, a picture."""


class SqliteBudgets:
    """Implements `Budgets`. The file must have been opened by the catalog before, which makes the tables.

    Args:
        clock: Seconds since the epoch; of the wall, because other processes and the next start read them.
    """

    def __init__(self, path: Path, *, clock: Callable[[], float]) -> None:
        self._path = path
        self._clock = clock
        self._db: sqlite3.Connection | None = None
        self._one_at_a_time = asyncio.Lock()

    async def close(self) -> None:
        """Close the connection."""
        if self._db is not None:
            await asyncio.to_thread(self._db.close)
            self._db = None

    async def join(self, account: str) -> int:
        """A place at the end of the line."""

        def work(db: sqlite3.Connection) -> int:
            cursor = db.execute("INSERT INTO model_line (account, seen) VALUES (?, ?)", [account, self._clock()])
            return int(cursor.lastrowid or 0)

        return await self._do(work)

    async def leave(self, ticket: int) -> None:
        """The place is free."""
        await self._do(lambda db: db.execute("DELETE FROM model_line WHERE ticket = ?", [ticket]))

    async def reserve(self, account: str, tokens: int, *, ticket: int, table: Mapping[Meter, int]) -> int | Wait:
        """One transaction: whether it fits, and the note that it is taken."""
        return await self._do(lambda db: self._reserve(db, account, tokens, ticket, table))

    async def settle(self, reservation: int, tokens: int | None) -> None:
        """From now on it counts as what it took, from now."""

        def work(db: sqlite3.Connection) -> None:
            if tokens is None:
                db.execute("DELETE FROM model_calls WHERE id = ?", [reservation])
            else:
                db.execute(
                    "UPDATE model_calls SET tokens = ?, at = ?, under_way = 0 WHERE id = ?",
                    [tokens, self._clock(), reservation],
                )

        await self._do(work)

    async def read(self, account: str, readings: Iterable[Reading]) -> None:
        """Limits are kept for good, and what others used until the provider forgets it."""
        if said := tuple(readings):
            await self._do(lambda db: self._read(db, account, said))

    async def shut(self, account: str, meter: Meter, seconds: float) -> None:
        """The later of what is known and what is said now."""
        until = self._clock() + seconds
        await self._do(
            lambda db: db.execute(
                """
                INSERT INTO model_meters (account, meter, shut_until) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET shut_until = max(shut_until, excluded.shut_until)
                """,
                [account, meter.value, until],
            )
        )

    async def limits(self, account: str, table: Mapping[Meter, int]) -> dict[Meter, int]:
        """What the provider told, before what the table says."""
        return await self._do(lambda db: dict(_state(db, account, table, self._clock()).limits))

    async def left(self, account: str, meter: Meter, table: Mapping[Meter, int]) -> int | None:
        """What a meter still has now; None where nothing is known of it."""
        return await self._do(lambda db: left(_state(db, account, table, self._clock()), meter, now=self._clock()))

    async def scale(self, account: str) -> float:
        """As it was last counted."""

        def work(db: sqlite3.Connection) -> float:
            row = db.execute("SELECT scale FROM model_scales WHERE account = ?", [account]).fetchone()
            return float(row[0]) if row else 1.0

        return await self._do(work)

    async def counted(self, account: str, *, estimated: int, really: int) -> None:
        """The first count is taken as it is; later ones move it."""
        if estimated <= 0 or not SCALES[0] <= really / estimated <= SCALES[1]:
            return
        await self._do(
            lambda db: db.execute(
                """
                INSERT INTO model_scales VALUES (?1, ?2)
                ON CONFLICT DO UPDATE SET scale = scale * ?3 + excluded.scale * (1 - ?3)
                """,
                [account, really / estimated, STEADINESS],
            )
        )

    # ------------------------------------------------------------------------------ within a transaction

    def _reserve(
        self, db: sqlite3.Connection, account: str, tokens: int, ticket: int, table: Mapping[Meter, int]
    ) -> int | Wait:
        now = self._clock()
        db.execute("UPDATE model_line SET seen = ? WHERE ticket = ?", [now, ticket])
        first = db.execute(
            "SELECT min(ticket) FROM model_line WHERE account = ? AND seen > ?", [account, now - STALE_TURN]
        ).fetchone()[0]
        if first is not None and first < ticket:
            return Wait(ASK_AGAIN, None)
        wait = admit(_state(db, account, table, now), tokens, now=now)
        if wait is not None:
            return wait
        db.execute("DELETE FROM model_line WHERE seen < ?", [now - STALE_TURN])
        db.execute("DELETE FROM model_calls WHERE at < ?", [now - DAY])
        cursor = db.execute(
            "INSERT INTO model_calls (account, at, tokens, under_way) VALUES (?, ?, ?, 1)", [account, now, tokens]
        )
        return int(cursor.lastrowid or 0)

    def _read(self, db: sqlite3.Connection, account: str, said: tuple[Reading, ...]) -> None:
        now = self._clock()
        state = _state(db, account, {}, now)
        for reading in said:
            used = 0 if reading.used is None else others(state, reading.meter, reading.used, now=now)
            until = now + (reading.meter.seconds if reading.resets_in is None else reading.resets_in)
            db.execute(
                """
                INSERT INTO model_meters (account, meter, most, others, others_until) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET most = coalesce(excluded.most, most), others = excluded.others,
                    others_until = excluded.others_until
                """,
                [account, reading.meter.value, reading.limit, used, until],
            )

    # ------------------------------------------------------------------------------ SQLite

    async def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        async with self._one_at_a_time:
            return await asyncio.to_thread(self._transaction, work)

    def _transaction(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with translated(self._path):
            if self._db is None:
                self._db = _connect(self._path)
            with _committed(self._db) as db:
                _set_back(db, self._clock())
                return work(db)


def _set_back(db: sqlite3.Connection, now: float) -> None:
    """What was noted in a future, before the clock was set back, counts as noted now; nothing is shut beyond a day."""
    db.execute("UPDATE model_calls SET at = ?1 WHERE at > ?1", [now])
    db.execute("UPDATE model_line SET seen = ?1 WHERE seen > ?1", [now])
    for until in ("others_until", "shut_until"):
        db.execute(f"UPDATE model_meters SET {until} = ?1 WHERE {until} > ?1", [now + DAY])  # noqa: S608 - our own names


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    db.execute("PRAGMA synchronous = NORMAL")  # a power cut may lose the last calls; a provider still counts them
    return db


@contextmanager
def _committed(db: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield db
    except BaseException:  # whatever it was, it is undone and raised again
        db.rollback()
        raise
    db.commit()


def _state(db: sqlite3.Connection, account: str, table: Mapping[Meter, int], now: float) -> State:
    calls = [
        Call(now if under_way and at > now - STALE_CALL else at, tokens)
        for at, tokens, under_way in db.execute(
            "SELECT at, tokens, under_way FROM model_calls WHERE account = ? AND at > ? ORDER BY at",
            [account, now - DAY],
        )
    ]
    told: dict[Meter, int] = {}
    used: dict[Meter, tuple[int, float]] = {}
    shut: dict[Meter, float] = {}
    for name, most, theirs, theirs_until, shut_until in db.execute(
        "SELECT meter, most, others, others_until, shut_until FROM model_meters WHERE account = ?", [account]
    ):
        meter = Meter(name)
        if most is not None:
            told[meter] = most
        used[meter] = (theirs, theirs_until)
        shut[meter] = shut_until
    return State(in_force(table, told), calls, used, shut)
