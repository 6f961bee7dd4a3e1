"""Who may ask what, who may bring a file, and who may take one away."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.phrases import Language, language_of, say
from bot.places import Place, place_of
from bot.settings import ServerSettings
from bot.store.records import Upload
from bot.store.store import BotStore
from rag_core.errors import NotAllowed
from rag_core.library import Library
from rag_core.types import CollectionName, Document, DocumentId, Scope

Person = discord.Member | discord.User


class Access:
    """Knows the rules of places and servers; what a scope then holds is the library's business."""

    def __init__(self, library: Library, store: BotStore) -> None:
        self._library = library
        self._store = store

    async def scope(self, place: Place, *, document: str | None = None) -> Scope:
        """What may be asked in a place: a thread's own documents, else the channel's and those that the server shares.

        A thread that no file was ever brought to has the channel's. `document` narrows it to one.
        """
        everything = Scope(frozenset(filter(None, (place.collection, place.shared))))
        if document is not None:
            return Scope(everything.collections, frozenset({await self._id(document, everything)}))
        uploads = await self._store.uploads_in(place.id) if place.is_thread else []
        if not uploads:
            return everything
        own = {upload.document_id for upload in uploads}
        there = await self._library.documents(everything)
        return Scope(everything.collections, frozenset(d.id for d in there if d.id in own))

    async def everything(self, place: Place) -> Scope:
        """The channel's documents and those that the server shares, wherever in the channel the place is."""
        return Scope(frozenset(filter(None, (place.collection, place.shared))))

    async def documents(self, place: Place) -> list[Document]:
        """What may be asked there."""
        return await self._library.documents(await self.scope(place))

    async def settings(self, place: Place) -> ServerSettings:
        """The choices of the server that a place is in."""
        return await self._store.settings(place.server_id)

    async def language(self, guild: discord.Guild | None, locale: object = None) -> Language:
        """What to speak: what the server chose, else what Discord says of the server, or of the one who asks alone."""
        if guild is None:
            return language_of(locale)
        return (await self._store.settings(guild.id)).language or language_of(guild.preferred_locale)

    async def refuse_strangers(self, person: Person, place: Place) -> None:
        """Let only those bring files whom the server lets.

        Raises:
            NotAllowed: Somebody else; the message says who may.
        """
        settings = await self.settings(place)
        if place.server_id is None or settings.uploaders == "everyone":
            return
        if isinstance(person, discord.Member) and moderates(person):
            return
        if settings.uploaders == "role":
            if any(role.id == settings.uploader_role for role in getattr(person, "roles", ())):
                return
            raise NotAllowed(say().only_role_adds)
        raise NotAllowed(say().only_moderators_add)

    async def theirs(self, person: Person, document: Document, collection: CollectionName) -> Sequence[Upload]:
        """The uploads of a document that this person may take away: their own, or all of them for a moderator.

        Raises:
            NotAllowed: They brought none of them, and do not manage messages.
        """
        uploads = await self._store.uploads_of(collection, document.id)
        if moderates(person):
            return uploads
        own = [upload for upload in uploads if upload.what.uploader_id == person.id]
        if not own:
            raise NotAllowed(say().only_who_brought.format(title=document.title))
        return own

    async def _id(self, document: str, scope: Scope) -> DocumentId:
        return (await self._library.document(document, scope=scope)).id


def moderates(person: Person) -> bool:
    """Whether somebody may manage the messages of others in the server; in a chat of two, nobody else is there."""
    return not isinstance(person, discord.Member) or person.guild_permissions.manage_messages


def refuse_who_does_not_manage(interaction: discord.Interaction) -> None:
    """Let only those on who manage the server.

    Raises:
        NotAllowed: Somebody else.
    """
    if not interaction.permissions.manage_guild:
        raise NotAllowed(say().only_managers)


async def scope_at(access: Access, interaction: discord.Interaction, document: str | None = None) -> Scope:
    """What whoever interacts may ask there."""
    return await access.scope(interaction_place(interaction), document=document)


def interaction_place(interaction: discord.Interaction) -> Place:
    """Where a command or a button is used."""
    assert interaction.channel is not None, "commands and buttons are used in a channel"
    return place_of(interaction.channel)
