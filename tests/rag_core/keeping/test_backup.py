"""A library goes into one file and comes out of it as it was."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from desk import LOCAL, Desk, OpenDesk, open_desk

from rag_core.adapters.archive import ZipArchive
from rag_core.errors import IndexOutOfDate, NotAllowed
from rag_core.keeping.backup import Backup
from rag_core.types import Scope
from rag_core.types.jobs import JobId


async def export(desk: Desk, path: Path) -> int:
    """How many documents went into the file."""
    backup = Backup(archive=ZipArchive(desk.home), store=desk.store, new_id=lambda: JobId("snapshot"))
    return await backup.export(path)


async def test_a_library_comes_back_as_it_was(desk: Desk, tmp_path: Path):
    """Documents, pages, who sees them, and the files; found again once whoever drains has made the indexes."""
    [one, two] = await desk.add(desk.file("a.pdf", "The tide turns."), desk.file("b.pdf", "Leave is 25 days."))
    await desk.add(desk.file("a.pdf", "The tide turns."), collection="other")
    [waiting] = await desk.submit(desk.file("c.pdf", "Not read yet."))
    assert await export(desk, tmp_path / "library.zip") == 2
    elsewhere = tmp_path / "elsewhere"
    assert await ZipArchive(elsewhere).unpack(tmp_path / "library.zip") == 2
    again = await open_desk(elsewhere)
    try:
        assert await again.catalog.visible(LOCAL) == {d.document.id for d in (one, two) if d.document}
        assert len(await again.catalog.documents(Scope.of("other"))) == 1
        assert await again.intake.jobs(LOCAL) == []
        await again.upkeep.recover()
        [third] = await again.add(desk.file("d.pdf", "One more."))
        assert third.status == "indexed"
        assert await again.titles("when does the tide turn", "sparse") == ["a"]
        assert {path.name for path in (elsewhere / "blobs").iterdir()} > {
            path.name for path in (desk.home / "blobs").iterdir()
        }
    finally:
        await again.catalog.close()
        await again.store.close()
    assert (await desk.intake.job(waiting.id, scope=LOCAL)).stage == "queued"


async def test_nothing_is_written_over(desk: Desk, tmp_path: Path):
    """Neither a file that is there, nor a library."""
    await desk.add(desk.file("a.pdf", "The tide turns."))
    await export(desk, tmp_path / "library.zip")
    with pytest.raises(NotAllowed, match="new file"):
        await export(desk, tmp_path / "library.zip")
    with pytest.raises(NotAllowed, match="another folder"):
        await ZipArchive(desk.home).unpack(tmp_path / "library.zip")


async def test_what_is_no_archive_makes_no_library(tmp_path: Path, desks: OpenDesk):
    """Nor does one that is cut short, or that a newer program wrote."""
    (tmp_path / "notes.zip").write_bytes(b"notes")
    with pytest.raises(NotAllowed, match="no archive"):
        await ZipArchive(tmp_path / "new").unpack(tmp_path / "notes.zip")
    with zipfile.ZipFile(tmp_path / "newer.zip", "w") as archive:
        archive.writestr("pincite.json", '{"format": 1, "schema": 999, "documents": 0}')
    with pytest.raises(IndexOutOfDate, match="newer"):
        await ZipArchive(tmp_path / "new").unpack(tmp_path / "newer.zip")
    with pytest.raises(NotAllowed, match=r"absent\.zip"):
        await ZipArchive(tmp_path / "new").unpack(tmp_path / "absent.zip")
    assert not (tmp_path / "new" / "catalog.sqlite3").exists()
