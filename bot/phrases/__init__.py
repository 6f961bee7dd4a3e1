"""What the bot says in its own words, in the language of the server that it speaks in.

Answers are quotations, and stay in the language of their document. The language belongs to the task that answers:
whoever begins one says `speak`, and all that is done for it asks `say`.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Literal, get_args

from bot.phrases.catalogue import Phrases
from bot.phrases.english import ENGLISH
from bot.phrases.french import FRENCH
from bot.phrases.german import GERMAN
from bot.phrases.spanish import SPANISH

Language = Literal["en", "de", "fr", "es"]
LANGUAGES: Mapping[Language, Phrases] = {"en": ENGLISH, "de": GERMAN, "fr": FRENCH, "es": SPANISH}

_spoken: ContextVar[Phrases] = ContextVar("spoken", default=ENGLISH)


def say() -> Phrases:
    """The phrases of the language that is spoken now; English until another was chosen."""
    return _spoken.get()


def speak(language: Language) -> None:
    """Speak so from now on, in this task and those that it begins."""
    _spoken.set(LANGUAGES[language])


def language_of(locale: object) -> Language:
    """The language of a locale of Discord's, or English where the bot does not speak it.

    >>> language_of("de"), language_of("es-419"), language_of("pt-BR"), language_of(None)
    ('de', 'es', 'en', 'en')
    """
    begins = str(locale).partition("-")[0]
    return next((language for language in get_args(Language) if language == begins), "en")
