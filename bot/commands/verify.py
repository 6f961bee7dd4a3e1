"""`/verify`: the referee. Any text against this channel's documents."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot import render
from bot.channels import scope_of
from bot.speech import send_all
from rag_core.library import Library


class Verify(commands.Cog):
    """Checks by command."""

    def __init__(self, library: Library) -> None:
        self._library = library

    @app_commands.command()
    @app_commands.describe(text="What somebody says that the documents say.")
    async def verify(self, interaction: discord.Interaction, text: app_commands.Range[str, 3, 2000]) -> None:
        """Check a text against this channel's documents, statement by statement."""
        await interaction.response.defer(thinking=True)
        checked = await self._library.verify(text, scope=scope_of(interaction))
        await send_all(interaction.followup.send, render.verification(checked))
