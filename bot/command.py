"""`pincite bot`: the Discord bot, until it is told to stop."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

PORTAL = "https://discord.com/developers/applications"
HOW_TO_START = (
    f"The bot needs a token. Make an application at {PORTAL}, open its page Bot, press Reset Token, switch on "
    "Message Content Intent there, and set DISCORD_TOKEN to the token, in the environment or in .env."
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

    import discord

    from bot.client import PinciteBot
    from rag_core.bootstrap import open_library

    client = PinciteBot(lambda: open_library(settings))
    try:
        client.run(settings.discord_token.get_secret_value(), root_logger=True)
    except discord.LoginFailure as exc:
        raise SettingsError(
            f"Discord refused the token in DISCORD_TOKEN: reset it on the page Bot at {PORTAL}."
        ) from exc
    except discord.PrivilegedIntentsRequired as exc:
        raise SettingsError(
            f"Discord does not let the bot read messages: switch on Message Content Intent on the page Bot at {PORTAL}."
        ) from exc
