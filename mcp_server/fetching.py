"""Downloads that go on after the call that asked for them: its caller is answered within a second, a host may be slow.

A fetch becomes a job of the library as soon as its file is here. Until then it lives in this process alone.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from rag_core.errors import NotAllowed, RagError, RateLimited
from rag_core.types import CollectionName
from rag_core.types.jobs import Job

if TYPE_CHECKING:
    from mcp_server.download import Downloader, Link

AT_ONCE = 4
"""Downloads that one collection may have under way."""
MOST = 200
"""Ended ones whose outcome is remembered."""

Submit = Callable[[Path, str], Awaitable[Job]]
"""A file and its name to a job of the library."""


@dataclass(frozen=True, slots=True, eq=False)
class Fetch:
    """A download, and the job that comes of it."""

    id: str
    filename: str
    collection: CollectionName
    job: asyncio.Task[Job]

    @property
    def error(self) -> RagError | None:
        """Why no job came of it; None while one may, or did."""
        if not self.job.done():
            return None
        if self.job.cancelled():
            return NotAllowed("It was cancelled before it was done.")
        error = self.job.exception()
        if error is None or isinstance(error, RagError):
            return error
        raise error


class Fetches:
    """Starts downloads and knows what became of them. Must be used inside `serving`."""

    def __init__(self, downloader: Callable[[], Downloader]) -> None:
        self._downloader = downloader
        self._fetches: OrderedDict[str, Fetch] = OrderedDict()
        self._tasks: set[asyncio.Task[Job]] = set()

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """For as long as the server runs; what is not here by then never comes."""
        try:
            yield
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def start(self, link: Link, *, collection: CollectionName, submit: Submit) -> Fetch:
        """A download that begins now.

        Raises:
            RateLimited: The collection has too many under way.
        """
        under_way = sum(one.collection == collection and not one.job.done() for one in self._fetches.values())
        if under_way >= AT_ONCE:
            raise RateLimited(f"{AT_ONCE} downloads are under way already.", retry_after=10)
        task = asyncio.ensure_future(self._fetched(link, submit))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        # A failure is told to whoever asks for the job; when nobody does, asyncio need not complain.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        fetch = Fetch(uuid4().hex, link.filename, collection, task)
        self._fetches[fetch.id] = fetch
        while len(self._fetches) > MOST and next(iter(self._fetches.values())).job.done():
            self._fetches.popitem(last=False)
        return fetch

    def find(self, fetch_id: str, collection: CollectionName) -> Fetch | None:
        """The download by its id, for those who see the collection."""
        fetch = self._fetches.get(fetch_id)
        return fetch if fetch is not None and fetch.collection == collection else None

    async def _fetched(self, link: Link, submit: Submit) -> Job:
        with tempfile.TemporaryDirectory(prefix="pincite-") as folder:
            file = Path(folder) / "fetched.pdf"
            filename = await self._downloader().fetch(link, file)
            return await submit(file, filename)
