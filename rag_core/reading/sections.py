"""A page to its sections: what stands under one heading, a table with its title. Pure.

A chunk is what is searched; its section is what a reader needs around it to understand it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from rag_core.types import FURNITURE, Block, Page, Span

ENOUGH = 1_500
"""Characters: neighbouring sections that are shorter together are one. A page of many small headings, or a title above
its table, is one thing to a reader."""
TINY = 80
"""Characters: a section that short ("Exhibit 99.1") says nothing alone. It belongs to what follows, however long."""


def sections_of(page: Page) -> tuple[Span, ...]:
    """The sections, in order; together they hold all that is not furniture.

    Each begins at a heading, or where the page or the text after furniture begins, and none reaches over furniture.
    Headings that end a page with nothing under them, as the questions of a form, belong to what is before them.
    """
    found: list[Span] = []
    for furniture, run in groupby(page.blocks, key=lambda block: block.kind in FURNITURE):
        if furniture:
            continue
        blocks = list(run)
        first = len(found)
        for span in _under_headings(blocks):
            if len(found) > first and (span.end - found[-1].start <= ENOUGH or len(found[-1]) <= TINY):
                found[-1] = Span(found[-1].start, span.end)
            else:
                found.append(span)
    return tuple(found)


def section_of(sections: Sequence[Span], start: int, end: int) -> Span:
    """The section in which a part of its page lies; the part itself when there is none."""
    return next((s for s in sections if s.start <= start and end <= s.end), Span(start, end))


def _under_headings(blocks: Sequence[Block]) -> Iterator[Span]:
    """From one heading to the next; headings that follow each other belong together."""
    start = blocks[0].span.start
    last = max((i for i, block in enumerate(blocks) if block.kind != "heading"), default=-1)
    for before, block in pairwise(blocks[: last + 1]):
        if block.kind == "heading" and before.kind != "heading":
            yield Span(start, before.span.end)
            start = block.span.start
    yield Span(start, blocks[-1].span.end)
