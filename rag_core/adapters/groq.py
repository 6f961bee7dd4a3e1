"""A model at Groq, through its SDK, which is imported by the first question and not before."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pydantic import SecretStr

from rag_core.adapters.accounts import account
from rag_core.adapters.transcript import transcribe, whole
from rag_core.errors import MalformedReply, ModelUnavailable, Overloaded
from rag_core.protocols import Completion, Heard
from rag_core.types import Message, meters
from rag_core.types.allowances import Allowance
from rag_core.types.meters import Meter
from rag_core.writing import replies

if TYPE_CHECKING:
    from groq import AsyncGroq

SERVER = "Groq"


class GroqModel:
    """Implements `ChatModel`. Safe to share between tasks of one event loop.

    Args:
        base_url: Another server that speaks Groq's API; Groq itself when None.
        seconds: How long one request may take.
    """

    def __init__(
        self, *, api_key: SecretStr, model: str, base_url: str | None, seconds: float, allowance: Allowance
    ) -> None:
        self._api_key = api_key
        self._model = model
        self._base_url = base_url
        self._seconds = seconds
        self._client: AsyncGroq | None = None
        self._opening = asyncio.Lock()
        self.allowance = allowance
        self.name = f"groq:{model}"
        self.account = account(self.name, base_url, api_key)

    async def complete(self, messages: Sequence[Message], *, most: int, heard: Heard | None = None) -> Completion:
        """One request. It is streamed when somebody reads along."""
        client = await self._connected()
        with translated(self._seconds):
            async with (
                asyncio.timeout(self._seconds),
                # The raw reply, because the SDK's own models accept any JSON as a completion.
                client.chat.completions.with_streaming_response.create(
                    model=self._model,
                    messages=messages,  # type: ignore[arg-type] # the SDK's union of eight message types
                    temperature=0,
                    max_completion_tokens=most,
                    stream=heard is not None,
                ) as reply,
            ):
                said = meters.of_headers(reply.headers, requests=Meter.RPD)
                if "text/event-stream" in reply.headers.get("content-type", ""):
                    return await transcribe(reply.iter_lines(), server=SERVER, heard=heard, readings=said)
                return whole(await reply.text(), server=SERVER, readings=said)

    async def close(self) -> None:
        """Let go of the connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None

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
                max_retries=0,  # ours know the budget, and how long an asker waits
            )


@contextmanager
def translated(seconds: float) -> Iterator[None]:
    """The one place where the SDK's exceptions, and those of the client below it, become ours."""
    import groq
    import httpx

    try:
        yield
    except (groq.APITimeoutError, httpx.TimeoutException, TimeoutError) as exc:
        raise Overloaded(f"{SERVER} did not answer within {seconds:g} s.") from exc
    except groq.APIConnectionError as exc:
        raise Overloaded(f"{SERVER} cannot be reached: {exc.__cause__ or exc}") from exc
    except httpx.TransportError as exc:
        raise Overloaded(f"{SERVER} broke off: {exc or type(exc).__name__}") from exc
    except groq.APIStatusError as exc:
        said = exc.response
        raise replies.failure(SERVER, exc.status_code, said.text, headers=said.headers) from exc
    except groq.APIError as exc:  # its subclass for replies that do not fit the SDK's schema, and itself
        raise MalformedReply(f"{SERVER} replied with something that is no chat completion.") from exc
    except groq.GroqError as exc:
        raise ModelUnavailable(f"{SERVER} cannot be asked: {exc}") from exc
