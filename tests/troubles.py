"""A library in trouble with its folder, in a process of its own: one that may not write everywhere, or not much.

Root may write anywhere, so a process of root's becomes nobody's first. What each says is judged by the tests.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import resource
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from desk import LOCAL, Desk, open_desk

from rag_core.adapters.archive import ZipArchive
from rag_core.errors import RagError
from rag_core.keeping.backup import Backup
from rag_core.keeping.intake import random_id

NOBODY = 65534


@dataclass
class Told:
    """What happened to whoever used the library."""

    said: list[str] = field(default_factory=list)
    """Code and sentence of each failure."""
    changed: list[str] = field(default_factory=list)
    """Files that a failure left otherwise than they were."""
    titles: list[str] = field(default_factory=list)
    """Of what is found in the end."""
    differences: list[str] = field(default_factory=list)
    """Between catalog and indexes, in the end."""


def in_child(work: Callable[[Path], Coroutine[None, None, Told]], home: Path) -> Told:
    """What `work` tells of a data folder that anybody may make."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    child = context.Process(target=_run, args=(work, home, theirs))
    child.start()
    theirs.close()
    told: Told = ours.recv()
    child.join()
    return told


def _run(work: Callable[[Path], Coroutine[None, None, Told]], home: Path, say: Connection) -> None:
    if os.geteuid() == 0:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(_imported(Path(folder) / "home"))
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    say.send(asyncio.run(work(home)))


async def _imported(home: Path) -> None:
    """Load what is loaded by need: nobody may read root's Python, either."""
    async with _desk(home) as desk:
        await desk.add(desk.file("a.pdf", "The tide turns."))
        await desk.titles("tide")


# ---------------------------------------------------------------------------------------------- what is tried


async def read_only_parts(home: Path) -> Told:
    """One folder after the other cannot be written while a file comes; then they can, and the files are sent again."""
    told, parts = Told(), ("uploads", "blobs", "keywords", "vectors")
    async with _desk(home) as desk:
        await desk.add(desk.file("a.pdf", "The tide turns."))
        for part in parts:
            with _unwritable(home / part):
                await _tried(desk, _file(desk, f"{part}.pdf"), told)
        await _ended(desk, told, parts)
    return told


async def read_only_whole(home: Path) -> Told:
    """Nothing of it can be written when it is opened; then it can."""
    told = Told()
    async with _desk(home) as desk:
        await desk.add(desk.file("a.pdf", "The tide turns."))
    before = _bytes(home)
    with _unwritable(home):
        try:
            async with _desk(home):
                pass
        except RagError as exc:
            told.said.append(f"{exc.code}: {exc}")
        told.changed += [str(path) for path, content in _bytes(home).items() if before.get(path) != content]
    async with _desk(home) as desk:
        await _ended(desk, told, ())
    return told


async def full(home: Path) -> Told:
    """No file may grow beyond so much while one comes, each time at another place; then there is room again."""
    told, rooms = Told(), [1 << power for power in range(10, 18)]
    async with _desk(home) as desk:
        await desk.add(desk.file("a.pdf", "The tide turns."))
        for room in rooms:
            file = _file(desk, f"{room}.pdf")
            with _room(room):
                await _tried(desk, file, told)
        await _ended(desk, told, tuple(map(str, rooms)))
    return told


async def full_upkeep(home: Path) -> Told:
    """No file may grow beyond so much while the library is put in order, made anew, exported, and rid of a document.

    In the end all but the first document are removed, those that went before and those that could not.
    """
    told, rooms = Told(), [1 << power for power in range(9, 21)]
    async with _desk(home) as desk:
        await desk.add(*(_file(desk, f"{name}.pdf") for name in ("a", *rooms)))
        there = {document.title: document.id for document in await desk.catalog.documents(LOCAL)}
        for room in rooms:
            backup = Backup(archive=ZipArchive(home), store=desk.store, new_id=random_id)
            with _room(room):
                for act in (desk.upkeep.tidy(), desk.upkeep.rebuild(), backup.export(home.parent / f"{room}.zip")):
                    await _said(act, told)
                if await _said(desk.remove(there[str(room)]), told):
                    del there[str(room)]
            listed = {document.title: document.id for document in await desk.catalog.documents(LOCAL)}
            told.changed += [title for title in there.keys() - listed.keys() if title != str(room)]
            told.changed += listed.keys() - there.keys()
        for title, document_id in list(listed.items()):
            if title != "a":
                told.changed += (await desk.remove(document_id)).remains
        await _ended(desk, told, ())
    return told


async def _said(act: Awaitable[object], told: Told) -> bool:
    """Whether it was done."""
    try:
        await act
    except RagError as exc:
        told.said.append(f"{exc.code}: {exc}")
        return False
    return True


async def _tried(desk: Desk, file: Path, told: Told) -> None:
    try:
        told.said += [f"{each.code}: {each.message}" for each in await desk.add(file) if each.code]
    except RagError as exc:
        told.said.append(f"{exc.code}: {exc}")


async def _ended(desk: Desk, told: Told, again: tuple[str, ...]) -> None:
    await desk.upkeep.recover()
    await desk.add(*(_file(desk, f"{name}.pdf") for name in again))
    told.titles = sorted({*await desk.titles("tide"), *(d.title for d in await desk.catalog.documents(LOCAL))})
    told.differences = [str(each) for each in await desk.upkeep.differences()]


def _file(desk: Desk, name: str) -> Path:
    path = desk.home.parent / name
    if not path.exists():
        path.write_text("\f".join(f"Gauge {name} is read on day {day}. " * 9 for day in range(9)), encoding="utf-8")
    return path


@asynccontextmanager
async def _desk(home: Path) -> AsyncIterator[Desk]:
    desk = await open_desk(home)
    try:
        yield desk
    finally:
        await desk.store.close()
        await desk.catalog.close()


@contextmanager
def _unwritable(folder: Path) -> Iterator[None]:
    below = [folder, *folder.rglob("*")]
    modes = {path: path.stat().st_mode for path in below}
    for path in below:
        path.chmod(modes[path] & ~0o222)
    try:
        yield
    finally:
        for path in below:
            path.chmod(modes[path])


@contextmanager
def _room(size: int) -> Iterator[None]:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def _bytes(home: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
