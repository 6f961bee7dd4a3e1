"""What is submitted is ingested by whoever drains, in fair order, and survives the death of anybody."""

from __future__ import annotations

import asyncio
import errno
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
import takeover
from desk import LOCAL, NOON, Desk, OpenDesk

from rag_core.adapters.catalog import SqliteCatalog
from rag_core.adapters.catalog_file import MIGRATIONS
from rag_core.adapters.job_queue import SqliteJobQueue
from rag_core.errors import Encrypted, IndexOutOfDate, JobNotFound, StoreUnavailable
from rag_core.types import Counts, Scope

TAKEN_OVER = 20.0
"""Seconds that a busy machine may take for what takes one."""


async def test_a_job_becomes_a_document(desk: Desk):
    """It is queued at once, and ends as `ready` with what became of its file."""
    [job] = await desk.submit(desk.file("tides.pdf", "The tide turns twice a day."))
    assert (job.stage, job.filename, job.result) == ("queued", "tides.pdf", None)
    async with desk.draining():
        ended = await desk.end_of(job)
    assert ended.stage == "ready"
    assert ended.result is not None
    assert ended.result.document == (await desk.catalog.documents(LOCAL))[0]
    assert await desk.titles("tide") == ["tides"]


async def test_a_job_needs_its_sender_no_more(desk: Desk, desks: OpenDesk):
    """The file is deleted and another process drains; nothing of the copy stays when the job has ended."""
    path = desk.file("tides.pdf", "The tide turns.")
    [job] = await desk.submit(path)
    path.unlink()
    other = await desks()
    async with other.draining():
        assert (await desk.end_of(job)).stage == "ready"
    assert list((desk.home / "uploads").iterdir()) == []


async def test_a_follower_sees_pages_and_chunks_go_by(desk: Desk):
    """Each change once, in order, to the end."""
    desk.extractor.before_extract.clear()
    [job] = await desk.submit(desk.file("tides.pdf", "The tide turns.\fAnd again."))
    stages, counted = [], []
    async with desk.draining():
        async for change in desk.intake.follow(job.id, scope=LOCAL):
            stages.append(change.stage)
            counted.append((change.stage, change.done, change.total))
            if counted[-1] == ("reading", 1, 2):
                desk.extractor.before_extract.set()
                desk.embedder.before_parts.clear()
            if counted[-1] == ("embedding", 0, 2):
                desk.embedder.before_parts.set()
    assert [stages[0], stages[-1]] == ["queued", "ready"]
    assert [each for each in counted if each[2]][:2] == [("reading", 1, 2), ("embedding", 0, 2)]
    assert stages == sorted(stages, key=["queued", "reading", "indexing", "embedding", "ready"].index)


async def test_a_job_is_seen_by_scopes_that_hold_it(desk: Desk):
    """Others are told that there is none, whether they ask for it, list, or cancel it."""
    [job] = await desk.submit(desk.file("a.pdf", "The tide turns."), collection="secret")
    with pytest.raises(JobNotFound):
        await desk.intake.job(job.id, scope=LOCAL)
    with pytest.raises(JobNotFound):
        await desk.intake.cancel(job.id, scope=LOCAL)
    assert await desk.intake.jobs(LOCAL) == []
    assert [j.id for j in await desk.intake.jobs(Scope.of("secret"))] == [job.id]


async def test_a_job_that_waits_is_cancelled_at_once(desk: Desk):
    """Its file goes with it, and nobody reads it any more."""
    first, second = await desk.submit(desk.file("a.pdf", "The tide turns."), desk.file("b.pdf", "And again."))
    cancelled = await desk.intake.cancel(first.id, scope=LOCAL)
    assert cancelled.stage == "cancelled"
    async with desk.draining():
        await desk.end_of(second)
    assert [d.title for d in await desk.catalog.documents(LOCAL)] == ["b"]


async def test_a_job_under_way_is_let_go(desk: Desk):
    """It is being read; once it is cancelled, nothing of it stays."""
    desk.extractor.before_extract.clear()
    [job] = await desk.submit(desk.file("a.pdf", "The tide turns."))
    async with desk.draining():
        async for change in desk.intake.follow(job.id, scope=LOCAL):
            if change.stage == "reading":
                await desk.intake.cancel(job.id, scope=LOCAL)
    assert change.stage == "cancelled"
    assert await desk.catalog.documents(LOCAL) == []
    assert list((desk.home / "uploads").iterdir()) == []


