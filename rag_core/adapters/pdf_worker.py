"""The process that opens a stranger's PDF: one file, one job, then it ends.

It takes its job as msgpack on stdin and answers in msgpack on stdout: `["open", pages, title, warnings, form]`,
`["reading", n]`, `["ordering", n]`
and `["page", …]` for every page, `["bytes", data]`, `["end"]`, or `["error", code, detail]`. It limits
its own memory before it opens the file, writes no file, and speaks to nobody else.
"""

from __future__ import annotations

import contextlib
import gc
import os
import re
import signal
import sys
import time
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, BinaryIO

import msgpack

from rag_core.adapters.pdf_wire import pack_page
from rag_core.reading.normalise import clean
from rag_core.reading.scans import is_garbled, needs_reading, unread, with_picture_read
from rag_core.types.rawpage import RawPage

with contextlib.suppress(ImportError):  # not on Windows
    import resource

HEADER_WITHIN = 1024
"""Bytes: readers accept junk before `%PDF-` up to here (PDF 1.7, implementation note 13)."""
PAGE_SECONDS = 20
"""A page that takes longer is in an endless loop: the densest real page takes under one."""
COLLECT_EVERY = 200
"""Pages between collections: PyMuPDF leaves a few cycles a page."""
NICE = 5
"""A third of the processor where others want it, too; far from starved, as reading has a time limit."""
SUSPECT_SECONDS = 5
"""The same for a file of which a page has run into that limit: it is one that means harm, and has more of them."""
UNENDING = "This page could not be read: reading it does not end, or ends badly."
GIVEN_UP = "This page was not read: too many before it could not be."
OCR_SECONDS = 60
OCR_UNTIL = 0.7
"""Of the time there is: after that, pictures are left unread so that what was read is not lost."""


_DAMAGE = re.compile(
    r"premature end of data|zlib error|encountered syntax errors|cannot load content stream|not a stream|unknown filter"
)
"""What the engine says of a page of which it could read a part at most."""
_NO_PAGE = re.compile(r"non-page object")
"""What it says of a page that the file does not have; of others, too, when it first meets one."""


class Refused(Exception):
    """The file cannot be read, and why, as an error code."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail


def main() -> None:
    """Do the job on stdin."""
    out = os.fdopen(os.dup(1), "wb", buffering=1 << 16)
    os.dup2(2, 1)  # whatever a library prints must not get between the messages
    job: dict[str, Any] = msgpack.unpackb(sys.stdin.buffer.read())
    _limit(job["memory_mb"])
    try:
        _do(job, out)
        _send(out, ["end"])
    except Refused as exc:
        _send(out, ["error", exc.code, exc.detail])
    except MemoryError:
        _send(out, ["error", "out_of_memory", ""])
    except Exception as exc:  # noqa: BLE001 -- PyMuPDF's exceptions share no base; the parent turns the code into an error
        _send(out, ["error", _code_of(exc), "unsupported"])
    out.flush()
    os._exit(0)  # a document that a hostile file has tied in knots may not come apart in finite time


def _send(out: BinaryIO, message: list[Any]) -> None:
    out.write(msgpack.packb(message, unicode_errors="replace"))


def _limit(memory_mb: int) -> None:
    if sys.platform == "win32":
        return
    size = memory_mb * 2**20
    for which, value in ((resource.RLIMIT_AS, size), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_CORE, 0)):
        with contextlib.suppress(ValueError, OSError):  # a stricter limit is already set
            resource.setrlimit(which, (value, value))


def _give_way() -> None:
    """Leave the processor to whoever waits for an answer: nobody does who has a long file read."""
    if hasattr(os, "nice"):
        os.nice(NICE)


def _code_of(exc: Exception) -> str:
    said = f"{exc} {exc.__cause__}"
    if re.search(r"alloc|memory", said, re.IGNORECASE):
        return "out_of_memory"
    return "encrypted" if "unknown encryption" in said else "damaged"


def _do(job: dict[str, Any], out: BinaryIO) -> None:
    from rag_core.adapters.pdf_engine import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    pymupdf.TOOLS.store_shrink(100)
    document, warnings = _open(pymupdf, job)
    match job["do"]:
        case "extract":
            _give_way()
            _extract(document, job, warnings, out)
        case "render":
            from rag_core.adapters.pdf_picture import png_of

            if not 1 <= job["page"] <= document.page_count:
                raise Refused("not_found", str(document.page_count))
            _send(out, ["bytes", png_of(document[job["page"] - 1], job["highlights"], job["dpi"], crop=job["crop"])])
        case "decrypt":
            _send(out, ["bytes", document.tobytes(encryption=pymupdf.PDF_ENCRYPT_NONE, garbage=1)])
        case _:
            raise Refused("damaged")


def _open(pymupdf: Any, job: dict[str, Any]) -> tuple[Any, list[str]]:  # noqa: ANN401 -- PyMuPDF has no types
    path = os.fsdecode(job["path"])
    with open(path, "rb") as file:  # noqa: PTH123 -- the worker imports as little as it can
        if b"%PDF-" not in file.read(HEADER_WITHIN):
            raise Refused("not_a_pdf")
        _alarm(PAGE_SECONDS)
        if _is_unicode(path):
            document = pymupdf.open(path, filetype="pdf")
        else:  # PyMuPDF takes no such name
            file.seek(0)
            document = pymupdf.open(stream=file.read(), filetype="pdf")
    # After authenticate(), `needs_pass` must not be read again: PyMuPDF 2.0 would lock the file.
    if document.needs_pass and not any(map(document.authenticate, _spellings(job["password"] or ""))):
        raise Refused("encrypted", "wrong" if job["password"] else "")
    warnings = []
    if document.is_repaired:
        warnings.append("The file is damaged and was repaired; some of it may be missing.")
    return document, warnings


def _spellings(password: str) -> tuple[str, str]:
    """The password as given, and prepared as by ISO 32000-2, 7.6.4.3.3, which the engine leaves to its caller."""
    return password, clean(unicodedata.normalize("NFKC", password))


def _is_unicode(path: str) -> bool:
    """Whether no byte of the path was beyond the encoding of file names."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _alarm(seconds: int) -> None:
    """Die in `seconds`, unless called again before."""
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


