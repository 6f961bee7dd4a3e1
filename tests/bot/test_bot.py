"""Attach a PDF and ask, by people's own actions on a simulated Discord that runs discord.py's real machinery."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import discord
import pdfs
import pymupdf
import pytest
import simcord
from house import ASKED, LEAVE, SIMCORD, House, labels, last, said, texts, until

pytestmark = SIMCORD


async def test_a_pdf_becomes_a_thread_that_answers(house: House):
    """The card says what was read; a question in the thread is answered with its citation and a proof button."""
    await house.attach()
    thread = house.thread()
    assert thread.name == "handbook"
    [card] = [message for message in thread.history() if "is read" in message.content]
    assert "**handbook** is read: 2 pages." in card.content
    answer = await house.ask()
    assert LEAVE in answer.content
    assert "handbook, page 1" in answer.content
    assert "Proof [1], page 1" in labels(answer)


async def test_the_card_offers_questions_that_the_document_answers(house: House):
    """One click asks one, for all to see."""
    await house.attach()
    [card] = [message for message in house.thread().history() if "is read" in message.content]
    assert "How many days is annual leave?" in labels(card)
    result = await house.alice.click(card, label="How many days is annual leave?")
    assert result.response is not None
    assert not result.ephemeral
    assert LEAVE in result.response.content


async def test_the_card_says_what_nobody_can_see_or_read(house: House, tmp_path: Path):
    """Hidden text, and a page that is a picture; three questions are offered of what can be read."""
    lines = (LEAVE, "Sick leave is 10 days for every employee.", "Study leave is 3 days for every employee.")

    def hidden(page: pymupdf.Page) -> None:
        pdfs.text(*lines)(page)
        page.insert_text((72, 500), "Annual leave is 99 days.", color=(1, 1, 1))

    def picture(page: pymupdf.Page) -> None:
        square = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 50, 50), 0)
        page.insert_image(page.rect, pixmap=square)

    file = pdfs.pdf(tmp_path / "odd.pdf", hidden, picture).read_bytes()
    await house.attach(ASKED, name="odd.pdf", file=file)
    [card] = [message for message in house.thread().history() if "is read" in message.content]
    assert "could not be read: 2" in card.content
    assert "Hidden text was left out" in card.content
    assert len(labels(card)) == 3
    assert not any("99" in text for text in texts(house.thread()))


async def test_a_question_with_the_file_is_answered_first(house: House):
    """Nobody has to ask twice."""
    await house.attach(ASKED)
    [card, answer] = [m for m in house.thread().history() if m.author.bot and m.content]
    assert "is read" in card.content
    assert LEAVE in answer.content


async def test_a_question_that_the_document_does_not_answer_is_refused(house: House):
    """With the reason and the nearest passage, and without a proof button."""
    await house.attach("Which penguins nest in Antarctica?")
    refusal = last(house.thread())
    assert refusal.content.startswith("🚫")
    assert "penguin" in refusal.content
    assert not any("Proof" in label for label in labels(refusal))


async def test_what_is_no_pdf_is_said_to_be_none(house: House):
    """With what to do, and nothing is kept of it."""
    await house.attach(ASKED, name="letter.pdf", file=b"Dear Sir or Madam")
    [card] = texts(house.thread())
    assert "letter.pdf" in card
    assert "not a PDF" in card
    assert await house.held() == []


async def test_several_pdfs_of_one_message_share_a_thread(house: House, tmp_path: Path):
    """Each has its card; one that cannot be read harms no other; both are asked."""
    tides = pdfs.pdf(tmp_path / "tides.pdf", pdfs.text("The tide turns 4 times a day.")).read_bytes()
    files = [("a.pdf", house.handbook), ("b.pdf", b"no"), ("tides.pdf", tides)]
    await house.alice.send(house.channel, attachments=files)
    thread = house.thread()
    assert thread.name == "a and 1 more"
    assert sorted(text.split("**")[1] for text in texts(thread) if "is read" in text) == ["a", "tides"]
    assert sum("not a PDF" in text for text in texts(thread)) == 1
    assert "4 times a day" in (await house.ask("How many times does the tide turn?")).content
    assert LEAVE in (await house.ask()).content


async def test_a_pdf_that_joins_a_thread_is_asked_there_too(house: House, tmp_path: Path):
    """The thread keeps its name."""
    await house.attach()
    tides = pdfs.pdf(tmp_path / "tides.pdf", pdfs.text("The tide turns 4 times a day.")).read_bytes()
    await house.attach("How many times does the tide turn?", name="tides.pdf", file=tides, to=house.thread())
    assert "4 times a day" in last(house.thread()).content
    assert house.thread().name == "handbook"
    assert len(house.channel.threads) == 1


async def test_a_thread_speaks_of_its_own_documents(house: House, tmp_path: Path):
    """What another thread of the channel is about is not mixed in; a mention in the channel asks all of it."""
    await house.attach()
    tides = pdfs.pdf(tmp_path / "tides.pdf", pdfs.text("The tide turns 4 times a day.")).read_bytes()
    await house.attach(name="tides.pdf", file=tides)
    answer = await house.alice.send(house.channel.threads[0], "How many times does the tide turn?")
    assert last(house.channel.threads[0]).content.startswith("🚫")
    await house.alice.send(house.channel, f"{house.me.mention} How many times does the tide turn?")
    assert "4 times a day" in last(house.channel).content
    assert answer.author.id == house.alice.id


async def test_the_same_pdf_again_is_known(house: House):
    """Nothing is read twice, and it can be asked in the new thread too."""
    await house.attach()
    await house.attach(ASKED)
    second = house.channel.threads[-1]
    assert any("was here already" in text for text in texts(second))
    assert any(LEAVE in text for text in texts(second))


async def test_text_of_a_document_is_inert(house: House):
    """It mentions nobody, formats nothing and links to nothing."""
    await house.attach()
    answer = await house.ask("What should I ignore and see now?")
    assert "previous instructions" in answer.content
    assert not answer.mention_everyone
    assert answer.mentions == []
    for active in ("@everyone", "**Ignore", " <@1>", "https://"):
        assert active not in answer.content


async def test_lines_of_a_document_begin_nothing_of_discords(house: House, tmp_path: Path):
    """Neither headings, small text, quotes, lists nor links: in answers, passages, verdicts, and embeds of evals."""
    lively = (
        "# Annual leave is 25 days for every employee.",
        "-# Sick leave is 10 days for every employee.",
        "> Study leave is 3 days for every employee.",
        "[Parental leave](https://evil.example) is 40 days for every employee.",
    )
    file = pdfs.pdf(tmp_path / "lively.pdf", *(pdfs.text(line, title) for line in lively for title in lively))
    await house.attach("How many days is each kind of leave?", name="# lively.pdf", file=file.read_bytes())
    for kind in ("annual", "sick", "study", "parental"):
        assert kind in (await house.ask(f"How many days is {kind} leave?")).content.lower()
    boss = house.member("boss", manage_guild=True)
    row = {"id": "one", "document": "# lively.pdf", "question": lively[3], "pages": [1], "answer": "40"}
    await boss.slash(house.channel, "eval run", file=("# [x](y) **z**.jsonl", json.dumps(row).encode()))
    [embed] = last(house.channel).embeds
    shown = [
        *texts(house.thread()),
        said(await house.alice.slash(house.channel, "search", query="leave of every employee")),
        said(await house.alice.slash(house.channel, "verify", text="\n".join(lively))),
        embed.title or "",
        embed.description or "",
    ]
    theirs = [text for text in shown if text != "How many days is each kind of leave?"]
    for line in (line for text in theirs for line in text.splitlines()):
        own = line.removeprefix("-# ").removeprefix("> ")
        assert not re.match(r"\s*(#|>|-# )", own)
        assert "](" not in own.replace("\\](", "")
        assert "://" not in own


async def test_chatter_is_left_alone(house: House):
    """A message that neither mentions the bot nor brings a PDF, and files of other kinds."""
    await house.attach()
    before = len(house.channel.history())
    await house.alice.send(house.channel, ASKED)
    await house.alice.send(house.channel, "Look!", attachments=[("cat.png", b"PNG")])
    assert len(house.channel.history()) == before + 2


async def test_people_may_speak_with_each_other_in_a_thread(house: House):
    """Who mentions or answers somebody else is not asking the bot."""
    await house.attach()
    bob = house.member("bob")
    hello = await house.alice.send(house.thread(), f"{bob.mention} have you seen this?")
    before = len(house.thread().history())
    await bob.send(house.thread(), "I have.", reply_to=hello)
    assert len(house.thread().history()) == before + 1


async def test_a_mention_is_a_question(house: House):
    """Answered below it, in the channel; alone, it is met with what to do. So is an answer to the bot's words."""
    await house.attach()
    await house.alice.send(house.channel, f"{house.me.mention} {ASKED}")
    answer = last(house.channel)
    assert LEAVE in answer.content
    await house.alice.send(house.channel, ASKED, reply_to=answer)
    assert sum(LEAVE in text for text in texts(house.channel)) == 2
    await house.alice.send(house.channel, house.me.mention)
    assert "Attach a PDF" in last(house.channel).content


