"""`pincite ask`: verified answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rag_core.cli import options, output
from rag_core.cli.search import questions
from rag_core.cli.session import asked_of, with_library

if TYPE_CHECKING:
    from rag_core.errors import RagError
    from rag_core.library import Library


def ask(  # noqa: PLR0913, PLR0917 - a command's options
    question: Annotated[str | None, typer.Argument(help="What you want to know.")] = None,
    batch: options.Batch = None,
    document: options.Documents = None,
    collection: options.Collection = options.DEFAULT_COLLECTION,
    writer: Annotated[options.WriterChoice | None, typer.Option("--writer", help="Who drafts the answer.")] = None,
    policy: Annotated[options.PolicyChoice | None, typer.Option("--policy", help="What is published.")] = None,
    after: Annotated[
        list[str] | None,
        typer.Option(
            "--after", metavar="QUESTION", help="What you asked before, oldest first; it is asked, not shown."
        ),
    ] = None,
    proof: Annotated[
        Path | None, typer.Option("--proof", help="Write a picture of each cited page, highlighted, into this folder.")
    ] = None,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Answer a question from the documents, every claim checked, or say that they do not hold the answer."""
    from rag_core.answering.followups import conversed
    from rag_core.cli.progress import told
    from rag_core.cli.proof import write_proof
    from rag_core.errors import ModelError, NotAllowed, NotFoundError, StoreError

    lines = questions(question, batch)

    async def work(library: Library) -> int:
        failed = 0
        for line in lines:
            try:
                asked, scope = await asked_of(library, line, collection, document)
                answer = await conversed(
                    [*(after or []), asked],
                    lambda one, history: told(
                        library.ask_stream(
                            one,
                            scope=scope,  # noqa: B023 - it is awaited within the same turn of the loop
                            writer=writer.value if writer else None,
                            policy=policy.value if policy else None,
                            history=history,
                        )
                    ),
                )
                pictures = await write_proof(library, answer, scope, proof) if proof is not None else []
            except (NotFoundError, NotAllowed, ModelError, StoreError) as exc:
                failed += 1
                output.fail(exc)
                if json:
                    output.emit(_failed(line.id, line.fields.get("question"), exc))
                continue
            if json:
                output.emit(output.answer(line.id, answer))
            else:
                for text in output.prose(answer):
                    output.say(text)
            for picture in pictures:
                output.note(f"proof: {picture}")
        return failed

    raise typer.Exit(1 if with_library(home, work) else 0)


def _failed(identity: object, question: object, error: RagError) -> output.JsonObject:
    return {
        "id": identity,
        "question": question,
        "standalone": None,
        "status": "failed",
        "text": "",
        "claims": [],
        "withheld": [],
        "refusal": None,
        "writer": None,
        "ms": {},
        "usage": None,
        "notes": [],
        "error": output.error_of(error),
    }
