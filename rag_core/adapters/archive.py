"""A library as one file: a zip of the catalog as it was at one instant, and the PDFs that it names.

The indexes are not in it: they are made anew, for the model and the version that reads it.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
import shutil
import sqlite3
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from rag_core.adapters.catalog_file import MIGRATIONS, translated
from rag_core.errors import IndexOutOfDate, NotAllowed, StoreUnavailable
from rag_core.types import DocumentId

CATALOG = "catalog.sqlite3"
LABEL = "pincite.json"
BLOBS = "blobs"
FORMAT = 1
UPLOADS = "uploads"
UNPACKED = "import"
"""The folder among the files that were sent in which an archive is unpacked: what a dead process leaves is swept."""
BLOCK = 1 << 20
PASSING = ("jobs", "acts", "model_calls", "model_line", "answers")
"""Tables of what passes: a job's file is not in the archive, and what was counted concerns another place and hour."""


class ZipArchive:
    """Implements `Archive`."""

    def __init__(self, home: Path) -> None:
        self._home = home

    async def snapshot(self, name: str) -> Path:
        """A folder with the catalog and the PDFs of now. Nobody may remove documents while it is made.

        It lies among the files that were sent, where what a dead process leaves is swept.
        """
        return await asyncio.to_thread(self._snapshot, self._home / UPLOADS / name)

    async def write(self, snapshot: Path, path: Path) -> int:
        """The library of a snapshot into a new file; the number of its documents.

        Raises:
            NotAllowed: There is such a file already.
            StoreUnavailable: It cannot be written.
        """
        return await asyncio.to_thread(self._write, snapshot, path)

    async def unpack(self, path: Path) -> int:
        """An archive into the data folder, which must hold no library; the number of its documents.

        Raises:
            NotAllowed: The file is no archive, or damaged, or there is a library already.
            IndexOutOfDate: A newer Pincite wrote it.
            StoreUnavailable: The data folder cannot be written.
        """
        return await asyncio.to_thread(self._unpack, path)

    def _snapshot(self, folder: Path) -> Path:
        with translated(self._home / CATALOG):
            folder.mkdir(parents=True)
            for document_id in _copied(self._home / CATALOG, folder / CATALOG):
                _linked(self._home / BLOBS / f"{document_id}.pdf", folder / f"{document_id}.pdf")
        return folder

    def _write(self, snapshot: Path, path: Path) -> int:
        if path.exists():
            raise NotAllowed(f"{path.name!r} is there already: name a new file.")
        documents = _ids(snapshot / CATALOG)
        part = path.with_name(f".{path.name}.part")
        with _translated(path):
            try:
                with zipfile.ZipFile(part, "w") as archive:
                    label = {"format": FORMAT, "schema": len(MIGRATIONS), "documents": len(documents)}
                    archive.writestr(LABEL, json.dumps(label))
                    archive.write(snapshot / CATALOG, CATALOG, zipfile.ZIP_DEFLATED)
                    for document_id in documents:
                        archive.write(snapshot / f"{document_id}.pdf", f"{BLOBS}/{document_id}.pdf")
                with part.open("rb+") as stream:
                    os.fsync(stream.fileno())
                part.replace(path)
            finally:
                part.unlink(missing_ok=True)
        return len(documents)

    def _unpack(self, path: Path) -> int:
        if (self._home / CATALOG).exists():
            raise NotAllowed(f"There is a library in {str(self._home)!r} already: name another folder with --home.")
        unpacked = self._home / UPLOADS / UNPACKED
        with _translated(self._home):
            try:
                shutil.rmtree(unpacked, ignore_errors=True)
                with _opened(path) as archive:
                    unpacked.mkdir(parents=True)
                    documents = _extracted(archive, unpacked)
                (self._home / BLOBS).mkdir(exist_ok=True)
                for document_id in documents:
                    (unpacked / f"{document_id}.pdf").replace(self._home / BLOBS / f"{document_id}.pdf")
                (unpacked / CATALOG).replace(self._home / CATALOG)  # last: until then there is no library
            finally:
                shutil.rmtree(unpacked, ignore_errors=True)
        return len(documents)


