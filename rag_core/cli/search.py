"""`pincite search`: the passages nearest to a question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rag_core.cli import options, output
from rag_core.cli.session import field_of, lines_of, scope_of, with_library

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
    from rag_core.errors import NotFoundError

    lines = questions(question, batch)

    async def work(library: Library) -> int:
        failed = 0
        for line in lines:
            asked = field_of(line, "question")
            try:
                scope = await scope_of(library, collection, [line["document"]] if line.get("document") else document)
                found = await library.search(asked, scope=scope, k=k, mode=mode.value)
            except NotFoundError as exc:
                failed += 1
                output.fail(exc)
                if json:
                    output.emit({"id": line.get("id"), "question": asked, "hits": [], "error": output.error_of(exc)})
                continue
            if json:
                output.emit(output.found(line.get("id"), found))
            else:
                for passage in found.passages:
                    output.say(f"{passage.label}. {passage.title}, page {passage.chunk.page}")
                    output.say(f"   {' '.join(passage.chunk.text.split())}")
                if not found.passages:
                    output.note("Nothing was found.")
        return failed

    raise typer.Exit(1 if with_library(home, work) else 0)


def questions(question: str | None, batch: str | None) -> list[dict[str, Any]]:
    """The lines of a batch, or one line for the question on the command line.

    Raises:
        typer.BadParameter: Neither was given, or both.
    """
    if (question is None) == (batch is None):
        raise typer.BadParameter("give a QUESTION or --batch, and not both")
    return list(lines_of(batch)) if batch is not None else [{"id": None, "question": question}]
