"""The bot's place in Discord, examined without starting it: token, intents, invite link, and what it may do where."""

from __future__ import annotations

import discord

from bot.command import HOW_TO_START, PORTAL
from bot.permissions import PERMISSIONS, missing
from rag_core.diagnosis import Finding
from rag_core.settings import Settings

SCOPES = ("bot", "applications.commands")
MOST_SERVERS = 20
"""Looked at: each costs two requests."""


async def checkup(settings: Settings) -> list[Finding]:
    """Every finding, in an order in which to mend them."""
    if settings.discord_token is None:
        return [Finding("Discord token", "broken", "none is set", HOW_TO_START)]
    client = discord.Client(intents=discord.Intents.none())
    try:
        async with client:
            await client.login(settings.discord_token.get_secret_value())
            return await examined(client)
    except discord.LoginFailure:
        return [Finding("Discord token", "broken", "Discord refuses it", f"Reset it on the page Bot at {PORTAL}.")]
    except (discord.HTTPException, OSError) as exc:
        return [Finding("Discord", "broken", f"it cannot be reached: {exc}", "Look at the network, and try again.")]


async def examined(client: discord.Client) -> list[Finding]:
    """What a client that is logged in finds out."""
    application = await client.application_info()
    findings = [
        Finding("Discord token", "ok", f"of the application {application.name!r}"),
        _intent(application.flags),
        Finding("invite link", "ok", invite(application.id)),
    ]
    servers = [guild async for guild in client.fetch_guilds(limit=MOST_SERVERS)]
    if not servers:
        return [*findings, Finding("servers", "hint", "the bot is in none", "Open the invite link, and choose yours.")]
    return [*findings, *[await _permissions(client, guild) for guild in servers]]


def invite(application_id: int) -> str:
    """The link by which somebody who manages a server lets the bot in, with just the permissions that it uses."""
    return discord.utils.oauth_url(application_id, permissions=PERMISSIONS, scopes=SCOPES)


def _intent(flags: discord.ApplicationFlags) -> Finding:
    if flags.gateway_message_content or flags.gateway_message_content_limited:
        return Finding("message content", "ok", "the intent is on")
    return Finding(
        "message content",
        "hint",
        "the intent is off: the bot hears only mentions, slash commands and message menus",
        f"Switch on Message Content Intent on the page Bot at {PORTAL}, and start the bot again.",
    )


async def _permissions(client: discord.Client, partial: discord.Guild) -> Finding:
    check = f"server {partial.name!r}"
    try:
        guild = await client.fetch_guild(partial.id)
        assert client.user is not None, "the client is logged in"
        lacks = missing((await guild.fetch_member(client.user.id)).guild_permissions)
    except discord.HTTPException as exc:
        return Finding(check, "hint", f"its permissions cannot be looked at: {exc}", "Invite the bot again.")
    if lacks:
        return Finding(
            check, "hint", f"the bot lacks: {', '.join(lacks).replace('_', ' ')}", "Open the invite link once more."
        )
    return Finding(check, "ok", "the bot may do all that it does; channels may still forbid it")
