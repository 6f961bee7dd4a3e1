"""What the layout models in PyMuPDF's wheel are worth, and what they cost, beside Pincite's own layout.

    python -m eval.bench.layout --data DIR [--pages 60] [--seed 0] [--seconds 480]

DIR holds `pdfqa.jsonl` (questions with the words that answer them, and their pages) and `robustness.jsonl` (files with
two and three columns). Three readings of a page are compared, all without OCR: `ours`, as `pincite extract` reads it;
`model`, as pymupdf4llm writes it with the models; and `boxes`, our reading inside each box that the models found, in
their order. The models run in a process of their own, which stops after `--seconds` and says what it did not read.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from eval.bench.layout_scores import (
    Gold,
    GoldRow,
    Line,
    PageKey,
    coverage,
    has_prose_in_cell,
    joints,
    normalised,
    row_kept,
    row_lines,
    rows_in,
    sample,
)

READERS = ("ours", "model", "boxes")
MB = 1024
"""`ru_maxrss` counts in kilobytes on Linux."""

_BLOCKED = ("pymupdf.layout", "pymupdf4llm")

Texts = dict[str, dict[PageKey, str]]
"""The pages by reader."""
Scores = dict[str, tuple[float, float]]
"""By reader: how it did in two tests."""


# ------------------------------------------------------------------------- the models, in their own process


def _serve(data: Path, seconds: float) -> None:
    """Read the pages that standard input names, one JSON value a line, and write one line for each."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # pymupdf4llm prints its remarks

    def say(**values: Any) -> None:  # noqa: ANN401 -- JSON
        out.write(json.dumps(values) + "\n")
        out.flush()

    costs: list[tuple[str, float, float]] = []
    try:
        for name in ("engine", "libraries", "models"):
            started = time.process_time()
            _import(name)
            costs.append((name, time.process_time() - started, _rss_mb()))
    except ImportError as exc:
        say(missing=str(exc))
        return
    say(costs=costs, version=version("pymupdf"))
    deadline = time.monotonic() + seconds
    for line in sys.stdin:
        if time.monotonic() > deadline:
            return
        pdf, number = json.loads(line)
        say(pdf=pdf, page=number, **_read(data / pdf, number))


def _import(stage: str) -> None:
    if stage == "engine":
        from rag_core.adapters import pdf_engine  # noqa: F401 -- for the time it takes
    elif stage == "libraries":
        import networkx as nx  # type: ignore[import-untyped]  # noqa: F401
        import onnxruntime  # type: ignore[import-untyped]  # noqa: F401
    else:
        for name in _BLOCKED:
            if sys.modules.get(name, 0) is None:  # `pdf_engine` shuts them out; here they are what is measured
                del sys.modules[name]
        import pymupdf.layout  # noqa: F401
        import pymupdf4llm  # type: ignore[import-untyped]  # noqa: F401


def _rss_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


def _read(path: Path, number: int) -> dict[str, Any]:
    """The page as the models read it, as we read it in their boxes, and its lines as the file has them."""
    import pymupdf
    import pymupdf4llm

    from rag_core.adapters import pdf_pages

    with pymupdf.open(path) as document:
        cpu, wall = time.process_time(), time.monotonic()
        parsed = json.loads(pymupdf4llm.to_json(document, pages=[number - 1], use_ocr=False))["pages"][0]
        cpu, wall = time.process_time() - cpu, time.monotonic() - wall
    with pymupdf.open(path) as document:
        raw = pdf_pages.read_page(document, number)
        blocks = document[number - 1].get_text("dict", flags=pymupdf.TEXTFLAGS_TEXT)["blocks"]
    lines = [line for block in blocks for line in block.get("lines", ())]
    return {
        "model": "\n\n".join(_box_text(box) for box in parsed["boxes"]),
        "boxes": _read_in_boxes(raw, [(box["x0"], box["y0"], box["x1"], box["y1"]) for box in parsed["boxes"]]),
        "lines": [("".join(span["text"] for span in line["spans"]), *line["bbox"]) for line in lines],
        "cpu": cpu,
        "wall": wall,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MB,
    }


def _box_text(box: dict[str, Any]) -> str:
    """The words of a box: a table row by row, all else as running text."""
    if box["boxclass"] == "table":
        rows = (box["table"] or {}).get("extract") or ()
        return "\n".join(" | ".join(" ".join(cell.split()) for cell in row if cell) for row in rows)
    return " ".join(span["text"] for line in box["textlines"] or () for span in line["spans"])


