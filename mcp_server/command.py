"""`pincite mcp`: the server on standard input and output, or over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from eval.runs import Evals
    from mcp_server.auth import Doorkeeper
    from mcp_server.download import Downloader
    from rag_core.library import Library
    from rag_core.settings import Settings


def mcp(  # noqa: PLR0913, PLR0917 - each is an option
    http: Annotated[
        str | None, typer.Option("--http", metavar="HOST:PORT", help="Serve streamable HTTP here, not stdio.")
    ] = None,
    auth: Annotated[
        bool, typer.Option("--auth", help="Over HTTP, answer only clients with a token: `pincite token create`.")
    ] = False,
    url: Annotated[
        str | None, typer.Option("--url", help="The address that clients use, where it is not that of --http.")
    ] = None,
    collection: Annotated[
        str, typer.Option("--collection", help="The collection that clients see; with --auth each has its own.")
    ] = "local",
    root: Annotated[
        list[Path] | None,
        typer.Option(
            "--root",
            help="A folder whose PDFs clients may ingest by path. Repeatable.",
            exists=True,
            file_okay=False,
        ),
    ] = None,
    fetch: Annotated[bool, typer.Option(help="Let clients have PDFs fetched from public https links.")] = True,
    read_only: Annotated[bool, typer.Option("--read-only", help="Offer no tool that changes anything.")] = False,
    home: Annotated[
        Path | None,
        typer.Option("--home", help="The data folder.", show_default="PINCITE_HOME, or the system's place"),
    ] = None,
) -> None:
    """Serve the documents to other agents over MCP: ask, search, verify, with proof."""
    from mcp_server.listening import address_of
    from rag_core.garbage import loading
    from rag_core.settings import load_settings

    settings = load_settings(home=home)
    address = None if http is None else address_of(http, url=url, authenticated=auth)

    # The SDK builds hundreds of classes, all to stay: collecting between them is a fifth of the start.
    with loading():
        from mcp_server.roots import Roots
        from mcp_server.server import Allowed, build_server
        from rag_core.types import CollectionName

        def downloader() -> Downloader:
            from mcp_server.download import Downloader

            return Downloader(max_bytes=settings.max_bytes)

        server = build_server(
            lambda: opened(settings),
            collection=CollectionName(collection),
            open_evals=lambda library: measured(settings, library),
            allowed=Allowed(Roots(root or ()), downloader if fetch else None, read_only),
            doorkeeper=doorkeeper_of(settings, address.url) if address is not None and auth else None,
            eager=address is not None,
        )
    if address is None:
        server.run("stdio")
    else:
        from mcp_server.listening import serve

        asyncio.run(serve(server, address))


def doorkeeper_of(settings: Settings, url: str) -> Doorkeeper:
    """Who asks clients for their tokens: those of the catalog, and an OAuth server's, where one is set up.

    Raises:
        SettingsError: The OAuth server is set up by half.
    """
    from mcp_server.auth import Doorkeeper
    from rag_core.errors import SettingsError

    parts = (
        settings.mcp_issuer,
        settings.mcp_introspection_url,
        settings.mcp_client_id,
        settings.mcp_client_secret,
    )
    match parts:
        case (None, None, None, None):
            return Doorkeeper(url=url)
        case (str(issuer), str(endpoint), str(client_id), secret) if secret is not None:
            from mcp_server.introspection import Introspection

            asked = Introspection(issuer=issuer, endpoint=endpoint, client_id=client_id, client_secret=secret)
            return Doorkeeper(url=url, introspection=asked)
        case _:
            raise SettingsError(
                "An OAuth server takes all of PINCITE_MCP_ISSUER, PINCITE_MCP_INTROSPECTION_URL, "
                "PINCITE_MCP_CLIENT_ID and PINCITE_MCP_CLIENT_SECRET."
            )


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Library]:
    """The library on these settings; what it is made of is imported only now, and off the event loop."""
    open_library = await asyncio.to_thread(_bootstrap)
    async with open_library(settings) as library:
        yield library


@asynccontextmanager
async def measured(settings: Settings, library: Library) -> AsyncIterator[Evals]:
    """The engine of the evals over an open library, imported as late."""
    open_evals = await asyncio.to_thread(_engine)
    async with open_evals(settings, library) as engine:
        yield engine


def _engine() -> Callable[[Settings, Library], AbstractAsyncContextManager[Evals]]:
    from eval.runs import open_evals

    return open_evals


def _bootstrap() -> Callable[[Settings], AbstractAsyncContextManager[Library]]:
    from rag_core.bootstrap import open_library

    return open_library
