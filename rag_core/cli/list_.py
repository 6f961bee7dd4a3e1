"""`pincite list`: the documents of a collection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rag_core.cli import options, output
from rag_core.cli.session import with_library

if TYPE_CHECKING:
    from rag_core.library import Library
    from rag_core.types import Document


def list_documents(
    collection: options.Collection = options.DEFAULT_COLLECTION,
    home: options.Home = None,
    json: options.Json = False,
) -> None:
    """List the documents, oldest first."""
    from rag_core.types import Scope

    async def work(library: Library) -> list[Document]:
        return await library.documents(Scope.of(collection))

    documents = with_library(home, work)
    for document in documents:
        if json:
            output.emit(output.document(document))
        else:
            output.say(f"{document.id[:12]}  {document.title} ({document.pages} pages, {document.filename})")
    if not documents and not json:
        output.note("There are no documents yet: `pincite ingest FILE.pdf` adds one.")
