"""The bytes of the data folder, searched for what must not be in them any more."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator
from pathlib import Path

BLOCK = 4 << 20
OTHERS = ("blobs", "uploads")
"""Folders of whole files, which are deleted by name: what another document says is no trace of this one."""


class FolderRescan:
    """Implements `Rescan` on a folder."""

    def __init__(self, home: Path) -> None:
        self._home = home

    async def find(self, traces: Collection[bytes]) -> list[str]:
        """The files that hold any of these bytes, by their names in the folder."""
        return await asyncio.to_thread(self._find, traces)

    def _find(self, traces: Collection[bytes]) -> list[str]:
        return sorted(str(path.relative_to(self._home)) for path in self._files() if _holds(path, traces))

    def _files(self) -> Iterator[Path]:
        for path in self._home.rglob("*"):
            if path.is_file() and path.relative_to(self._home).parts[0] not in OTHERS:
                yield path


def _holds(path: Path, traces: Collection[bytes]) -> bool:
    overlap = max(map(len, traces), default=1) - 1
    before = b""
    try:
        with path.open("rb") as stream:
            while block := stream.read(BLOCK):
                window = before + block
                if any(trace in window for trace in traces):
                    return True
                before = window[-overlap:] if overlap else b""
    except FileNotFoundError:  # another process tidied up meanwhile
        return False
    return False
