"""Drafts from a model at Groq, through its SDK, which is imported by the first question and not before."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pydantic import SecretStr

from rag_core import prompts, replies
from rag_core.adapters.patience import patiently
from rag_core.errors import MalformedReply, ModelUnavailable, Overloaded
from rag_core.types import Draft, Passage

if TYPE_CHECKING:
    from groq import AsyncGroq

SERVER = "Groq"


class GroqWriter:
    """Implements `Writer` with a chat completion. Safe to share between tasks of one event loop.

    Args:
        base_url: Another server that speaks Groq's API; Groq itself when None.
        seconds: How long one attempt may take.
    """

    def __init__(self, *, api_key: SecretStr, model: str, base_url: str | None, seconds: float) -> None:
        self._api_key = api_key
        self._model = model
        self._base_url = base_url
        self._seconds = seconds
        self._client: AsyncGroq | None = None
        self._opening = asyncio.Lock()
        self._patiently = patiently()

    @property
    def name(self) -> str:
        """Provider and model."""
        return f"groq:{self._model}"

    async def write(self, question: str, passages: Sequence[Passage]) -> Draft:
        """The model's reply as a draft.

        Raises:
            RateLimited: Groq asks for more patience than an asker has.
            QuotaExhausted: The day's allowance is gone.
            ModelUnavailable: Groq cannot be reached, or refuses the request.
            MalformedReply: What came back is no answer.
        """
        asked = prompts.messages(question, passages)
        return replies.draft(await self._patiently(lambda: self._complete(asked)), writer=self.name)

    async def close(self) -> None:
        """Let go of the connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def _complete(self, messages: list[prompts.Message]) -> str:
        client = await self._connected()
        with translated(self._seconds):
            async with asyncio.timeout(self._seconds):
                # The raw reply, because the SDK's own models accept any JSON as a completion.
                reply = await client.with_raw_response.chat.completions.create(
                    model=self._model,
                    messages=messages,  # type: ignore[arg-type] # the SDK's union of eight message types
                    temperature=0,
                    max_completion_tokens=prompts.LONGEST_REPLY,
                )
                body = await reply.text()
        return replies.content_of(body, server=SERVER)

    async def _connected(self) -> AsyncGroq:
        async with self._opening:
            if self._client is None:
                # Importing the SDK and reading certificates takes long enough to be felt by others on the event loop.
                self._client = await asyncio.to_thread(self._connect)
            return self._client

    def _connect(self) -> AsyncGroq:
        from groq import AsyncGroq

        with translated(self._seconds):
            return AsyncGroq(
                api_key=self._api_key.get_secret_value(),
                base_url=self._base_url,
                timeout=self._seconds,
                max_retries=0,  # ours know how long an asker waits
            )


@contextmanager
def translated(seconds: float) -> Iterator[None]:
    """The one place where the SDK's exceptions become ours."""
    import groq

    try:
        yield
    except (groq.APITimeoutError, TimeoutError) as exc:
        raise Overloaded(f"{SERVER} did not answer within {seconds:g} s.") from exc
    except groq.APIConnectionError as exc:
        raise Overloaded(f"{SERVER} cannot be reached: {exc.__cause__ or exc}") from exc
    except groq.APIStatusError as exc:
        said = exc.response
        raise replies.failure(SERVER, exc.status_code, said.text, retry_after=said.headers.get("retry-after")) from exc
    except groq.APIError as exc:  # its subclass for replies that do not fit the SDK's schema, and itself
        raise MalformedReply(f"{SERVER} replied with something that is no chat completion.") from exc
    except groq.GroqError as exc:
        raise ModelUnavailable(f"{SERVER} cannot be asked: {exc}") from exc
