"""A scope to what an asker should know of it: which of its documents are found by their words alone so far."""

from __future__ import annotations

from dataclasses import replace

from rag_core.protocols import Catalog
from rag_core.types import DocumentId, Scope

NAMED = 3
"""Titles in a note; a folder that is being ingested has hundreds."""


async def readiness(catalog: Catalog, scope: Scope, pending: frozenset[DocumentId]) -> tuple[str, ...]:
    """A note on the `pending` documents, whose vectors are still being made; none when the scope holds none of them."""
    if scope.documents is not None:
        pending &= scope.documents
    documents = await catalog.documents(replace(scope, documents=pending)) if pending else []
    if not documents:
        return ()
    titles = ", ".join(repr(document.title) for document in documents[:NAMED])
    more = f" and {len(documents) - NAMED} more" if len(documents) > NAMED else ""
    return (f"Found by their words alone so far, as their vectors are still being made: {titles}{more}.",)
