"""Many people on the bot at once: is a question lost, does the event loop stall, how soon is there a first reaction.

`python -m eval.bench.bot_soak [--writer quote|model] [--users 200] [--channels 20] [--seconds 60] [--every 60]`

The real bot, library and embedding model on a simulated Discord (simcord), which runs in the same process and event
loop: what it takes is in the figures, too, but its records of what was sent are let go. Every user asks at random
moments, `--every` seconds apart on average; four questions of five are messages in a channel's thread, and one is
`/ask`. A question counts as lost when it has no answer when the soak ends and everybody has waited. `late_at` counts
where the loop was found when it was over 100 ms late: places in simcord are the simulation's own. `collections` is the
CPU time of Python's collector of garbage. Answers are not kept, so that each question is answered anew.

With `--writer model` answers are drafted by a stand-in for a language model on a loopback port (`quoting_model`), which
streams sentences of the passages, some of them wrong on purpose.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from eval.bench.quoting_model import served
from eval.bench.stalls import Collections, Stalls

if TYPE_CHECKING:
    import simcord

T = TypeVar("T")

HANDBOOK = Path(__file__).parents[2] / "examples" / "employee-handbook.pdf"
QUESTIONS = (
    "How many hours is full-time work?",
    "How many days of annual leave does grade 4 get?",
    "Who approves overtime?",
    "What is the daily allowance abroad?",
    "How long is probation?",
    "When is payday?",
    "Which penguins nest in Antarctica?",
    "What does it say about family leave?",
)
COMING = ("🔎", "✍️")
"""How a message begins that promises an answer."""
BEAT_SECONDS = 0.01
COMMANDS_ONE_IN = 5
KEPT_MESSAGES = 100
"""Of a channel, in the simulated Discord: answers that are still to come are among them."""
SETTLE_SECONDS = 900.0
"""For the set-up alone: a busy machine reads a document slowly."""
WAIT_SECONDS = 120.0
"""For the last answers, after the last question."""


@dataclass
class Asked:
    """A question, and when something came of it."""

    at: float
    reacted: float | None = None
    answered: float | None = None


@dataclass
class Watch:
    """Sees what the bot does, by the same gateway that people's clients read."""

    by_message: dict[int, Asked] = field(default_factory=dict)
    by_reply: dict[int, Asked] = field(default_factory=dict)
    commands: list[tuple[Asked, simcord.InteractionResult]] = field(default_factory=list)
    longest_stall: float = 0.0
    stalls: Stalls = field(default_factory=Stalls)
    collections: Collections = field(default_factory=Collections)

    def heard(self, event: str, payload: Mapping[str, Any]) -> None:
        """A message that was sent or edited."""
        if event not in {"MESSAGE_CREATE", "MESSAGE_UPDATE"}:
            return
        reply, reference = int(payload["id"]), payload.get("message_reference") or {}
        asked = self.by_reply.get(reply) or self.by_message.get(int(reference.get("message_id") or 0))
        if asked is not None:
            self.by_reply[reply] = asked
            self._note(asked, payload.get("content") or "")

    async def beat(self) -> None:
        """Measure how late this task is woken, and look at the commands."""
        while True:
            before = time.perf_counter()
            await asyncio.sleep(BEAT_SECONDS)
            self.stalls.beat()
            self.longest_stall = max(self.longest_stall, time.perf_counter() - before - BEAT_SECONDS)
            for asked, result in self.commands:
                if asked.answered is None and result.acknowledged:
                    self._note(asked, result.response.content if result.response else "")

    @property
    def all(self) -> list[Asked]:
        """Every question."""
        return [*self.by_message.values(), *(asked for asked, _ in self.commands)]

    @staticmethod
    def _note(asked: Asked, content: str) -> None:
        now = time.perf_counter()
        asked.reacted = asked.reacted or now
        if content and not content.startswith(COMING):
            asked.answered = asked.answered or now


