"""`/verify`: the referee. Any text or message against this channel's documents."""

from __future__ import annotations

import re

import discord
from discord import app_commands
from discord.ext import commands

from bot import render, reply
from bot.access import interaction_place
from bot.desk import Desk
from bot.phrases import say
from bot.places import principal_of
from rag_core.errors import NotAllowed, NotFoundError

LONGEST = 2000

_LINK = re.compile(
    r"https://(?:\w+\.)?discord(?:app)?\.com/channels/(?P<server>\d+|@me)/(?P<channel>\d+)/(?P<message>\d+)"
)


class MessageGone(NotFoundError):
    """A link to a message that is not there, or not for its reader."""


class Verify(commands.Cog):
    """Checks by command."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @app_commands.command()
    @app_commands.describe(text="What somebody says that the documents say, or a link to a message.")
    async def verify(self, interaction: discord.Interaction, text: app_commands.Range[str, 3, LONGEST]) -> None:
        """Check a text against this channel's documents, statement by statement."""
        speaking = await reply.acknowledged(interaction)
        link = _LINK.fullmatch(text.strip())
        await check(self._desk, interaction, speaking, await _linked(interaction, link) if link else text)


async def check(desk: Desk, interaction: discord.Interaction, speaking: reply.Reply, text: str) -> None:
    """Say what every statement of a text comes to.

    Raises:
        NotAllowed: There is no text.
    """
    if not text.strip():
        raise NotAllowed(say().no_text)
    scope = await desk.access.scope(interaction_place(interaction))
    await desk.library.charge_question(principal_of(interaction.user.id))
    await speaking.end(render.verification(await desk.library.verify(text, scope=scope)))


async def _linked(interaction: discord.Interaction, link: re.Match[str]) -> str:
    """What the linked message says, where whoever asks can read it: a check must not show what a channel hides."""
    gone = MessageGone(say().message_not_there)
    channel = (
        interaction.guild.get_channel_or_thread(int(link["channel"])) if interaction.guild else interaction.channel
    )
    if channel is None or channel.id != int(link["channel"]) or not isinstance(channel, discord.abc.Messageable):
        raise gone
    if not await _may_read(interaction.user, channel):
        raise gone
    try:
        return (await channel.fetch_message(int(link["message"]))).content
    except (discord.NotFound, discord.Forbidden) as exc:
        raise gone from exc


async def _may_read(person: discord.Member | discord.User, channel: discord.abc.Messageable) -> bool:
    """Whether somebody reads a channel of their server; a private thread only who was let in, or keeps threads."""
    if not isinstance(person, discord.Member) or not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return True
    may = channel.permissions_for(person)
    if not (may.view_channel and may.read_message_history):
        return False
    if isinstance(channel, discord.Thread) and channel.is_private() and not may.manage_threads:
        try:
            await channel.fetch_member(person.id)
        except discord.NotFound:
            return False
    return True
