"""A page's layout to bytes and back: small, and safe to read from anyone.

The text is kept apart, in a column of its own. Edges are kept to a thirty-second of a point, as differences from one
character to the next: on a line of text most of those are alike, and they shrink to a tenth.
"""

from __future__ import annotations

import zlib
from array import array
from typing import Any

import msgpack
import numpy as np

from rag_core.types import Block, Glyphs, Page, Rect, Span, TableRow

STEPS_A_POINT = 32
"""Finer than a reader can see, and coarse enough for differences to repeat."""


def encode(page: Page) -> bytes:
    """Everything of the page but its number and text."""
    steps = np.rint(np.frombuffer(page.glyphs.edges, dtype=np.float32).reshape(-1, 4) * STEPS_A_POINT).astype(np.int32)
    differences = np.diff(steps, axis=0, prepend=np.zeros((1, 4), dtype=np.int32))
    head: Any = [
        page.width,
        page.height,
        page.status,
        [_block(block) for block in page.blocks],
        page.warnings,
        np.ascontiguousarray(differences.T).astype("<i4").tobytes(),
    ]
    return zlib.compress(msgpack.packb(head), level=6)


def decode(number: int, text: str, layout: bytes) -> Page:
    """The page that `encode` was given."""
    width, height, status, blocks, warnings, differences = msgpack.unpackb(zlib.decompress(layout))
    steps = np.cumsum(np.frombuffer(differences, dtype="<i4").reshape(4, -1).T, axis=0)
    edges = array("f")
    edges.frombytes((steps / STEPS_A_POINT).astype(np.float32).tobytes())
    return Page(
        number=number,
        width=width,
        height=height,
        status=status,
        text=text,
        blocks=tuple(
            Block(kind, Span(*span), Rect(*bbox), level, tuple(TableRow(Span(*at), label) for at, label in rows))
            for kind, span, bbox, level, rows in blocks
        ),
        glyphs=Glyphs(edges),
        warnings=tuple(warnings),
    )


def _block(block: Block) -> list[Any]:
    return [
        block.kind,
        [block.span.start, block.span.end],
        block.bbox.as_tuple(),
        block.level,
        [[[row.span.start, row.span.end], row.labelled] for row in block.rows],
    ]
