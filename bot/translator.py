"""The commands in the language of whoever looks at them, by discord.py's own way of asking for it."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.phrases import language_of
from bot.phrases.commands import BY_ENGLISH


class Translator(app_commands.Translator):
    """Translates descriptions and the names of menus; what it leaves out is English."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,  # noqa: ARG002 - as discord.py asks
    ) -> str | None:
        """The text in a client's language, or None where the bot does not speak it."""
        said = BY_ENGLISH.get(string.message)
        language = language_of(locale)
        return None if said is None or language == "en" else getattr(said, language)
