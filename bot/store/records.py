"""The bot's records: files that were brought, questions that were asked, and what people said of the answers. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

UploadState = Literal["coming", "ready", "failed"]
QuestionState = Literal["waiting", "answered", "failed"]


@dataclass(frozen=True, slots=True)
class NewUpload:
    """A file on its way: who brought it, where it was posted, and where it is talked about."""

    server_id: int | None
    channel_id: int
    """Of the message that it is attached to."""
    message_id: int
    attachment_id: int
    place_id: int
    """Where its card stands: a thread, or the channel itself."""
    uploader_id: int
    filename: str
    collection: str


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was brought, and what became of it."""

    id: int
    what: NewUpload
    state: UploadState
    added_at: datetime
    card_id: int | None = None
    document_id: str | None = None
    job_id: str | None = None


@dataclass(frozen=True, slots=True)
class Withheld:
    """A statement that was not published, and why."""

    text: str
    verdict: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """What a citation quotes: for the description of its picture."""

    document_id: str
    page: int
    text: str


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """What is remembered of an answer: enough to go on from it, to check it again, and to say what was withheld."""

    text: str
    withheld: tuple[Withheld, ...] = ()
    quotes: tuple[Quote, ...] = ()
    standalone: str | None = None
    """What the question was taken to mean, where that needed what was said before."""


@dataclass(frozen=True, slots=True)
class NewQuestion:
    """What somebody wants to know."""

    server_id: int | None
    place_id: int
    message_id: int | None
    """The message that asks; None where a command or a button did."""
    asker_id: int
    question: str
    document_id: str | None = None
    """The one document it is asked of; None is all of the place."""
    leans_on: int | None = None
    """The message of ours that it replies to."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and what became of it."""

    id: int
    what: NewQuestion
    state: QuestionState
    attempts: int
    asked_at: datetime
    answer_id: int | None = None
    """The message that answers, or says that an answer is coming."""
    answer: KeptAnswer | None = None
    charged: bool = False
    """Whether it was counted against its asker's quota, which is done once, however many attempts it takes."""


@dataclass(frozen=True, slots=True)
class FollowedRun:
    """A run of an eval that a message says the progress of; one a server."""

    server_id: int
    place_id: int
    message_id: int
    run_id: str | None = None
    """None until it has begun."""


@dataclass(frozen=True, slots=True)
class Vote:
    """What somebody thinks of an answer."""

    answer_id: int
    voter_id: int
    good: bool
    reason: str