def _copied(catalog: Path, copy: Path) -> list[DocumentId]:
    """A copy of the catalog at one instant, with what is ready and lasts; the documents in it."""
    if not catalog.exists():
        raise NotAllowed(f"There is no library in {str(catalog.parent)!r} yet.")
    with contextlib.closing(sqlite3.connect(catalog)) as live, contextlib.closing(sqlite3.connect(copy)) as db:
        live.backup(db)
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("DELETE FROM documents WHERE state != 'ready'")
        for table in PASSING:
            db.execute(f"DELETE FROM {table}")  # noqa: S608 - the names are this module's own
        db.execute("UPDATE documents SET embedded = 0")
        db.execute("DELETE FROM meta WHERE key IN ('index', 'swept')")
        db.commit()
        db.execute("VACUUM")
    return _ids(copy)


def _linked(source: Path, to: Path) -> None:
    try:
        to.hardlink_to(source)
    except OSError:  # some file systems have no second names
        shutil.copyfile(source, to)


def _ids(catalog: Path) -> list[DocumentId]:
    """The documents of a catalog that is whole.

    Raises:
        sqlite3.DatabaseError: It is not.
    """
    with contextlib.closing(sqlite3.connect(catalog)) as db:
        if (found := db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise sqlite3.DatabaseError(found)
        return [DocumentId(row[0]) for row in db.execute("SELECT id FROM documents ORDER BY id")]


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    with path.open("rb") as stream:
        try:
            with zipfile.ZipFile(stream) as archive:
                yield archive
        except (*_DAMAGED, OSError) as exc:
            if isinstance(exc, OSError) and exc.errno != errno.EINVAL:  # that is a place beyond any file
                raise
            raise NotAllowed(f"{path.name!r} is no archive of a library, or is damaged ({exc}).") from exc
        except _Newer as exc:
            raise IndexOutOfDate(f"{path.name!r} was written by a newer Pincite: install that.") from exc


class _Newer(Exception):
    """It was written by a program that knows more."""


_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    sqlite3.DatabaseError,
    KeyError,
    RuntimeError,
    ValueError,
)
"""What zipfile, zlib, sqlite3 and json raise for bytes that are not what they should be. `RuntimeError` is for members
that say that they are encrypted, or packed in a way that nobody knows."""


def _extracted(archive: zipfile.ZipFile, folder: Path) -> list[DocumentId]:
    """All of the archive that makes a library, in `folder`; the documents in it."""
    label = json.loads(archive.read(LABEL))
    match label:
        case {"format": int(form), "schema": int(schema), "documents": int(count)}:
            pass
        case _:
            raise ValueError("its label is none")
    if form > FORMAT or schema > len(MIGRATIONS):
        raise _Newer
    _extract(archive, CATALOG, folder / CATALOG)
    documents = _ids(folder / CATALOG)
    if len(documents) != count:
        raise ValueError(f"it should have {count} documents, and names {len(documents)}")
    for document_id in documents:
        _extract(archive, f"{BLOBS}/{document_id}.pdf", folder / f"{document_id}.pdf")
    return documents


def _extract(archive: zipfile.ZipFile, name: str, to: Path) -> None:
    """One member to a file of our own naming: an archive's names are not to be trusted with a path."""
    with archive.open(name) as source, to.open("wb") as stream:
        while block := source.read(BLOCK):
            stream.write(block)
        stream.flush()
        os.fsync(stream.fileno())


@contextlib.contextmanager
def _translated(place: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as exc:
        raise NotAllowed(f"There is no file {exc.filename!r}.") from exc
    except OSError as exc:
        raise StoreUnavailable(
            f"{str(place)!r} cannot be written ({exc.strerror}): check that it can be, and has room."
        ) from exc
