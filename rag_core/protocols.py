"""The seams: what the core asks of the outside world, each one small enough to fake honestly."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from rag_core.admission import Wait
from rag_core.allowances import Allowance
from rag_core.credentials import Token
from rag_core.jobs import LOCAL, Claimed, Job, JobId, Outcome, Principal, Stage, Turn, Upload
from rag_core.meters import Meter, Reading
from rag_core.quotas import Act, Held, Quota
from rag_core.types import (
    Answer,
    Chunk,
    ChunkId,
    CollectionName,
    Document,
    DocumentId,
    Draft,
    Entry,
    Exchange,
    Extraction,
    Hit,
    IndexState,
    Message,
    ModelCard,
    Nearness,
    OcrMode,
    Page,
    Passage,
    Rect,
    Rephrased,
    Scope,
    Span,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Extractor(Protocol):
    """Reads PDFs from strangers, in a process of its own that may die without harm.

    Raises:
        DocumentError: The file is not a PDF, is damaged, encrypted, too large, or needed too much time or memory.
    """

    async def extract(
        self,
        path: Path,
        *,
        ocr: OcrMode = "auto",
        password: str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Extraction:
        """All pages of the file, in order. `progress` is told which page is being read, and how many there are."""
        ...

    async def render(  # noqa: PLR0913 - each is one thing a caller may want
        self,
        path: Path,
        page: int,
        *,
        highlights: Sequence[Rect] = (),
        crop: bool = False,
        password: str | None = None,
        dpi: int = 144,
    ) -> bytes:
        """The page as PNG, the highlights marked as with a pen; `crop` leaves only the lines around them."""
        ...

    async def decrypt(self, path: Path, password: str) -> bytes:
        """The same PDF without its encryption."""
        ...


class Chunker(Protocol):
    """Cuts pages into chunks. The same pages give the same chunks, with the same ids."""

    @property
    def version(self) -> str:
        """Changes whenever the cuts may: an index is bound to it."""
        ...

    def chunk(self, document_id: DocumentId, pages: Sequence[Page]) -> list[Chunk]:
        """The chunks of all pages, in reading order."""
        ...


class Embedder(Protocol):
    """Turns texts into unit vectors whose dot product is their likeness. The model is loaded by the first call.

    Raises:
        ModelUnavailable: The model cannot be loaded.
    """

    async def card(self) -> ModelCard:
        """Which model it is; an index is bound to it."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, special ones included. Blocks while the model loads: call it from a thread."""
        ...

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimension): one vector a text, in order. Text past the model's window is not seen."""
        ...

    async def embed_parts(self, texts: Sequence[str], parts: Sequence[Sequence[Span]]) -> list[NDArray[np.float32]]:
        """For each text shape (1 + parts, dimension): the vector of all of it, then one of each of its parts.

        A part is read within its text, not by itself. One that the model cannot see has the vector of the whole.
        """
        ...


class Retriever(Protocol):
    """Anything that ranks chunks against a query.

    The dense index, the sparse index and their fusion are all retrievers, so a caller never learns which it holds.
    Hits come best first, each chunk at most once, and there may be fewer than `k`; a query that matches nothing
    returns an empty list. `within` bounds the search itself: what is outside it costs no place among the `k`.
    Scores order the hits of one call and mean nothing across calls.

    Raises:
        StoreUnavailable: The index cannot be opened.
    """

    async def retrieve(self, query: str, *, within: Collection[DocumentId], k: int) -> list[Hit]:
        """The `k` best of the chunks of `within`, best first."""
        ...


class Stored(Protocol):
    """What is kept of chunks, written by one process at a time. What `add` returned from is on disk."""

    async def add(self, entries: Sequence[Entry]) -> None:
        """Index the entries; their chunks were not there before."""
        ...

    async def remove(self, document_id: DocumentId) -> None:
        """Drop every chunk of the document; it need not be there."""
        ...

    async def count(self) -> int:
        """How many chunks it holds, to compare with the catalog."""
        ...

    async def tally(self) -> dict[DocumentId, int]:
        """How many it holds of each document. Reads all of it."""
        ...

    async def tidy(self) -> None:
        """Delete what is of no use any more: old versions, files of a process that died, free room."""
        ...

    async def close(self) -> None:
        """Let go of files and threads."""
        ...


class Index(Retriever, Stored, Protocol):
    """A retriever that can be written to."""


Kept = Callable[[DocumentId], Awaitable[Sequence[Entry]]]
"""What an index should hold of a document."""


