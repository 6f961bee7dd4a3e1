"""Allowances of language models: kept across restarts, shared by processes, never exceeded, and nobody left waiting."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from builders import passage_of
from fakes import FakeClock
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from eval.bench.chat_server import ChatServer, Reply, Request, chat_server, fails, says
from rag_core.adapters.accounts import account
from rag_core.adapters.budgets import SqliteBudgets
from rag_core.adapters.catalog import SqliteCatalog
from rag_core.adapters.groq import GroqModel
from rag_core.errors import ModelUnavailable, QuotaExhausted, RateLimited
from rag_core.text.tokens import estimate
from rag_core.types.admission import Call, State, Wait, admit
from rag_core.types.allowances import Allowance
from rag_core.types.meters import Meter, Reading
from rag_core.writing import prompts
from rag_core.writing.chat import Chat
from rag_core.writing.drafting import ModelWriter

PASSAGES = (passage_of("Annual leave is 25 days."),)
SAID = "Annual leave is 25 days [1]."
DAYS = Allowance(131_072, {Meter.TPD: 4_000})


class Provider:
    """What Groq does: counts requests and tokens of the last minute, and refuses what is above its limits."""

    def __init__(self, clock: FakeClock, *, requests: int, tokens: int) -> None:
        self.clock = clock
        self.requests, self.tokens = requests, tokens
        self.served: list[tuple[float, int]] = []
        self.refused = 0

    def __call__(self, request: Request) -> Reply:
        """A completion, or 429."""
        tokens = estimate(request.prompt) + 20
        lately = [used for at, used in self.served if at > self.clock.now - 60]
        if len(lately) + 1 > self.requests or sum(lately) + tokens > self.tokens:
            self.refused += 1
            return fails(429, "too many", retry_after="5")
        self.served.append((self.clock.now, tokens))
        return says(SAID, usage=(tokens - 20, 20))


@pytest.fixture
async def server() -> AsyncIterator[ChatServer]:
    """A provider of our own."""
    async with chat_server() as chat:
        yield chat


@pytest.fixture
def clock() -> FakeClock:
    """Everybody's."""
    return FakeClock()


class Office:
    """Processes of one data folder, each with a connection, models and a line of its own."""

    def __init__(self, path: Path, clock: FakeClock, server: ChatServer) -> None:
        self.path, self.clock, self.server = path, clock, server
        self._open: list[GroqModel | SqliteBudgets] = []

    def budgets(self) -> SqliteBudgets:
        """Another process's, or the next start's."""
        self._open.append(SqliteBudgets(self.path, clock=self.clock))
        return self._open[-1]  # type: ignore[return-value]

    def writer(self, allowance: Allowance, *, patience: float = 120, key: str = "k") -> ModelWriter:
        """One process's."""
        model = GroqModel(
            api_key=SecretStr(key), model="m", base_url=self.server.address, seconds=30, allowance=allowance
        )
        self._open.append(model)
        chat = Chat(
            [model], self.budgets(), clock=self.clock, sleep=self.clock.sleep, chance=lambda: 0.0, patience=patience
        )
        return ModelWriter(chat, clock=self.clock)

    async def close(self) -> None:
        """All processes end."""
        for one in self._open:
            await one.close()


@pytest.fixture
async def office(catalog: SqliteCatalog, tmp_path: Path, clock: FakeClock, server: ChatServer) -> AsyncIterator[Office]:
    """With an empty catalog."""
    made = Office(tmp_path / "home" / "catalog.sqlite3", clock, server)
    server.plan(says(SAID, usage=(1_000, 20)))
    yield made
    await made.close()


# ---------------------------------------------------------------------------------------- many askers


async def test_fifty_askers_neither_exceed_the_budget_nor_starve(office: Office, server: ChatServer, clock: FakeClock):
    """The provider refuses nobody, everybody is answered by the model, and in the order in which they came."""
    provider = Provider(clock, requests=30, tokens=12_000)
    server.answer = provider
    writer = office.writer(Allowance(131_072, {Meter.RPM: 30, Meter.TPM: 12_000}), patience=3_000)
    drafts = await asyncio.gather(*(writer.write(f"Leave of asker {n:02d}?", PASSAGES) for n in range(50)))
    assert {draft.text for draft in drafts} == {SAID}
    assert provider.refused == 0
    assert len(server.requests) == 50
    came = [request.prompt.split("Leave of asker ")[1][:2] for request in server.requests]
    # Two that go out together may overtake each other on their way, but nobody falls behind.
    assert all(abs(int(asker) - place) <= 8 for place, asker in enumerate(came))


