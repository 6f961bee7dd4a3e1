"""`pincite export`: the whole library as one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rag_core.cli import options, output
from rag_core.cli.session import with_library

if TYPE_CHECKING:
    from rag_core.library import Library


def export(
    file: Annotated[Path, typer.Argument(help="A new file.")],
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Write the library of this instant to a file, while others go on using it."""

    async def work(library: Library) -> int:
        return await library.export(file)

    documents = with_library(home, work)
    if json:
        output.emit({"path": str(file), "documents": documents})
    else:
        output.say(f"exported: {documents} documents in {file}")
