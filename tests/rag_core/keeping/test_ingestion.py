"""Documents come whole or not at all, and go for real."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from desk import LOCAL, Desk, OpenDesk
from fakes import FakeEmbedder

from rag_core.errors import Encrypted, IndexOutOfDate, ModelUnavailable, StoreBusy, StoreUnavailable
from rag_core.keeping.ingestion import digest
from rag_core.types import CollectionName, Scope


async def test_a_file_becomes_a_document_that_is_found(desk: Desk):
    """Its id is the digest of its bytes, its title its file's name, and both indexes hold its chunks."""
    path = desk.file("tides.pdf", "The tide turns twice a day.\fLeave is 25 days.")
    [result] = await desk.add(path)
    assert result.document is not None
    assert result.document.id == digest(path)
    assert (result.status, result.document.title, result.document.pages) == ("indexed", "tides", 2)
    assert await desk.titles("when does the tide turn") == ["tides", "tides"]
    counts = await desk.upkeep.counts()
    assert counts.chunks == counts.dense == counts.sparse == result.document.chunks > 0


async def test_the_same_bytes_again_are_a_duplicate(desk: Desk):
    """Nothing is read or embedded again, whatever the file is called."""
    await desk.add(desk.file("a.pdf", "One text."))
    embedded, extracted = len(desk.embedder.embedded), len(desk.extractor.extracted)
    [result] = await desk.add(desk.file("b.pdf", "One text."))
    assert result.status == "duplicate"
    assert (len(desk.embedder.embedded), len(desk.extractor.extracted)) == (embedded, extracted)
    assert [d.filename for d in await desk.catalog.documents(LOCAL)] == ["a.pdf"]


async def test_what_another_collection_has_is_new_to_this_one(desk: Desk):
    """Nothing is read or embedded again; nobody is told that somebody else has it, or what it is called there."""
    await desk.add(desk.file("Dismissal of Smith.pdf", "One text."), collection="secret")
    embedded, extracted = len(desk.embedder.embedded), len(desk.extractor.extracted)
    [result] = await desk.add(desk.file("b.pdf", "One text."))
    assert result.document is not None
    assert (result.status, result.document.title, result.document.filename) == ("indexed", "b", "b.pdf")
    assert (len(desk.embedder.embedded), len(desk.extractor.extracted)) == (embedded, extracted)
    assert await desk.titles("text") == ["b"]
    assert [d.title for d in await desk.catalog.documents(Scope.of("secret"))] == ["Dismissal of Smith"]


async def test_twins_in_one_batch_are_one_document(desk: Desk):
    """The second is read before the first counts, and is still found out."""
    results = await desk.add(desk.file("a.pdf", "One text."), desk.file("b.pdf", "One text."))
    assert [r.status for r in results] == ["indexed", "duplicate"]
    assert (await desk.upkeep.counts()).documents == 1


async def test_one_bad_file_harms_no_other(desk: Desk):
    """Each is reported in its place, with its code."""
    results = await desk.add(
        desk.file("a.pdf", "Good."),
        desk.file("b.pdf", "!bad"),
        desk.home / "absent.pdf",
        desk.file("c.pdf", "x" * 20_000),
        desk.file("d.pdf", "Good too."),
    )
    assert [r.status for r in results] == ["indexed", "failed", "failed", "failed", "indexed"]
    assert [r.code for r in results] == [None, "not_a_pdf", "not_found", "too_large", None]


async def test_an_empty_list_is_done_at_once(desk: Desk):
    """No file, no report."""
    assert await desk.add() == []


async def test_a_document_that_fails_on_its_way_leaves_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    """A model that breaks after the catalog has noted the document: no row, no file, no vector stays."""
    await desk.add(desk.file("a.pdf", "Good."))
    whole = await desk.upkeep.counts()

    async def broken(texts: object) -> None:
        raise ModelUnavailable("out of memory")

    monkeypatch.setattr(desk.embedder, "embed", broken)
    [result] = await desk.add(desk.file("b.pdf", "Unlucky."))
    assert (result.status, result.code) == ("failed", "model_unavailable")
    assert await desk.upkeep.counts() == whole
    assert len(list((desk.home / "blobs").iterdir())) == 1
    assert await desk.catalog.unfinished() == []


async def test_what_a_dead_process_left_is_undone(desk: Desk):
    """A document that never became ready is gone before the next one comes."""
    [result] = await desk.add(desk.file("a.pdf", "Left half done."))
    assert result.document is not None
    async with desk.catalog.file.transaction() as db:
        await db.execute("UPDATE documents SET state = 'indexing'")
    await desk.add(desk.file("b.pdf", "The next one."))
    counts = await desk.upkeep.counts()
    assert (counts.documents, counts.dense, counts.sparse) == (1, 1, 1)
    assert not (desk.home / "blobs" / f"{result.document.id}.pdf").exists()


