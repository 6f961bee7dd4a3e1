"""How long a question waits for its last verdict, with the quotation writer and every model loaded.

    python -m eval.bench.asking [SET.jsonl] [--home DIR] [--rounds 3]

Asks the questions of a small set (`eval.handbook`) one after the other, nothing kept from one round to the next, and
prints milliseconds by stage. The load of the machine stands beside them: on a busy one they mean little.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from eval.handbook import HANDBOOK, asked, rows_of
from rag_core.types import Answer

STAGES = ("retrieval", "writing", "checking", "total")


def main(
    path: Annotated[Path, typer.Argument(metavar="SET.jsonl")] = HANDBOOK,
    home: Annotated[Path | None, typer.Option("--home", help="Keep the library here, or ask the one here.")] = None,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="How often all are asked.")] = 3,
) -> None:
    """Ask, and print."""
    rows = rows_of(path) * rounds
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as scratch:
        outcomes = asyncio.run(asked(rows, home=home or Path(scratch), writer="quote"))
    for line in lines_of([outcome.answer for outcome in outcomes]):
        typer.echo(line)


def lines_of(answers: Sequence[Answer]) -> Iterator[str]:
    """A line a stage; refusals by the gate have no writing, and refusals no checking."""
    yield f"{len(answers)} questions on {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    for stage in STAGES:
        ms = sorted(answer.ms[stage] for answer in answers if stage in answer.ms)
        if ms:
            p95 = ms[int(len(ms) * 0.95)]
            yield f"{stage:10} n={len(ms):4d}  p50 {statistics.median(ms):6.0f} ms  p95 {p95:6.0f} ms"


if __name__ == "__main__":
    typer.run(main)
