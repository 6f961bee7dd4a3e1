"""`pincite verify`: the referee. Claims against texts, or any text against documents."""

from __future__ import annotations

import tempfile
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rag_core.cli import options, output
from rag_core.cli.session import collection_of, document_of, lines_of, with_library

if TYPE_CHECKING:
    from rag_core.library import Library
    from rag_core.types import CheckedClaim, Ingested

AT_ONCE = 64
"""Claims judged together: enough to fill the model's batches, few enough to see results come."""


def verify(  # noqa: PLR0913, PLR0917 - a command's options
    batch: options.Batch = None,
    text: Annotated[str | None, typer.Option("--text", help="The text to check.")] = None,
    against: Annotated[
        list[str] | None, typer.Option("--against", help="A document: an id, a file name or a path. Repeatable.")
    ] = None,
    collection: options.Collection = options.DEFAULT_COLLECTION,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Check a batch of {id, claim, evidence} lines, or a text, sentence by sentence, against documents."""
    if batch is not None and text is None and against is None:
        _verify_batch(batch, home, json=json)
    elif text is not None and not text.strip():
        raise typer.BadParameter("the text is empty")
    elif text is not None and batch is None:
        _verify_text(text, against or [], collection, home, json=json)
    else:
        raise typer.BadParameter("give --batch alone, or --text with --against")


def _verify_batch(batch: str, home: Path | None, *, json: bool) -> None:
    from rag_core.errors import NotAllowed

    async def work(library: Library) -> int:
        lines, failed = iter(lines_of(batch)), 0
        while some := list(islice(lines, AT_ONCE)):
            pairs: list[tuple[object, str, str]] = []
            for line in some:
                try:
                    pairs.append((line.id, line.text("claim"), line.text("evidence")))
                except NotAllowed as exc:
                    failed += 1
                    output.fail(exc)
                    if json:
                        output.emit({"id": line.id, "error": output.error_of(exc)})
            judged = await library.judge([(claim, evidence) for _, claim, evidence in pairs])
            for (identity, claim, evidence), value in zip(pairs, judged, strict=True):
                if json:
                    output.emit(output.judgement(identity, evidence, value))
                else:
                    output.say(f"{value.verdict.value} ({value.confidence:.2f}): {claim}")
        return failed

    raise typer.Exit(1 if with_library(home, work) else 0)


def _verify_text(text: str, against: list[str], collection: str, home: Path | None, *, json: bool) -> None:
    from rag_core.errors import NotFoundError
    from rag_core.types import Scope

    async def in_library(library: Library) -> list[CheckedClaim]:
        named = [await document_of(library, name, collection) for name in against]
        return await library.verify(text, scope=Scope.of(collection, documents=named or None))

    try:
        checked = with_library(home, in_library)
    except NotFoundError:
        # Files that were never ingested are read into a library that is thrown away.
        files = [Path(name) for name in against]
        if not all(file.is_file() for file in files):
            raise
        with tempfile.TemporaryDirectory(prefix="pincite-") as folder:
            checked = with_library(Path(folder), lambda library: _against_files(library, text, files))
    for claim in checked:
        if json:
            output.emit(output.checked_claim(claim))
        else:
            for line in output.claim_prose(claim):
                output.say(line)


async def _against_files(library: Library, text: str, files: list[Path]) -> list[CheckedClaim]:
    from rag_core.errors import NotFoundError
    from rag_core.keeping.ingestion import Source
    from rag_core.types import Scope

    results: list[Ingested] = []
    await library.add(
        [Source(file, file.name) for file in files],
        collection=collection_of(options.DEFAULT_COLLECTION),
        report=results.append,
    )
    for result in results:
        if result.document is None:
            raise NotFoundError(f"{result.path!r} cannot be checked against: {result.message}")
    return await library.verify(text, scope=Scope.of(options.DEFAULT_COLLECTION))
