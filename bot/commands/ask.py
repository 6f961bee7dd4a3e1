"""`/ask`: a question, anywhere, of this channel's documents."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.commands.choices import documents_like
from bot.desk import Desk
from bot.limits import CHOICE


class Ask(commands.Cog):
    """Questions by command."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @app_commands.command()
    @app_commands.describe(
        question="What you want to know.",
        document="Ask this one alone.",
        private="Show the answer to you alone.",
    )
    async def ask(
        self,
        interaction: discord.Interaction,
        question: app_commands.Range[str, 3, 500],
        document: app_commands.Range[str, 1, CHOICE] | None = None,
        private: bool = False,
    ) -> None:
        """Answer a question from this channel's documents, with proof."""
        await self._desk.conversation.ask_by(interaction, question, document=document, private=private)

    @ask.autocomplete("document")
    async def titles(self, interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The documents whose title or file has what was typed."""
        return await documents_like(self._desk, interaction, current)
