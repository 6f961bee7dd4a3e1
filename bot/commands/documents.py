"""`/documents`: which there are, bringing one, and taking one away."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot import cards, reply
from bot.access import interaction_place, moderates
from bot.commands.choices import documents_like
from bot.desk import Desk
from bot.limits import CHOICE
from bot.phrases import say
from rag_core.errors import NotAllowed
from rag_core.types import Document, Scope

Name = app_commands.Range[str, 1, CHOICE]


class Documents(commands.GroupCog, group_name="documents", group_description="This channel's documents."):
    """What this channel holds."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @app_commands.command(name="list")
    async def list_(self, interaction: discord.Interaction) -> None:
        """List the documents that can be asked here."""
        speaking = await reply.acknowledged(interaction, private=True)
        place = interaction_place(interaction)
        documents = await self._desk.library.documents(await self._desk.access.everything(place))
        shared = frozenset(d.id for d in documents if place.shared in d.collections)
        await speaking.end(cards.documents(documents, shared))

    @app_commands.command()
    @app_commands.describe(file="A PDF.")
    async def add(self, interaction: discord.Interaction, file: discord.Attachment) -> None:
        """Bring a PDF to this channel."""
        await self._desk.conversation.add(interaction, file)

    @app_commands.command()
    @app_commands.describe(document="Its title, its file or its id.")
    async def info(self, interaction: discord.Interaction, document: Name) -> None:
        """Say all that is known of a document."""
        speaking = await reply.acknowledged(interaction, private=True)
        place = interaction_place(interaction)
        meant = await self._desk.library.document(document, scope=await self._desk.access.everything(place))
        brought = await self._desk.store.uploads_of(place.collection, meant.id)
        await speaking.end(cards.info(meant, list(dict.fromkeys(upload.what.uploader_id for upload in brought))))

    @app_commands.command()
    @app_commands.describe(document="Its title, its file or its id.")
    async def remove(self, interaction: discord.Interaction, document: Name) -> None:
        """Remove a document from this channel; for who brought it, and for moderators."""
        speaking = await reply.acknowledged(interaction, private=True)
        place = interaction_place(interaction)
        meant = await self._desk.library.document(document, scope=Scope.of(place.collection))
        await speaking.end([await remove(self._desk, interaction, meant)])

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(document="Its title, its file or its id.", shared="Whether all channels may ask it.")
    async def share(self, interaction: discord.Interaction, document: Name, shared: bool = True) -> None:
        """Let all channels of this server ask a document, or no longer; for moderators."""
        speaking = await reply.acknowledged(interaction)
        place = interaction_place(interaction)
        if not moderates(interaction.user):
            raise NotAllowed(say().only_moderators_share)
        assert place.shared is not None, "the command is for servers"
        if shared:
            meant = await self._desk.library.document(document, scope=Scope.of(place.collection))
            await self._desk.library.share(meant.id, scope=Scope.of(place.collection), collection=place.shared)
        else:
            meant = await self._desk.library.document(document, scope=Scope.of(place.shared))
            await self._desk.library.remove(meant.id, scope=Scope.of(place.shared))
        await speaking.end([cards.shared(meant.title, shared=shared)])

    @info.autocomplete("document")
    @remove.autocomplete("document")
    @share.autocomplete("document")
    async def titles(self, interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The documents whose title or file has what was typed."""
        return await documents_like(self._desk, interaction, current)


async def remove(desk: Desk, interaction: discord.Interaction, document: Document) -> str:
    """Take away what this person may of a document here, and say what became of it.

    Raises:
        NotAllowed: They may take away nothing of it.
    """
    place = interaction_place(interaction)
    uploads = await desk.access.theirs(interaction.user, document, place.collection)
    titles = await desk.forgetting.uploads(uploads)
    if not uploads:
        # It came here by other ways than Discord, and a moderator removes it.
        await desk.library.remove(document.id, scope=Scope.of(place.collection))
        titles = [document.title]
    return cards.removed(titles or [document.title], still_there=not titles)
