"""PDF files to pages, pictures and plain PDFs, each file in a process of its own that may die without harm.

A PDF from a stranger can hang, crash or take over whatever parses it. So a fresh interpreter parses it, with limits on
time and memory and without our environment (where keys are), and answers in msgpack, which carries values but no code.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgpack

import rag_core
from rag_core.adapters.pdf_wire import strings, unpack_page
from rag_core.errors import (
    Damaged,
    DocumentError,
    DocumentNotFound,
    Encrypted,
    ExtractionOutOfMemory,
    ExtractionTimedOut,
    NotAPdf,
    NoText,
    PageNotFound,
    RagError,
    TooLarge,
    TooManyPages,
)
from rag_core.reading.normalise import clean
from rag_core.types import Extraction, OcrMode, Page, Rect

MAX_BAD_PAGES = 6
"""Pages of one file that may kill the worker before the rest of it is given up: each costs a new start."""
LEAVING_SECONDS = 5.0
"""A worker that has said its last word gets this long to end before it is killed."""
MAX_STDERR = 64 * 1024
READ_SIZE = 1 << 18
WORKER = ("-m", "rag_core.adapters.pdf_worker")
_INHERITED = ("PATH", "LANG", "LC_ALL", "HOME", "TMPDIR", "SYSTEMROOT", "LD_LIBRARY_PATH")
"""All of our environment that the worker gets. It needs no more, and keys are in the rest."""


@dataclass(frozen=True, slots=True)
class ExtractionLimits:
    """What one file may cost. A stranger's file gets no more, however long it waits in the queue."""

    seconds: float = 300
    """From start to end. Text runs at over 50 pages a second; OCR is the slow part."""
    memory_mb: int = 2048
    """Address space of the worker; its libraries alone map about 500 MB, more with OCR."""
    max_bytes: int = 200 * 2**20
    max_pages: int = 5000


