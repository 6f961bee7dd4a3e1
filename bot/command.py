"""`pincite bot`: the Discord bot, until it is told to stop."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from contextlib import AbstractAsyncContextManager

    from bot.client import PinciteBot
    from rag_core.library import Library
    from rag_core.settings import Settings

    OpenLibrary = Callable[[], AbstractAsyncContextManager[Library]]

PORTAL = "https://discord.com/developers/applications"
HOW_TO_START = (
    f"The bot needs a token. Make an application at {PORTAL}, open its page Bot, press Reset Token, switch on "
    "Message Content Intent there, and set DISCORD_TOKEN to the token, in the environment or in .env."
)
WITHOUT_CONTENT = (
    "Discord does not let the bot read messages that do not mention it: switch on Message Content Intent on the page "
    f"Bot at {PORTAL}, and start it again. Until then it answers mentions, slash commands and message menus."
)


def bot(
    home: Annotated[
        Path | None,
        typer.Option("--home", help="The data folder.", show_default="PINCITE_HOME, or the system's place"),
    ] = None,
) -> None:
    """Run the Discord bot: attach a PDF in a channel, ask in its thread, get a verified answer."""
    from rag_core.settings import load_settings

    settings = load_settings(home=home)
    token = _token_of(settings)

    import asyncio

    import discord

    from rag_core.bootstrap import open_drained
    from rag_core.running import until_told

    discord.utils.setup_logging(root=True)
    try:
        asyncio.run(until_told(_run(settings, token, lambda: open_drained(settings))))
    except KeyboardInterrupt:
        # What was under way is taken up again by the next start.
        return


def door(settings: Settings, library: Library) -> Coroutine[object, object, None]:
    """The bot on a library that is open, and whose queue somebody drains: a work that goes on until it is cancelled.

    Raises:
        SettingsError: There is no token. Discord's refusal of one is raised by the work.
    """
    from contextlib import nullcontext

    return _run(settings, _token_of(settings), lambda: nullcontext(library))


def _token_of(settings: Settings) -> str:
    from rag_core.errors import SettingsError

    if settings.discord_token is None:
        raise SettingsError(HOW_TO_START)
    return settings.discord_token.get_secret_value()


async def _run(settings: Settings, token: str, open_library: OpenLibrary) -> None:
    """Run the bot until it is cancelled, from when Discord can be reached; without the messages that it keeps back.

    Raises:
        SettingsError: Discord refuses the token.
    """
    import asyncio
    import logging

    import aiohttp
    import discord
    from discord.backoff import ExponentialBackoff

    from rag_core.errors import SettingsError

    log = logging.getLogger(__name__)
    patience = ExponentialBackoff()
    message_content = True
    while True:
        try:
            return await _serve(settings, token, open_library, message_content=message_content)
        except discord.PrivilegedIntentsRequired:
            log.warning(WITHOUT_CONTENT)
            message_content = False
        except discord.LoginFailure as exc:
            raise SettingsError(
                f"Discord refused the token in DISCORD_TOKEN: reset it on the page Bot at {PORTAL}."
            ) from exc
        except (OSError, aiohttp.ClientError, discord.DiscordServerError, discord.GatewayNotFound) as exc:
            # At the start only: what is lost later, discord.py mends by itself.
            delay = patience.delay()
            log.warning("Discord cannot be reached (%s): the bot tries again in %.0f s", exc, delay)
            await asyncio.sleep(delay)


async def _serve(settings: Settings, token: str, open_library: OpenLibrary, *, message_content: bool) -> None:
    from bot.client import PinciteBot
    from bot.store.store import open_store
    from eval.runs import open_evals
    from rag_core.garbage import set_aside

    def loaded() -> None:
        set_aside()
        say_that_it_is_there(client)

    client = PinciteBot(
        open_library,
        lambda: open_store(settings.home),
        lambda opened: open_evals(settings, opened),
        message_content=message_content,
        loaded=loaded,
    )
    async with client:
        await client.start(token)


def say_that_it_is_there(client: PinciteBot) -> None:
    """On standard error: as whom, in how many servers, and where it is in none, how it comes into one."""
    servers = len(client.guilds)
    hint = "" if servers else " `pincite doctor --discord` prints the link that lets it into one."
    typer.echo(
        f"The bot is on Discord as {client.user}, in {servers} server{'' if servers == 1 else 's'}.{hint}", err=True
    )