def _read_in_boxes(raw: Any, boxes: Sequence[tuple[float, float, float, float]]) -> str:  # noqa: ANN401 -- a RawPage
    """The page read by us, box after box, and what is in no box last; a page with turned text as it is always read."""
    from rag_core.reading.layout import read_page
    from rag_core.reading.segments import frames_of

    frames = frames_of(raw.runs, raw.width, raw.height)
    if not frames:
        return ""
    if any(run.turn or run.vertical for run in raw.runs):
        return read_page(raw, frames, (), None)[0].text
    groups: list[list[Any]] = [[] for _ in range(len(boxes) + 1)]
    for segment in frames[0]:
        x, y = (segment.x0 + segment.x1) / 2, segment.middle
        around = [i for i, (x0, y0, x1, y1) in enumerate(boxes) if x0 <= x <= x1 and y0 <= y <= y1]
        groups[around[0] if around else -1].append(segment)
    return "\n\n".join(read_page(raw, [group], (), None)[0].text for group in groups if group)


# ------------------------------------------------------------------------------------------- the report


@dataclass(slots=True)
class _Readings:
    """The pages by who read them, and what that cost."""

    texts: Texts
    lines: dict[PageKey, list[Line]]
    costs: list[tuple[str, str]]


def _our_pages(data: Path, wanted: Iterable[PageKey]) -> tuple[dict[PageKey, str], list[tuple[str, str]]]:
    """Each page that is wanted, from the whole file: running heads are known by their neighbours."""
    from rag_core.adapters.pdf import PdfExtractor

    by_pdf: dict[str, set[int]] = defaultdict(set)
    for pdf, number in wanted:
        by_pdf[pdf].add(number)
    texts: dict[PageKey, str] = {}
    pages, before = 0, _child_seconds()
    for pdf, numbers in sorted(by_pdf.items()):
        extraction = asyncio.run(PdfExtractor().extract(data / pdf, ocr="off"))
        pages += len(extraction.pages)
        texts.update({(pdf, page.number): page.text for page in extraction.pages if page.number in numbers})
    seconds = (_child_seconds() - before) / pages
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / MB
    return texts, [
        ("ours: CPU seconds a page, start-up in", f"{seconds:.4f}  ({pages} pages of {len(by_pdf)} files)"),
        ("ours: worker's peak MB", f"{peak:.0f}"),
    ]


def _child_seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def _model_pages(data: Path, wanted: Sequence[PageKey], seconds: float) -> _Readings | str:
    """What the models read; or why nothing was."""
    command = [sys.executable, "-m", "eval.bench.layout", "--serve", "--data", str(data), "--seconds", str(seconds)]
    jobs = "".join(json.dumps(key) + "\n" for key in wanted)
    done = subprocess.run(command, input=jobs, stdout=subprocess.PIPE, text=True, check=False, timeout=seconds + 120)
    answers: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    if not answers:
        return f"its process ended with {done.returncode}"
    head, *pages = answers
    if "missing" in head:
        return str(head["missing"])
    if not pages:
        return f"no page was read in {seconds:.0f} s"
    costs = [(f"start: {name}, CPU seconds, MB after", f"{cpu:.2f}  {mb:.0f}") for name, cpu, mb in head["costs"]]
    cpu, wall = sorted(page["cpu"] for page in pages), sorted(page["wall"] for page in pages)
    costs += [
        ("model: CPU seconds a page, median (mean)", f"{cpu[len(cpu) // 2]:.2f} ({sum(cpu) / len(cpu):.2f})"),
        ("model: wall seconds a page, median", f"{wall[len(wall) // 2]:.2f}"),
        ("model: peak MB", f"{max(page['peak_mb'] for page in pages):.0f}"),
        ("model: pages read, of those wanted", f"{len(pages)} of {len(wanted)}  (PyMuPDF {head['version']})"),
    ]
    keys = [(page["pdf"], page["page"]) for page in pages]
    texts = {name: dict(zip(keys, (page[name] for page in pages), strict=True)) for name in ("model", "boxes")}
    return _Readings(texts, dict(zip(keys, (page["lines"] for page in pages), strict=True)), costs)


def _by_source(title: str, names: tuple[str, str], scores: Iterable[tuple[str, Scores]]) -> Iterator[str]:
    """The shares of two tests by source and in all; and how often one reader alone passes the first."""
    groups: dict[str, list[Scores]] = defaultdict(list)
    for source, score in scores:
        groups[source].append(score)
        groups["all"].append(score)
    readers = [name for name in READERS if groups and name in groups["all"][0]]
    first, second = names
    yield f"{title:24} {'rows':>5}" + "".join(f" {name + ' ' + first:>12} {second:>7}" for name in readers)
    for source in [*sorted(groups.keys() - {"all"}), *(["all"] if groups else [])]:
        rows = groups[source]
        cells = [sum(row[name][k] for row in rows) / len(rows) for name in readers for k in (0, 1)]
        yield f"{source:24} {len(rows):5}" + "".join(f" {a:12.1%} {b:7.1%}" for a, b in _pairs(cells))
    for name in readers[1:]:
        pairs = [(bool(row["ours"][0]), bool(row[name][0])) for row in groups["all"]]
        yield f"{first} only in ours: {pairs.count((True, False))}; only in {name}: {pairs.count((False, True))}"


