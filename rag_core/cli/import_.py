"""`pincite import`: an exported library into an empty data folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rag_core.cli import options, output
from rag_core.cli.session import settings_of, with_library

if TYPE_CHECKING:
    from rag_core.library import Library


def import_library(
    file: Annotated[Path, typer.Argument(help="What `pincite export` wrote.")],
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Read an exported library into an empty data folder, and make its indexes."""
    import asyncio

    from rag_core.bootstrap import unpack_library
    from rag_core.cli.progress import IngestProgress

    async def work(library: Library) -> int:
        return await library.rebuild(progress=bars)

    documents = asyncio.run(unpack_library(settings_of(home), file))
    with IngestProgress(total=None) as bars:
        chunks = with_library(home, work)
    if json:
        output.emit({"path": str(file), "documents": documents, "chunks": chunks})
    else:
        output.say(f"imported: {documents} documents, {chunks} chunks in both indexes")
