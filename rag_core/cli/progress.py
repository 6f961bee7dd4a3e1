"""Progress on a terminal, and nothing in a pipe: bars of an ingest, and the statements of an answer as they come."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from pathlib import Path
from types import TracebackType
from typing import Self, assert_never

from rich.console import Console
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from rag_core.text.inert import inert
from rag_core.types import Answer, AnswerEvent, Checked, Checking, Restarted


def bars() -> Progress:
    """Bars on standard error that go when they are done; none where that is no terminal."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
        transient=True,
    )


class IngestProgress:
    """Two bars: files done, and the chunks of the file in hand. Implements the ingestion's `Progress`."""

    def __init__(self, *, total: int | None) -> None:
        self._bars = bars()
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


async def told(events: AsyncIterator[AnswerEvent]) -> Answer:
    """The answer that the events end with. On a terminal its statements are shown until then: first as being checked.

    They are gone when the answer is there, which is all that is published.
    """
    lines: list[str] = []
    console = Console(stderr=True)
    with Live(console=console, transient=True, auto_refresh=False) as live:
        async for event in events:
            match event:
                case Answer():
                    return event
                case Checking(text=text):
                    lines.append(f"checking: {inert(text)}")
                case Checked(index=index, claim=claim):
                    lines[index] = f"{claim.verdict.value}: {inert(claim.claim.text)}"
                case Restarted():
                    lines = []
                case _:
                    assert_never(event)
            live.update(Text("\n".join(lines), style="dim", overflow="ellipsis"), refresh=True)
    raise AssertionError("a stream of events ends with its answer, or with an error")