class PdfExtractor:
    """The `Extractor` that reads with PyMuPDF, one worker process a file."""

    def __init__(self, limits: ExtractionLimits | None = None) -> None:
        self._limits = limits or ExtractionLimits()

    async def extract(
        self,
        path: Path,
        *,
        ocr: OcrMode = "auto",
        password: str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Extraction:
        """All pages of the file, in order. `progress` is told which page is being read, and how many there are.

        A page that cannot be read is there, as `unreadable`; even one that kills the worker costs only itself. Where
        too many do, so are all pages after them.

        Raises:
            DocumentError: The file as a whole cannot be read.
        """
        skip: list[int] = []
        stop = sys.maxsize
        death: DocumentError | None = None
        async with self._deadline(path):
            while True:
                job = {"do": "extract", "ocr": ocr, "skip": skip, "stop": stop}
                try:
                    return await self._extract(path, job, password, progress or _silent)
                except NoText as exc:
                    raise death or exc from None
                except _DiedOnPage as exc:
                    death = exc.error
                    if exc.page in skip or exc.page >= stop:
                        raise exc.error from None
                    if len(skip) < MAX_BAD_PAGES:
                        skip.append(exc.page)
                    else:
                        stop = exc.page

    async def _extract(  # noqa: C901 -- one case a message
        self, path: Path, job: dict[str, Any], password: str | None, progress: Callable[[int, int], None]
    ) -> Extraction:
        name = path.name
        count, title, form = 0, "", False
        warnings: tuple[str, ...] = ()
        pages: list[Page] = []
        reading = 0
        job = {**job, "max_pages": self._limits.max_pages, "seconds": self._limits.seconds}
        try:
            async for message in self._messages(path, password, job):
                match message:
                    case ["open", int(count), str(title), warning_list, bool(form)]:
                        warnings = strings(warning_list)
                    case ["reading" | "ordering" as stage, int(reading)]:
                        if stage == "reading":
                            progress(reading, count)
                    case ["page", data] if len(pages) < count <= self._limits.max_pages:
                        pages.append(unpack_page(data, len(pages) + 1))
                    case _:
                        raise ValueError("no such message")  # noqa: TRY301 -- one way out for all that makes no sense
        except _Died as exc:
            if reading:
                raise _DiedOnPage(reading, exc.error) from exc
            raise exc.error from exc
        except ValueError as exc:
            raise Damaged(f"{name!r} could not be read: its reader did not make sense.") from exc
        if not pages or len(pages) != count:
            raise Damaged(f"{name!r} has no pages that can be read.")
        if not form:  # an empty form is what it should be
            _check_text(name, pages, job["ocr"])
        return Extraction(clean(title) or None, tuple(pages), warnings)

    async def render(  # noqa: PLR0913 - each is one thing a caller may want
        self,
        path: Path,
        page: int,
        *,
        highlights: Sequence[Rect] = (),
        crop: bool = False,
        password: str | None = None,
        dpi: int = 144,
    ) -> bytes:
        """The page as PNG, the highlights marked as with a pen; a huge page gets fewer dots an inch.

        With `crop`, only the lines around the highlights; all of the page when there are none.

        Raises:
            DocumentError: The file cannot be read.
            PageNotFound: It has no such page.
        """
        marked = [h.as_tuple() for h in highlights]
        job = {"do": "render", "page": page, "highlights": marked, "crop": crop, "dpi": dpi}
        return await self._bytes(path, password, job)

    async def decrypt(self, path: Path, password: str) -> bytes:
        """The same PDF without its encryption.

        Raises:
            DocumentError: The file cannot be read, or the password is wrong.
        """
        return await self._bytes(path, password, {"do": "decrypt"})

    async def _bytes(self, path: Path, password: str | None, job: dict[str, Any]) -> bytes:
        data: bytes | None = None
        async with self._deadline(path):
            try:
                async for message in self._messages(path, password, job):
                    match message:
                        case ["bytes", bytes(data)]:
                            pass
                        case _:
                            raise Damaged(f"{path.name!r} could not be read: its reader did not make sense.")
            except _Died as exc:
                raise exc.error from exc
        if data is None:
            raise Damaged(f"{path.name!r} could not be read.")
        return data

    @contextlib.asynccontextmanager
    async def _deadline(self, path: Path) -> AsyncIterator[None]:
        seconds = self._limits.seconds
        try:
            async with asyncio.timeout(seconds):
                yield
        except TimeoutError as exc:
            raise ExtractionTimedOut(
                f"Reading {path.name!r} took longer than {seconds:g} seconds and was stopped."
            ) from exc

    async def _messages(self, path: Path, password: str | None, job: dict[str, Any]) -> AsyncIterator[Any]:
        """What a worker says about the file until it ends; its errors are raised, and it never outlives this call."""
        _check_file(path, self._limits.max_bytes)
        request = {**job, "path": os.fsencode(path), "password": password, "memory_mb": self._limits.memory_mb}
        process = await _start()
        stderr = asyncio.ensure_future(_tail(process.stderr))
        ended = False
        try:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it died at once; why, is told below
                process.stdin.write(msgpack.packb(request))
                await process.stdin.drain()
                process.stdin.close()
            unpacker = msgpack.Unpacker(max_buffer_size=2**31 - 1, strict_map_key=True)
            while data := await process.stdout.read(READ_SIZE):
                unpacker.feed(data)
                for message in unpacker:
                    match message:
                        case ["end"]:
                            ended = True
                            return
                        case ["error", str(code), str(detail)]:
                            raise _error(code, detail, path.name, self._limits)
                        case _:
                            yield message
            raise _Died(_death(await process.wait(), await stderr, path.name))
        except (msgpack.UnpackException, msgpack.exceptions.ExtraData, UnicodeDecodeError) as exc:
            raise Damaged(f"{path.name!r} could not be read: its reader did not make sense.") from exc
        finally:
            if ended:  # it leaves by itself; a signal now would race with the one who reads its exit code
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), LEAVING_SECONDS)
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
            stderr.cancel()
            await asyncio.shield(process.wait())