class WordIndex(Index, Protocol):
    """An index of words, whose files hold those of several documents."""

    async def purge(self, documents: Collection[DocumentId], kept: Kept) -> bool:
        """Drop every chunk of the documents, and every word; what shares files with them is written anew from `kept`.

        False when that would be too much: then the chunks are dropped, and words stay until the next rebuild.
        """
        ...

    async def remembers(self, text: str) -> bool:
        """Whether it still holds a word of the text for the sake of a chunk that was dropped."""
        ...


class Closeups(Stored, Protocol):
    """The vectors of chunks and of their parts, looked up by chunk: for a close look at what an index found.

    Raises:
        StoreUnavailable: They cannot be read.
    """

    async def rewrite(self) -> None:
        """Write all of it anew, so that no copy of what was removed remains."""
        ...

    async def nearness(self, query: str, ids: Sequence[ChunkId]) -> dict[ChunkId, Nearness]:
        """How near the query is to each of the chunks that there are."""
        ...


class Catalog(Protocol):
    """The truth about documents: which there are, who sees them, what their pages say.

    A document counts only while it is ready; nothing else of it is ever returned. Each call is one transaction.

    Raises:
        StoreBusy: Another process did not finish writing in time.
        StoreUnavailable: The catalog cannot be read or written.
    """

    async def visible(self, scope: Scope) -> frozenset[DocumentId]:
        """The documents of the scope."""
        ...

    async def documents(self, scope: Scope) -> list[Document]:
        """The documents of the scope, oldest first, each with those of its collections that the scope holds."""
        ...

    async def find(self, document_id: DocumentId) -> Document | None:
        """A document in whatever collections it is: for those who bring its bytes, not for askers."""
        ...

    async def page(self, document_id: DocumentId, number: int) -> Page | None:
        """One page as it was read."""
        ...

    async def pages(self, document_id: DocumentId) -> list[Page]:
        """All pages of a document, in order."""
        ...

    async def chunks(self, ids: Sequence[ChunkId]) -> dict[ChunkId, Chunk]:
        """Those of the chunks that there are."""
        ...

    async def chunks_of(self, document_id: DocumentId) -> list[Chunk]:
        """A document's chunks, in reading order."""
        ...

    async def sections(self, ids: Sequence[ChunkId]) -> dict[ChunkId, str]:
        """The text of the section that each of the chunks is part of."""
        ...

    async def begin(
        self,
        document: Document,
        pages: Iterable[Page],
        chunks: Iterable[Chunk],
        *,
        principal: Principal = LOCAL,
        size: int = 0,
    ) -> None:
        """Note a document that is being indexed; it counts from `ready` on."""
        ...

    async def ready(self, document_id: DocumentId, *, embedded: bool = True) -> None:
        """Make a document count; without `embedded`, while its vectors are still to come."""
        ...

    async def embedded(self, document_id: DocumentId) -> None:
        """Note that all of a document's vectors are there."""
        ...

    async def unembed(self, document_id: DocumentId) -> None:
        """Note that they are no longer all there."""
        ...

    async def pending(self) -> list[DocumentId]:
        """Documents that count, and whose vectors are not all there: for upkeep, not for askers."""
        ...

    async def join(
        self, document_id: DocumentId, collection: CollectionName, *, since: datetime, principal: Principal = LOCAL
    ) -> bool:
        """Let a collection see the document, too. False when it no longer counts."""
        ...

    async def leave(self, document_id: DocumentId, collections: Iterable[CollectionName]) -> bool:
        """End memberships. True when none is left: the document no longer counts, and waits to be forgotten."""
        ...

    async def forget(self, document_id: DocumentId) -> None:
        """Delete all that is known of a document."""
        ...

    async def says(self, text: str) -> bool:
        """Whether a page of any document has this run of characters. Reads all of them."""
        ...

    async def uploaded_by(self, principal: Principal) -> list[DocumentId]:
        """The documents that this principal brought into any collection."""
        ...

    async def leave_uploads(self, document_id: DocumentId, principal: Principal) -> bool:
        """End the memberships that this principal made. True when none is left, as `leave`."""
        ...

    async def forget_principal(self, principal: Principal) -> None:
        """Delete what else is known of a principal."""
        ...

    async def outdated(self, now: datetime) -> list[tuple[DocumentId, CollectionName]]:
        """The memberships that are older than their collections keep them."""
        ...

    async def retention(self, collection: CollectionName) -> float | None:
        """For how many days a collection keeps its documents; None is for ever."""
        ...

    async def set_retention(self, collection: CollectionName, days: float | None) -> None:
        """Keep a collection's documents for so long."""
        ...

    async def unfinished(self) -> list[DocumentId]:
        """Documents that were coming or going when their process ended."""
        ...

    async def expected(self) -> dict[DocumentId, tuple[int, bool]]:
        """How many chunks each document has that counts, and whether all of their vectors are there."""
        ...

    async def tidy(self) -> None:
        """Give freed room back to the system."""
        ...

    async def rewrite(self) -> None:
        """Write all of it anew, so that no copy of what was deleted remains."""
        ...

    async def swept(self) -> datetime | None:
        """When the library was last put in order."""
        ...

    async def set_swept(self, at: datetime) -> None:
        """Note that the library is put in order now."""
        ...

    async def all_documents(self) -> list[DocumentId]:
        """Every document, of all collections: for upkeep, not for askers."""
        ...

    async def count_chunks(self) -> int:
        """The chunks of all documents."""
        ...

    async def index_state(self) -> IndexState | None:
        """What the indexes were built with; None while nothing was ever indexed."""
        ...

    async def set_index_state(
        self, state: IndexState, *, chunks: Sequence[tuple[DocumentId, Sequence[Chunk]]] = ()
    ) -> None:
        """Switch to another generation of the indexes, and documents to other chunks, at one instant."""
        ...


