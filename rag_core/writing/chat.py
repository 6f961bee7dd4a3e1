"""A prompt to a reply: within the model's allowance, in turn, with patience, and by another model when the first fails.

Who asks when is kept by `Budgets` for all processes; within one, askers stand in line in the order in which they came.
"""

from __future__ import annotations

import asyncio
import math
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import tenacity

from rag_core.errors import ModelError, Overloaded, QuotaExhausted, RateLimited, TooLong
from rag_core.protocols import Budgets, ChatModel, Completion, Heard
from rag_core.text.tokens import estimate
from rag_core.types import Message, Usage
from rag_core.types.admission import Wait
from rag_core.types.meters import DAY, Meter
from rag_core.writing import prompts, replies

MARGIN = 1.15
"""What a prompt may turn out longer than estimated: a wrong estimate is a refused request, and a wasted minute."""
LOOK_AGAIN = 1.0
"""Seconds between two looks at the budget: who asked before may have taken less than it reserved."""
UNTOLD = 600.0
"""Seconds for which a model is not asked whose day is over, when its provider does not say for how long."""

Prompt = Callable[[float], Sequence[Message]]
"""Estimated tokens that there is room for, to the messages."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A reply, and which model gave it."""

    text: str
    model: str
    notes: tuple[str, ...] = ()


