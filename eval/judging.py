"""Puts a run's answers to a judge: two at a time, within the day's tokens, from where it stopped last time."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from eval.judge import Item, messages, value, verdicts
from eval.run_store import RunStore
from rag_core.adapters.budgets import SqliteBudgets
from rag_core.adapters.openai import OpenAIModel
from rag_core.errors import ModelError, QuotaExhausted, SettingsError, TooLong
from rag_core.settings import Settings
from rag_core.types import Message
from rag_core.types.allowances import GROQ, Allowance
from rag_core.types.meters import Meter
from rag_core.writing.chat import Chat, Spent

AT_ONCE = 2
"""Requests under way: free plans of providers count by the minute, and one slow reply should not hold up all."""
WINDOW = 8_192
"""Tokens of a judge that the table of models does not know, unless the settings say."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What judging takes, known before it starts."""

    items: tuple[Item, ...]
    """Those that are not judged yet."""
    tokens: int
    left: int
    """Of the day's allowance."""
    model: str

    @property
    def said(self) -> str:
        """In a sentence, and what follows from it."""
        need = f"Judging {len(self.items)} items needs about {self.tokens:,} tokens of {self.left:,} left today."
        if self.tokens <= self.left:
            return need
        return f"{need} It will stop when they are gone; the rest stays pending, and the same command goes on with it."


@dataclass(frozen=True, slots=True)
class Ended:
    """How far a judge came."""

    judged: int
    pending: int
    note: str = ""
    """Why it stopped before the end, or why some of its replies were none."""


class Judge:
    """A pinned model with a day's allowance of its own."""

    def __init__(self, model: OpenAIModel, budgets: SqliteBudgets, chat: Chat, *, clock: Callable[[], float]) -> None:
        self._model = model
        self._budgets = budgets
        self._chat = chat
        self._clock = clock

    @property
    def name(self) -> str:
        """By which its judgements are kept: another model's are not mixed with them."""
        return self._model.name

    async def plan(self, items: Sequence[Item]) -> Plan:
        """What the items take of what is left."""
        account = self._model.account
        scale = await self._budgets.scale(account)
        left = await self._budgets.left(account, Meter.TPD, self._model.allowance.limits)
        return Plan(tuple(items), round(sum(item.tokens for item in items) * scale), left or 0, self.name)

    async def judge(self, run_id: str, plan: Plan, store: RunStore, *, heard: Callable[[int], None]) -> Ended:
        """Judge the items in order, keep each as it comes, and stop when the day's tokens are gone."""
        waiting = list(reversed(plan.items))
        done = 0
        notes: list[str] = []
        stopped = asyncio.Event()

        async def work() -> None:
            nonlocal done
            while waiting and not stopped.is_set():
                item = waiting.pop()
                try:
                    said, tokens = await self._ask(item)
                except QuotaExhausted as exc:
                    stopped.set()
                    notes.insert(0, str(exc))
                    return
                except ModelError as exc:
                    notes.append(str(exc))
                    continue
                if said is None:
                    notes.append(f"A reply on {item.row} was not {item.verdicts} verdicts.")
                    continue
                await store.judge(
                    run_id, item.system, item.row, metric=item.metric, model=self.name,
                    value=value(item.metric, said), tokens=tokens,
                )  # fmt: skip
                done += 1
                heard(done)

        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(work())
        return Ended(done, len(plan.items) - done, notes[0] if notes else "")

    async def _ask(self, item: Item) -> tuple[tuple[bool, ...] | None, int]:
        asked = messages(item)

        def prompt(room: float) -> Sequence[Message]:
            if item.tokens > room:
                raise TooLong(f"The passages of {item.row} do not fit into the window of {self.name}.")
            return asked

        spent = Spent(self._clock)
        spoken = await self._chat.complete(prompt, spent=spent)
        usage = spent.usage()
        return verdicts(spoken.text, item.verdicts), usage.input_tokens + usage.output_tokens


@asynccontextmanager
async def open_judge(
    settings: Settings,
    *,
    clock: Callable[[], float] = time.time,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    chance: Callable[[], float] = random.random,
) -> AsyncIterator[Judge]:
    """The judge of the settings.

    Raises:
        SettingsError: None is set, or it is the model that writes the answers.
    """
    name = settings.judge_model
    if name is None:
        raise SettingsError(
            "No judge is set: name a model in PINCITE_JUDGE_MODEL, and its key in PINCITE_JUDGE_API_KEY."
        )
    if name in {settings.groq_model if settings.groq_api_key else None, settings.openai_model}:
        raise SettingsError(f"{name!r} writes the answers: name another model in PINCITE_JUDGE_MODEL to judge them.")
    known = GROQ.get(name, Allowance(WINDOW))
    limits = {Meter.TPD: settings.judge_daily_tokens}
    async with AsyncExitStack() as stack:
        budgets = SqliteBudgets(settings.home / "catalog.sqlite3", clock=clock)
        stack.push_async_callback(budgets.close)
        model = OpenAIModel(
            api_key=settings.judge_api_key,
            model=name,
            base_url=settings.judge_base_url,
            seconds=settings.llm_seconds,
            allowance=Allowance(settings.llm_window or known.window, limits, known.price),
        )
        stack.push_async_callback(model.close)
        chat = Chat([model], budgets, clock=clock, sleep=sleep, chance=chance, patience=settings.llm_patience)
        yield Judge(model, budgets, chat, clock=clock)
