"""`pincite extract`: what we read in a PDF, page by page, without storing it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rag_core.cli import options, output
from rag_core.cli.session import settings_of


def extract(
    path: Annotated[Path, typer.Argument(help="A PDF.")],
    ocr: options.OcrOption = None,
    password: options.Password = None,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Show what is read in a PDF: text, blocks, and what is wrong with each page."""
    import asyncio

    from rag_core.bootstrap import extractor_of
    from rag_core.errors import RagError

    settings = settings_of(home)
    when = ocr.value if ocr else settings.ocr
    try:
        extraction = asyncio.run(extractor_of(settings).extract(path, ocr=when, password=password))
    except RagError as exc:
        if not json:
            raise
        output.emit({"error": output.error_of(exc)})
        raise typer.Exit(1) from exc
    for warning in extraction.warnings:
        output.note(f"warning: {warning}")
    for page in extraction.pages:
        if json:
            output.emit(output.page(page))
        else:
            output.say(f"--- page {page.number} ({page.status})")
            output.say(page.text)
            for warning in page.warnings:
                output.note(f"page {page.number}: {warning}")
