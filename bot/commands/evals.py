"""`/eval`: measure the answers on this channel's documents, for who manages the server."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot import figures, reply
from bot.access import interaction_place
from bot.commands.managing import ForManagers
from bot.desk import Desk
from bot.inert import short
from bot.limits import CHOICE, CHOICES
from bot.phrases import say
from bot.places import Place
from eval.datasets import BUNDLED, EXAMPLES, Dataset, dataset, rows_of
from eval.errors import BadSet
from rag_core.errors import NotFoundError

OWN = "own"
"""The name of the questions that were gathered in the channel."""
SETS = (OWN, *sorted([*BUNDLED, EXAMPLES]))
LARGEST_SET = 1_000_000
"""Bytes of a set that is sent as a file: thousands of questions."""

Systems = Literal["quote", "quote-flag", "groq", "openai", "hybrid", "stages"]
"""Those of the evals that leave the process free for people meanwhile."""
RunId = app_commands.Range[str, 1, 16]


class NoSuchQuestion(NotFoundError):
    """The channel has no question of this id."""


class EvalCommands(
    ForManagers, commands.GroupCog, group_name="eval", group_description="Measure the answers in this channel."
):
    """For those who manage the server."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @app_commands.command()
    @app_commands.describe(
        questions="own: those that were gathered here; or a set that comes with Pincite.",
        system="What is measured: answers by quotation, or by a model; or what is found alone.",
        file="A set of your own instead: JSON Lines.",
    )
    async def run(
        self,
        interaction: discord.Interaction,
        questions: app_commands.Range[str, 1, CHOICE] = OWN,
        system: Systems = "quote",
        file: discord.Attachment | None = None,
    ) -> None:
        """Ask a set of questions of this channel's documents, and measure the answers."""
        speaking = await reply.acknowledged(interaction)
        place = interaction_place(interaction)
        asked = await _sent(file) if file is not None else await self._set(questions, place)
        await self._desk.evaluating.run(asked, [system], place, speaking)

    @app_commands.command()
    @app_commands.describe(run="A run's id; the last run without it.")
    async def status(self, interaction: discord.Interaction, run: RunId = "latest") -> None:
        """Say how a run of this channel stands, with its figures so far."""
        speaking = await reply.acknowledged(interaction, private=True)
        found = await self._desk.evals.status(run, owner=interaction_place(interaction).collection)
        await self._desk.evaluating.show(found, speaking)

    @app_commands.command()
    async def history(self, interaction: discord.Interaction) -> None:
        """List the runs of this channel, the last one first."""
        speaking = await reply.acknowledged(interaction, private=True)
        runs = await self._desk.evals.history(owner=interaction_place(interaction).collection)
        await speaking.end(figures.history(runs))

    @app_commands.command()
    @app_commands.describe(before="A run's id.", after="Another; the last run without it.")
    async def compare(self, interaction: discord.Interaction, before: RunId, after: RunId = "latest") -> None:
        """Compare two runs of this channel question by question: what changed, and which questions flipped."""
        speaking = await reply.acknowledged(interaction, private=True)
        owner = interaction_place(interaction).collection
        found = await self._desk.evals.compare(before, after, owner=owner)
        await speaking.end(figures.comparisons(await self._desk.evals.status(after, owner=owner), found))

    @app_commands.command()
    @app_commands.describe(question="One of them, to see all that is kept of it.", remove="Take it out.")
    async def questions(
        self,
        interaction: discord.Interaction,
        question: app_commands.Range[str, 1, CHOICE] | None = None,
        remove: bool = False,
    ) -> None:
        """List the questions that were gathered in this channel, show one, or take one out."""
        speaking = await reply.acknowledged(interaction, private=True)
        owner = interaction_place(interaction).collection
        own = await self._desk.evals.own_set(owner)
        if question is None:
            await speaking.end(figures.own_set(own))
            return
        meant = next((one for one in own.questions if one.id == question), None) if own else None
        if meant is None:
            raise NoSuchQuestion(say().own_not_there)
        if remove:
            await self._desk.evals.remove_questions(owner, row_id=meant.id)
            await speaking.end([say().own_removed])
        else:
            await speaking.end(figures.own_question(meant))

    @run.autocomplete("questions")
    async def sets(self, _interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The sets whose name has what was typed."""
        return [app_commands.Choice(name=name, value=name) for name in SETS if current.casefold() in name][:CHOICES]

    @status.autocomplete("run")
    @compare.autocomplete("before")
    @compare.autocomplete("after")
    async def runs(self, interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The runs of the channel."""
        runs = await self._desk.evals.history(owner=interaction_place(interaction).collection)
        names = [(f"{run.id} {run.dataset.name} {run.started_at:%Y-%m-%d %H:%M}", run.id) for run in runs]
        fitting = [(name, value) for name, value in names if current.casefold() in name.casefold()]
        return [app_commands.Choice(name=short(name, CHOICE), value=value) for name, value in fitting[:CHOICES]]

    @questions.autocomplete("question")
    async def own(self, interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The channel's own questions that have what was typed."""
        own = await self._desk.evals.own_set(interaction_place(interaction).collection)
        fitting = [q for q in own.questions if current.casefold() in q.question.casefold()] if own else []
        return [app_commands.Choice(name=short(q.question, CHOICE), value=q.id) for q in fitting[:CHOICES]]

    async def _set(self, name: str, place: Place) -> Dataset:
        if name not in SETS:
            # The engine takes a path, too, and no path of the machine is a member's business.
            raise BadSet(say().eval_no_such_set.format(names=", ".join(SETS)))
        if name != OWN:
            return dataset(name)
        own = await self._desk.evals.own_set(place.collection)
        if own is None:
            raise BadSet(say().own_none)
        return own


async def _sent(file: discord.Attachment) -> Dataset:
    """The set in a file.

    Raises:
        BadSet: It is too large, or breaks the rules; its line is named.
    """
    if file.size > LARGEST_SET:
        raise BadSet(say().eval_set_too_large)
    try:
        lines = (await file.read()).decode().splitlines()
    except UnicodeDecodeError as exc:
        raise BadSet(say().eval_set_no_text) from exc
    return Dataset(Path(file.filename).stem, rows_of(lines, source=file.filename))
