"""One answer on its way to Discord: a message that says what is being done, then says it, then what follows from it.

The message is edited while the work goes on, no faster than Discord allows, and the last edit always comes.
"""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import discord

from bot.inert import short
from bot.limits import (
    ALREADY_ACKNOWLEDGED,
    ALT_TEXT,
    ENDED_TOKEN,
    NO_HISTORY,
    NOT_TO_BE_EDITED,
    SECONDS_BETWEEN_EDITS,
    UNKNOWN_INTERACTION,
    UNKNOWN_WEBHOOK,
)
from bot.tree import FAILURES

log = logging.getLogger(__name__)

Send = Callable[..., Awaitable[discord.Message]]
"""`Messageable.send`, `Webhook.send` or `Message.reply`: a text and options to a message."""


class Reply:
    """Speaks to one who waits.

    Args:
        first: Sends the message that is edited from then on.
        more: Sends what has no room in it; the same as `first` where that can be used again.
        late: Sends it when the interaction that `first` and `more` speak through has ended, which takes 15 minutes.
        message: The first message, when it was sent before: by the process that went before this one, perhaps.
    """

    def __init__(
        self,
        first: Send,
        more: Send | None = None,
        *,
        late: Send | None = None,
        message: discord.Message | None = None,
    ) -> None:
        self._first = first
        self._more = more or first
        self._late = late
        self._message = message
        self._edited: float | None = None

    async def begin(self, text: str) -> discord.Message:
        """Say at once that the work has begun, where nothing was said yet; the message that will be edited."""
        if self._message is None:
            self._message = await self._first(text)
        return self._message

    async def show(self, text: str, *, view: discord.ui.View | None = None) -> None:
        """Say how it goes on, or leave it where the last edit was just now. A failure is no harm here."""
        now = asyncio.get_running_loop().time()
        if self._message is None or (self._edited is not None and now - self._edited < SECONDS_BETWEEN_EDITS):
            return
        self._edited = now
        try:
            await self._edit(self._message, text, view)
        except FAILURES as exc:
            log.info("progress could not be shown: %s", exc)

    async def end(self, texts: Sequence[str], *, view: discord.ui.View | None = None) -> discord.Message:
        """Say it, in as many messages as it needs; the one with the view, which is the last."""
        *before, last = texts
        message = None
        for text in before:
            message = await self._put(text, first=message is None)
        return await self._put(last, first=message is None, view=view)

    async def withdraw(self) -> None:
        """Take back what was said, because nobody wants to know it any more. A failure is no harm here."""
        if self._message is None:
            return
        try:
            await self._message.delete()
        except FAILURES as exc:
            log.info("a message that nobody wants could not be taken back: %s", exc)

    async def pictures(
        self, text: str, files: Sequence[discord.File], *, view: discord.ui.View | None = None
    ) -> discord.Message:
        """Say it with pictures or files, as the answer to a command or button."""
        return await self._first(text, attachments=files, view=view)

    async def exhibit(
        self, embed: discord.Embed, picture: discord.File | None, *, view: discord.ui.View | None = None
    ) -> None:
        """Show an embed in the place of what was said before, with its picture."""
        files = [] if picture is None else [picture]
        for file in files:
            embed.set_image(url=f"attachment://{file.filename}")
        if self._message is None:
            self._message = await self._first("", embed=embed, attachments=files, view=view)
            return
        try:
            await self._message.edit(content=None, embed=embed, attachments=files, view=view)
        except discord.HTTPException as exc:
            if exc.code not in NOT_TO_BE_EDITED:
                raise
            options: dict[str, Any] = {} if view is None else {"view": view}
            for file in files:
                file.reset()
            self._message = await self._more("", embed=embed, files=files, **options)

    async def _put(self, text: str, *, first: bool, view: discord.ui.View | None = None) -> discord.Message:
        options: dict[str, Any] = {} if view is None else {"view": view}
        if not first:
            return await self._more(text, **options)
        if self._message is None:
            self._message = await self._first(text, **options)
            return self._message
        try:
            return await self._edit(self._message, text, view)
        except discord.HTTPException as exc:
            if exc.code not in NOT_TO_BE_EDITED:
                raise
            # What was asked is answered all the same.
            self._message = await self._more(text, **options)
            return self._message

    async def _edit(self, message: discord.Message, text: str, view: discord.ui.View | None) -> discord.Message:
        """The message as it is now. An interaction's own way to edit it ends; then it is a message like any other."""
        try:
            return await message.edit(content=text, view=view)
        except discord.HTTPException as exc:
            if self._late is None or not _has_ended(exc):
                raise
            self._more, self._late = self._late, None
            self._message = await message.channel.fetch_message(message.id)
            return await self._message.edit(content=text, view=view)


def _has_ended(error: discord.HTTPException) -> bool:
    """Whether the interaction that spoke has had its time."""
    return error.code in {ENDED_TOKEN, UNKNOWN_WEBHOOK}


def picture(png: bytes, name: str, description: str) -> discord.File:
    """A picture, described for who cannot see it."""
    return discord.File(io.BytesIO(png), name, description=short(description, ALT_TEXT))


def under(message: discord.Message) -> Reply:
    """A reply below a message, or in its channel when the message is gone by then."""
    reference = message.to_reference(fail_if_not_exists=False)

    async def first(text: str, **options: Any) -> discord.Message:  # noqa: ANN401 - handed on to `send`
        try:
            return await message.channel.send(text, reference=reference, **options)
        except discord.HTTPException as exc:
            if exc.code != NO_HISTORY:
                raise
            return await message.channel.send(text, **options)

    return Reply(first, message.channel.send)


def to(interaction: discord.Interaction, *, private: bool) -> Reply:
    """A reply to a command or button that was acknowledged as thinking."""

    async def first(text: str, **options: Any) -> discord.Message:  # noqa: ANN401 - handed on to `edit`
        return await interaction.edit_original_response(content=text, **options)

    async def more(text: str, **options: Any) -> discord.Message:  # noqa: ANN401 - handed on to `send`
        return await interaction.followup.send(text, ephemeral=private, wait=True, **options)

    return Reply(first, more, late=_elsewhere(interaction, private=private))


async def acknowledged(interaction: discord.Interaction, *, private: bool = False) -> Reply:
    """Tell Discord, which allows three seconds, that an answer is coming; the reply to speak through.

    When Discord has given the interaction up already, whoever asked gets the answer in the channel, or in private.
    """
    try:
        await interaction.response.defer(thinking=True, ephemeral=private)
    except discord.NotFound as exc:
        if exc.code != UNKNOWN_INTERACTION:
            raise
        log.warning("an interaction was acknowledged too late; it is answered by a message")
        return Reply(_elsewhere(interaction, private=private))
    except discord.HTTPException as exc:
        if exc.code != ALREADY_ACKNOWLEDGED:
            raise
    return to(interaction, private=private)


async def attended(interaction: discord.Interaction) -> None:
    """Tell Discord that a click is attended to, and that the message it stands on will be edited."""
    try:
        await interaction.response.defer()
    except discord.HTTPException as exc:
        if exc.code != ALREADY_ACKNOWLEDGED:
            raise


def _elsewhere(interaction: discord.Interaction, *, private: bool) -> Send:
    """How to answer an interaction that Discord has given up: in its channel, or in private."""
    if private or not isinstance(interaction.channel, discord.abc.Messageable):
        return interaction.user.send
    return interaction.channel.send
