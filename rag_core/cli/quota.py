"""`pincite quota set|list|clear`: how much a principal may send, ask and keep."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from rag_core.cli import options, output
from rag_core.cli.session import with_library

if TYPE_CHECKING:
    from rag_core.library import Library
    from rag_core.types.jobs import Principal
    from rag_core.types.quotas import Quota

quota = typer.Typer(help="Say how much somebody may send, ask and keep.", no_args_is_help=True)

Whose = Annotated[
    str | None,
    typer.Argument(
        metavar="[PRINCIPAL]",
        help="Whose: local, discord-ID of a person, a token's name; without one, of all who have none of theirs.",
        show_default=False,
    ),
]


@quota.command("set")
def set_quota(  # noqa: PLR0913, PLR0917 - each is an option
    principal: Whose = None,
    uploads: Annotated[int | None, typer.Option("--uploads", min=0, help="Files an hour.")] = None,
    questions: Annotated[
        int | None, typer.Option("--questions", min=0, help="Questions, searches and checks an hour.")
    ] = None,
    room: Annotated[int | None, typer.Option("--bytes", min=0, help="Of all their documents together.")] = None,
    pages: Annotated[int | None, typer.Option("--pages", min=0, help="Of all their documents together.")] = None,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Allow so much, and no limit where none is given; it takes the place of what was allowed before."""
    from rag_core.types.quotas import Quota

    allowed = Quota(uploads, questions, room, pages)

    async def work(library: Library) -> None:
        await library.set_quota(_principal(principal), allowed)

    with_library(home, work)
    _tell(_principal(principal), allowed, json=json)


@quota.command("list")
def list_quotas(home: options.Home = None, json: options.Json = False) -> None:
    """List what was set."""

    async def work(library: Library) -> dict[Principal, Quota]:
        return await library.quotas()

    found = with_library(home, work)
    for principal, allowed in found.items():
        _tell(principal, allowed, json=json)
    if not found and not json:
        output.note("There are no quotas: everybody may do as much as they like.")


@quota.command("clear")
def clear(principal: Whose = None, home: options.Home = None) -> None:
    """Take a quota away: what holds then is that of all who have none of theirs, if there is one."""

    async def work(library: Library) -> None:
        await library.set_quota(_principal(principal), None)

    with_library(home, work)
    output.note(f"{_named(_principal(principal))} has no quota of its own now.")


def _principal(name: str | None) -> Principal:
    from rag_core.types.jobs import Principal
    from rag_core.types.quotas import EVERYBODY

    return EVERYBODY if name is None else Principal(name)


def _named(principal: Principal) -> str:
    return principal or "everybody"


def _tell(principal: Principal, allowed: Quota, *, json: bool) -> None:
    if json:
        output.emit({"principal": principal or None, **asdict(allowed)})
        return
    said = {
        "uploads an hour": allowed.uploads_an_hour,
        "questions an hour": allowed.questions_an_hour,
        "bytes": allowed.bytes,
        "pages": allowed.pages,
    }
    limits = ", ".join(f"{most} {what}" for what, most in said.items() if most is not None)
    output.say(f"{_named(principal)}  {limits or 'no limit'}")
