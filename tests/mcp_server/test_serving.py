"""`pincite serve`: both doors in one process, on one library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from mcp import Client
from mcp.types import CallToolResult, TextContent
from processes import PATIENCE, PINCITE, ended, environment, free_port, listening

OTHER_DOOR = """
import asyncio, sys
from mcp_server import command

class Door:
    def load(self):
        return door

async def door(settings, library):
    print("the other door is open, at a library that is" if library is not None else "no library", flush=True)
    try:
        await asyncio.Event().wait()
    finally:
        print("the other door is closed", flush=True)

command.entry_points = lambda group: [Door()]
command.serve(http=sys.argv[1])
"""
"""A door that stands in the bot's place: it needs no Discord."""


def test_without_a_token_it_says_how_to_get_one(tmp_path: Path):
    """It does not run as half of what was asked for; a wrong setting is exit code 2."""
    done = subprocess.run(
        [*PINCITE, "serve"],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
        env=environment(tmp_path),
        cwd=tmp_path,
    )
    assert done.returncode == 2
    assert "DISCORD_TOKEN" in done.stderr
    assert "Traceback" not in done.stderr


async def test_both_doors_are_open_until_the_process_is_told_to_stop(tmp_path: Path):
    """A client is served beside the other door, and the signal of a service manager closes both in order."""
    port = free_port()
    with listening([sys.executable, "-c", OTHER_DOOR, f"127.0.0.1:{port}"], port, tmp_path / "home") as both:
        async with Client(f"http://127.0.0.1:{port}/mcp") as client:
            result = await client.call_tool("list_documents", {})
        said = ended(both)
    assert isinstance(result, CallToolResult)
    assert result.content == [TextContent(type="text", text="There are no documents yet.")]
    assert said.splitlines() == ["the other door is open, at a library that is", "the other door is closed"]
    assert both.returncode == 0
