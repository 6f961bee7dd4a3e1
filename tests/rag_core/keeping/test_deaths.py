"""A process that dies before any one of its writes leaves a whole library, which the next one puts in order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from desk import LOCAL, NOON, Desk, OpenDesk

from rag_core.adapters.blobs import FolderBlobs
from rag_core.adapters.catalog_file import CatalogFile
from rag_core.adapters.closeups import SqliteCloseups
from rag_core.adapters.dense_index import DenseIndex
from rag_core.adapters.sparse_index import SparseIndex
from rag_core.types import CollectionName
from rag_core.types.jobs import Principal

Act = Callable[[Desk], Awaitable[None]]
PAGES = ("The tide turns at noon.", "The heron keeps its appointment.")
OTHER = "A gauge is read twice a day."


class Death(BaseException):
    """Nothing catches it."""


class Fate:
    """Lets a process do so many writes, and none after that."""

    def __init__(self) -> None:
        self.left: int | None = None
        """None is without end."""

    def write(self) -> None:
        """One more."""
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise Death


@pytest.fixture
def fate(monkeypatch: pytest.MonkeyPatch) -> Fate:
    """Of all who write to a catalog, an index or a folder of files."""
    fate = Fate()
    transaction, writer = CatalogFile.transaction, SparseIndex._writer

    @asynccontextmanager
    async def in_the_catalog(self: CatalogFile) -> AsyncIterator[Any]:
        fate.write()
        async with transaction(self) as db:
            yield db

    @contextmanager
    def in_the_words(self: SparseIndex) -> Iterator[Any]:
        fate.write()
        with writer(self) as found:
            yield found

    monkeypatch.setattr(CatalogFile, "transaction", in_the_catalog)
    monkeypatch.setattr(SparseIndex, "_writer", in_the_words)
    for kind in (DenseIndex, SqliteCloseups, FolderBlobs):
        for name in {"add", "remove", "put"} & set(vars(kind)):
            monkeypatch.setattr(kind, name, _mortal(getattr(kind, name), fate))
    return fate


def _mortal(write: Callable[..., Any], fate: Fate) -> Callable[..., Any]:
    def written(*given: Any, **more: Any) -> Any:  # noqa: ANN401 - whatever it takes and gives
        fate.write()
        return write(*given, **more)

    return written


async def ingest(desk: Desk) -> None:
    """The file that was sent."""
    [job] = [each for each in await desk.intake.jobs(LOCAL) if each.filename == "tides.pdf"]
    draining = asyncio.create_task(desk.drainer.drain())
    ended = asyncio.create_task(desk.end_of(job))
    await asyncio.wait([draining, ended], return_when=asyncio.FIRST_COMPLETED)
    for task in (draining, ended):
        task.cancel()
    await asyncio.wait([draining, ended])
    if not draining.cancelled():
        draining.result()


async def remove(desk: Desk) -> None:
    """The document that it became."""
    await desk.remove(*[d.id for d in await desk.catalog.documents(LOCAL) if d.title != "other"])


async def rebuild(desk: Desk) -> None:
    """All of the indexes."""
    await desk.upkeep.rebuild()


async def rename(desk: Desk) -> None:
    """A document whose name only one of its two senders used, and that one leaves."""
    await desk.removal.uploads(Principal("ann"))


@pytest.mark.parametrize("act", [ingest, remove, rebuild, rename])
async def test_a_death_before_any_write_costs_nothing(desks: OpenDesk, fate: Fate, act: Act):
    """What is listed is whole before anybody mends; then what was coming is there, what was going gone, to the last."""
    first = await desks()
    await first.add(first.file("other.pdf", OTHER))
    deaths, died = 0, True
    while died:
        desk = await desks()
        if "tides" not in await titles(desk):
            name = "quixotic.pdf" if act is rename else "tides.pdf"
            [job] = await desk.submit(desk.file(name, "\f".join(PAGES)), principal="ann")
            if act is not ingest:
                async with desk.draining():
                    await desk.end_of(job)
            if act is rename:
                assert job.document_id is not None
                again = {"since": NOON + timedelta(hours=1), "principal": Principal("bob")}
                assert await desk.catalog.join(job.document_id, CollectionName("local"), "tides.pdf", **again)
        fate.left = deaths
        try:
            await act(desk)
            died = False
        except Death:
            deaths += 1
        fate.left = None
        await whole(await desks())
        after = await desks()
        await settled(after)
        await whole(after)
        assert await after.upkeep.differences() == []
        documents = await after.catalog.documents(LOCAL)
        assert {path.name for path in (after.home / "blobs").iterdir()} == {f"{each.id}.pdf" for each in documents}
        assert all(len(list((after.home / kind).iterdir())) == 1 for kind in ("vectors", "keywords"))
        assert "other" in await titles(after)
        if act in {ingest, rebuild} or not died:
            assert ("tides" in await titles(after)) == (act is not remove)
        if "tides" in await titles(after):
            assert not any(b"quixotic" in path.read_bytes() for path in files(after))
        if act in {ingest, rename}:
            await remove(after)
    assert deaths > 3


def files(desk: Desk) -> list[Path]:
    """In the data folder, but for those that wait to be swept."""
    return [path for path in desk.home.rglob("*") if path.is_file() and path.parent.name != "uploads"]


async def titles(desk: Desk) -> set[str]:
    """Of what is listed."""
    return {document.title for document in await desk.catalog.documents(LOCAL)}


async def whole(desk: Desk) -> None:
    """Each document that is listed has its pages and its file, and all of it is found by its words."""
    for document in await desk.catalog.documents(LOCAL):
        pages = [OTHER] if document.title == "other" else list(PAGES)
        assert [page.text for page in await desk.catalog.pages(document.id)] == pages
        assert (desk.home / "blobs" / f"{document.id}.pdf").read_text() == "\f".join(pages)
        for number, text in enumerate(pages, start=1):
            found = await desk.retrieval.find(f'"{text}"', scope=LOCAL, k=5, mode="sparse")
            assert [(p.title, p.chunk.page) for p in found.passages] == [(document.title, number)]


async def settled(desk: Desk) -> None:
    """Once whoever drains has begun by mending, as it always does, and has nothing more to do."""
    await desk.upkeep.recover()
    async with desk.draining():
        while (  # noqa: ASYNC110 - nothing but its state tells
            any(not job.ended for job in await desk.intake.jobs(LOCAL))
            or await desk.catalog.pending()
            or await desk.catalog.unfinished()
            or await desk.catalog.misnamed()
            or await desk.upkeep.differences()
        ):
            await asyncio.sleep(0.01)