async def test_a_job_whose_vectors_are_being_made_is_let_go(desk: Desk):
    """It was found by its words already; once it is cancelled, nothing of it stays."""
    desk.embedder.before_parts.clear()
    [job] = await desk.submit(desk.file("a.pdf", "The tide turns."))
    async with desk.draining():
        await desk.embedder.entered.wait()
        assert await desk.titles("tide", "sparse") == ["a"]
        await desk.intake.cancel(job.id, scope=LOCAL)
        desk.embedder.before_parts.set()
        assert (await desk.end_of(job)).stage == "cancelled"
    assert await desk.catalog.documents(LOCAL) == []
    assert await desk.upkeep.counts() == Counts(0, 0, 0, 0, 0)
    assert [path for folder in ("uploads", "blobs") for path in (desk.home / folder).iterdir()] == []


async def test_another_process_takes_over(desk: Desk, desks: OpenDesk):
    """The one that drained ends in the middle of a file; the next reads it again."""
    desk.extractor.before_extract.clear()
    [job] = await desk.submit(desk.file("a.pdf", "The tide turns."))
    async with desk.draining():
        await desk.extractor.entered.wait()
    other = await desks()
    async with other.draining():
        assert (await desk.end_of(job)).stage == "ready"


@pytest.mark.parametrize("writing", [False, True])
async def test_who_stands_by_takes_over_from_a_process_that_is_killed(desk: Desk, tmp_path: Path, writing: bool):
    """It was waiting all the while and is told nothing: the system lets go of what the dead one held."""
    cancelled, job = await desk.submit(desk.file("b.pdf", "Not wanted."), desk.file("a.pdf", "The tide turns."))
    async with takeover.held(tmp_path / "home", writing=writing) as other, desk.draining():
        [reading] = [each for each in await desk.intake.jobs(LOCAL) if each.stage == "reading"]
        assert reading.id == cancelled.id
        async with desk.store.draining() as ours:
            assert not ours
        await desk.intake.cancel(cancelled.id, scope=LOCAL)
        assert not desk.drainer.at_work
        other.kill()
        async with asyncio.timeout(TAKEN_OVER):
            assert (await desk.end_of(job)).stage == "ready"
        assert (await desk.end_of(cancelled)).stage == "cancelled"
    assert await desk.titles("tide") == ["a"]
    assert await desk.upkeep.differences() == []


async def test_vectors_that_a_dead_process_left_undone_are_made(desk: Desk, desks: OpenDesk):
    """The document was found by its words meanwhile, and is not read again."""
    desk.embedder.before_parts.clear()
    [job] = await desk.submit(desk.file("a.pdf", "The tide turns."))
    async with desk.draining():
        await desk.embedder.entered.wait()
        found = await desk.retrieval.find("tide", scope=LOCAL, k=5, mode="sparse")
        assert ([p.title for p in found.passages], len(found.notes)) == (["a"], 1)
        assert "'a'" in found.notes[0]
        assert [d.embedded for d in await desk.catalog.documents(LOCAL)] == [False]
    other = await desks()
    async with other.draining():
        ended = await other.end_of(job)
    assert ended.result is not None
    assert (ended.result.status, other.extractor.extracted) == ("indexed", [])
    assert [d.embedded for d in await desk.catalog.documents(LOCAL)] == [True]
    found = await desk.retrieval.find("tide", scope=LOCAL, k=5, mode="dense")
    assert ([p.title for p in found.passages], found.notes) == (["a"], ())


async def test_what_has_no_vectors_yet_is_judged_like_all_else(desk: Desk):
    """A few chunks that were found by their words are read on the spot: an answer need not wait for all vectors."""
    desk.embedder.before_parts.clear()
    [job] = await desk.submit(desk.file("a.pdf", "The tide turns at noon."))
    async with desk.draining():
        await desk.embedder.entered.wait()
    desk.embedder.before_parts.set()
    assert [d.embedded for d in await desk.catalog.documents(LOCAL)] == [False]
    [before] = (await desk.retrieval.find("tide at noon", scope=LOCAL, k=5)).passages
    async with desk.draining():
        assert (await desk.end_of(job)).stage == "ready"
    [after] = (await desk.retrieval.find("tide at noon", scope=LOCAL, k=5)).passages
    assert before.signals["part"] == pytest.approx(after.signals["part"], abs=0.01)
    assert before.signals["part"] > 0.5


