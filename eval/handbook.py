"""Small sets of questions with everything known about their answers: what is answered, from which page, and how fast.

    python -m eval.handbook [SET.jsonl] [--home DIR] [--writer quote] [--totals]

Reads `eval/data/handbook.jsonl` when no set is named; `eval/data/README.md` says what a row holds. An answer is right
when everything that it must hold is published and a gold page is cited; to a question without an answer, a refusal is.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, cast

import typer

from eval.unanswerable import ROOT, data_folder, folded
from rag_core.bootstrap import open_library
from rag_core.keeping.ingestion import Source
from rag_core.settings import load_settings
from rag_core.types import Answer, CollectionName, Ingested, Scope, WriterName

HANDBOOK = ROOT / "eval" / "data" / "handbook.jsonl"
COLLECTION = CollectionName("eval")
NEAR = frozenset({"wrong_entity", "wrong_year", "wrong_attribute"})
"""Kinds of questions without an answer that are near misses: the document speaks of what they are about."""
SHOWN = 150
"""Characters of an answer or a refusal that tell what it was."""


@dataclass(frozen=True, slots=True)
class Row:
    """A question to one document; without pages, it has no answer there."""

    id: str
    document: str
    question: str
    kind: str
    pages: tuple[int, ...]
    """From 1, each of which answers it."""
    answer: str
    """In a person's words; for a question without one, what the document has instead."""
    holds: tuple[str, ...]
    """All that an answer must hold, whatever else it says."""

    @property
    def path(self) -> Path:
        """Where its document lies."""
        return (ROOT if self.document.startswith("examples/") else data_folder()) / self.document


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a question."""

    row: Row
    answer: Answer
    cited: tuple[int, ...]

    @property
    def right(self) -> bool:
        """Whether it was answered from a gold page with all that it must hold, or refused where there is no answer."""
        if not self.row.pages:
            return self.answer.refusal is not None
        said = folded(self.answer.text)
        return bool({*self.cited} & {*self.row.pages}) and all(folded(must) in said for must in self.row.holds)


def rows_of(path: Path) -> tuple[Row, ...]:
    """The rows of a set, in the file's order."""
    return tuple(
        Row(**values | {"pages": tuple(values["pages"]), "holds": tuple(values["holds"])})
        for values in map(json.loads, path.read_text(encoding="utf-8").splitlines())
    )


async def asked(rows: Sequence[Row], *, home: Path, writer: WriterName) -> list[Outcome]:
    """Each question asked of its own document, which is ingested into `home` where it is not there yet."""
    async with open_library(load_settings(home=home, writer=writer, keep_answers=False)) as library:
        done: list[Ingested] = []
        paths = tuple(dict.fromkeys(row.path for row in rows))
        await library.add([Source(path, path.name) for path in paths], collection=COLLECTION, report=done.append)
        scopes = {
            path: Scope.of(COLLECTION, documents=[result.document.id])
            for path, result in zip(paths, done, strict=True)
            if result.document is not None
        }
        await library.ask("Is everything loaded?", scope=Scope.of(COLLECTION))
        answers = [await library.ask(row.question, scope=scopes[row.path]) for row in rows]
    return [Outcome(row, answer, pages_of(answer)) for row, answer in zip(rows, answers, strict=True)]


def pages_of(answer: Answer) -> tuple[int, ...]:
    """The pages that an answer cites, in its order."""
    return tuple(dict.fromkeys(citation.page for claim in answer.claims for citation in claim.citations))


def lines_of(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """A line a question: right or wrong, what was asked, and what was said."""
    for outcome in outcomes:
        row, answer = outcome.row, outcome.answer
        said = answer.refusal.reason if answer.refusal else answer.text
        pages = ",".join(map(str, outcome.cited)) or "-"
        gold = ",".join(map(str, row.pages)) or "none"
        verdict = "right" if outcome.right else "WRONG"
        yield f"{verdict} {row.id} {row.kind:15} page {pages:5} of {gold:5} {row.question}"
        yield f"      {answer.status}: {' '.join(said.split())[:SHOWN]}"


def totals(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """The sums."""
    with_answer = [o for o in outcomes if o.row.pages]
    without = [o for o in outcomes if not o.row.pages]
    near = [o for o in without if o.row.kind in NEAR]
    refused = sum(o.answer.refusal is not None for o in with_answer)
    yield (
        f"answerable: right {sum(o.right for o in with_answer)}/{len(with_answer)}, refused {refused}, "
        f"wrong {sum(not o.right for o in with_answer) - refused}"
    )
    yield (
        f"unanswerable: refused {sum(o.right for o in without)}/{len(without)}, "
        f"of them near misses {sum(o.right for o in near)}/{len(near)}"
    )
    ms = sorted(o.answer.ms["total"] for o in outcomes)
    yield f"ms: p50 {statistics.median(ms):.0f}, slowest {ms[-1]:.0f}"


def main(
    path: Annotated[Path, typer.Argument(metavar="SET.jsonl")] = HANDBOOK,
    home: Annotated[Path | None, typer.Option("--home", help="Keep the library here, or ask the one here.")] = None,
    writer: Annotated[str, typer.Option("--writer", help="Who drafts the answers.")] = "quote",
    only_totals: Annotated[bool, typer.Option("--totals", help="Without a line a question.")] = False,
) -> None:
    """Ask, and print."""
    with tempfile.TemporaryDirectory(prefix="pincite-eval-") as scratch:
        outcomes = asyncio.run(asked(rows_of(path), home=home or Path(scratch), writer=cast("WriterName", writer)))
    for line in [] if only_totals else lines_of(outcomes):
        typer.echo(line)
    for line in totals(outcomes):
        typer.echo(line)


if __name__ == "__main__":
    typer.run(main)
