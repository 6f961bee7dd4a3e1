"""What stands under a run of an eval: stopping it while it goes on, going on with it where it stopped."""

from __future__ import annotations

import re
from typing import Any, Self

import discord

from bot.access import interaction_place, refuse_who_does_not_manage
from bot.attending import attending
from bot.desk import desk_of
from bot.phrases import say
from eval.run_values import Run


def stop_view(run_id: str) -> discord.ui.View:
    """Of a run that goes on."""
    view = discord.ui.View(timeout=None)
    view.add_item(StopRunButton(run_id))
    return view


def result_view(run: Run) -> discord.ui.View | None:
    """Of a run that stopped before its end; None of any other."""
    if run.state != "interrupted":
        return None
    view = discord.ui.View(timeout=None)
    view.add_item(GoOnButton(run.id))
    return view


class StopRunButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"eval-stop:(?P<run>\w+)"):
    """Stops a run, for who manages the server."""

    def __init__(self, run_id: str) -> None:
        self._run_id = run_id
        super().__init__(
            discord.ui.Button(label=say().eval_stop, style=discord.ButtonStyle.danger, custom_id=f"eval-stop:{run_id}")
        )

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button as it was made, perhaps by another process."""
        return cls(match["run"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Stop; the message then says how far the run came."""
        async with attending(interaction):
            refuse_who_does_not_manage(interaction)
            await interaction.response.defer()
            await desk_of(interaction).evaluating.stop(self._run_id, interaction_place(interaction))


class GoOnButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"eval-on:(?P<run>\w+)"):
    """Goes on with a run that stopped, for who manages the server."""

    def __init__(self, run_id: str) -> None:
        self._run_id = run_id
        super().__init__(
            discord.ui.Button(label=say().eval_go_on, style=discord.ButtonStyle.primary, custom_id=f"eval-on:{run_id}")
        )

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button as it was made, perhaps by another process."""
        return cls(match["run"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Go on where it stopped, in the same message."""
        async with attending(interaction):
            refuse_who_does_not_manage(interaction)
            await interaction.response.defer()
            assert interaction.message is not None, "a button stands on a message"
            place = interaction_place(interaction)
            await desk_of(interaction).evaluating.go_on(self._run_id, place, interaction.message)
