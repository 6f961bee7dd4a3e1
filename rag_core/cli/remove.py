"""`pincite remove`: documents out of a collection, and out of the world with the last one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rag_core.cli import options, output
from rag_core.cli.session import document_of, with_library

if TYPE_CHECKING:
    from rag_core.library import Library
    from rag_core.types import Receipt


def remove(
    documents: Annotated[list[str], typer.Argument(help="Ids, their beginnings, file names or paths.")],
    collection: options.Collection = options.DEFAULT_COLLECTION,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """Remove documents; what no other collection holds is deleted: file, text, vectors and words."""
    from rag_core.errors import NotFoundError
    from rag_core.types import Scope

    async def work(library: Library) -> int:
        missing = 0
        for name in documents:
            try:
                document_id = await document_of(library, name, collection)
                receipt = await library.remove(document_id, scope=Scope.of(collection))
            except NotFoundError as exc:
                missing += 1
                output.fail(exc)
                continue
            if json:
                output.emit(output.removed(receipt))
            else:
                output.say(_line(receipt))
        return missing

    raise typer.Exit(1 if with_library(home, work) else 0)


def _line(receipt: Receipt) -> str:
    [document] = receipt.documents
    if not receipt.deleted:
        what = "other collections still hold it"
    elif receipt.verified:
        what = f"deleted, {receipt.bytes} bytes; the data folder was searched, and nothing of it was found"
    else:
        what = f"deleted, but traces remain in {', '.join(receipt.remains)}"
    return f"removed {document.id[:12]}  {document.title} ({what})"
