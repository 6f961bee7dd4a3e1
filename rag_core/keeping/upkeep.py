"""The stores kept in agreement with the catalog: compared, mended, compacted, and made anew.

Whatever a dead process left half done is undone first. Vectors that are missing are made when the queue is drained.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rag_core.finding.comparison import searched_title
from rag_core.keeping.deletion import Deletion
from rag_core.keeping.indexing import Indexing
from rag_core.keeping.ingestion import SILENT, Progress
from rag_core.protocols import Catalog, Indexes, IndexStore
from rag_core.types import Chunk, Counts, Document, DocumentId


@dataclass(frozen=True, slots=True)
class Difference:
    """A document of which an index holds another number of chunks than the catalog says."""

    document_id: DocumentId
    chunks: int
    """By the catalog."""
    words: int
    vectors: int
    closeups: int

    def __str__(self) -> str:
        return (
            f"document {self.document_id[:12]} has {self.chunks} chunks, and the keyword index held {self.words}, the "
            f"vector index {self.vectors}, the vectors for a close look {self.closeups}"
        )


class Upkeep:
    """Looks after the stores of one data folder."""

    def __init__(self, *, catalog: Catalog, store: IndexStore, indexing: Indexing, deletion: Deletion) -> None:
        self._catalog = catalog
        self._store = store
        self._indexing = indexing
        self._deletion = deletion

    # ------------------------------------------------------------------------------ compared

    async def counts(self) -> Counts:
        """How much the catalog and both indexes hold."""
        indexes = await self._store.current()
        return Counts(
            documents=len(await self._catalog.all_documents()),
            chunks=await self._catalog.count_chunks(),
            dense=await indexes.dense.count() if indexes else 0,
            sparse=await indexes.sparse.count() if indexes else 0,
            closeups=await indexes.closeups.count() if indexes else 0,
        )

    async def differences(self) -> list[Difference]:
        """Where an index holds another number of chunks than the catalog says; nothing is changed."""
        indexes = await self._store.current()
        return await self._differences(indexes) if indexes is not None else []

    async def _differences(self, indexes: Indexes) -> list[Difference]:
        expected = await self._catalog.expected()
        words, vectors, near = [await index.tally() for index in (indexes.sparse, indexes.dense, indexes.closeups)]
        found = []
        going = await self._catalog.unfinished()  # somebody may have begun to remove one meanwhile
        for document_id in sorted({*expected, *words, *vectors, *near}.difference(going)):
            chunks, embedded = expected.get(document_id, (0, True))
            held = words.get(document_id, 0), vectors.get(document_id, 0), near.get(document_id, 0)
            if held[0] != chunks or (embedded and set(held[1:]) != {chunks}):
                found.append(Difference(document_id, chunks, *held))
        return found

    # ------------------------------------------------------------------------------ mended

    async def recover(self) -> list[Difference]:
        """Undo what a dead process left half done, and mend what the indexes hold otherwise than the catalog says.

        Vectors that are missing stay to be made; everything else is in order when it returns.
        """
        async with self._store.writing(patiently=True):
            await self._deletion.finish()
            indexes = await self._store.current()
            if indexes is None and await self._catalog.expected():  # an import that was ended before it had indexes
                indexes = await self._indexing.writable()
            found = await self._differences(indexes) if indexes is not None else []
            for difference in found:
                assert indexes is not None
                await self._mend(indexes, difference)
            return found

    async def finish_removals(self) -> None:
        """Delete the documents that no collection holds any more, and the names that nobody uses."""
        async with self._store.writing():
            await self._deletion.finish()

    async def _mend(self, indexes: Indexes, difference: Difference) -> None:
        document_id = difference.document_id
        if difference.words != difference.chunks:
            await indexes.sparse.purge([document_id], self._deletion.kept)
        if {difference.vectors, difference.closeups} != {difference.chunks}:
            await self._catalog.unembed(document_id)
            await indexes.remove_vectors(document_id)

    # ------------------------------------------------------------------------------ compacted, and made anew

    async def tidy(self) -> None:
        """Compact the stores, and rid them of old versions."""
        async with self._store.writing(patiently=True):
            indexes = await self._store.current()
            if indexes is not None:
                await indexes.tidy()
            await self._catalog.tidy()

    async def rewrite(self) -> None:
        """Write the databases anew: what is deleted is overwritten, but copies may stand where it stood before."""
        async with self._store.writing():
            await self._catalog.rewrite()
            if (indexes := await self._store.current()) is not None:
                await indexes.closeups.rewrite()

    async def rebuild(self, *, progress: Progress = SILENT) -> int:
        """Make both indexes anew from the catalog's pages, and return how many chunks they hold.

        Askers go on with the old ones until the new ones are complete.
        """
        async with self._store.writing():
            await self._deletion.finish(indexed=False)
            indexes = await self._indexing.anew()
            cuts: list[tuple[DocumentId, Sequence[Chunk]]] = []
            try:
                for document_id in await self._catalog.all_documents():
                    document = await self._catalog.find(document_id)
                    if document is None:
                        continue
                    chunks = await self._indexing.cut(document_id, await self._catalog.pages(document_id))
                    await self._fill(indexes, document, chunks, progress)
                    cuts.append((document_id, chunks))
            finally:
                await indexes.close()
            await self._catalog.set_index_state(indexes.state, chunks=cuts)
            await self._store.drop_all_but(indexes.state.generation)
            return sum(len(chunks) for _, chunks in cuts)

    async def _fill(self, indexes: Indexes, document: Document, chunks: Sequence[Chunk], progress: Progress) -> None:
        path, told = Path(document.filename), 0

        async def step(done: int, total: int) -> None:
            nonlocal told
            progress.embedding(path, done - told, total)
            told = done

        async for entries in self._indexing.entries(searched_title(document), chunks, step):
            await indexes.add(entries)
