"""The tools that change a collection: a PDF comes in as a job that can be followed, and goes out for real."""

from __future__ import annotations

import asyncio
import base64 as b64
import binascii
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from mcp.server.mcpserver import Context
from mcp.types import CallToolResult
from pydantic import Field

from mcp_server import prose, schemas
from mcp_server.arguments import MOST_BASE64, DocumentName
from mcp_server.callers import Caller, WhoAsks
from mcp_server.desk import Desk
from mcp_server.fetching import Fetch, Fetches, Submit
from mcp_server.levels import Levels
from mcp_server.results import result
from mcp_server.roots import Roots
from mcp_server.telling import Progress
from rag_core.errors import JobNotFound, NotAllowed
from rag_core.types.jobs import Job, JobId

if TYPE_CHECKING:
    from rag_core.library import Library

AT_ONCE = 0.6
"""Seconds that a download may take to be answered as a job of the library; a slower one is told of as it is."""

JobName = Annotated[str, Field(min_length=1, max_length=100, description="The job_id that ingest_document returned.")]


class Collecting:
    """The tools' bodies. Their names, signatures and docstrings are what a client is told."""

    def __init__(self, desk: Desk, who: WhoAsks, *, roots: Roots, fetches: Fetches | None, levels: Levels) -> None:
        self._desk = desk
        self._who = who
        self._roots = roots
        self._fetches = fetches
        self._levels = levels

    async def ingest_document(
        self,
        path: Annotated[
            str | None, Field(min_length=1, max_length=4096, description="A PDF in a folder this server may read.")
        ] = None,
        url: Annotated[str | None, Field(min_length=1, max_length=2048, description="A public https link.")] = None,
        base64: Annotated[
            str | None, Field(min_length=1, max_length=MOST_BASE64, description="The PDF's bytes as base64.")
        ] = None,
        filename: Annotated[
            str | None, Field(min_length=1, max_length=255, description="What to call it; for base64.")
        ] = None,
        password: Annotated[
            str | None, Field(max_length=1000, description="If it is encrypted; used once and not kept.")
        ] = None,
    ) -> Annotated[CallToolResult, schemas.Job]:
        """Read a PDF into the collection: give one of path, url, base64. Returns a job at once; follow it with get_job.

        The same file again changes nothing. It can be asked as soon as the job says searchable.
        """
        given = [kind for kind in (path, url, base64) if kind is not None]
        if len(given) != 1:
            raise NotAllowed("Give exactly one of path, url and base64.")
        caller = self._who()

        async def submit(file: Path, name: str) -> Job:
            return await _submitted(await self._desk.library(), caller, file, name, password)

        if url is not None:
            fetch = self._started(caller, url, submit)
            await asyncio.wait([fetch.job], timeout=AT_ONCE)
            value = await self._fetched(caller, fetch)
        else:
            async with self._handed_over(path, base64) as file:
                value = schemas.Job.of(await submit(file, filename if filename and path is None else file.name))
        return result(value, prose.job(value))

    async def get_job(
        self,
        job_id: JobName,
        context: Context[Any, Any],
        wait_seconds: Annotated[int, Field(ge=0, le=45, description="Wait so long for its end, telling progress.")] = 0,
    ) -> Annotated[CallToolResult, schemas.Job]:
        """See how far an ingestion has come: its stage, pages done, and at the end the document or what went wrong."""
        caller, progress = self._who(), Progress(context, self._levels)
        value = await self._job(caller, job_id)
        if wait_seconds and not value.ended:
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_seconds):
                    async for value in self._changes(caller, job_id):
                        await progress.step(prose.stage(value))
        return result(value, prose.job(value))

    async def remove_document(self, document: DocumentName) -> Annotated[CallToolResult, schemas.Removed]:
        """Remove a document from the collection, or call off a job by its job_id. Data that no collection holds is deleted."""  # noqa: E501 - one sentence for the client
        caller = self._who()
        library = await self._desk.library()
        job = await self._called_off(library, caller, document)
        if job is None:
            meant = await library.document(document, scope=caller.scope)
            value = schemas.Removed.of(await library.remove(meant.id, scope=caller.scope))
        else:
            value = schemas.Removed(document=None, deleted=False, verified=True, job=job)
        return result(value, prose.removed(value))

    # ------------------------------------------------------------------------------ coming in

    @asynccontextmanager
    async def _handed_over(self, path: str | None, base64: str | None) -> AsyncIterator[Path]:
        """The file, for as long as it takes to hand it on."""
        if path is not None:
            yield await asyncio.to_thread(self._roots.file, path)
            return
        with tempfile.TemporaryDirectory(prefix="pincite-") as folder:
            file = Path(folder) / "document.pdf"
            await asyncio.to_thread(_write_decoded, base64 or "", file)
            yield file

    def _started(self, caller: Caller, url: str, submit: Submit) -> Fetch:
        if self._fetches is None:
            raise NotAllowed("This server fetches nothing: give a path or base64.")
        from mcp_server.download import Link

        return self._fetches.start(Link.of(url), collection=caller.collection, submit=submit)

    # ------------------------------------------------------------------------------ going on

    async def _job(self, caller: Caller, job_id: str) -> schemas.Job:
        fetch = self._fetches.find(job_id, caller.collection) if self._fetches else None
        if fetch is not None:
            return await self._fetched(caller, fetch)
        library = await self._desk.library()
        return schemas.Job.of(await library.job(JobId(job_id), scope=caller.scope))

    async def _fetched(self, caller: Caller, fetch: Fetch) -> schemas.Job:
        if not fetch.job.done():
            return schemas.Job.fetching(fetch.id, fetch.filename)
        if fetch.error is not None:
            return schemas.Job.unfetched(fetch.id, fetch.filename, fetch.error)
        library = await self._desk.library()
        return schemas.Job.of(await library.job(fetch.job.result().id, scope=caller.scope))

    async def _changes(self, caller: Caller, job_id: str) -> AsyncIterator[schemas.Job]:
        fetch = self._fetches.find(job_id, caller.collection) if self._fetches else None
        if fetch is not None:
            await asyncio.wait([fetch.job])
            if fetch.error is not None:
                yield await self._fetched(caller, fetch)
                return
            job_id = fetch.job.result().id
        library = await self._desk.library()
        async for job in library.follow(JobId(job_id), scope=caller.scope):
            yield schemas.Job.of(job)

    async def _called_off(self, library: Library, caller: Caller, name: str) -> schemas.Job | None:
        fetch = self._fetches.find(name, caller.collection) if self._fetches else None
        if fetch is not None and not fetch.job.done():
            fetch.job.cancel()
            await asyncio.wait([fetch.job])
            return await self._fetched(caller, fetch)
        job_id = JobId(name) if fetch is None or fetch.error else fetch.job.result().id
        try:
            job = await library.job(job_id, scope=caller.scope)
            if not job.ended:
                return schemas.Job.of(await library.cancel(job_id, scope=caller.scope))
        except JobNotFound:
            pass
        return None


async def _submitted(library: Library, caller: Caller, file: Path, filename: str, password: str | None) -> Job:
    from rag_core.keeping.ingestion import Source

    [job] = await library.submit(
        [Source(file, filename)], collection=caller.collection, principal=caller.principal, password=password
    )
    return job


def _write_decoded(text: str, file: Path) -> None:
    from mcp_server.download import refuse_unsigned

    try:
        content = b64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as exc:
        raise NotAllowed("What was given as base64 is not base64.") from exc
    refuse_unsigned(content)
    file.write_bytes(content)
