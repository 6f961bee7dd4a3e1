"""How long a client waits for the MCP server: from starting the command to the answer to its first messages.

    python -m eval.bench.mcp_start [--times N]

Each run is a process of its own. The models are loaded later, by the first call that needs them, and are not in it. On
a machine with other work the processor's own seconds say more than the clock's, so both are printed.
"""

from __future__ import annotations

import asyncio
import os
import resource
import statistics
import sys
import tempfile
import time
from typing import Annotated

import typer
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

COMMAND = ["-c", "from rag_core.cli import main; main()", "mcp", "--read-only"]


async def _start(home: str, mode: str) -> tuple[float, float, float]:
    """Seconds to the handshake, to the list of tools, and of the processor for both."""
    environment = {**os.environ, "PINCITE_HOME": home}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    server = StdioServerParameters(command=sys.executable, args=COMMAND, env=environment)
    async with Client(stdio_client(server), mode=mode) as client:
        shaken = time.perf_counter() - start
        await client.list_tools()
        listed = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return shaken, listed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(times: Annotated[int, typer.Option("--times", min=1, help="Runs of each protocol.")] = 5) -> None:
    """Measure, and print the least and the median of each protocol."""
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as home:
        for mode, name in (("legacy", "2025-11-25"), ("auto", "2026-07-28")):
            runs = [asyncio.run(_start(home, mode)) for _ in range(times)]
            for what, seconds in zip(("handshake", "tools listed", "processor"), zip(*runs, strict=True), strict=True):
                typer.echo(f"{name}: {what} least {min(seconds):.2f} s, median {statistics.median(seconds):.2f} s")


if __name__ == "__main__":
    typer.run(main)
