"""`/privacy`: what is kept of you, all of it in a file, and its end."""

from __future__ import annotations

import io
import json
import re
from dataclasses import asdict
from typing import Any, Self

import discord
from discord import app_commands
from discord.ext import commands

from bot import reply, words
from bot.attending import attending
from bot.desk import Desk, desk_of
from bot.phrases import say
from bot.places import principal_of


class Privacy(commands.GroupCog, group_name="privacy", group_description="What is kept of you."):
    """Everyone's own affairs, shown to nobody else."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @app_commands.command()
    async def show(self, interaction: discord.Interaction) -> None:
        """Say what is kept of you."""
        speaking = await reply.acknowledged(interaction, private=True)
        store, me = self._desk.store, interaction.user.id
        uploads, questions, votes = await store.uploads_by(me), await store.questions_by(me), await store.votes_by(me)
        given = await self._desk.evals.questions_by(principal_of(me))
        await speaking.end([words.about_you(len(uploads), len(questions), len(votes), len(given))])

    @app_commands.command()
    async def export(self, interaction: discord.Interaction) -> None:
        """Give you all that is kept of you, as a file."""
        speaking = await reply.acknowledged(interaction, private=True)
        store, me = self._desk.store, interaction.user.id
        kept = {
            "uploads": [asdict(upload) for upload in await store.uploads_by(me)],
            "questions": [asdict(question) for question in await store.questions_by(me)],
            "opinions": [asdict(vote) for vote in await store.votes_by(me)],
            "questions for evals": [asdict(row) for row in await self._desk.evals.questions_by(principal_of(me))],
        }
        text = json.dumps(kept, indent=2, ensure_ascii=False, default=str)
        await speaking.pictures(say().exported, [discord.File(io.BytesIO(text.encode()), "pincite.json")])

    @app_commands.command()
    async def delete(self, interaction: discord.Interaction) -> None:
        """Delete all that is kept of you, here and in every other server."""
        speaking = await reply.acknowledged(interaction, private=True)
        view = discord.ui.View(timeout=None)
        view.add_item(ForgetMeButton())
        await speaking.end([say().deletes], view=view)


class ForgetMeButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"forget-me"):
    """Deletes, for the one who clicks."""

    def __init__(self) -> None:
        super().__init__(
            discord.ui.Button(label=say().delete_it_all, style=discord.ButtonStyle.danger, custom_id="forget-me")
        )

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: discord.ui.Item[Any], _match: re.Match[str], /
    ) -> Self:
        """The button as it was made, perhaps by another process."""
        return cls()

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Delete, and say what is gone."""
        async with attending(interaction):
            speaking = await reply.acknowledged(interaction, private=True)
            titles = await desk_of(interaction).forgetting.person(interaction.user.id)
            await speaking.end([words.forgotten(titles)])
