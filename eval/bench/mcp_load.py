"""What many clients at once cost the MCP server over HTTP: the time of a search, and what is left behind.

    python -m eval.bench.mcp_load [--clients 100] [--seconds 10] [--pause 10]

A server of its own, on a loopback port, with the example PDFs. Each client searches, then pauses, as an agent does to
read what it found; half speak the protocol of 2025 with a session, half the current one. The figures of the second half
of the run are compared with those after the first tenth: a leak would go on growing.

All clients are one process, whose own work stands in the times that they see: what a search takes of the processor
there is printed beside what it takes in the server. With `--fresh` no question comes twice, so each has to be embedded.
"""

from __future__ import annotations

import asyncio
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import httpx2
import typer
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from rag_core.cli.demo import examples

PINCITE = [sys.executable, "-c", "from rag_core.cli import main; main()"]
QUESTIONS = (
    "How many days of annual leave are there?",
    "What is zero trust?",
    "Who approves remote work?",
    "What does a policy engine decide?",
    "How long is the notice period?",
)


@dataclass
class Load:
    """What was measured."""

    seconds: list[float] = field(default_factory=list)
    failures: int = 0
    footprints: list[tuple[float, int, int, int]] = field(default_factory=list)
    """When, resident bytes, open files, threads of the server."""
    processor: float = 0.0
    """Seconds of it that the server took while clients were there."""
    clients: float = 0.0
    """Seconds of it that the clients took."""


async def _client(  # noqa: PLR0913 - what a client is
    url: str, load: Load, *, mode: str, until: float, pause: float, fresh: bool, chance: random.Random
) -> None:
    await asyncio.sleep(chance.uniform(0, pause))
    async with (
        httpx2.AsyncClient(timeout=60, verify=False) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        while time.perf_counter() < until:
            question = chance.choice(QUESTIONS)
            if fresh:
                question = f"{question} Think of case {chance.getrandbits(32)}."
            start = time.perf_counter()
            result = await client.call_tool("search_passages", {"question": question})
            load.seconds.append(time.perf_counter() - start)
            load.failures += bool(result.is_error)
            await asyncio.sleep(chance.uniform(0, 2 * pause))


def _footprint(server: int) -> tuple[int, int, int]:
    """Resident bytes, open files and threads of a process, as Linux tells them."""
    folder = Path("/proc") / str(server)
    told = dict(line.split(":", 1) for line in (folder / "status").read_text(encoding="ascii").splitlines())
    return int(told["VmRSS"].split()[0]) * 1024, len(list((folder / "fd").iterdir())), int(told["Threads"])


def _processor(server: int) -> float:
    """Seconds of the processor that a process has taken (proc(5): the 14th and 15th field, after its name)."""
    fields = (Path("/proc") / str(server) / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _watch(server: int, load: Load, start: float) -> None:
    while True:
        load.footprints.append((time.perf_counter() - start, *_footprint(server)))
        await asyncio.sleep(1)


async def _run(  # noqa: PLR0913 - what a load is
    url: str, server: int, *, clients: int, seconds: float, pause: float, fresh: bool
) -> Load:
    load, start, before, own = Load(), time.perf_counter(), _processor(server), time.process_time()
    watching = asyncio.create_task(_watch(server, load, start))
    async with asyncio.TaskGroup() as tasks:
        for number in range(clients):
            chance, mode = random.Random(number), ("legacy", "auto")[number % 2]  # noqa: S311 - nothing secret
            tasks.create_task(
                _client(url, load, mode=mode, until=start + seconds, pause=pause, fresh=fresh, chance=chance)
            )
    load.processor, load.clients = _processor(server) - before, time.process_time() - own
    await asyncio.sleep(2)
    watching.cancel()
    return load


async def _ready(url: str) -> None:
    """Until the server answers a search, and its models are loaded."""
    for _ in range(300):
        try:
            async with Client(url) as client:
                await client.call_tool("search_passages", {"question": QUESTIONS[0]})
                return
        except Exception:  # noqa: BLE001 - it is still starting; after the last attempt the run fails by itself
            await asyncio.sleep(1)


def main(
    clients: Annotated[int, typer.Option("--clients", min=1, max=500)] = 100,
    seconds: Annotated[float, typer.Option("--seconds", min=1, max=300)] = 10,
    pause: Annotated[float, typer.Option("--pause", min=0, help="Mean seconds between a client's searches.")] = 10,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ask no question twice.")] = False,
) -> None:
    """Measure, and print."""
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as home:
        files = [str(path) for path in sorted(examples().glob("*.pdf"))]
        subprocess.run([*PINCITE, "ingest", *files, "--home", home], check=True, capture_output=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        log = Path(home) / "server.log"
        with log.open("wb") as errors:
            command = [*PINCITE, "mcp", "--http", f"127.0.0.1:{port}", "--read-only", "--home", home]
            server = subprocess.Popen(command, stderr=errors, env=dict(os.environ))
        url = f"http://127.0.0.1:{port}/mcp"
        try:
            asyncio.run(_ready(url))
            load = asyncio.run(_run(url, server.pid, clients=clients, seconds=seconds, pause=pause, fresh=fresh))
        finally:
            server.terminate()
            server.wait(timeout=60)
    _print(load, clients, seconds)


def _print(load: Load, clients: int, seconds: float) -> None:
    took = sorted(load.seconds)
    p50, p95 = statistics.median(took), took[int(len(took) * 0.95)]
    typer.echo(f"{clients} clients, {seconds:.0f} s: {len(took)} searches, {load.failures} failed")
    typer.echo(
        f"search_passages: median {p50 * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms, longest {took[-1] * 1000:.0f} ms"
    )
    server, own = (spent / len(took) * 1000 for spent in (load.processor, load.clients))
    typer.echo(f"processor: {server:.0f} ms a search, sessions and all; the clients' own {own:.0f} ms")
    early = load.footprints[max(len(load.footprints) // 10, min(3, len(load.footprints) - 1))]
    middle, last = load.footprints[len(load.footprints) // 2], load.footprints[-1]
    for name, index, unit in (("resident MB", 1, 2**20), ("open files", 2, 1), ("threads", 3, 1)):
        values = (early[index] / unit, middle[index] / unit, last[index] / unit)
        typer.echo(f"{name}: early {values[0]:.0f}, middle {values[1]:.0f}, after all clients left {values[2]:.0f}")


if __name__ == "__main__":
    typer.run(main)
