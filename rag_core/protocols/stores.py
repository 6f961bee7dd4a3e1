"""What is asked of whatever keeps documents, jobs, tokens, answers and counts on disk."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

from rag_core.types import Answer, Chunk, ChunkId, CollectionName, Document, DocumentId, IndexState, Page, Scope
from rag_core.types.credentials import Token
from rag_core.types.jobs import LOCAL, Claimed, Job, JobId, Outcome, Principal, Stage, Turn, Upload
from rag_core.types.quotas import Act, Held, Quota


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
        """The documents of the scope, oldest first, each with those of its collections that the scope holds.

        Its name and age are those that it has there, not those under which others sent it elsewhere.
        """
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

    async def pages_at(self, places: Collection[tuple[DocumentId, int]]) -> dict[tuple[DocumentId, int], Page]:
        """Those pages that there are, by document and number: at once, as each by itself takes a turn of a thread."""
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

    async def parts(self, ids: Sequence[ChunkId]) -> dict[ChunkId, list[ChunkId]]:
        """The parts of those of the chunks that are whole sections, in reading order."""
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
        self,
        document_id: DocumentId,
        collection: CollectionName,
        filename: str,
        *,
        since: datetime,
        principal: Principal = LOCAL,
    ) -> bool:
        """Let a collection see the document, too, as sent by this principal. False when it no longer counts."""
        ...

    async def share(
        self, document_id: DocumentId, collection: CollectionName, *, scope: Scope, since: datetime
    ) -> bool:
        """Let a collection see the document, too, as sent by whoever sent it to the scope's. False as `join`."""
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
        """The documents that this principal sent to any collection, alone or with others."""
        ...

    async def take_back(
        self, document_id: DocumentId, principal: Principal, collection: CollectionName | None = None
    ) -> bool:
        """End the memberships that nobody but this principal sent, of one collection or of all. True as `leave`."""
        ...

    async def misnamed(self) -> list[Document]:
        """Documents that nobody who has them calls what they are called: each as the first of these calls it."""
        ...

    async def rename(self, document: Document) -> None:
        """Call a document so from now on."""
        ...

    async def forget_principal(self, principal: Principal) -> None:
        """Delete what else is known of a principal."""
        ...

    async def outdated(self, now: datetime) -> list[tuple[DocumentId, CollectionName]]:
        """The memberships that are older than their collections keep them."""
        ...

    async def retentions(self) -> dict[CollectionName, float]:
        """For how many days each collection keeps its documents, of those that do not for ever; by name."""
        ...

    async def set_retention(self, collection: CollectionName, days: float | None) -> None:
        """Keep a collection's documents for so long; None is for ever."""
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


class Ledger(Protocol):
    """What each principal may do, and did."""

    async def quota(self, principal: Principal) -> Quota:
        """The principal's own, else everybody's."""
        ...

    async def quotas(self) -> dict[Principal, Quota]:
        """Those that were set, by principal, everybody's first."""
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
