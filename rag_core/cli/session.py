"""From a command to an open library and back: settings, the event loop, scopes, and lines of a batch."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

if TYPE_CHECKING:
    from rag_core.library import Library
    from rag_core.settings import Settings
    from rag_core.types import CollectionName, DocumentId, Scope

T = TypeVar("T")


def settings_of(home: Path | None) -> Settings:
    """The settings, with `--home` above them."""
    from rag_core.settings import load_settings

    return load_settings(home=home)


def with_library(home: Path | None, work: Callable[[Library], Awaitable[T]]) -> T:
    """Run `work` on an open library."""
    import asyncio

    settings = settings_of(home)

    async def opened() -> T:
        from rag_core.bootstrap import open_library

        async with open_library(settings) as library:
            return await work(library)

    return asyncio.run(opened())


async def scope_of(library: Library, collection: str, documents: list[str] | None) -> Scope:
    """The collection, narrowed to the documents that were named."""
    from rag_core.types import Scope

    scope = Scope.of(collection)
    if not documents:
        return scope
    return Scope.of(collection, documents=[await document_of(library, name, collection) for name in documents])


async def document_of(library: Library, name: str, collection: str) -> DocumentId:
    """The document that a person means: by a path to its bytes, an id or its beginning, a file name or a title."""
    import asyncio

    from rag_core.ingestion import digest
    from rag_core.types import Scope

    path = Path(name)
    if await asyncio.to_thread(path.is_file):
        name = await asyncio.to_thread(digest, path)
    return (await library.document(name, scope=Scope.of(collection))).id


def lines_of(batch: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of a batch file, or of standard input for `-`.

    Raises:
        typer.BadParameter: A line is no JSON object; it says which.
    """
    stream = typer.get_text_stream("stdin", encoding="utf-8") if batch == "-" else _opened(batch)
    for number, line in enumerate(stream, start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except json.JSONDecodeError as exc:
            raise typer.BadParameter(f"line {number} of the batch is not JSON: {exc}") from exc
        if not isinstance(value, dict):
            raise typer.BadParameter(f"line {number} of the batch is no JSON object")
        yield value


def field_of(line: dict[str, Any], name: str) -> str:
    """A text field of a batch line.

    Raises:
        typer.BadParameter: It is missing, or no text.
    """
    value = line.get(name)
    if not isinstance(value, str):
        raise typer.BadParameter(f"the batch line {json.dumps(line.get('id'))} needs a text {name!r}")
    return value


def collection_of(name: str) -> CollectionName:
    """A collection by its name."""
    from rag_core.types import CollectionName

    return CollectionName(name)


def _opened(batch: str) -> Iterator[str]:
    try:
        with Path(batch).open(encoding="utf-8") as stream:
            yield from stream
    except OSError as exc:
        raise typer.BadParameter(f"{batch!r} cannot be read: {exc.strerror}") from exc
