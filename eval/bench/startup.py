"""How long a person waits before anything happens: cold starts of the command line, each in a process of its own.

    python -m eval.bench.startup [--times N]

`--help` must answer in under 0.4 s; a known file must be told a duplicate without loading a model.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer

from rag_core.cli.demo import examples

PINCITE = [sys.executable, "-m", "rag_core"]


def _seconds(*args: str) -> float:
    start = time.perf_counter()
    subprocess.run([*PINCITE, *args], check=True, capture_output=True)
    return time.perf_counter() - start


def main(times: Annotated[int, typer.Option("--times", min=1, help="Runs of each command.")] = 5) -> None:
    """Measure, and print the median of each."""
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as home:
        handbook = str(examples() / "employee-handbook.pdf")
        first = _seconds("ingest", handbook, "--home", home)
        bare = statistics.median(_seconds_of_python() for _ in range(times))
        shown = statistics.median(_seconds("--help") for _ in range(times))
        listed = statistics.median(_seconds("list", "--home", home) for _ in range(times))
        again = statistics.median(_seconds("ingest", handbook, "--home", home) for _ in range(times))
    typer.echo(f"python alone {bare:.2f} s; --help {shown:.2f} s; list {listed:.2f} s")
    typer.echo(f"first ingest of {Path(handbook).name} {first:.1f} s; the same again {again:.2f} s")
    typer.echo(f"help_seconds={shown:.3f} duplicate_ratio={again / first:.4f}")


def _seconds_of_python() -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - start


if __name__ == "__main__":
    typer.run(main)
