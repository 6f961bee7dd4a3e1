"""`pincite demo`: the examples, five questions, and the proof."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rag_core.cli import options, output
from rag_core.cli.session import collection_of, with_library

if TYPE_CHECKING:
    from rag_core.library import Library
    from rag_core.types import Ingested

QUESTIONS = (
    "How much holiday does somebody in grade 4 get?",
    "How fast must a stolen laptop be reported?",
    "Which component is responsible for the ultimate decision to grant access?",
    "What is the company's share price?",
    "How do I bake sourdough bread?",
)
"""Two the handbook answers, one the NIST report does; one on the company that no document answers, one off topic."""


def demo(
    folder: Annotated[Path, typer.Option("--output", help="Where the library and the pictures go.")] = Path(
        "demo-output"
    ),
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Ingest the example PDFs, ask five questions, and write a picture of each page that is cited."""
    from rag_core.cli.progress import IngestProgress
    from rag_core.errors import NotFoundError
    from rag_core.keeping.ingestion import Source

    files = sorted(examples().glob("*.pdf"))
    if not files:
        raise NotFoundError("The example PDFs are missing from this installation: clone the repository to have them.")

    async def work(library: Library) -> None:
        await library.add(
            [Source(file, file.name) for file in files],
            collection=collection_of(options.DEFAULT_COLLECTION),
            report=_report_json if json else _report,
            progress=bars,
        )
        for number, question in enumerate(QUESTIONS, start=1):
            await _ask(library, number, question, folder, json=json)

    with IngestProgress(total=len(files)) as bars:
        with_library(home or folder / "library", work)
    if not json:
        output.say(NEXT)


NEXT = """
What to type next:
  . .venv/bin/activate                         first, if the shell does not know pincite
  pincite ingest your.pdf                      your own document
  pincite ask "What does it say about …?"      an answer, every claim checked
  pincite verify --text "…" --against your.pdf  your own text, checked sentence by sentence
  pincite doctor                               what is set, and what is missing
  pincite mcp                                  the tools for an assistant (README: MCP)
  pincite bot                                  the Discord bot (README: Discord)"""


def _report(result: Ingested) -> None:
    title = result.document.title if result.document else f"{result.path}: {result.message}"
    output.say(f"{result.status}: {title}")


def _report_json(result: Ingested) -> None:
    output.emit(output.ingested(result))


async def _ask(library: Library, number: int, question: str, folder: Path, *, json: bool) -> None:
    from rag_core.cli.proof import write_proof
    from rag_core.types import Scope

    scope = Scope.of(options.DEFAULT_COLLECTION)
    answer = await library.ask(question, scope=scope)
    if json:
        output.emit(output.answer(number, answer))
    else:
        output.say(f"\n{number}. {question}")
        for line in output.prose(answer):
            output.say(line)
    for picture in await write_proof(library, answer, scope, folder):
        output.note(f"    proof: {picture}")


def examples() -> Path:
    """The folder of example PDFs: in the repository, or as installed."""
    root = Path(__file__).parents[1]
    return next((f for f in (root.parent / "examples", root / "examples") if f.is_dir()), root / "examples")
