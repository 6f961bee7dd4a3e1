"""How much of the gold evidence can be found whole: within one chunk of its page; and where the rest went.

    python -m eval.bench.evidence [--data DIR] [--target 160] [--show]

Reads the public questions whose evidence stands literally on a gold page. Texts are compared by their letters and
digits alone, so that a cell's bar or a line's hyphen parts nothing.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from eval.unanswerable import data_folder
from rag_core.adapters.embedder import SentenceTransformerEmbedder
from rag_core.adapters.pdf import PdfExtractor
from rag_core.keeping.ingestion import digest
from rag_core.reading.chunking import TARGET, PageChunker
from rag_core.types import FURNITURE, Chunk, Extraction, Page

AT_ONCE = 2
"""Files read at a time: one a core."""

_REST = re.compile(r"[\W_]+")


class Found(StrEnum):
    """Where a string of evidence was found, from best to worst."""

    IN_ONE_CHUNK = "in one chunk"
    IN_ONE_SECTION = "in one section, over several chunks"
    ON_THE_PAGE = "on the page, over several sections"
    WITH_RUNNING_HEAD = "with a running head or foot, which no chunk has"
    ON_SEVERAL_PAGES = "on several pages, which no chunk spans"
    IN_ANOTHER_ORDER = "read in another order"
    NOWHERE = "words missing from what was read"


def letters(text: str) -> str:
    """`text` in lower case, letters and digits alone."""
    return _REST.sub("", text.lower())


def evidence_in(row: Mapping[str, Any], document: Extraction, chunks: Sequence[Chunk]) -> Found:
    """Where the evidence of a question is."""
    wanted = letters(row["evidence"])
    pages = [page for page in document.pages if page.number in row["pages"]]
    on_gold = [chunk for chunk in chunks if chunk.page in row["pages"]]
    by_number = {page.number: page for page in pages}
    if any(wanted in letters(chunk.text) for chunk in on_gold):
        return Found.IN_ONE_CHUNK
    if any(wanted in letters(chunk.section.of(by_number[chunk.page].text)) for chunk in on_gold):
        return Found.IN_ONE_SECTION
    if any(wanted in letters(_body(page)) for page in pages):
        return Found.ON_THE_PAGE
    if any(wanted in letters(page.text) or _without_heads(wanted, page) in letters(_body(page)) for page in pages):
        return Found.WITH_RUNNING_HEAD
    if len(pages) > 1:
        return Found.ON_SEVERAL_PAGES
    words = set(re.findall(r"\w+", row["evidence"].lower()))
    read = set(re.findall(r"\w+", " ".join(page.text for page in pages).lower()))
    return Found.IN_ANOTHER_ORDER if words <= read else Found.NOWHERE


def _body(page: Page) -> str:
    return "\n".join(block.span.of(page.text) for block in page.blocks if block.kind not in FURNITURE)


def _without_heads(wanted: str, page: Page) -> str:
    """The evidence without what it has of the page's running heads and feet, whole lines of them.

    Of a foot it is the last that goes: its page number may stand in an amount before.
    """
    for block in page.blocks:
        line = letters(block.span.of(page.text))
        if block.kind == "header":
            wanted = wanted.replace(line, "", 1)
        elif block.kind == "footer" and line:
            wanted = "".join(wanted.rsplit(line, 1))
    return wanted


def read_questions(data: Path) -> list[dict[str, Any]]:
    """The public questions, each with `verbatim`: whether its evidence stands literally on a gold page."""
    with (data / "pdfqa.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [{**row, "verbatim": bool(row.get("evidence_verbatim_on_page"))} for row in rows]


async def read_documents(data: Path, rows: Sequence[Mapping[str, Any]]) -> dict[str, Extraction]:
    """The documents that the questions are about, by name, as the product reads them."""
    extractor = PdfExtractor()
    places = asyncio.Semaphore(AT_ONCE)

    async def read(name: str) -> Extraction:
        async with places:
            return await extractor.extract(data / name)

    names = sorted({row["pdf"] for row in rows})
    return dict(zip(names, await asyncio.gather(*map(read, names)), strict=True))


async def _run(data: Path, target: int, show: bool) -> None:
    rows = [row for row in read_questions(data) if row["verbatim"]]
    documents = await read_documents(data, rows)
    embedder = SentenceTransformerEmbedder()
    try:
        chunker = PageChunker(embedder.count_tokens, (await embedder.card()).window, target=target)
        cuts = {name: chunker.chunk(digest(data / name), document.pages) for name, document in documents.items()}
    finally:
        await embedder.close()
    found = {row["id"]: evidence_in(row, documents[row["pdf"]], cuts[row["pdf"]]) for row in rows}
    counts = Counter(found.values())
    for where in Found:
        typer.echo(f"{counts[where]:4} {counts[where] / len(rows):6.1%}  {where}")
    if show:
        for row in rows:
            if found[row["id"]] is not Found.IN_ONE_CHUNK:
                typer.echo(f"{row['id']} {found[row['id']]}: {row['evidence'][:100]!r}")


def main(
    data: Annotated[Path | None, typer.Option("--data", exists=True)] = None,
    target: Annotated[int, typer.Option("--target", min=16)] = TARGET,
    show: Annotated[bool, typer.Option("--show")] = False,
) -> None:
    """Print how many strings are found where."""
    asyncio.run(_run(data or data_folder(), target, show))


if __name__ == "__main__":
    typer.run(main)
