"""`pincite token create|list|revoke`: who may use the server over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rag_core.cli import options, output
from rag_core.cli.session import collection_of, with_library

if TYPE_CHECKING:
    from rag_core.library import Library
    from rag_core.types.credentials import Token

token = typer.Typer(help="Make, list and take back the tokens of clients over HTTP.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="NAME", help="Who it is for; the name of their documents' owner.")]


@token.command("create")
def create(  # noqa: PLR0913, PLR0917 - each is an option
    name: Name,
    scope: Annotated[
        list[str] | None,
        typer.Option("--scope", help="read, write or eval; repeatable. Without one: read."),
    ] = None,
    collection: Annotated[
        str | None, typer.Option("--collection", help="A collection to share, instead of one of its own.")
    ] = None,
    days: Annotated[int | None, typer.Option("--days", min=1, max=36500, help="Days until it expires.")] = None,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Make a token, and show its secret: once, and never again."""
    from datetime import timedelta

    async def work(library: Library) -> tuple[Token, str]:
        return await library.access.issue(
            name,
            permissions=scope or ["read"],
            collection=None if collection is None else collection_of(collection),
            lifetime=None if days is None else timedelta(days=days),
        )

    made, secret = with_library(home, work)
    if json:
        output.emit({**_object(made), "secret": secret})
    else:
        output.say(secret)
        output.note(f"This is the token of {made.name!r}, shown this once: keep it where its client reads it.")


@token.command("list")
def list_tokens(home: options.Home = None, json: options.Json = False) -> None:
    """List the tokens, without their secrets: nobody has these but their clients."""

    async def work(library: Library) -> list[Token]:
        return await library.access.tokens()

    tokens = with_library(home, work)
    for one in tokens:
        if json:
            output.emit(_object(one))
        else:
            until = f", until {one.expires_at:%Y-%m-%d}" if one.expires_at else ""
            output.say(f"{one.name}  {' '.join(sorted(one.permissions))}  in {one.collection!r}{until}")
    if not tokens and not json:
        output.note("There are no tokens yet: `pincite token create NAME` makes one.")


@token.command("revoke")
def revoke(name: Name, home: options.Home = None) -> None:
    """Take a token back: its secret lets nobody in from now on. Its documents stay."""

    async def work(library: Library) -> None:
        await library.access.revoke(name)

    with_library(home, work)
    output.note(f"The token {name!r} is revoked.")


def _object(value: Token) -> dict[str, Any]:
    return {
        "name": value.name,
        "scopes": sorted(value.permissions),
        "collection": value.collection,
        "created_at": value.created_at.isoformat(),
        "expires_at": value.expires_at.isoformat() if value.expires_at else None,
    }
