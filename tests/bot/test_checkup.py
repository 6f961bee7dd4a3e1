"""`pincite doctor --discord`: what it finds, on a simulated Discord."""

from __future__ import annotations

from pathlib import Path

import discord
import pytest
from house import SIMCORD, House
from pydantic import SecretStr

from bot.checkup import checkup, examined, invite
from bot.permissions import PERMISSIONS, missing
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
    assert missing(has) == ["attach_files"]


async def test_what_a_server_withholds_is_named_with_what_to_do(house: House):
    """The permissions by their names, and the link that asks for them."""
    backend = house.env.backend
    for role in backend.guilds[house.guild.id].roles.values():
        role.permissions = PERMISSIONS.value & ~discord.Permissions(attach_files=True, embed_links=True).value
    findings = {finding.check: finding for finding in await examined(house.env.bot)}
    found = findings[f"server {house.guild.name!r}"]
    assert found.state == "hint"
    assert "embed links, attach files" in found.detail
    assert "invite link" in found.advice


async def test_a_bot_in_no_server_is_told_how_to_get_into_one(house: House):
    """The link comes first, then that it must be opened."""
    house.env.backend.remove_guild(house.guild.id)
    await house.env.settle()
    findings = {finding.check: finding for finding in await examined(house.env.bot)}
    assert findings["invite link"].detail.startswith("https://discord.com/oauth2/authorize?")
    assert "Open the invite link" in findings["servers"].advice


@pytest.mark.parametrize(
    ("flags", "state"),
    [
        (discord.ApplicationFlags(gateway_message_content=True), "ok"),
        (discord.ApplicationFlags(gateway_message_content_limited=True), "ok"),
        (discord.ApplicationFlags(), "hint"),
    ],
)
async def test_whether_the_bot_may_read_messages_is_said(
    house: House, monkeypatch: pytest.MonkeyPatch, flags: discord.ApplicationFlags, state: str
):
    """And which switch to turn where it may not."""
    monkeypatch.setattr(discord.AppInfo, "flags", flags)
    findings = {finding.check: finding for finding in await examined(house.env.bot)}
    assert findings["message content"].state == state
    assert ("Message Content Intent" in findings["message content"].advice) == (state == "hint")


@pytest.mark.parametrize(
    ("error", "check", "says"),
    [
        (discord.LoginFailure("no"), "Discord token", "Reset it"),
        (OSError("no route"), "Discord", "Look at the network"),
    ],
)
async def test_what_keeps_it_from_discord_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, check: str, says: str
):
    """A token that was taken back, or a network that is not there."""

    async def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr(discord.Client, "login", refuse)
    [finding] = await checkup(Settings(home=tmp_path, discord_token=SecretStr("a.b.c")))
    assert (finding.check, finding.state) == (check, "broken")
    assert says in finding.advice


async def test_without_a_token_it_says_how_to_get_one(tmp_path: Path):
    """And asks nobody."""
    [finding] = await checkup(Settings(home=tmp_path, discord_token=None))
    assert finding.state == "broken"
    assert "Reset Token" in finding.advice
