"""A judge over a run's answers, against a server on the loopback that gives verdicts, refuses, and runs out."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fakes import FakeEmbedder

from eval.bench.chat_server import ChatServer, Reply, Request, chat_server, fails, says
from eval.datasets import Dataset, rows_of
from eval.judge import Item, Tally
from eval.judging import Judge, open_judge
from eval.replies import Reply as Answered
from eval.replies import Statement
from eval.run_values import Run
from eval.runs import Evals, open_evals
from rag_core import bootstrap
from rag_core.errors import SettingsError
from rag_core.settings import Settings

QUESTIONS = [
    {"id": f"q{i}", "document": "a.pdf", "question": f"What is the value of item {i}?", "pages": [1],
     "answer": f"It is {i}. It was more."}
    for i in range(3)
]  # fmt: skip
CLAIMS = [
    {"id": "yes", "claim": "It is so.", "evidence": "It is so.", "label": "supported"},
    {"id": "no", "claim": "It is not so.", "evidence": "It is so.", "label": "unsupported"},
]
OUT = "Rate limit reached for model `j` on tokens per day (TPD): Limit 100000, Used 99990, Requested 400."


class Time:
    """Passes only when somebody waits."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        """Seconds since the epoch."""
        return self.now

    async def sleep(self, seconds: float) -> None:
        """At once."""
        self.now += seconds


@dataclass
class Court:
    """A run with three answers and two labelled claims, and a judge that may be asked."""

    evals: Evals
    settings: Settings
    server: ChatServer
    time: Time
    run: Run

    @asynccontextmanager
    async def judge(self, **settings: object) -> AsyncIterator[Judge]:
        """As a new process opens it."""
        chosen = self.settings.model_copy(update=settings)
        async with open_judge(chosen, clock=self.time, sleep=self.time.sleep, chance=lambda: 0.5) as judge:
            yield judge

    async def tallies(self, judge: Judge) -> dict[tuple[str, str], Tally]:
        """By system and metric."""
        return {(t.system, t.metric): t for t in await self.evals.judged(self.run.id, judge.name)}


def agreeing(request: Request) -> Reply:
    """One yes for each verdict that is asked for."""
    wanted = re.search(r"Give (\d+) verdicts", request.prompt)
    assert wanted is not None
    return says(json.dumps({"verdicts": [1] * int(wanted[1])}), usage=(300, 20))


@pytest.fixture
async def court(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Court]:
    """The run's answers are put into the store; what wrote them does not matter to a judge."""
    monkeypatch.setattr(bootstrap, "SentenceTransformerEmbedder", lambda *_, **__: FakeEmbedder())
    dataset = Dataset("mine", rows_of([json.dumps(row) for row in [*QUESTIONS, *CLAIMS]], source="mine.jsonl"))
    run = Run(
        id="run1", owner="room", dataset=dataset, systems=("quote",), documents={}, fingerprint={}, state="finished",
        started_at=datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip
    async with chat_server() as server:
        server.answer = agreeing
        settings = Settings(
            home=tmp_path / "home", judge_model="j", judge_base_url=f"{server.address}/v1", judge_daily_tokens=100_000
        )
        async with bootstrap.open_library(settings) as library, open_evals(settings, library) as evals:
            await evals._store.begin(run)
            answer = Answered(
                "answered",
                text="It is 1.",
                statements=(Statement("It is 1.", "supported"),),
                passages=("The value is 1.", "Other things."),
            )
            await evals._store.add(run.id, "quote", {q["id"]: answer for q in QUESTIONS})  # type: ignore[misc]
            yield Court(evals, settings, server, Time(), run)


async def test_the_three_metrics_and_the_agreement_are_judged(court: Court):
    """Of each answer all three; of the labelled claims, whether judge and label agree."""
    async with court.judge() as judge:
        ended = await court.evals.judge("run1", judge)
        found = await court.tallies(judge)
    assert (ended.judged, ended.pending, ended.note) == (11, 0, "")
    for metric in ("faithfulness", "context precision", "context recall"):
        figure = found["quote", metric].figure
        assert figure is not None
        assert (figure.value, figure.n) == (1.0, 3)
    agreement = found["labels", "label"].figure
    assert agreement is not None
    assert (agreement.value, agreement.n) == (0.5, 2)


async def test_what_it_takes_is_known_before_it_starts(court: Court):
    """Tokens needed and tokens left, from what was used today; nothing is asked for that."""
    async with court.judge() as judge:
        before = await court.evals.judge_plan("run1", judge)
        assert (len(before.items), before.left) == (11, 100_000)
        assert before.tokens > 11 * 100
        assert before.said.startswith(f"Judging 11 items needs about {before.tokens:,} tokens of 100,000 left today.")
        assert court.server.requests == []
        await court.evals.judge("run1", judge)
        after = await court.evals.judge_plan("run1", judge)
        assert (after.items, after.left) == ((), 100_000 - 11 * 320)


async def test_when_the_provider_says_that_the_day_is_over_the_rest_is_pending(court: Court):
    """It is in no figure; the next day the same command goes on, and nothing is judged twice."""
    given = 0

    def four_then_none(request: Request) -> Reply:
        nonlocal given
        given += 1
        return agreeing(request) if given <= 4 else fails(429, OUT, retry_after="3600")

    async with court.judge() as judge:
        court.server.answer = four_then_none
        ended = await court.evals.judge("run1", judge)
        assert (ended.judged, ended.pending) == (4, 7)
        assert "tokens per day" in ended.note or "day" in ended.note
        tallies = await court.tallies(judge)
        assert sum(t.figure.n for t in tallies.values() if t.figure) == 4
        assert sum(t.pending for t in tallies.values()) == 7
        assert any(t.figure is None for t in tallies.values())
        plan = await court.evals.judge_plan("run1", judge)
        assert plan.left == 0
        assert "the rest stays pending" in plan.said
    asked = len(court.server.requests)
    court.time.now += 100_000
    async with court.judge() as judge:
        court.server.answer = agreeing
        ended = await court.evals.judge("run1", judge)
        assert (ended.judged, ended.pending) == (7, 0)
    assert len(court.server.requests) == asked + 7


async def test_its_own_allowance_stops_it_before_the_provider_does(court: Court):
    """No request goes out that the day's tokens do not hold."""
    async with court.judge(judge_daily_tokens=3_000) as judge:
        ended = await court.evals.judge("run1", judge)
    assert ended.pending > 0
    assert "tokens per day" in ended.note
    assert 320 * len(court.server.requests) <= 3_000


async def test_at_most_two_are_asked_at_a_time(court: Court, monkeypatch: pytest.MonkeyPatch):
    """However many wait."""
    under_way: list[int] = [0]
    real = Judge._ask

    async def counted(self: Judge, item: Item) -> tuple[tuple[bool, ...] | None, int]:
        under_way.append(under_way[-1] + 1)
        try:
            return await real(self, item)
        finally:
            under_way.append(under_way[-1] - 1)

    monkeypatch.setattr(Judge, "_ask", counted)
    async with court.judge() as judge:
        await court.evals.judge("run1", judge)
    assert max(under_way) == 2


@pytest.mark.parametrize("reply", ["I think so.", '{"verdicts": [1, 1, 1, 1, 1, 1]}', '{"verdicts": ["yes"]}', "{"])
async def test_a_reply_that_is_no_verdict_stays_pending(court: Court, reply: str):
    """Neither a zero nor a one is made up for it."""
    court.server.answer = lambda _: says(reply, usage=(300, 20))
    async with court.judge() as judge:
        ended = await court.evals.judge("run1", judge)
        assert (ended.judged, ended.pending) == (0, 11)
        assert "verdicts" in ended.note
        assert all(t.figure is None for t in (await court.tallies(judge)).values())


async def test_another_judge_begins_anew(court: Court):
    """Judgements of two models are not mixed."""
    async with court.judge() as judge:
        await court.evals.judge("run1", judge)
    async with court.judge(judge_model="k") as judge:
        assert len((await court.evals.judge_plan("run1", judge)).items) == 11


async def test_the_writer_does_not_judge_itself(court: Court):
    """Nor does anybody, when none is named."""
    for settings, says_so in (({"openai_model": "j"}, "writes the answers"), ({"judge_model": None}, "No judge")):
        with pytest.raises(SettingsError, match=says_so):
            async with court.judge(**settings):
                pass
