"""The command in a process of its own, as people and other programs start it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

PINCITE = [sys.executable, "-c", "from rag_core.cli import main; main()"]
PATIENCE = 60
"""Seconds that a process may take to start on a busy machine; far more than it needs, and never waited out."""


def environment(home: Path) -> dict[str, str]:
    """Ours, without any setting of Pincite, key or token, but where its data is."""
    theirs = ("PINCITE_", "GROQ_", "DISCORD_")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(theirs)}
    return {**inherited, "PINCITE_HOME": str(home), "PYTHONPATH": os.pathsep.join(sys.path)}


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number: int = free.getsockname()[1]
    return number


@contextmanager
def listening(
    command: list[str], port: int, home: Path, *, stderr: TextIO | None = None
) -> Iterator[subprocess.Popen[str]]:
    """A process of `command`, from when it listens; its standard output is read by whoever ends it."""
    with subprocess.Popen(command, env=environment(home), stdout=subprocess.PIPE, stderr=stderr, text=True) as process:
        for _ in range(PATIENCE * 10):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield process


def ended(process: subprocess.Popen[str]) -> str:
    """What the process wrote, once it was told to stop, as a service manager tells it."""
    process.terminate()
    said, _ = process.communicate(timeout=PATIENCE)
    return said
