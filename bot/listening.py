"""Plain messages: PDFs become documents, what is said becomes a question, and what is deleted is forgotten."""

from __future__ import annotations

import discord
from discord.ext import commands

from bot.attending import attending, is_orphaned
from bot.desk import Desk
from bot.hearing import Heard, hear
from bot.phrases import say, speak
from bot.places import place_of
from bot.tree import say_to, told

TALK = frozenset({discord.MessageType.default, discord.MessageType.reply})
"""Messages that people write; the others are Discord's own, about threads and pins."""


class Listening(commands.Cog):
    """Hears what is written and what is deleted."""

    def __init__(self, desk: Desk, bot: commands.AutoShardedBot) -> None:
        self._desk = desk
        self._bot = bot

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Do what a message wants, or say why not: there, else in private."""
        me = self._bot.user
        if me is None or message.author.bot or message.type not in TALK:
            return
        async with told(message.reply, message.author.send):
            speak(await self._desk.access.language(message.guild))
            settings = await self._desk.store.settings(message.guild.id if message.guild else None)
            ours = await self._is_ours(message.channel)
            if ours and self._is_hidden(message):
                await self._say_once_how_to_be_heard(message)
                return
            heard = hear(message, me, settings, ours=ours)
            if heard is not None:
                await self._taken(message, heard)

    async def _taken(self, message: discord.Message, heard: Heard) -> None:
        if heard.pdfs or heard.question or heard.mentioned:
            await self._desk.conversation.take(message, heard)

    async def _is_ours(self, channel: discord.abc.MessageableChannel) -> bool:
        """Whether a thread is about documents: the bot opened it, or a file was brought there."""
        if not isinstance(channel, discord.Thread):
            return False
        mine = self._bot.user is not None and channel.owner_id == self._bot.user.id
        return mine or bool(await self._desk.store.uploads_in(channel.id))

    def _is_hidden(self, message: discord.Message) -> bool:
        """Whether Discord kept back what a message says, as it does without the intent."""
        return not (self._bot.intents.message_content or message.content or message.attachments or message.stickers)

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
