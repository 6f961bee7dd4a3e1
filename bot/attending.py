"""What happens around every click and form: it is answered in the server's language, and what fails is said."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import discord

from bot.desk import desk_of
from bot.phrases import speak
from bot.tree import told, ways_to

_TAKEN = "taken"


class Form(discord.ui.Modal):
    """A form, which only the process that showed it can take; another one says that it must be opened again."""

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Everybody who saw it may send it. Runs before anybody else hears of it."""
        interaction.extras[_TAKEN] = True
        return True


def is_orphaned(interaction: discord.Interaction) -> bool:
    """Whether it is a form that a process before this one showed."""
    return interaction.type is discord.InteractionType.modal_submit and _TAKEN not in interaction.extras


@asynccontextmanager
async def attending(interaction: discord.Interaction) -> AsyncIterator[None]:
    """For as long as something is done for whoever clicked."""
    async with told(*ways_to(interaction), channel=interaction.channel):
        speak(await desk_of(interaction).access.language(interaction.guild, interaction.locale))
        yield
