"""A process that has a library's queue in hand until it is killed."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from multiprocessing.connection import Connection
from pathlib import Path

from desk import open_desk


@asynccontextmanager
async def held(home: Path, *, writing: bool) -> AsyncIterator[multiprocessing.process.BaseProcess]:
    """The process, from when it reads a file, which it never ends; it may hold the right to write, too."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    child = context.Process(target=_run, args=(home, theirs), kwargs={"writing": writing})
    child.start()
    theirs.close()
    try:
        await asyncio.to_thread(ours.recv)
        yield child
    finally:
        child.kill()
        await asyncio.to_thread(child.join)


def _run(home: Path, say: Connection, *, writing: bool) -> None:
    asyncio.run(_holding(home, say, writing=writing))


async def _holding(home: Path, say: Connection, *, writing: bool) -> None:
    desk = await open_desk(home)
    desk.extractor.before_extract.clear()
    async with desk.draining(), AsyncExitStack() as stack:
        await desk.extractor.entered.wait()
        if writing:
            await stack.enter_async_context(desk.store.writing())
        say.send("held")
        await asyncio.Event().wait()
