"""The PDFs themselves: one file a document, named by its digest."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from rag_core.types import DocumentId


class FolderBlobs:
    """Implements `Blobs` in a folder. A file is there whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, document_id: DocumentId) -> Path:
        """Where the document's PDF is, or would be."""
        return self._folder / f"{document_id}.pdf"

    def put(self, document_id: DocumentId, content: bytes) -> None:
        """Keep the PDF; the same one again changes nothing."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=self._folder, suffix=".part", delete=False) as part:
            part.write(content)
            part.flush()
            os.fsync(part.fileno())
        Path(part.name).replace(self.path(document_id))

    def remove(self, document_id: DocumentId) -> None:
        """Delete the PDF; it need not be there."""
        self.path(document_id).unlink(missing_ok=True)
