"""How much one principal may do, and when it may do more. Pure.

Uploads and questions are counted over the last hour, from each one's own time, so there is no full hour at which all
may come at once. Bytes and pages are what the principal's documents hold now: who removes some has room again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from rag_core.errors import QuotaExhausted, RateLimited
from rag_core.types.jobs import Principal

EVERYBODY = Principal("")
"""Whose quota is that of all who have none of their own, but for whoever is at the command line."""

Act = Literal["upload", "question"]
HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Quota:
    """What a principal may do; None is as much as it likes."""

    uploads_an_hour: int | None = None
    questions_an_hour: int | None = None
    bytes: int | None = None
    pages: int | None = None

    def an_hour(self, act: Act) -> int | None:
        """How often an hour."""
        return self.uploads_an_hour if act == "upload" else self.questions_an_hour


@dataclass(frozen=True, slots=True)
class Held:
    """What documents and waiting files take up: a principal's, or one that is to be among them."""

    bytes: int
    pages: int


def refuse_too_often(act: Act, wanted: int, most: int | None, past: Sequence[datetime], now: datetime) -> None:
    """Return if `wanted` more of this act are within what an hour allows.

    Args:
        act: What is counted.
        wanted: How many at once.
        most: An hour's; None is without limit.
        past: When the principal did it within the last hour, oldest first.
        now: The time of asking.

    Raises:
        RateLimited: They are not; it says when they are, unless they never will be.
    """
    if most is None or len(past) + wanted <= most:
        return
    if wanted > most:
        raise RateLimited(f"That is {wanted} {act}s at once, and {most} an hour are allowed: send fewer.")
    oldest = past[len(past) + wanted - most - 1]
    seconds = max(1.0, (oldest + HOUR - now).total_seconds())
    raise RateLimited(
        f"{most} {act}s an hour are allowed, and {len(past)} were made: try again in {_said(seconds)}.",
        retry_after=seconds,
    )


def refuse_too_much(quota: Quota, held: Held, more: Held) -> None:
    """Return if there is room for so much more of this principal's documents.

    How many pages a file has is known once it is read, so a file is taken while there is room for one.

    Raises:
        QuotaExhausted: There is not; removing documents makes some.
    """
    if quota.bytes is not None and held.bytes + more.bytes > quota.bytes:
        raise QuotaExhausted(
            f"Your documents may take {_mib(quota.bytes)}; they take {_mib(held.bytes)}, and this would be "
            f"{_mib(more.bytes)} more. Try again once you have removed some."
        )
    if quota.pages is not None and held.pages + more.pages > quota.pages:
        raise QuotaExhausted(
            f"Your documents may have {quota.pages} pages, and have {held.pages}: there is no room for {more.pages} "
            "more. Try again once you have removed some."
        )


def _said(seconds: float) -> str:
    """How long that is.

    >>> _said(42), _said(1500)
    ('42 seconds', '25 minutes')
    """
    return f"{seconds:.0f} seconds" if seconds < 100 else f"{seconds / 60:.0f} minutes"  # noqa: PLR2004 - as people say it


def _mib(size: int) -> str:
    return f"{size / 2**20:.1f} MiB"
