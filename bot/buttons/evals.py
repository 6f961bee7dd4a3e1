"""What stands under a run of an eval: stopping it while it goes on, going on with it where it stopped."""

from __future__ import annotations

import re
from typing import Any, Literal, Self, get_args

import discord

from bot.access import interaction_place, refuse_who_does_not_manage
from bot.attending import attending
from bot.desk import desk_of
from bot.phrases import say
from bot.reply import attended
from eval.run_values import Run

Does = Literal["stop", "on"]


def stop_view(run_id: str) -> discord.ui.View:
    """Of a run that goes on."""
    view = discord.ui.View(timeout=None)
    view.add_item(RunButton("stop", run_id))
    return view


def result_view(run: Run) -> discord.ui.View | None:
    """Of a run that stopped before its end; None of any other."""
    if run.state != "interrupted":
        return None
    view = discord.ui.View(timeout=None)
    view.add_item(RunButton("on", run.id))
    return view


class RunButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"eval-(?P<does>{'|'.join(get_args(Does))}):(?P<run>\w+)",
):
    """Stops a run, or goes on with one that stopped; for who manages the server."""

    def __init__(self, does: Does, run_id: str) -> None:
        self._does = does
        self._run_id = run_id
        label, style = {
            "stop": (say().eval_stop, discord.ButtonStyle.danger),
            "on": (say().eval_go_on, discord.ButtonStyle.primary),
        }[does]
        super().__init__(discord.ui.Button(label=label, style=style, custom_id=f"eval-{does}:{run_id}"))

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button as it was made, perhaps by another process."""
        return cls("stop" if match["does"] == "stop" else "on", match["run"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """The message then says how far the run came, or goes on to."""
        async with attending(interaction):
            refuse_who_does_not_manage(interaction)
            await attended(interaction)
            evaluating, place = desk_of(interaction).evaluating, interaction_place(interaction)
            if self._does == "stop":
                await evaluating.stop(self._run_id, place)
            else:
                assert interaction.message is not None, "a button stands on a message"
                await evaluating.go_on(self._run_id, place, interaction.message)
