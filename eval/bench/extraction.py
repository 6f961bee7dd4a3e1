"""How fast PDFs become pages, and how much memory it takes.

    python -m eval.bench.extraction FILE.pdf…

Each file is extracted once by the product's own worker. Speed is pages a second of processor time, start-up of the
worker included, since wall time depends on what else the machine does; the ratio compares it with the bare engine
(PyMuPDF's characters of the same pages, nothing made of them), so that figures of different machines compare.
"""

from __future__ import annotations

import asyncio
import resource
import sys
import time
from pathlib import Path

from rag_core.adapters.pdf import PdfExtractor
from rag_core.types import Extraction

MB = 1024
"""`ru_maxrss` counts in kilobytes on Linux."""


def main(arguments: list[str]) -> int:
    """Measure each file named, and all of them together."""
    if not arguments:
        print(__doc__)
        return 2
    total_pages = total_seconds = total_bare = 0.0
    print(f"{'pages':>6} {'text':>6} {'pages/s':>8} {'of bare':>8}  file")
    for path in map(Path, arguments):
        extraction, seconds = _extracted(path)
        bare = _bare_seconds(path)
        pages = len(extraction.pages)
        read = sum(page.status == "text" for page in extraction.pages)
        print(f"{pages:6} {read:6} {pages / seconds:8.1f} {bare / seconds:8.0%}  {path.name}")
        total_pages += pages
        total_seconds += seconds
        total_bare += bare
    print(f"pages_per_cpu_second={total_pages / total_seconds:.1f} of_bare_engine={total_bare / total_seconds:.2f}")
    print(
        f"worker_peak_mb={resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / MB:.0f} "
        f"caller_peak_mb={resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MB:.0f}"
    )
    return 0


def _extracted(path: Path) -> tuple[Extraction, float]:
    """The pages, and the processor seconds that the worker took."""
    before = _processor_seconds()
    extraction = asyncio.run(PdfExtractor().extract(path))
    return extraction, _processor_seconds() - before


def _processor_seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def _bare_seconds(path: Path) -> float:
    """What the engine alone takes for the characters of all pages."""
    from rag_core.adapters.pdf_engine import pymupdf

    started = time.process_time()
    with pymupdf.open(path) as document:
        for page in document:
            page.get_text("rawdict", flags=pymupdf.TEXTFLAGS_TEXT)
    return time.process_time() - started


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
