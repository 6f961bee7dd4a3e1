"""What the bot says of itself: its settings, what it keeps, and how it is used. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from bot.inert import inert, short
from bot.phrases import LANGUAGES, say
from bot.settings import ServerSettings


def settings(value: ServerSettings) -> str:
    """A server's choices, a line each."""
    return "\n".join(
        [
            say().set_listening.format(where=_where(value)),
            say().set_uploaders.format(who=_who(value)),
            say().set_retention.format(how_long=_how_long(value)),
            say().set_policy.format(what=_policy(value)),
            say().set_language.format(language=_language(value)),
        ]
    )


def about_you(uploads: int, questions: int, votes: int, given: int) -> str:
    """How much is kept of somebody."""
    return "\n".join([say().kept, say().of_you.format(uploads=uploads, questions=questions, votes=votes, given=given)])


def forgotten(titles: Sequence[str]) -> str:
    """What `/privacy delete` did."""
    names = ", ".join(inert(short(title, 80)) for title in titles) or say().none
    return say().forgotten.format(names=short(names, 1500))


def _where(value: ServerSettings) -> str:
    match value.listening:
        case "everywhere":
            return say().where_everywhere
        case "chosen":
            channels = ", ".join(f"<#{channel}>" for channel in sorted(value.channels))
            return say().where_chosen.format(channels=channels or say().no_channel)
        case "mention":
            return say().nowhere
        case _:
            assert_never(value.listening)


def _who(value: ServerSettings) -> str:
    match value.uploaders:
        case "everyone":
            return say().everyone
        case "moderators":
            return say().moderators
        case "role":
            return say().role_and_moderators.format(role=f"<@&{value.uploader_role}>")
        case _:
            assert_never(value.uploaders)


def _how_long(value: ServerSettings) -> str:
    return say().for_days.format(days=value.retention_days) if value.retention_days else say().until_deleted


def _policy(value: ServerSettings) -> str:
    match value.policy:
        case None:
            return say().policy_default
        case "strict":
            return say().policy_strict
        case "flag":
            return say().policy_flag
        case "quote":
            return say().policy_quote
        case _:
            assert_never(value.policy)


def _language(value: ServerSettings) -> str:
    return LANGUAGES[value.language].own_name if value.language else say().language_of_discord