def _pairs(values: Sequence[float]) -> Iterator[tuple[float, float]]:
    return zip(values[0::2], values[1::2], strict=True)


def _scores(golds: Sequence[Gold], texts: Texts) -> tuple[list[tuple[str, Scores]], list[tuple[str, Scores]]]:
    """How each reader did with each evidence, and with each row of a table in it, once."""
    evidence: list[tuple[str, Scores]] = []
    rows: list[tuple[str, Scores]] = []
    seen: set[tuple[str, tuple[int, ...], GoldRow]] = set()
    for gold in golds:
        keys = [(gold.pdf, number) for number in gold.pages]
        if any(key not in pages for pages in texts.values() for key in keys):
            continue
        read = {name: [pages[key] for key in keys] for name, pages in texts.items()}
        evidence.append((gold.source, {n: coverage(gold.evidence, list(map(normalised, t))) for n, t in read.items()}))
        lines = {name: [line for text in texts for line in row_lines(text)] for name, texts in read.items()}
        for row in (row for part in gold.evidence for row in rows_in(part)):
            if (gold.pdf, gold.pages, row) not in seen:
                seen.add((gold.pdf, gold.pages, row))
                rows.append((gold.source, {name: row_kept(row, kept) for name, kept in lines.items()}))
    return evidence, rows


def _order_table(golds: Sequence[Gold], columns: Sequence[dict[str, Any]], read: _Readings) -> Iterator[str]:
    """Whether a line of a column is followed by the next one; and where fragments are known, how many are there."""
    readers = [name for name in READERS if name in read.texts]
    groups: dict[str, tuple[frozenset[PageKey], list[dict[str, Any]]]] = {}
    for gold in golds:
        before = groups.get(gold.source, (frozenset[PageKey](), []))[0]
        groups[gold.source] = (before | {(gold.pdf, number) for number in gold.pages}, [])
    for row in columns:
        pages = frozenset((row["pdf"], number) for number in range(1, row["pages_mupdf"] + 1))
        groups[Path(row["pdf"]).name] = (pages, row["text_on_page"])
    marked = frozenset(key for key in read.lines if has_prose_in_cell(read.texts["ours"][key]))
    groups["of all, with prose in a cell of a table"] = (marked, [])
    groups["of all, the others"] = (frozenset(read.lines) - marked, [])
    yield f"{'order of lines':44} {'pages':>5} {'lines':>6}" + "".join(f" {name:>6} {'frag.':>5}" for name in readers)
    for title, (pages, known) in groups.items():
        keys = sorted(key for key in pages & read.lines.keys() if all(key in read.texts[name] for name in readers))
        wanted = {key: joints(read.lines[key]) for key in keys}
        count = sum(map(len, wanted.values()))
        fragments = [(key, normalised(f["fragment"])) for key in keys for f in known if f["page"] == key[1]]
        if not count:
            continue
        cells = ""
        for name in readers:
            texts = {key: normalised(read.texts[name][key]) for key in keys}
            met = sum(joint in texts[key] for key in keys for joint in wanted[key])
            kept = f"{sum(words in texts[key] for key, words in fragments)}/{len(fragments)}" if known else ""
            cells += f" {met / count:6.1%} {kept:>5}"
        yield f"{title:44} {len(keys):5} {count:6}{cells}"


def _rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def main(arguments: list[str]) -> int:
    """Print what each reading keeps, and what it costs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pages", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=480)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.serve:
        _serve(options.data, options.seconds)
        return 0
    golds = sample(_rows_of(options.data / "pdfqa.jsonl"), options.pages, options.seed)
    columns = [row for row in _rows_of(options.data / "robustness.jsonl") if row["category"] == "columns"]
    wanted = sorted({(gold.pdf, number) for gold in golds for number in gold.pages})
    in_columns = [(row["pdf"], number) for row in columns for number in range(1, row["pages_mupdf"] + 1)]
    ours, our_costs = _our_pages(options.data, [*wanted, *in_columns])
    read = _model_pages(options.data, [*wanted, *in_columns], options.seconds)
    if isinstance(read, str):
        print(f"The layout models are left out: {read}.")
        read = _Readings({}, {}, [])
    read.texts["ours"] = ours
    evidence, rows = _scores(golds, read.texts)
    print(*_by_source("evidence", ("whole", "pieces"), evidence), "", sep="\n")
    print(*_by_source("rows of tables", ("pair", "all"), rows), "", sep="\n")
    if read.lines:  # as the models' process saw them
        print(*_order_table(golds, columns, read), "", sep="\n")
    for name, value in [*our_costs, *read.costs]:
        print(f"{name:44} {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
