"""Kills the writer at random moments, and looks at what it left: `python -m eval.bench.faults --kills 200`.

A process opens the library that the one before it left, finishes what was under way, and compares what is there with
what had been promised. Then it submits files and drains the queue, removes documents, rebuilds and compacts, in random
order, and says on a pipe what it was promised itself, until it is killed (SIGKILL): at a random moment of opening and
mending what the last one left, or after it began one of the four acts, each as often.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import faulthandler
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
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from eval.bench.plain import HashedEmbedder, PlainExtractor
from rag_core.bootstrap import open_library
from rag_core.errors import NotFoundError
from rag_core.keeping.ingestion import Source
from rag_core.library import Library
from rag_core.settings import load_settings
from rag_core.types import CollectionName, DocumentId, Scope

LOCAL = CollectionName("local")
SCOPE = Scope.of(LOCAL)
DOCUMENTS = 40
"""That come and go."""
ACTS = ("ingest", "remove", "rebuild", "tidy")
AIMS = ("mend", *ACTS)
"""What is under way when the process is killed, or was a moment ago: drawn first, or the long acts would be all."""
LIKED = 0.6
"""Of a life's acts: those of the kind that is aimed at."""
LONGEST = 1.5
"""Seconds from the beginning of the act to the kill: the square of a random number, as some acts take a hundredth."""
PATIENCE = 100.0
"""Seconds in which a library has to settle; it takes one or two."""
FORK = multiprocessing.get_context("forkserver")
FORK.set_forkserver_preload(["rag_core.bootstrap", "eval.bench.plain", "numpy", "pyarrow", "tantivy"])
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
    doing: str = "start"
    """What it was last doing."""
    wrong: list[str] = field(default_factory=list)
    """What it found amiss of what the one before it had promised."""

    def hear(self, what: str, said: Any) -> None:  # noqa: ANN401 - each kind of message has its own
        """Take note of what a process says."""
        match what:
            case "doing":
                self.doing = said
            case "looked":
                self.wrong, self.there = said
                self.gone, self.open = set(), set()
            case _:
                for names in (self.there, self.gone, self.open):
                    names.discard(said)
                becomes = {
                    "submitting": self.open,
                    "removing": self.open,
                    "submitted": self.there,
                    "removed": self.gone,
                }
                becomes[what].add(said)


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


def _live(home: Path, seed: int, aim: str, promises: Promises, say: Connection) -> None:
    os.setsid()
    faulthandler.dump_traceback_later(2 * PATIENCE)  # called off by what it has to say until then
    asyncio.run(_living(home, random.Random(seed), aim, promises, say))  # noqa: S311 - no secret hangs on it


async def _living(home: Path, draw: random.Random, aim: str, promises: Promises, say: Connection) -> None:
    async with _library(home) as library, asyncio.TaskGroup() as tasks:
        say.send(("doing", "mend"))
        wrong = await _half_documents(library, "before it is mended")
        await library.mend()
        tasks.create_task(library.drain())
        wrong += await _settle(library)
        wrong += await _compared(library, home, promises)
        say.send(("looked", (wrong, {document.filename for document in await library.documents(SCOPE)})))
        faulthandler.cancel_dump_traceback_later()
        while True:
            match aim if aim in ACTS and draw.random() < LIKED else draw.choice(ACTS):
                case "ingest":
                    await _ingest(library, _files(home), draw, say)
                case "remove":
                    await _remove(library, draw, say)
                case "rebuild":
                    say.send(("doing", "rebuild"))
                    await library.rebuild()
                case _:
                    say.send(("doing", "tidy"))
                    await library.tidy()


async def _ingest(library: Library, files: Path, draw: random.Random, say: Connection) -> None:
    names = [f"{number}.pdf" for number in draw.sample(range(DOCUMENTS), draw.randint(1, 4))]
    for name in names:
        say.send(("submitting", name))
    jobs = await library.submit([Source(files / name, name) for name in names], collection=LOCAL)
    for name in names:
        say.send(("submitted", name))
    say.send(("doing", "ingest"))
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
    say.send(("removing", document.filename))
    say.send(("doing", "remove"))
    await library.remove(document.id, scope=SCOPE)
    say.send(("removed", document.filename))


# ---------------------------------------------------------------------------------------------- what it looks at


