"""A name that a person gives to the one document that it means. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from rag_core.errors import DocumentNotFound
from rag_core.types import Document

LEAST_OF_AN_ID = 6
"""Characters by which an id may be named: sixteen million are enough to tell a person's documents apart."""


def named(name: str, documents: Sequence[Document]) -> Document:
    """The one document that `name` means: by its id, else the beginning of it, else its file or title.

    Raises:
        DocumentNotFound: It means none, or more than one.
    """
    means = (
        lambda d: d.id == name,
        lambda d: len(name) >= LEAST_OF_AN_ID and d.id.startswith(name.lower()),
        lambda d: name in {d.filename, d.title},
    )
    for meant in means:
        found = [document for document in documents if meant(document)]
        if len(found) == 1:
            return found[0]
        if found:
            raise DocumentNotFound(f"{name!r} may mean {len(found)} documents: give its id.")
    raise DocumentNotFound(f"There is no document {name!r} here; name one of those that are listed.")
