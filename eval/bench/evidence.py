"""How much of the gold evidence can be found whole: within one chunk of its page; and where the rest went.

    python -m eval.bench.evidence [--data DIR] [--target 160] [--show]

Reads the public questions whose evidence stands literally on a gold page. Texts are compared by their letters and
digits alone, so that a cell's bar or a line's hyphen parts nothing. The set takes its strings from the text of a page
as its file has it, so some hold a running head or the number of a page, and some are of two pages that do not follow
each other: these are counted by themselves.
"""

from __future__ import annotations

import asyncio
import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
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

LONG_HEAD = 8
"""Letters and digits: a line so long is told from an amount or a word of the text."""
CUT = "\0"

_REST = re.compile(r"[\W_]+")


class Found(StrEnum):
    """Where a string of evidence was found, from best to worst."""

    IN_ONE_CHUNK = "in one chunk"
    BUT_FOR_HEADS = "in one chunk, but for running heads and page numbers, which no chunk has"
    A_CHUNK_A_PAGE = "put together from several pages, what is of each page in one chunk of it"
    IN_ONE_SECTION = "in one section that is longer than any chunk"
    ON_THE_PAGE = "on the page, over several sections"
    NO_MORE_THAN_A_HEAD = "part of a running head or foot"
    ON_SEVERAL_PAGES = "on several pages, in more parts than these"
    IN_ANOTHER_ORDER = "read in another order"
    NOWHERE = "words missing from what was read"


def letters(text: str) -> str:
    """`text` in lower case, letters and digits alone."""
    return _REST.sub("", text.lower())


def evidence_in(row: Mapping[str, Any], document: Extraction, chunks: Sequence[Chunk]) -> Found:
    """Where the evidence of a question is."""
    wanted = letters(row["evidence"])
    pages = [page for page in document.pages if page.number in row["pages"]]
    by_number = {page.number: page for page in pages}
    on_gold = [chunk for chunk in chunks if chunk.page in by_number]
    texts = [letters(chunk.text) for chunk in on_gold]
    heads = [letters(b.span.of(page.text)) for page in pages for b in page.blocks if b.kind in FURNITURE]
    bare = _without(wanted, heads)
    sections = {letters(chunk.section.of(by_number[chunk.page].text)) for chunk in on_gold}
    words = set(re.findall(r"\w+", row["evidence"].lower()))
    read = set(re.findall(r"\w+", " ".join(page.text for page in pages).lower()))
    tests: tuple[tuple[Found, Callable[[], bool]], ...] = (
        (Found.IN_ONE_CHUNK, lambda: any(wanted in text for text in texts)),
        (Found.NO_MORE_THAN_A_HEAD, lambda: not bare or any(wanted in head for head in heads)),
        (Found.BUT_FOR_HEADS, lambda: any(bare in text for text in texts)),
        (Found.A_CHUNK_A_PAGE, lambda: len(pages) > 1 and _parts(bare, texts, len(pages)) <= len(pages)),
        (Found.IN_ONE_SECTION, lambda: any(bare in section for section in sections)),
        (Found.ON_THE_PAGE, lambda: any(bare in letters(_body(page)) for page in pages)),
        (Found.ON_SEVERAL_PAGES, lambda: len(pages) > 1),
        (Found.IN_ANOTHER_ORDER, lambda: words <= read),
    )
    return next((where for where, holds in tests if holds()), Found.NOWHERE)


def _body(page: Page) -> str:
    return "\n".join(block.span.of(page.text) for block in page.blocks if block.kind not in FURNITURE)


def _without(wanted: str, heads: Sequence[str]) -> str:
    """The evidence without what it has of its pages' running heads and feet.

    A head of a few letters goes wherever it stands, a number only at the end or beside a head, as it may be part of an
    amount elsewhere. Where the set cuts its string within a head, the beginning of the head goes, too.
    """
    lines = sorted({head for head in heads if head}, key=len, reverse=True)
    long = [line for line in lines if len(line) >= LONG_HEAD]
    for line in long:
        wanted = wanted.replace(line, CUT)
    for line in long:
        begun = next((n for n in range(len(line), LONG_HEAD - 1, -1) if wanted.endswith(line[:n])), 0)
        wanted = wanted[: len(wanted) - begun]
    for line in lines:
        if len(line) < LONG_HEAD:
            wanted = re.sub(rf"{line}(?={CUT}|$)|(?<={CUT}){line}", CUT, wanted)
    return wanted.replace(CUT, "")


def _parts(wanted: str, texts: Sequence[str], most: int) -> int:
    """In how many parts, one after the other, the texts hold all that is wanted; more than `most` if in more."""
    parts = 0
    while wanted and parts <= most:
        parts += 1
        # Whatever holds a beginning holds every shorter one.
        held = bisect_right(range(len(wanted)), 0, key=lambda n: not any(wanted[: n + 1] in text for text in texts))
        if not held:
            return most + 1
        wanted = wanted[held:]
    return parts


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
