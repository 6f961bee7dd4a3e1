"""From a command to an open library and back: settings, the event loop, scopes, and lines of a batch."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
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

    from rag_core.keeping.ingestion import digest
    from rag_core.types import Scope

    path = Path(name)
    if await asyncio.to_thread(path.is_file):
        name = await asyncio.to_thread(digest, path)
    return (await library.document(name, scope=Scope.of(collection))).id


def lines_of(batch: str) -> Iterator[Line]:
    """The objects of a batch file, or of standard input for `-`, as they come; one that is none is a bad line."""
    for number, text in enumerate(_stdin() if batch == "-" else _opened(batch), start=1):
        if not text.strip():
            continue
        try:
            value = json.loads(text.removeprefix("\ufeff"), parse_constant=_no_number)
        except (ValueError, RecursionError) as exc:  # also numbers and nestings beyond what Python takes
            yield Line({}, number, f"it is not JSON: {exc}")
        else:
            wrong = "" if isinstance(value, dict) else "it is no JSON object"
            yield Line({} if wrong else value, number, wrong)


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number")


async def asked_of(library: Library, line: Line, collection: str, documents: list[str] | None) -> tuple[str, Scope]:
    """A line's question, and the scope in which it is asked: its own document's, else that of `documents`.

    Raises:
        NotAllowed: The line is malformed.
        DocumentNotFound: There is no such document.
    """
    question, named = line.text("question"), line.text_or_none("document")
    return question, await scope_of(library, collection, [named] if named else documents)


@dataclass(frozen=True)
class Line:
    """One line of a batch. What is wrong with it is said when a field is asked for, so that the others are done."""

    fields: dict[str, Any]
    number: int = 1
    wrong: str = ""

    @property
    def id(self) -> object:
        """By which its answer is known."""
        return self.fields.get("id")

    def text(self, name: str) -> str:
        """A text field.

        Raises:
            NotAllowed: The line is malformed, or the field is missing or no text.
        """
        from rag_core.errors import NotAllowed

        value = self.fields.get(name)
        if self.wrong or not isinstance(value, str):
            raise NotAllowed(f"Line {self.number} of the batch: {self.wrong or f'it needs a text {name!r}'}.")
        return value.encode(errors="replace").decode()

    def text_or_none(self, name: str) -> str | None:
        """A text field that may be missing."""
        return self.text(name) if self.fields.get(name) is not None else None


def collection_of(name: str) -> CollectionName:
    """A collection by its name."""
    from rag_core.types import CollectionName

    return CollectionName(name)


def _opened(batch: str) -> Iterator[str]:
    try:
        with Path(batch).open(encoding="utf-8", errors="replace") as stream:
            yield from stream
    except OSError as exc:
        raise typer.BadParameter(f"{batch!r} cannot be read: {exc.strerror}") from exc


def _stdin() -> Iterable[str]:
    if sys.stdin is None:
        return ()
    return typer.get_text_stream("stdin", encoding="utf-8", errors="replace")
