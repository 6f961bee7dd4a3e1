"""Chunks by their words: a Tantivy index, scored by BM25.

Texts and questions are read by `rag_core.queries`, and a question becomes terms and phrases of the index. It never
meets a query parser, so nothing that a person can type is an error or an operator.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

from rag_core import queries
from rag_core.adapters.sparse_query import ABOVE, EXACT, FEW, INDEXED, LITERAL, TITLE, Analyzers, Question
from rag_core.errors import IndexOutOfDate, StoreBusy, StoreUnavailable
from rag_core.types import ChunkId, DocumentId, Entry, Hit

if TYPE_CHECKING:
    import tantivy

T = TypeVar("T")

SPARSE_VERSION = f"keywords/1 words={queries.VERSION}"
"""What an index depends on besides its chunks. It names the analyzers, so that an older index is told by its schema."""
STEMS = f"stems {SPARSE_VERSION}"
PLAIN = f"plain {SPARSE_VERSION}"
WRITER_HEAP = 64 * 2**20
"""Bytes; enough for thousands of chunks between commits."""
WIDER = 2
"""Times the hits that are asked for, fetched of all documents: enough where half of them is in the scope."""
SPARE = 16
"""Hits fetched beyond those asked for, to see where a tie ends."""


class SparseIndex:
    """Implements `Index` on Tantivy. One thread owns the index; the event loop only waits for it."""

    def __init__(self, index: tantivy.Index, analyzers: Analyzers) -> None:
        self._index = index
        self._analyzers = analyzers
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sparse-index")

    @classmethod
    async def open(cls, folder: Path) -> Self:
        """The index in `folder`, made empty where there is none.

        Raises:
            IndexOutOfDate: It was made by a Pincite that reads words otherwise.
            StoreUnavailable: The folder cannot be used.
        """
        return await asyncio.to_thread(cls._open, folder)

    @classmethod
    def _open(cls, folder: Path) -> Self:
        import tantivy

        with _translated():
            folder.mkdir(parents=True, exist_ok=True)
            index = tantivy.Index(_schema(), path=str(folder))
            analyzers = Analyzers(plain=_analyzer(), stems=_analyzer(tantivy.Filter.stemmer("english")))
            index.register_tokenizer(PLAIN, analyzers.plain)
            index.register_tokenizer(STEMS, analyzers.stems)
        return cls(index, analyzers)

    async def retrieve(self, query: str, *, within: Collection[DocumentId], k: int) -> list[Hit]:
        """The chunks that share most with the query, by BM25; with a quotation, those that hold it.

        Chunks that tie stand in the order of their documents' ids and pages.
        """
        if not within or k < 1:
            return []
        return await self._in_thread(lambda: self._retrieve(query, frozenset(within), k))

    async def add(self, entries: Sequence[Entry]) -> None:
        """Index the entries' text, context and title."""
        if entries:
            await self._in_thread(lambda: self._add(entries))

    async def remove(self, document_id: DocumentId) -> None:
        """Delete the document's chunks."""
        await self._in_thread(lambda: self._remove(document_id))

    async def count(self) -> int:
        """How many chunks it holds."""
        return await self._in_thread(self._count)

    async def close(self) -> None:
        """Let go of the thread."""
        self._thread.shutdown()

    def _retrieve(self, query: str, within: frozenset[DocumentId], k: int) -> list[Hit]:
        asked = queries.asked(query)
        with _translated():
            self._index.reload()
            searcher = self._index.searcher()
            question = Question(self._index.schema, searcher, self._analyzers, within)
            wanted = question.query(asked)
            if wanted is None:
                return []
            if len(within) > FEW:
                # Without the scope Tantivy passes over whole blocks of chunks that cannot be among the best.
                found = _best(searcher, wanted, WIDER * k)
                inside = [hit for hit in found if hit.document_id in within]
                if len(inside) >= k or len(found) < WIDER * k:
                    return inside[:k]
            return _best(searcher, question.scoped(wanted), k)

    def _add(self, entries: Sequence[Entry]) -> None:
        import tantivy

        with self._writer() as writer:
            for entry in entries:
                writer.add_document(tantivy.Document(**_fields(entry)))
            writer.commit()

    def _remove(self, document_id: DocumentId) -> None:
        with self._writer() as writer:
            writer.delete_documents_by_term("document_id", document_id)
            writer.commit()
            writer.garbage_collect_files()

    def _count(self) -> int:
        with _translated():
            self._index.reload()
            return int(self._index.searcher().num_docs)

    @contextmanager
    def _writer(self) -> Iterator[tantivy.IndexWriter]:
        """Open for one write: it takes a lock on the folder, which the next process to write wants, too."""
        with _translated():
            writer = self._index.writer(heap_size=WRITER_HEAP, num_threads=1)
            try:
                yield writer
            finally:
                writer.wait_merging_threads()

    async def _in_thread(self, call: Callable[[], T]) -> T:
        """Done even when the caller is called off: the right to write must not end before the writing."""
        done = asyncio.get_running_loop().run_in_executor(self._thread, call)
        try:
            return await asyncio.shield(done)
        except asyncio.CancelledError:
            await asyncio.wait([done])
            raise


