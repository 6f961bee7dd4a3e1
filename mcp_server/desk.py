"""The library behind the tools: opened by the first call that needs it, closed with the server.

A client waits for the handshake before anything else, so nothing heavy may happen until a tool is called.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from mcp.server.mcpserver.exceptions import ToolError

from rag_core.errors import DocumentNotFound, PageNotFound, QuoteNotFound, RagError

if TYPE_CHECKING:
    from rag_core.library import Library

OpenLibrary = Callable[[], "AbstractAsyncContextManager[Library]"]

ADVICE: dict[type[RagError], str] = {
    DocumentNotFound: "Call list_documents to see which there are.",
    PageNotFound: "Call list_documents to see how many pages it has.",
    QuoteNotFound: "Quote the page letter by letter, as search_passages returns it.",
}
"""What an agent can do about an error, where the core's own advice is for people at a command line."""


class Desk:
    """Hands out the one open library. Must be used inside `serving`."""

    def __init__(self, open_library: OpenLibrary) -> None:
        self._open_library = open_library
        self._opening = asyncio.Lock()
        self._opened: Library | None = None
        self._stack: AsyncExitStack | None = None

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """For as long as the server runs; the library, if it was ever opened, is closed at the end."""
        async with AsyncExitStack() as self._stack:
            yield
        self._opened = self._stack = None

    @asynccontextmanager
    async def library(self) -> AsyncIterator[Library]:
        """The library, for one tool call. A `RagError` inside becomes a `ToolError`, which alone reaches the caller.

        An opening that fails or is cancelled leaves nothing behind, and the next call tries again.
        """
        try:
            yield await self._library()
        except RagError as exc:
            raise ToolError(" ".join(filter(None, (f"{exc.code}: {exc}", ADVICE.get(type(exc)))))) from exc

    async def _library(self) -> Library:
        async with self._opening:
            if self._opened is None:
                assert self._stack is not None, "tools are called while the server runs"
                self._opened = await self._stack.enter_async_context(self._open_library())
            return self._opened
