"""Going on with files and questions that are in nobody's hands: a process ended, or Discord failed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

import discord

from bot.access import Access
from bot.channels import GONE, Channels, Gone
from bot.conversation import Conversation
from bot.forgetting import Forgetting
from bot.hearing import Heard, Hearing
from bot.phrases import say, speak
from bot.places import place_of
from bot.questions import MOST_ATTEMPTS
from bot.reply import Reply
from bot.store.records import Question, Upload
from bot.store.store import BotStore
from bot.tree import FAILURES, cause_of, is_discords_fault, sentence, told

log = logging.getLogger(__name__)

PATIENCE = timedelta(minutes=1)
"""A file or a question that has waited longer and is in nobody's hands is taken up again."""


class Resuming:
    """Takes up what was noted and not done."""

    def __init__(  # noqa: PLR0913, PLR0917 - it does all that a message or a click would
        self,
        channels: Channels,
        store: BotStore,
        access: Access,
        hearing: Hearing,
        forgetting: Forgetting,
        conversation: Conversation,
    ) -> None:
        self._channels = channels
        self._store = store
        self._access = access
        self._hearing = hearing
        self._forgetting = forgetting
        self._conversation = conversation

    async def resume(self, *, patience: timedelta = timedelta()) -> None:
        """Go on with files, then with questions, that are in nobody's hands: a process ended, or Discord failed.

        Those that came within `patience` are left to whoever has them. A question waits until the files that are on
        their way to where it was asked were tried, and those of its own message came; what fails harms no other.
        """
        before = self._store.now() - patience
        unfinished = [upload for upload in await self._store.unfinished_uploads() if upload.added_at <= before]
        coming = {upload.what.place_id for upload in unfinished}
        await self._conversation.expect_only({upload.what.message_id for upload in unfinished})
        async with asyncio.TaskGroup() as tasks:
            for message_id in {upload.what.message_id for upload in unfinished}:
                if not self._conversation.has_in_hand("message", message_id):
                    tasks.create_task(self._resume_upload(message_id))
            for question in await self._left_waiting(before):
                if question.what.place_id not in coming:
                    tasks.create_task(self._resume_question(question))
        still_coming = {upload.what.message_id for upload in await self._store.unfinished_uploads()}
        for question in await self._left_waiting(before):
            if question.what.place_id in coming and question.what.message_id not in still_coming:
                await self._resume_question(question)

    async def _left_waiting(self, before: datetime) -> list[Question]:
        """Questions that nobody has in hand."""
        return [
            question
            for question in await self._store.waiting()
            if question.asked_at <= before
            and not self._conversation.has_in_hand("question", question.id)
            and not self._conversation.has_in_hand("message", question.what.message_id)
        ]

    async def _resume_upload(self, message_id: int) -> None:
        try:
            await self._read_again(message_id)
        finally:
            await self._conversation.took_up(message_id)

    async def _read_again(self, message_id: int) -> None:
        uploads = await self._store.uploads_of_message(message_id)
        try:
            if await self._gone_on(message_id, uploads):
                return
        except Exception as exc:  # whatever it is, the other files are gone on with
            cause = cause_of(exc)
            if not isinstance(cause, GONE):
                trace = None if is_discords_fault(cause) else cause
                log.warning("a file that was on its way waits for another try: %r", cause, exc_info=trace)
                return
            log.info("a file that was on its way is gone, and forgotten: %s", cause)
            if isinstance(cause, discord.Forbidden):
                await self._tell_in_private(uploads[0].what.uploader_id, sentence(cause))
        await self._forgetting.message(message_id)

    async def _gone_on(self, message_id: int, uploads: Sequence[Upload]) -> bool:
        """Go on with the files of a message; False when it has none of them any more."""
        message = await self._channels.message(uploads[0].what.channel_id, message_id)
        speak(await self._access.language(message.guild))
        if message_id == uploads[0].card_id:
            await self._conversation.go_on_below(message, uploads[0])
            return True
        wanted = {upload.what.attachment_id for upload in uploads}
        pdfs = [attachment for attachment in message.attachments if attachment.id in wanted]
        if pdfs:
            await self._conversation.take(message, Heard(pdfs, await self._asked_by(message), mentioned=False))
        return bool(pdfs)

    async def _asked_by(self, message: discord.Message) -> str:
        """What a message with files asks: a process that noted the files may have died before it noted that."""
        noted = await self._store.question_of_message(message.id)
        if noted is not None:
            return noted.what.question
        heard = await self._hearing.heard(message)
        return heard.question if heard else ""

    async def _tell_in_private(self, person_id: int, text: str) -> None:
        try:
            await self._channels.tell_in_private(person_id, text)
        except FAILURES as exc:
            log.info("somebody could not be told: %s", exc)

    async def _resume_question(self, question: Question) -> None:
        async with told():
            await self._asked_again(question)

    async def _asked_again(self, question: Question) -> None:
        try:
            channel = await self._channels.channel(question.what.place_id)
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
                said = say().lost if isinstance(exc, Gone) else sentence(exc)
                await self._tell_in_private(question.what.asker_id, said)
            return
        except FAILURES as exc:
            log.warning("a question waits for another try: %s", exc)
            return
        if question.attempts >= MOST_ATTEMPTS:
            await self._store.gave_up(question.id)
            await speaking.end([say().lost])
            return
        await self._conversation.answer(question, place_of(channel), speaking)

    async def _speaking(self, question: Question, channel: discord.abc.MessageableChannel) -> Reply:
        """Where the question is answered: in the message that promised it, else below the one that asked."""
        if question.answer_id is not None:
            try:
                return Reply(channel.send, message=await channel.fetch_message(question.answer_id))
            except discord.NotFound:
                log.info("the message that promised an answer is gone")
        if question.what.message_id is None:
            raise Gone("A private answer cannot be taken up by another process.")
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
