"""Pages to plain lists for the worker's pipe, and back; what comes back is believed only as far as it checks out.

The worker reads hostile files and may have been taken over by one. Everything here is built from numbers, strings and
bytes of the right kind, or refused with a ValueError.
"""

from __future__ import annotations

from array import array
from typing import Any, get_args

import numpy as np

from rag_core.types import Block, BlockKind, Glyphs, Page, PageStatus, Rect, Span, TableRow

_KINDS = frozenset(get_args(BlockKind))
_STATUSES = frozenset(get_args(PageStatus))
MAX_WARNINGS = 20
MAX_WARNING = 300


def pack_page(page: Page) -> list[Any]:
    """A page as msgpack takes it."""
    return [
        page.number,
        page.width,
        page.height,
        page.status,
        page.text,
        [
            [
                b.kind,
                b.span.start,
                b.span.end,
                list(b.bbox.as_tuple()),
                b.level,
                [[r.span.start, r.span.end, r.labelled] for r in b.rows],
            ]
            for b in page.blocks
        ],
        page.glyphs.edges.tobytes(),
        list(page.warnings),
    ]


def unpack_page(data: Any, number: int) -> Page:  # noqa: ANN401 -- anything may come out of a pipe
    """The page that `pack_page` made, which must be page `number`.

    Raises:
        ValueError: It is anything else.
    """
    try:
        got, width, height, status, text, blocks, edges, warnings = data
        if got != number or status not in _STATUSES or not isinstance(text, str) or not isinstance(edges, bytes):
            raise ValueError("a page has its number, status, text and edges")
        return Page(
            number=number,
            width=_length(width),
            height=_length(height),
            status=status,
            text=_encodable(text),
            blocks=tuple(_block(b, len(text)) for b in blocks),
            glyphs=Glyphs(_edges(edges)),
            warnings=strings(warnings),
        )
    except (TypeError, LookupError) as exc:
        raise ValueError(f"not a page: {exc}") from exc


def strings(values: Any) -> tuple[str, ...]:  # noqa: ANN401 -- anything may come out of a pipe
    """Short strings, not too many."""
    if not isinstance(values, list) or not all(isinstance(v, str) for v in values):
        raise ValueError("warnings are strings")
    return tuple(_encodable(v[:MAX_WARNING]) for v in values[:MAX_WARNINGS])


def _encodable(text: str) -> str:
    text.encode()  # a UnicodeEncodeError is a ValueError
    return text


def _length(value: Any) -> float:  # noqa: ANN401 -- anything may come out of a pipe
    number = float(value)
    if not 0 <= number < 1e7:  # noqa: PLR2004 -- a PDF's own limit is far below
        raise ValueError("a page has a size")
    return number


def _edges(data: bytes) -> array[float]:
    if len(data) % 16:
        raise ValueError("four edges a character")
    values = np.frombuffer(data, dtype=np.float32).reshape(-1, 4)
    if not np.isfinite(values).all() or (values[:, 2] < values[:, 0]).any() or (values[:, 3] < values[:, 1]).any():
        raise ValueError("edges are finite and ordered")
    edges = array("f")
    edges.frombytes(data)
    return edges


def _block(data: Any, length: int) -> Block:  # noqa: ANN401 -- anything may come out of a pipe
    kind, start, end, bbox, level, rows = data
    if kind not in _KINDS or not isinstance(level, int):
        raise ValueError("a block has a kind and a level")
    return Block(
        kind=kind,
        span=_span(start, end, length),
        bbox=Rect(*map(float, bbox)),
        level=level,
        rows=tuple(TableRow(_span(a, b, length), _encodable(labelled)) for a, b, labelled in rows),
    )


def _span(start: Any, end: Any, length: int) -> Span:  # noqa: ANN401 -- anything may come out of a pipe
    if not isinstance(start, int) or not isinstance(end, int) or end > length:
        raise ValueError("a span lies in its text")
    return Span(start, end)
