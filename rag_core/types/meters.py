"""What providers of language models count, and what one says of it: in headers, and in the words of a refusal. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Meter(StrEnum):
    """One allowance of a model."""

    RPM = "requests per minute"
    RPD = "requests per day"
    TPM = "tokens per minute"
    TPD = "tokens per day"

    @property
    def seconds(self) -> float:
        """Its window."""
        return DAY if self.daily else MINUTE

    @property
    def daily(self) -> bool:
        """Whether it is used up for so long that nobody waits for it."""
        return self in {Meter.RPD, Meter.TPD}

    @property
    def in_tokens(self) -> bool:
        """Whether it counts tokens; else each request is one."""
        return self in {Meter.TPM, Meter.TPD}


MINUTE = 60.0
DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Reading:
    """What a provider said of a meter, as far as it did."""

    meter: Meter
    limit: int | None = None
    used: int | None = None
    resets_in: float | None = None
    """Seconds until all of it is there again."""


def of_headers(headers: Mapping[str, str], *, requests: Meter) -> tuple[Reading, ...]:
    """The readings in the `x-ratelimit-…` headers of a reply, whose names are lower case.

    Tokens are by the minute, everywhere. Requests are by the day at Groq and by the minute at OpenAI, under the same
    name: `requests` says which. Names that end in `-minute` or `-day`, as Cerebras has them, mean what they say.

    >>> of_headers({"x-ratelimit-limit-tokens": "12000", "x-ratelimit-remaining-tokens": "9000"}, requests=Meter.RPD)
    (Reading(meter=<Meter.TPM: 'tokens per minute'>, limit=12000, used=3000, resets_in=None),)
    """
    names = {
        "requests": requests,
        "tokens": Meter.TPM,
        "requests-minute": Meter.RPM,
        "requests-day": Meter.RPD,
        "tokens-minute": Meter.TPM,
        "tokens-day": Meter.TPD,
    }
    found = []
    for name, meter in names.items():
        limit = _count(headers.get(f"x-ratelimit-limit-{name}"))
        remaining = _count(headers.get(f"x-ratelimit-remaining-{name}"))
        if limit is None:
            continue
        used = None if remaining is None else max(limit - remaining, 0)
        found.append(Reading(meter, limit, used, seconds(headers.get(f"x-ratelimit-reset-{name}", ""))))
    return tuple(found)


_SHORT = {"RPM": Meter.RPM, "RPD": Meter.RPD, "TPM": Meter.TPM, "TPD": Meter.TPD}
_NAMED = re.compile(
    r"\b(?P<short>RPM|RPD|TPM|TPD)\b|\b(?P<what>requests|tokens) per (?P<window>min(?:ute)?|day)\b", re.IGNORECASE
)
_LIMIT = re.compile(r"\blimit:?\s*(\d+)", re.IGNORECASE)
_USED = re.compile(r"\b(?:used|current):?\s*(\d+)", re.IGNORECASE)
_AGAIN = re.compile(r"\btry again in\s+((?:\d+(?:\.\d+)?\s*(?:ms|[dhms])\s*)+)", re.IGNORECASE)


def of_words(message: str) -> Reading | None:
    """The meter that a refusal names, with its limit, what is used, and when to come again; None when it names none.

    >>> of_words("Rate limit reached on tokens per day (TPD): Limit 100000, Used 99500, Requested 900. Please try "
    ...          "again in 5m45.6s.")
    Reading(meter=<Meter.TPD: 'tokens per day'>, limit=100000, used=99500, resets_in=345.6)
    """
    named = _NAMED.search(message)
    if named is None:
        return None
    if named["short"]:
        meter = _SHORT[named["short"].upper()]
    else:
        meter = Meter(f"{named['what'].lower()} per {'day' if named['window'].lower() == 'day' else 'minute'}")
    limit, used, again = (pattern.search(message) for pattern in (_LIMIT, _USED, _AGAIN))
    return Reading(
        meter,
        int(limit[1]) if limit else None,
        int(used[1]) if used else None,
        seconds(again[1]) if again else None,
    )


_PARTS = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|[dhms])", re.IGNORECASE)
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": DAY}


def seconds(said: str) -> float | None:
    """A duration as providers write it, or a plain number of seconds.

    >>> seconds("2m59.56s"), seconds("644ms"), seconds("7"), seconds("soon")
    (179.56, 0.644, 7.0, None)
    """
    try:
        plain = float(said)
    except ValueError:
        parts = _PARTS.findall(said)
        return round(sum(float(n) * _UNITS[unit.lower()] for n, unit in parts), 6) if parts else None
    return plain if 0 <= plain < float("inf") else None


def _count(said: str | None) -> int | None:
    return int(said) if said is not None and said.strip().isdecimal() else None
