"""The bytes of the data folder, searched for what must not be in them any more."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Iterator
from pathlib import Path

from rag_core.errors import StoreUnavailable

BLOCK = 256 << 10
"""Bytes. Between two blocks others get the interpreter, which a search within one holds for a few tenths of a ms."""
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
        for folder, below, names in os.walk(self._home):  # passes over folders that others delete meanwhile
            if Path(folder) == self._home:
                below[:] = [name for name in below if name not in OTHERS]
            yield from (Path(folder) / name for name in names)


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
    except OSError as exc:
        raise StoreUnavailable(f"{path.name!r} in the data folder cannot be read ({exc.strerror}).") from exc
    return False
