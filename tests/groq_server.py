"""A loopback server that speaks the chat API of Groq and OpenAI, and answers as it was told to.

A real server on a real socket: what a client makes of a cut connection or a slow one cannot be seen with less.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Reply:
    """What is sent back; `cut` ends the connection in the middle of it, `hang` never sends it."""

    status: int = 200
    body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False
    hang: bool = False


def says(text: str | None) -> Reply:
    """A completion with this text."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    completion = {"id": "x", "object": "chat.completion", "created": 0, "model": "loopback", "choices": [choice]}
    return Reply(body=json.dumps(completion))


def fails(status: int, message: str = "no", **headers: str) -> Reply:
    """An error in the providers' shape."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, json.dumps({"error": {"message": message, "type": "error"}}), named)


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

    def plan(self, *replies: Reply) -> None:
        """What to answer from now on."""
        self._replies = deque(replies)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request a connection."""
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            first, *lines = head.strip().split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            body = await reader.readexactly(int(headers["content-length"]))
            self.requests.append(Request(first.split()[1], headers, json.loads(body)))
            reply = self._replies.popleft() if len(self._replies) > 1 else self._replies[0]
            if reply.hang:
                await reader.read()  # until the client loses its patience
                return
            content = reply.body.encode()
            fields = {"content-type": "application/json", "content-length": str(len(content)), "connection": "close"}
            sent = "".join(f"{name}: {value}\r\n" for name, value in {**fields, **reply.headers}.items())
            writer.write(f"HTTP/1.1 {reply.status} X\r\n{sent}\r\n".encode())
            writer.write(content[: len(content) // 2] if reply.cut else content)
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
