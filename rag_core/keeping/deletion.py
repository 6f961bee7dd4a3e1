"""Documents out of every store, for good: what never became ready, and what no collection holds any more.

Every method is called with the right to write. The catalog forgets a document last, so that whoever is killed on the
way leaves it to the next.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from rag_core.finding.comparison import searched_title
from rag_core.keeping.indexing import words_of
from rag_core.protocols import AnswerCache, Blobs, Catalog, IndexStore
from rag_core.types import Document, DocumentId, Entry


class Deletion:
    """Deletes documents from catalog, files, indexes and kept answers."""

    def __init__(self, *, catalog: Catalog, blobs: Blobs, store: IndexStore, cache: AnswerCache | None = None) -> None:
        self._catalog = catalog
        self._blobs = blobs
        self._store = store
        self._cache = cache

    async def finish(self, *, indexed: bool = True) -> None:
        """Delete what was coming or going when its process ended, and what a rebuild that died left.

        What only those called a document who have it no more goes, too.
        Without `indexed`, what the indexes in use hold of it stays: they are about to be replaced.
        """
        state = await self._catalog.index_state()
        await self._store.drop_all_but(state.generation if state else 0)
        if unfinished := await self._catalog.unfinished():
            await self.delete(unfinished, indexed=indexed)
        for document in await self._catalog.misnamed():
            await self._rename(document, indexed=indexed)
        await asyncio.to_thread(self._blobs.sweep, await self._catalog.all_documents())

    async def delete(self, documents: Sequence[DocumentId], *, indexed: bool = True) -> None:
        """Delete these."""
        indexes = await self._store.current() if indexed else None
        if indexes is not None:
            await indexes.purge(documents, self.kept)
        for document_id in documents:
            await asyncio.to_thread(self._blobs.remove, document_id)
            if self._cache is not None:
                await self._cache.forget(document_id)
            await self._catalog.forget(document_id)

    async def _rename(self, document: Document, *, indexed: bool) -> None:
        """In the index first: until it has a name that is used in the catalog, it is seen to have none."""

        async def kept(document_id: DocumentId) -> list[Entry]:
            return await (self._words(document) if document_id == document.id else self.kept(document_id))

        indexes = await self._store.current() if indexed else None
        if indexes is not None:
            await indexes.sparse.purge([document.id], kept)
        await self._catalog.rename(document)

    async def kept(self, document_id: DocumentId) -> list[Entry]:
        """What the keyword index should hold of a document: nothing, unless it is ready."""
        document = await self._catalog.find(document_id)
        return [] if document is None else await self._words(document)

    async def _words(self, document: Document) -> list[Entry]:
        title = searched_title(document)
        return [words_of(chunk, title) for chunk in await self._catalog.chunks_of(document.id)]
