"""What is offered while a document's name is typed."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.access import interaction_place
from bot.desk import Desk
from bot.inert import short
from bot.limits import CHOICE, CHOICES


async def documents_like(desk: Desk, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The documents that may be asked there and whose title or file has what was typed."""
    documents = await desk.library.documents(await desk.access.everything(interaction_place(interaction)))
    fitting = [d for d in documents if typed.casefold() in f"{d.title} {d.filename}".casefold()]
    return [app_commands.Choice(name=short(d.title, CHOICE) or d.id, value=d.id) for d in fitting[:CHOICES]]
