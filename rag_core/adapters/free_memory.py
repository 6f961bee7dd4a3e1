"""Freed memory, handed back to the system."""

from __future__ import annotations

import ctypes
import sys


def give_back() -> None:
    """Hand what is free back to the system, where its allocator (glibc's) can.

    A model's tensors are of another size for every batch of texts. The allocator keeps what they leave, in pieces that
    the next rarely fit in.
    """
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "malloc_trim"):
        libc.malloc_trim(0)
