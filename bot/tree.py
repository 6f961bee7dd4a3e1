"""The one place where an error becomes a message: for commands, buttons and plain messages alike."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import discord
from discord import app_commands

from bot.render import LIMIT, inert
from rag_core.errors import RagError

log = logging.getLogger(__name__)

Say = Callable[[str], Awaitable[object]]
"""Sends a text to whoever waits for it."""


def sentence(error: BaseException) -> str:
    """What a person is told: a `RagError`'s own words, what is missing for a command, and of any other nothing."""
    match error:
        case app_commands.CommandInvokeError():
            return sentence(error.original)
        case RagError() | app_commands.AppCommandError():
            return f"⚠️ {inert(str(error))}"[:LIMIT]
        case discord.Forbidden():
            return (
                "⚠️ I may not do that here: I need to see the channel, send messages, create threads and attach files."
            )
        case _:
            return "⚠️ Something broke on my side. It is logged; please try again."


@asynccontextmanager
async def told(say: Say) -> AsyncIterator[None]:
    """Whatever goes wrong inside is said to whoever waits, and logged where it is nobody's doing."""
    try:
        yield
    except Exception as exc:  # noqa: BLE001 - the outermost boundary of one message or click; nobody else would tell
        await tell(say, exc)


async def tell(say: Say, error: Exception) -> None:
    """Say it, and log what is a fault of ours. Someone who cannot be told is no reason to fail."""
    cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
    if not isinstance(cause, RagError | app_commands.AppCommandError | discord.Forbidden):
        log.error("a request failed", exc_info=cause)
    try:
        await say(sentence(error))
    except discord.HTTPException as exc:
        log.warning("nobody could be told of %r: %s", cause, exc)


async def say_to(interaction: discord.Interaction, text: str) -> None:
    """Answer an interaction, whether or not it was acknowledged before, for the one who asked alone."""
    if interaction.response.is_done():
        await interaction.followup.send(text, ephemeral=True)
    else:
        await interaction.response.send_message(text, ephemeral=True)


class Tree(app_commands.CommandTree):
    """The command tree; its errors are told here."""

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError, /) -> None:
        """Tell the one who used the command."""
        await tell(lambda text: say_to(interaction, text), error)
