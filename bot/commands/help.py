"""`/help`: what the bot does, on one page."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.phrases import say


class Help(commands.Cog):
    """Help by command."""

    @app_commands.command()
    async def help(self, interaction: discord.Interaction) -> None:
        """Say what I can do, to you alone."""
        await interaction.response.send_message(say().help, ephemeral=True)
