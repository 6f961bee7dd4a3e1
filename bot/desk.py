"""What the bot's listeners, commands and buttons work with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import discord

    from bot.access import Access
    from bot.conversation import Conversation
    from bot.evaluating import Evaluating
    from bot.forgetting import Forgetting
    from bot.hearing import Hearing
    from bot.meanwhile import Meanwhile
    from bot.own_questions import OwnQuestions
    from bot.questions import Questions
    from bot.resuming import Resuming
    from bot.store.store import BotStore
    from bot.uploads import Uploads
    from eval.runs import Evals
    from rag_core.library import Library


@dataclass(frozen=True, slots=True)
class Desk:
    """One of each."""

    library: Library
    store: BotStore
    access: Access
    hearing: Hearing
    uploads: Uploads
    questions: Questions
    conversation: Conversation
    resuming: Resuming
    meanwhile: Meanwhile
    forgetting: Forgetting
    evals: Evals
    evaluating: Evaluating
    own_questions: OwnQuestions


def desk_of(interaction: discord.Interaction) -> Desk:
    """The desk of the bot that an interaction came to."""
    desk: Desk = interaction.client.desk  # type: ignore[attr-defined] # discord.py does not know our client
    return desk