def _extract(document: Any, job: dict[str, Any], warnings: list[str], out: BinaryIO) -> None:  # noqa: ANN401
    from rag_core.adapters.pdf_tree import mend
    from rag_core.reading.layout import read_pages

    if mend(document, job["max_pages"]):
        warnings.append("The file's list of pages is wrong and was rebuilt; pages may be missing or in another order.")
    count = document.page_count
    if count < 1:
        raise Refused("damaged", "no pages")
    if count > job["max_pages"]:
        raise Refused("too_many_pages", str(count))
    title = (document.metadata or {}).get("title") or ""
    _send(out, ["open", count, title[:1000], warnings, bool(document.is_form_pdf)])

    def begin(number: int) -> None:
        _send(out, ["ordering", number])
        out.flush()
        _alarm(SUSPECT_SECONDS if job["skip"] else PAGE_SECONDS)

    for page in read_pages(_raw_pages(document, count, job, out), begin=begin):
        _send(out, ["page", pack_page(page)])


def _raw_pages(document: Any, count: int, job: dict[str, Any], out: BinaryIO) -> Iterator[Any]:  # noqa: ANN401
    from rag_core.adapters.pdf_engine import pymupdf
    from rag_core.adapters.pdf_pages import read_page

    engine = pymupdf.TOOLS
    skipped = frozenset(job["skip"])
    pictures = _Pictures(job["ocr"], time.monotonic() + OCR_UNTIL * job["seconds"])
    gc.disable()  # a page is thousands of short-lived objects without a cycle: looking for one takes half of the time
    for number in range(1, count + 1):
        if number in skipped or number >= job["stop"]:
            why = UNENDING if number in skipped else GIVEN_UP
            yield RawPage(number, 0.0, 0.0, failed=True, warnings=(why,))
            continue
        _send(out, ["reading", number])
        out.flush()
        _alarm(SUSPECT_SECONDS if skipped else PAGE_SECONDS)
        engine.reset_mupdf_warnings()
        try:
            raw = _said_damaged(read_page(document, number), engine.mupdf_warnings())
        except MemoryError:
            raw = RawPage(number, 0.0, 0.0, failed=True, warnings=("This page needs more memory than is allowed.",))
        except Exception as exc:  # noqa: BLE001 -- one bad page must not cost the others
            why = "needs more memory than is allowed" if _code_of(exc) == "out_of_memory" else "is damaged"
            raw = RawPage(number, 0.0, 0.0, failed=True, warnings=(f"This page {why}.",))
        yield pictures.read(document, raw)
        if number % COLLECT_EVERY == 0:
            gc.collect()


def _said_damaged(page: RawPage, complaints: str) -> RawPage:
    """The page, marked as damaged where the engine says so, and as one that nobody could read if nothing is left."""
    is_empty = not page.runs
    if not (_DAMAGE.search(complaints) or (is_empty and _NO_PAGE.search(complaints))):
        return page
    said = "This page is damaged." if is_empty else "This page is damaged; some of it may be missing."
    return replace(page, failed=page.failed or (is_empty and not page.images), warnings=(*page.warnings, said))


class _Pictures:
    """Reads the pages that are pictures, as far as the job and its time allow."""

    def __init__(self, mode: str, until: float) -> None:
        self._mode = mode
        self._until = until
        self._reader: Any = None

    def read(self, document: Any, page: RawPage) -> RawPage:  # noqa: ANN401 -- PyMuPDF has no types
        """The page, its picture read if that is wanted."""
        if page.failed or not (needs_reading(page) or (self._mode == "on" and page.images)):
            return page
        if self._mode == "off":
            return unread(page, "This page is a picture, and OCR is off.")
        if time.monotonic() > self._until:
            return unread(page, "This page is a picture, and there was no time left to read it.")
        from rag_core.adapters import pdf_ocr

        if not pdf_ocr.is_available():
            return unread(page, "This page is a picture, and no OCR engine is installed.")
        _alarm(OCR_SECONDS)
        try:
            if self._reader is None:
                self._reader = pdf_ocr.Reader()
            lines = max((run.line for run in page.runs), default=0)
            runs = self._reader.runs_of(document[page.number - 1], lines + 1)
        except Exception:  # noqa: BLE001 -- whatever OCR trips over, the other pages are worth having
            return unread(page, "This page is a picture that could not be read.")
        return with_picture_read(page, runs, instead=self._mode == "on" or is_garbled(page))


if __name__ == "__main__":
    main()
