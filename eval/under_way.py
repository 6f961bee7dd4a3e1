"""The life of a run's process: what this one is at, and a lock a run by which all others know that somebody is."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import filelock

from eval.errors import RunUnderWay
from eval.run_values import Run


class UnderWay:
    """The runs that are worked on.

    Args:
        folder: Where the locks lie; made when the first is taken.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tasks: dict[str, asyncio.Task[Run]] = {}

    async def hold(self, run_id: str) -> filelock.FileLock:
        """The lock that says that a run is being worked on.

        Raises:
            RunUnderWay: Another has it.
        """
        return await asyncio.to_thread(self._held, run_id)

    def begin(self, run_id: str, lock: filelock.FileLock, work: Coroutine[Any, Any, Run]) -> None:
        """Work on a run as a task of its own, and let go of its lock at the end."""

        async def working() -> Run:
            try:
                return await work
            finally:
                lock.release()
                self._tasks.pop(run_id, None)

        self._tasks[run_id] = asyncio.create_task(working(), name=f"eval {run_id}")

    async def end(self, run_id: str) -> Run | None:
        """The run when it has come to its end; None when it was stopped, or this process is not at it."""
        task = self._tasks.get(run_id)
        if task is None:
            return None
        await asyncio.wait([task])
        return None if task.cancelled() else task.result()

    async def stop(self, run_id: str) -> None:
        """Stop a run, if this process is at it."""
        task = self._tasks.get(run_id)
        if task is not None:
            task.cancel()
            await asyncio.wait([task])

    async def close(self) -> None:
        """Stop all."""
        for task in self._tasks.values():
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks.values())

    async def as_it_is(self, run: Run) -> Run:
        """A run that says `running` though nobody holds its lock was killed."""
        if run.state != "running" or run.id in self._tasks:
            return run
        try:
            (await self.hold(run.id)).release()
        except RunUnderWay:
            return run
        return replace(run, state="interrupted", note="Its process ended before it did.")

    def _held(self, run_id: str) -> filelock.FileLock:
        self._folder.mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(self._folder / f"{run_id}.lock", thread_local=False)
        try:
            lock.acquire(timeout=0)
        except filelock.Timeout as exc:
            raise RunUnderWay(f"The run {run_id} is under way already.") from exc
        return lock
