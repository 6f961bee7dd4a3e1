"""`/search`: the passages nearest to a question, as they stand in the documents."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot import render, reply
from bot.access import interaction_place
from bot.buttons.proof import proofs_of
from bot.commands.choices import documents_like
from bot.desk import Desk
from bot.limits import CHOICE
from bot.places import principal_of


class Search(commands.Cog):
    """Searches by command."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @app_commands.command()
    @app_commands.describe(query="Words, or a question.", document="Search this one alone.")
    async def search(
        self,
        interaction: discord.Interaction,
        query: app_commands.Range[str, 2, 500],
        document: app_commands.Range[str, 1, CHOICE] | None = None,
    ) -> None:
        """Find passages in this channel's documents, shown to you alone."""
        speaking = await reply.acknowledged(interaction, private=True)
        scope = await self._desk.access.scope(interaction_place(interaction), document=document)
        await self._desk.library.charge_question(principal_of(interaction.user.id))
        found = await self._desk.library.search(query, scope=scope)
        await speaking.end(render.found(found), view=proofs_of(found.passages))

    @search.autocomplete("document")
    async def titles(self, interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The documents whose title or file has what was typed."""
        return await documents_like(self._desk, interaction, current)
