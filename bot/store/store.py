"""One SQLite file beside the library: opened once, written by the bot alone."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, astuple
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import aiosqlite

from bot.phrases import Language
from bot.settings import Listening, ServerSettings, Uploaders
from bot.store.records import (
    FollowedRun,
    KeptAnswer,
    NewQuestion,
    NewUpload,
    Question,
    Quote,
    Upload,
    UploadState,
    Vote,
    Withheld,
)
from bot.store.schema import migrate
from rag_core.errors import StoreUnavailable
from rag_core.types import Policy

FILE = "bot.sqlite3"

Clock = Callable[[], datetime]


class BotStore:
    """Remembers. Each call is one transaction."""

    def __init__(self, connection: aiosqlite.Connection, now: Clock) -> None:
        self._connection = connection
        self._now = now

    # ------------------------------------------------------------------------------ servers

    async def settings(self, server_id: int | None) -> ServerSettings:
        """A server's choices; the defaults where it made none, and in direct messages."""
        rows = await self._all("SELECT settings FROM servers WHERE id = ?", server_id)
        return _settings(rows[0]["settings"]) if rows else ServerSettings()

    async def set_settings(self, server_id: int, settings: ServerSettings) -> None:
        """Keep a server's choices."""
        await self._do("INSERT OR REPLACE INTO servers VALUES (?, ?)", server_id, _settings_json(settings))

    async def servers(self) -> set[int]:
        """Every server that anything is remembered of."""
        rows = await self._all(
            "SELECT id FROM servers UNION SELECT server_id FROM uploads UNION SELECT server_id FROM questions"
        )
        return {row[0] for row in rows if row[0] is not None}

    async def forget_server(self, server_id: int) -> None:
        """Delete all that is remembered of a server."""
        await self._do("DELETE FROM servers WHERE id = ?", server_id)
        for table in ("uploads", "questions", "votes", "followed_runs"):
            await self._do(f"DELETE FROM {table} WHERE server_id = ?", server_id)  # noqa: S608 - our own names

    async def meta(self, key: str) -> str | None:
        """A word about the bot itself."""
        rows = await self._all("SELECT value FROM meta WHERE key = ?", key)
        return rows[0]["value"] if rows else None

    async def set_meta(self, key: str, value: str) -> None:
        """Keep a word about the bot itself."""
        await self._do("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, value)

    async def first_time(self, place_id: int, hint: str) -> bool:
        """Whether a hint was never given in a place before; from now on it was."""
        return await self._do("INSERT OR IGNORE INTO hints VALUES (?, ?)", place_id, hint) == 1

    # ------------------------------------------------------------------------------ messages

    async def set_heard(self, message_id: int) -> None:
        """Note that what a message wants was done. What is forgotten of it later leaves this note, and no other."""
        await self._do("INSERT OR IGNORE INTO heard VALUES (?)", message_id)

    async def is_heard(self, message_id: int) -> bool:
        """Whether what a message wants was done, or is noted as something to do."""
        tables = (f"SELECT 1 FROM {table} WHERE message_id = ?1" for table in ("heard", "uploads", "questions"))  # noqa: S608 - our own names
        return bool(await self._all(" UNION ALL ".join(tables), message_id))

    async def forget_heard_before(self, message_id: int) -> None:
        """Forget which messages were heard before one."""
        await self._do("DELETE FROM heard WHERE message_id < ?", message_id)

    # ------------------------------------------------------------------------------ uploads

    async def bring(self, new: NewUpload) -> Upload:
        """Note a file that was posted; one that was noted before is as it was."""
        values = (*_fields(new), self._now().isoformat())
        await self._do(
            "INSERT OR IGNORE INTO uploads (server_id, channel_id, message_id, attachment_id, place_id, uploader_id, "
            "filename, collection, added_at, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'coming')",
            *values,
        )
        where = "message_id = ? AND attachment_id = ?"
        return (await self._uploads(where, new.message_id, new.attachment_id))[0]

    async def upload(self, upload_id: int) -> Upload | None:
        """One upload."""
        found = await self._uploads("id = ?", upload_id)
        return found[0] if found else None

    async def set_card(self, upload_id: int, card_id: int) -> None:
        """Remember the message that says how an upload goes on."""
        await self._do("UPDATE uploads SET card_id = ? WHERE id = ?", card_id, upload_id)

    async def set_job(self, upload_id: int, job_id: str) -> None:
        """Remember the library's job."""
        await self._do("UPDATE uploads SET job_id = ? WHERE id = ?", job_id, upload_id)

    async def set_upload_state(self, upload_id: int, state: UploadState, document_id: str | None = None) -> None:
        """Note what became of an upload."""
        await self._do("UPDATE uploads SET state = ?, document_id = ? WHERE id = ?", state, document_id, upload_id)

    async def move(self, message_id: int, place_id: int) -> None:
        """Note that what a message brought and asked is talked about in another place than it was noted for."""
        await self._do("UPDATE uploads SET place_id = ? WHERE message_id = ?", place_id, message_id)
        await self._do("UPDATE questions SET place_id = ? WHERE message_id = ?", place_id, message_id)

    async def uploads_of_message(self, message_id: int) -> list[Upload]:
        """Those that a message brought."""
        return await self._uploads("message_id = ?", message_id)

    async def uploads_on_card(self, card_id: int) -> list[Upload]:
        """Those whose card a message is."""
        return await self._uploads("card_id = ?", card_id)

    async def uploads_in(self, place_id: int) -> list[Upload]:
        """Those that are talked about in a place."""
        return await self._uploads("place_id = ?", place_id)

    async def uploads_from(self, channel_id: int) -> list[Upload]:
        """Those that were posted in a channel or talked about there."""
        return await self._uploads("channel_id = ? OR place_id = ?", channel_id, channel_id)

    async def private_places(self) -> list[int]:
        """The private chats in which anything is remembered."""
        tables = (f"SELECT place_id FROM {table} WHERE server_id IS NULL" for table in ("uploads", "questions"))  # noqa: S608 - our own names
        return [row["place_id"] for row in await self._all(" UNION ".join(tables))]

    async def uploads_of_server(self, server_id: int) -> list[Upload]:
        """Those of a server."""
        return await self._uploads("server_id = ?", server_id)

    async def uploads_by(self, uploader_id: int) -> list[Upload]:
        """Those that somebody brought, anywhere."""
        return await self._uploads("uploader_id = ?", uploader_id)

    async def uploads_of(self, collection: str, document_id: str) -> list[Upload]:
        """How a document came into a collection: once, or several times."""
        return await self._uploads("collection = ? AND document_id = ?", collection, document_id)

    async def uploads_before(self, server_id: int, when: datetime) -> list[Upload]:
        """Those of a server that are older."""
        return await self._uploads("server_id = ? AND added_at < ?", server_id, when.isoformat())

    async def unfinished_uploads(self) -> list[Upload]:
        """Those that were on their way when the bot ended."""
        return await self._uploads("state = 'coming'")

    async def uploads_at_rest(self) -> list[Upload]:
        """Those that nobody is at any more, whatever became of them."""
        return await self._uploads("state != 'coming'")

    async def uploads_into(self, collection: str) -> list[Upload]:
        """Those into a collection."""
        return await self._uploads("collection = ?", collection)

    async def drop_uploads(self, uploads: Iterable[Upload]) -> None:
        """Forget uploads."""
        for upload in uploads:
            await self._do("DELETE FROM uploads WHERE id = ?", upload.id)

    async def _uploads(self, where: str, *values: object) -> list[Upload]:
        rows = await self._all(f"SELECT * FROM uploads WHERE {where} ORDER BY id", *values)  # noqa: S608 - our own words
        return [_upload(row) for row in rows]

    # ------------------------------------------------------------------------------ questions

    async def ask(self, new: NewQuestion) -> Question:
        """Note a question; one that its message asked before is as it was."""
        number = await self._insert(
            "INSERT OR IGNORE INTO questions (server_id, place_id, message_id, asker_id, question, document_id, "
            "leans_on, asked_at, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting')",
            *_fields(new),
            self._now().isoformat(),
        )
        if number is not None:
            return (await self._questions("id = ?", number))[0]
        return (await self._questions("message_id = ?", new.message_id))[0]

    async def set_answer_message(self, question_id: int, answer_id: int) -> None:
        """Remember the message that answers, or will."""
        await self._do("UPDATE questions SET answer_id = ? WHERE id = ?", answer_id, question_id)

    async def try_again(self, question_id: int) -> None:
        """Count an attempt to answer, though one before failed."""
        await self._do("UPDATE questions SET attempts = attempts + 1, state = 'waiting' WHERE id = ?", question_id)

    async def set_charged(self, question_id: int) -> None:
        """Note that a question was counted against its asker's quota."""
        await self._do("UPDATE questions SET charged = 1 WHERE id = ?", question_id)

    async def answered(self, question_id: int, answer_id: int, answer: KeptAnswer) -> None:
        """Keep what was answered, and by which message."""
        await self._do(
            "UPDATE questions SET state = 'answered', answer_id = ?, answer = ? WHERE id = ?",
            answer_id,
            json.dumps(asdict(answer)),
            question_id,
        )

    async def gave_up(self, question_id: int) -> None:
        """Note that there will be no answer, and that whoever asked was told why."""
        await self._do("UPDATE questions SET state = 'failed' WHERE id = ?", question_id)

    async def question(self, question_id: int) -> Question | None:
        """One question."""
        found = await self._questions("id = ?", question_id)
        return found[0] if found else None

    async def question_of_message(self, message_id: int) -> Question | None:
        """What a message asked."""
        found = await self._questions("message_id = ?", message_id)
        return found[0] if found else None

    async def question_answered_by(self, answer_id: int) -> Question | None:
        """What a message of ours answers."""
        found = await self._questions("answer_id = ?", answer_id)
        return found[-1] if found else None

    async def turns(self, place_id: int, asker_id: int, most: int) -> list[Question]:
        """The last answered questions of one asker in one place, oldest first."""
        where = "place_id = ? AND asker_id = ? AND state = 'answered' AND answer IS NOT NULL"
        return (await self._questions(where, place_id, asker_id))[-most:]

    async def waiting(self) -> list[Question]:
        """Questions that have no answer yet, oldest first."""
        return await self._questions("state = 'waiting'")

    async def questions_by(self, asker_id: int) -> list[Question]:
        """All that somebody asked, anywhere."""
        return await self._questions("asker_id = ?", asker_id)

    async def forget_questions_in(self, place_id: int) -> None:
        """Delete what was asked in a place, and what was thought of the answers."""
        await self._forget_questions("place_id = ?", place_id)

    async def forget_questions_by(self, asker_id: int) -> None:
        """Delete what somebody asked and thought, anywhere."""
        await self._forget_questions("asker_id = ?", asker_id)
        await self._do("DELETE FROM votes WHERE voter_id = ?", asker_id)

    async def forget_message(self, message_id: int) -> None:
        """Delete the question that a message asked, or answered; an answer that is to come has another message then."""
        await self._do("UPDATE questions SET answer_id = NULL WHERE answer_id = ? AND state = 'waiting'", message_id)
        await self._forget_questions("message_id = ? OR answer_id = ?", message_id, message_id)

    async def forget_questions_before(self, server_id: int, when: datetime) -> None:
        """Delete what was asked in a server before a time."""
        await self._forget_questions("server_id = ? AND asked_at < ?", server_id, when.isoformat())

    async def forget_answers_from(self, documents: Iterable[str]) -> None:
        """Forget what was answered out of documents; that it was asked stays."""
        for document_id in documents:
            await self._do("UPDATE questions SET answer = NULL WHERE answer LIKE ?", f"%{document_id}%")

    async def scrub(self) -> None:
        """Write the file anew and empty the log of it: no copy of what was deleted is left in either."""
        await self._all("VACUUM")
        await self._all("PRAGMA wal_checkpoint(TRUNCATE)")

    async def _forget_questions(self, where: str, *values: object) -> None:
        which = f"SELECT answer_id FROM questions WHERE {where}"  # noqa: S608 - our own words
        await self._do(f"DELETE FROM votes WHERE answer_id IN ({which})", *values)  # noqa: S608
        if await self._do(f"DELETE FROM questions WHERE {where}", *values):  # noqa: S608
            await self.scrub()

    async def _questions(self, where: str, *values: object) -> list[Question]:
        rows = await self._all(f"SELECT * FROM questions WHERE {where} ORDER BY id", *values)  # noqa: S608 - our own words
        return [_question(row) for row in rows]

    # ------------------------------------------------------------------------------ votes

    async def vote(self, vote: Vote, server_id: int | None) -> None:
        """Keep what somebody thinks of an answer; the last word counts."""
        await self._do(
            "INSERT OR REPLACE INTO votes VALUES (?, ?, ?, ?, ?, ?)",
            vote.answer_id,
            vote.voter_id,
            server_id,
            vote.good,
            vote.reason,
            self._now().isoformat(),
        )

    async def votes_by(self, voter_id: int) -> list[Vote]:
        """All that somebody thought of answers."""
        rows = await self._all("SELECT * FROM votes WHERE voter_id = ? ORDER BY voted_at", voter_id)
        return [Vote(row["answer_id"], row["voter_id"], bool(row["good"]), row["reason"]) for row in rows]

    # ------------------------------------------------------------------------------ runs of evals

    async def follow_run(self, run: FollowedRun) -> bool:
        """Note where a run is followed; False, and nothing noted, where its server has one already."""
        return await self._do("INSERT OR IGNORE INTO followed_runs VALUES (?, ?, ?, ?)", *astuple(run)) == 1

    async def set_run(self, server_id: int, run_id: str) -> None:
        """Remember which run it is, once it has begun."""
        await self._do("UPDATE followed_runs SET run_id = ? WHERE server_id = ?", run_id, server_id)

    async def unfollow_run(self, server_id: int) -> None:
        """Note that a server's run has ended."""
        await self._do("DELETE FROM followed_runs WHERE server_id = ?", server_id)

    async def followed_runs(self) -> list[FollowedRun]:
        """Those that were under way when the bot ended."""
        return [FollowedRun(*row) for row in await self._all("SELECT * FROM followed_runs ORDER BY server_id")]

    # ------------------------------------------------------------------------------ SQLite

    def now(self) -> datetime:
        """The present, by the clock that the records are dated with."""
        return self._now()

    async def _all(self, sql: str, *values: object) -> Sequence[aiosqlite.Row]:
        # In one step: a query that is left open between two would hold up what `scrub` does.
        return list(await self._connection.execute_fetchall(sql, values))

    async def _do(self, sql: str, *values: object) -> int:
        async with self._connection.execute(sql, values) as cursor:
            return cursor.rowcount

    async def _insert(self, sql: str, *values: object) -> int | None:
        async with self._connection.execute(sql, values) as cursor:
            return cursor.lastrowid if cursor.rowcount == 1 else None


@asynccontextmanager
async def open_store(home: Path, now: Clock = lambda: datetime.now(UTC)) -> AsyncIterator[BotStore]:
    """The bot's file in the data folder, made or migrated where it must be.

    Raises:
        StoreUnavailable: It cannot be opened, or a newer Pincite made it.
    """
    path = home / FILE
    try:
        await asyncio.to_thread(home.mkdir, parents=True, exist_ok=True)
        connection = await aiosqlite.connect(path, isolation_level=None)
    except (OSError, sqlite3.Error) as exc:
        raise StoreUnavailable(f"The bot's file {FILE} cannot be opened in the data folder: {exc}.") from exc
    try:
        connection.row_factory = aiosqlite.Row
        try:
            await connection.execute("PRAGMA journal_mode = WAL")
            # What is deleted is overwritten: a promise to delete is kept in the file, too.
            await connection.execute("PRAGMA secure_delete = ON")
            await migrate(connection)
        except sqlite3.Error as exc:
            raise StoreUnavailable(f"The bot's file {FILE} cannot be used: {exc}.") from exc
        yield BotStore(connection, now)
    finally:
        await connection.close()


def _fields(new: NewUpload | NewQuestion) -> tuple[object, ...]:
    return tuple(asdict(new).values())


def _upload(row: aiosqlite.Row) -> Upload:
    return Upload(
        id=row["id"],
        what=NewUpload(**{name: row[name] for name in NewUpload.__dataclass_fields__}),
        state=row["state"],
        added_at=datetime.fromisoformat(row["added_at"]),
        card_id=row["card_id"],
        document_id=row["document_id"],
        job_id=row["job_id"],
    )


def _question(row: aiosqlite.Row) -> Question:
    return Question(
        id=row["id"],
        what=NewQuestion(**{name: row[name] for name in NewQuestion.__dataclass_fields__}),
        state=row["state"],
        attempts=row["attempts"],
        asked_at=datetime.fromisoformat(row["asked_at"]),
        answer_id=row["answer_id"],
        answer=_answer(json.loads(row["answer"])) if row["answer"] else None,
        charged=bool(row["charged"]),
    )


def _answer(kept: dict[str, Any]) -> KeptAnswer:
    return KeptAnswer(
        text=kept["text"],
        withheld=tuple(Withheld(w["text"], w["verdict"], tuple(w["reasons"])) for w in kept["withheld"]),
        quotes=tuple(Quote(**quote) for quote in kept["quotes"]),
        standalone=kept["standalone"],
    )


def _settings_json(settings: ServerSettings) -> str:
    return json.dumps({**asdict(settings), "channels": sorted(settings.channels)})


def _settings(text: str) -> ServerSettings:
    """What another version wrote and this one does not know is left at its default."""
    kept: dict[str, Any] = json.loads(text)
    default = ServerSettings()
    return ServerSettings(
        listening=kept["listening"] if kept.get("listening") in get_args(Listening) else default.listening,
        channels=frozenset(kept.get("channels", ())),
        retention_days=kept.get("retention_days", default.retention_days),
        uploaders=kept["uploaders"] if kept.get("uploaders") in get_args(Uploaders) else default.uploaders,
        uploader_role=kept.get("uploader_role"),
        policy=kept["policy"] if kept.get("policy") in get_args(Policy) else None,
        language=kept["language"] if kept.get("language") in get_args(Language) else None,
    )
