"""From a message, a command or a button to files taken in and questions answered."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Literal

import discord

from bot import cards, reply
from bot.access import Access, interaction_place
from bot.arrivals import Arrivals, Landed
from bot.buttons.card import questions_view
from bot.channels import GONE, Channels, Gone
from bot.hearing import Heard, may_make_threads, pdfs_of
from bot.limits import NO_THREAD
from bot.phrases import say
from bot.places import Place, below, place_of
from bot.questions import Questions
from bot.reply import Reply
from bot.store.records import NewQuestion, NewUpload, Question, Upload
from bot.store.store import BotStore
from bot.tree import FAILURES
from bot.uploads import Uploads
from rag_core.errors import RagError
from rag_core.library import Library
from rag_core.types import Document

log = logging.getLogger(__name__)

Kind = Literal["message", "question"]


class Conversation:
    """Does what people want. Each step is noted before it is done, so that another process can go on from there."""

    def __init__(  # noqa: PLR0913, PLR0917 - it is where everything meets
        self,
        channels: Channels,
        library: Library,
        store: BotStore,
        access: Access,
        uploads: Uploads,
        questions: Questions,
    ) -> None:
        self._channels = channels
        self._library = library
        self._store = store
        self._access = access
        self._uploads = uploads
        self._questions = questions
        self._arrivals = Arrivals()
        self._in_hand: Counter[tuple[Kind, int | None]] = Counter()
        """What this process has in its hands, by id."""
        self._left_behind: dict[int, Landed] = {}
        """What a process before this one had in its hands, by message, until this one has."""

    # ------------------------------------------------------------------------------ messages

    async def take(self, message: discord.Message, heard: Heard) -> None:
        """Read the PDFs of a message, answer what it asks, and then say what else its documents answer.

        What was done before, by this process or another, is not done again.
        """
        if heard.pdfs and not await self._store.uploads_of_message(message.id):
            await self._access.refuse_strangers(await _author(message), place_of(message.channel))
        with self._in_hands("message", message.id):
            uploads = await self._noted_files(message, heard.pdfs)
            place_id = uploads[0].what.place_id if uploads else message.channel.id
            question = await self._noted(message, heard, place_id)
            channel = await self._channel_for(message, uploads)
            documents = await self._read(message, uploads, channel)
            if question is not None:
                if heard.pdfs and not documents:
                    # What is wrong with the file is said on its card; a password may still bring it.
                    await self._store.gave_up(question.id)
                else:
                    await self.answer(question, place_of(channel), self._reply_to(message, channel))
            elif heard.mentioned and not heard.pdfs:
                await message.reply(say().hint)
            for upload, document in documents:
                await self._suggest(upload, document, channel)

    async def _noted_files(self, message: discord.Message, pdfs: Sequence[discord.Attachment]) -> list[Upload]:
        """The uploads of PDFs, noted before anything is done about them; those that were noted before are as they were.

        They are talked about in the thread that is to be opened below the message, or right there.
        """
        place = below(message) if may_make_threads(message.channel) else place_of(message.channel)
        return [await self._store.bring(_new_upload(message, pdf, place)) for pdf in pdfs]

    async def _noted(self, message: discord.Message, heard: Heard, place_id: int) -> Question | None:
        if not heard.question:
            return None
        server_id = message.guild.id if message.guild else None
        leans_on = message.reference.message_id if message.reference else None
        asked = NewQuestion(server_id, place_id, message.id, message.author.id, heard.question, leans_on=leans_on)
        return await self._store.ask(asked)

    async def _channel_for(self, message: discord.Message, uploads: Sequence[Upload]) -> discord.abc.MessageableChannel:
        """Where the message is talked about: right there, or in a thread for its PDFs, which is opened if none was."""
        place_id = uploads[0].what.place_id if uploads else message.channel.id
        if place_id == message.channel.id:
            return message.channel
        if place_id != message.id or any(upload.card_id for upload in uploads):
            return await self._channels.channel(place_id)
        channel = await self._thread_for(message, [upload.what.filename for upload in uploads])
        if channel.id != place_id:
            await self._store.move(message.id, channel.id)
        return channel

    async def _thread_for(self, message: discord.Message, files: Sequence[str]) -> discord.abc.MessageableChannel:
        """The thread below a message, or a new one; where there can be none, the channel itself."""
        there = message.guild.get_thread(message.id) if message.guild else None
        if there is not None:
            return there
        try:
            return await message.create_thread(name=cards.thread_name([Path(file).stem for file in files]))
        except discord.HTTPException as exc:
            if exc.code not in NO_THREAD:
                raise
            log.info("no thread can be opened: %s", exc)
        try:
            return await self._channels.channel(message.id)
        except GONE:
            return message.channel

    @staticmethod
    def _reply_to(message: discord.Message, channel: discord.abc.MessageableChannel) -> Reply:
        return reply.under(message) if channel.id == message.channel.id else Reply(channel.send)

    # ------------------------------------------------------------------------------ files

    async def expect_what_was_left(self) -> None:
        """Let questions wait for the files that are on their way in nobody's hands, until they are taken up again."""
        left = {upload.what.message_id: upload.what.place_id for upload in await self._store.unfinished_uploads()}
        self._left_behind = {message_id: self._arrivals.coming(place_id) for message_id, place_id in left.items()}

    async def took_up(self, message_id: int) -> None:
        """Wait no longer for somebody to take up a message's files: they are in our hands, or nothing can be done."""
        landed = self._left_behind.pop(message_id, None)
        if landed is not None:
            await landed()

    async def expect_only(self, message_ids: Collection[int]) -> None:
        """Wait no longer for the files of other messages: they were forgotten before anybody took them up."""
        for message_id in self._left_behind.keys() - message_ids:
            await self.took_up(message_id)

    async def go_on_below(self, card: discord.Message, upload: Upload) -> None:
        """Go on with a file that came by a command: its card is the only message of it."""
        async with self._arrivals.at(upload.what.place_id) as landed:
            await self.took_up(card.id)
            read = await self._read_one(upload, card, card.channel, landed)
        if read is not None:
            await self._suggest(*read, card.channel)

    async def _read(
        self, message: discord.Message, uploads: Sequence[Upload], channel: discord.abc.MessageableChannel
    ) -> list[tuple[Upload, Document]]:
        """The documents that the PDFs became; those that are none have a card that says why."""
        async with AsyncExitStack() as arriving:
            landed = [await arriving.enter_async_context(self._arrivals.at(channel.id)) for _ in uploads]
            await self.took_up(message.id)
            async with asyncio.TaskGroup() as tasks:
                reading = [
                    tasks.create_task(self._read_one(upload, message, channel, its_own))
                    for upload, its_own in zip(uploads, landed, strict=True)
                ]
            read = [task.result() for task in reading]
        documents = [pair for pair in read if pair is not None]
        if channel.id == message.id != message.channel.id:
            await _name_after(channel, [document for _, document in documents])
        return documents

    async def _read_one(
        self, upload: Upload, message: discord.Message, channel: discord.abc.MessageableChannel, landed: Landed
    ) -> tuple[Upload, Document] | None:
        try:
            if upload.state != "coming":
                return None
            speaking = await self._card(upload, self._reply_to(message, channel), channel)
            fetch = partial(self._save, message, upload.what.attachment_id)
            document = await self._uploads.receive(upload, fetch, speaking, landed)
            return None if document is None else (upload, document)
        finally:
            await landed()

    async def _card(self, upload: Upload, new: Reply, channel: discord.abc.MessageableChannel) -> Reply:
        """The card that the upload has, or a new one."""
        if upload.card_id is None:
            return new
        try:
            return Reply(channel.send, message=await channel.fetch_message(upload.card_id))
        except discord.NotFound:
            return new

    async def read_with(self, interaction: discord.Interaction, upload_id: int, password: str) -> None:
        """Read an encrypted file with a password, and answer what was asked with it."""
        speaking = await reply.acknowledged(interaction, private=True)
        upload = await self._store.upload(upload_id)
        if upload is None:
            raise Gone(say().file_gone)
        channel = await self._channels.channel(upload.what.place_id)
        message = await self._channels.message(upload.what.channel_id, upload.what.message_id)
        card = await self._card(upload, Reply(channel.send), channel)
        fetch = partial(self._save, message, upload.what.attachment_id)
        with self._in_hands("message", message.id):
            async with self._arrivals.at(upload.what.place_id) as landed:
                document = await self._uploads.receive(upload, fetch, card, landed, password=password)
        if document is None:
            await speaking.end([say().not_opened])
            return
        await speaking.end([say().opened])
        asked = await self._store.question_of_message(upload.what.message_id)
        if asked is not None:
            await self.answer(asked, place_of(channel), Reply(channel.send))
        await self._suggest(upload, document, channel)

    async def _save(self, message: discord.Message, attachment_id: int, path: Path) -> None:
        """Save an attachment; by a fresh link where the one that came with the message has ended."""
        attachment = _attachment(message, attachment_id)
        self._library.refuse_too_large(attachment.filename, attachment.size)
        try:
            await attachment.save(path)
        except (discord.NotFound, discord.Forbidden):
            fresh = await message.channel.fetch_message(message.id)
            await _attachment(fresh, attachment_id).save(path)

    def has_in_hand(self, kind: Kind, its_id: int | None) -> bool:
        """Whether this process is at what a message wants, or at a question."""
        return bool(self._in_hand[kind, its_id])

    @contextmanager
    def _in_hands(self, kind: Kind, its_id: int) -> Iterator[None]:
        """For as long as this process does what a message wants, or has a question that waits for its answer."""
        self._in_hand[kind, its_id] += 1
        try:
            yield
        finally:
            self._in_hand -= Counter([(kind, its_id)])

    async def add(self, interaction: discord.Interaction, attachment: discord.Attachment) -> None:
        """Read a file that came with a command; its card is the answer."""
        place = interaction_place(interaction)
        await self._access.refuse_strangers(interaction.user, place)
        speaking = await reply.acknowledged(interaction)
        card = await speaking.begin(cards.coming(attachment.filename))
        new = NewUpload(
            place.server_id,
            place.id,
            card.id,
            attachment.id,
            place.id,
            interaction.user.id,
            attachment.filename,
            place.collection,
        )

        async def fetch(path: Path) -> None:
            self._library.refuse_too_large(attachment.filename, attachment.size)
            await attachment.save(path)

        with self._in_hands("message", card.id):
            upload = await self._store.bring(new)
            async with self._arrivals.at(place.id) as landed:
                document = await self._uploads.receive(upload, fetch, speaking, landed)
        if document is not None and isinstance(interaction.channel, discord.abc.Messageable):
            await self._suggest(upload, document, interaction.channel)

    async def ask_about(self, interaction: discord.Interaction, message: discord.Message, question: str) -> None:
        """Answer a question about the PDFs of a message, which are read if they were not."""
        place = interaction_place(interaction)
        known = await self._store.uploads_of_message(message.id)
        ready = [upload for upload in known if upload.state == "ready"]
        if not ready:
            await self._access.refuse_strangers(interaction.user, place)
            speaking = await reply.acknowledged(interaction, private=True)
            await speaking.begin(say().reading_first)
            with self._in_hands("message", message.id):
                uploads = await self._noted_files(message, pdfs_of(message))
                channel = await self._channel_for(message, uploads)
                documents = await self._read(message, uploads, channel)
            await speaking.end([say().answer_in_thread if documents else say().card_says_why])
            if documents:
                only = documents[0][1].id if len(documents) == 1 else None
                new = NewQuestion(place.server_id, channel.id, None, interaction.user.id, question, only)
                await self.answer(await self._store.ask(new), place_of(channel), Reply(channel.send))
            return
        [first, *others] = ready
        if others:
            # They have a thread, whose documents they are.
            place = place_of(await self._channels.channel(first.what.place_id))
        await self.ask_by(interaction, question, document=None if others else first.document_id, place=place)

    async def _suggest(self, upload: Upload, document: Document, channel: discord.abc.MessageableChannel) -> None:
        """Put questions that the document answers under its card."""
        current = await self._store.upload(upload.id)
        if current is None or current.card_id is None:
            return
        scope = await self._access.everything(place_of(channel))
        try:
            view = questions_view(document.id, await self._library.suggest(document.id, scope=scope))
            if view is not None:
                await channel.get_partial_message(current.card_id).edit(view=view)  # type: ignore[union-attr] # every channel that can be written to has it
        except (RagError, *FAILURES) as exc:
            log.info("no questions are suggested: %s", exc)

    # ------------------------------------------------------------------------------ questions

    async def ask_by(
        self,
        interaction: discord.Interaction,
        question: str,
        *,
        document: str | None = None,
        place: Place | None = None,
        private: bool = False,
    ) -> None:
        """Answer a question that came by a command or a button, of what may be asked there or in another place."""
        speaking = await reply.acknowledged(interaction, private=private)
        place = place or interaction_place(interaction)
        new = NewQuestion(place.server_id, place.id, None, interaction.user.id, question, document)
        await self.answer(await self._store.ask(new), place, speaking)

    async def answer(self, question: Question, place: Place, speaking: Reply) -> None:
        """Answer a question that was noted, once no file is on its way to where it was asked."""
        with self._in_hands("question", question.id):
            # Whoever asks while a file is on its way wants to know what that file says.
            await self._arrivals.over(place.id)
            await self._questions.answer(question, place, speaking)


