"""`pincite search`: the passages nearest to a question."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from rag_core.cli import options, output
from rag_core.cli.session import Line, asked_of, lines_of, with_library

if TYPE_CHECKING:
    from rag_core.library import Library


def search(  # noqa: PLR0913, PLR0917 - a command's options
    question: Annotated[str | None, typer.Argument(help="What is sought.")] = None,
    batch: options.Batch = None,
    document: options.Documents = None,
    collection: options.Collection = options.DEFAULT_COLLECTION,
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="How many passages.")] = 5,
    mode: Annotated[options.Mode, typer.Option("--mode", help="Which indexes are asked.")] = options.Mode.HYBRID,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Find the passages that bear on a question, best first."""
    from rag_core.errors import NotAllowed, NotFoundError

    lines = questions(question, batch)

    async def work(library: Library) -> int:
        failed = 0
        for line in lines:
            try:
                asked, scope = await asked_of(library, line, collection, document)
                found = await library.search(asked, scope=scope, k=k, mode=mode.value)
            except (NotFoundError, NotAllowed) as exc:
                failed += 1
                output.fail(exc)
                if json:
                    output.emit(output.not_found(line.id, line.fields.get("question"), exc))
                continue
            if json:
                output.emit(output.found(line.id, found))
            else:
                for passage in found.passages:
                    output.say(f"{passage.label}. {passage.title}, page {passage.chunk.page}")
                    output.say(f"   {' '.join(passage.chunk.text.split())}")
                if not found.passages:
                    output.note("Nothing was found.")
                for sentence in found.notes:
                    output.note(sentence)
        return failed

    raise typer.Exit(1 if with_library(home, work) else 0)


def questions(question: str | None, batch: str | None) -> Iterable[Line]:
    """The lines of a batch as they come, or one line for the question on the command line.

    Raises:
        typer.BadParameter: Neither was given, or both, or nothing is asked.
    """
    if (question is None) == (batch is None):
        raise typer.BadParameter("give a QUESTION or --batch, and not both")
    if question is not None and not question.strip():
        raise typer.BadParameter("the question is empty")
    return lines_of(batch) if batch is not None else [Line({"id": None, "question": question})]
