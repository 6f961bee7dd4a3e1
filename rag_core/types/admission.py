"""What was asked of a model lately, and what may be: whether one more request fits, and when it will. Pure.

A sliding window: what was used counts until its window has passed, so that no minute, wherever it begins, holds more
than the limit. Every request that is under way counts as if it were made now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rag_core.types.meters import Meter

SHORTEST = 0.05
"""Seconds: a wait of less is rounding."""


@dataclass(frozen=True, slots=True)
class Call:
    """A request that was made."""

    at: float
    """When its reply came; while it is under way, when it is looked at."""
    tokens: int


@dataclass(frozen=True, slots=True)
class State:
    """What is known of a model: its limits, its calls of the last day in order of time, and what the provider said."""

    limits: Mapping[Meter, int] = field(default_factory=dict)
    calls: Sequence[Call] = ()
    others: Mapping[Meter, tuple[int, float]] = field(default_factory=dict)
    """What somebody else used with the same key, and until when that counts."""
    shut: Mapping[Meter, float] = field(default_factory=dict)
    """Until when the provider said to stay away, and by which meter."""


@dataclass(frozen=True, slots=True)
class Wait:
    """How long until a request fits, and which meter says so."""

    seconds: float
    meter: Meter | None
    """None while others stand before it in the line."""


def admit(state: State, tokens: int, *, now: float) -> Wait | None:
    """None when a request of so many tokens fits now; else the longest wait that any meter asks for.

    A request above a whole limit is let through once nothing else counts: its provider says what it thinks of it.

    >>> busy = State({Meter.TPM: 1000}, [Call(at=100.0, tokens=800)])
    >>> admit(busy, 200, now=110.0), admit(busy, 300, now=110.0)
    (None, Wait(seconds=50.0, meter=<Meter.TPM: 'tokens per minute'>))
    """
    waits = [Wait(until - now, meter) for meter, until in state.shut.items() if until > now]
    for meter, limit in state.limits.items():
        seconds = _until_it_fits(state, meter, limit, tokens, now)
        if seconds > 0:
            waits.append(Wait(max(seconds, SHORTEST), meter))
    return max(waits, key=lambda wait: wait.seconds, default=None)


def _until_it_fits(state: State, meter: Meter, limit: int, tokens: int, now: float) -> float:
    counted = [
        (call.at + meter.seconds, call.tokens if meter.in_tokens else 1)
        for call in state.calls
        if call.at + meter.seconds > now
    ]
    if meter in state.others and state.others[meter][1] > now:
        counted.append((state.others[meter][1], state.others[meter][0]))
    excess = sum(amount for _, amount in counted) + min(tokens if meter.in_tokens else 1, limit) - limit
    for ends, amount in sorted(counted):
        if excess <= 0:
            break
        excess -= amount
        if excess <= 0:
            return ends - now
    return 0.0


def left(state: State, meter: Meter, *, now: float) -> int | None:
    """What a meter still has, as far as is known; None where it has no known limit.

    >>> left(State({Meter.TPD: 1000}, [Call(at=100.0, tokens=800)]), Meter.TPD, now=110.0)
    200
    """
    limit = state.limits.get(meter)
    if limit is None:
        return None
    if state.shut.get(meter, now) > now:
        return 0
    ours = sum(call.tokens if meter.in_tokens else 1 for call in state.calls if call.at + meter.seconds > now)
    used, until = state.others.get(meter, (0, now))
    return max(limit - ours - (used if until > now else 0), 0)


def others(state: State, meter: Meter, used: int, *, now: float) -> int:
    """How much of what a provider counted was not asked by us."""
    ours = sum(call.tokens if meter.in_tokens else 1 for call in state.calls if call.at + meter.seconds > now)
    return max(used - ours, 0)
