"""`pincite rebuild`: both indexes anew, while others go on asking the old ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rag_core.cli import options, output
from rag_core.cli.session import with_library

if TYPE_CHECKING:
    from rag_core.library import Library


def rebuild(home: options.Home = None, json: options.Json = False) -> None:
    """Make both indexes anew from the catalog, for the model and chunker now set."""
    from rag_core.cli.progress import IngestProgress

    async def work(library: Library) -> int:
        return await library.rebuild(progress=bars)

    with IngestProgress(total=None) as bars:
        chunks = with_library(home, work)
    if json:
        output.emit({"chunks": chunks})
    else:
        output.say(f"rebuilt: {chunks} chunks in both indexes")
