"""Discord's channels to Pincite's collections. Pure.

Who can read a channel can ask its documents, and nobody else: so a channel is a collection, and a thread, which is read
by those who read its channel, belongs to that one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from rag_core.types import CollectionName, Scope

if TYPE_CHECKING:
    Place = discord.abc.MessageableChannel | discord.interactions.InteractionChannel


def collection_of(place: Place) -> CollectionName:
    """The collection of a channel, or of the channel that a thread hangs on; a private chat has its own."""
    guild = getattr(place, "guild", None)
    channel = place.parent_id if isinstance(place, discord.Thread) else place.id
    return CollectionName(f"discord-{guild.id if guild else 'dm'}-{channel}")


def scope_of(interaction: discord.Interaction) -> Scope:
    """What whoever interacts may see there."""
    assert interaction.channel is not None, "commands and buttons are used in a channel"
    return Scope.of(collection_of(interaction.channel))
