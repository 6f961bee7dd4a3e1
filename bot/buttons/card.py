"""What stands under a document's card: questions that it answers, or a field for the password that it needs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Self

import discord

from bot.attending import Form, attending
from bot.desk import desk_of
from bot.limits import LABEL
from bot.phrases import say

LONGEST_PASSWORD = 127
"""Bytes of a PDF's password (ISO 32000-2, 7.6.4.3)."""
DOCUMENT = 16
"""Characters of a document's id in a button's."""


def questions_view(document_id: str, questions: Sequence[str]) -> discord.ui.View | None:
    """A button a question; None when there is none."""
    if not questions:
        return None
    view = discord.ui.View(timeout=None)
    for number, question in enumerate(questions):
        view.add_item(QuestionButton(document_id, number, question))
    return view


def password_view(upload_id: int) -> discord.ui.View:
    """The button that asks for a password."""
    view = discord.ui.View(timeout=None)
    view.add_item(PasswordButton(upload_id))
    return view


class QuestionButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=r"question:(?P<document>[0-9a-f]{16}):(?P<number>\d)",
):
    """Asks what it says."""

    def __init__(self, document_id: str, number: int, question: str) -> None:
        self._document_id = document_id[:DOCUMENT]
        self._question = question
        identity = f"question:{self._document_id}:{number}"
        super().__init__(
            discord.ui.Button(label=question[:LABEL], style=discord.ButtonStyle.primary, emoji="💬", custom_id=identity)
        )

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button as it was made; its question is what it says."""
        assert isinstance(item, discord.ui.Button)
        return cls(match["document"], int(match["number"]), item.label or "")

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Answer it for all to see."""
        async with attending(interaction):
            await desk_of(interaction).conversation.ask_by(interaction, self._question, document=self._document_id)


class PasswordButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"password:(?P<upload>\d+)"):
    """Asks for a password, in a form that only the one who clicks sees."""

    def __init__(self, upload_id: int) -> None:
        self._upload_id = upload_id
        super().__init__(
            discord.ui.Button(
                label=say().enter_key,
                style=discord.ButtonStyle.primary,
                emoji="🔑",
                custom_id=f"password:{upload_id}",
            )
        )

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button as it was made, perhaps by another process."""
        return cls(int(match["upload"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the form."""
        async with attending(interaction):
            await interaction.response.send_modal(PasswordModal(self._upload_id))


class PasswordModal(Form):
    """Takes a password, which is used once and kept nowhere."""

    def __init__(self, upload_id: int) -> None:
        super().__init__(title=say().is_encrypted)
        self._upload_id = upload_id
        self.password: discord.ui.TextInput[PasswordModal] = discord.ui.TextInput(
            label=say().key_field, custom_id="password", max_length=LONGEST_PASSWORD
        )
        self.add_item(self.password)

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Read the file with it."""
        async with attending(interaction):
            await desk_of(interaction).conversation.read_with(interaction, self._upload_id, self.password.value)
