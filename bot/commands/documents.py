"""`/documents`: which there are, and taking one away."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot import render
from bot.channels import scope_of
from bot.speech import send_all
from rag_core.library import Library

MOST_CHOICES = 25
"""Of an autocompletion, by Discord's rule."""
LONGEST_NAME = 100
"""Characters of a choice, by Discord's rule."""


class Documents(commands.GroupCog, group_name="documents", group_description="This channel's documents."):
    """What this channel holds."""

    def __init__(self, library: Library) -> None:
        self._library = library

    @app_commands.command(name="list")
    async def list_(self, interaction: discord.Interaction) -> None:
        """List this channel's documents."""
        await interaction.response.defer(thinking=True, ephemeral=True)
        documents = await self._library.documents(scope_of(interaction))
        await send_all(interaction.followup.send, render.documents(documents), ephemeral=True)

    @app_commands.command()
    @app_commands.describe(document="Its title, its file or its id.")
    @app_commands.checks.has_permissions(manage_messages=True)
    async def remove(
        self, interaction: discord.Interaction, document: app_commands.Range[str, 1, LONGEST_NAME]
    ) -> None:
        """Remove a document from this channel; for those who may manage messages."""
        await interaction.response.defer(thinking=True)
        scope = scope_of(interaction)
        meant = await self._library.document(document, scope=scope)
        await interaction.followup.send(render.removed(await self._library.remove(meant.id, scope=scope)))

    @remove.autocomplete("document")
    async def titles(self, interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The documents whose title or file has what was typed."""
        documents = await self._library.documents(scope_of(interaction))
        fitting = [d for d in documents if current.casefold() in f"{d.title} {d.filename}".casefold()]
        return [app_commands.Choice(name=d.title[:LONGEST_NAME], value=d.id) for d in fitting[:MOST_CHOICES]]
