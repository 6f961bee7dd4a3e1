"""What commands for those who manage a server have in common."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.access import refuse_who_does_not_manage


@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
class ForManagers:
    """Comes before `GroupCog` among the bases of a group of commands."""

    async def interaction_check(self, interaction: discord.Interaction, /) -> bool:
        """Discord hides the command from others unless a server shows it to them; it stays with those who manage."""
        refuse_who_does_not_manage(interaction)
        return True
