"""`pincite mcp`: the server on standard input and output, or on a loopback port."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from rag_core.library import Library
    from rag_core.settings import Settings

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""Hosts that only this machine can reach; for these the SDK also checks Host and Origin against DNS rebinding."""


def mcp(
    http: Annotated[
        str | None, typer.Option("--http", metavar="HOST:PORT", help="Serve streamable HTTP here, not stdio.")
    ] = None,
    collection: Annotated[str, typer.Option("--collection", help="The collection that clients see.")] = "local",
    root: Annotated[
        list[Path] | None,
        typer.Option(
            "--root",
            help="A folder whose PDFs clients may ingest. Repeatable; without one they cannot ingest.",
            exists=True,
            file_okay=False,
        ),
    ] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="Offer no tool that changes anything.")] = False,
    home: Annotated[
        Path | None,
        typer.Option("--home", help="The data folder.", show_default="PINCITE_HOME, or the system's place"),
    ] = None,
) -> None:
    """Serve the documents to other agents over MCP: ask, search, verify, with proof."""
    from rag_core.settings import load_settings

    address = None if http is None else address_of(http)
    settings = load_settings(home=home)

    gc.disable()  # the SDK builds hundreds of classes, all to stay: collecting between them is a fifth of the start
    from mcp_server.roots import Roots
    from mcp_server.server import build_server
    from rag_core.types import CollectionName

    gc.enable()
    server = build_server(
        lambda: opened(settings), collection=CollectionName(collection), roots=Roots(root or ()), read_only=read_only
    )
    if address is None:
        server.run("stdio")
    else:
        asyncio.run(serve_http(server, *address))


def address_of(text: str) -> tuple[str, int]:
    """Host and port of `HOST:PORT`, where the host is this machine alone.

    >>> address_of("127.0.0.1:8000"), address_of("[::1]:8000")
    (('127.0.0.1', 8000), ('::1', 8000))

    Raises:
        SettingsError: It is no such address, or others could reach it.
    """
    from rag_core.errors import SettingsError

    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not host or not port.isdecimal() or not 0 < int(port) < 2**16:
        raise SettingsError(f"--http {text!r} is no HOST:PORT, such as 127.0.0.1:8000.")
    if host not in LOOPBACK:
        raise SettingsError(
            f"--http {text!r} would serve the documents to whoever can reach {host!r}, and authentication comes first: "
            f"there is none yet. Use one of {', '.join(LOOPBACK)}."
        )
    return host, int(port)


async def serve_http(server: MCPServer[None], host: str, port: int) -> None:
    """Serve streamable HTTP at `/mcp` until the process is told to stop."""
    import uvicorn

    app = server.streamable_http_app(host=host)
    # Without a log configuration of its own, uvicorn writes through ours: to standard error.
    await uvicorn.Server(uvicorn.Config(app, host=host, port=port, log_config=None)).serve()


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Library]:
    """The library on these settings; what it is made of is imported only now, and off the event loop."""
    open_library = await asyncio.to_thread(_bootstrap)
    async with open_library(settings) as library:
        yield library


def _bootstrap() -> Callable[[Settings], AbstractAsyncContextManager[Library]]:
    from rag_core.bootstrap import open_library

    return open_library
