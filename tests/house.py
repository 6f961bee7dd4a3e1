"""A server on a simulated Discord, with the bot and somebody in it; and what people see there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import discord
import pdfs
import pytest
import simcord
from simcord._settlement import _run_due_virtual_callbacks

from bot.client import PinciteBot
from bot.desk import Desk
from bot.store.store import BotStore
from eval.runs import Evals
from rag_core.library import Library
from rag_core.types import Document, Scope

LEAVE = "Annual leave is 25 days for every employee."
ASKED = "How many days is annual leave?"
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)

SIMCORD = pytest.mark.simcord(settle_timeout=240.0, shard_count=1)
"""The timeout is how long the bot may work on one action on a busy machine; it is never waited out."""


@dataclass
class Clock:
    """What the bot takes for the time."""

    at: datetime = NOON

    def __call__(self) -> datetime:
        """The present."""
        return self.at

    def pass_by(self, **duration: float) -> None:
        """Let time pass."""
        self.at += timedelta(**duration)


class Pause:
    """Holds up whatever waits for it."""

    def __init__(self) -> None:
        self.over = asyncio.Event()
        self.over.set()


class Queue:
    """Drains a library's queue, outside the bot: it is whoever holds the right to."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._draining: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Drain."""
        self._draining = asyncio.create_task(self._library.drain())

    async def stop(self) -> None:
        """Drain no more."""
        if self._draining is not None:
            self._draining.cancel()
            await asyncio.wait([self._draining])
            self._draining = None


@dataclass
class House:
    """A server with a channel, somebody in it, and a PDF on their disk."""

    env: simcord.Env
    guild: simcord.GuildHandle
    channel: simcord.ChannelHandle
    alice: simcord.MemberActor
    library: Library
    store: BotStore
    evals: Evals
    handbook: bytes
    clock: Clock
    queue: Queue
    pause: Pause

    async def attach(
        self,
        content: str = "",
        *,
        name: str = "handbook.pdf",
        file: bytes | None = None,
        to: simcord.ChannelHandle | None = None,
    ) -> discord.Message:
        """Alice posts a file."""
        return await self.alice.send(to or self.channel, content, attachments=[(name, file or self.handbook)])

    def thread(self) -> simcord.ChannelHandle:
        """The one thread of the channel."""
        [thread] = self.channel.threads
        return thread

    async def ask(self, question: str = ASKED) -> discord.Message:
        """What the bot answers to Alice in the thread."""
        await self.alice.send(self.thread(), question)
        return last(self.thread())

    def member(self, name: str, **permissions: bool) -> simcord.MemberActor:
        """Somebody else, who may do what everyone may, and this."""
        roles = [self.guild.create_role(name, permissions=discord.Permissions(**permissions))] if permissions else []
        return self.guild.add_member(self.env.create_user(name), roles=roles)

    def say(self, content: str, *, attachments: Sequence[tuple[str, bytes]] = ()) -> int:
        """Alice writes in the channel, and nobody waits for what comes of it; the message's id."""
        backend = self.env.backend
        kept = backend.store_attachments(self.channel.id, attachments)
        return backend.create_message(self.channel.id, self.alice.id, content, attachments=kept).id

    async def promise(self) -> int:
        """Alice asks in the channel; the bot has said that it looks, and is held up there. The id of what she wrote."""
        self.pause.over.clear()
        asked = self.say(f"{self.me.mention} {ASKED}")
        await until(lambda: "🔎" in last(self.channel).content)
        return asked

    @contextmanager
    def unwaited(self) -> Iterator[None]:
        """What people do meanwhile returns at once, and the bot is still at it."""
        settle, self.env._settle_internal = self.env._settle_internal, _at_once  # type: ignore[method-assign]
        try:
            yield
        finally:
            self.env._settle_internal = settle  # type: ignore[method-assign]

    async def crash(self) -> None:
        """The bot's process ends where it is, and another one starts."""
        await self.env.shutdown()
        self.env.bot = bot_on(self.library, self.store, self.evals)
        with self.unwaited():  # or what the bot takes up again would have to be done in simcord's five seconds
            await self.env.start()

    async def restart(self) -> None:
        """Another process takes the bot's place."""
        await self.env.restart_bot(bot_on(self.library, self.store, self.evals))

    @property
    def me(self) -> discord.ClientUser:
        """Who the bot is."""
        assert self.env.bot.user is not None
        return self.env.bot.user

    @property
    def desk(self) -> Desk:
        """What the bot works with."""
        assert isinstance(self.env.bot, PinciteBot)
        return self.env.bot.desk

    async def held(self, channel: simcord.ChannelHandle | None = None) -> list[Document]:
        """The documents of a channel."""
        return await self.library.documents(Scope.of(f"discord-{self.guild.id}-{(channel or self.channel).id}"))


def bot_on(library: Library, store: BotStore, evals: Evals, *, message_content: bool = True) -> PinciteBot:
    """A bot that knows nothing but what was written down, as any does after a restart."""
    return PinciteBot(
        lambda: nullcontext(library),
        lambda: nullcontext(store),
        lambda _: nullcontext(evals),
        message_content=message_content,
    )


def plain_pdf(folder: Callable[[str], object], name: str, *pages: str) -> bytes:
    """A PDF of pages with one line each."""
    path = pdfs.pdf(folder(name), *(pdfs.text(page) for page in pages))  # type: ignore[arg-type]
    return path.read_bytes()


def let_time_pass(env: simcord.Env) -> None:
    """Wake what sleeps in real time, whatever else the bot waits for.

    The simulation first waits until nothing else of the bot is under way, and wakes nobody meanwhile: a question that
    waits for a file, which somebody looks after every now and then, would wait for ever.
    """
    settled_first = env._advance_to

    async def advance_to(target: float, deadline: float) -> None:
        if asyncio.current_task() is not env._real_advance_task:
            await settled_first(target, deadline)
            return
        env._move_clock(target)
        _run_due_virtual_callbacks(env._settlement_state(), deadline)

    env._advance_to = advance_to  # type: ignore[method-assign]


async def _at_once(*_: object, **__: object) -> None:
    return None


async def until(condition: Callable[[], object]) -> None:
    """Let others work until something is so."""
    async with asyncio.timeout(240):
        while not condition():  # noqa: ASYNC110 - a look costs little, and Discord tells a test nothing
            await asyncio.sleep(0.01)


def last(channel: simcord.ChannelHandle) -> discord.Message:
    """The last message there."""
    message = channel.last_message
    assert message is not None
    return message


def texts(channel: simcord.ChannelHandle) -> list[str]:
    """All that was said there, in order."""
    return [message.content for message in channel.history() if message.content]


def said(result: simcord.InteractionResult) -> str:
    """All that was answered."""
    messages = [*([result.response] if result.response else []), *result.followups]
    return "\n".join(dict.fromkeys(message.content for message in messages if message.content))


def labels(message: discord.Message | simcord.ResponseMessage) -> list[str]:
    """What stands on a message's buttons."""
    shown = message if isinstance(message, discord.Message) else message.message
    rows = [row for row in shown.components if isinstance(row, discord.ActionRow)]
    buttons = [item for row in rows for item in row.children if isinstance(item, discord.Button)]
    return [button.label or str(button.emoji) for button in buttons]
