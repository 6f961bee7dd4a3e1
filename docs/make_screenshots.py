"""Makes the pictures of the bot in docs/: the real bot on a simulated Discord, photographed by Chromium.

pip install 'simcord[preview]' && apt-get install chromium
python docs/make_screenshots.py
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path

import discord
import simcord
from PIL import Image

from bot.client import PinciteBot
from bot.store.store import BotStore, open_store
from eval.runs import open_evals
from rag_core.bootstrap import open_library
from rag_core.library import Library
from rag_core.settings import Settings

HERE = Path(__file__).parent
HANDBOOK = HERE.parent / "examples" / "employee-handbook.pdf"
QUESTIONS = HERE.parent / "eval" / "data" / "handbook.jsonl"
WIDTH = 860
SETTLE = 600.0
SECONDS = 240
COLOURS = 64


async def main() -> None:
    """Everything that a person sees, from the attachment to the proof."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(home=Path(folder), writer="quote", ocr="off")
        async with open_library(settings) as library, open_store(settings.home) as store:
            await library.warm_up()
            draining = asyncio.create_task(library.drain())
            try:
                await _photograph(library, store, settings)
            finally:
                draining.cancel()


async def _photograph(library: Library, store: BotStore, settings: Settings) -> None:
    bot = PinciteBot(
        lambda: nullcontext(library), lambda: nullcontext(store), lambda opened: open_evals(settings, opened)
    )
    async with simcord.run(bot, shard_count=1, settle_timeout=SETTLE) as env:
        guild = env.create_guild("Larkspur Instruments")
        alice = guild.add_member(env.create_user("alice", global_name="Alice"))
        channel = guild.create_text_channel("handbook")
        await alice.send(channel, attachments=[("employee-handbook.pdf", HANDBOOK.read_bytes())])
        [thread] = channel.threads
        await alice.send(thread, "How many days of annual leave does grade 4 get?")
        answer = thread.last_message
        async with env.preview(thread, viewers=[alice], layout="channel", width=WIDTH, height=900) as preview:
            await _shoot(preview.url, "bot-thread.png", 900, pane=(256, 198, 860, 745))
        assert answer is not None
        shown = await alice.click(answer, custom_id=_proof_of(answer))
        assert shown.response is not None
        async with env.preview(thread, viewers=[alice], layout="message", width=WIDTH, height=1100) as preview:
            await preview.show(shown.response)
            await _shoot(preview.url, "bot-proof.png", 1100, pane=(256, 140, 860, 1035))
        checked = await alice.slash(
            thread, "verify", text="Grade 4 gets 30 days of annual leave. Full-time work is 38 hours a week."
        )
        async with env.preview(thread, viewers=[alice], layout="message", width=WIDTH, height=420) as preview:
            assert checked.response is not None
            await preview.show(checked.response)
            await _shoot(preview.url, "bot-verify.png", 420, pane=(256, 140, 860, 400))
        await _measure(env, guild, channel)


async def _measure(env: simcord.Env, guild: simcord.GuildHandle, channel: simcord.ChannelHandle) -> None:
    """Two runs of a set, between which its keeper changed what is right: the handbook has not followed yet."""
    keepers = guild.create_role("keepers", permissions=discord.Permissions(manage_guild=True))
    boss = guild.add_member(env.create_user("boss", global_name="Bo"), roles=[keepers])
    asked = QUESTIONS.read_text(encoding="utf-8")
    changed = asked.replace('"£139"', '"£150"').replace('"£750"', '"£900"')
    for rows in (asked, changed):
        await boss.slash(channel, "eval run", file=("handbook.jsonl", rows.encode()))
    async with env.preview(channel, viewers=[boss], layout="channel", width=WIDTH, height=1000) as preview:
        await _shoot(preview.url, "bot-eval.png", 1000, pane=(256, 197, 860, 824))
    first = (await boss.autocomplete(channel, "eval compare", "before", ""))[-1]["value"]
    compared = await boss.slash(channel, "eval compare", before=first)
    async with env.preview(channel, viewers=[boss], layout="message", width=WIDTH, height=500) as preview:
        assert compared.response is not None
        await preview.show(compared.response)
        await _shoot(preview.url, "bot-eval-compare.png", 500, pane=(256, 152, 860, 385))


def _proof_of(answer: object) -> str:
    rows = answer.components  # type: ignore[attr-defined]
    return [b.custom_id for row in rows for b in row.children if (b.custom_id or "").startswith("proof:")][-1]


async def _shoot(url: str, name: str, height: int, *, pane: tuple[int, int, int, int]) -> None:
    """The part of the preview that shows what a person sees, in few colours."""
    chromium = shutil.which("chromium") or sys.exit("chromium is not installed")
    with tempfile.TemporaryDirectory() as profile:
        process = await asyncio.create_subprocess_exec(
            chromium,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            f"--user-data-dir={profile}",
            f"--window-size={WIDTH},{height}",
            "--virtual-time-budget=15000",
            f"--screenshot={HERE / name}",
            url,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        async with asyncio.timeout(SECONDS):
            await process.wait()
    with Image.open(HERE / name) as picture:
        picture.crop(pane).convert("RGB").quantize(COLOURS).save(HERE / name, optimize=True)


if __name__ == "__main__":
    asyncio.run(main())
