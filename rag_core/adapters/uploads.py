"""Files that were sent and wait to be read: a folder a job, so that a message can name the file as its sender does."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rag_core.errors import StoreUnavailable
from rag_core.types import DocumentId
from rag_core.types.jobs import JobId

LONGEST_NAME = 120
"""Characters; four bytes each are still under what file systems take."""
BLOCK = 1 << 20


class FolderUploads:
    """Implements `Uploads` in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, job_id: JobId, filename: str) -> Path:
        """Where the job's file is, or would be."""
        return self._folder / job_id / _safe(filename)

    def put(self, job_id: JobId, filename: str, content: bytes) -> None:
        """Keep a file until its job has ended. What returned is on disk.

        Raises:
            StoreUnavailable: The folder cannot be written, or is full.
        """
        with _translated():
            self._write(job_id, filename, iter([content]))

    def copy(self, job_id: JobId, filename: str, source: Path) -> DocumentId:
        """Keep a copy of a file, and tell the digest of what was copied.

        Raises:
            OSError: The source cannot be read.
            StoreUnavailable: The folder cannot be written, or is full.
        """
        digest = hashlib.sha256()
        with source.open("rb") as stream:

            def blocks() -> Iterator[bytes]:
                while block := stream.read(BLOCK):
                    digest.update(block)
                    yield block

            with _translated():
                self._write(job_id, filename, blocks())
        return DocumentId(digest.hexdigest())

    def remove(self, job_id: JobId) -> None:
        """Delete the job's file; it need not be there."""
        shutil.rmtree(self._folder / job_id, ignore_errors=True)

    def sweep(self, kept: Collection[JobId], *, before: float) -> None:
        """Delete the files of all other jobs that were put there before then, in seconds since 1970.

        Newer ones may be of a job that is not in the queue yet.
        """
        for folder in self._folder.iterdir() if self._folder.is_dir() else ():
            with suppress(FileNotFoundError):  # its job has ended meanwhile, in another process
                if folder.name not in kept and folder.stat().st_mtime < before:
                    shutil.rmtree(folder, ignore_errors=True)

    def _write(self, job_id: JobId, filename: str, blocks: Iterator[bytes]) -> None:
        path = self.path(job_id, filename)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with path.open("wb") as stream:
                for block in blocks:
                    stream.write(block)
                stream.flush()
                os.fsync(stream.fileno())
        except BaseException:  # cancelled or failed, it is undone and raised again
            self.remove(job_id)
            raise


def _safe(filename: str) -> str:
    """A name that any file system takes and that stays in its folder; the same for the same name."""
    name = re.sub(r'[\x00-\x1f/\\:*?"<>|]', "_", filename.encode(errors="replace").decode()).strip(". ")
    return name[-LONGEST_NAME:] or "document.pdf"


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except OSError as exc:
        raise StoreUnavailable(
            f"The file cannot be kept in the data folder ({exc.strerror}): check that it can be written and has room."
        ) from exc
