"""What a server decides for itself, with its defaults. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bot.phrases import Language
from rag_core.types import Policy

Listening = Literal["everywhere", "chosen", "mention"]
"""Where a PDF alone is a call: in any channel where threads may be made, in those that were chosen, or nowhere."""
Uploaders = Literal["everyone", "role", "moderators"]

LONGEST_RETENTION = 3650
"""Days."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """One server's choices."""

    listening: Listening = "everywhere"
    channels: frozenset[int] = frozenset()
    """Those that were chosen."""
    retention_days: int = 0
    """After how many days documents and questions are deleted; 0 keeps them until somebody does."""
    uploaders: Uploaders = "everyone"
    uploader_role: int | None = None
    policy: Policy | None = None
    """What is published of an answer; None is what the bot was started with."""

    language: Language | None = None
    """What the bot speaks; None is what Discord says that the server speaks."""

    def __post_init__(self) -> None:
        if not 0 <= self.retention_days <= LONGEST_RETENTION:
            raise ValueError(f"retention is 0 to {LONGEST_RETENTION} days")
        if (self.uploaders == "role") != (self.uploader_role is not None):
            raise ValueError("a role is named exactly where it decides who may upload")
