"""`pincite ingest`: PDFs into the library."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rag_core.cli import options, output
from rag_core.cli.session import collection_of, with_library

if TYPE_CHECKING:
    from rag_core.library import Library
    from rag_core.types import Ingested


def ingest(  # noqa: PLR0913, PLR0917 - a command's options
    paths: Annotated[list[str], typer.Argument(help="Files, folders, or - for a list on standard input.")],
    collection: options.Collection = options.DEFAULT_COLLECTION,
    ocr: options.OcrOption = None,
    password: options.Password = None,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Read, cut, embed and index PDFs; one that fails harms no other."""
    from rag_core.cli.progress import IngestProgress
    from rag_core.keeping.ingestion import Source

    sources = [Source(path, path.name) for path in options.pdfs(paths)]
    failed = 0

    def report(result: Ingested) -> None:
        nonlocal failed
        failed += result.status == "failed"
        bars.done(Path(result.path))
        if json:
            output.emit(output.ingested(result))
        else:
            output.say(_line(result))

    async def work(library: Library) -> None:
        await library.add(
            sources,
            collection=collection_of(collection),
            report=report,
            ocr=ocr.value if ocr else None,
            password=password,
            progress=bars,
        )

    with IngestProgress(total=len(sources)) as bars:
        with_library(home, work)
    raise typer.Exit(1 if failed else 0)


def _line(result: Ingested) -> str:
    document = result.document
    if document is None:
        return f"failed     {result.path}: {result.message} ({result.code})"
    unread = f", unreadable pages {', '.join(map(str, document.unreadable_pages))}" if document.unreadable_pages else ""
    return (
        f"{result.status:10s} {document.id[:12]}  {document.title} "
        f"({document.pages} pages, {document.chunks} chunks{unread})"
    )
