"""The command as clients start it: standard input and output, and a loopback port."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import CallToolResult, TextContent
from processes import PATIENCE, PINCITE, ended, environment, free_port, listening

from mcp_server.listening import address_of
from rag_core.errors import SettingsError

HEAVY = ("torch", "lancedb", "tantivy", "sentence_transformers", "pymupdf", "pyarrow", "discord")


async def test_a_client_starts_the_command_and_calls_a_tool(tmp_path: Path):
    """Over standard input and output, with nothing on them but the protocol; the data folder is made by the call."""
    home = tmp_path / "home"
    server = StdioServerParameters(command=PINCITE[0], args=[*PINCITE[1:], "mcp", "--read-only"], env=environment(home))
    async with Client(stdio_client(server)) as client:
        assert (await client.list_tools()).tools
        assert not home.exists()
        result = await client.call_tool("list_documents", {})
    assert isinstance(result, CallToolResult)
    assert not result.is_error
    assert result.content == [TextContent(type="text", text="There are no documents yet.")]


def test_nothing_heavy_is_loaded_before_a_tool_is_called():
    """The server is built, with all its schemas, while models and indexes are still on disk."""
    code = (
        "import sys, pathlib\n"
        "from mcp_server.server import Allowed, build_server\n"
        "from mcp_server.roots import Roots\n"
        "build_server(lambda: None, collection='local', allowed=Allowed(Roots([pathlib.Path()]), lambda: None))\n"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert done.stdout == "[]\n"


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """Where a server of its own listens on this machine."""
    number = free_port()
    with listening([*PINCITE, "mcp", "--http", f"127.0.0.1:{number}"], number, tmp_path / "home") as server:
        yield number
        assert ended(server) == "", "standard output is not for logs"


async def test_the_same_tools_are_served_on_a_loopback_port(port: int):
    """A client that connects by address lists and calls them."""
    async with Client(f"http://127.0.0.1:{port}/mcp") as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        result = await client.call_tool("list_documents", {})
    assert "ask" in names
    assert isinstance(result, CallToolResult)
    assert not result.is_error


def test_whoever_starts_it_is_told_where_it_is_and_when_it_cannot_be_there(tmp_path: Path):
    """The address that a client takes, on standard error; where another program listens, a sentence and no stack."""
    number = free_port()
    command = [*PINCITE, "mcp", "--http", f"127.0.0.1:{number}"]
    with (tmp_path / "said").open("w+") as said:
        with listening(command, number, tmp_path / "home", stderr=said) as server:
            second = subprocess.run(
                command,
                capture_output=True,
                text=True,
                check=False,
                timeout=PATIENCE,
                env=environment(tmp_path / "home"),
            )
            ended(server)
        said.seek(0)
        assert said.read() == f"The MCP server is at http://127.0.0.1:{number}/mcp\n"
    assert second.returncode == 2
    assert f"Nothing can listen at 127.0.0.1:{number}" in second.stderr
    assert "Traceback" not in second.stderr


@pytest.mark.parametrize("address", ["0.0.0.0:8000", "192.168.1.5:8000", "example.org:80", "[::]:8000"])
def test_an_address_that_others_can_reach_is_refused_without_authentication(address: str):
    """The message says what to add; with that, it still has to be said by which name clients call it."""
    with pytest.raises(SettingsError, match="add --auth"):
        address_of(address)
    with pytest.raises(SettingsError, match="needs --url"):
        address_of(address, authenticated=True)
    named = address_of(address, authenticated=True, url="https://pincite.example/mcp")
    assert named.hosts == ["pincite.example"]


@pytest.mark.parametrize("address", ["8000", "localhost", "localhost:", "localhost:http", "localhost:0", ":8000"])
def test_what_is_no_address_is_wrong_usage(address: str):
    """The message shows how one looks."""
    with pytest.raises(SettingsError, match=r"127\.0\.0\.1:8000"):
        address_of(address)
