"""The commands as Discord knows them, in its readers' languages: told once, and again only when they have changed."""

from __future__ import annotations

import hashlib
import json

from discord import app_commands

from bot.store.store import BotStore
from bot.translator import Translator

KEY = "commands"


async def sync_when_changed(tree: app_commands.CommandTree, store: BotStore, application_id: int | None) -> bool:
    """Make the commands known to Discord, unless it knows just these; whether that was done."""
    translator = Translator()
    await tree.set_translator(translator)
    commands = [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
    text = json.dumps([application_id, commands], sort_keys=True)
    mark = hashlib.sha256(text.encode()).hexdigest()
    if await store.meta(KEY) == mark:
        return False
    await tree.sync()
    await store.set_meta(KEY, mark)
    return True
