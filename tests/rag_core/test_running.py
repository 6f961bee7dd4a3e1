"""Works side by side, and how they end."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from rag_core.running import until_told


class Work:
    """Goes on until it is let end or cancelled, and then puts its things away."""

    def __init__(self) -> None:
        self.under_way = asyncio.Event()
        self.over = asyncio.Event()
        self.tidied = False

    async def run(self) -> None:
        """For as long as it may."""
        self.under_way.set()
        try:
            await self.over.wait()
        finally:
            await asyncio.sleep(0)
            self.tidied = True


async def test_the_first_to_end_ends_the_others():
    """Each still puts its things away."""
    bot, server = Work(), Work()
    running = asyncio.create_task(until_told(bot.run(), server.run()))
    await bot.under_way.wait()
    server.over.set()
    await running
    assert (bot.tidied, server.tidied) == (True, True)


async def test_an_error_of_one_ends_all_and_is_raised():
    """Whoever started them is told what was wrong."""
    bot = Work()

    async def refused() -> None:
        await bot.under_way.wait()
        raise PermissionError("the token is wrong")

    with pytest.raises(PermissionError, match="the token is wrong"):
        await until_told(bot.run(), refused())
    assert bot.tidied


async def test_the_signal_of_a_service_manager_ends_them():
    """As `systemctl stop` sends it."""
    bot = Work()
    running = asyncio.create_task(until_told(bot.run()))
    await bot.under_way.wait()
    os.kill(os.getpid(), signal.SIGTERM)
    await running
    assert bot.tidied


async def test_whoever_cancels_it_waits_until_all_is_put_away():
    """As Ctrl-C does."""
    bot = Work()
    running = asyncio.create_task(until_told(bot.run()))
    await bot.under_way.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert bot.tidied
