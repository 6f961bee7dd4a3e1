"""The TypeScript SDK's client over both transports, where Node and the SDK are installed."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp_house import House, served

NODE = shutil.which("node")
MODULES = Path(os.environ.get("NODE_MODULES_OF", Path(__file__).parents[2]))
SCRIPT = Path(__file__).parents[2] / "eval" / "bench" / "mcp_client.mjs"
PATIENCE = 300

pytestmark = pytest.mark.skipif(
    NODE is None or not (MODULES / "node_modules" / "@modelcontextprotocol" / "sdk").is_dir(),
    reason="there is no Node with @modelcontextprotocol/sdk in this folder's node_modules",
)


async def ran(*arguments: str, home: Path) -> dict[str, Any]:
    """What the client could do."""
    assert NODE is not None
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PINCITE_", "GROQ_"))}
    client = await asyncio.create_subprocess_exec(
        *(NODE, str(SCRIPT), *arguments),
        cwd=MODULES,
        env={**kept, "PINCITE_HOME": str(home), "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await asyncio.wait_for(client.communicate(), PATIENCE)
    value: dict[str, Any] = json.loads(said)
    return value


def complete(done: dict[str, Any]) -> bool:
    """Whether it listed, called, read, and was told its mistake."""
    assert done["server"] == "pincite"
    assert {"ask", "verify_text", "ingest_document"} <= set(done["tools"])
    assert len(done["prompts"]) == 3
    assert len(done["templates"]) == 4
    assert str(done["wrong"]).startswith("not_found:")
    return done["total"] == done["resource"] == 0


async def test_over_standard_input_and_output(tmp_path: Path):
    """The client starts the command itself."""
    command = [sys.executable, "-c", "from rag_core.cli import main; main()", "mcp"]
    assert complete(await ran("stdio", *command, home=tmp_path / "home"))


async def test_over_http(house: House):
    """The client connects to an address."""
    async with served(house.server()) as url:
        assert complete(await ran("http", url, home=house.settings.home))
