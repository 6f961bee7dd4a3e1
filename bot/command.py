"""`pincite bot`: the Discord bot, until it is told to stop."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from rag_core.library import Library
    from rag_core.settings import Settings

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
    from rag_core.errors import SettingsError
    from rag_core.settings import load_settings

    settings = load_settings(home=home)
    if settings.discord_token is None:
        raise SettingsError(HOW_TO_START)

    import asyncio

    import discord

    discord.utils.setup_logging(root=True)
    try:
        asyncio.run(run(settings, settings.discord_token.get_secret_value()))
    except discord.LoginFailure as exc:
        raise SettingsError(
            f"Discord refused the token in DISCORD_TOKEN: reset it on the page Bot at {PORTAL}."
        ) from exc
    except KeyboardInterrupt:
        # What was under way is taken up again by the next start.
        return


async def run(settings: Settings, token: str) -> None:
    """Run the bot until it is told to stop; without the messages that Discord keeps back, where it must.

    Raises:
        LoginFailure: Discord refuses the token.
    """
    import logging

    import discord

    try:
        await _serve(settings, token, message_content=True)
    except discord.PrivilegedIntentsRequired:
        logging.getLogger(__name__).warning(WITHOUT_CONTENT)
        await _serve(settings, token, message_content=False)


async def _serve(settings: Settings, token: str, *, message_content: bool) -> None:
    import asyncio
    import contextlib
    import signal

    from bot.client import PinciteBot
    from bot.store.store import open_store
    from eval.runs import open_evals
    from rag_core.bootstrap import open_library
    from rag_core.garbage import set_aside

    @contextlib.asynccontextmanager
    async def library() -> AsyncIterator[Library]:
        """An open library whose queue is drained."""
        async with open_library(settings) as opened:
            draining = asyncio.create_task(opened.drain())
            try:
                yield opened
            finally:
                draining.cancel()
                await asyncio.wait([draining])

    client = PinciteBot(
        library,
        lambda: open_store(settings.home),
        lambda opened: open_evals(settings, opened),
        message_content=message_content,
        loaded=set_aside,
    )
    async with client:
        # Whoever stops a service sends this; Windows has no such signal to wait for.
        with contextlib.suppress(NotImplementedError):
            closing = lambda: asyncio.ensure_future(client.close())  # noqa: E731 - a name would say no more
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, closing)
        await client.start(token)
