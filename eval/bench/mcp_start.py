"""How long a client waits for the MCP server: from starting the command to the answer to its first messages.

    python -m eval.bench.mcp_start [--times N]

Each run is a process of its own, its modules compiled by a start before it, as those of an installed package are. The
models are loaded later, by the first call that needs them, and are not in it. On a machine with other work the
processor's own seconds say more than the clock's, so both are printed; and those of importing the SDK's server alone,
below which no server of it can start.
"""

from __future__ import annotations

import asyncio
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Annotated

import typer
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

FLOOR = "import gc; gc.disable(); import mcp.server.mcpserver"
COMMAND = ["-c", "from rag_core.cli import main; main()", "mcp", "--read-only"]


async def _start(environment: dict[str, str], mode: str) -> tuple[float, float, float]:
    """Seconds to the handshake, to the list of tools, and of the processor for both."""
    before, start = _processor(), time.perf_counter()
    server = StdioServerParameters(command=sys.executable, args=COMMAND, env=environment)
    async with Client(stdio_client(server), mode=mode) as client:
        shaken = time.perf_counter() - start
        await client.list_tools()
        listed = time.perf_counter() - start
    return shaken, listed, _processor() - before


def _floor(environment: dict[str, str]) -> float:
    """Seconds of the processor that Python and the SDK's server take before anything of ours."""
    before = _processor()
    subprocess.run([sys.executable, "-c", FLOOR], check=True, env=environment)
    return _processor() - before


def _processor() -> float:
    """Seconds of it that processes took which have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime


def main(times: Annotated[int, typer.Option("--times", min=1, help="Runs of each protocol.")] = 5) -> None:
    """Measure, and print the least and the median of each protocol."""
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as home:
        environment = {**os.environ, "PINCITE_HOME": home, "PYTHONPYCACHEPREFIX": f"{home}/compiled"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        asyncio.run(_start(environment, "auto"))
        floor = [_floor(environment) for _ in range(times)]
        typer.echo(f"the SDK alone: processor least {min(floor):.2f} s, median {statistics.median(floor):.2f} s")
        for mode, name in (("legacy", "2025-11-25"), ("auto", "2026-07-28")):
            runs = [asyncio.run(_start(environment, mode)) for _ in range(times)]
            for what, seconds in zip(("handshake", "tools listed", "processor"), zip(*runs, strict=True), strict=True):
                typer.echo(f"{name}: {what} least {min(seconds):.2f} s, median {statistics.median(seconds):.2f} s")


if __name__ == "__main__":
    typer.run(main)
