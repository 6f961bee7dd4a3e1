"""`pincite bot`, before it ever speaks to Discord."""

from __future__ import annotations

import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import discord
import pytest

from bot.client import PinciteBot
from bot.command import bot
from rag_core.errors import SettingsError


def test_without_a_token_the_command_says_how_to_get_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Where to make one, which switch to turn, and how to hand it over."""
    monkeypatch.chdir(tmp_path)
    for name in ("DISCORD_TOKEN", "PINCITE_DISCORD_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SettingsError, match=r"discord\.com/developers.*Message Content Intent.*DISCORD_TOKEN"):
        bot(home=tmp_path)


def test_the_command_line_does_not_load_discord():
    """Every `pincite` command imports this module; only `pincite bot` pays for the bot."""
    code = "import sys, bot.command; print([name for name in ('discord', 'rag_core.library') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]\n"


def test_nobody_is_warned_that_libraries_for_voice_are_missing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    """The first lines that somebody sees would be warnings of something that the bot does not do."""
    monkeypatch.setattr(discord.VoiceClient, "warn_nacl", True)
    monkeypatch.setattr(discord.VoiceClient, "warn_dave", True)
    PinciteBot(*[lambda *_: nullcontext()] * 3)  # type: ignore[list-item] - nothing of them is opened
    assert caplog.text == ""
