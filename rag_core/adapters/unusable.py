"""A library's exception to why a part of the index cannot be used, and what to do: without the paths that it tells."""

from __future__ import annotations

import re

from rag_core.errors import StoreUnavailable

FULL = ("No space left", "os error 28", "File too large", "os error 27", "disk is full", "disk I/O error")
DENIED = ("ermission denied", "PermissionDenied", "os error 13", "Read-only file system", "readonly", "unable to open")
"""How the libraries word what the system told them."""

_PATH = re.compile(r'"?(?<![\w.:])/[^\s",)]+"?')


def unusable(what: str, error: Exception) -> StoreUnavailable:
    """That a part of the index cannot be used.

    >>> print(unusable("The vector index", OSError('IO: No such file "/home/ann/.pincite/1.lance", /src/io.rs:7:1')))
    The vector index cannot be used (IO: No such file …, …). `pincite rebuild` makes it anew.
    >>> print(unusable("The vector index", OSError("No space left on device (os error 28)")))
    The vector index cannot be written, as the disk is full: make room, and try again.
    """
    text = str(error)
    if any(sign in text for sign in FULL):
        return StoreUnavailable(f"{what} cannot be written, as the disk is full: make room, and try again.")
    if any(sign in text for sign in DENIED):
        return StoreUnavailable(f"{what} cannot be written (permission denied): check whose the data folder is.")
    return StoreUnavailable(f"{what} cannot be used ({_PATH.sub('…', text)}). `pincite rebuild` makes it anew.")
