"""What the bot must be allowed in a server, and what of it it is not."""

from __future__ import annotations

from collections.abc import Sequence

import discord

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    create_public_threads=True,
    send_messages_in_threads=True,
    embed_links=True,
    attach_files=True,
    read_message_history=True,
)
"""What the bot uses, and no more."""


def missing(has: discord.Permissions) -> Sequence[str]:
    """Those that it uses and has not, by discord.py's names.

    >>> missing(discord.Permissions(PERMISSIONS.value & ~discord.Permissions(attach_files=True).value))
    ['attach_files']
    """
    return [name for name, wanted in PERMISSIONS if wanted and not getattr(has, name)]


def missing_in(channel: object) -> Sequence[str]:
    """Those that it has not in a channel of a server; none where that is not known, or nobody gives any."""
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return []
    if isinstance(channel, discord.Thread) and channel.parent is None:
        return []
    return missing(channel.permissions_for(channel.guild.me))
