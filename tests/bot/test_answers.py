"""Answers as they are written, follow-ups, and what is withheld: with a language model on a loopback server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pdfs
import pytest
from house import ASKED, LEAVE, SIMCORD, House, labels, last, said, texts

from bot.limits import SECONDS_BETWEEN_EDITS
from eval.bench.chat_server import ChatServer, chat_server, says
from rag_core.types import AnswerEvent, Checking

pytestmark = SIMCORD


@pytest.fixture
async def server() -> AsyncIterator[ChatServer]:
    """A language model that says what it is told to."""
    async with chat_server() as running:
        yield running


@pytest.fixture
def limits(server: ChatServer) -> dict[str, Any]:
    """Settings that ask it."""
    return {"openai_base_url": f"{server.address}/v1", "openai_model": "loopback", "writer": "openai"}


async def test_what_is_withheld_can_be_looked_at(house: House, server: ChatServer):
    """It is counted under the answer, and a click says what it was and what it failed by, after a restart too."""
    server.plan(says("Annual leave is 25 days for every employee [1]. Unused leave of 9 days is carried [1]."))
    await house.attach(f"{house.me.mention} {ASKED}")
    answer = last(house.thread())
    assert "25 days" in answer.content
    assert "9 days" not in answer.content
    assert "1 statement was withheld" in answer.content
    assert "1 withheld: why?" in labels(answer)
    await house.restart()
    shown = await house.alice.click(answer, label="1 withheld: why?")
    assert shown.ephemeral
    assert "Unused leave of 9 days is carried" in said(shown)
    assert "5 days" in said(shown)


async def test_no_statement_is_shown_as_an_answer_before_its_verdict(house: House, server: ChatServer):
    """While it is written, each is marked as being checked; what fails is never shown as supported."""
    await house.attach()
    server.plan(says("Annual leave is 25 days for every employee [1]. Unused leave of 9 days is carried [1]."))
    await house.ask()
    edits = [
        (entry.json or {}).get("content", "")
        for entry in house.env.http_requests
        if entry.method == "PATCH" and "/messages/" in entry.path
    ]
    drafts = [edit for edit in edits if edit.startswith("✍️")]
    assert drafts
    assert all("9 days" not in line or "checking" in line for draft in drafts for line in draft.splitlines())


async def test_a_table_is_drawn_in_columns(house: House, server: ChatServer):
    """Discord shows Markdown's tables as they are written, so they are set as code."""
    await house.attach()
    server.plan(says("| Kind | Days |\n|---|---|\n| Annual leave for every employee | 25 days [1] |"))
    answer = await house.ask()
    assert "|" not in answer.content.replace("\\|", "") or "```" in answer.content


async def test_a_follow_up_is_understood_from_what_its_asker_said_before(house: House, server: ChatServer):
    """In the same thread; what it was taken to mean is said. Somebody else's question is not."""
    await house.attach()
    server.plan(says(f"{LEAVE[:-1]} [1]."))
    await house.ask("How many days of annual leave does every employee have?")
    bob = house.member("bob")
    server.plan(says("How many days of unused leave may be carried over?"), says("Up to 5 days [1]."))
    await house.alice.send(house.thread(), "And how many of them may be carried over?")
    assert "understood as" in last(house.thread()).content
    asked = len(server.requests)
    server.plan(says(f"{LEAVE[:-1]} [1]."))
    await bob.send(house.thread(), "How many days is annual leave for an employee?")
    assert "understood as" not in last(house.thread()).content
    assert len(server.requests) == asked + 1
    assert texts(house.thread())


async def test_whoever_replies_to_an_answer_leans_on_it(house: House, server: ChatServer):
    """Though it was somebody else who asked for it."""
    await house.attach()
    server.plan(says(f"{LEAVE[:-1]} [1]."))
    answer = await house.ask("How many days of annual leave does every employee have?")
    bob = house.member("bob")
    server.plan(says("How many days of unused leave may be carried over?"), says("Up to 5 days [1]."))
    await bob.send(house.thread(), "And how many of them may be carried over?", reply_to=answer)
    assert "understood as" in last(house.thread()).content
    assert LEAVE[:-1] in server.requests[-2].prompt


