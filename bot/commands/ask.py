"""`/ask`: a question, anywhere, of this channel's documents."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.channels import scope_of
from bot.speech import send_answer
from rag_core.library import Library


class Ask(commands.Cog):
    """Questions by command."""

    def __init__(self, library: Library) -> None:
        self._library = library

    @app_commands.command()
    @app_commands.describe(question="What you want to know.", private="Show the answer to you alone.")
    async def ask(
        self,
        interaction: discord.Interaction,
        question: app_commands.Range[str, 3, 500],
        private: bool = False,
    ) -> None:
        """Answer a question from this channel's documents, with proof."""
        await interaction.response.defer(thinking=True, ephemeral=private)  # Discord allows 3 s to acknowledge
        answer = await self._library.ask(question, scope=scope_of(interaction))
        await send_answer(interaction.followup.send, answer, ephemeral=private)
