"""What one principal may do is counted over all processes, and a refusal says when it may do more."""

from __future__ import annotations

from datetime import timedelta

import pytest
from desk import NOON, Desk, OpenDesk

from rag_core.errors import QuotaExhausted, RateLimited
from rag_core.types import Scope
from rag_core.types.jobs import LOCAL, Principal
from rag_core.types.quotas import EVERYBODY, Quota

ANN, BOB = Principal("ann"), Principal("bob")


async def test_uploads_are_counted_over_the_last_hour(desks: OpenDesk):
    """The third of two is refused with the time at which the first is an hour old; then it is taken."""
    now = [NOON]
    desk, other = await desks(clock=lambda: now[0]), await desks(clock=lambda: now[0])
    await desk.ledger.set_quota(EVERYBODY, Quota(uploads_an_hour=2))
    await desk.submit(desk.file("1.pdf", "One."), principal="ann")
    now[0] += timedelta(minutes=20)
    await other.submit(desk.file("2.pdf", "Two."), principal="ann")
    with pytest.raises(RateLimited, match="40 minutes") as refused:
        await desk.submit(desk.file("3.pdf", "Three."), principal="ann")
    assert refused.value.retry_after == 40 * 60
    await desk.submit(desk.file("3.pdf", "Three."), principal="bob")
    now[0] += timedelta(minutes=40)
    await desk.submit(desk.file("3.pdf", "Three."), principal="ann")
    assert len(await desk.intake.jobs(Scope.of("local"))) == 4


async def test_more_at_once_than_an_hour_allows_is_refused_whole(desk: Desk):
    """Nothing of it is taken, and it is not told to come back for what will never fit."""
    await desk.ledger.set_quota(ANN, Quota(uploads_an_hour=2))
    with pytest.raises(RateLimited, match="send fewer") as refused:
        await desk.submit(*(desk.file(f"{n}.pdf", f"Number {n}.") for n in range(3)), principal="ann")
    assert refused.value.retry_after is None
    assert await desk.intake.jobs(Scope.of("local")) == []


async def test_questions_have_a_limit_of_their_own(desk: Desk):
    """Uploads do not use it up; a principal's own quota is looked at before everybody's; the command line has none."""
    await desk.ledger.set_quota(EVERYBODY, Quota(uploads_an_hour=1, questions_an_hour=1))
    await desk.ledger.set_quota(BOB, Quota())
    await desk.submit(desk.file("1.pdf", "One."), principal="ann")
    await desk.ledger.charge(ANN, "question", 1)
    with pytest.raises(RateLimited, match="60 minutes"):
        await desk.ledger.charge(ANN, "question", 1)
    for principal in (BOB, LOCAL):
        await desk.ledger.charge(principal, "question", 1)
        await desk.ledger.charge(principal, "question", 1)


async def test_a_clock_that_was_set_back_locks_nobody_out(desks: OpenDesk):
    """What was counted in a future counts as done now: an hour later it is over."""
    now = [NOON]
    desk = await desks(clock=lambda: now[0])
    await desk.ledger.set_quota(ANN, Quota(questions_an_hour=1))
    await desk.ledger.charge(ANN, "question", 1)
    now[0] -= timedelta(days=400)
    with pytest.raises(RateLimited) as refused:
        await desk.ledger.charge(ANN, "question", 1)
    assert refused.value.retry_after == 60 * 60
    now[0] += timedelta(hours=1)
    await desk.ledger.charge(ANN, "question", 1)


async def test_bytes_are_what_the_documents_take_up(desk: Desk):
    """Files that wait count, too; who removes a document has its room again."""
    await desk.ledger.set_quota(ANN, Quota(bytes=100))
    [job] = await desk.submit(desk.file("1.pdf", "a" * 60), principal="ann")
    with pytest.raises(QuotaExhausted, match="removed some"):
        await desk.submit(desk.file("2.pdf", "b" * 60), principal="ann")
    async with desk.draining():
        ended = await desk.end_of(job)
    with pytest.raises(QuotaExhausted):
        await desk.submit(desk.file("2.pdf", "b" * 60), principal="ann")
    assert ended.document_id is not None
    await desk.remove(ended.document_id)
    await desk.submit(desk.file("2.pdf", "b" * 60), principal="ann")


async def test_pages_run_out(desk: Desk):
    """A file is taken while there is room for a page."""
    await desk.ledger.set_quota(ANN, Quota(pages=3))
    [job] = await desk.submit(desk.file("1.pdf", "One.\fTwo.\fThree."), principal="ann")
    async with desk.draining():
        await desk.end_of(job)
    with pytest.raises(QuotaExhausted, match="3 pages"):
        await desk.submit(desk.file("2.pdf", "Four."), principal="ann")


async def test_a_file_with_more_pages_than_there_is_room_for_is_not_kept(desk: Desk):
    """How many it has is known once it is read; it says when to try again, and a shorter one is taken."""
    await desk.ledger.set_quota(ANN, Quota(pages=3))
    long, short = desk.file("long.pdf", "\f".join("abcde")), desk.file("short.pdf", "One.\fTwo.\fThree.")
    async with desk.draining():
        [refused] = [await desk.end_of(job) for job in await desk.submit(long, principal="ann")]
        [taken] = [await desk.end_of(job) for job in await desk.submit(short, principal="ann")]
        [again] = [await desk.end_of(job) for job in await desk.submit(short, principal="bob")]
    assert refused.result is not None
    assert (refused.stage, refused.result.code) == ("failed", "quota_exhausted")
    assert "no room for 5 more. Try again once you have removed some" in (refused.result.message or "")
    assert (taken.stage, again.stage) == ("ready", "ready")
    assert [d.title for d in await desk.catalog.documents(Scope.of("local"))] == ["short"]


async def test_files_that_come_at_the_same_moment_do_not_pass_together(desk: Desk):
    """Each found room when it was sent; as they are kept one by one, they never take more than there is."""
    jobs = [(await desk.submit(desk.file(f"{n}.pdf", f"{n}" * 60), principal="ann"))[0] for n in range(3)]
    await desk.ledger.set_quota(ANN, Quota(bytes=100))
    async with desk.draining():
        ended = [await desk.end_of(job) for job in jobs]
    assert sorted(job.stage for job in ended) == ["failed", "failed", "ready"]
    assert {job.result.code for job in ended if job.result} == {"quota_exhausted", None}
    assert (await desk.ledger.held(ANN)).bytes == 60
