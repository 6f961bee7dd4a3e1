"""Work that nobody waits for comes after all other."""

from __future__ import annotations

import os
import sys
import threading

import pytest

from rag_core.adapters.precedence import NICER, give_way


def niceness(thread: int) -> int:
    """Of one thread."""
    return os.getpriority(os.PRIO_PROCESS, thread)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere threads have no priority of their own")
def test_a_thread_gives_way_with_those_that_it_starts():
    """The others of its process stay as they are."""
    before, seen = niceness(threading.get_native_id()), []

    def below() -> None:
        seen.append(niceness(threading.get_native_id()))

    def work() -> None:
        give_way()
        below()
        started = threading.Thread(target=below)
        started.start()
        started.join()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [min(before + NICER, 19)] * 2
    assert niceness(threading.get_native_id()) == before


def test_where_threads_have_no_priority_nothing_happens(monkeypatch: pytest.MonkeyPatch):
    """Windows has no such call at all, and macOS means the whole process by it."""
    for name in ("setpriority", "getpriority", "PRIO_PROCESS"):
        monkeypatch.delattr(os, name, raising=False)
    for platform in ("win32", "darwin"):
        monkeypatch.setattr(sys, "platform", platform)
        give_way()
