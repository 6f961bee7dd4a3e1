"""The bot: opens the library, learns its commands, and listens."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack

import discord
from discord.ext import commands

from bot.attachments import Attachments
from bot.buttons import ProofButton
from bot.commands.ask import Ask
from bot.commands.documents import Documents
from bot.commands.verify import Verify
from bot.tree import Tree
from rag_core.library import Library


class PinciteBot(commands.Bot):
    """A Discord client that holds one library. It mentions nobody, whatever a document says.

    Args:
        open_library: Opened when the bot logs in, closed when it leaves.
    """

    library: Library

    def __init__(self, open_library: Callable[[], AbstractAsyncContextManager[Library]]) -> None:
        intents = discord.Intents.default()
        intents.message_content = True
        super().__init__(
            command_prefix=commands.when_mentioned,
            intents=intents,
            tree_cls=Tree,
            help_command=None,
            allowed_mentions=discord.AllowedMentions.none(),
        )
        self._open_library = open_library
        self._stack = AsyncExitStack()

    async def setup_hook(self) -> None:
        """Open the library and make the commands known to Discord."""
        self.library = await self._stack.enter_async_context(self._open_library())
        for cog in (Ask(self.library), Documents(self.library), Verify(self.library), Attachments(self.library, self)):
            await self.add_cog(cog)
        self.add_dynamic_items(ProofButton)
        await self.tree.sync()

    async def on_message(self, message: discord.Message, /) -> None:
        """Look for no prefix commands: a mention is followed by a question, which `Attachments` answers."""

    async def close(self) -> None:
        """Leave Discord, then close the library."""
        await super().close()
        await self._stack.aclose()
