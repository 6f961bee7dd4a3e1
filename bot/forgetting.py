"""What goes away in Discord, and what is asked to be deleted, goes for real: file, text, index and records."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Sequence

from bot.places import is_of, principal_of, shared_by
from bot.store.records import Upload
from bot.store.store import FILE, BotStore
from eval.runs import Evals
from rag_core.errors import DocumentNotFound, JobNotFound
from rag_core.library import Library
from rag_core.types import CollectionName, DocumentId, Receipt, Scope
from rag_core.types.jobs import JobId

log = logging.getLogger(__name__)


class Forgetting:
    """Deletes. A document goes with the last of the uploads that brought it to its channel."""

    def __init__(self, library: Library, store: BotStore, evals: Evals) -> None:
        self._library = library
        self._store = store
        self._evals = evals

    async def uploads(self, uploads: Sequence[Upload]) -> list[str]:
        """Forget uploads, stop those under way, and delete what nobody else brought there; the titles of that."""
        await self._store.drop_uploads(uploads)
        titles: list[str] = []
        for upload in uploads:
            if upload.document_id is not None:
                titles += await self.document(upload, upload.document_id)
            elif upload.state == "coming" and upload.job_id is not None:
                await self._cancel(upload, JobId(upload.job_id))
        return titles

    async def _gone(self, receipt: Receipt) -> None:
        """Forget what was answered out of documents that are nobody's any more, and say what is left of them."""
        if receipt.deleted:
            await self._store.forget_answers_from(receipt.deleted)
            await self._store.scrub()
        remains = [name for name in receipt.remains if not name.startswith(FILE)]
        if remains:
            log.error("traces of a deleted document are left in: %s", ", ".join(remains))

    async def document(self, upload: Upload, document_id: str) -> list[str]:
        """Delete the document that a forgotten upload brought, unless another brought it there, too."""
        what = upload.what
        if await self._store.uploads_of(what.collection, document_id):
            return []
        collections = {CollectionName(what.collection)}
        if what.server_id is not None and not await self._is_brought_elsewhere(what.server_id, document_id):
            collections.add(shared_by(what.server_id))
        return await self._documents(Scope(frozenset(collections)), [document_id])

    async def message(self, message_id: int) -> None:
        """Forget what a message brought, asked or answered."""
        await self._store.forget_message(message_id)
        await self.uploads(await self._store.uploads_of_message(message_id))

    async def files(self, message_id: int, *, but: Collection[int]) -> None:
        """Forget what a message brought, but for these attachments, which it still has."""
        uploads = await self._store.uploads_of_message(message_id)
        await self.uploads([upload for upload in uploads if upload.what.attachment_id not in but])

    async def channel(self, channel_id: int) -> None:
        """Forget what was brought and asked in a channel or thread."""
        await self._store.forget_questions_in(channel_id)
        await self.uploads(await self._store.uploads_from(channel_id))

    async def collection(self, collection: CollectionName) -> None:
        """Delete all that a collection holds, however it came there, what was asked where, and what was measured."""
        for place_id in {upload.what.place_id for upload in await self._store.uploads_into(collection)}:
            await self.channel(place_id)
        await self._evals.forget(collection)
        scope = Scope.of(collection)
        await self._documents(scope, [document.id for document in await self._library.documents(scope)])

    async def server(self, server_id: int) -> None:
        """Forget all of a server."""
        uploads = await self._store.uploads_of_server(server_id)
        await self.uploads(uploads)
        for collection in {upload.what.collection for upload in uploads}:
            await self.collection(CollectionName(collection))
        await self.collection(shared_by(server_id))
        for owner in await self._evals.owners():
            if is_of(owner, server_id):
                await self._evals.forget(owner)
        await self._store.forget_server(server_id)
        await self._store.scrub()

    async def person(self, person_id: int) -> list[str]:
        """Forget what somebody brought, asked and thought, anywhere; the titles of the documents that are gone."""
        uploads = await self._store.uploads_by(person_id)
        await self._store.forget_questions_by(person_id)
        titles = await self.uploads(uploads)
        await self._gone(await self._library.remove_uploads(principal_of(person_id)))
        await self._evals.forget_questions_by(principal_of(person_id))
        await self._store.scrub()
        return titles

    async def _is_brought_elsewhere(self, server_id: int, document_id: str) -> bool:
        return any(u.document_id == document_id for u in await self._store.uploads_of_server(server_id))

    async def _cancel(self, upload: Upload, job_id: JobId) -> None:
        try:
            await self._library.cancel(job_id, scope=Scope.of(upload.what.collection))
        except JobNotFound:
            # It ended long ago, or its document went another way.
            return

    async def _documents(self, scope: Scope, ids: Iterable[str]) -> list[str]:
        titles = []
        for document_id in ids:
            try:
                receipt = await self._library.remove(DocumentId(document_id), scope=scope)
                titles += [document.title for document in receipt.documents]
                await self._gone(receipt)
            except DocumentNotFound:
                # Somebody was faster, or it was removed on the command line.
                continue
        return titles
