"""A file's life: fetched from Discord, handed to the library, followed on its card, and what became of it."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

from bot import cards
from bot.arrivals import Landed
from bot.buttons.card import password_view
from bot.forgetting import Forgetting
from bot.phrases import say
from bot.places import principal_of
from bot.reply import Reply
from bot.store.records import Upload
from bot.store.store import BotStore
from bot.tree import FAILURES, is_discords_fault
from rag_core.errors import Encrypted, JobNotFound, RagError
from rag_core.keeping.ingestion import Source
from rag_core.library import Library
from rag_core.types import CollectionName, Document, Scope
from rag_core.types.jobs import Job, JobId

log = logging.getLogger(__name__)


LONGEST = timedelta(days=1)
"""For which a file is fetched again that Discord fails to give; then whoever posted it is told to post it again."""

Fetch = Callable[[Path], Awaitable[None]]
"""Puts a file's bytes at a path."""


class Uploads:
    """Takes files in. A file that the library has is taken up where it is; only one that it has not is fetched."""

    def __init__(self, library: Library, store: BotStore, forgetting: Forgetting) -> None:
        self._library = library
        self._store = store
        self._forgetting = forgetting

    async def receive(
        self, upload: Upload, fetch: Fetch, reply: Reply, landed: Landed, *, password: str | None = None
    ) -> Document | None:
        """The document that a file became, or None when its card says why it became none, or nobody wants it more.

        It has `landed` once questions find it by its words, which is long before all of its vectors are made. A fault
        of Discord's goes up to who waits, and leaves the file on its way for a day.
        """
        card = await reply.begin(cards.coming(upload.what.filename))
        await self._store.set_card(upload.id, card.id)
        try:
            ended = await self._followed(await self._job(upload, fetch, password), upload, reply, landed)
        except FAILURES as exc:
            if is_discords_fault(exc) and self._store.now() - upload.added_at < LONGEST:
                raise
            log.info("an attachment could not be fetched: %s", exc)
            await self._failed(upload, reply, say().link_ended)
            return None
        except JobNotFound:
            # The message, or the document, was deleted meanwhile.
            await reply.withdraw()
            return None
        except RagError as exc:
            await self._failed(upload, reply, str(exc))
            return None
        if ended.stage == "cancelled" or ended.result is None:
            await reply.withdraw()
            return None
        if ended.result.document is None:
            encrypted = ended.result.code == Encrypted.code
            await self._failed(upload, reply, ended.result.message or "", encrypted=encrypted)
            return None
        return await self._ready(upload, ended.result.document, reply, known=ended.result.status == "duplicate")

    async def _job(self, upload: Upload, fetch: Fetch, password: str | None) -> Job:
        if upload.job_id is not None and password is None:
            try:
                return await self._library.job(JobId(upload.job_id), scope=_scope(upload))
            except JobNotFound:
                log.info("a job is gone, and its file is fetched again")
        with tempfile.TemporaryDirectory(prefix="pincite-") as folder:
            path = Path(folder) / "document.pdf"
            await fetch(path)
            [job] = await self._library.submit(
                [Source(path, upload.what.filename)],
                collection=CollectionName(upload.what.collection),
                principal=principal_of(upload.what.uploader_id),
                password=password,
            )
        await self._store.set_job(upload.id, job.id)
        return job

    async def _followed(self, job: Job, upload: Upload, reply: Reply, landed: Landed) -> Job:
        findable = False
        async for seen in self._library.follow(job.id, scope=_scope(upload)):
            job = seen
            if await self._store.upload(upload.id) is None:
                return await self._library.cancel(job.id, scope=_scope(upload))
            if job.searchable and not job.ended and not findable:
                findable = True
                await self._store.set_upload_state(upload.id, "coming", job.document_id)
                await landed()
            if not job.ended:
                await reply.show(cards.progress(upload.what.filename, job.stage, job.done, job.total))
        return job

    async def _ready(self, upload: Upload, document: Document, reply: Reply, *, known: bool) -> Document | None:
        await self._store.set_upload_state(upload.id, "ready", document.id)
        now = await self._store.upload(upload.id)
        if now is None:
            # The message was deleted in the very moment in which its document was done.
            await self._forgetting.document(upload, document.id)
            await reply.withdraw()
            return None
        async with self._coming_while_discord_fails(upload, document.id):
            card = await reply.end([cards.card(document, known=known)])
        await self._store.set_card(upload.id, card.id)
        return document

    async def _failed(self, upload: Upload, reply: Reply, why: str, *, encrypted: bool = False) -> None:
        await self._store.set_upload_state(upload.id, "failed")
        view = password_view(upload.id) if encrypted else None
        async with self._coming_while_discord_fails(upload):
            await reply.end([cards.failed(upload.what.filename, why)], view=view)

    @asynccontextmanager
    async def _coming_while_discord_fails(self, upload: Upload, document_id: str | None = None) -> AsyncIterator[None]:
        """What became of a file is not over before its card says so: where Discord fails at that, it is tried again."""
        try:
            yield
        except FAILURES as exc:
            if is_discords_fault(exc):
                await self._store.set_upload_state(upload.id, "coming", document_id)
            raise


def _scope(upload: Upload) -> Scope:
    return Scope.of(upload.what.collection)