async def test_what_was_read_on_the_spot_is_kept_until_its_vectors_are_there(desk: Desk):
    """Other questions that find it wait for their own vectors alone; once the indexes have them, ours are forgotten."""
    text = "The tide turns at noon."
    desk.embedder.before_parts.clear()
    [job] = await desk.submit(desk.file("a.pdf", text))
    async with desk.draining():
        await desk.embedder.entered.wait()
    desk.embedder.before_parts.set()
    for question in ("tide at noon", "when does the tide turn", "noon"):
        assert (await desk.retrieval.find(question, scope=LOCAL, k=5)).passages[0].signals["part"] > 0
        assert desk.embedder.embedded.count(text) == 1
    async with desk.draining():
        assert (await desk.end_of(job)).stage == "ready"
    assert desk.embedder.embedded.count(text) == 2
    assert await desk.titles("tide") == ["a"]
    indexes = await desk.store.current()
    assert indexes is not None
    assert job.document_id is not None
    await desk.catalog.unembed(job.document_id)
    await indexes.remove_vectors(job.document_id)
    assert await desk.titles("tide") == ["a"]
    assert desk.embedder.embedded.count(text) == 3


async def test_a_file_that_ends_the_program_each_time_is_given_up(desk: Desk, catalog: SqliteCatalog):
    """After the third death it is not read any more, and the next one is."""
    [job] = await desk.submit(desk.file("a.pdf", "Deadly."))
    queue = SqliteJobQueue(catalog, now=lambda: NOON)
    for _ in range(3):  # as processes do that die with it in hand
        await queue.requeue()
        assert await queue.claim() is not None
    [after] = await desk.submit(desk.file("b.pdf", "Harmless."))
    async with desk.draining():
        ended = await desk.end_of(job)
        assert (await desk.end_of(after)).stage == "ready"
    assert ended.result is not None
    assert (ended.stage, ended.result.code, desk.extractor.extracted[0].name) == ("failed", "damaged", "b.pdf")


async def test_a_file_that_changes_hands_is_not_given_up(desk: Desk, desks: OpenDesk):
    """Five processes end well while they read it; that is no fault of the file."""
    [job] = await desk.submit(desk.file("a.pdf", "Patient."))
    for _ in range(5):
        one = await desks()
        one.extractor.before_extract.clear()
        async with one.draining():
            await one.extractor.entered.wait()
    async with desk.draining():
        assert (await desk.end_of(job)).stage == "ready"


async def test_one_file_is_not_kept_waiting_by_a_folder(desk: Desk):
    """Somebody sends a folder, and then others one file each: each of those waits for one file at most."""
    folder = await desk.submit(*(desk.file(f"{n}.pdf", f"Number {n}.") for n in range(12)), principal="hoarder")
    [mine] = await desk.submit(desk.file("mine.pdf", "Mine."), principal="me")
    [again] = await desk.submit(desk.file("again.pdf", "Another of the hoarder's."), principal="hoarder")
    async with desk.draining():
        for job in (*folder, mine, again):
            await desk.end_of(job)
    order = [path.name for path in desk.extractor.extracted]
    assert max(order.index("mine.pdf"), order.index("again.pdf")) <= 2


async def test_a_short_file_passes_a_long_one(desk: Desk):
    """Between two batches of the long one's vectors."""
    pages = "\f".join(f"Page {n} of the long one." for n in range(150))
    [long] = await desk.submit(desk.file("long.pdf", pages), principal="one")
    desk.extractor.before_extract.clear()
    async with desk.draining():
        await desk.extractor.entered.wait()
        await desk.submit(desk.file("short.pdf", "The short one."), principal="two")
        desk.extractor.before_extract.set()
        await desk.end_of(long)
    first_short = desk.embedder.embedded.index("The short one.")
    assert first_short < desk.embedder.embedded.index("Page 149 of the long one.")


