"""What the menu of a message offers: check it, ask about its PDF, remove its document."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot import reply
from bot.access import interaction_place
from bot.attending import Form, attending
from bot.commands.documents import remove
from bot.commands.verify import check
from bot.desk import Desk, desk_of
from bot.hearing import pdfs_of
from bot.phrases import say
from rag_core.errors import DocumentNotFound, NotAllowed
from rag_core.types import Scope

LONGEST_QUESTION = 500


class Menus(commands.Cog):
    """Offers them for as long as the cog is loaded."""

    def __init__(self, desk: Desk, tree: app_commands.CommandTree) -> None:
        self._desk = desk
        self._tree = tree
        self._menus = (
            app_commands.ContextMenu(name="Check this against the documents", callback=self.check),
            app_commands.ContextMenu(name="Ask about this PDF", callback=self.ask),
            app_commands.ContextMenu(name="Remove this document", callback=self.remove),
        )

    async def cog_load(self) -> None:
        """Put them into the tree."""
        for menu in self._menus:
            self._tree.add_command(menu)

    async def cog_unload(self) -> None:
        """Take them out again."""
        for menu in self._menus:
            self._tree.remove_command(menu.name, type=menu.type)

    async def check(self, interaction: discord.Interaction, message: discord.Message) -> None:
        """What the message says, statement by statement."""
        await check(self._desk, interaction, await reply.acknowledged(interaction), message.content)

    async def ask(self, interaction: discord.Interaction, message: discord.Message) -> None:
        """A form for a question about the PDF of the message."""
        if not pdfs_of(message):
            raise NotAllowed(say().no_pdf)
        await interaction.response.send_modal(QuestionModal(message))

    async def remove(self, interaction: discord.Interaction, message: discord.Message) -> None:
        """The documents that the message brought, or whose card it is."""
        speaking = await reply.acknowledged(interaction, private=True)
        store = self._desk.store
        uploads = await store.uploads_of_message(message.id) or await store.uploads_on_card(message.id)
        scope = Scope.of(interaction_place(interaction).collection)
        wanted = {upload.document_id for upload in uploads}
        documents = [d for d in await self._desk.library.documents(scope) if d.id in wanted]
        if not documents:
            raise DocumentNotFound(say().no_document_there)
        await speaking.end([await remove(self._desk, interaction, document) for document in documents])


class QuestionModal(Form):
    """Takes a question."""

    def __init__(self, message: discord.Message) -> None:
        super().__init__(title=say().ask_about)
        self._message = message
        self.question: discord.ui.TextInput[QuestionModal] = discord.ui.TextInput(
            label=say().your_question,
            custom_id="question",
            min_length=3,
            max_length=LONGEST_QUESTION,
            placeholder=say().question_example,
        )
        self.add_item(self.question)

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Answer it."""
        async with attending(interaction):
            await desk_of(interaction).conversation.ask_about(interaction, self._message, self.question.value)
