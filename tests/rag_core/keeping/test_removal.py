"""What is removed is gone: from sight, from every store, from the bytes of the data folder; and a receipt says so."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from desk import LOCAL, NOON, Desk, OpenDesk

from rag_core.adapters.answer_cache import SqliteAnswerCache
from rag_core.errors import DocumentNotFound
from rag_core.types import (
    Answer,
    CheckedClaim,
    Citation,
    Claim,
    CollectionName,
    DocumentId,
    Receipt,
    Rect,
    Refusal,
    Scope,
    Span,
    Verdict,
)
from rag_core.types.jobs import Principal

SECRET = "The quixotic heron of Zanzibar keeps its appointment on Thursdays"


async def of(desk: Desk, name: str, text: str, *, collection: str = "local", principal: str = "local") -> DocumentId:
    """A document that was submitted and drained."""
    [job] = await desk.submit(desk.file(name, text), collection=collection, principal=principal)
    async with desk.draining():
        ended = await desk.end_of(job)
    assert ended.document_id is not None
    return ended.document_id


def traces(home: Path, *tokens: str) -> list[str]:
    """The files below the data folder that hold any of the tokens, or are named for one."""
    return [
        str(path.relative_to(home))
        for path in home.rglob("*")
        if path.is_file() and any(t in path.name or t.encode() in path.read_bytes() for t in tokens)
    ]


def contents(home: Path) -> list[bytes]:
    """Of the files below the data folder."""
    return [path.read_bytes() for path in home.rglob("*") if path.is_file()]


async def test_nothing_of_a_removed_document_is_in_the_data_folder(desk: Desk):
    """Its text was planted among others', whose index files it shared; they are still found."""
    others = [await of(desk, f"{n}.pdf", f"Gauge {n} is read at noon.") for n in range(9)]
    secret = await of(desk, "secret-name.pdf", SECRET)
    assert traces(desk.home, SECRET, secret, "secret-name")
    receipt = await desk.remove(secret)
    assert traces(desk.home, SECRET, secret, "secret-name") == []
    assert (receipt.deleted, receipt.verified, receipt.at) == ((secret,), True, NOON)
    assert receipt.bytes == len(SECRET)
    indexes = await desk.store.current()
    assert indexes is not None
    assert not await indexes.sparse.remembers(SECRET)
    assert await desk.upkeep.differences() == []
    assert {d.id for d in await desk.catalog.documents(LOCAL)} == set(others)
    assert len(await desk.titles("gauge read at noon")) == 5


async def _by_its_id(desk: Desk, secret: DocumentId) -> Receipt:
    return await desk.removal.documents(Scope.of("project", documents=[secret]))


async def _with_its_collection(desk: Desk, secret: DocumentId) -> Receipt:
    return await desk.removal.documents(Scope.of("project"))


async def _with_its_sender(desk: Desk, secret: DocumentId) -> Receipt:
    return await desk.removal.uploads(Principal("ann"))


async def _of_age(desk: Desk, secret: DocumentId) -> Receipt:
    await desk.catalog.set_retention(CollectionName("project"), 0)
    return await desk.removal.outdated()


