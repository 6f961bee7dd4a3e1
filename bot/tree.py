"""The one place where an error becomes a message: for commands, buttons and plain messages alike."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import discord
from discord import app_commands

from bot import limits
from bot.desk import desk_of
from bot.inert import inert
from bot.permissions import missing, missing_in
from bot.phrases import say, speak
from rag_core.errors import RagError

log = logging.getLogger(__name__)

Say = Callable[[str], Awaitable[object]]
"""Sends a text to whoever waits for it."""

SERVER_FAULT = 500
"""HTTP statuses from which on the fault is Discord's."""


FAILURES = (discord.HTTPException, aiohttp.ClientError, TimeoutError)
"""What a call of Discord raises: it answered that it will not or cannot, or the network gave no answer."""


def sentence(error: BaseException, channel: object = None) -> str:
    """What a person is told: a `RagError`'s own words, what is missing for a command, and of any other nothing.

    Where the error is that the bot may not do something, `channel` tells which permission it lacks.
    """
    match cause := cause_of(error):
        case RagError() | app_commands.AppCommandError():
            return f"⚠️ {inert(str(cause))}"[: limits.MESSAGE]
        case discord.Forbidden() | discord.HTTPException(code=limits.NO_HISTORY):
            return _forbidden(missing_in(channel))
        case discord.NotFound(code=limits.UNKNOWN_MESSAGE):
            return say().message_gone
        case discord.NotFound(code=limits.UNKNOWN_INTERACTION):
            return say().too_late
        case _ if is_discords_fault(cause):
            return say().discord_trouble
        case _:
            return say().broke


def _forbidden(lacks: Sequence[str]) -> str:
    """What the bot needs: the permissions that it lacks, or where none is known to be missing, all."""
    needed = lacks or missing(discord.Permissions.none())
    return say().forbidden.format(deeds=", ".join(getattr(say(), f"may_{name}") for name in needed))


def is_discords_fault(error: BaseException) -> bool:
    """Whether it may work the next time: Discord, or its file server, failed or could not be reached."""
    match error:
        case discord.HTTPException(status=status):
            return status >= SERVER_FAULT
        case aiohttp.ClientError() | TimeoutError():
            return True
        case _:
            return False


def cause_of(error: BaseException) -> BaseException:
    """What went wrong, out of what it came wrapped in: a command's error, or several tasks'."""
    match error:
        case app_commands.CommandInvokeError():
            return cause_of(error.original)
        case BaseExceptionGroup():
            return cause_of(error.exceptions[0])
        case _:
            return error


@asynccontextmanager
async def told(*ways: Say, channel: object = None) -> AsyncIterator[None]:
    """Whatever goes wrong inside is said to whoever waits, and logged where it is nobody's doing.

    Args:
        ways: As of `tell`.
        channel: As of `sentence`.
    """
    try:
        yield
    except Exception as exc:  # noqa: BLE001 - the outermost boundary of one message or click; nobody else would tell
        await tell(exc, *ways, channel=channel)


async def tell(error: Exception, *ways: Say, channel: object = None) -> None:
    """Say it by the first of the ways that works, and log what is a fault of ours.

    Someone who cannot be told by any of them is no reason to fail.
    """
    cause = cause_of(error)
    if isinstance(cause, discord.HTTPException) and cause.code == limits.ALREADY_ACKNOWLEDGED:
        log.info("Discord took an answer whose receipt was lost on the way: %s", cause)
        return
    if is_gone(cause):
        log.info("a place or an interaction is gone: %s", cause)
    elif not isinstance(cause, RagError | app_commands.AppCommandError | discord.Forbidden):
        log.error("a request failed", exc_info=cause)
    for way in ways:
        try:
            await way(sentence(error, channel))
        except FAILURES as exc:
            log.warning("one way to tell of %r failed: %s", cause, exc)
        else:
            return


def is_gone(error: BaseException) -> bool:
    """Whether there is nobody left to answer: the channel was deleted, or the interaction ended."""
    return isinstance(error, discord.HTTPException) and error.code in {
        limits.UNKNOWN_CHANNEL,
        limits.UNKNOWN_MESSAGE,
        limits.UNKNOWN_INTERACTION,
    }


async def say_to(interaction: discord.Interaction, text: str, view: discord.ui.View | None = None) -> None:
    """Answer an interaction, whether or not it was acknowledged before, for the one who asked alone."""
    options: dict[str, Any] = {} if view is None else {"view": view}
    if interaction.response.is_done():
        await interaction.followup.send(text, ephemeral=True, **options)
    else:
        await interaction.response.send_message(text, ephemeral=True, **options)


def ways_to(interaction: discord.Interaction) -> tuple[Say, ...]:
    """How to tell whoever used a command or a button: there, else in private."""
    return (lambda text: say_to(interaction, text), interaction.user.send)


class Tree(app_commands.CommandTree):
    """The command tree: each command is answered in the server's language, and its errors are told here."""

    async def interaction_check(self, interaction: discord.Interaction, /) -> bool:
        """Everything may be done; in the server's language."""
        speak(await desk_of(interaction).access.language(interaction.guild, interaction.locale))
        return True

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError, /) -> None:
        """Tell the one who used the command."""
        await tell(error, *ways_to(interaction), channel=interaction.channel)