def _best(searcher: tantivy.Searcher, wanted: tantivy.Query, k: int) -> list[Hit]:
    """The `k` best hits. Where the last of them ties with others, all of those are seen before it is chosen."""
    limit = k + SPARE
    found = searcher.search(wanted, limit, count=False).hits
    while len(found) == limit and found[-1][0] == found[k - 1][0]:
        limit *= 4
        found = searcher.search(wanted, limit, count=False).hits
    hits: list[Hit] = []
    for score, address in found:
        if len(hits) >= k and score < hits[k - 1].score:
            break
        stored = searcher.doc(address)
        hits.append(
            Hit(
                ChunkId(stored.get_first("chunk_id")),
                DocumentId(stored.get_first("document_id")),
                stored.get_first("page"),
                score,
            )
        )
    # Within a page, the shorter id is that of the earlier place: its last part is a number.
    hits.sort(key=lambda hit: (-hit.score, hit.document_id, hit.page, len(hit.chunk_id), hit.chunk_id))
    return hits[:k]


def _fields(entry: Entry) -> dict[str, str | int | list[str]]:
    """What is indexed of an entry: words between blanks, for analyzers that only stem and fold them."""
    chunk = entry.chunk
    text, context, title = queries.read(chunk.text), _read_again(chunk.context), _read_again(entry.title)
    return {
        "chunk_id": chunk.id,
        "document_id": chunk.document_id,
        "page": chunk.page,
        INDEXED: " ".join((*context.words, *text.words)),
        TITLE: " ".join(title.words),
        LITERAL: " ".join(text.words),
        ABOVE: [" ".join(part.words) for part in (context, title) if part.words],  # no phrase spans both
        EXACT: " ".join((*context.exact, *text.exact)),
    }


@lru_cache(maxsize=64)
def _read_again(text: str) -> queries.Read:
    """As `queries.read`, for what neighbouring chunks share."""
    return queries.read(text)


def _schema() -> tantivy.Schema:
    import tantivy

    builder = tantivy.SchemaBuilder()
    for name in ("chunk_id", "document_id"):
        builder.add_text_field(name, stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("page", stored=True)
    builder.add_text_field(INDEXED, tokenizer_name=STEMS, index_option="position")
    builder.add_text_field(TITLE, tokenizer_name=STEMS, index_option="freq")
    for name in (LITERAL, ABOVE):
        builder.add_text_field(name, tokenizer_name=PLAIN, index_option="position")
    builder.add_text_field(EXACT, tokenizer_name=PLAIN, index_option="freq")
    return builder.build()


def _analyzer(*filters: tantivy.Filter) -> tantivy.TextAnalyzer:
    import tantivy

    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).filter(tantivy.Filter.ascii_fold())
    for each in filters:
        builder = builder.filter(each)
    return builder.build()


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (ValueError, OSError) as exc:  # all that tantivy-py raises
        if "Lock" in str(exc) and "NotFound" not in str(exc):  # which is a folder that a rebuild took away
            raise StoreBusy("Another process is writing to the keyword index; try again when it is done.") from exc
        if "schema does not match" in str(exc):
            raise IndexOutOfDate(
                "The keyword index was made by another version of Pincite: run `pincite rebuild`."
            ) from exc
        raise StoreUnavailable(f"The keyword index cannot be used ({exc}). `pincite rebuild` makes it anew.") from exc
