"""Measuring answers by command: on a channel's documents, by who manages the server, told on one message."""

from __future__ import annotations

import json

import discord
import pytest
import simcord
from house import ASKED, SIMCORD, House, labels, last, said, until

pytestmark = SIMCORD

CARRIED = "How many days of unused leave may be carried over?"
ROWS = (
    {"id": "leave", "document": "handbook.pdf", "question": ASKED, "pages": [1], "answer": "25 days"},
    {"id": "carried", "document": "handbook.pdf", "question": CARRIED, "pages": [1], "answer": "5 days"},
    {"id": "moon", "document": "handbook.pdf", "question": "Who owns the moon?", "pages": []},
)


def sheet(*rows: object) -> tuple[str, bytes]:
    """Rows as a file that somebody sends."""
    return ("mine.jsonl", "\n".join(map(json.dumps, rows)).encode())


@pytest.fixture
def boss(house: House) -> simcord.MemberActor:
    """Who manages the server."""
    return house.member("boss", manage_guild=True)


async def run(house: House, boss: simcord.MemberActor, *rows: object) -> discord.Message:
    """The message that tells of a run of these rows."""
    await boss.slash(house.channel, "eval run", file=sheet(*rows))
    return last(house.channel)


async def under_way(house: House, boss: simcord.MemberActor) -> discord.Message:
    """The message that tells of a run that waits for its first answer."""
    house.pause.over.clear()
    with house.unwaited():
        await boss.slash(house.channel, "eval run", file=sheet(*ROWS))
        await until(lambda: "0 of 3" in last(house.channel).content)
    return last(house.channel)


def now(house: House, message: discord.Message) -> discord.Message:
    """A message as it stands."""
    [found] = [one for one in house.channel.history() if one.id == message.id]
    return found


async def test_a_run_ends_with_its_figures_and_a_chart(house: House, boss: simcord.MemberActor):
    """In an embed that says that it is finished; the picture is described for who cannot see it."""
    await house.attach()
    told = await run(house, boss, *ROWS)
    [embed] = told.embeds
    assert "Finished: all 3 asked" in (embed.description or "")
    [figures] = embed.fields
    assert figures.name == "quote"
    assert "contains **1.00**" in (figures.value or "")
    [chart] = told.attachments
    assert chart.filename == "chart.png"
    assert "contains: 1.00" in (chart.description or "")


async def test_what_became_worse_since_the_last_run_is_named(house: House, boss: simcord.MemberActor):
    """By the words of the question, not by a number alone."""
    await house.attach()
    await run(house, boss, *ROWS)
    house.clock.pass_by(hours=1)
    worse = {**ROWS[0], "answer": "26 days"}
    told = await run(house, boss, worse, *ROWS[1:])
    described = told.embeds[0].description or ""
    assert "Since run run1" in described
    assert "contains: 1.00 → 0.50" in described
    assert f"worse: {ASKED}" in described


async def test_a_run_over_documents_that_are_not_here_measures_nothing_and_says_so(
    house: House, boss: simcord.MemberActor
):
    """With their names, and never as figures."""
    told = await run(house, boss, *ROWS)
    [embed] = told.embeds
    assert "Empty" in (embed.description or "")
    assert "handbook.pdf" in (embed.description or "")
    assert embed.fields == []


async def test_a_set_that_breaks_the_rules_is_refused_with_its_line(house: House, boss: simcord.MemberActor):
    """Nothing is asked; a path of the machine is no set."""
    broken = await boss.slash(house.channel, "eval run", file=sheet(ROWS[0], {"id": "x"}))
    assert "mine.jsonl, line 2" in said(broken)
    path = await boss.slash(house.channel, "eval run", questions="/etc/passwd")
    assert "no such set" in said(path)
    assert len(house.env.errors) == 2


async def test_only_who_manages_the_server_measures(house: House):
    """Discord hides the command from others."""
    assert not any(name.startswith("eval") for name in house.alice.available_commands(house.channel))


async def test_a_run_is_stopped_by_its_button_and_gone_on_with(house: House, boss: simcord.MemberActor):
    """Its progress, its stop and its end are on one message; meanwhile the server has no other run."""
    await house.attach()
    told = await under_way(house, boss)
    assert labels(told) == ["Stop"]
    with house.unwaited():
        await boss.slash(house.channel, "eval run", file=sheet(*ROWS))
        await until(lambda: "under way in this server" in last(house.channel).content)
        await boss.click(told, label="Stop")
    await until(lambda: now(house, told).embeds)
    stopped = now(house, told)
    assert "Interrupted" in (stopped.embeds[0].description or "")
    house.pause.over.set()
    await boss.click(stopped, label="Go on")
    ended = now(house, told)
    assert "Finished: all 3 asked" in (ended.embeds[0].description or "")
    assert labels(ended) == []


