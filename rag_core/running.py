"""A service's works, run side by side until one ends or the process is told to stop; then all end in their own way."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from contextlib import suppress


async def until_told(*works: Coroutine[object, object, None]) -> None:
    """Run the works until the first ends, SIGTERM comes, or this is cancelled, as Ctrl-C does; then cancel the rest.

    Each is waited for, so that a work may close what it holds. The first error that one of them ends with is raised.
    """
    told = asyncio.Event()
    with suppress(NotImplementedError):  # Windows has no such signal to wait for
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, told.set)
    ending = asyncio.create_task(told.wait())
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.wait([ending, *tasks], return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (ending, *tasks):
            task.cancel()
        await asyncio.wait([ending, *tasks])
    for task in tasks:
        if not task.cancelled():
            task.result()
