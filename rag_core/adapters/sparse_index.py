"""Chunks by their words: a Tantivy index, scored by BM25.

Texts and questions are read by `rag_core.finding.queries`, and a question becomes terms and phrases of the index. It
never meets a query parser, so nothing that a person can type is an error or an operator.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

from rag_core.adapters.sparse_query import ABOVE, EXACT, FEW, INDEXED, LITERAL, TITLE, Analyzers, Question
from rag_core.adapters.unusable import unusable
from rag_core.errors import IndexOutOfDate, StoreBusy
from rag_core.finding import queries
from rag_core.types import ChunkId, DocumentId, Entry, Hit

if TYPE_CHECKING:
    import tantivy

T = TypeVar("T")
Kept = Callable[[DocumentId], Awaitable[Sequence[Entry]]]
"""What the index should hold of a document."""

SPARSE_VERSION = f"keywords/1 words={queries.VERSION}"
"""What an index depends on besides its chunks. It names the analyzers, so that an older index is told by its schema."""
STEMS = f"stems {SPARSE_VERSION}"
PLAIN = f"plain {SPARSE_VERSION}"
WRITER_HEAP = 64 * 2**20
"""Bytes; enough for thousands of chunks between commits."""
MOST_AGAIN = 50_000
"""Chunks that are written anew to be rid of others."""
WIDER = 2
"""Times the hits that are asked for, fetched of all documents: enough where half of them is in the scope."""
SPARE = 16
"""Hits fetched beyond those asked for, to see where a tie ends."""


class SparseIndex:
    """Implements `Index` on Tantivy. One thread owns the index; the event loop only waits for it."""

    def __init__(self, index: tantivy.Index, folder: Path, analyzers: Analyzers, most_again: int) -> None:
        self._index = index
        self._folder = folder
        self._analyzers = analyzers
        self._most_again = most_again
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sparse-index")
        self._writing_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sparse-writer")
        """Its own, so that no question waits for a long document."""

    @classmethod
    async def open(cls, folder: Path, *, most_again: int = MOST_AGAIN) -> Self:
        """The index in `folder`, made empty where there is none.

        Raises:
            IndexOutOfDate: It was made by a Pincite that reads words otherwise.
            StoreUnavailable: The folder cannot be used.
        """
        return await asyncio.to_thread(cls._open, folder, most_again)

    @classmethod
    def _open(cls, folder: Path, most_again: int) -> Self:
        import tantivy

        with _translated():
            folder.mkdir(parents=True, exist_ok=True)
            index = tantivy.Index(_schema(), path=str(folder))
            analyzers = Analyzers(plain=_analyzer(), stems=_analyzer(tantivy.Filter.stemmer("english")))
            index.register_tokenizer(PLAIN, analyzers.plain)
            index.register_tokenizer(STEMS, analyzers.stems)
        return cls(index, folder, analyzers, most_again)

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
            await self._in_writing_thread(lambda: self._add(entries))

    async def remove(self, document_id: DocumentId) -> None:
        """Delete the document's chunks. Files that hold others, too, still hold its words: see `purge`."""
        await self._in_writing_thread(lambda: self._remove(document_id))

    async def purge(self, documents: Collection[DocumentId], kept: Kept) -> bool:
        """Write anew what is kept of the documents, and whatever shares a file with them, so that no other word stays.

        Tantivy marks what is deleted, and leaves it in its file until that is merged, which may be never. What is
        written anew leaves marks, too, so all files that hold any of it go. It is one commit, so nobody who searches
        misses a chunk. Where more would have to be written than is done in a minute, the chunks are only marked, and it
        is False.
        """
        beside, chunks = await self._in_writing_thread(lambda: self._beside(frozenset(documents)))
        bearable = chunks <= self._most_again
        anew = sorted({*documents, *beside} if bearable else {*documents})
        again = [entry for document_id in anew for entry in await kept(document_id)]
        await self._in_writing_thread(lambda: self._replace(anew, again))
        return bearable

    async def remembers(self, text: str) -> bool:
        """Whether any file holds a word of the text for the sake of a chunk that was deleted."""
        return await self._in_thread(lambda: self._remembers(text))

    async def tally(self) -> dict[DocumentId, int]:
        """Chunks by document."""
        return await self._in_thread(self._tally)

    async def tidy(self) -> None:
        """Delete files that nothing refers to, as a process that died may leave."""
        await self._in_writing_thread(self._tidy)

    async def count(self) -> int:
        """How many chunks it holds."""
        return await self._in_thread(self._count)

    async def close(self) -> None:
        """Let go of the threads."""
        self._thread.shutdown()
        self._writing_thread.shutdown()

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
        self._tidy()

    def _beside(self, documents: frozenset[DocumentId]) -> tuple[frozenset[DocumentId], int]:
        """The other documents that share files with these, with those, or with marks; and how many chunks they have."""
        with _translated():
            addresses = self._addresses()
        files: dict[int, list[DocumentId]] = {}
        for file, document_id in addresses:
            files.setdefault(file, []).append(document_id)
        worn = self._worn()
        gone, growing = set(documents), True
        while growing:
            growing = False
            for file, held in list(files.items()):
                if len(held) in worn or not gone.isdisjoint(held):
                    gone.update(held)
                    del files[file]
                    growing = True
        beside = frozenset(gone - documents)
        return beside, sum(document_id in beside for _, document_id in addresses)

    def _worn(self) -> set[int]:
        """How many chunks the files with marks hold. Tantivy does not tell which is which; one more does no harm."""
        with _translated():
            segments = json.loads((self._folder / "meta.json").read_bytes())["segments"]
        return {each["max_doc"] - each["deletes"]["num_deleted_docs"] for each in segments if each["deletes"]}

    def _remembers(self, text: str) -> bool:
        import tantivy

        with _translated():
            self._index.reload()
            searcher = self._index.searcher()
            for word in set(queries.read(text).words):
                wanted = tantivy.Query.term_query(self._index.schema, LITERAL, word, "freq")
                # A term's count is of all that was ever written to its file; a search counts what is still found.
                if searcher.doc_freq(LITERAL, word) > searcher.search(wanted, 1).count:
                    return True
            return False

    def _replace(self, deleted: Sequence[DocumentId], added: Sequence[Entry]) -> None:
        import tantivy

        with self._writer() as writer:
            for document_id in deleted:
                writer.delete_documents_by_term("document_id", document_id)
            for entry in added:
                writer.add_document(tantivy.Document(**_fields(entry)))
            writer.commit()
        self._tidy()

    def _tally(self) -> dict[DocumentId, int]:
        with _translated():
            return Counter(document_id for _, document_id in self._addresses())

    def _addresses(self) -> list[tuple[int, DocumentId]]:
        """Of every chunk the file that it is in, by number, and its document."""
        import tantivy

        self._index.reload()
        searcher = self._index.searcher()
        if not searcher.num_docs:
            return []
        hits = searcher.search(tantivy.Query.all_query(), searcher.num_docs, count=False).hits
        return [
            (address.segment_ord, DocumentId(searcher.doc(address).get_first("document_id"))) for _, address in hits
        ]

    def _tidy(self) -> None:
        with self._writer() as writer:
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
                # A process that died before its commit left files under names that ours will want.
                writer.garbage_collect_files()
                yield writer
            finally:
                writer.wait_merging_threads()

    async def _in_thread(self, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, call)

    async def _in_writing_thread(self, call: Callable[[], T]) -> T:
        """Done even when the caller is called off: the right to write must not end before the writing."""
        done = asyncio.get_running_loop().run_in_executor(self._writing_thread, call)
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
        if "LockBusy" in str(exc):
            raise StoreBusy("Another process is writing to the keyword index; try again when it is done.") from exc
        if "schema does not match" in str(exc):
            raise IndexOutOfDate(
                "The keyword index was made by another version of Pincite: run `pincite rebuild`."
            ) from exc
        raise unusable("The keyword index", exc) from exc
