"""The names of documents in a set to documents of the library: looked for in the scope, or on disk and brought in."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.datasets import Dataset
from eval.unanswerable import ROOT, data_folder
from rag_core.cli.demo import examples
from rag_core.keeping.ingestion import SILENT, Progress, Source, digest
from rag_core.library import Library
from rag_core.types import CollectionName, Document, DocumentId, Ingested, Scope


@dataclass(frozen=True, slots=True)
class Brought:
    """What became of a set's documents."""

    ids: Mapping[str, str]
    """By their names in the set."""
    absent: tuple[str, ...]
    """Names whose file is nowhere to be found, or could not be read."""
    seconds: float
    """That ingestion took; 0 when all were there."""
    fresh: int
    """How many were ingested now."""


def known(dataset: Dataset, documents: Sequence[Document]) -> dict[str, str]:
    """The documents that a set names, by file name or id. A name that two documents have means neither. Pure."""
    by_name: dict[str, set[str]] = {}
    for document in documents:
        by_name.setdefault(document.filename, set()).add(document.id)
        by_name.setdefault(document.id, set()).add(document.id)
    found = {name: by_name.get(Path(name).name, set()) for name in dataset.documents}
    return {name: next(iter(ids)) for name, ids in found.items() if len(ids) == 1}


def path_of(name: str, folder: Path | None) -> Path | None:
    """Where a document of a set lies: beside the set, in the examples, in the public data, or from here."""
    tries = [Path(name), ROOT / name, examples() / Path(name).name, data_folder() / name]
    if folder is not None:
        tries.insert(0, folder / name)
    return next((path for path in tries if path.is_file()), None)


async def bring(
    library: Library,
    dataset: Dataset,
    *,
    collection: CollectionName,
    given: Sequence[Path] = (),
    progress: Progress = SILENT,
) -> Brought:
    """Put a set's documents into a collection, those that are not there yet.

    `given` files stand for the set's documents of the same name; a single one stands for a set's only document.
    """
    paths = await asyncio.to_thread(_paths, dataset, given)
    results: list[Ingested] = []
    sources = [Source(path, path.name) for path in dict.fromkeys(paths.values())]
    start = time.perf_counter()
    await library.add(sources, collection=collection, report=results.append, progress=progress)
    took = time.perf_counter() - start
    fresh = sum(result.status == "indexed" for result in results)
    indexed = {result.document.id for result in results if result.document is not None}
    ids = {name: await asyncio.to_thread(digest, path) for name, path in paths.items()}
    there = {name: str(identity) for name, identity in ids.items() if identity in indexed}
    absent = tuple(name for name in dataset.documents if name not in there)
    return Brought(there, absent, took if fresh else 0.0, fresh)


async def in_scope(library: Library, dataset: Dataset, scope: Scope) -> dict[str, str]:
    """The set's documents that a scope holds."""
    return known(dataset, await library.documents(scope))


async def faults(library: Library, dataset: Dataset, ids: Mapping[str, str], scope: Scope) -> list[str]:
    """What the documents say against the set: pages that they do not have, evidence that is not on its page."""
    found = []
    for question in dataset.questions:
        for place, (name, page) in enumerate(question.pages):
            if name not in ids:
                continue
            document = await library.document(DocumentId(ids[name]), scope=scope)
            if page > document.pages:
                found.append(f"{question.id}: {name!r} has {document.pages} pages, and no page {page}")
            elif place == 0 and question.evidence:
                read = await library.page(document.id, page, scope=scope)
                if _letters(question.evidence) not in _letters(read.text):
                    found.append(f"{question.id}: page {page} of {name!r} does not have {question.evidence!r}")
    return found


def _letters(text: str) -> str:
    """Letters and digits alone: a line's hyphen, a cell's bar or a space parts nothing."""
    return re.sub(r"[\W_]+", "", text.casefold())


def _paths(dataset: Dataset, given: Sequence[Path]) -> dict[str, Path]:
    names = dataset.documents
    by_name = {path.name: path for path in given}
    if len(names) == 1 == len(given):
        return {names[0]: given[0]}
    found = {name: by_name.get(Path(name).name) or path_of(name, dataset.folder) for name in names}
    return {name: path for name, path in found.items() if path is not None}
