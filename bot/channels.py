"""Discord's channels and messages by their ids, and what says that they are not there any more."""

from __future__ import annotations

import discord

from bot.phrases import say
from rag_core.errors import NotFoundError


class Gone(NotFoundError):
    """What was posted, or the place for it, is not in Discord any more."""


GONE = (Gone, discord.NotFound, discord.Forbidden)
"""What says that a message or its channel is not there for us any more; Discord's own faults pass."""


class Channels:
    """Finds them, in what the client holds or by asking Discord."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def channel(self, channel_id: int) -> discord.abc.MessageableChannel:
        """A channel, a thread or a private chat that can be written to.

        Raises:
            Gone: It is none that can.
            discord.HTTPException: It is not there, not for us, or Discord has a fault.
        """
        channel = self._client.get_channel(channel_id) or await self._client.fetch_channel(channel_id)
        if not isinstance(channel, discord.abc.Messageable):
            raise Gone("That channel cannot be written to any more.")
        return channel

    async def message(self, channel_id: int, message_id: int) -> discord.Message:
        """A message as it is now.

        Raises:
            Gone: It is not there any more.
            discord.HTTPException: As `channel`.
        """
        channel = await self.channel(channel_id)
        try:
            return await channel.fetch_message(message_id)
        except discord.NotFound as exc:
            raise Gone(say().message_gone) from exc

    async def tell_in_private(self, person_id: int, text: str) -> None:
        """Say it to somebody alone.

        Raises:
            discord.HTTPException: They take no messages of ours.
        """
        await (await self._client.fetch_user(person_id)).send(text)