async def _author(message: discord.Message) -> discord.Member | discord.User:
    """Who wrote it, with what they may do there: a message out of a channel's history does not say that."""
    if message.guild is None or isinstance(message.author, discord.Member):
        return message.author
    try:
        return await message.guild.fetch_member(message.author.id)
    except discord.NotFound:
        # They left the server.
        return message.author


def _attachment(message: discord.Message, attachment_id: int) -> discord.Attachment:
    found = next((a for a in message.attachments if a.id == attachment_id), None)
    if found is None:
        raise Gone(say().link_ended)
    return found


async def _name_after(channel: discord.abc.MessageableChannel, documents: Sequence[Document]) -> None:
    """Name a thread that was opened for these documents after them, once: Discord allows two names in ten minutes."""
    if not documents or not isinstance(channel, discord.Thread):
        return
    names = {document.id: document.title for document in documents}
    name = cards.thread_name([*names.values()])
    if channel.name == name:
        return
    try:
        await channel.edit(name=name)
    except FAILURES as exc:
        log.info("a thread keeps its file's name: %s", exc)


def _new_upload(message: discord.Message, pdf: discord.Attachment, place: Place) -> NewUpload:
    return NewUpload(
        server_id=place.server_id,
        channel_id=message.channel.id,
        message_id=message.id,
        attachment_id=pdf.id,
        place_id=place.id,
        uploader_id=message.author.id,
        filename=pdf.filename,
        collection=place.collection,
    )
