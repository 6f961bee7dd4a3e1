"""A loopback server that speaks the chat API of Groq and OpenAI, and answers as it was told to.

A real server on a real socket: what a client makes of a cut connection or a slow one cannot be seen with less.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Reply:
    """What is sent back; `cut` ends the connection in the middle of it, `hang` never sends it."""

    status: int = 200
    body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False
    hang: bool = False
    text: str | None = None
    """Of a completion, which is streamed to whoever asks for that."""
    usage: tuple[int, int] | None = None
    """Tokens read and written."""
    finish: str = "stop"
    before: float = 0.0
    """Seconds until the first word."""
    between: float = 0.0
    """Seconds from one word of a stream to the next."""


def says(  # noqa: PLR0913 - each is one thing that a provider may say
    text: str | None,
    *,
    usage: tuple[int, int] | None = None,
    headers: Mapping[str, str] | None = None,
    finish: str = "stop",
    cut: bool = False,
    before: float = 0.0,
    between: float = 0.0,
) -> Reply:
    """A completion with this text."""
    reply = Reply(text=text, usage=usage, headers=headers or {}, finish=finish, cut=cut, before=before, between=between)
    choice = {"index": 0, "finish_reason": reply.finish, "message": {"role": "assistant", "content": text}}
    completion: dict[str, Any] = {"id": "x", "object": "chat.completion", "created": 0, "model": "loopback"}
    return replace(reply, body=json.dumps({**completion, "choices": [choice], **_usage(reply)}))


def fails(status: int, message: str = "no", **headers: str) -> Reply:
    """An error in the providers' shape."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, json.dumps({"error": {"message": message, "type": "error"}}), named)


def _usage(reply: Reply) -> dict[str, Any]:
    if reply.usage is None:
        return {}
    read, written = reply.usage
    return {"usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}}


def _stream(reply: Reply) -> list[str]:
    """The completion as server-sent events, a word each; a cut one never says why it stopped."""

    def event(choices: list[dict[str, Any]], **more: object) -> str:
        chunk = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "loopback", "choices": choices}
        return f"data: {json.dumps({**chunk, **more})}\n\n"

    words = [f"{word} " for word in (reply.text or "").split(" ")]
    words[-1:] = [words[-1].rstrip(" ")]
    events = [event([{"index": 0, "delta": {"content": word}, "finish_reason": None}]) for word in words]
    if reply.cut:
        return events[: len(events) // 2]
    end = event([{"index": 0, "delta": {}, "finish_reason": reply.finish}], x_groq={"id": "x", **_usage(reply)})
    return [": keep-alive\n\n", *events, end, "data: [DONE]\n\n"]


@dataclass
class Request:
    """What a client sent."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def prompt(self) -> str:
        """All that the model would read."""
        return "\n".join(message["content"] for message in self.body["messages"])


class ChatServer:
    """Gives the replies in order, the last one again and again, and keeps the requests."""

    def __init__(self) -> None:
        self.address = ""
        self.requests: list[Request] = []
        self._replies: deque[Reply] = deque([says("Nothing was planned.")])
        self.answer: Callable[[Request], Reply] = self._planned
        """May be set to answer by what is asked."""

    def plan(self, *replies: Reply) -> None:
        """What to answer from now on."""
        self._replies = deque(replies)

    def _planned(self, _request: Request) -> Reply:
        return self._replies.popleft() if len(self._replies) > 1 else self._replies[0]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request a connection."""
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            first, *lines = head.strip().split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            body = await reader.readexactly(int(headers["content-length"]))
            request = Request(first.split()[1], headers, json.loads(body))
            self.requests.append(request)
            reply = self.answer(request)
            if reply.hang:
                await reader.read()  # until the client loses its patience
                return
            await asyncio.sleep(reply.before)
            if reply.text is not None and request.body.get("stream"):
                parts = [event.encode() for event in _stream(reply)]
                fields = {"content-type": "text/event-stream", "connection": "close"}
            else:
                content = reply.body.encode()
                fields = {
                    "content-type": "application/json",
                    "content-length": str(len(content)),
                    "connection": "close",
                }
                parts = [content[: len(content) // 2] if reply.cut else content]
            sent = "".join(f"{name}: {value}\r\n" for name, value in {**fields, **reply.headers}.items())
            writer.write(f"HTTP/1.1 {reply.status} X\r\n{sent}\r\n".encode())
            for part in parts:
                writer.write(part)
                if reply.between:
                    await writer.drain()
                    await asyncio.sleep(reply.between)
            await writer.drain()
        finally:
            writer.close()


@asynccontextmanager
async def chat_server() -> AsyncIterator[ChatServer]:
    """A server that listens for as long as the block runs."""
    chat = ChatServer()
    server = await asyncio.start_server(chat.serve, "127.0.0.1", 0)
    chat.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield chat
