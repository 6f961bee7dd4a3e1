"""The folders that a caller may name files in. A path from a stranger is followed to its end before it is believed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rag_core.errors import NotAllowed

SHOWN = 200
"""Characters of a path that an error repeats."""


class Roots:
    """Allowed folders, symbolic links resolved."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folder.resolve() for folder in folders)

    def __bool__(self) -> bool:
        return bool(self._folders)

    def file(self, path: str) -> Path:
        """The file that `path` leads to; a relative path is tried below each root.

        Blocks on the file system: call it from a thread.

        Raises:
            NotAllowed: It leads outside every root, by `..` or by a link, or to no file: which of these is not told.
        """
        for folder in self._folders:
            try:
                found = (folder / path).resolve()
                if found.is_relative_to(folder) and found.is_file():
                    return found
            except (OSError, ValueError, RuntimeError):
                continue  # a name too long, a NUL, a ring of links: no file
        raise NotAllowed(f"{_short(path)!r} is no file inside the folders that this server may read.")


def _short(path: str) -> str:
    return path if len(path) <= SHOWN else f"{path[:SHOWN]}…"
