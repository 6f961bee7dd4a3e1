"""Rows of the catalog to values, and scopes to the conditions of a query."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from rag_core.adapters import page_codec
from rag_core.types import Chunk, ChunkId, CollectionName, Document, DocumentId, Page, Scope, Span


def marks(values: Iterable[object]) -> str:
    """A question mark for each."""
    return ", ".join("?" for _ in values)


def in_scope(scope: Scope, row: str = "m") -> tuple[str, list[str]]:
    """The condition that a row with a collection and a document is of the scope, and its values."""
    which = f"{row}.collection IN ({marks(scope.collections)})"
    if scope.documents is None:
        return which, [*scope.collections]
    # One value however many there are: SQLite bounds how many a statement takes.
    named = json.dumps(sorted(scope.documents))
    return f"{which} AND {row}.document_id IN (SELECT value FROM json_each(?))", [*scope.collections, named]  # noqa: S608 - as above


def document_of(row: sqlite3.Row) -> Document:
    """A document, with the collections that the row names, and as it is called there."""
    return Document(
        id=DocumentId(row["id"]),
        title=_title_of(row),
        filename=row["called"],
        pages=row["pages"],
        chunks=row["chunks"],
        added_at=datetime.fromisoformat(row["since"]).astimezone(UTC),
        collections=tuple(sorted(map(CollectionName, json.loads(row["collections"])))),
        unreadable_pages=tuple(json.loads(row["unreadable_pages"])),
        warnings=tuple(json.loads(row["warnings"])),
        embedded=bool(row["embedded"]),
    )


def _title_of(row: sqlite3.Row) -> str:
    """The title, of the row's document as it is called there.

    One without a title of its own is titled by its file's name, and each who sent it knows that by another.
    """
    untitled = row["title"] == Path(row["filename"]).stem
    return Path(row["called"]).stem if untitled else str(row["title"])


def page_of(row: sqlite3.Row) -> Page:
    """A page as it was read."""
    return page_codec.decode(row["number"], row["text"], row["layout"])


def chunk_of(row: sqlite3.Row) -> Chunk:
    """A chunk, with the text that its page has there."""
    return Chunk(
        id=ChunkId(row["id"]),
        document_id=DocumentId(row["document_id"]),
        page=row["page"],
        span=Span(row["start"], row["stop"]),
        section=Span(row["section_start"], row["section_stop"]),
        text=row["text"],
        context=row["context"],
        whole=bool(row["whole"]),
    )


def chunk_row(chunk: Chunk) -> tuple[str | int, ...]:
    """The values of a chunk's row: its place, not its text."""
    return (
        chunk.id,
        chunk.document_id,
        chunk.page,
        chunk.span.start,
        chunk.span.end,
        chunk.context,
        chunk.section.start,
        chunk.section.end,
        chunk.whole,
    )