async def test_processes_share_one_budget_and_take_turns(office: Office, server: ChatServer, clock: FakeClock):
    """Twenty-four askers of one and six of another: the limit holds for both together, and the few do not wait last."""
    provider = Provider(clock, requests=6, tokens=1_000_000)
    server.answer = provider
    allowance = Allowance(131_072, {Meter.RPM: 6})
    many, few = (office.writer(allowance, patience=3_000) for _ in range(2))
    asked = [many.write(f"many {n}", PASSAGES) for n in range(24)] + [few.write(f"few {n}", PASSAGES) for n in range(6)]
    await asyncio.gather(*asked)
    assert provider.refused == 0
    places = [place for place, request in enumerate(server.requests) if "few" in request.prompt]
    assert max(places) < 20


async def test_who_would_wait_too_long_is_told_at_once(office: Office, clock: FakeClock):
    """Which meter it is, and in how many seconds it is worth another try."""
    writer = office.writer(Allowance(131_072, {Meter.RPM: 1}), patience=30)
    await writer.write("Leave?", PASSAGES)
    with pytest.raises(RateLimited, match="requests per minute") as raised:
        await writer.write("Leave?", PASSAGES)
    assert raised.value.retry_after == pytest.approx(60)
    assert clock.waited == 0


# ---------------------------------------------------------------------------------------- the day


async def test_a_spent_day_survives_a_restart(office: Office, server: ChatServer, clock: FakeClock):
    """The next start knows what this one used, and asks nobody; the next day it asks again."""
    await office.writer(DAYS).write("Leave?", PASSAGES)
    await office.writer(DAYS).write("Leave?", PASSAGES)
    with pytest.raises(QuotaExhausted, match="tokens per day of groq:m are used up until") as raised:
        await office.writer(DAYS).write("Leave?", PASSAGES)
    assert raised.value.resets_at is not None
    assert raised.value.resets_at.timestamp() == pytest.approx(clock.now + 86_400)
    assert len(server.requests) == 2
    clock.now += 86_401
    await office.writer(DAYS).write("Leave?", PASSAGES)
    assert len(server.requests) == 3


async def test_a_clock_that_was_set_back_shuts_no_model_for_longer_than_a_day(
    office: Office, server: ChatServer, clock: FakeClock
):
    """What was counted in a future is over a day later; nobody who stood in a line then stands before the others."""
    key = account("groq:m", server.address, SecretStr("k"))
    await office.budgets().join(key)  # by a process that died
    await office.writer(DAYS).write("Leave?", PASSAGES)
    await office.writer(DAYS).write("Leave?", PASSAGES)
    await office.budgets().shut(key, Meter.RPM, 60)
    clock.now -= 400 * 86_400
    with pytest.raises(RateLimited) as raised:
        await office.writer(DAYS).write("Leave?", PASSAGES)
    assert raised.value.retry_after is not None
    assert raised.value.retry_after <= 86_400
    clock.now += 86_401
    await office.writer(DAYS).write("Leave?", PASSAGES)
    assert len(server.requests) == 3


async def test_another_key_has_an_allowance_of_its_own(office: Office, server: ChatServer):
    """And no key is in the catalog."""
    server.plan(fails(429, "Limit 9, Used 9 on tokens per day (TPD)", retry_after="900"))
    with pytest.raises(QuotaExhausted):
        await office.writer(DAYS, key="first-secret").write("Leave?", PASSAGES)
    server.plan(says(SAID))
    assert (await office.writer(DAYS, key="second-secret").write("Leave?", PASSAGES)).text == SAID
    assert b"secret" not in b"".join(path.read_bytes() for path in office.path.parent.glob("catalog*"))


# ---------------------------------------------------------------------------------------- what is said


async def test_headers_are_believed(office: Office, server: ChatServer, clock: FakeClock):
    """Somebody else uses the key: what the provider says is left is what is left, until it says otherwise."""
    headers = {
        "x-ratelimit-limit-tokens": "12000", "x-ratelimit-remaining-tokens": "300", "x-ratelimit-reset-tokens": "58.5s",
        "x-ratelimit-limit-requests": "1000", "x-ratelimit-remaining-requests": "998",
        "x-ratelimit-reset-requests": "2m52.8s",
    }  # fmt: skip
    server.plan(says(SAID, usage=(200, 20), headers=headers))
    writer = office.writer(Allowance(131_072))
    await writer.write("Leave?", PASSAGES)
    await writer.write("Leave?", PASSAGES)
    assert clock.waited == pytest.approx(58.5)


async def test_the_last_request_of_the_day_is_known_from_a_header(office: Office, server: ChatServer):
    """Groq's header for requests is by the day."""
    headers = {
        "x-ratelimit-limit-requests": "1000", "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "1h26m24s",
    }  # fmt: skip
    server.plan(says(SAID, headers=headers))
    writer = office.writer(Allowance(131_072))
    await writer.write("Leave?", PASSAGES)
    with pytest.raises(QuotaExhausted, match="requests per day"):
        await writer.write("Leave?", PASSAGES)
    assert len(server.requests) == 1


