"""The MCP server put together from its parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_server import prompts
from mcp_server.answering import Answering
from mcp_server.callers import Caller, WhoAsks
from mcp_server.collecting import Collecting
from mcp_server.completing import Completing
from mcp_server.desk import Desk, OpenEvals, OpenLibrary
from mcp_server.fetching import Fetches
from mcp_server.keeping import KeptAnswers
from mcp_server.levels import Levels
from mcp_server.measuring import Measuring
from mcp_server.offers import offers
from mcp_server.reading import Reading
from mcp_server.resources import Resources
from mcp_server.roots import Roots
from mcp_server.service import PinciteServer
from rag_core.types import CollectionName
from rag_core.types.credentials import PERMISSIONS
from rag_core.types.jobs import LOCAL

if TYPE_CHECKING:
    from mcp_server.auth import Doorkeeper
    from mcp_server.download import Downloader


@dataclass(frozen=True, slots=True)
class Allowed:
    """What the server lets anybody do at all, whatever their token says."""

    roots: Roots
    """Folders that files are read from."""
    downloader: Callable[[], Downloader] | None = None
    """What links are fetched with; None when none are."""
    read_only: bool = False
    """Then no tool that changes anything is there."""


def build_server(  # noqa: PLR0913 - all that a server is made of
    open_library: OpenLibrary,
    *,
    collection: CollectionName,
    allowed: Allowed,
    open_evals: OpenEvals | None = None,
    doorkeeper: Doorkeeper | None = None,
    eager: bool = False,
    drains: bool = True,
) -> PinciteServer:
    """A server of the library that `open_library` opens, at the first tool call, or at its start when `eager`.

    Without `open_evals` nothing is measured. Without a `doorkeeper` everybody is the one user of this machine, and sees
    `collection`. With `drains` it sees to the library's queue, unless it may change nothing.
    """
    desk = Desk(open_library, open_evals, drains=drains and not allowed.read_only)
    kept, levels = KeptAnswers(), Levels()
    fetches = None if allowed.read_only or allowed.downloader is None else Fetches(allowed.downloader)
    who: WhoAsks = doorkeeper.who if doorkeeper else _one_user(collection)
    collecting = (
        None if allowed.read_only else Collecting(desk, who, roots=allowed.roots, fetches=fetches, levels=levels)
    )
    measuring = None if allowed.read_only or open_evals is None else Measuring(desk, who, levels)
    if doorkeeper is not None:
        doorkeeper.ask_at(desk)
    server = PinciteServer(
        desk,
        who,
        list(offers(Reading(desk, who), Answering(desk, who, kept, levels), collecting, measuring)),
        levels=levels,
        fetches=fetches,
        eager=eager,
        auth=doorkeeper.settings if doorkeeper else None,
        verifier=doorkeeper,
    )
    Resources(desk, who, kept).add_to(server)
    Completing(desk, who, kept).add_to(server)
    prompts.add_to(server)
    return server


def _one_user(collection: CollectionName) -> WhoAsks:
    user = Caller(LOCAL, collection, PERMISSIONS)
    return lambda: user
