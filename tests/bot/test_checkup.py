"""`pincite doctor --discord`: what it finds, on a simulated Discord."""

from __future__ import annotations

from pathlib import Path

import discord
from house import SIMCORD, House

from bot.checkup import PERMISSIONS, checkup, examined, invite, missing
from rag_core.settings import Settings

pytestmark = SIMCORD


async def test_a_bot_in_its_server_is_well(house: House):
    """Its token, its intent, its link, and each server."""
    findings = {finding.check: finding for finding in await examined(house.env.bot)}
    assert findings["Discord token"].state == "ok"
    assert findings["invite link"].detail == invite(house.env.bot.application_id or 0)
    assert findings[f"server {house.guild.name!r}"].state == "ok"


def test_the_invite_link_asks_for_what_is_used_and_no_more():
    """A bot that wants to manage a server is not let in."""
    link = invite(42)
    assert f"permissions={PERMISSIONS.value}" in link
    assert "client_id=42" in link
    assert "applications.commands" in link
    assert not PERMISSIONS.manage_messages
    assert not PERMISSIONS.administrator


def test_what_is_missing_is_named():
    """In the words of Discord's own settings."""
    has = discord.Permissions(PERMISSIONS.value)
    has.update(attach_files=False)
    assert missing(has) == ["attach files"]


async def test_without_a_token_it_says_how_to_get_one(tmp_path: Path):
    """And asks nobody."""
    [finding] = await checkup(Settings(home=tmp_path, discord_token=None))
    assert finding.state == "broken"
    assert "Reset Token" in finding.advice