async def test_a_server_may_have_what_is_not_supported_published_and_marked(house: House, server: ChatServer):
    """By `/settings policy`: the statement is there, and nobody can take it for a supported one."""
    boss = house.member("boss", manage_guild=True)
    await boss.slash(house.channel, "settings policy", policy="flag")
    server.plan(says("Annual leave is 25 days for every employee [1]. Unused leave of 9 days is carried [1]."))
    await house.attach(f"{house.me.mention} {ASKED}")
    answer = last(house.thread())
    assert "25 days" in answer.content
    assert "9 days" in answer.content
    [line] = [line for line in answer.content.splitlines() if "9 days" in line]
    assert "unsupported" in line.lower() or "⚠" in line or "contradicted" in line.lower()


async def test_an_answer_longer_than_a_message_goes_on_in_another(house: House, server: ChatServer, tmp_path: Path):
    """Nothing of it is lost, and its buttons stand under the last part."""
    lines = [f"Grade {n} gets {n + 20} days of leave in every year of service at the firm." for n in range(1, 31)]
    pages = [pdfs.text(*lines[:15]), pdfs.text(*lines[15:])]
    server.plan(says("NOT_IN_PASSAGES"))
    await house.attach(file=pdfs.pdf(tmp_path / "grades.pdf", *pages).read_bytes())
    server.plan(says(" ".join(f"{line[:-1]} [{1 + (n >= 15)}]." for n, line in enumerate(lines))))
    before = len(house.thread().history())
    answer = await house.ask("How many days of leave does each grade get in a year?")
    parts = house.thread().history()[before + 1 :]
    assert len(parts) > 1
    whole = "\n".join(part.content for part in parts)
    asked = await house.store.question_answered_by(answer.id)
    assert asked is not None
    assert asked.answer is not None
    stated = [line.split("”")[0].strip("“") for line in asked.answer.text.splitlines() if line]
    assert len(stated) > 15
    assert [line for line in stated if line not in whole] == []
    assert [bool(labels(part)) for part in parts] == [False] * (len(parts) - 1) + [True]
    assert "statements are supported" in said(await house.alice.click(answer, label="Re-check"))


async def test_an_answer_is_edited_no_faster_than_discord_allows(
    house: House, server: ChatServer, monkeypatch: pytest.MonkeyPatch
):
    """However much comes of it meanwhile; the answer itself comes last, and comes."""
    server.plan(says(f"{LEAVE} [1]"))
    await house.attach()
    ask_stream, edits = house.library.ask_stream, list[tuple[datetime, str]]()

    async def in_many_steps(*args: Any, **options: Any) -> AsyncIterator[AnswerEvent]:  # noqa: ANN401 - handed on
        async for event in ask_stream(*args, **options):
            if isinstance(event, Checking):
                for number in range(40):
                    yield replace(event, text=f"{event.text} {number}")
                    await asyncio.sleep(0.4)
            yield event

    def noted(event: str, payload: Any) -> None:  # noqa: ANN401 - whatever Discord sends
        if event == "MESSAGE_UPDATE":
            edits.append((house.env.now(), payload["content"]))

    monkeypatch.setattr(house.library, "ask_stream", in_many_steps)
    house.env.backend.subscribers.append(noted)
    with house.unwaited():
        await house.alice.send(house.thread(), ASKED)
    await house.env.advance_time(60)
    *drafts, (_, answer) = edits
    assert LEAVE in answer
    assert len(drafts) > 5
    gaps = [later - earlier for (earlier, _), (later, _) in pairwise(drafts)]
    assert min(gaps) >= timedelta(seconds=SECONDS_BETWEEN_EDITS)
