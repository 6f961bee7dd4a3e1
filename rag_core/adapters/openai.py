"""A model at any server that speaks OpenAI's chat API: Ollama, llama.cpp, vLLM, OpenRouter, OpenAI.

Plain HTTP, because one POST is all there is to it: Groq's SDK puts a path of its own (`/openai/v1`) before every call,
which these servers do not have, and OpenAI's would be one more dependency for the same POST.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import httpx
from pydantic import SecretStr

from rag_core.adapters.accounts import account
from rag_core.adapters.transcript import transcribe, whole
from rag_core.errors import ModelUnavailable, Overloaded
from rag_core.protocols import Completion, Heard
from rag_core.types import Message, meters
from rag_core.types.allowances import Allowance
from rag_core.types.meters import Meter
from rag_core.writing import replies

HTTP_OK = 200


class OpenAIModel:
    """Implements `ChatModel`. Safe to share between tasks of one event loop.

    Args:
        base_url: Up to the version, as in `http://localhost:11434/v1`.
        seconds: How long one request may take.
    """

    def __init__(
        self, *, api_key: SecretStr | None, model: str, base_url: str, seconds: float, allowance: Allowance
    ) -> None:
        self._api_key = api_key
        self._model = model
        self._server = f"The server of {model!r}"
        self._url = f"{base_url.rstrip('/')}/chat/completions"
        self._seconds = seconds
        self._client: httpx.AsyncClient | None = None
        self._opening = asyncio.Lock()
        self.allowance = allowance
        self.name = f"openai:{model}"
        self.account = account(self.name, base_url, api_key)

    async def complete(self, messages: Sequence[Message], *, most: int, heard: Heard | None = None) -> Completion:
        """One request. It is streamed when somebody reads along."""
        client = await self._connected()
        asked: dict[str, object] = {
            "model": self._model,
            "messages": messages,
            "temperature": 0,
            "max_tokens": most,
        }
        if heard is not None:
            asked |= {"stream": True, "stream_options": {"include_usage": True}}
        with translated(self._server, self._seconds):
            async with asyncio.timeout(self._seconds), client.stream("POST", self._url, json=asked) as reply:
                said = meters.of_headers(reply.headers, requests=Meter.RPM)
                if reply.status_code != HTTP_OK:
                    body = (await reply.aread()).decode(errors="replace")
                    raise replies.failure(self._server, reply.status_code, body, headers=reply.headers)
                if "text/event-stream" in reply.headers.get("content-type", ""):
                    return await transcribe(reply.aiter_lines(), server=self._server, heard=heard, readings=said)
                await reply.aread()
                return whole(reply.text, server=self._server, readings=said)

    async def close(self) -> None:
        """Let go of the connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

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
