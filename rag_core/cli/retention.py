"""`pincite retention set|list|clear`: for how long collections keep their documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rag_core.cli import options, output
from rag_core.cli.session import collection_of, with_library

if TYPE_CHECKING:
    from rag_core.library import Library
    from rag_core.types import CollectionName

retention = typer.Typer(help="Say for how long collections keep their documents.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="COLLECTION", help="The collection.")]


@retention.command("set")
def set_days(
    collection: Name,
    days: Annotated[float, typer.Option("--days", min=0, max=36500, help="The age at which a document is removed.")],
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Remove a collection's documents at an age, counted from when each came into it; looked at every hour."""
    if not days:
        raise typer.BadParameter("at 0 days every document would go; `pincite retention clear` keeps them for ever")

    async def work(library: Library) -> None:
        await library.set_retention(collection_of(collection), days)

    with_library(home, work)
    _tell(collection_of(collection), days, json=json)


@retention.command("list")
def list_retentions(home: options.Home = None, json: options.Json = False) -> None:
    """List the collections that do not keep their documents for ever."""

    async def work(library: Library) -> dict[CollectionName, float]:
        return await library.retentions()

    found = with_library(home, work)
    for collection, days in found.items():
        _tell(collection, days, json=json)
    if not found and not json:
        output.note("Every collection keeps its documents for ever.")


@retention.command("clear")
def clear(collection: Name, home: options.Home = None, json: options.Json = False) -> None:
    """Keep a collection's documents for ever."""

    async def work(library: Library) -> None:
        await library.set_retention(collection_of(collection), None)

    with_library(home, work)
    _tell(collection_of(collection), None, json=json)


def _tell(collection: CollectionName, days: float | None, *, json: bool) -> None:
    if json:
        output.emit({"collection": collection, "days": days})
    else:
        output.say(f"{collection}  {'for ever' if days is None else f'{days:g} days'}")