async def soak(given: argparse.Namespace, model: str | None) -> dict[str, Any]:
    """The figures of one soak; answers are drafted by the model at this address, or are quotations."""
    import simcord
    from simcord import _runtime

    from bot.client import PinciteBot
    from bot.store.store import open_store
    from eval.runs import open_evals
    from rag_core.bootstrap import open_library
    from rag_core.garbage import set_aside
    from rag_core.settings import load_settings

    # It looks through a list of all that is scheduled for each callback that runs, and compares them field by field.
    _runtime._CallbackRecord.__eq__ = object.__eq__  # type: ignore[method-assign]  # noqa: SLF001
    handbook = await asyncio.to_thread(HANDBOOK.read_bytes)
    chance = random.Random(given.seed)  # noqa: S311 - a soak, not a secret
    written = {"writer": "quote"}
    if model:
        written = {"writer": "openai", "openai_base_url": model, "openai_model": "stand-in"}
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings(home=Path(folder), ocr="off", keep_answers=False, **written)
        async with open_library(settings) as library, open_store(settings.home) as store:
            await library.warm_up()
            draining = asyncio.create_task(library.drain())
            bot = PinciteBot(lambda: _held(library), lambda: _held(store), lambda _: open_evals(settings, library))
            async with simcord.run(bot, shard_count=1, settle_timeout=SETTLE_SECONDS) as env:
                guild = env.create_guild()
                people = [guild.add_member(env.create_user(f"user{n}")) for n in range(given.users)]
                rooms = [guild.create_text_channel(f"room{n}") for n in range(given.channels)]
                for room in rooms:
                    await people[0].send(room, attachments=[("handbook.pdf", handbook)])
                set_aside()
                figures = await _soaked(env, people, [room.threads[0] for room in rooms], given, chance)
            draining.cancel()
    return {**vars(given), **figures}


async def _soaked(
    env: simcord.Env,
    people: list[simcord.MemberActor],
    threads: list[simcord.ChannelHandle],
    given: argparse.Namespace,
    chance: random.Random,
) -> dict[str, Any]:
    watch = Watch()
    settle, env._settle_internal = env._settle_internal, _at_once  # type: ignore[method-assign]  # noqa: SLF001 - nobody waits for the bot
    env.backend.subscribers.append(watch.heard)
    beating = asyncio.create_task(watch.beat())
    end = time.perf_counter() + given.seconds
    with watch.stalls.watched(), watch.collections.watched():
        while time.perf_counter() < end:
            await asyncio.sleep(chance.expovariate(len(people) / given.every))
            await _ask(watch, chance.choice(people), chance.choice(threads), chance)
            _forget(env)
        waited = time.perf_counter() + WAIT_SECONDS
        while any(asked.answered is None for asked in watch.all) and time.perf_counter() < waited:  # noqa: ASYNC110
            await asyncio.sleep(BEAT_SECONDS)
    beating.cancel()
    env._settle_internal = settle  # type: ignore[method-assign]  # noqa: SLF001
    await env.settle()
    return _figures(watch)


async def _ask(watch: Watch, person: simcord.MemberActor, thread: simcord.ChannelHandle, chance: random.Random) -> None:
    question = chance.choice(QUESTIONS)
    asked = Asked(time.perf_counter())
    if chance.randrange(COMMANDS_ONE_IN) == 0:
        watch.commands.append((asked, await person.slash(thread, "ask", question=question)))
    else:
        message = await person.send(thread, question)
        watch.by_message[message.id] = asked


def _forget(env: simcord.Env) -> None:
    """Let go of what the simulation keeps: all that was ever sent, as Discord does elsewhere, and cancelled timers."""
    env.backend.http_requests.clear()
    env.backend.transcript.clear()
    timers = env._work.callbacks  # noqa: SLF001
    for timer in [timer for timer in timers if timer.handle is not None and timer.handle.cancelled()]:
        timers.remove(timer)
        if timer.real_handle is not None:
            timer.real_handle.cancel()
    for messages in env.backend.messages.values():
        for old in list(messages)[:-KEPT_MESSAGES]:
            del messages[old]


async def _at_once(*_: object, **__: object) -> None:
    return None


def _figures(watch: Watch) -> dict[str, Any]:
    reactions = sorted(asked.reacted - asked.at for asked in watch.all if asked.reacted is not None)
    answers = sorted(asked.answered - asked.at for asked in watch.all if asked.answered is not None)
    return {
        "questions": len(watch.all),
        "commands": len(watch.commands),
        "lost": sum(asked.answered is None for asked in watch.all),
        "first_reaction_s": _spread(reactions),
        "answer_s": _spread(answers),
        "longest_stall_ms": round(watch.longest_stall * 1000),
        "late_at": watch.stalls.worst(),
        "collections": watch.collections.told(),
    }


def _spread(values: list[float]) -> dict[str, float]:
    if not values:
        return {}
    return {
        "median": round(statistics.median(values), 3),
        "p95": round(values[int(len(values) * 0.95)], 3),
        "max": round(values[-1], 3),
    }


@asynccontextmanager
async def _held(value: T) -> AsyncIterator[T]:
    """What is open already."""
    yield value


def main() -> None:
    """Parse, soak, print one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--writer", choices=("quote", "model"), default="quote")
    parser.add_argument("--users", type=int, default=200)
    parser.add_argument("--channels", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--every", type=float, default=60, help="seconds between two questions of one user, on average")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with served() if given.writer == "model" else nullcontext() as model:
        print(json.dumps(asyncio.run(soak(given, model))))


if __name__ == "__main__":
    main()