class Chat:
    """Asks a language model, and those after it where it cannot be asked. Safe to share between tasks.

    Args:
        models: Best first.
        clock: Seconds since the epoch.
        sleep: Waits; with `clock` and `chance` (0 to 1) it comes from outside, so that a test need not.
        patience: Seconds that an asker waits for its turn, and between the first attempt and the last.
    """

    def __init__(  # noqa: PLR0913 - the world comes in as arguments
        self,
        models: Sequence[ChatModel],
        budgets: Budgets,
        *,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
        chance: Callable[[], float],
        patience: float,
    ) -> None:
        self._models = models
        self._budgets = budgets
        self._clock = clock
        self._sleep = sleep
        self._chance = chance
        self._patience = patience
        self._lines: defaultdict[str, asyncio.Lock] = defaultdict(
            asyncio.Lock
        )  # asyncio's locks are first come first served

    @property
    def name(self) -> str:
        """Of the model that is asked first."""
        return self._models[0].name

    async def complete(self, prompt: Prompt, *, spent: Spent, heard: Heard | None = None) -> Spoken:
        """The reply of the first model that gives one. `spent` is told of every request, those that failed too.

        Raises:
            RateLimited: None can be asked soon enough.
            QuotaExhausted: The day's allowance is gone.
            ModelError: The first model's trouble, where no other helps, or its refusal of the request.
        """
        deadline = self._clock() + self._patience
        first: ModelError | None = None
        for model in self._models:
            asking = _Asking(model, prompt, heard, spent, deadline)
            try:
                text = await self._patiently(asking)
            except (RateLimited, QuotaExhausted, Overloaded) as exc:
                first = first or exc
            else:
                notes = () if first is None else (f"{sentence(first)} {model.name} was asked instead.",)
                return Spoken(text, model.name, notes)
        assert first is not None, "there is at least one model"
        raise first

    async def _patiently(self, asking: _Asking) -> str:
        """The reply after as many attempts as are worth it, with backoff and jitter in between."""

        def worth(error: BaseException) -> bool:
            match error:
                case RateLimited(retry_after=float(seconds)):
                    return self._clock() + seconds <= asking.deadline
                case RateLimited() | Overloaded():
                    return self._clock() < asking.deadline
                case TooLong(reading=reading):
                    return reading is not None and asking.attempts == 1  # packed anew, within what it said
                case _:
                    return False

        def wait(state: tenacity.RetryCallState) -> float:
            error = state.outcome.exception() if state.outcome else None
            if isinstance(error, TooLong) or (isinstance(error, RateLimited) and error.retry_after is not None):
                return 0.0  # the budget keeps everybody waiting for as long as the provider said
            return replies.backoff(state.attempt_number, chance=self._chance())

        retrying = tenacity.AsyncRetrying(
            sleep=self._sleep,
            stop=tenacity.stop_after_attempt(replies.ATTEMPTS),
            wait=wait,
            retry=tenacity.retry_if_exception(worth),
            reraise=True,
        )
        try:
            completion: Completion = await retrying(self._attempt, asking)
        finally:
            # What it was to do next refers to it in a circle, which would keep all that was asked for a long while.
            retrying.iter_state.reset()
        return completion.text

    async def _attempt(self, asking: _Asking) -> Completion:
        model, account = asking.model, asking.model.account
        async with self._lines[account]:
            messages, estimated, scale = await self._packed(asking)
            needed = math.ceil(estimated * scale) + _most(model)
            reservation = await self._turn(asking, needed)
        asking.attempts += 1
        asking.spent.call(model.name)
        try:
            completion = await model.complete(messages, most=_most(model), heard=asking.heard)
        except ModelError as exc:
            await self._budgets.settle(reservation, None)
            await self._learn(account, exc)
            raise
        except BaseException:  # cancelled: it may well be counted over there
            await self._budgets.settle(reservation, needed)
            raise
        read = completion.input_tokens if completion.input_tokens is not None else round(estimated * scale / MARGIN)
        written = completion.output_tokens if completion.output_tokens is not None else estimate(completion.text)
        await self._budgets.settle(reservation, read + written)
        await self._budgets.read(account, completion.readings)
        if completion.input_tokens is not None:
            await self._budgets.counted(account, estimated=estimated, really=completion.input_tokens)
        asking.spent.tokens(read, written, model.allowance.cost(read, written))
        return completion

    async def _packed(self, asking: _Asking) -> tuple[Sequence[Message], int, float]:
        """The messages, as many as the model may read now; their tokens by our estimate, and what to multiply it by."""
        model = asking.model
        limits = await self._budgets.limits(model.account, model.allowance.limits)
        scale = await self._budgets.scale(model.account) * MARGIN
        room = min(model.allowance.window, limits.get(Meter.TPM, model.allowance.window)) - _most(model)
        messages = asking.prompt(room / scale)
        return messages, prompts.size(messages), scale

    async def _turn(self, asking: _Asking, needed: int) -> int:
        """A reservation, as soon as those who came before have theirs and the allowance has room.

        Raises:
            RateLimited: That is later than an asker waits.
            QuotaExhausted: That is not today.
        """
        model = asking.model
        ticket = await self._budgets.join(model.account)
        try:
            while True:
                got = await self._budgets.reserve(model.account, needed, ticket=ticket, table=model.allowance.limits)
                if not isinstance(got, Wait):
                    return got
                self._refuse_long(model, got, asking.deadline)
                await self._sleep(min(got.seconds, LOOK_AGAIN))
        finally:
            await self._budgets.leave(ticket)

    def _refuse_long(self, model: ChatModel, wait: Wait, deadline: float) -> None:
        if wait.meter is not None and wait.meter.daily:
            resets_at = datetime.fromtimestamp(self._clock() + wait.seconds, UTC)
            raise QuotaExhausted(
                f"The {wait.meter.value} of {model.name} are used up until {resets_at:%Y-%m-%d %H:%M} UTC.",
                resets_at=resets_at,
                retry_after=wait.seconds,
            )
        if self._clock() + wait.seconds > deadline:
            what = "others are asked for before" if wait.meter is None else f"its {wait.meter.value} are used up"
            raise RateLimited(f"{model.name} cannot be asked for now: {what}.", retry_after=wait.seconds)

    async def _learn(self, account: str, error: ModelError) -> None:
        """Keep what a refusal says, for everybody."""
        match error:
            case QuotaExhausted(reading=reading, retry_after=seconds):
                meter = reading.meter if reading else Meter.TPD
                await self._budgets.shut(account, meter, min(UNTOLD if seconds is None else seconds, DAY))
            case RateLimited(reading=reading, retry_after=seconds):
                if seconds is not None:
                    await self._budgets.shut(account, reading.meter if reading else Meter.RPM, seconds)
            case TooLong(reading=reading):
                pass
            case _:
                return
        if reading is not None and reading.limit is not None:
            await self._budgets.read(account, [reading])


@dataclass(slots=True)
class _Asking:
    """One question on its way to one model."""

    model: ChatModel
    prompt: Prompt
    heard: Heard | None
    spent: Spent
    deadline: float
    attempts: int = 0


class Spent:
    """Adds up what an answer takes, from the moment it is made."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._start = clock()
        self._usage = Usage()

    def call(self, model: str) -> None:
        """A request goes out."""
        self._usage += Usage(model, calls=1)

    def tokens(self, read: int, written: int, cost: float | None) -> None:
        """A reply came."""
        self._usage += Usage(None, 0, read, written, cost)

    def usage(self) -> Usage:
        """So far."""
        return self._usage + Usage(seconds=self._clock() - self._start)


def _most(model: ChatModel) -> int:
    """Tokens that its reply may have."""
    return min(prompts.LONGEST_REPLY, model.allowance.window // 4)


def sentence(error: ModelError) -> str:
    """What an error says, with a full stop."""
    return f"{str(error).rstrip('.')}."