async def test_where_the_bot_may_not_make_threads_it_waits_to_be_mentioned(house: House):
    """That permission is the switch of a channel: without it, a PDF is no call."""
    everyone = house.guild.default_role
    closed = discord.PermissionOverwrite(create_public_threads=False)
    quiet = house.guild.create_text_channel("quiet", overwrites={everyone: closed})
    await house.attach(to=quiet)
    assert len(quiet.history()) == 1
    assert await house.held(quiet) == []
    await house.attach(f"{house.me.mention} {ASKED}", to=quiet)
    assert LEAVE in last(quiet).content
    assert quiet.threads == []


async def test_a_post_of_a_forum_is_its_own_thread(house: House):
    """Its PDF is read there, and what is said there is a question."""
    forum = house.guild.create_forum_channel("papers")
    post = house.env.backend.create_thread(forum.id, "Leave", owner_id=house.alice.id)
    room = simcord.ChannelHandle(house.env, house.guild, post)
    await house.attach(ASKED, to=room)
    assert room.name == "Leave"
    assert any("is read" in text for text in texts(room))
    assert LEAVE in last(room).content
    await house.alice.send(room, "How many days of unused leave may be carried over?")
    assert "up to 5 days" in last(room).content
    assert len(await house.held(forum)) == 1


async def test_a_post_of_a_forum_keeps_the_name_that_its_author_gave_it(house: House):
    """Though its first message, whose file is read, has the post's own id."""
    backend = house.env.backend
    forum = house.guild.create_forum_channel("papers")
    post = backend.create_thread(forum.id, "Leave", owner_id=house.alice.id)
    room = simcord.ChannelHandle(house.env, house.guild, post)
    kept = backend.store_attachments(post.id, [("handbook.pdf", house.handbook)])
    starter = backend.prepare_message(post.id, house.alice.id, ASKED, attachments=kept)
    starter.id = post.id
    backend.commit_message(starter)
    await house.env.settle()
    assert LEAVE in last(room).content
    assert room.name == "Leave"


