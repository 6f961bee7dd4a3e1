"""Progress bars on a terminal, and nothing in a pipe."""

from __future__ import annotations

import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


class IngestProgress:
    """Two bars: files done, and the chunks of the file in hand. Implements the ingestion's `Progress`."""

    def __init__(self, *, total: int | None) -> None:
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            disable=not sys.stderr.isatty(),
            transient=True,
        )
        self._files = self._bars.add_task("files", total=total)
        self._chunks = self._bars.add_task("chunks", total=None, visible=False)
        self._embedding: Path | None = None

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()

    def reading(self, path: Path) -> None:
        """A file is being read."""
        self._bars.update(self._files, description=f"reading {path.name}")

    def embedding(self, path: Path, done: int, total: int) -> None:
        """So many more of a file's chunks have their vectors."""
        if path != self._embedding:
            self._embedding = path
            self._bars.reset(self._chunks, total=total, visible=True, description=f"embedding {path.name}")
        self._bars.advance(self._chunks, done)

    def done(self, path: Path) -> None:
        """A file is done, well or not."""
        self._bars.update(self._files, description=f"done {path.name}")
        self._bars.advance(self._files)