@pytest.mark.parametrize("remove", [_by_its_id, _with_its_collection, _with_its_sender, _of_age])
async def test_however_it_goes_nothing_is_left(desk: Desk, remove: Callable[[Desk, DocumentId], Awaitable[Receipt]]):
    """Neither an answer that quotes it, or names it as nearest, nor its vectors, whole or in bytes, in any version."""
    others = [await of(desk, f"{n}.pdf", f"Gauge {n} is read at noon.") for n in range(3)]
    secret = await of(desk, "secret-name.pdf", SECRET, collection="project", principal="ann")
    await desk.upkeep.tidy()  # its rows are copied beside those of others
    kept = SqliteAnswerCache(desk.catalog.file)
    found = (await desk.retrieval.find("heron", scope=Scope.of("project"), k=1)).passages
    refused = Answer("heron?", "refused", "", (), (), Refusal("No.", tuple(found)), "quote", {})
    await kept.put("refused", refused)
    citation = Citation(1, secret, "secret-name", 1, SECRET, Span(0, len(SECRET)), (Rect(0, 0, 1, 1),))
    claim = CheckedClaim(Claim(SECRET, Span(0, len(SECRET)), (1,)), Verdict.SUPPORTED, 0.9, (), (citation,))
    await kept.put("answered", Answer("heron?", "answered", SECRET, (claim,), (), None, "quote", {}))
    [vector] = await desk.embedder.embed([SECRET])
    small = np.rint(vector / np.abs(vector).max() * 127).astype(np.int8)
    planted = [SECRET.encode(), secret.encode(), b"secret-name", vector.tobytes(), small.tobytes()]
    assert all(any(token in content for content in contents(desk.home)) for token in planted)
    receipt = await remove(desk, secret)
    assert (receipt.deleted, receipt.verified, receipt.bytes) == ((secret,), True, len(SECRET))
    assert not any(token in content for content in contents(desk.home) for token in planted)
    assert traces(desk.home, secret, "secret-name") == []
    assert await desk.catalog.visible(LOCAL) == set(others)
    assert sorted(await desk.titles("gauge at noon")) == ["0", "1", "2"]


async def test_a_receipt_tells_what_it_still_finds(desk: Desk):
    """Somebody keeps a copy in the data folder: the search finds it, and the removal is not called complete."""
    secret = await of(desk, "a.pdf", SECRET)
    (desk.home / "copy.txt").write_text(SECRET)
    receipt = await desk.remove(secret)
    assert (receipt.verified, receipt.remains) == (False, ("copy.txt",))


async def test_what_another_document_says_is_no_trace(desk: Desk):
    """A later edition has the same sentence; it stays, and is not held against the removal."""
    secret = await of(desk, "a.pdf", SECRET)
    await of(desk, "b.pdf", f"{SECRET}.\fSecond edition.")
    receipt = await desk.remove(secret)
    assert receipt.verified
    assert set(await desk.titles("quixotic heron")) == {"b"}


async def test_a_document_that_others_hold_is_not_deleted(desk: Desk):
    """The receipt says that it was taken out, and that nothing was deleted."""
    shared = await of(desk, "a.pdf", SECRET)
    await of(desk, "a.pdf", SECRET, collection="other")
    receipt = await desk.remove(shared)
    assert ([d.id for d in receipt.documents], receipt.deleted, receipt.bytes) == ([shared], (), 0)
    assert [d.id for d in await desk.catalog.documents(Scope.of("other"))] == [shared]


async def test_a_collection_goes_whole(desk: Desk):
    """All that only it held is deleted."""
    for n in range(3):
        await of(desk, f"{n}.pdf", f"Number {n} of many.", collection="project")
    kept = await of(desk, "kept.pdf", "Kept elsewhere.")
    receipt = await desk.removal.documents(Scope.of("project"))
    assert (len(receipt.deleted), receipt.verified) == (3, True)
    assert [d.id for d in await desk.catalog.documents(LOCAL)] == [kept]
    with pytest.raises(DocumentNotFound):
        await desk.removal.documents(Scope.of("project"))


async def test_a_persons_uploads_go_from_everywhere(desk: Desk):
    """From every collection that the person brought them to, or that they were shared with, and with the jobs."""
    hers = await of(desk, "hers.pdf", SECRET, principal="ann")
    await desk.ingestion.share(hers, CollectionName("all"), scope=LOCAL)
    receipt = await desk.removal.uploads(Principal("ann"))
    assert receipt.deleted == (hers,)
    assert traces(desk.home, SECRET, "ann") == []