async def test_a_removed_document_is_gone_from_everywhere(desk: Desk):
    """Found no more, listed no more, its file deleted."""
    [result] = await desk.add(desk.file("a.pdf", "The tide turns."))
    assert result.document is not None
    assert (await desk.remove(result.document.id)).deleted == (result.document.id,)
    assert await desk.titles("tide") == []
    assert list((desk.home / "blobs").iterdir()) == []
    counts = await desk.upkeep.counts()
    assert (counts.documents, counts.chunks, counts.dense, counts.sparse) == (0, 0, 0, 0)


async def test_a_document_that_others_hold_stays_for_them(desk: Desk):
    """Removing ends a membership; only the last one deletes."""
    path = desk.file("a.pdf", "The tide turns.")
    [result] = await desk.add(path)
    await desk.add(path, collection="other")
    assert result.document is not None
    assert (await desk.remove(result.document.id)).deleted == ()
    assert await desk.titles("tide") == []
    assert len(await desk.catalog.documents(Scope.of("other"))) == 1


async def test_a_library_of_another_model_is_refused_until_rebuilt(desk: Desk, desks: OpenDesk):
    """The message names the command, and after it everything is found again, under the new model."""
    await desk.add(desk.file("a.pdf", "The tide turns."))
    other = await desks(embedder=FakeEmbedder(dimension=32, fingerprint="fake:2"))
    with pytest.raises(IndexOutOfDate, match="pincite rebuild"):
        await other.titles("tide")
    [result] = await other.add(desk.file("b.pdf", "Another."))
    assert result.code == "index_out_of_date"
    assert await other.upkeep.rebuild() == 1
    assert await other.titles("tide") == ["a"]


async def test_readers_follow_a_rebuild(desk: Desk, desks: OpenDesk):
    """A process that had the old indexes open searches the new ones at its next call."""
    await desk.add(desk.file("a.pdf", "The tide turns."))
    assert await desk.titles("tide") == ["a"]
    other = await desks()
    await other.upkeep.rebuild()
    assert await desk.titles("tide") == ["a"]
    assert [f.name for f in (desk.home / "vectors").iterdir()] == ["2"]


async def test_what_a_rebuild_replaced_is_closed_once_no_search_holds_it(desk: Desk, desks: OpenDesk):
    """A search that is under way goes on with the old indexes; a reader does not keep their files open for ever."""
    await desk.add(desk.file("a.pdf", "The tide turns."))
    held = await desk.store.current()
    assert held is not None
    closeups = held.closeups
    await (await desks()).upkeep.rebuild()
    assert await desk.titles("tide") == ["a"]
    assert await closeups.count() == 1
    del held
    assert await desk.titles("tide") == ["a"]
    with pytest.raises(ValueError, match=r"closed|no active"):
        await closeups.count()


async def test_a_second_writer_waits_and_then_says_so(desk: Desk, desks: OpenDesk):
    """The lock is held by one process; the other is told, and loses nothing."""
    other = await desks(patience=0.2)
    async with desk.store.writing():
        with pytest.raises(StoreBusy, match="try again"):
            await other.add(desk.file("a.pdf", "Waiting."))
    assert [r.status for r in await other.add(desk.file("a.pdf", "Waiting."))] == ["indexed"]


async def test_a_title_helps_to_find_its_document(desk: Desk):
    """The words of a file's name are searched, though no page has them."""
    await desk.add(
        desk.file("alpha_2022_report.pdf", "Sales rose."), desk.file("beta_2023_report.pdf", "Sales rose again.")
    )
    assert (await desk.titles("beta sales", "sparse"))[0] == "beta_2023_report"


async def test_two_tasks_of_one_process_take_turns(desk: Desk):
    """Neither undoes what the other is still indexing."""
    files = [desk.file(f"{n}.pdf", f"The tide turns {n} times.") for n in range(4)]
    results = await asyncio.gather(*(desk.add(file, collection=f"c{n}") for n, file in enumerate(files)))
    assert [result.status for [result] in results] == ["indexed"] * 4
    counts = await desk.upkeep.counts()
    assert (counts.documents, counts.chunks, counts.dense, counts.sparse) == (4, 4, 4, 4)


