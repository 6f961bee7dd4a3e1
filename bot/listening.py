"""Plain messages: PDFs become documents, what is said becomes a question, and what is deleted is forgotten."""

from __future__ import annotations

from collections import deque

import discord
from discord.ext import commands

from bot.attending import attending, is_orphaned
from bot.desk import Desk
from bot.hearing import Heard
from bot.phrases import say, speak
from bot.places import place_of
from bot.tree import say_to, told

TALK = frozenset({discord.MessageType.default, discord.MessageType.reply})
"""Messages that people write; the others are Discord's own, about threads and pins."""

REMEMBERED = 1000
"""Messages that were heard last: one that comes while it is being looked for is heard once."""


class Listening(commands.Cog):
    """Hears what is written and what is deleted."""

    def __init__(self, desk: Desk, bot: commands.AutoShardedBot) -> None:
        self._desk = desk
        self._bot = bot
        self._heard: deque[int] = deque(maxlen=REMEMBERED)

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Do what a message wants, or say why not: there, else in private. Whoever brings it again changes nothing."""
        if message.author.bot or message.type not in TALK or message.id in self._heard:
            return
        self._heard.append(message.id)
        async with told(message.reply, message.author.send, channel=message.channel):
            speak(await self._desk.access.language(message.guild))
            if await self._desk.hearing.is_kept_back(message):
                await self._say_once_how_to_be_heard(message)
            elif (heard := await self._desk.hearing.heard(message)) is None:
                return
            else:
                await self._taken(message, heard)
        await self._desk.store.set_heard(message.id)

    async def _taken(self, message: discord.Message, heard: Heard) -> None:
        if heard.pdfs or heard.question or heard.mentioned:
            await self._desk.conversation.take(message, heard)

    async def _say_once_how_to_be_heard(self, message: discord.Message) -> None:
        if await self._desk.store.first_time(message.channel.id, "content"):
            await message.reply(say().how_to_be_heard)

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Say so where nobody takes a form any more."""
        if is_orphaned(interaction):
            async with attending(interaction):
                await say_to(interaction, say().form_lost)

    # ------------------------------------------------------------------------------ what goes

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Forget what the message brought, asked or answered."""
        await self._desk.forgetting.message(payload.message_id)

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Forget what the messages brought, asked or answered."""
        for message_id in payload.message_ids:
            await self._desk.forgetting.message(message_id)

    @commands.Cog.listener()
    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Forget the files that were taken out of a message; our own, the card of a command, never had its file."""
        if payload.message.author != self._bot.user:
            left = {attachment.id for attachment in payload.message.attachments}
            await self._desk.forgetting.files(payload.message_id, but=left)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Forget what was brought and asked there."""
        await self._desk.forgetting.channel(payload.thread_id)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Forget what was brought and asked there, and whatever else its collection holds."""
        await self._desk.forgetting.channel(channel.id)
        if isinstance(channel, discord.TextChannel | discord.ForumChannel | discord.VoiceChannel):
            await self._desk.forgetting.collection(place_of(channel).collection)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Forget a server that the bot has left."""
        await self._desk.forgetting.server(guild.id)
