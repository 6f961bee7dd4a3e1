"""How much memory it takes to ingest a long text PDF: of the process that embeds, of its reader, and of both at once.

    python -m eval.bench.memory [--pages 400] [--pdf FILE]

Without a file it makes one, of prose in the length of a typical page. Runs the product's own command in a fresh data
folder and looks at its processes in `/proc` (Linux) every twentieth of a second. Of memory that processes share, each
counts its part (PSS), so that the sum is what the machine gives. On a machine where others run the same libraries that
part is smaller: the resident peak, which the system keeps, has no such luck. At the highest point it says what is of a
file (libraries and weights, which the system can drop and read again) and what is not.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

EVERY = 0.05
"""Seconds."""
WORDS_A_PAGE = 420
SEED = 3
KB = 1024
_SYLLABLES = [
    "ba",
    "co",
    "di",
    "fu",
    "ga",
    "he",
    "il",
    "jo",
    "ka",
    "lu",
    "me",
    "no",
    "op",
    "pra",
    "que",
    "ro",
    "sti",
    "un",
]


def main(
    pages: Annotated[int, typer.Option("--pages", min=1)] = 400,
    pdf: Annotated[Path | None, typer.Option("--pdf", exists=True)] = None,
) -> None:
    """Print the peaks."""
    with tempfile.TemporaryDirectory() as folder:
        source = pdf or made(Path(folder) / "long.pdf", pages)
        began = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-m", "rag_core", "ingest", str(source), "--home", f"{folder}/home", "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        embedding = reading = together = from_files = resident = 0
        while process.poll() is None:
            own, others = pss(process.pid), sum(map(pss, children(process.pid)))
            if own > embedding:
                from_files = pss(process.pid, "Pss_File")
            embedding, reading, together = max(embedding, own), max(reading, others), max(together, own + others)
            resident = max(resident, resident_peak(process.pid))
            time.sleep(EVERY)
        assert process.stdout is not None
        typer.echo(process.stdout.read().strip()[:200])
        typer.echo(f"exit {process.returncode} after {time.monotonic() - began:.0f} s")
        typer.echo(f"peak: embedding {embedding // KB} MB, reading {reading // KB} MB, together {together // KB} MB")
        typer.echo(f"embedding at its peak: {from_files // KB} MB of files; resident peak {resident // KB} MB")


def made(path: Path, pages: int) -> Path:
    """A PDF of made-up prose."""
    from rag_core.adapters.pdf_engine import pymupdf

    draw = random.Random(SEED)  # noqa: S311 - made-up prose, not a secret
    document = pymupdf.open()
    for _ in range(pages):
        words = ["".join(draw.choices(_SYLLABLES, k=draw.randint(1, 3))) for _ in range(WORDS_A_PAGE)]
        for i in range(0, WORDS_A_PAGE, 14):
            words[i] = f"{words[i].capitalize()}"
            words[i - 1] += "."
        document.new_page().insert_textbox((60, 60, 535, 780), " ".join(words), fontsize=11)
    document.save(path)
    return path


def pss(process: int, what: str = "Pss") -> int:
    """Kilobytes; 0 when the process has ended."""
    return _kilobytes(Path(f"/proc/{process}/smaps_rollup"), what)


def resident_peak(process: int) -> int:
    """Kilobytes, of all that was ever resident at once, shared or not; 0 when the process has ended."""
    return _kilobytes(Path(f"/proc/{process}/status"), "VmHWM")


def resident() -> int:
    """Megabytes of this process, now."""
    return _kilobytes(Path("/proc/self/status"), "VmRSS") // KB


def _kilobytes(table: Path, what: str) -> int:
    try:
        lines = table.read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{what}:")), 0)


def children(process: int) -> Iterator[int]:
    """Of all its threads, and theirs."""
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found = task.read_text(encoding="ascii").split()
        except OSError:
            continue
        for child in map(int, found):
            yield child
            yield from children(child)


if __name__ == "__main__":
    typer.run(main)
