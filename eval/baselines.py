"""A run's figures to a small file that is kept with the code, and later runs held against it.

    python -m eval.baselines

asks the questions on the bundled PDFs in a scratch folder, and prints the change against
`eval/baselines/examples.json`: what CI runs. `--write` writes the file instead, which a person does when the change is
meant.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from eval.datasets import dataset
from eval.documents import bring
from eval.errors import BadSet
from eval.run_values import Run
from eval.runs import open_evals
from eval.scoring import Scores
from rag_core.bootstrap import open_library
from rag_core.settings import load_settings
from rag_core.types import CollectionName, Scope

FOLDER = Path(__file__).parent / "baselines"
COLLECTION = CollectionName("eval")
SETS = ("handbook", "zero-trust", "adversarial")
SYSTEMS = ("hybrid", "gate", "quote", "verifier")
"""Whatever CI can afford; baselines of other projects do not change when Pincite does."""
SPEED = "milliseconds"
"""Not kept: another machine has others."""
PLACES = 4


@dataclass(frozen=True, slots=True)
class Change:
    """A figure beside the one that is kept."""

    name: str
    before: float | None
    after: float | None

    @property
    def said(self) -> str:
        """In a line."""
        if self.before is None or self.after is None:
            return f"{self.name:40} {'new' if self.before is None else 'GONE'}"
        return f"{self.name:40} {self.before:.4f} to {self.after:.4f}  {self.after - self.before:+.4f}"


def figures(found: Sequence[Scores]) -> dict[str, float]:
    """By system, table and metric, those that are the same on every machine."""
    return {
        f"{s.system} / {metric}": round(e.value, PLACES)
        for s in found
        for table in s.tables
        if table.name != SPEED
        for metric, e in table.figures.items()
    }


def write(path: Path, run: Run, found: Sequence[Scores]) -> None:
    """Keep the figures.

    Raises:
        BadSet: The run is not finished: half a run is no baseline.
    """
    if run.state != "finished":
        raise BadSet(f"Only a finished run can be a baseline. This one is {run.summary}.")
    kept = {"set": run.dataset.name, "digest": run.dataset.digest, "figures": figures(found)}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def against(path: Path, run: Run, found: Sequence[Scores]) -> Iterator[str]:
    """A line for each figure that is not as it was, then how many are. Lines first say if the sets differ.

    Raises:
        BadSet: The file is no baseline.
    """
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        before: dict[str, float] = dict(kept["figures"])
        same = kept["digest"] == run.dataset.digest
    except (OSError, ValueError, KeyError, TypeError) as exc:
        raise BadSet(f"{path.name} is no baseline: `python -m eval.baselines --write` makes one.") from exc
    if not same:
        yield f"The set is not the one that {path.name} was made with."
    now = figures(found)
    changes = [Change(name, before.get(name), now.get(name)) for name in {**before, **now}]
    differing = [change for change in changes if change.before != change.after]
    for change in differing:
        yield change.said
    yield f"{len(changes) - len(differing)} of {len(changes)} figures as in {path.name}; {run.summary}"


async def measured(sets: Sequence[str], home: Path) -> tuple[Run, list[Scores]]:
    """A run of what CI can afford, in a folder of its own."""
    from eval.datasets import merged

    asked = merged([dataset(name) for name in sets])
    settings = load_settings(home=home)
    async with open_library(settings) as library, open_evals(settings, library) as engine:
        found = await bring(library, asked, collection=COLLECTION)
        begun = await engine.start(
            asked, scope=Scope.of(COLLECTION), owner=COLLECTION, systems=SYSTEMS, documents=found.ids
        )
        run = await engine.wait(begun.id)
        return run, await engine.scores(run.id)


def main(
    write_it: Annotated[bool, typer.Option("--write", help="Keep the figures of now.")] = False,
) -> None:
    """Measure, and print the change; or keep it. Fails only when the run is not whole: the change is for a person."""
    with tempfile.TemporaryDirectory(prefix="pincite-eval-") as home:
        run, found = asyncio.run(measured(SETS, Path(home)))
    path = FOLDER / "examples.json"
    if write_it:
        write(path, run, found)
    for line in against(path, run, found):
        typer.echo(line)
    raise typer.Exit(0 if run.state == "finished" else 1)


if __name__ == "__main__":
    typer.run(main)