class Blobs(Protocol):
    """The PDFs themselves. One is there whole or not at all."""

    def path(self, document_id: DocumentId) -> Path:
        """Where the document's PDF is, or would be."""
        ...

    def put(self, document_id: DocumentId, content: bytes) -> None:
        """Keep the PDF; the same one again changes nothing."""
        ...

    def remove(self, document_id: DocumentId) -> None:
        """Delete the PDF; it need not be there."""
        ...

    def sweep(self, known: Collection[DocumentId]) -> None:
        """Delete what a dead process left half written, and the PDFs of all but the known documents."""
        ...


class Uploads(Protocol):
    """Files that were sent and wait to be read, each until its job has ended.

    Raises:
        StoreUnavailable: The data folder cannot be written, or is full.
    """

    def path(self, job_id: JobId, filename: str) -> Path:
        """Where the job's file is, or would be; its name is much like `filename`."""
        ...

    def put(self, job_id: JobId, filename: str, content: bytes) -> None:
        """Keep a file."""
        ...

    def copy(self, job_id: JobId, filename: str, source: Path) -> DocumentId:
        """Keep a copy of a file, and tell its digest. An `OSError` says that the source cannot be read."""
        ...

    def remove(self, job_id: JobId) -> None:
        """Delete the job's file; it need not be there."""
        ...

    def sweep(self, kept: Collection[JobId], *, before: float) -> None:
        """Delete the files of other jobs that are older than this, in seconds since 1970."""
        ...


class JobQueue(Protocol):
    """The ingestions that were asked for: any process adds to them, and one drains them. Each call is one transaction.

    Raises:
        StoreBusy: Another process did not finish writing in time.
        StoreUnavailable: The queue cannot be read or written.
    """

    async def submit(self, uploads: Sequence[Upload]) -> None:
        """Put files into the queue."""
        ...

    async def job(self, job_id: JobId, scope: Scope) -> Job | None:
        """The job, where the scope holds it."""
        ...

    async def jobs(self, scope: Scope) -> list[Job]:
        """The jobs of the scope, oldest first."""
        ...

    async def cancel(self, job_id: JobId) -> None:
        """End a job that waits; ask whoever has it in hand to let it go."""
        ...

    async def pulse(self) -> object:
        """Something that changes whenever the queue moves; that it grows is no move."""
        ...

    async def first(self) -> Turn | None:
        """Whose turn it is among those that wait."""
        ...

    async def claim(self) -> Claimed | None:
        """Take the first of those that wait."""
        ...

    async def advance(self, job_id: JobId, stage: Stage, done: int, total: int) -> bool:
        """Note how far a job has come. False when it is to be let go."""
        ...

    async def end(self, job_id: JobId, outcome: Outcome) -> None:
        """Note what became of a job."""
        ...

    async def requeue(self, *, spared: bool = False) -> None:
        """Give back what a process had in hand; end it where it was cancelled. If `spared`, that was no try."""
        ...

    async def unended(self) -> list[JobId]:
        """All jobs that something may still become of."""
        ...

    async def forget(self, *, before: datetime) -> None:
        """Delete jobs that ended before then."""
        ...


