"""Documents out of collections, and out of the world with the last one; a receipt says what became of every trace.

The order is that of a crash at any instant: out of sight first, forgotten by the catalog last. What was to be deleted
and is not yet is deleted by whoever writes next.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from rag_core.errors import DocumentNotFound
from rag_core.keeping.upkeep import Upkeep
from rag_core.protocols import Blobs, Catalog, IndexStore, Rescan
from rag_core.types import CollectionName, Document, DocumentId, Receipt, Scope
from rag_core.types.jobs import Principal

SAMPLED = 5
"""Pages of a document from which a run of text is looked for afterwards."""
SHORTEST = 16
LONGEST = 40
"""Characters of such a run: no other document has it by chance, and a database rarely parts it."""
DATABASE = ".sqlite3"
"""How the names of files end that can be written anew."""
WORDS = 2000
"""Characters of a page whose words are asked of the keyword index."""


@dataclass(frozen=True, slots=True)
class _Trace:
    """By what a document would be known again."""

    document: Document
    bytes: int
    runs: tuple[str, ...]
    words: str


class Removal:
    """Takes documents out, and proves it."""

    def __init__(  # noqa: PLR0913 - it looks everywhere
        self,
        *,
        catalog: Catalog,
        blobs: Blobs,
        store: IndexStore,
        upkeep: Upkeep,
        rescan: Rescan,
        now: Callable[[], datetime],
    ) -> None:
        self._catalog = catalog
        self._blobs = blobs
        self._store = store
        self._upkeep = upkeep
        self._rescan = rescan
        self._now = now

    async def documents(self, scope: Scope) -> Receipt:
        """End what memberships the scope's documents have in its collections.

        Raises:
            DocumentNotFound: The scope holds none.
            StoreBusy: Another process writes. They are out of sight, and it or the next that writes deletes them.
        """
        documents = await self._catalog.documents(scope)
        if not documents:
            raise DocumentNotFound("There is no such document here; name one of those that are listed.")
        return await self._removed(documents, lambda d: self._catalog.leave(d.id, scope.collections))

    async def uploads(self, principal: Principal) -> Receipt:
        """End the memberships that nobody but this principal sent, in whatever collection, and forget its jobs."""
        uploaded = await self._catalog.uploaded_by(principal)
        found = [await self._catalog.find(document_id) for document_id in uploaded]
        documents = [document for document in found if document is not None]
        receipt = await self._removed(documents, lambda d: self._catalog.take_back(d.id, principal))
        await self._catalog.forget_principal(principal)
        return receipt

    async def withdraw(self, document_id: DocumentId, collection: CollectionName, principal: Principal) -> None:
        """Take back what this principal sent and does not want after all; nobody is told, and no proof is made."""
        await self._finished(deleted=await self._catalog.take_back(document_id, principal, collection))

    async def outdated(self) -> Receipt:
        """End the memberships that are older than their collections keep them."""
        ends = await self._catalog.outdated(self._now())
        left: dict[DocumentId, list[CollectionName]] = {}
        for document_id, collection in ends:
            left.setdefault(document_id, []).append(collection)
        found = [await self._catalog.find(document_id) for document_id in left]
        documents = [document for document in found if document is not None]
        return await self._removed(documents, lambda d: self._catalog.leave(d.id, left[d.id]))

    async def _removed(self, documents: Sequence[Document], leave: Callable[[Document], Awaitable[bool]]) -> Receipt:
        traces = [await self._trace(document) for document in documents]
        deleted = [trace for trace in traces if await leave(trace.document)]
        await self._finished(deleted=bool(deleted))
        remains = await self._remains(deleted) if deleted else []
        return Receipt(
            documents=tuple(documents),
            deleted=tuple(trace.document.id for trace in deleted),
            bytes=sum(trace.bytes for trace in deleted),
            at=self._now(),
            remains=tuple(remains),
        )

    async def _finished(self, *, deleted: bool) -> None:
        """Nothing is waited for where nothing is to be deleted, not so much as a name."""
        if deleted or await self._catalog.misnamed():
            await self._upkeep.finish_removals()

    # ------------------------------------------------------------------------------ proof

    async def _trace(self, document: Document) -> _Trace:
        step = max(1, document.pages // SAMPLED)
        runs: list[str] = []
        words = ""
        for number in range(1, document.pages + 1, step):
            page = await self._catalog.page(document.id, number)
            if page is not None:
                runs += _runs(page.text)
                words += page.text[:WORDS] + " "
        return _Trace(document, _size(self._blobs.path(document.id)), tuple(runs), words)

    async def _remains(self, deleted: Iterable[_Trace]) -> list[str]:
        """What is still found of the documents: the names of files, and a sentence for what only looks like bytes."""
        traces: list[bytes] = []
        words = ""
        found: list[str] = []
        for trace in deleted:
            traces.append(trace.document.id.encode())
            traces += [run.encode() for run in trace.runs if not await self._catalog.says(run)]
            words += trace.words
            if self._blobs.path(trace.document.id).exists():
                found.append(f"blobs/{trace.document.id}.pdf")
        copies = await self._rescan.find(traces)
        if any(name.endswith(DATABASE) for name in copies):
            await self._upkeep.rewrite()
            copies = await self._rescan.find(traces)
        found += copies
        indexes = await self._store.current()
        if indexes is not None and await indexes.sparse.remembers(words):
            found.append("words in the keyword index, until `pincite rebuild`")
        return found


def _runs(text: str) -> list[str]:
    """A run of characters from the middle of the longest line, if it is long enough to tell documents apart."""
    line = max(text.split("\n"), key=len, default="").strip()
    if len(line) < SHORTEST:
        return []
    start = max(0, (len(line) - LONGEST) // 2)
    return [line[start : start + LONGEST]]


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:  # another process has deleted it already
        return 0