async def test_a_run_survives_a_restart(house: House, boss: simcord.MemberActor):
    """The next process goes on with it, on the same message, to its end."""
    await house.attach()
    told = await under_way(house, boss)
    await house.env.shutdown()
    await house.evals.close()
    house.pause.over.set()
    await house.crash()
    await until(lambda: now(house, told).embeds)
    assert "Finished: all 3 asked" in (now(house, told).embeds[0].description or "")
    await house.env.settle()
    assert await house.store.followed_runs() == []


async def test_runs_are_told_listed_and_compared_in_their_channel_alone(house: House, boss: simcord.MemberActor):
    """Who may read another channel sees nothing of them there."""
    await house.attach()
    await run(house, boss, *ROWS)
    house.clock.pass_by(hours=1)
    await run(house, boss, {**ROWS[0], "answer": "26 days"}, *ROWS[1:])
    status = await boss.slash(house.channel, "eval status")
    assert status.response is not None
    assert "contains **0.50**" in (status.response.message.embeds[0].fields[0].value or "")
    listed = said(await boss.slash(house.channel, "eval history"))
    assert listed.index("run2") < listed.index("run1")
    compared = said(await boss.slash(house.channel, "eval compare", before="run1"))
    assert f"worse: {ASKED}" in compared
    other = house.guild.create_text_channel("other")
    assert "no runs" in said(await boss.slash(other, "eval history"))
    assert "no run 'run1'" in said(await boss.slash(other, "eval status", run="run1"))
    assert len(house.env.errors) == 1


async def given(house: House, **form: str) -> simcord.InteractionResult:
    """Alice asks, says that the answer is bad, and gives her question with what is right."""
    answer = await house.ask()
    voting = await house.alice.click(answer, custom_id="thumb:down")
    offered = await house.alice.submit_modal(voting, {"reason": "It does not say for whom."})
    assert offered.response is not None
    assert "May I keep your question" in offered.response.content
    keeping = await house.alice.click(offered.response, label="Keep it, and say what is right")
    return await house.alice.submit_modal(keeping, {"answer": "", "page": "", **form})


async def test_a_bad_answers_question_is_kept_with_consent_and_asked_by_evals(house: House, boss: simcord.MemberActor):
    """With what its asker says is right; who manages the server sees it, runs it, and may take it out."""
    await house.attach()
    assert "Kept" in said(await given(house, answer="26 days", page="1"))
    listed = said(await boss.slash(house.channel, "eval questions"))
    assert ASKED in listed
    shown = said(await boss.slash(house.channel, "eval questions", question="q1"))
    assert "26 days" in shown
    assert "page 1" in shown
    await boss.slash(house.channel, "eval run")
    [embed] = last(house.channel).embeds
    assert "contains **0.00**" in (embed.fields[0].value or "")
    assert "hit@1 **1.00**" in (embed.fields[0].value or "")
    assert "taken out" in said(await boss.slash(house.channel, "eval questions", question="q1", remove=True))
    assert "No question" in said(await boss.slash(house.channel, "eval questions"))


async def test_a_page_that_the_document_does_not_have_is_refused(house: House):
    """And nothing is kept."""
    await house.attach()
    assert "pages 1 to 2" in said(await given(house, page="3"))
    assert await house.evals.owners() == []


async def test_only_who_asked_is_offered_to_give_the_question(house: House):
    """Somebody else's opinion is noted, and that is all."""
    await house.attach()
    answer = await house.ask()
    bob = house.member("bob")
    noted = await bob.submit_modal(await bob.click(answer, custom_id="thumb:down"), {"reason": "No."})
    assert "noted" in said(noted)
    assert "keep" not in said(noted).replace("kept", "")


async def test_a_given_question_goes_with_its_giver_or_its_document(house: House, boss: simcord.MemberActor):
    """With the runs that asked it; until then its giver can have it as a file."""
    await house.attach()
    await given(house, answer="25 days")
    await boss.slash(house.channel, "eval run")
    exported = await house.alice.slash(house.channel, "privacy export")
    assert exported.response is not None
    [file] = exported.response.message.attachments
    assert "25 days" in json.loads(await file.read())["questions for evals"][0]["answer"]
    asked = await house.alice.slash(house.channel, "privacy delete")
    assert asked.response is not None
    await house.alice.click(asked.response, label="Delete it all")
    assert await house.evals.owners() == []
    await house.attach()
    await house.alice.send(house.channel.threads[-1], ASKED)
    house.thread = lambda: house.channel.threads[-1]  # type: ignore[method-assign]
    await given(house, answer="25 days")
    assert len(await house.evals.owners()) == 1
    await house.alice.slash(house.channel, "documents remove", document="handbook")
    assert await house.evals.owners() == []
