"""A library goes into one file and comes out of it as it was."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest
from desk import LOCAL, Desk, OpenDesk, open_desk

from rag_core.adapters.archive import CATALOG, LABEL, ZipArchive
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


async def test_a_damaged_archive_makes_no_library(desk: Desk, tmp_path: Path):
    """Wherever a byte is another, or the end is missing: it is refused, or all of it comes back as it was."""
    await desk.add(desk.file("a.pdf", "The tide turns. " * 20), desk.file("b.pdf", "Leave is 25 days."))
    await export(desk, tmp_path / "whole.zip")
    whole, draw = (tmp_path / "whole.zip").read_bytes(), random.Random(1)
    refused = 0
    for number in range(200):
        at = draw.randrange(len(whole))
        cut = (
            whole[:at] if number % 4 == 0 else whole[:at] + bytes([whole[at] ^ draw.randint(1, 255)]) + whole[at + 1 :]
        )
        (tmp_path / "cut.zip").write_bytes(cut)
        home = tmp_path / f"home-{number}"
        try:
            await ZipArchive(home).unpack(tmp_path / "cut.zip")
        except (NotAllowed, IndexOutOfDate):
            refused += 1
            assert not [path for path in home.rglob("*") if path.is_file()], f"byte {at} left something"
        else:
            assert files_of(home) == files_of(desk.home)
    assert refused > 100


async def test_an_archive_that_contradicts_itself_makes_no_library(desk: Desk, tmp_path: Path):
    """One that names more documents than it has, or lacks the file of one, or whose catalog is broken."""
    await desk.add(desk.file("a.pdf", "The tide turns."))
    await export(desk, tmp_path / "whole.zip")
    with zipfile.ZipFile(tmp_path / "whole.zip") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    [blob] = [name for name in members if name.startswith("blobs/")]
    catalog = bytearray(members[CATALOG])
    catalog[200:-200] = bytes(len(catalog) - 400)
    for number, (name, content) in enumerate(
        {
            LABEL: b'{"format": 1, "schema": 1, "documents": 2}',
            blob: None,
            CATALOG: bytes(catalog),
        }.items()
    ):
        path = tmp_path / f"{number}.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for member, was in members.items():
                if (put := content if member == name else was) is not None:
                    archive.writestr(member, put)
        with pytest.raises(NotAllowed, match="damaged"):
            await ZipArchive(tmp_path / f"home-{number}").unpack(path)
        assert not [each for each in (tmp_path / f"home-{number}").rglob("*") if each.is_file()], name
    for label in (b"[]", b"1", b'{"format": "1", "schema": 1, "documents": 1}', b"{}"):
        with zipfile.ZipFile(tmp_path / "label.zip", "w") as archive:
            archive.writestr(LABEL, label)
        with pytest.raises(NotAllowed, match="damaged"):
            await ZipArchive(tmp_path / "label").unpack(tmp_path / "label.zip")


async def test_what_is_exported_while_others_work_is_whole(desks: OpenDesk, tmp_path: Path):
    """One process ingests, one removes, one exports: each archive has the documents of one instant, and their files."""
    worker, other = await desks(), await desks()
    files = [worker.file(f"{n}.pdf", f"Gauge {n} is read at noon. " * 5) for n in range(30)]
    await worker.submit(*files[:5])
    counts = []
    async with worker.draining():
        for number in range(6):
            await worker.submit(*files[5 + 4 * number : 9 + 4 * number])
            removing = asyncio.create_task(_one_removed(other))
            counts.append(await export(other, tmp_path / f"{number}.zip"))
            await removing
    for number, count in enumerate(counts):
        home = tmp_path / f"home-{number}"
        assert await ZipArchive(home).unpack(tmp_path / f"{number}.zip") == count
        again = await open_desk(home)
        try:
            assert await again.upkeep.recover() is not None
            assert await again.upkeep.differences() == []
            documents = await again.catalog.documents(LOCAL)
            assert len(documents) == count
            for document in documents:
                assert sha256((home / "blobs" / f"{document.id}.pdf").read_bytes()).hexdigest() == document.id
                assert document.title in await again.titles((await again.catalog.pages(document.id))[0].text, "sparse")
        finally:
            await again.catalog.close()
            await again.store.close()
    assert not [path for path in (worker.home / "uploads").iterdir() if (path / CATALOG).exists()], "no snapshot stays"


async def _one_removed(desk: Desk) -> None:
    for document in (await desk.catalog.documents(LOCAL))[:1]:
        await desk.remove(document.id)


def files_of(home: Path) -> tuple[dict[str, bytes], list[tuple[str, str]]]:
    """The PDFs of a library, and the titles and texts of its documents."""
    blobs = {path.name: path.read_bytes() for path in (home / "blobs").iterdir()}
    db = sqlite3.connect(home / CATALOG)
    pages = "SELECT title, text FROM documents JOIN pages ON document_id = id ORDER BY title, number"
    said = [(row[0], row[1]) for row in db.execute(pages)]
    db.close()
    return blobs, said
