"""What stands under an answer: its proofs, what was withheld, what people think of it, and checking it again."""

from __future__ import annotations

import re
from typing import Any, Self

import discord

from bot import render
from bot.access import interaction_place
from bot.attending import Form, attending
from bot.buttons.keep import keep_view
from bot.buttons.proof import ProofButton
from bot.desk import Desk, desk_of
from bot.limits import BUTTONS, BUTTONS_A_ROW
from bot.phrases import say
from bot.places import principal_of
from bot.reply import acknowledged
from bot.store.records import KeptAnswer, Question, Vote
from bot.tree import say_to
from rag_core.errors import NotFoundError
from rag_core.types import Answer

LONGEST_REASON = 1000
MOST_PROOFS = BUTTONS - BUTTONS_A_ROW


class AnswerForgotten(NotFoundError):
    """Nothing is remembered of the answer that a button belongs to."""


def under_answer(answer: Answer) -> discord.ui.View:
    """A proof a citation, and a row about the answer as a whole."""
    view = discord.ui.View(timeout=None)
    proofs = {button.custom_id: button for button in map(ProofButton.of, render.citations(answer))}
    for button in list(proofs.values())[:MOST_PROOFS]:
        view.add_item(button)
    if answer.withheld:
        view.add_item(WithheldButton(len(answer.withheld)))
    view.add_item(ThumbButton(good=True))
    view.add_item(ThumbButton(good=False))
    if answer.text:
        view.add_item(RecheckButton())
    return view


class WithheldButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"withheld:(?P<count>\d+)"):
    """Says what was withheld, and why, to the one who clicks."""

    def __init__(self, count: int) -> None:
        label = say().withheld_why.format(count=count)
        super().__init__(discord.ui.Button(label=label, emoji="🛑", custom_id=f"withheld:{count}"))

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button as it was made, perhaps by another process."""
        return cls(int(match["count"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Each statement, with the checks that it failed."""
        async with attending(interaction):
            reply = await acknowledged(interaction, private=True)
            _, answer = await _remembered(interaction)
            await reply.end(render.withheld(answer.withheld))


class RecheckButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"recheck"):
    """Checks the answer again, against the documents as they are now."""

    def __init__(self) -> None:
        super().__init__(discord.ui.Button(label=say().recheck, emoji="🔁", custom_id="recheck"))

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: discord.ui.Item[Any], _match: re.Match[str], /
    ) -> Self:
        """The button as it was made, perhaps by another process."""
        return cls()

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Each statement with its verdict now."""
        async with attending(interaction):
            reply = await acknowledged(interaction, private=True)
            question, answer = await _remembered(interaction)
            desk, place = desk_of(interaction), interaction_place(interaction)
            scope = await desk.access.scope(place, document=question.what.document_id)
            await desk.library.charge_question(principal_of(interaction.user.id))
            await reply.end(render.rechecked(await desk.library.verify(answer.text, scope=scope)))


class ThumbButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"thumb:(?P<way>up|down)"):
    """Keeps what somebody thinks of the answer; a bad word asks for its reason."""

    def __init__(self, *, good: bool) -> None:
        self._good = good
        identity = f"thumb:{'up' if good else 'down'}"
        super().__init__(discord.ui.Button(emoji="👍" if good else "👎", custom_id=identity))

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button as it was made, perhaps by another process."""
        return cls(good=match["way"] == "up")

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Thank, or ask why."""
        async with attending(interaction):
            assert interaction.message is not None, "a button stands on a message"
            if self._good:
                await _vote(desk_of(interaction), interaction, interaction.message.id, good=True)
            else:
                await interaction.response.send_modal(ReasonModal(interaction.message.id))


class ReasonModal(Form):
    """Asks for the reason of a 👎."""

    def __init__(self, answer_id: int) -> None:
        super().__init__(title=say().what_is_wrong)
        self._answer_id = answer_id
        self.reason: discord.ui.TextInput[ReasonModal] = discord.ui.TextInput(
            label=say().your_reason,
            custom_id="reason",
            style=discord.TextStyle.paragraph,
            placeholder=say().reason_example,
            required=False,
            max_length=LONGEST_REASON,
        )
        self.add_item(self.reason)

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Keep it."""
        async with attending(interaction):
            await _vote(desk_of(interaction), interaction, self._answer_id, good=False, reason=self.reason.value)


async def _vote(desk: Desk, interaction: discord.Interaction, answer_id: int, *, good: bool, reason: str = "") -> None:
    await desk.store.vote(Vote(answer_id, interaction.user.id, good, reason), interaction.guild_id)
    if not good and await desk.own_questions.may_offer(interaction, answer_id):
        await say_to(interaction, f"{say().thanks}\n{say().keep_offer}", keep_view(answer_id))
    else:
        await say_to(interaction, say().thanks)


async def _remembered(interaction: discord.Interaction) -> tuple[Question, KeptAnswer]:
    assert interaction.message is not None, "a button stands on a message"
    question = await desk_of(interaction).store.question_answered_by(interaction.message.id)
    if question is None or question.answer is None:
        raise AnswerForgotten(say().answer_forgotten)
    return question, question.answer