class _Died(Exception):
    """The worker ended without a word."""

    def __init__(self, error: DocumentError) -> None:
        super().__init__()
        self.error = error


class _DiedOnPage(Exception):
    """The worker ended without a word while it read a page."""

    def __init__(self, page: int, error: DocumentError) -> None:
        super().__init__()
        self.page = page
        self.error = error


def _silent(page: int, pages: int) -> None:
    """Nobody wants to know."""


def _check_file(path: Path, max_bytes: int) -> None:
    try:
        size = path.stat().st_size
    except FileNotFoundError as exc:
        raise DocumentNotFound(f"There is no file {path.name!r}.") from exc
    except OSError as exc:
        raise Damaged(f"{path.name!r} cannot be opened.") from exc
    if not path.is_file():
        raise NotAPdf(f"{path.name!r} is not a file.")
    if size > max_bytes:
        raise TooLarge(f"{path.name!r} has {size / 2**20:.0f} MB; at most {max_bytes / 2**20:.0f} MB are read.")


async def _start() -> Any:  # noqa: ANN401 -- asyncio's Process has optional pipes; here they are always there
    env = {key: os.environ[key] for key in _INHERITED if key in os.environ}
    env["PYTHONPATH"] = str(Path(rag_core.__file__).parents[1])
    env["PYTHONUTF8"] = "1"
    for key in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        env[key] = "1"  # each thread's stack counts against the memory limit
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *WORKER,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=env,
        start_new_session=True,  # Ctrl-C is for the parent, which then ends its worker
    )


async def _tail(stream: asyncio.StreamReader) -> bytes:
    kept = b""
    while data := await stream.read(4096):
        kept = (kept + data)[-MAX_STDERR:]
    return kept


def _death(code: int, stderr: bytes, name: str) -> DocumentError:
    if code == -getattr(signal, "SIGALRM", 0):
        return ExtractionTimedOut(f"Reading {name!r} does not come to an end.")
    if code == -getattr(signal, "SIGKILL", 0) or b"MemoryError" in stderr or b"bad_alloc" in stderr:
        return ExtractionOutOfMemory(f"Reading {name!r} needs more memory than is allowed.")
    return Damaged(f"{name!r} is so damaged that its reader broke down.")


def _error(code: str, detail: str, name: str, limits: ExtractionLimits) -> RagError:  # noqa: PLR0911 -- one a code
    match code:
        case "not_a_pdf":
            return NotAPdf(f"{name!r} is not a PDF, whatever its name says.")
        case "encrypted" if detail == "unsupported":
            return Encrypted(f"{name!r} is encrypted in a way that no password opens: save it without, and try again.")
        case "encrypted" if detail:
            return Encrypted(f"The password does not open {name!r}.")
        case "encrypted":
            return Encrypted(f"{name!r} is encrypted: give its password.")
        case "too_many_pages":
            return TooManyPages(f"{name!r} has more than {limits.max_pages} pages, which is the most that are read.")
        case "out_of_memory":
            return ExtractionOutOfMemory(f"Reading {name!r} needs more than {limits.memory_mb} MB of memory.")
        case "not_found":
            return PageNotFound(f"{name!r} has no such page; its last is {int(detail) if detail.isdecimal() else 0}.")
        case _ if detail == "no pages":
            return Damaged(f"{name!r} has no pages.")
        case _:
            return Damaged(f"{name!r} is damaged beyond repair.")


def _check_text(name: str, pages: Sequence[Page], ocr: OcrMode) -> None:
    if any(page.text.strip() for page in pages):
        return
    if any(page.status == "unreadable" for page in pages):
        hint = " OCR is off; switch it on to read scans." if ocr == "off" else ""
        raise NoText(f"No page of {name!r} can be read as text.{hint}")
    raise NoText(f"{name!r} has no text: its pages are empty.")
