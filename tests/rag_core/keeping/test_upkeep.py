"""The stores are kept in agreement with the catalog, and whoever asks meanwhile is answered."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest
from builders import chunk_of, document_id, entry_of
from desk import LOCAL, NOON, Desk, OpenDesk
from fakes import FakeEmbedder

from rag_core.protocols import Indexes
from rag_core.reading.chunking import PageChunker
from rag_core.types import CollectionName, DocumentId, Scope, SearchMode

MODES: tuple[SearchMode, ...] = ("sparse", "dense", "hybrid")
STRANGER = document_id(9)


async def _words_lost(indexes: Indexes, document: DocumentId) -> None:
    await indexes.sparse.remove(document)


async def _vectors_lost(indexes: Indexes, document: DocumentId) -> None:
    await indexes.dense.remove(document)


async def _closeups_lost(indexes: Indexes, document: DocumentId) -> None:
    await indexes.closeups.remove(document)


async def _a_stranger(indexes: Indexes, document: DocumentId) -> None:
    vector = (await FakeEmbedder().embed(["The tide of a stranger."]))[0]
    await indexes.add([entry_of(chunk_of("The tide of a stranger.", document=9), *vector)])


async def _another_in_its_place(indexes: Indexes, document: DocumentId) -> None:
    """Each index holds as many chunks as before."""
    await indexes.sparse.remove(document)
    await indexes.remove_vectors(document)
    await _a_stranger(indexes, document)


@pytest.mark.parametrize("harm", [_words_lost, _vectors_lost, _closeups_lost, _a_stranger, _another_in_its_place])
async def test_an_index_that_differs_from_the_catalog_is_mended_and_told(
    desk: Desk,
    desks: OpenDesk,
    caplog: pytest.LogCaptureFixture,
    harm: Callable[[Indexes, DocumentId], Awaitable[None]],
):
    """Whoever drains next finds what is missing or too much in any of them; all is found again, and nothing else."""
    [result, _] = await desk.add(desk.file("a.pdf", "The tide turns."), desk.file("b.pdf", "The tide gauge."))
    indexes = await desk.store.current()
    assert indexes is not None
    assert result.document is not None
    await harm(indexes, result.document.id)
    differing = {difference.document_id for difference in await desk.upkeep.differences()}
    harmed = {_a_stranger: {STRANGER}, _another_in_its_place: {STRANGER, result.document.id}}
    assert differing == harmed.get(harm, {result.document.id})
    other = await desks()
    [job] = await other.submit(desk.file("c.pdf", "Leave is 25 days."))
    with caplog.at_level(logging.WARNING):
        async with other.draining():
            await other.end_of(job)
            while await other.catalog.pending():  # noqa: ASYNC110 - it settles
                await asyncio.sleep(0.01)
    assert await desk.upkeep.differences() == []
    for document in differing:
        assert f"document {document[:12]} has" in caplog.text
    counts = await desk.upkeep.counts()
    assert (counts.documents, counts.chunks, counts.dense, counts.sparse, counts.closeups) == (3, 3, 3, 3, 3)
    for mode in MODES:
        assert {"a", "b"} <= set(await desk.titles("tide", mode))


async def test_readers_go_on_with_the_old_indexes_while_new_ones_are_made(desk: Desk, desks: OpenDesk):
    """They find, list and are told the same until all is there, and the new ones at the next question."""
    files = [desk.file(f"{n}.pdf", f"The tide turns {n} times.") for n in range(3)]
    await desk.add(*files)
    reader = await desks()
    before = {mode: await reader.titles("tide turns", mode) for mode in MODES}
    desk.embedder.before_parts.clear()
    desk.embedder.entered.clear()
    rebuilding = asyncio.create_task(desk.upkeep.rebuild())
    await desk.embedder.entered.wait()
    assert len(list((desk.home / "vectors").iterdir())) == 2
    for mode in MODES:
        assert await reader.titles("tide turns", mode) == before[mode]
    assert len(await reader.catalog.documents(LOCAL)) == 3
    assert not rebuilding.done()
    desk.embedder.before_parts.set()
    assert await rebuilding == 3
    for mode in MODES:
        assert await reader.titles("tide turns", mode) == before[mode]
    current = await reader.store.current()
    assert current is not None
    assert current.state.generation == 2


async def test_a_rebuild_that_fails_leaves_the_old_indexes_in_use(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    """They are asked as before, and what it had made goes with the next write."""
    await desk.add(desk.file("a.pdf", "The tide turns."))

    async def broken(*_: object, **__: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(desk.embedder, "embed_parts", broken)
        with pytest.raises(MemoryError):
            await desk.upkeep.rebuild()
    assert await desk.titles("tide") == ["a"]
    await desk.add(desk.file("b.pdf", "The tide gauge."))
    assert [folder.name for folder in (desk.home / "vectors").iterdir()] == ["1"]
    assert await desk.upkeep.differences() == []


async def test_indexes_of_another_chunker_are_refused_until_rebuilt(
    desk: Desk, desks: OpenDesk, monkeypatch: pytest.MonkeyPatch
):
    """By whoever asks and by whoever writes; the sentence names the command, and after it all is found."""
    await desk.add(desk.file("a.pdf", "The tide turns."))
    monkeypatch.setattr(PageChunker, "version", "of tomorrow")
    other = await desks()
    with pytest.raises(Exception, match=r"of tomorrow.*`pincite rebuild`"):
        await other.titles("tide")
    [result] = await other.add(desk.file("b.pdf", "The tide gauge."))
    assert (result.code, "`pincite rebuild`" in (result.message or "")) == ("index_out_of_date", True)
    await other.upkeep.rebuild()
    assert [r.status for r in await other.add(desk.file("b.pdf", "The tide gauge."))] == ["indexed"]
    assert sorted(await other.titles("tide")) == ["a", "b"]


async def test_a_reader_sees_each_change_at_its_next_question(desk: Desk, desks: OpenDesk):
    """It had the folder open before there was anything in it, and is never opened again."""
    reader = await desks()
    assert await reader.titles("tide") == []
    [first] = await desk.add(desk.file("a.pdf", "The tide turns."))
    for mode in MODES:
        assert await reader.titles("tide", mode) == ["a"]
    await desk.add(desk.file("b.pdf", "The tide gauge."))
    for mode in MODES:
        assert sorted(await reader.titles("tide", mode)) == ["a", "b"]
    assert first.document is not None
    await desk.remove(first.document.id)
    for mode in MODES:
        assert await reader.titles("tide", mode) == ["b"]


async def test_the_hourly_sweep_waits_for_no_empty_queue(desks: OpenDesk):
    """A folder is being ingested for hours; a document that is too old goes within the next."""
    now = [NOON]
    desk = await desks(clock=lambda: now[0])
    await desk.add(desk.file("old.pdf", "An old one."), collection="short")
    await desk.catalog.set_retention(CollectionName("short"), 1)
    jobs = await desk.submit(*(desk.file(f"{n}.pdf", f"Number {n}.") for n in range(4)))
    desk.extractor.before_extract.clear()
    desk.extractor.entered.clear()
    async with desk.draining():
        await desk.extractor.entered.wait()
        now[0] += timedelta(days=2)
        desk.extractor.before_extract.set()
        await desk.end_of(jobs[2])
        assert await desk.catalog.swept() == now[0]
        assert await desk.catalog.documents(Scope.of("short")) == []
        await desk.end_of(jobs[3])
    assert len(await desk.catalog.documents(LOCAL)) == 4