async def test_an_index_that_is_gone_is_an_error_until_rebuilt(desk: Desk, desks: OpenDesk):
    """Never an empty list: nothing found and broken are not alike."""
    await desk.add(desk.file("a.pdf", "The tide turns."))
    shutil.rmtree(desk.home / "vectors")
    other = await desks()
    with pytest.raises(StoreUnavailable, match="pincite rebuild"):
        await other.titles("tide")
    await other.upkeep.rebuild()
    assert await other.titles("tide") == ["a"]


async def test_an_encrypted_file_that_is_known_still_wants_its_password(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    """Knowing its bytes does not entitle to its text."""
    path = desk.file("a.pdf", "A secret. /Encrypt")
    await desk.add(path)

    async def refuses(path: Path, password: str) -> bytes:
        if password != "right":
            raise Encrypted("It needs a password.")
        return b""

    monkeypatch.setattr(desk.extractor, "decrypt", refuses)
    [result] = await desk.add(path, collection="other")
    assert (result.status, result.code) == ("failed", "encrypted")
    assert await desk.catalog.documents(Scope.of("other")) == []


async def test_half_written_files_are_swept(desk: Desk):
    """A dead process's copy of a document is gone before the next one comes."""
    (desk.home / "blobs").mkdir()
    (desk.home / "blobs" / "left.part").write_bytes(b"secret")
    await desk.add(desk.file("a.pdf", "The tide turns."))
    assert [f.suffix for f in (desk.home / "blobs").iterdir()] == [".pdf"]


async def test_a_folder_that_cannot_be_written_fails_each_file_with_a_code(desk: Desk):
    """A file stands where the PDFs should go: a sentence each, no stack, and nothing half done."""
    (desk.home / "blobs").write_text("in the way")
    results = await desk.add(desk.file("a.pdf", "The tide turns."), desk.file("b.pdf", "It turns again."))
    assert [(r.status, r.code) for r in results] == [("failed", "bad_settings")] * 2
    assert await desk.catalog.documents(LOCAL) == []


async def test_documents_that_are_compared_share_the_places(desk: Desk):
    """The report that writes more of debt does not take all of them, as it does when nothing is compared."""
    debt = "The debt of the group rose, and more debt fell due."
    await desk.add(
        desk.file("boeing.pdf", "\f".join([f"{debt} Note {n}." for n in range(6)])),
        desk.file(
            "nike.pdf", "Shoes were sold everywhere this year, and the long-term debt was small beside the cash."
        ),
    )
    assert await desk.titles("The group and its debt, Boeing or Nike") == ["boeing"] * 5
    compared = await desk.titles("Compare the debt of the group Boeing with Nike's")
    assert sorted(compared[:2]) == ["boeing", "nike"]


async def test_a_part_of_the_index_that_is_gone_is_no_refusal(desk: Desk, desks: OpenDesk):
    """Without the close look every question would seem to have no answer; it says what to do instead."""
    await desk.add(desk.file("leave.pdf", "Annual leave is 25 days."))
    await desk.store.close()
    for file in await asyncio.to_thread(lambda: list(desk.home.glob("vectors/*/closeups.sqlite3*"))):
        file.unlink()
    with pytest.raises(StoreUnavailable, match=r"closeups.*pincite rebuild"):
        await (await desks()).titles("annual leave")


async def test_half_a_character_can_be_asked(desk: Desk):
    """A chat that cuts a message may leave half an emoji."""
    await desk.add(desk.file("leave.pdf", "Annual leave is 25 days."))
    assert await desk.titles("annual leave \ud83d") == ["leave"]


async def test_what_a_dead_rebuild_left_goes_with_the_next_write(desk: Desk):
    """Or a document that is removed later would stay in it."""
    [result] = await desk.add(desk.file("leave.pdf", "Annual leave is 25 days."))
    assert result.document is not None
    left = desk.home / "vectors" / "2" / "chunks.lance"
    left.mkdir(parents=True)
    await desk.remove(result.document.id)
    assert not left.exists()


async def test_a_shared_document_stays_until_the_last_collection_lets_it_go(desk: Desk):
    """Sharing reads nothing again; what is not there any more cannot be shared."""
    [kept] = await desk.add(desk.file("a.txt", "Annual leave is 25 days."))
    assert kept.document is not None
    await desk.ingestion.share(kept.document.id, CollectionName("all"), scope=LOCAL)
    assert (await desk.remove(kept.document.id)).deleted == ()
    assert [d.title for d in await desk.catalog.documents(Scope.of("all"))] == ["a"]
    assert (await desk.remove(kept.document.id, collection="all")).deleted == (kept.document.id,)
    await desk.ingestion.share(kept.document.id, CollectionName("all"), scope=LOCAL)
    assert await desk.catalog.documents(Scope.of("all")) == []
    assert len(desk.extractor.extracted) == 1
