"""Discord's channels to Pincite's collections. Pure.

Who can read a channel can ask its documents, and nobody else: so a channel is a collection. A public thread is read by
those who read its channel, and belongs to that one; a private thread is read by those who were let in, and is a
collection of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import discord

from rag_core.types import CollectionName
from rag_core.types.jobs import Principal

if TYPE_CHECKING:
    Channel = discord.abc.MessageableChannel | discord.interactions.InteractionChannel


@dataclass(frozen=True, slots=True)
class Place:
    """Somewhere people talk."""

    id: int
    """The thread, or the channel itself."""
    channel_id: int
    """The channel whose readers may ask here."""
    server_id: int | None
    """None in direct messages."""
    is_thread: bool

    @property
    def collection(self) -> CollectionName:
        """The documents that may be asked here."""
        return CollectionName(f"discord-{self.server_id or 'dm'}-{self.channel_id}")

    @property
    def shared(self) -> CollectionName | None:
        """The documents that this server shares among all its channels."""
        return shared_by(self.server_id) if self.server_id is not None else None


def place_of(channel: Channel) -> Place:
    """Where a channel, a thread or a private chat is."""
    guild = getattr(channel, "guild", None)
    server_id = guild.id if guild else None
    if not isinstance(channel, discord.Thread):
        return Place(channel.id, channel.id, server_id, is_thread=False)
    home = channel.id if channel.type is discord.ChannelType.private_thread else channel.parent_id
    return Place(channel.id, home, server_id, is_thread=True)


def below(message: discord.Message) -> Place:
    """The thread below a message of a channel, whether or not it was opened: Discord gives it the message's own id."""
    return replace(place_of(message.channel), id=message.id, is_thread=True)


def principal_of(person_id: int) -> Principal:
    """Who somebody is to the library: the same person in every server."""
    return Principal(f"discord-{person_id}")


def is_of(collection: str, server_id: int) -> bool:
    """Whether a collection is one of a server's.

    >>> is_of("discord-1-2", 1), is_of("discord-12-2", 1)
    (True, False)
    """
    return collection.startswith(f"discord-{server_id}-")


def shared_by(server_id: int) -> CollectionName:
    """The collection that all channels of a server see."""
    return CollectionName(f"discord-{server_id}-shared")
