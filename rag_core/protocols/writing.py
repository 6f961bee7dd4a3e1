"""What is asked of whatever writes an answer, and of the budget it writes on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from rag_core.types import Draft, Exchange, Message, Passage, Rephrased
from rag_core.types.admission import Wait
from rag_core.types.allowances import Allowance
from rag_core.types.meters import Meter, Reading

Heard = Callable[[str], Awaitable[None]]
"""Takes all that a writer has written so far; when it begins anew, the text does, too."""


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
    """A language model at a server, asked once a call: who waits and tries again is `rag_core.writing.chat`."""

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


@runtime_checkable
class AloudWriter(Writer, Protocol):
    """A writer that lets others read along."""

    async def write_aloud(self, question: str, passages: Sequence[Passage], *, heard: Heard) -> Draft:
        """The same draft as `write`; `heard` is told the text so far whenever a statement may have ended in it."""
        ...


class Rephraser(Protocol):
    """Makes a question that follows up on others stand alone, as a language model can."""

    async def standalone(self, question: str, history: Sequence[Exchange]) -> Rephrased:
        """The question as it would be asked without the turns before it, oldest first.

        Raises:
            ModelError: The model cannot be asked; whoever called has rules to fall back on.
        """
        ...
