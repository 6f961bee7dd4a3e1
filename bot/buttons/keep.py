"""What follows a 👎: the offer to keep the question for evals, and the form that asks what would have been right."""

from __future__ import annotations

import re
from typing import Any, Self

import discord

from bot.attending import Form, attending
from bot.desk import desk_of
from bot.phrases import say
from bot.tree import say_to

LONGEST_ANSWER = 300
"""Characters: evals look for it in an answer as it is written."""
LONGEST_PAGE = 5


def keep_view(answer_id: int) -> discord.ui.View:
    """The offer's button: a click is the consent."""
    view = discord.ui.View(timeout=None)
    view.add_item(KeepButton(answer_id))
    return view


class KeepButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"keep:(?P<answer>\d+)"):
    """Opens the form."""

    def __init__(self, answer_id: int) -> None:
        self._answer_id = answer_id
        super().__init__(discord.ui.Button(label=say().keep_button, emoji="📏", custom_id=f"keep:{answer_id}"))

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button as it was made, perhaps by another process."""
        return cls(int(match["answer"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Ask what would have been right."""
        async with attending(interaction):
            await interaction.response.send_modal(KeepModal(self._answer_id))


class KeepModal(Form):
    """Takes the right answer and its page; with neither, that the documents have none."""

    def __init__(self, answer_id: int) -> None:
        super().__init__(title=say().keep_title)
        self._answer_id = answer_id
        self.answer: discord.ui.TextInput[KeepModal] = discord.ui.TextInput(
            label=say().keep_answer,
            custom_id="answer",
            placeholder=say().keep_answer_example,
            required=False,
            max_length=LONGEST_ANSWER,
        )
        self.page: discord.ui.TextInput[KeepModal] = discord.ui.TextInput(
            label=say().keep_page, custom_id="page", required=False, max_length=LONGEST_PAGE
        )
        self.add_item(self.answer)
        self.add_item(self.page)

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Keep the question."""
        async with attending(interaction):
            own = desk_of(interaction).own_questions
            answer, page = self.answer.value.strip(), self.page.value.strip()
            await own.keep(interaction, self._answer_id, answer=answer, page=page)
            await say_to(interaction, say().keep_done)
