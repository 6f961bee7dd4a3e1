"""`/settings`: what a server decides for itself."""

from __future__ import annotations

from dataclasses import replace

import discord
from discord import app_commands
from discord.ext import commands

from bot import reply, words
from bot.commands.managing import ForManagers
from bot.desk import Desk
from bot.phrases import Language, say, speak
from bot.settings import LONGEST_RETENTION, Listening, ServerSettings, Uploaders
from rag_core.errors import NotAllowed
from rag_core.types import Policy


class Settings(
    ForManagers, commands.GroupCog, group_name="settings", group_description="What this server decides for itself."
):
    """For those who manage the server."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @app_commands.command()
    async def show(self, interaction: discord.Interaction) -> None:
        """Show this server's settings."""
        speaking = await reply.acknowledged(interaction, private=True)
        await speaking.end([words.settings(await self._settings(interaction))])

    @app_commands.command()
    @app_commands.describe(where="In which channels a PDF alone is read; elsewhere I must be mentioned.")
    async def listening(self, interaction: discord.Interaction, where: Listening) -> None:
        """Decide where a PDF is read without a mention."""
        await self._change(interaction, listening=where)

    @app_commands.command()
    @app_commands.describe(channel="The channel.", chosen="Whether a PDF alone is read there.")
    async def channel(
        self,
        interaction: discord.Interaction,
        channel: discord.TextChannel | discord.ForumChannel,
        chosen: bool = True,
    ) -> None:
        """Choose a channel, or choose it no longer; I then listen in chosen channels alone."""
        before = (await self._settings(interaction)).channels
        channels = before | {channel.id} if chosen else before - {channel.id}
        await self._change(interaction, listening="chosen", channels=channels)

    @app_commands.command()
    @app_commands.describe(days="After how many days documents and questions are deleted; 0 keeps them.")
    async def retention(
        self, interaction: discord.Interaction, days: app_commands.Range[int, 0, LONGEST_RETENTION]
    ) -> None:
        """Decide how long documents and questions are kept."""
        await self._change(interaction, retention_days=days)

    @app_commands.command()
    @app_commands.describe(who="Who may add documents.", role="Which role, where a role decides.")
    async def uploaders(
        self, interaction: discord.Interaction, who: Uploaders, role: discord.Role | None = None
    ) -> None:
        """Decide who may add documents."""
        if (who == "role") != (role is not None):
            raise NotAllowed(say().name_a_role)
        await self._change(interaction, uploaders=who, uploader_role=role.id if role else None)

    @app_commands.command()
    @app_commands.describe(policy="strict: only what is supported; flag: the rest, marked; quote: quotations alone.")
    async def policy(self, interaction: discord.Interaction, policy: Policy) -> None:
        """Decide what is published of an answer."""
        await self._change(interaction, policy=policy)

    @app_commands.command()
    @app_commands.describe(language="What I speak; answers are quotations, and stay in their document's language.")
    async def language(self, interaction: discord.Interaction, language: Language) -> None:
        """Decide which language I speak here."""
        await self._change(interaction, language=language)

    async def _settings(self, interaction: discord.Interaction) -> ServerSettings:
        return await self._desk.store.settings(interaction.guild_id)

    async def _change(self, interaction: discord.Interaction, **changes: object) -> None:
        speaking = await reply.acknowledged(interaction, private=True)
        assert interaction.guild_id is not None, "the command is for servers"
        changed = replace(await self._settings(interaction), **changes)  # type: ignore[arg-type] # each is one of its fields
        await self._desk.store.set_settings(interaction.guild_id, changed)
        speak(await self._desk.access.language(interaction.guild))
        await speaking.end([words.settings(changed)])
