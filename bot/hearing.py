"""What a plain message wants of the bot: nothing, files read, a question answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import discord

from bot.settings import ServerSettings

if TYPE_CHECKING:
    from bot.places import Channel
    from bot.store.store import BotStore

PDF = "application/pdf"


@dataclass(frozen=True, slots=True)
class Heard:
    """What a message wants."""

    pdfs: Sequence[discord.Attachment]
    question: str
    """Empty when it asks nothing."""
    mentioned: bool
    """Whether the bot was called by name, or answered."""


class Hearing:
    """Knows what a message wants by where it stands: the server's choices, and whether a thread is about documents."""

    def __init__(self, client: discord.Client, store: BotStore) -> None:
        self._client = client
        self._store = store

    async def heard(self, message: discord.Message) -> Heard | None:
        """What a message wants, or None when it is not for us."""
        assert self._client.user is not None, "messages come once the bot has logged in"
        settings = await self._store.settings(message.guild.id if message.guild else None)
        return hear(message, self._client.user, settings, ours=await self._is_ours(message.channel))

    async def is_kept_back(self, message: discord.Message) -> bool:
        """Whether Discord kept back what a message for us says, as it does without the intent."""
        if self._client.intents.message_content or message.content or message.attachments or message.stickers:
            return False
        return await self._is_ours(message.channel)

    async def _is_ours(self, channel: discord.abc.MessageableChannel) -> bool:
        """Whether a thread is about documents: the bot opened it, or a file was brought there."""
        if not isinstance(channel, discord.Thread):
            return False
        mine = self._client.user is not None and channel.owner_id == self._client.user.id
        return mine or bool(await self._store.uploads_in(channel.id))


def pdfs_of(message: discord.Message) -> list[discord.Attachment]:
    """By what Discord or the file's name says; whether it is one is seen when it is read."""
    return [
        attachment
        for attachment in message.attachments
        if (attachment.content_type or "").startswith(PDF) or attachment.filename.lower().endswith(".pdf")
    ]


def hear(message: discord.Message, me: discord.ClientUser, settings: ServerSettings, *, ours: bool) -> Heard | None:
    """What a message wants, or None when it is not for us.

    Args:
        message: Somebody's.
        me: Who the bot is.
        settings: Of the server.
        ours: Whether the message stands in a thread about documents.
    """
    pdfs, mentioned = pdfs_of(message), _calls(message, me)
    question = message.content.replace(f"<@{me.id}>", "").replace(f"<@!{me.id}>", "").strip()
    if mentioned or message.guild is None:
        return Heard(pdfs, question, mentioned)
    if ours and (pdfs or not _speaks_to_others(message)):
        return Heard(pdfs, question, mentioned=False)
    if pdfs and listens_in(message.channel, settings):
        return Heard(pdfs, question, mentioned=False)
    return None


def listens_in(channel: Channel, settings: ServerSettings) -> bool:
    """Whether a PDF alone is a call there: the server says where, and the bot must be able to talk in threads."""
    guild = getattr(channel, "guild", None)
    home = channel.parent if isinstance(channel, discord.Thread) else channel
    if guild is None or home is None or settings.listening == "mention":
        return False
    if settings.listening == "chosen" and home.id not in settings.channels:
        return False
    return _may_talk_in_threads(home, guild)


def may_make_threads(channel: Channel) -> bool:
    """Whether the bot may open a thread below a message there."""
    if not isinstance(channel, discord.TextChannel):
        return False
    may = channel.permissions_for(channel.guild.me)
    return may.create_public_threads and may.send_messages_in_threads


def _may_talk_in_threads(home: Channel | discord.ForumChannel, guild: discord.Guild) -> bool:
    if isinstance(home, discord.TextChannel):
        return may_make_threads(home)
    return isinstance(home, discord.ForumChannel) and home.permissions_for(guild.me).send_messages_in_threads


def _calls(message: discord.Message, me: discord.ClientUser) -> bool:
    return me in message.mentions or _answers(message) == me


def _speaks_to_others(message: discord.Message) -> bool:
    return bool(message.mentions) or _answers(message) is not None


def _answers(message: discord.Message) -> discord.User | discord.Member | None:
    """Whose message this one replies to, where Discord says so."""
    reference = message.reference.resolved if message.reference else None
    return reference.author if isinstance(reference, discord.Message) else None
