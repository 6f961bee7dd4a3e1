"""The PDFs themselves: one file a document, named by its digest."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from rag_core.errors import StoreUnavailable
from rag_core.types import DocumentId

UNFINISHED = ".part"


class FolderBlobs:
    """Implements `Blobs` in a folder. A file is there whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, document_id: DocumentId) -> Path:
        """Where the document's PDF is, or would be."""
        return self._folder / f"{document_id}.pdf"

    def put(self, document_id: DocumentId, content: bytes) -> None:
        """Keep the PDF; the same one again changes nothing.

        Raises:
            StoreUnavailable: The folder cannot be written, or is full.
        """
        with _translated():
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self._folder, suffix=UNFINISHED, delete=False) as part:
                try:
                    part.write(content)
                    part.flush()
                    os.fsync(part.fileno())
                    Path(part.name).replace(self.path(document_id))
                except BaseException:  # cancelled or failed, it is undone and raised again
                    Path(part.name).unlink(missing_ok=True)  # half a file, or one that nobody will name
                    raise

    def remove(self, document_id: DocumentId) -> None:
        """Delete the PDF; it need not be there."""
        with _translated():
            self.path(document_id).unlink(missing_ok=True)

    def sweep(self, known: Collection[DocumentId]) -> None:
        """Delete what a dead process left half written, and the PDFs of all but the known documents."""
        kept = {self.path(document_id) for document_id in known}
        with _translated():
            for file in self._folder.iterdir() if self._folder.is_dir() else ():
                if file not in kept:
                    file.unlink(missing_ok=True)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except OSError as exc:
        raise StoreUnavailable(
            f"The PDFs of the data folder cannot be written ({exc.strerror}): check that the folder has room."
        ) from exc
