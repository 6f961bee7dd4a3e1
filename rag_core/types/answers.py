"""Drafts, answers and what is told while one comes. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypedDict

from rag_core.types.found import Passage
from rag_core.types.verdicts import CheckedClaim, Claim

WriterName = Literal["auto", "quote", "groq", "openai"]
Policy = Literal["strict", "flag", "quote"]
AnswerStatus = Literal["answered", "partial", "refused", "failed"]


class Message(TypedDict):
    """One message of a chat, as every chat API takes it."""

    role: Literal["system", "user"]
    content: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What language models did for an answer; all zero where it was made by quotation."""

    model: str | None = None
    """The one that wrote last."""
    calls: int = 0
    """Requests that were sent, those that failed too."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0
    """US dollars by list price; None when a model's price is not known."""
    seconds: float = 0.0
    """From the first request to the last reply, waits in between included."""

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            other.model or self.model,
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            None if self.cost is None or other.cost is None else self.cost + other.cost,
            self.seconds + other.seconds,
        )


@dataclass(frozen=True, slots=True)
class Draft:
    """What a writer wrote: prose with `[n]` markers, or nothing and why."""

    text: str
    writer: str
    unanswered: str | None = None
    """Why the writer found no answer in the passages; None when it wrote one."""
    claims: tuple[Claim, ...] | None = None
    """The text cut into its statements by the writer itself; None leaves that to whoever checks it."""
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()
    """What the asker should know of how it was written: that the day's tokens are gone, that another model wrote it."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question of a conversation, as it stood alone, and what was published as its answer."""

    question: str
    answer: str = ""
    """Empty when it was refused."""


@dataclass(frozen=True, slots=True)
class Rephrased:
    """What a language model made of a question that follows up on others; None when it made nothing of it."""

    question: str | None
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no answer, in a sentence, and the nearest passages there are."""

    reason: str
    nearest: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What is published: text whose every claim was checked, what was withheld, or why there is none."""

    question: str
    status: AnswerStatus
    text: str
    claims: tuple[CheckedClaim, ...]
    withheld: tuple[CheckedClaim, ...]
    refusal: Refusal | None
    writer: str
    ms: Mapping[str, float]
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()
    """What the asker should know of how it was made, a sentence each."""
    standalone: str | None = None
    """The question that was answered, where the one asked needed the turns before it."""

    def __post_init__(self) -> None:
        if (self.status == "refused") != (self.refusal is not None):
            raise ValueError("an answer is refused exactly when it says why")


@dataclass(frozen=True, slots=True)
class Checking:
    """A statement of an answer that is still being written, before its verdict: nobody may take it for an answer."""

    index: int
    """Which statement, from 0; its `Checked` has the same."""
    text: str


@dataclass(frozen=True, slots=True)
class Checked:
    """The verdict of a statement. Its markers are the draft's: the final answer numbers its citations anew."""

    index: int
    claim: CheckedClaim


@dataclass(frozen=True, slots=True)
class Restarted:
    """The draft begins anew, by another attempt or another writer: what was told of it so far is void."""


AnswerEvent = Checking | Checked | Restarted | Answer
"""What is told while an answer comes; the answer is the last, and the only one that is published."""
