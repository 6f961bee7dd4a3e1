"""`pincite show`: a page as a picture, with a quote highlighted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rag_core.cli import options, output
from rag_core.cli.session import document_of, with_library

if TYPE_CHECKING:
    from rag_core.library import Library


def show(  # noqa: PLR0913, PLR0917 - a command's options
    document: Annotated[str, typer.Argument(help="An id, its beginning, a file name or a path.")],
    page: Annotated[int, typer.Argument(min=1, help="The page, counted from 1.")],
    out: Annotated[Path, typer.Option("-o", "--output", help="The PNG to write.")],
    quote: Annotated[str | None, typer.Option("--quote", help="What to highlight; it must stand on the page.")] = None,
    collection: options.Collection = options.DEFAULT_COLLECTION,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Draw a page, with a quote highlighted."""
    from rag_core.types import Scope

    async def work(library: Library) -> bytes:
        document_id = await document_of(library, document, collection)
        return await library.show(document_id, page, scope=Scope.of(collection), quote=quote)

    image = with_library(home, work)
    try:
        out.write_bytes(image)
    except OSError as exc:
        raise typer.BadParameter(f"{str(out)!r} cannot be written: {exc.strerror}") from exc
    if json:
        output.emit({"path": str(out), "page": page, "bytes": len(image)})
    else:
        output.note(f"wrote {out}")
