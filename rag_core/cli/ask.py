"""`pincite ask`: verified answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rag_core.cli import options, output
from rag_core.cli.search import questions
from rag_core.cli.session import field_of, scope_of, with_library

if TYPE_CHECKING:
    from rag_core.errors import ModelError, NotFoundError
    from rag_core.library import Library
    from rag_core.types import Scope


def ask(  # noqa: PLR0913, PLR0917 - a command's options
    question: Annotated[str | None, typer.Argument(help="What you want to know.")] = None,
    batch: options.Batch = None,
    document: options.Documents = None,
    collection: options.Collection = options.DEFAULT_COLLECTION,
    writer: Annotated[options.WriterChoice | None, typer.Option("--writer", help="Who drafts the answer.")] = None,
    policy: Annotated[options.PolicyChoice | None, typer.Option("--policy", help="What is published.")] = None,
    proof: Annotated[
        Path | None, typer.Option("--proof", help="Write a picture of each cited page, highlighted, into this folder.")
    ] = None,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Answer a question from the documents, every claim checked, or say that they do not hold the answer."""
    from rag_core.cli.proof import write_proof
    from rag_core.errors import ModelError, NotFoundError

    lines = questions(question, batch)

    async def work(library: Library) -> int:
        failed = 0
        for line in lines:
            asked = field_of(line, "question")
            try:
                scope: Scope = await scope_of(
                    library, collection, [line["document"]] if line.get("document") else document
                )
                answer = await library.ask(
                    asked, scope=scope, writer=writer.value if writer else None, policy=policy.value if policy else None
                )
            except (NotFoundError, ModelError) as exc:
                failed += 1
                output.fail(exc)
                if json:
                    output.emit(_failed(line.get("id"), asked, exc))
                continue
            if json:
                output.emit(output.answer(line.get("id"), answer))
            else:
                for text in output.prose(answer):
                    output.say(text)
            if proof is not None:
                for picture in await write_proof(library, answer, scope, proof):
                    output.note(f"proof: {picture}")
        return failed

    raise typer.Exit(1 if with_library(home, work) else 0)


def _failed(identity: object, question: str, error: ModelError | NotFoundError) -> output.JsonObject:
    return {
        "id": identity,
        "question": question,
        "status": "failed",
        "text": "",
        "claims": [],
        "withheld": [],
        "refusal": None,
        "writer": None,
        "ms": {},
        "error": output.error_of(error),
    }
