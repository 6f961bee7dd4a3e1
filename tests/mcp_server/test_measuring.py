"""The tool that measures, as an agent calls it: a run begun, followed, stopped, resumed, and held against the last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_house import HANDBOOK, House, http_client, served, structure, text_of

from eval.replies import Reply
from eval.systems import ours
from mcp_server.auth import Doorkeeper
from rag_core.types import DocumentId

URL = "https://pincite.example/mcp"


@pytest.fixture
async def measured(house: House) -> House:
    """A house with a document of the name that the set `handbook` asks."""
    await house.add("employee-handbook.pdf", HANDBOOK)
    return house


@pytest.fixture
def hold(monkeypatch: pytest.MonkeyPatch) -> anyio.Event:
    """Lets the system `sparse` answer two questions, and the next when it is set."""
    real, go, asked = ours.Search.ask, anyio.Event(), []

    async def ask(self: ours.Search, question: str, within: Sequence[DocumentId]) -> Reply:
        asked.append(question)
        if len(asked) > 2:
            await go.wait()
        return await real(self, question, within)

    monkeypatch.setattr(ours.Search, "ask", ask)
    return go


async def ended(client: Client, **arguments: object) -> dict[str, Any]:
    """The run once it has ended."""
    run = structure(await client.call_tool("run_eval", arguments))
    while run["state"] == "running":
        run = structure(await client.call_tool("run_eval", {"run_id": run["run_id"], "wait_seconds": 45}))
    return run


async def test_a_run_is_returned_at_once_and_followed(measured: House, hold: anyio.Event):
    """Its progress is told to who waits, and its figures come with their intervals when it has ended."""
    told: list[str | None] = []

    async def progress(_: float, __: float | None, message: str | None) -> None:
        told.append(message)

    async with measured.client() as client:
        begun = structure(await client.call_tool("run_eval", {"dataset": "handbook", "systems": ["sparse"]}))
        hold.set()
        follow = {"run_id": begun["run_id"], "wait_seconds": 45}
        result = await client.call_tool("run_eval", follow, progress_callback=progress)
    run = structure(result)
    assert (begun["state"], begun["figures"], begun["total"]) == ("running", [], 48)
    assert (run["state"], run["done"], run["run_id"]) == ("finished", 48, begun["run_id"])
    assert told[0] in {"0 of 48", "1 of 48", "2 of 48"}
    [hit] = [one for one in run["figures"] if one["metric"] == "hit@1"]
    assert (hit["system"], hit["table"]) == ("sparse", "retrieval")
    assert 0 <= hit["low"] <= hit["value"] <= hit["high"] <= 1
    assert f"hit@1 {hit['value']:.3g} [{hit['low']:.3g}, {hit['high']:.3g}] n {hit['n']}" in text_of(result)


async def test_a_run_is_held_against_the_last_one_of_its_set(measured: House):
    """The first has nothing before it; the same again has changed in nothing; another set's run is no measure of it."""
    async with measured.client() as client:
        first = await ended(client, dataset="handbook", systems=["sparse"])
        await ended(client, dataset="heldout", systems=["tags"])
        second = await ended(client, dataset="handbook", systems=["sparse"])
        said = text_of(await client.call_tool("run_eval", {"run_id": "latest"}))
    assert (first["compared_with"], first["changes"]) == (None, [])
    assert second["compared_with"] == first["run_id"]
    [hit] = [one for one in second["changes"] if one["metric"] == "hit@1"]
    assert (hit["change"], hit["significant"], hit["better"], hit["worse"]) == (0, False, [], [])
    assert f"Since the run {first['run_id']}:" in said


async def test_a_run_without_a_common_system_is_not_compared(measured: House):
    """And why is said, as a value: the figures are there all the same."""
    async with measured.client() as client:
        await ended(client, dataset="heldout", systems=["tags"])
        run = await ended(client, dataset="heldout", systems=["tfidf"])
    assert run["figures"]
    assert run["changes"] == []
    assert "no system in common" in run["warnings"][0]


