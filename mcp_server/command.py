"""`pincite mcp`: the server on standard input and output, or over HTTP; `pincite serve`: beside the bot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from eval.runs import Evals
    from mcp_server.auth import Doorkeeper
    from mcp_server.desk import OpenLibrary
    from mcp_server.download import Downloader
    from mcp_server.listening import Address
    from mcp_server.service import PinciteServer
    from rag_core.library import Library
    from rag_core.settings import Settings


DOORS = "pincite.doors"
"""The entry-point group of what `pincite serve` runs beside this server: the bot, which this package does not know."""

Auth = Annotated[
    bool, typer.Option("--auth", help="Over HTTP, answer only clients with a token: `pincite token create`.")
]
Url = Annotated[str | None, typer.Option("--url", help="The address that clients use, where it is not that of --http.")]
Collection = Annotated[
    str, typer.Option("--collection", help="The collection that clients see; with --auth each has its own.")
]
Root = Annotated[
    list[Path] | None,
    typer.Option(
        "--root", help="A folder whose PDFs clients may ingest by path. Repeatable.", exists=True, file_okay=False
    ),
]
Fetch = Annotated[bool, typer.Option(help="Let clients have PDFs fetched from public https links.")]
ReadOnly = Annotated[bool, typer.Option("--read-only", help="Offer no tool that changes anything.")]
Home = Annotated[
    Path | None, typer.Option("--home", help="The data folder.", show_default="PINCITE_HOME, or the system's place")
]


@dataclass(frozen=True, slots=True)
class Offer:
    """What the options of a command say of the server: whom it answers, and what it lets them do."""

    address: Address | None
    """Where it listens; None is standard input and output."""
    auth: bool
    collection: str
    roots: Sequence[Path]
    fetch: bool
    read_only: bool


def mcp(  # noqa: PLR0913, PLR0917 - each is an option
    http: Annotated[
        str | None, typer.Option("--http", metavar="HOST:PORT", help="Serve streamable HTTP here, not stdio.")
    ] = None,
    auth: Auth = False,
    url: Url = None,
    collection: Collection = "local",
    root: Root = None,
    fetch: Fetch = True,
    read_only: ReadOnly = False,
    home: Home = None,
) -> None:
    """Serve the documents to other agents over MCP: ask, search, verify, with proof."""
    from mcp_server.listening import address_of
    from rag_core.settings import load_settings

    settings = load_settings(home=home)
    address = None if http is None else address_of(http, url=url, authenticated=auth)
    offer = Offer(address, auth, collection, root or (), fetch, read_only)
    server = server_of(settings, offer, lambda: opened(settings), drains=True)
    if address is None:
        server.run("stdio")
    else:
        from mcp_server import listening

        asyncio.run(listening.serve(server, address))


def serve(  # noqa: PLR0913, PLR0917 - each is an option
    http: Annotated[
        str, typer.Option("--http", metavar="HOST:PORT", help="Where the MCP server listens.")
    ] = "127.0.0.1:8000",
    auth: Auth = False,
    url: Url = None,
    collection: Collection = "local",
    root: Root = None,
    fetch: Fetch = True,
    read_only: ReadOnly = False,
    home: Home = None,
) -> None:
    """Run both doors in one process, on one open library: the Discord bot, and the MCP server over HTTP."""
    from mcp_server import listening
    from rag_core.settings import load_settings

    settings = load_settings(home=home)
    address = listening.address_of(http, url=url, authenticated=auth)
    offer = Offer(address, auth, collection, root or (), fetch, read_only)

    async def both() -> None:
        from rag_core.bootstrap import open_drained
        from rag_core.running import until_told

        async with open_drained(settings) as library:
            server = server_of(settings, offer, lambda: nullcontext(library), drains=False)
            doors = [point.load()(settings, library) for point in entry_points(group=DOORS)]
            await until_told(listening.serve(server, address), *doors)

    try:
        asyncio.run(both())
    except KeyboardInterrupt:
        # What was under way is taken up again by the next start.
        return


def server_of(settings: Settings, offer: Offer, open_library: OpenLibrary, *, drains: bool) -> PinciteServer:
    """The server that the options ask for; `drains` where it sees to the library's queue itself.

    Raises:
        SettingsError: The OAuth server is set up by half.
    """
    from rag_core.garbage import loading

    # The SDK builds hundreds of classes, all to stay: collecting between them is a fifth of the start.
    with loading():
        from mcp_server.roots import Roots
        from mcp_server.server import Allowed, build_server
        from rag_core.types import CollectionName

        def downloader() -> Downloader:
            from mcp_server.download import Downloader

            return Downloader(max_bytes=settings.max_bytes)

        return build_server(
            open_library,
            collection=CollectionName(offer.collection),
            open_evals=lambda library: measured(settings, library),
            allowed=Allowed(Roots(offer.roots), downloader if offer.fetch else None, offer.read_only),
            doorkeeper=doorkeeper_of(settings, offer.address.url) if offer.address is not None and offer.auth else None,
            eager=offer.address is not None,
            drains=drains,
        )


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
