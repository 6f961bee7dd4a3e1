"""Chunks by their words: a Tantivy index, scored by BM25.

A query is analysed by the very analyzer that the text went through, and becomes a plain disjunction of terms. It never
meets a query parser, so nothing that a person can type is an error or an operator.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from rag_core.errors import StoreBusy, StoreUnavailable
from rag_core.types import ChunkId, DocumentId, Entry, Hit

if TYPE_CHECKING:
    import tantivy

T = TypeVar("T")

ANALYZER = "english"
BOOSTS = {"body": 1.0, "context": 0.5, "title": 0.25}
"""Headings and titles help to find a chunk, but a word in the text itself says more."""
MAX_TERMS = 200
"""A query's distinct terms past this many are dropped; a pasted page finds its source with far fewer."""
WRITER_HEAP = 64 * 2**20
"""Bytes; enough for thousands of chunks between commits."""


class SparseIndex:
    """Implements `Index` on Tantivy. One thread owns the index; the event loop only waits for it."""

    def __init__(self, index: tantivy.Index, analyzer: tantivy.TextAnalyzer) -> None:
        self._index = index
        self._analyzer = analyzer
        self._writer: Any = None
        self._closed = False
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sparse-index")

    @classmethod
    async def open(cls, folder: Path) -> Self:
        """The index in `folder`, made empty where there is none.

        Raises:
            StoreUnavailable: The folder cannot be used.
        """
        return await asyncio.to_thread(cls._open, folder)

    @classmethod
    def _open(cls, folder: Path) -> Self:
        import tantivy

        with _translated():
            folder.mkdir(parents=True, exist_ok=True)
            index = tantivy.Index(_schema(), path=str(folder))
            analyzer = _analyzer()
            index.register_tokenizer(ANALYZER, analyzer)
        return cls(index, analyzer)

    async def retrieve(self, query: str, *, within: Collection[DocumentId], k: int) -> list[Hit]:
        """The chunks that share most with the query, by BM25."""
        if not within:
            return []
        return await self._in_thread(lambda: self._retrieve(query, within, k))

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
        """Finish merging, and let go of the lock."""
        if not self._closed:
            self._closed = True
            await self._in_thread(self._release)
            self._thread.shutdown()

    def _retrieve(self, query: str, within: Collection[DocumentId], k: int) -> list[Hit]:
        import tantivy

        terms = list(dict.fromkeys(self._analyzer.analyze(query)))[:MAX_TERMS]
        if not terms:
            return []
        schema = self._index.schema
        any_term = tantivy.Query.boolean_query(
            [
                (
                    tantivy.Occur.Should,
                    tantivy.Query.boost_query(tantivy.Query.term_query(schema, field, term), boost),
                )
                for term in terms
                for field, boost in BOOSTS.items()
            ]
        )
        visible = tantivy.Query.term_set_query(schema, "document_id", sorted(within))
        bounded = tantivy.Query.boolean_query(
            [(tantivy.Occur.Must, any_term), (tantivy.Occur.Must, tantivy.Query.const_score_query(visible, 0.0))]
        )
        with _translated():
            self._index.reload()
            searcher = self._index.searcher()
            found = searcher.search(bounded, k, count=False).hits
            documents = [(score, searcher.doc(address)) for score, address in found]
        return [
            Hit(
                ChunkId(document.get_first("chunk_id")),
                DocumentId(document.get_first("document_id")),
                document.get_first("page"),
                score,
            )
            for score, document in documents
        ]

    def _add(self, entries: Sequence[Entry]) -> None:
        import tantivy

        with _translated():
            writer = self._opened_writer()
            for entry in entries:
                chunk = entry.chunk
                writer.add_document(
                    tantivy.Document(
                        chunk_id=chunk.id,
                        document_id=chunk.document_id,
                        page=chunk.page,
                        body=chunk.text,
                        context=chunk.context,
                        title=entry.title,
                    )
                )
            writer.commit()

    def _remove(self, document_id: DocumentId) -> None:
        with _translated():
            writer = self._opened_writer()
            writer.delete_documents_by_term("document_id", document_id)
            writer.commit()
            writer.garbage_collect_files()

    def _count(self) -> int:
        with _translated():
            self._index.reload()
            return int(self._index.searcher().num_docs)

    def _opened_writer(self) -> tantivy.IndexWriter:
        # Opened by the first write and kept: opening takes a lock on the folder that only writers need.
        if self._writer is None:
            self._writer = self._index.writer(heap_size=WRITER_HEAP, num_threads=1)
        return self._writer

    def _release(self) -> None:
        if self._writer is not None:
            with _translated():
                self._writer.wait_merging_threads()
            self._writer = None

    async def _in_thread(self, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, call)


def _schema() -> tantivy.Schema:
    import tantivy

    builder = tantivy.SchemaBuilder()
    for name in ("chunk_id", "document_id"):
        builder.add_text_field(name, stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("page", stored=True)
    for name in BOOSTS:
        builder.add_text_field(name, stored=False, tokenizer_name=ANALYZER, index_option="position")
    return builder.build()


def _analyzer() -> tantivy.TextAnalyzer:
    import tantivy

    return (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(tantivy.Filter.remove_long(80))
        .filter(tantivy.Filter.lowercase())
        .filter(tantivy.Filter.ascii_fold())
        .filter(tantivy.Filter.stopword("english"))
        .filter(tantivy.Filter.stemmer("english"))
        .build()
    )


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (ValueError, OSError) as exc:  # all that tantivy-py raises
        if "Lock" in str(exc):
            raise StoreBusy("Another process is writing to the keyword index; try again when it is done.") from exc
        raise StoreUnavailable(f"The keyword index cannot be used ({exc}). `pincite rebuild` makes it anew.") from exc
