"""The bot: opens the library and its own store, learns its commands, and listens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack

import discord
from discord import app_commands
from discord.ext import commands

from bot.access import Access
from bot.buttons.answer import RecheckButton, ThumbButton, WithheldButton
from bot.buttons.card import PasswordButton, QuestionButton
from bot.buttons.evals import RunButton
from bot.buttons.keep import KeepButton
from bot.buttons.proof import PageButton, ProofButton
from bot.channels import Channels
from bot.commands.ask import Ask
from bot.commands.documents import Documents
from bot.commands.evals import EvalCommands
from bot.commands.help import Help
from bot.commands.menus import Menus
from bot.commands.privacy import ForgetMeButton, Privacy
from bot.commands.search import Search
from bot.commands.settings import Settings
from bot.commands.verify import Verify
from bot.conversation import Conversation
from bot.desk import Desk
from bot.evaluating import Evaluating
from bot.forgetting import Forgetting
from bot.hearing import Hearing
from bot.listening import Listening
from bot.meanwhile import Meanwhile
from bot.own_questions import OwnQuestions
from bot.presence import Presence
from bot.questions import Questions
from bot.resuming import Resuming
from bot.store.store import BotStore
from bot.sync import sync_when_changed
from bot.tree import Tree
from bot.upkeep import Upkeep
from bot.uploads import Uploads
from eval.runs import Evals
from rag_core.library import Library

BUTTONS = (
    ProofButton,
    PageButton,
    WithheldButton,
    ThumbButton,
    RecheckButton,
    QuestionButton,
    PasswordButton,
    ForgetMeButton,
    RunButton,
    KeepButton,
)

UNDER_WAY = ("discord.py: on_", "CommandTree-invoker", "discord-ui-")
"""How the tasks are named in which discord.py runs listeners, commands, buttons and forms."""
LEAVING_SECONDS = 5


class PinciteBot(commands.AutoShardedBot):
    """A Discord client that holds one library. It mentions nobody, whatever a document says.

    Args:
        open_library: Opened when the bot logs in, closed when it leaves.
        open_store: The same, for what the bot itself remembers.
        open_evals: The same, for the evals over that library.
        message_content: Whether Discord lets it read messages that do not mention it.
        loaded: Called once, when the models are loaded and Discord has told what there is.
        shard_count: How many connections; None is as many as Discord asks for.
    """

    desk: Desk

    def __init__(  # noqa: PLR0913 - all that it is made of
        self,
        open_library: Callable[[], AbstractAsyncContextManager[Library]],
        open_store: Callable[[], AbstractAsyncContextManager[BotStore]],
        open_evals: Callable[[Library], AbstractAsyncContextManager[Evals]],
        *,
        message_content: bool = True,
        loaded: Callable[[], None] = lambda: None,
        shard_count: int | None = None,
    ) -> None:
        intents = discord.Intents.default()
        intents.message_content = message_content
        # Nobody has to be warned that the libraries for voice are missing: the bot has none.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        super().__init__(
            command_prefix=commands.when_mentioned,
            intents=intents,
            tree_cls=Tree,
            # Whoever adds the application to an account of their own would else have commands where the bot is not.
            allowed_installs=app_commands.AppInstallationType(guild=True),
            help_command=None,
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,  # what becomes of a message is heard by its id; thousands of objects are not kept
            shard_count=shard_count,
        )
        self._open_library = open_library
        self._open_store = open_store
        self._open_evals = open_evals
        self._loaded = loaded
        self._stack = AsyncExitStack()

    async def setup_hook(self) -> None:
        """Open what the bot works with, and make the commands known to Discord."""
        library = await self._stack.enter_async_context(self._open_library())
        store = await self._stack.enter_async_context(self._open_store())
        evals = await self._stack.enter_async_context(self._open_evals(library))
        self.desk = desk = self._desk_on(library, store, evals)
        await desk.conversation.expect_what_was_left()
        listening = Listening(desk, self)
        cogs: tuple[commands.Cog, ...] = (
            Ask(desk),
            Search(desk),
            Documents(desk),
            Verify(desk),
            EvalCommands(desk),
            Settings(desk),
            Privacy(desk),
            Help(),
            Menus(desk, self.tree),
            listening,
            Presence(desk, self, listening),
            Upkeep(desk, self, self._loaded),
        )
        for cog in cogs:
            await self.add_cog(cog)
        self.add_dynamic_items(*BUTTONS)
        await sync_when_changed(self.tree, store, self.application_id)

    async def on_message(self, message: discord.Message, /) -> None:
        """Look for no prefix commands: a mention is followed by a question, which `Listening` hears."""

    async def close(self) -> None:
        """Leave off what is under way, for the next process to take up; leave Discord, close the store and library."""
        under_way = {task for task in asyncio.all_tasks() if task.get_name().startswith(UNDER_WAY)}
        under_way.discard(asyncio.current_task())
        for task in under_way:
            task.cancel()
        if under_way:
            await asyncio.wait(under_way, timeout=LEAVING_SECONDS)
        await super().close()
        await self._stack.aclose()

    def _desk_on(self, library: Library, store: BotStore, evals: Evals) -> Desk:
        access, hearing, channels = Access(library, store), Hearing(self, store), Channels(self)
        forgetting = Forgetting(library, store, evals)
        uploads = Uploads(library, store, forgetting)
        questions = Questions(library, store, access)
        conversation = Conversation(channels, library, store, access, uploads, questions)
        return Desk(
            library=library,
            store=store,
            access=access,
            hearing=hearing,
            uploads=uploads,
            questions=questions,
            conversation=conversation,
            resuming=Resuming(channels, store, access, hearing, forgetting, conversation),
            meanwhile=Meanwhile(channels, store, hearing, forgetting),
            forgetting=forgetting,
            evals=evals,
            evaluating=Evaluating(self, evals, store, access),
            own_questions=OwnQuestions(library, store, access, evals),
        )
