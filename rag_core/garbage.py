"""Python's collector of garbage in a process that is there to stay: what was loaded once is not looked through again.

A full collection goes through every object that the collector knows, and nothing else runs meanwhile. Most objects of a
door are modules, models and tables that go when the process does: they are taken out of its sight.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading() -> Iterator[None]:
    """While what is there to stay is loaded: nothing is collected, and then all there is is out of sight."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def set_aside() -> None:
    """Collect what is garbage now, and take the rest out of sight. It takes as long as a full collection."""
    gc.collect()
    gc.freeze()