@dataclass(frozen=True, slots=True)
class Indexes:
    """All that is searched, of one generation, open."""

    state: IndexState
    dense: Index
    sparse: WordIndex
    closeups: Closeups

    async def add(self, entries: Sequence[Entry]) -> None:
        """Put the entries into each."""
        await self.add_words(entries)
        await self.add_vectors(entries)

    async def add_words(self, entries: Sequence[Entry]) -> None:
        """Put the entries where they are found by their words; they need no vectors for it."""
        await self.sparse.add(entries)

    async def add_vectors(self, entries: Sequence[Entry]) -> None:
        """Put the entries where they are found by their meaning."""
        await self.dense.add(entries)
        await self.closeups.add(entries)

    async def remove_vectors(self, document_id: DocumentId) -> None:
        """Drop the document from where `add_vectors` put it."""
        await self.dense.remove(document_id)
        await self.closeups.remove(document_id)

    async def purge(self, documents: Collection[DocumentId], kept: Kept) -> None:
        """Drop the documents from each, with all that was ever said of them."""
        await self.sparse.purge(documents, kept)
        for document_id in documents:
            await self.remove_vectors(document_id)

    async def tidy(self) -> None:
        """Rid each of what is of no use any more."""
        for stored in self._all():
            await stored.tidy()

    async def close(self) -> None:
        """Close each."""
        for stored in self._all():
            await stored.close()

    def _all(self) -> tuple[Stored, ...]:
        return self.sparse, self.dense, self.closeups


class IndexStore(Protocol):
    """Opens the indexes that the catalog says are in use, and makes new generations of them.

    Raises:
        StoreUnavailable: They cannot be opened.
    """

    async def current(self) -> Indexes | None:
        """The indexes in use; None while nothing was ever indexed. Cheap when nothing changed."""
        ...

    async def build(self, state: IndexState) -> Indexes:
        """Empty indexes of a new generation, which nobody uses yet. The caller closes them."""
        ...

    async def drop_all_but(self, generation: int) -> None:
        """Delete the files of other generations."""
        ...

    @property
    def waiting(self) -> bool:
        """Whether this process waits for the right to write, which another holds."""
        ...

    def writing(self, *, patiently: bool = False) -> AbstractAsyncContextManager[None]:
        """Hold the one right to write to the indexes. Whoever asks for it gets it before those who ask later.

        Raises:
            StoreBusy: Another process holds it, and did not let go in time; never, if `patiently`.
        """
        ...

    def draining(self) -> AbstractAsyncContextManager[bool]:
        """Hold the one right to drain the queue, and say whether it was free. It dies with its process."""
        ...


class Ledger(Protocol):
    """What each principal may do, and did."""

    async def quota(self, principal: Principal) -> Quota:
        """The principal's own, else everybody's."""
        ...

    async def set_quota(self, principal: Principal, quota: Quota | None) -> None:
        """Allow so much; None takes the principal's own quota away."""
        ...

    async def charge(self, principal: Principal, act: Act, count: int) -> None:
        """Note that the principal does something.

        Raises:
            RateLimited: It did so too often, and nothing is noted.
        """
        ...

    async def held(self, principal: Principal) -> Held:
        """What the principal's documents and waiting files take up."""
        ...


class Archive(Protocol):
    """Libraries as single files."""

    async def snapshot(self, name: str) -> Path:
        """A folder with the catalog and the PDFs of now. Nobody may remove documents while it is made."""
        ...

    async def write(self, snapshot: Path, path: Path) -> int:
        """The library of a snapshot into a new file; the number of its documents."""
        ...


class Rescan(Protocol):
    """Looks at every byte of the data folder that is not a document's own file."""

    async def find(self, traces: Collection[bytes]) -> list[str]:
        """The files that hold any of these bytes."""
        ...


class Tokens(Protocol):
    """Who is let in, known by the digests of their secrets. Each call is one transaction.

    Raises:
        StoreBusy: Another process did not finish writing in time.
        StoreUnavailable: They cannot be read or written.
    """

    async def add(self, token: Token, digest: str) -> bool:
        """Keep a token; False when its name is taken."""
        ...

    async def find(self, digest: str) -> Token | None:
        """The token by the digest of its secret."""
        ...

    async def all(self) -> list[Token]:
        """Every token, by name."""
        ...

    async def remove(self, name: str) -> bool:
        """Forget a token; False when there is none of that name."""
        ...


class EntailmentModel(Protocol):
    """Tells how far a text says what a claim says.

    Raises:
        ModelUnavailable: The model cannot be loaded.
    """

    @property
    def version(self) -> str:
        """Changes whenever a score may."""
        ...

    async def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The probability in [0, 1] that each (claim, span) pair's span supports its claim, in order."""
        ...


