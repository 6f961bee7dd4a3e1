"""Options that several commands share, and what they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rag_core.cli.output import note

Home = Annotated[
    Path | None, typer.Option("--home", help="The data folder.", show_default="PINCITE_HOME, or the system's place")
]
Json = Annotated[bool, typer.Option("--json", help="Write JSON Lines.")]
Collection = Annotated[str, typer.Option("--collection", help="The collection that is meant.")]
Documents = Annotated[
    list[str] | None,
    typer.Option("--document", help="Only this document: an id, its beginning, a file name or a path. Repeatable."),
]
Batch = Annotated[str | None, typer.Option("--batch", help="A file of JSON lines, or - for standard input.")]
Password = Annotated[str | None, typer.Option("--password", help="The password of an encrypted PDF.")]
DEFAULT_COLLECTION = "local"
"""The collection of the command line."""


class Ocr(StrEnum):
    """When pages are read from their pictures."""

    AUTO = "auto"
    ON = "on"
    OFF = "off"


class Mode(StrEnum):
    """Which indexes are asked."""

    HYBRID = "hybrid"
    DENSE = "dense"
    SPARSE = "sparse"


class WriterChoice(StrEnum):
    """Who drafts the answer."""

    AUTO = "auto"
    QUOTE = "quote"
    GROQ = "groq"
    OPENAI = "openai"


class PolicyChoice(StrEnum):
    """What is published."""

    STRICT = "strict"
    FLAG = "flag"
    QUOTE = "quote"


OcrOption = Annotated[
    Ocr | None, typer.Option("--ocr", help="Read pages from their pictures: when they have no text, always, or never.")
]


def pdfs(paths: list[str]) -> Iterator[Path]:
    """The files meant by `paths`: files as they are, the PDFs below folders in order of name, `-` for a list.

    A folder without any is said to be that: it may be the wrong one.
    """
    for path in paths:
        if path == "-":
            yield from pdfs([line.rstrip("\n") for line in typer.get_text_stream("stdin") if line.strip()])
        elif Path(path).is_dir():
            found = sorted(p for p in Path(path).rglob("*") if p.suffix.lower() == ".pdf" and p.is_file())
            if not found:
                note(f"There is no PDF in {path!r}.")
            yield from found
        else:
            yield Path(path)