async def test_a_run_is_stopped_and_resumed(measured: House, hold: anyio.Event):
    """What it has is kept; resumed, it comes to its end. Meanwhile no other is begun."""
    async with measured.client() as client:
        run = structure(await client.call_tool("run_eval", {"dataset": "handbook", "systems": ["sparse"]}))
        again = await client.call_tool("run_eval", {"dataset": "handbook"})
        stopped = structure(await client.call_tool("run_eval", {"run_id": run["run_id"], "action": "stop"}))
        hold.set()
        done = await ended(client, run_id=run["run_id"], action="resume")
    assert again.is_error
    assert text_of(again).startswith(f"not_allowed: The run {run['run_id']} of this collection is under way")
    assert (stopped["state"], stopped["note"]) == ("interrupted", "It was stopped.")
    assert (done["state"], done["done"]) == ("finished", 48)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.usefixtures("hold")
async def test_a_call_that_is_cancelled_takes_its_run_back(measured: House, mode: str):
    """Who began it never learnt its id; a call that only follows a run leaves it alone."""
    begin = {"dataset": "handbook", "systems": ["sparse"], "wait_seconds": 45}
    async with measured.client(mode=mode) as client:
        await cancelled(client, begin)
        first = await stopped(client)
        run = structure(await client.call_tool("run_eval", {**begin, "wait_seconds": 0}))
        await cancelled(client, {"run_id": run["run_id"], "wait_seconds": 45})
        second = structure(await client.call_tool("run_eval", {"run_id": run["run_id"]}))
    assert first["note"] == "It was stopped."
    assert first["run_id"] != run["run_id"]
    assert second["state"] == "running"


async def cancelled(client: Client, arguments: dict[str, Any]) -> None:
    """Call, and give up once the first progress is told."""
    async with anyio.create_task_group() as calls:

        async def progress(*_: object) -> None:
            calls.cancel_scope.cancel()

        await client.call_tool("run_eval", arguments, progress_callback=progress)


async def stopped(client: Client) -> dict[str, Any]:
    """The last run, when it no longer goes on."""
    while True:
        run = structure(await client.call_tool("run_eval", {"run_id": "latest"}))
        if run["state"] != "running":
            return run


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "Give dataset"),
        ({"dataset": "handbook", "run_id": "latest"}, "Give dataset"),
        ({"dataset": "/etc/passwd"}, "There is no set"),
        ({"dataset": "handbook", "systems": ["oracle"]}, "There is no system"),
        ({"run_id": "nonesuch"}, "not_found: There is no run"),
        ({"run_id": "latest"}, "Call run_eval with a dataset"),
        ({"dataset": "handbook", "wait_seconds": 46}, "wrong_arguments: wait_seconds"),
    ],
)
async def test_what_cannot_be_measured_is_an_error_with_advice(house: House, arguments: dict[str, Any], said: str):
    """No file is read by its path, and nothing is begun."""
    async with house.client() as client:
        result = await client.call_tool("run_eval", arguments)
    assert result.is_error
    assert said in text_of(result)


async def test_only_the_permission_to_measure_lets_one_measure(house: House):
    """Others neither see the tool nor another collection's runs, and a read-only server has it for nobody."""
    reader, first, second = [await house.token(*names) for names in (("a", "read"), ("b", "eval"), ("c", "eval"))]
    async with served(house.server(doorkeeper=Doorkeeper(url=URL))) as url:
        async with http_client(url, first) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == ["run_eval"]
            run = await ended(client, dataset="heldout", systems=["tags"])
        async with http_client(url, second) as client:
            other = await client.call_tool("run_eval", {"run_id": run["run_id"]})
        async with http_client(url, reader) as client:
            refused = await client.call_tool("run_eval", {"dataset": "heldout"})
    assert text_of(other).startswith("not_found:")
    assert "scopes do not allow run_eval" in text_of(refused)
    async with house.client(read_only=True) as client:
        assert "run_eval" not in {tool.name for tool in (await client.list_tools()).tools}