async def test_a_private_chat_reads_and_answers(house: House):
    """Without mentions and threads; and what is there stays there."""
    user = house.alice.user
    kept = house.env.backend.store_attachments(user.dm_channel.id, [("handbook.pdf", house.handbook)])
    await user.send_dm(ASKED, attachments=kept)
    assert any(LEAVE in text for text in texts(user.dm_channel))
    await user.send_dm("How many days of unused leave may be carried over?")
    assert "up to 5 days" in last(user.dm_channel).content
    assert await house.held() == []


async def test_a_private_chat_has_its_commands_and_forgets_what_is_taken_back(house: House):
    """Its own documents alone; the message with the file deletes them, and a restart changes nothing of that."""
    user = house.alice.user
    await house.attach()
    kept = house.env.backend.store_attachments(user.dm_channel.id, [("handbook.pdf", house.handbook)])
    message = await user.send_dm(attachments=kept)
    assert "handbook" in said(await user.slash("documents list"))
    assert LEAVE in said(await user.slash("ask", question=ASKED))
    await house.restart()
    await user.send_dm(ASKED)
    assert LEAVE in last(user.dm_channel).content
    await user.delete(message)
    assert "no documents" in said(await user.slash("documents list"))
    assert len(await house.held()) == 1


async def test_a_restart_in_a_private_chat_goes_on_with_its_file(house: House):
    """And answers what was asked with it."""
    user = house.alice.user
    await house.queue.stop()
    kept = house.env.backend.store_attachments(user.dm_channel.id, [("handbook.pdf", house.handbook)])
    with house.unwaited():
        await user.send_dm(ASKED, attachments=kept)
    await until(lambda: any("waiting" in text for text in texts(user.dm_channel)))
    await house.env.shutdown()
    house.queue.start()
    await house.crash()
    await house.env.settle()
    assert sum(LEAVE in text for text in texts(user.dm_channel)) == 1


@pytest.mark.parametrize("name", ["handbook.PDF", "x.pdf"])
async def test_the_name_of_a_file_is_no_matter(house: House, name: str):
    """Upper case, or nothing to do with its title."""
    await house.attach(ASKED, name=name)
    assert LEAVE in last(house.thread()).content


@pytest.mark.simcord(settle_timeout=240.0, shard_count=2)
async def test_a_bot_of_two_shards_answers_in_the_servers_of_both(house: House):
    """As many connections as Discord asks for are one bot."""
    for shard in (0, 1):
        guild = house.env.create_guild(f"server {shard}", shard_id=shard)
        member = guild.add_member(house.env.create_user(f"user{shard}"))
        channel = guild.create_text_channel("handbooks")
        await member.send(channel, ASKED, attachments=[("handbook.pdf", house.handbook)])
        assert LEAVE in last(channel.threads[0]).content


async def test_a_file_is_asked_before_all_of_it_is_taken_in(house: House):
    """Its words are found already; the answer says that its vectors are to come."""
    house.pause.over.clear()
    house.say("", attachments=[("handbook.pdf", house.handbook)])
    await until(lambda: house.channel.threads)
    async with asyncio.timeout(60):
        while not all(u.document_id for u in await house.store.uploads_in(house.thread().id)):  # noqa: ASYNC110 - as `until`
            await asyncio.sleep(0.01)
    await house.queue.stop()
    house.pause.over.set()
    with house.unwaited():
        await house.alice.send(house.thread(), ASKED)
    await until(lambda: any(LEAVE in text for text in texts(house.thread())))
    [answer] = [text for text in texts(house.thread()) if LEAVE in text]
    assert "by their words" in answer
    assert not any("is read" in text for text in texts(house.thread()))
    house.queue.start()
    await until(lambda: any("is read" in text for text in texts(house.thread())))
