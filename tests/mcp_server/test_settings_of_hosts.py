"""The settings that the README has people paste: real JSON, and they start a real server."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
SECTION = README.partition("## MCP\n")[2].partition("\n## ")[0]
SETTINGS: list[dict[str, Any]] = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", SECTION, re.DOTALL)]


def test_each_host_has_its_own_form():
    """VS Code calls them servers, the others mcpServers; all start one command."""
    assert [next(iter(one)) for one in SETTINGS] == ["mcpServers", "servers", "mcpServers"]
    for host in ("Claude Desktop", "VS Code", "Cursor", "Claude Code"):
        assert f"**{host}**" in SECTION


@pytest.mark.parametrize("settings", SETTINGS, ids=["claude-desktop-and-cursor", "vs-code", "claude-code"])
async def test_the_settings_start_the_server(settings: dict[str, Any], tmp_path: Path):
    """With the reader's own paths in, a client lists the tools, those that ingest from the folder, too."""
    [servers] = settings.values()
    entry = servers["pincite"]
    assert entry["command"] == "/path/to/pincite"
    assert entry.get("type", "stdio") == "stdio"
    arguments = [str(tmp_path) if one == "/path/to/your/pdfs" else one for one in entry["args"]]
    server = StdioServerParameters(
        command=sys.executable,
        args=["-c", "from rag_core.cli import main; main()", *arguments],
        env={**os.environ, "PINCITE_HOME": str(tmp_path / "home"), "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    async with Client(stdio_client(server)) as client:
        assert "ingest_document" in {tool.name for tool in (await client.list_tools()).tools}
