"""An ingestion that is under way: a file somebody sent, how far it has come, and what became of it. Pure.

Every job has a turn, and the least comes first. A flow (what one principal sends, bulk and single files apart) pays for
each of its files by moving on, so that a folder of a thousand files does not keep one file of somebody else waiting
(start-time fair queueing, Goyal, Vin and Cheng, 1996).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NewType, get_args

from rag_core.types import CollectionName, DocumentId, Ingested, OcrMode

JobId = NewType("JobId", str)
Principal = NewType("Principal", str)
"""Who asks and sends: a person in a chat, an MCP client, or the command line."""

LOCAL = Principal("local")
"""Who uses the command line."""

Stage = Literal["queued", "reading", "indexing", "embedding", "ready", "failed", "cancelled"]
EndStage = Literal["ready", "failed", "cancelled"]
ENDED: frozenset[str] = frozenset(get_args(EndStage))

BULK_FROM = 9
"""Files sent at once from which they are a flow of their own: a message in a chat has at most ten attachments."""
MOST_TRIES = 3
"""A file that ends the program each time it is read is given up then."""


@dataclass(frozen=True, slots=True)
class Job:
    """One file on its way to be a document."""

    id: JobId
    collection: CollectionName
    principal: Principal
    filename: str
    document_id: DocumentId | None
    """Of the bytes that were sent; None when there were none."""
    stage: Stage
    done: int
    """Pages while it is read, chunks while it is embedded."""
    total: int
    """0 while it is not known."""
    submitted_at: datetime
    result: Ingested | None = None
    """Once it has ended."""

    def __post_init__(self) -> None:
        if (self.stage in ENDED) != (self.result is not None):
            raise ValueError("a job has a result exactly when it has ended")

    @property
    def ended(self) -> bool:
        """Whether nothing more will become of it."""
        return self.stage in ENDED

    @property
    def searchable(self) -> bool:
        """Whether questions find the document, at least by its words."""
        return self.stage in {"embedding", "ready"}


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was sent, before it is a job."""

    id: JobId
    collection: CollectionName
    principal: Principal
    filename: str
    document_id: DocumentId | None
    bytes: int
    ocr: OcrMode
    bulk: bool
    submitted_at: datetime
    code: str | None = None
    """Why it failed at once."""
    message: str | None = None

    @property
    def flow(self) -> str:
        """What takes turns with others."""
        return f"{self.principal} in bulk" if self.bulk else self.principal

    @property
    def cost(self) -> float:
        """How far it moves its flow on: one, and one more for each MiB."""
        return 1 + self.bytes / 2**20


@dataclass(frozen=True, slots=True, order=True)
class Turn:
    """When a job is due: the least first. Of equal turns the smaller file is, and then the earlier."""

    turn: float
    bytes: int
    number: int


@dataclass(frozen=True, slots=True)
class Claimed:
    """A job in the hands of whoever drains the queue."""

    id: JobId
    collection: CollectionName
    principal: Principal
    filename: str
    document_id: DocumentId
    ocr: OcrMode
    tries: int
    """This one included."""
    kept: bool
    """Whether an earlier try made the document, and only its vectors may be missing."""
    turn: Turn


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a job ended."""

    stage: EndStage
    status: Literal["indexed", "duplicate", "failed"]
    code: str | None = None
    message: str | None = None


CANCELLED = Outcome("cancelled", "failed", "not_allowed", "It was cancelled before it was done.")