async def test_a_password_is_used_once_and_kept_nowhere(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    """What waits in the data folder needs none; a wrong one fails at once, and says so."""

    async def decrypted(path: object, password: str) -> bytes:
        if password != "opensesame":
            raise Encrypted("The password does not open it.")
        return b"The plain text."

    monkeypatch.setattr(desk.extractor, "decrypt", decrypted)
    path = desk.file("a.pdf", "Gibberish. /Encrypt")
    [wrong] = await desk.submit(path, password="wrong")
    assert (wrong.stage, wrong.result.code if wrong.result else None) == ("failed", "encrypted")
    [job] = await desk.submit(path, password="opensesame")
    kept = [file.read_bytes() for file in desk.home.rglob("*") if file.is_file()]
    assert not any(b"opensesame" in content for content in kept)
    async with desk.draining():
        assert (await desk.end_of(job)).stage == "ready"
    assert await desk.titles("plain text") == ["a"]


async def test_a_file_that_is_not_there_is_a_job_that_failed(desk: Desk):
    """Whoever sends several learns what became of each in the same way."""
    [job] = await desk.submit(desk.home / "absent.pdf")
    assert job.result is not None
    assert (job.stage, job.result.code) == ("failed", "not_found")


async def test_a_job_goes_with_its_document(desk: Desk):
    """It holds the name of a file that is to be forgotten."""
    [job] = await desk.submit(desk.file("tides.pdf", "The tide turns."))
    async with desk.draining():
        ended = await desk.end_of(job)
    assert ended.document_id is not None
    await desk.remove(ended.document_id)
    assert await desk.intake.jobs(LOCAL) == []
    with pytest.raises(JobNotFound):
        await desk.intake.job(job.id, scope=LOCAL)


async def test_a_full_disk_takes_no_file_and_loses_none(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    """It is said at once, nothing half written stays, and what came before is still there."""
    await desk.add(desk.file("a.pdf", "The tide turns."))

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("rag_core.adapters.uploads.os.fsync", full)
        with pytest.raises(StoreUnavailable, match="has room"):
            await desk.submit(desk.file("b.pdf", "No room for this."))
    assert list((desk.home / "uploads").iterdir()) == []
    assert await desk.titles("tide") == ["a"]


async def test_a_disk_that_fills_up_later_fails_the_job(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    """With a code and a sentence; the file sent again when there is room is ingested."""
    path = desk.file("a.pdf", "The tide turns.")
    [job] = await desk.submit(path)

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("rag_core.adapters.blobs.os.fsync", full)
        async with desk.draining():
            ended = await desk.end_of(job)
    assert ended.result is not None
    assert (ended.stage, ended.result.code) == ("failed", "bad_settings")
    assert "No space left" in (ended.result.message or "")
    assert await desk.upkeep.differences() == []
    assert [result.status for result in await desk.add(path)] == ["indexed"]


async def test_a_clock_that_was_set_back_stops_no_job(desks: OpenDesk):
    """Neither its turn nor the hourly sweep hangs on it."""
    now = [NOON]
    desk = await desks(clock=lambda: now[0])
    await desk.add(desk.file("a.pdf", "The tide turns."))
    now[0] -= timedelta(days=4000)
    assert [result.status for result in await desk.add(desk.file("b.pdf", "And again."))] == ["indexed"]
    assert await desk.catalog.swept() == now[0]


async def test_a_newer_program_takes_the_queue_over_from_an_older_one(desks: OpenDesk):
    """The older one says why it takes no file any more, goes on answering, and loses nothing of what it had in hand."""
    older, newer = await desks(), await desks()
    await older.add(older.file("a.pdf", "The tide turns."))
    older.extractor.before_extract.clear()
    async with older.draining():
        [waiting] = await older.submit(older.file("b.pdf", "Leave is 25 days."))
        async for change in older.intake.follow(waiting.id, scope=LOCAL):
            if change.stage == "reading":
                break
        async with newer.catalog.file.transaction() as db:
            await db.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
        older.extractor.before_extract.set()
        while older.drainer.trouble is None:  # noqa: ASYNC110 - nothing but its state tells
            await asyncio.sleep(0.01)
    assert isinstance(older.drainer.trouble, IndexOutOfDate)
    with pytest.raises(IndexOutOfDate, match="install a newer one"):
        await older.submit(older.file("c.pdf", "One more."))
    assert await older.titles("when does the tide turn", "sparse") == ["a"]
    assert not (await older.intake.job(waiting.id, scope=LOCAL)).ended
    with closing(sqlite3.connect(newer.catalog.file.path)) as db:  # what follows is done by a program that knows it
        db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    async with newer.draining():
        assert (await newer.end_of(waiting)).stage == "ready"
    assert await newer.upkeep.differences() == []
