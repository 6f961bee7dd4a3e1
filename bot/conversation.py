"""From a message, a command or a button to files taken in and questions answered, and again after a restart."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Literal

import discord

from bot import cards, reply
from bot.access import Access, interaction_place
from bot.arrivals import Arrivals, Landed
from bot.buttons.card import questions_view
from bot.forgetting import Forgetting
from bot.hearing import Heard, may_make_threads, pdfs_of
from bot.limits import NO_THREAD
from bot.phrases import say, speak
from bot.places import Place, below, place_of
from bot.questions import MOST_ATTEMPTS, Questions
from bot.reply import Reply
from bot.store.records import NewQuestion, NewUpload, Question, Upload
from bot.store.store import BotStore
from bot.tree import cause_of, sentence, told
from bot.uploads import FileGone, Uploads
from rag_core.errors import RagError
from rag_core.library import Library
from rag_core.types import Document

log = logging.getLogger(__name__)

PATIENCE = timedelta(minutes=1)
"""A file or a question that has waited longer and is in nobody's hands is taken up again."""


Kind = Literal["message", "question"]

GONE = (FileGone, discord.NotFound, discord.Forbidden)
"""What says that a message or its channel is not there for us any more; Discord's own faults pass."""


class Conversation:
    """Does what people want. Each step is noted before it is done, so that another process can go on from there."""

    def __init__(  # noqa: PLR0913, PLR0917 - it is where everything meets
        self,
        client: discord.Client,
        library: Library,
        store: BotStore,
        access: Access,
        uploads: Uploads,
        questions: Questions,
        forgetting: Forgetting,
    ) -> None:
        self._client = client
        self._library = library
        self._store = store
        self._access = access
        self._uploads = uploads
        self._questions = questions
        self._forgetting = forgetting
        self._arrivals = Arrivals()
        self._in_hand: Counter[tuple[Kind, int | None]] = Counter()
        """What this process has in its hands, by id."""

    # ------------------------------------------------------------------------------ messages

    async def take(self, message: discord.Message, heard: Heard) -> None:
        """Read the PDFs of a message, answer what it asks, and then say what else its documents answer.

        What was done before, by this process or another, is not done again.
        """
        if heard.pdfs:
            await self._access.refuse_strangers(message.author, place_of(message.channel))
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
                    await self._answer(question, place_of(channel), self._reply_to(message, channel))
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
            return await self._channel(place_id)
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
            return await self._channel(message.id)
        except GONE:
            return message.channel

    @staticmethod
    def _reply_to(message: discord.Message, channel: discord.abc.MessageableChannel) -> Reply:
        return reply.under(message) if channel.id == message.channel.id else Reply(channel.send)

    # ------------------------------------------------------------------------------ files

    async def _read(
        self, message: discord.Message, uploads: Sequence[Upload], channel: discord.abc.MessageableChannel
    ) -> list[tuple[Upload, Document]]:
        """The documents that the PDFs became; those that are none have a card that says why."""
        async with AsyncExitStack() as arriving:
            landed = [await arriving.enter_async_context(self._arrivals.at(channel.id)) for _ in uploads]
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
            raise FileGone(say().file_gone)
        channel = await self._channel(upload.what.place_id)
        message = await self._message(upload.what.channel_id, upload.what.message_id)
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
            await self._answer(asked, place_of(channel), Reply(channel.send))
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
                await self._answer(await self._store.ask(new), place_of(channel), Reply(channel.send))
            return
        [first, *others] = ready
        if others:
            # They have a thread, whose documents they are.
            place = place_of(await self._channel(first.what.place_id))
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
        except (RagError, discord.HTTPException) as exc:
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
        await self._answer(await self._store.ask(new), place, speaking)

    async def _answer(self, question: Question, place: Place, speaking: Reply) -> None:
        with self._in_hands("question", question.id):
            # Whoever asks while a file is on its way wants to know what that file says.
            await self._arrivals.over(place.id)
            await self._questions.answer(question, place, speaking)

    # ------------------------------------------------------------------------------ taking up again

    async def resume(self, *, patience: timedelta = timedelta()) -> None:
        """Go on with files, then with questions, that are in nobody's hands: a process ended, or Discord failed.

        Those that came within `patience` are left to whoever has them. A question waits for the files that are on their
        way to where it was asked, and for nothing else; what fails harms no other.
        """
        before = self._store.now() - patience
        unfinished = [upload for upload in await self._store.unfinished_uploads() if upload.added_at <= before]
        coming = {upload.what.place_id for upload in unfinished}
        async with asyncio.TaskGroup() as tasks:
            for message_id in {upload.what.message_id for upload in unfinished}:
                if not self._in_hand["message", message_id]:
                    tasks.create_task(self._resume_upload(message_id))
            for question in await self._left_waiting(before):
                if question.what.place_id not in coming:
                    tasks.create_task(self._resume_question(question))
        for question in await self._left_waiting(before):
            if question.what.place_id in coming:
                await self._resume_question(question)

    async def _left_waiting(self, before: datetime) -> list[Question]:
        """Questions that nobody has in hand."""
        return [
            question
            for question in await self._store.waiting()
            if question.asked_at <= before
            and not (self._in_hand["question", question.id] or self._in_hand["message", question.what.message_id])
        ]

    async def _resume_upload(self, message_id: int) -> None:
        uploads = await self._store.uploads_of_message(message_id)
        try:
            if await self._gone_on(message_id, uploads):
                return
        except Exception as exc:  # whatever it is, the other files are gone on with
            cause = cause_of(exc)
            if not isinstance(cause, GONE):
                log.warning("a file that was on its way waits for another try", exc_info=cause)
                return
            log.info("a file that was on its way is gone, and forgotten: %s", cause)
            if isinstance(cause, discord.Forbidden):
                await self._tell_in_private(uploads[0].what.uploader_id, sentence(cause))
        await self._forgetting.message(message_id)

    async def _gone_on(self, message_id: int, uploads: Sequence[Upload]) -> bool:
        """Go on with the files of a message; False when it has none of them any more."""
        message = await self._message(uploads[0].what.channel_id, message_id)
        speak(await self._access.language(message.guild))
        if message_id == uploads[0].card_id:
            await self._go_on_below_card(uploads[0], message)
            return True
        wanted = {upload.what.attachment_id for upload in uploads}
        pdfs = [attachment for attachment in message.attachments if attachment.id in wanted]
        asked = await self._store.question_of_message(message_id)
        if pdfs:
            await self.take(message, Heard(pdfs, asked.what.question if asked else "", mentioned=False))
        return bool(pdfs)

    async def _tell_in_private(self, person_id: int, text: str) -> None:
        try:
            await (await self._client.fetch_user(person_id)).send(text)
        except discord.HTTPException as exc:
            log.info("somebody could not be told: %s", exc)

    async def _go_on_below_card(self, upload: Upload, card: discord.Message) -> None:
        """Go on with a file that came by a command: its card is the only message of it."""
        async with self._arrivals.at(upload.what.place_id) as landed:
            read = await self._read_one(upload, card, card.channel, landed)
        if read is not None:
            await self._suggest(*read, card.channel)

    async def _resume_question(self, question: Question) -> None:
        async with told():
            await self._asked_again(question)

    async def _asked_again(self, question: Question) -> None:
        try:
            channel = await self._channel(question.what.place_id)
            speak(await self._access.language(getattr(channel, "guild", None)))
            speaking = await self._speaking(question, channel)
            message_id = question.what.message_id
            if message_id is not None and await self._is_deleted(message_id, channel):
                await self._store.forget_message(message_id)
                await speaking.withdraw()
                return
        except GONE as exc:
            log.info("a question cannot be taken up: %s", exc)
            await self._store.gave_up(question.id)
            if not isinstance(exc, discord.NotFound):
                said = say().lost if isinstance(exc, FileGone) else sentence(exc)
                await self._tell_in_private(question.what.asker_id, said)
            return
        except discord.HTTPException as exc:
            log.warning("a question waits for another try: %s", exc)
            return
        if question.attempts >= MOST_ATTEMPTS:
            await self._store.gave_up(question.id)
            await speaking.end([say().lost])
            return
        await self._answer(question, place_of(channel), speaking)

    async def _speaking(self, question: Question, channel: discord.abc.MessageableChannel) -> Reply:
        """Where the question is answered: in the message that promised it, else below the one that asked."""
        if question.answer_id is not None:
            try:
                return Reply(channel.send, message=await channel.fetch_message(question.answer_id))
            except discord.NotFound:
                log.info("the message that promised an answer is gone")
        if question.what.message_id is None:
            raise FileGone("A private answer cannot be taken up by another process.")
        return Reply(channel.send)

    @staticmethod
    async def _is_deleted(message_id: int, channel: discord.abc.MessageableChannel) -> bool:
        """Whether a message that is talked about in a channel is gone; what has a thread below it stands above that."""
        above = channel.parent if isinstance(channel, discord.Thread) and channel.id == message_id else None
        home = above if isinstance(above, discord.TextChannel) else channel
        try:
            await home.fetch_message(message_id)
        except discord.NotFound:
            return True
        return False

    async def forget_what_was_deleted(self) -> None:
        """Forget the files whose message or thread went while no process was there to be told."""
        for upload in await self._store.uploads_at_rest():
            if await self._is_gone(upload.what.place_id):
                await self._forgetting.channel(upload.what.place_id)
            elif await self._is_gone(upload.what.channel_id, upload.what.message_id):
                await self._forgetting.message(upload.what.message_id)

    async def _is_gone(self, channel_id: int, message_id: int | None = None) -> bool:
        """Whether Discord says that there is no such channel or message; where it says nothing, there may be."""
        try:
            channel = await self._channel(channel_id)
            if message_id is not None:
                await channel.fetch_message(message_id)
        except discord.NotFound:
            return True
        except (FileGone, discord.HTTPException) as exc:
            log.info("whether a place or a message is still there is not known: %s", exc)
        return False

    # ------------------------------------------------------------------------------ Discord

    async def _channel(self, channel_id: int) -> discord.abc.MessageableChannel:
        channel = self._client.get_channel(channel_id) or await self._client.fetch_channel(channel_id)
        if not isinstance(channel, discord.abc.Messageable):
            raise FileGone("That channel cannot be written to any more.")
        return channel

    async def _message(self, channel_id: int, message_id: int) -> discord.Message:
        channel = await self._channel(channel_id)
        try:
            return await channel.fetch_message(message_id)
        except discord.NotFound as exc:
            raise FileGone(say().message_gone) from exc


def _attachment(message: discord.Message, attachment_id: int) -> discord.Attachment:
    found = next((a for a in message.attachments if a.id == attachment_id), None)
    if found is None:
        raise FileGone(say().link_ended)
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
    except discord.HTTPException as exc:
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