class Reranker(Protocol):
    """Reads a question and a text together, and tells how well the one answers the other.

    Raises:
        ModelUnavailable: The model cannot be loaded.
    """

    async def score(self, question: str, chunks: Sequence[Chunk]) -> list[float]:
        """A score for each chunk, in order; higher is better, and it means nothing across calls."""
        ...


class Writer(Protocol):
    """Drafts an answer from numbered passages; whatever it says is checked afterwards."""

    @property
    def name(self) -> str:
        """What an answer says it was written by."""
        ...

    async def write(self, question: str, passages: Sequence[Passage]) -> Draft:
        """An answer whose statements cite the passages by label, or why there is none."""
        ...


class Budgets(Protocol):
    """What was asked of language models, and what may be: shared by all processes of a data folder, and kept.

    An account is a model at a server, asked with one key. Implementations are safe to share between tasks.
    """

    async def join(self, account: str) -> int:
        """A place in the line of those who want to ask: one a process, so that each has its turn. Leave it again."""
        ...

    async def leave(self, ticket: int) -> None:
        """Give up a place in the line."""
        ...

    async def reserve(self, account: str, tokens: int, *, ticket: int, table: Mapping[Meter, int]) -> int | Wait:
        """A reservation for a request of so many tokens, to be settled; or how long to wait before the next try.

        `table` holds the limits of which the provider has said nothing.
        """
        ...

    async def settle(self, reservation: int, tokens: int | None) -> None:
        """Say what the request took; None when it was not counted at all."""
        ...

    async def read(self, account: str, readings: Iterable[Reading]) -> None:
        """Keep what the provider said of its meters."""
        ...

    async def shut(self, account: str, meter: Meter, seconds: float) -> None:
        """Let nobody ask for so long: the provider said to stay away."""
        ...

    async def limits(self, account: str, table: Mapping[Meter, int]) -> dict[Meter, int]:
        """The limits in force."""
        ...

    async def scale(self, account: str) -> float:
        """Tokens that the provider counts for each that we estimate; 1 until it has counted."""
        ...

    async def counted(self, account: str, *, estimated: int, really: int) -> None:
        """Correct the scale by one prompt."""
        ...


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model replied to one request."""

    text: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    """None where the server did not count."""
    readings: tuple[Reading, ...] = ()


class ChatModel(Protocol):
    """A language model at a server, asked once a call: who waits and tries again is `rag_core.chat`."""

    @property
    def name(self) -> str:
        """Provider and model, as an answer says it."""
        ...

    @property
    def account(self) -> str:
        """By which its use is kept: the same for the same server, key and model, and no secret."""
        ...

    @property
    def allowance(self) -> Allowance:
        """What it may be asked, as far as that is known without asking."""
        ...

    async def complete(self, messages: Sequence[Message], *, most: int, heard: Heard | None = None) -> Completion:
        """The reply, of `most` tokens at the most; `heard` is told the text so far while it comes.

        Raises:
            RateLimited: Too many calls for now.
            QuotaExhausted: The day's allowance is gone.
            TooLong: The request is longer than the model takes.
            Overloaded: It cannot be reached for now, or broke off.
            ModelUnavailable: It refuses the request.
            MalformedReply: What came back is no completion.
        """
        ...


Heard = Callable[[str], Awaitable[None]]
"""Takes all that a writer has written so far; when it begins anew, the text does, too."""


@runtime_checkable
class AloudWriter(Writer, Protocol):
    """A writer that lets others read along."""

    async def write_aloud(self, question: str, passages: Sequence[Passage], *, heard: Heard) -> Draft:
        """The same draft as `write`; `heard` is told the text so far each time that there is more of it."""
        ...


class Rephraser(Protocol):
    """Makes a question that follows up on others stand alone, as a language model can."""

    async def standalone(self, question: str, history: Sequence[Exchange]) -> Rephrased:
        """The question as it would be asked without the turns before it, oldest first.

        Raises:
            ModelError: The model cannot be asked; whoever called has rules to fall back on.
        """
        ...


class AnswerCache(Protocol):
    """Answers that were given, under keys that change whenever one might be answered differently.

    Raises:
        StoreBusy: Another process did not finish writing in time.
        StoreUnavailable: It cannot be read or written.
    """

    async def get(self, key: str) -> Answer | None:
        """The answer kept under the key; None when there is none, or none that this version can read."""
        ...

    async def put(self, key: str, answer: Answer) -> None:
        """Keep the answer, and forget the oldest where there are too many."""
        ...

    async def forget(self, document_id: DocumentId) -> None:
        """Drop every answer that quotes the document, or names a passage of it."""
        ...
