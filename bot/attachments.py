"""Plain messages: PDFs become documents and a thread about them, and what is said there is a question."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import discord
from discord.ext import commands

from bot import render
from bot.channels import collection_of
from bot.speech import send_all, send_answer
from bot.tree import told
from rag_core.ingestion import Source
from rag_core.library import Library
from rag_core.types import Document, Ingested, Scope

PDF = "application/pdf"
HINT = "Attach a PDF and I read it; then ask me about it, in its thread or by mentioning me here."


class Attachments(commands.Cog):
    """Listens. A channel where the bot may not create threads is one where it speaks only when it is mentioned."""

    def __init__(self, library: Library, bot: commands.Bot) -> None:
        self._library = library
        self._bot = bot

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Read the PDFs of a message, then answer what it asks."""
        if message.author.bot or not self._is_for_us(message):
            return
        async with told(message.reply), message.channel.typing():
            results = await self._read(message)
            place = await self._say_what_was_read(message, results)
            if question := self._question(message):
                scope = Scope.of(collection_of(message.channel))
                answer = await self._library.ask(question, scope=scope)
                await send_answer(message.reply if place is message.channel else place.send, answer)
            elif not results and self._is_mentioned(message):
                await message.reply(HINT)

    # ------------------------------------------------------------------------------ what is meant

    def _is_for_us(self, message: discord.Message) -> bool:
        if self._is_mentioned(message) or message.guild is None or self._is_our_thread(message.channel):
            return True
        return bool(_pdfs(message)) and self._may_create_threads(message)

    def _is_mentioned(self, message: discord.Message) -> bool:
        return self._bot.user is not None and self._bot.user in message.mentions

    def _is_our_thread(self, channel: discord.abc.MessageableChannel) -> bool:
        return (
            isinstance(channel, discord.Thread) and self._bot.user is not None and channel.owner_id == self._bot.user.id
        )

    @staticmethod
    def _may_create_threads(message: discord.Message) -> bool:
        if message.guild is None or not isinstance(message.channel, discord.TextChannel):
            return False
        may = message.channel.permissions_for(message.guild.me)
        return may.create_public_threads and may.send_messages_in_threads

    def _question(self, message: discord.Message) -> str:
        """The message without the mention that called us."""
        mention = self._bot.user.id if self._bot.user else 0
        return message.content.replace(f"<@{mention}>", "").replace(f"<@!{mention}>", "").strip()

    # ------------------------------------------------------------------------------ documents

    async def _read(self, message: discord.Message) -> Sequence[Ingested]:
        results: list[Ingested] = []
        if pdfs := _pdfs(message):
            with tempfile.TemporaryDirectory(prefix="pincite-") as folder:
                sources = []
                for number, attachment in enumerate(pdfs):
                    # At once: Discord's links to files end within a day.
                    path = Path(folder) / f"{number}.pdf"
                    await attachment.save(path)
                    sources.append(Source(path, attachment.filename))
                collection = collection_of(message.channel)
                await self._library.add(sources, collection=collection, report=results.append)
        return results

    async def _say_what_was_read(
        self, message: discord.Message, results: Sequence[Ingested]
    ) -> discord.abc.Messageable:
        """Failures where the file was posted, cards in a thread of their own; the place to go on in."""
        for attachment, result in zip(_pdfs(message), results, strict=True):
            if result.document is None:
                await message.reply(f"⚠️ **{render.inert(attachment.filename)}**: {render.inert(result.message or '')}")
        read = [(result.document, result.status == "duplicate") for result in results if result.document is not None]
        place = await self._place(message, [document for document, _ in read])
        for document, known in read:
            await send_all(place.send, render.card(document, known=known))
        return place

    async def _place(self, message: discord.Message, documents: Sequence[Document]) -> discord.abc.Messageable:
        if documents and self._may_create_threads(message):
            return await message.create_thread(name=render.thread_name(documents))
        return message.channel


def _pdfs(message: discord.Message) -> list[discord.Attachment]:
    """By what Discord or the file's name says; whether it is one is seen when it is read."""
    return [
        attachment
        for attachment in message.attachments
        if (attachment.content_type or "").startswith(PDF) or attachment.filename.lower().endswith(".pdf")
    ]
