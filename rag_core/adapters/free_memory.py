"""Freed memory, handed back to the system."""

from __future__ import annotations

import ctypes
import sys


def give_back() -> None:
    """Hand what is free back to the system, where its allocator (glibc's) can.

    A model's tensors are of another size for every batch of texts, and each thread has a heap of its own. The allocator
    keeps what is freed, in pieces that the next rarely fit in.
    """
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "malloc_trim"):
        libc.malloc_trim(0)