async def test_what_others_sent_too_stays_theirs(desk: Desk):
    """In another collection, and in the same: it goes with the last who sent it there, and not before."""
    for principal, collection in (("ann", "one"), ("bob", "one"), ("bob", "two"), ("ann", "three")):
        both = await of(desk, "both.pdf", "Both sent this.", principal=principal, collection=collection)
    receipt = await desk.removal.uploads(Principal("ann"))
    assert ([d.id for d in receipt.documents], receipt.deleted) == ([both], ())
    held = {name: await desk.catalog.documents(Scope.of(name)) for name in ("one", "two", "three")}
    assert {name: [d.id for d in there] for name, there in held.items()} == {"one": [both], "two": [both], "three": []}
    assert (await desk.removal.uploads(Principal("bob"))).deleted == (both,)


async def test_a_name_goes_with_the_last_who_calls_it_so(desk: Desk):
    """Two sent the same bytes to one collection; who leaves leaves no name behind, and no word of it to find it by."""
    both = await of(desk, "quixotic-heron.pdf", "The tide turns.", principal="ann")
    await of(desk, "tides.pdf", "The tide turns.", principal="bob")
    assert await desk.titles("quixotic") == ["quixotic-heron"]
    await desk.removal.uploads(Principal("ann"))
    [document] = await desk.catalog.documents(LOCAL)
    assert (document.id, document.title, document.filename) == (both, "tides", "tides.pdf")
    assert traces(desk.home, "quixotic", "ann") == []
    assert await desk.titles("quixotic", "sparse") == []
    assert await desk.titles("tides", "sparse") == ["tides"]
    assert await desk.upkeep.differences() == []


async def test_one_who_calls_a_file_off_takes_it_from_nobody_else(desk: Desk):
    """It is cancelled while its vectors are made; somebody else sent it meanwhile."""
    desk.embedder.before_parts.clear()
    [job] = await desk.submit(desk.file("a.pdf", SECRET), principal="ann")
    async with desk.draining():
        await desk.embedder.entered.wait()
        assert job.document_id is not None
        assert await desk.ingestion.join(job.document_id, "hers.pdf", CollectionName("local"), Principal("bob"))
        await desk.intake.cancel(job.id, scope=LOCAL)
        desk.embedder.before_parts.set()
        assert (await desk.end_of(job)).stage == "cancelled"
    [document] = await desk.catalog.documents(LOCAL)
    assert (document.id, document.filename) == (job.document_id, "hers.pdf")
    assert (await desk.removal.uploads(Principal("bob"))).deleted == (job.document_id,)


async def test_a_document_goes_when_it_is_too_old_for_its_collection(desks: OpenDesk):
    """By the age of its membership: another collection that keeps documents longer still has it."""
    now = [NOON]
    desk = await desks(clock=lambda: now[0])
    await of(desk, "old.pdf", "An old one.", collection="short")
    await of(desk, "old.pdf", "An old one.", collection="long")
    await desk.catalog.set_retention(CollectionName("short"), 30)
    now[0] += timedelta(days=29)
    assert (await desk.removal.outdated()).documents == ()
    new = await of(desk, "new.pdf", "A new one.", collection="short")
    now[0] += timedelta(days=2)
    async with desk.draining():
        await of(desk, "other.pdf", "Whoever drains sweeps.")
    assert [d.id for d in await desk.catalog.documents(Scope.of("short"))] == [new]
    assert len(await desk.catalog.documents(Scope.of("long"))) == 1
    await desk.catalog.set_retention(CollectionName("short"), None)
    assert await desk.catalog.retentions() == {}


async def test_what_is_being_removed_is_out_of_sight_at_once(desk: Desk, desks: OpenDesk):
    """Another process writes for long; the document is no longer listed, and goes when that is done."""
    secret = await of(desk, "a.pdf", SECRET)
    await desk.catalog.leave(secret, LOCAL.collections)
    assert await desk.catalog.documents(LOCAL) == []
    assert await desk.titles("quixotic heron") == []
    other = await desks()
    await of(other, "b.pdf", "The next one.")
    assert traces(desk.home, SECRET, secret) == []
