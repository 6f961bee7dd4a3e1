"""What happens around every click and form: it is answered in the server's language, and what fails is said."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord

from bot.desk import desk_of
from bot.phrases import speak
from bot.tree import told, ways_to


@asynccontextmanager
async def attending(interaction: discord.Interaction) -> AsyncIterator[None]:
    """For as long as something is done for whoever clicked."""
    async with told(*ways_to(interaction)):
        speak(await desk_of(interaction).access.language(interaction.guild, interaction.locale))
        yield