async def _compared(library: Library, home: Path, promises: Promises) -> list[str]:
    wrong = await _half_documents(library, "after it was mended")
    documents = await library.documents(SCOPE)
    names = Counter(document.filename for document in documents)
    wrong += [f"lost: {name}" for name in promises.there - names.keys()]
    wrong += [f"not deleted: {name}" for name in promises.gone & names.keys()]
    wrong += [f"double: {name}" for name, count in names.items() if count > 1]
    wrong += [f"no vectors: {document.filename}" for document in documents if not document.embedded]
    return wrong + _orphans(home, {document.id for document in documents})


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


async def _settle(library: Library) -> list[str]:
    """Return when what was half done is undone, the queue is empty, and every vector made; or say what is not."""
    try:
        async with asyncio.timeout(PATIENCE):
            while await _unsettled(library):  # noqa: ASYNC110 - it is the library that settles
                await asyncio.sleep(0.05)
    except TimeoutError:
        return [f"it did not settle: {'; '.join(await _unsettled(library))}"]
    return []


async def _unsettled(library: Library) -> list[str]:
    jobs = [f"{job.filename} is {job.stage}" for job in await library.jobs(SCOPE) if not job.ended]
    pending = [f"{each.filename} has no vectors" for each in await library.documents(SCOPE) if not each.embedded]
    return jobs or pending or [str(difference) for difference in await library.differences()]


# ---------------------------------------------------------------------------------------------- the one that kills


@dataclass
class Report:
    """What a run came to."""

    kills: Counter[str] = field(default_factory=Counter)
    """By what the process was last doing."""
    wrong: list[str] = field(default_factory=list)


def run(kills: int, seed: int, home: Path, *, tell: Callable[[str], None] = lambda _: None) -> Report:
    """Kill as often, and look after each time."""
    draw = random.Random(seed)  # noqa: S311 - no secret hangs on it
    _files(home).mkdir(parents=True, exist_ok=True)
    for number in range(DOCUMENTS):
        (_files(home) / f"{number}.pdf").write_text(text_of(number), encoding="utf-8")
    report, promises, before = Report(), Promises(), ""
    for kill in range(kills + 1):  # the last only looks
        last = kill == kills
        promises.wrong = []
        failed = _lived(home, draw, "" if last else draw.choice(AIMS if kill else ACTS), promises)
        if kill:
            wrong = [f"kill {kill}, while it did {before}: {each}" for each in promises.wrong]
            report.wrong += wrong
            tell(f"{kill:4d}  {before:8s} {'; '.join(wrong) or 'well'}")
        if failed:
            report.wrong.append(failed)
            tell(failed)
        before = promises.doing
        report.kills[before] += not last
    return report


def _lived(home: Path, draw: random.Random, aim: str, promises: Promises) -> str:
    """Hear what a process says until it is killed: "", unless it failed to live. Without an aim it only looks."""
    ours, theirs = FORK.Pipe()
    worker = FORK.Process(target=_live, args=(home, draw.getrandbits(32), aim, promises, theirs))
    worker.start()
    theirs.close()
    looked = False
    for what, said in _said(ours, 3 * PATIENCE, aim, LONGEST * draw.random() ** 2):
        promises.hear(what, said)
        looked = looked or what == "looked"
        if looked and not aim:
            break
    assert worker.pid is not None
    alive = worker.is_alive()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(worker.pid, signal.SIGKILL)
    worker.join()
    for what, said in _said(ours, 0.0):  # what it said as it died
        promises.hear(what, said)
    if not alive:
        return f"it ended by itself ({worker.exitcode}) while it did {promises.doing}"
    return "" if looked or aim == "mend" else "it opened, and never came to look"


def _said(pipe: Connection, seconds: float, aim: str = "", life: float = 0.0) -> Iterator[tuple[str, Any]]:
    """What the process says within so many seconds; its life begins once it does what is aimed at, and ends that."""
    until = time.monotonic() + seconds
    with contextlib.suppress(EOFError):
        while pipe.poll(max(0.0, until - time.monotonic())):
            what, said = pipe.recv()
            yield what, said
            if (what, said) == ("doing", aim):
                until, aim = time.monotonic() + life, ""


def _files(home: Path) -> Path:
    return home.parent / "files"


def _library(home: Path) -> AbstractAsyncContextManager[Library]:
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
