"""Answers on their way to Discord: in as many messages as they need, the proof buttons under the last."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import discord

from bot import render
from bot.buttons import proof_of
from rag_core.types import Answer

Send = Callable[..., Awaitable[object]]
"""`Messageable.send`, `Webhook.send` or `Message.reply`: a text and options to a message."""


async def send_answer(send: Send, answer: Answer, **options: Any) -> None:  # noqa: ANN401 - handed on to `send`
    """The answer, with a button for each citation."""
    await send_all(send, render.answer(answer), view=proof_of(render.citations(answer)), **options)


async def send_all(
    send: Send,
    texts: Sequence[str],
    *,
    view: discord.ui.View | None = None,
    **options: Any,  # noqa: ANN401 - handed on to `send`
) -> None:
    """The texts in order; `view` under the last one. Links in them show no preview."""
    *first, last = texts
    for text in first:
        await send(text, suppress_embeds=True, **options)
    if view is not None:
        options["view"] = view
    await send(last, suppress_embeds=True, **options)
