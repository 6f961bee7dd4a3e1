"""Drafts from any server that speaks OpenAI's chat API: Ollama, llama.cpp, vLLM, OpenRouter, OpenAI.

Plain HTTP, because one POST is all there is to it: Groq's SDK puts a path of its own (`/openai/v1`) before every call,
which these servers do not have, and OpenAI's would be one more dependency for the same POST.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import httpx
from pydantic import SecretStr

from rag_core import prompts, replies
from rag_core.adapters.patience import patiently
from rag_core.errors import ModelUnavailable, Overloaded
from rag_core.types import Draft, Passage

HTTP_OK = 200


class OpenAIWriter:
    """Implements `Writer` with a chat completion. Safe to share between tasks of one event loop.

    Args:
        base_url: Up to the version, as in `http://localhost:11434/v1`.
        seconds: How long one attempt may take.
    """

    def __init__(self, *, api_key: SecretStr | None, model: str, base_url: str, seconds: float) -> None:
        self._api_key = api_key
        self._model = model
        self._server = f"The server of {model!r}"
        self._url = f"{base_url.rstrip('/')}/chat/completions"
        self._seconds = seconds
        self._client: httpx.AsyncClient | None = None
        self._opening = asyncio.Lock()
        self._patiently = patiently()

    @property
    def name(self) -> str:
        """API and model."""
        return f"openai:{self._model}"

    async def write(self, question: str, passages: Sequence[Passage]) -> Draft:
        """The model's reply as a draft.

        Raises:
            RateLimited: The server asks for more patience than an asker has.
            QuotaExhausted: The allowance is gone.
            ModelUnavailable: The server cannot be reached, or refuses the request.
            MalformedReply: What came back is no answer.
        """
        asked = prompts.messages(question, passages)
        return replies.draft(await self._patiently(lambda: self._complete(asked)), writer=self.name)

    async def close(self) -> None:
        """Let go of the connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def _complete(self, messages: list[prompts.Message]) -> str:
        client = await self._connected()
        asked = {
            "model": self._model,
            "messages": messages,
            "temperature": 0,
            "max_tokens": prompts.LONGEST_REPLY,
        }
        with translated(self._server, self._seconds):
            async with asyncio.timeout(self._seconds):
                reply = await client.post(self._url, json=asked)
        if reply.status_code != HTTP_OK:
            raise replies.failure(
                self._server, reply.status_code, reply.text, retry_after=reply.headers.get("retry-after")
            )
        return replies.content_of(reply.text, server=self._server)

    async def _connected(self) -> httpx.AsyncClient:
        async with self._opening:
            if self._client is None:
                # Reading certificates takes long enough to be felt by others on the event loop.
                self._client = await asyncio.to_thread(self._connect)
            return self._client

    def _connect(self) -> httpx.AsyncClient:
        key = self._api_key.get_secret_value() if self._api_key else None
        return httpx.AsyncClient(timeout=self._seconds, headers={"Authorization": f"Bearer {key}"} if key else None)


@contextmanager
def translated(server: str, seconds: float) -> Iterator[None]:
    """The one place where httpx's exceptions become ours."""
    try:
        yield
    except (httpx.TimeoutException, TimeoutError) as exc:
        raise Overloaded(f"{server} did not answer within {seconds:g} s.") from exc
    except (httpx.UnsupportedProtocol, httpx.LocalProtocolError, httpx.InvalidURL) as exc:
        raise ModelUnavailable(f"{server} cannot be asked: {exc} Check PINCITE_OPENAI_BASE_URL.") from exc
    except httpx.TransportError as exc:
        raise Overloaded(f"{server} cannot be reached: {exc or type(exc).__name__}") from exc
    except (httpx.HTTPError, httpx.CookieConflict, httpx.StreamError) as exc:
        raise ModelUnavailable(f"{server} cannot be asked: {exc}") from exc
