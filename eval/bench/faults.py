"""Kills the writer at random moments, and looks at what it left: `python -m eval.bench.faults --kills 200`.

A process submits files and drains the queue, removes documents, rebuilds and compacts, in random order, and says on a
pipe what it was promised. It is killed (SIGKILL) after a random time. Another process then opens the library, finishes
what was under way, and compares what is there with what was promised.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from eval.bench.plain import HashedEmbedder, PlainExtractor
from rag_core.bootstrap import open_library
from rag_core.errors import NotFoundError
from rag_core.ingestion import Source
from rag_core.library import Library
from rag_core.settings import load_settings
from rag_core.types import CollectionName, DocumentId, Scope

LOCAL = CollectionName("local")
SCOPE = Scope.of(LOCAL)
DOCUMENTS = 40
"""That come and go."""
LONGEST_LIFE = 2.5
"""Seconds from the first act to the kill."""
FORK = multiprocessing.get_context("forkserver")
FORK.set_forkserver_preload(["eval.bench.faults", "pyarrow", "tantivy"])
"""Most of what costs seconds is imported once, by a process that does nothing else; LanceDB does not like to be forked.
Linux and macOS only."""


@dataclass
class Promises:
    """What the dead process said, and so what has to be there."""

    there: set[str] = field(default_factory=set)
    """Names of files whose job was accepted or ended well, and that nobody began to remove."""
    gone: set[str] = field(default_factory=set)
    """That were removed, and the removal returned."""
    open: set[str] = field(default_factory=set)
    """That were being submitted or removed: either is well."""

    def hear(self, said: str) -> None:
        """Take note of what the process says."""
        what, name = said.split(" ", 1)
        for names in (self.there, self.gone, self.open):
            names.discard(name)
        {"submitting": self.open, "removing": self.open, "submitted": self.there, "removed": self.gone}[what].add(name)


def text_of(number: int) -> str:
    """A document of some pages, whose words tell it from all others, and its pages from each other."""
    pages = 1 + number % 7
    return "\f".join(
        f"Document wordfor{_letters(number)} speaks on page {page}. " + f"It says pageword{_letters(page)} again. " * 12
        for page in range(1, pages + 1)
    )


def _letters(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))


# ---------------------------------------------------------------------------------------------- the one that dies


def _work(home: Path, files: Path, seed: int, say: Connection) -> None:
    os.setsid()
    asyncio.run(_working(home, files, random.Random(seed), say))  # noqa: S311 - no secret hangs on it


async def _working(home: Path, files: Path, draw: random.Random, say: Connection) -> None:
    async with _library(home) as library, asyncio.TaskGroup() as tasks:
        draining = tasks.create_task(library.drain())
        say.send("open")
        while True:
            match draw.choices(("ingest", "remove", "rebuild", "tidy"), weights=(50, 25, 12, 13))[0]:
                case "ingest":
                    await _ingest(library, files, draw, say)
                case "remove":
                    await _remove(library, draw, say)
                case "rebuild":
                    say.send("doing rebuild")
                    await library.rebuild()
                case _:
                    say.send("doing tidy")
                    await library.tidy()
        draining.cancel()


async def _ingest(library: Library, files: Path, draw: random.Random, say: Connection) -> None:
    names = [f"{number}.pdf" for number in draw.sample(range(DOCUMENTS), draw.randint(1, 4))]
    for name in names:
        say.send(f"submitting {name}")
    jobs = await library.submit([Source(files / name, name) for name in names], collection=LOCAL)
    for name in names:
        say.send(f"submitted {name}")
    say.send("doing ingest")
    if draw.random() < 0.7:  # noqa: PLR2004 - or it goes on to something else meanwhile
        for job in jobs:
            try:
                async for _ in library.follow(job.id, scope=SCOPE):
                    pass
            except NotFoundError:
                continue


async def _remove(library: Library, draw: random.Random, say: Connection) -> None:
    waiting = {job.filename for job in await library.jobs(SCOPE) if not job.ended}
    documents = [d for d in await library.documents(SCOPE) if d.filename not in waiting]
    if not documents:
        return
    document = draw.choice(documents)
    say.send(f"removing {document.filename}")
    say.send("doing remove")
    await library.remove(document.id, scope=SCOPE)
    say.send(f"removed {document.filename}")


# ---------------------------------------------------------------------------------------------- the one that looks


def _look(home: Path, promises: Promises, say: Connection) -> None:
    say.send(asyncio.run(_looked(home, promises)))


async def _looked(home: Path, promises: Promises) -> list[str]:
    wrong: list[str] = []
    async with _library(home) as library:
        wrong += await _half_documents(library, "before it is mended")
        await _settle(library)
        wrong += await _half_documents(library, "after it was mended")
        documents = await library.documents(SCOPE)
        names = Counter(document.filename for document in documents)
        wrong += [f"lost: {name}" for name in promises.there - names.keys()]
        wrong += [f"not deleted: {name}" for name in promises.gone & names.keys()]
        wrong += [f"double: {name}" for name, count in names.items() if count > 1]
        wrong += [f"no vectors: {document.filename}" for document in documents if not document.embedded]
        wrong += _orphans(home, {document.id for document in documents})
    return wrong


async def _half_documents(library: Library, when: str) -> list[str]:
    wrong = []
    for document in await library.documents(SCOPE):
        number = int(document.filename.removesuffix(".pdf"))
        pages = text_of(number).split("\f")
        if document.pages != len(pages):
            wrong.append(f"{when}, {document.filename} has {document.pages} pages, not {len(pages)}")
        for page, text in enumerate(pages, start=1):
            if (await library.page(document.id, page, scope=SCOPE)).text != text:
                wrong.append(f"{when}, page {page} of {document.filename} says something else")
        found = await library.search(f"wordfor{_letters(number)}", scope=SCOPE, k=50, mode="sparse")
        seen = {passage.chunk.page for passage in found.passages if passage.chunk.document_id == document.id}
        if seen != set(range(1, len(pages) + 1)):
            wrong.append(f"{when}, of {document.filename} pages {sorted(seen)} of {len(pages)} are found")
    return wrong


def _orphans(home: Path, documents: set[DocumentId]) -> list[str]:
    blobs = {path.name for path in (home / "blobs").iterdir()} if (home / "blobs").exists() else set()
    uploads = list((home / "uploads").iterdir()) if (home / "uploads").exists() else []
    generations = [len(list((home / kind).iterdir())) for kind in ("vectors", "keywords") if (home / kind).exists()]
    return [
        *(f"orphan: {name}" for name in blobs - {f"{document}.pdf" for document in documents}),
        *(f"no file: {name}" for name in {f"{document}.pdf" for document in documents} - blobs),
        *(f"upload left: {path.name}" for path in uploads if time.time() - path.stat().st_mtime > ORPHAN_SECONDS),
        *(f"{count} generations" for count in generations if count > 1),
    ]


ORPHAN_SECONDS = 3600.0
"""A file that was sent a moment before the death is swept after an hour."""


async def _settle(library: Library) -> None:
    """Return when what was half done is undone, the queue is empty, and every vector made."""
    await library.mend()
    draining = asyncio.create_task(library.drain())
    while not await _settled(library):  # noqa: ASYNC110 - it is the library that settles
        await asyncio.sleep(0.05)
    draining.cancel()
    await asyncio.wait([draining])


async def _settled(library: Library) -> bool:
    jobs, documents = await library.jobs(SCOPE), await library.documents(SCOPE)
    whole = all(job.ended for job in jobs) and all(document.embedded for document in documents)
    return whole and not await library.differences()


# ---------------------------------------------------------------------------------------------- the one that kills


@dataclass
class Report:
    """What a run came to."""

    kills: Counter[str] = field(default_factory=Counter)
    """By what the process was last doing."""
    wrong: list[str] = field(default_factory=list)


def run(kills: int, seed: int, home: Path, *, tell: Callable[[str], None] = lambda _: None) -> Report:
    """Kill as often, and look each time."""
    draw = random.Random(seed)  # noqa: S311 - no secret hangs on it
    files = home.parent / "files"
    files.mkdir(parents=True, exist_ok=True)
    for number in range(DOCUMENTS):
        (files / f"{number}.pdf").write_text(text_of(number), encoding="utf-8")
    report, promises = Report(), Promises()
    for kill in range(kills):
        doing, died = _killed(home, files, draw, promises)
        wrong = [*died, *_asked(_look, home, promises)]
        report.kills[doing] += 1
        report.wrong += [f"kill {kill + 1}, while it did {doing}: {each}" for each in wrong]
        _take_stock(promises, home)
        tell(f"{kill + 1:4d}  {doing:8s} {'; '.join(wrong) or 'well'}")
    return report


def _killed(home: Path, files: Path, draw: random.Random, promises: Promises) -> tuple[str, list[str]]:
    """What the process was doing when it was killed, and whether it had ended before."""
    doing = "start"
    ours, theirs = FORK.Pipe()
    worker = FORK.Process(target=_work, args=(home, files, draw.getrandbits(32), theirs))
    worker.start()
    theirs.close()
    life = draw.uniform(0, LONGEST_LIFE)
    for said in _said(ours, life):
        if said.startswith("doing "):
            doing = said.removeprefix("doing ")
        elif said != "open":
            promises.hear(said)
    assert worker.pid is not None
    died = [] if worker.is_alive() else [f"it ended by itself ({worker.exitcode})"]
    with contextlib.suppress(ProcessLookupError):
        os.killpg(worker.pid, signal.SIGKILL)
    worker.join()
    for said in _said(ours, 0.0):  # what it said as it died
        if not said.startswith(("doing ", "open")):
            promises.hear(said)
    return doing, died


def _said(pipe: Connection, life: float) -> Iterator[str]:
    """What the process says within its life, which begins when its library is open."""
    until = time.monotonic() + 60
    try:
        while (left := until - time.monotonic()) > 0 or pipe.poll(0):
            if not pipe.poll(max(0.0, left)):
                return
            said = pipe.recv()
            if said == "open":
                until = time.monotonic() + life
            yield said
            if life == 0 and not pipe.poll(0):
                return
    except EOFError:
        return


def _asked(target: Callable[..., None], *args: Any) -> list[str]:  # noqa: ANN401 - whatever it takes
    ours, theirs = FORK.Pipe()
    looking = FORK.Process(target=target, args=(*args, theirs))
    looking.start()
    theirs.close()
    try:
        answer: list[str] = ours.recv() if ours.poll(120) else ["it did not settle within two minutes"]
    except EOFError:
        answer = ["it does not open"]
    looking.kill()
    looking.join()
    return answer


def _take_stock(promises: Promises, home: Path) -> None:
    """What was open is now one or the other; either was well."""
    there = set(_asked(_names, home))
    promises.there, promises.gone, promises.open = there, set(), set()


def _names(home: Path, say: Connection) -> None:
    async def names() -> list[str]:
        async with _library(home) as library:
            return [document.filename for document in await library.documents(SCOPE)]

    say.send(asyncio.run(names()))


def _library(home: Path) -> Any:  # noqa: ANN401 - a context manager of a library
    return open_library(load_settings(home=home), embedder=HashedEmbedder(), extractor=PlainExtractor())


def main(arguments: list[str]) -> int:
    """Run it, and say what it came to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="pincite-faults-") as folder:
        report = run(given.kills, given.seed, Path(folder) / "home", tell=lambda line: print(line, flush=True))
    print(json.dumps({"kills": dict(report.kills), "wrong": report.wrong}, indent=1))
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