async def test_a_larger_plan_than_the_tables_is_believed(office: Office, server: ChatServer):
    """Its day is not bounded by the small plan's, of which the provider says nothing."""
    headers = {"x-ratelimit-limit-tokens": "300000", "x-ratelimit-remaining-tokens": "299000"}
    server.plan(says(SAID, usage=(1_000, 20), headers=headers))
    writer = office.writer(Allowance(131_072, {Meter.TPM: 12_000, Meter.TPD: 3_000}))
    for _ in range(5):
        await writer.write("Leave?", PASSAGES)
    assert len(server.requests) == 5


async def test_a_request_that_is_too_long_is_packed_anew(office: Office, server: ChatServer):
    """Within the limit that the refusal names, once; a second refusal is told in the provider's words."""
    passages = [passage_of(f"Leave of grade {n} is {n} days. " * 20, label=n) for n in range(1, 9)]
    refusal = fails(413, "Request too large on tokens per minute (TPM): Limit 2000, Requested 2900, please reduce it.")
    server.plan(refusal, says(SAID))
    writer = office.writer(Allowance(131_072))
    assert (await writer.write("Leave?", passages)).text == SAID
    first, second = (estimate(request.prompt) for request in server.requests)
    assert second < 1_000 < first
    server.plan(refusal)
    with pytest.raises(ModelUnavailable, match="Request too large"):
        await office.writer(Allowance(131_072), key="other").write("Leave?", passages)
    assert len(server.requests) == 4


async def test_the_estimate_is_corrected_by_what_the_provider_counts(office: Office, server: ChatServer):
    """A tokenizer that makes twice as many tokens of a prompt leaves room for fewer passages the next time."""
    passages = [passage_of(f"Leave of grade {n} is {n} days. " * 8, label=n) for n in range(1, 20)]
    server.answer = lambda request: says(SAID, usage=(2 * estimate(request.prompt), 20))
    writer = office.writer(Allowance(3_000))
    for _ in range(2):
        await writer.write("Leave?", passages)
    first, second = (estimate(request.prompt) for request in server.requests)
    assert second < 0.7 * first
    assert 2 * second + prompts.LONGEST_REPLY <= 3_000 * 1.15


async def test_what_was_broken_off_is_not_counted_for_ever(office: Office, clock: FakeClock):
    """A process that died with a request under way leaves its place in the line and its reservation, for a while."""
    budgets, table = office.budgets(), {Meter.RPM: 1}
    dead = await budgets.join("a")
    assert isinstance(await budgets.reserve("a", 10, ticket=dead, table=table), int)
    ticket = await office.budgets().join("a")
    assert await budgets.reserve("a", 10, ticket=ticket, table=table) == Wait(1.0, None)
    clock.now += 20
    wait = await budgets.reserve("a", 10, ticket=ticket, table=table)
    assert isinstance(wait, Wait)
    assert wait.meter is Meter.RPM
    clock.now += 600
    assert isinstance(await budgets.reserve("a", 10, ticket=ticket, table=table), int)


async def test_a_cancelled_question_gives_up_its_place(office: Office, server: ChatServer):
    """Who closes the window does not hold up the others."""
    came = asyncio.Event()

    def hang(_: Request) -> Reply:
        came.set()
        return Reply(hang=True)

    server.answer = hang
    writer = office.writer(Allowance(131_072))
    asking = asyncio.ensure_future(writer.write("Leave?", PASSAGES))
    await came.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    server.answer = lambda _: says(SAID)
    assert (await writer.write("Leave?", PASSAGES)).text == SAID


async def test_readings_are_kept_by_account(office: Office):
    """One model's limits are not another's."""
    budgets = office.budgets()
    await budgets.read("a", [Reading(Meter.TPM, 6_000)])
    assert await budgets.limits("a", {}) == {Meter.TPM: 6_000}
    assert await budgets.limits("b", {}) == {}


# ---------------------------------------------------------------------------------------- the rule


def minutes(served: list[tuple[float, int]]) -> Iterator[list[int]]:
    """What was used in the minute before each request."""
    for at, _ in served:
        yield [used for then, used in served if at - 60 < then <= at]


@given(
    sizes=st.lists(st.integers(1, 500), max_size=40),
    gaps=st.lists(st.floats(0, 30), min_size=40, max_size=40),
    most=st.integers(1, 10),
)
def test_no_minute_holds_more_than_the_limit(sizes: list[int], gaps: list[float], most: int):
    """Whatever is asked for when: each request waits for as long as it is told, and then fits."""
    limits = {Meter.RPM: most, Meter.TPM: 1_000}
    now, served = 0.0, []
    for tokens, gap in itertools.zip_longest(sizes, gaps[: len(sizes)], fillvalue=0):
        now += gap
        state = State(limits, [Call(at, used) for at, used in served])
        wait = admit(state, int(tokens), now=now)
        if wait is not None:
            now += wait.seconds + 1e-6
            assert admit(state, int(tokens), now=now) is None
        served.append((now, int(tokens)))
    for used in minutes(served):
        assert len(used) <= most
        assert sum(used) <= 1_000
