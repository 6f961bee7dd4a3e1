"""What holds an event loop up: the places at which its thread is found while a beat of it is late.

A thread looks at the loop's thread from outside. C code that keeps the interpreter to itself holds the watcher up, too;
the place that called it is then found as soon as it lets go.
"""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from traceback import extract_stack
from typing import Any, NamedTuple

LOOK_SECONDS = 0.02
"""Between two looks: five of them in the shortest stall that counts."""
LATE_SECONDS = 0.1
DEEP = 3
"""Innermost frames that name a place; the outer ones are the loop's own."""


class Stalls:
    """Counts, by place, the looks at which the loop was late. `beat` is called by a task of the loop."""

    def __init__(self) -> None:
        self._beaten = time.perf_counter()
        self._over = threading.Event()
        self._places: Counter[str] = Counter()

    def beat(self) -> None:
        """The loop is alive."""
        self._beaten = time.perf_counter()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Watch the thread that calls, until the end."""
        watching = threading.Thread(target=self._watch, args=(threading.get_ident(),), daemon=True)
        self.beat()
        watching.start()
        try:
            yield
        finally:
            self._over.set()
            watching.join()

    def worst(self, most: int = 8) -> dict[str, int]:
        """The places at which it was found most often, with how often."""
        return dict(self._places.most_common(most))

    def _watch(self, thread: int) -> None:
        while not self._over.wait(LOOK_SECONDS):
            if time.perf_counter() - self._beaten > LATE_SECONDS:
                frame = sys._current_frames().get(thread)  # noqa: SLF001 - its documented use
                try:
                    stack = extract_stack(frame)[-DEEP:] if frame else []
                except AttributeError:  # the thread went on meanwhile, and what was a frame is something else
                    continue
                self._places[" > ".join(f"{_short(f.filename)}:{f.lineno} {f.name}" for f in stack)] += 1


class Collection(NamedTuple):
    """One run of the collector: its CPU time, and how many objects were garbage."""

    seconds: float
    garbage: int


class Collections:
    """What Python's collector of garbage takes, by generation; in CPU time, which no other process adds to."""

    def __init__(self) -> None:
        self._began = 0.0
        self._taken: dict[int, list[Collection]] = {0: [], 1: [], 2: []}

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Watch, until the end."""
        gc.callbacks.append(self._noted)
        try:
            yield
        finally:
            gc.callbacks.remove(self._noted)

    def told(self) -> dict[str, dict[str, float]]:
        """How many there were of each generation; of the longest, its milliseconds and what was garbage."""
        return {
            f"generation {number}": {
                "count": len(taken),
                "longest_ms": round((longest := max(taken, default=Collection(0, 0))).seconds * 1000, 1),
                "garbage": longest.garbage,
            }
            for number, taken in self._taken.items()
        }

    def _noted(self, phase: str, info: dict[str, Any]) -> None:
        now = time.thread_time()
        if phase == "start":
            self._began = now
        else:
            self._taken[info["generation"]].append(Collection(now - self._began, info["collected"]))


def _short(path: str) -> str:
    """A path's last two parts."""
    return "/".join(path.replace("\\", "/").split("/")[-2:])
