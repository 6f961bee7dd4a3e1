"""Pages to chunks: cut where a reader would pause, sized for the embedder's window, each tied to its place. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from rag_core.reading.sections import section_of, sections_of
from rag_core.text.sentences import sentences
from rag_core.types import FURNITURE, Block, Chunk, ChunkId, DocumentId, Page, Span

VERSION = 4
"""Rises whenever the same pages would give other chunks."""
TARGET = 160
"""Tokens of text: neighbouring blocks are merged up to here. Room for two paragraphs, yet about one thing."""
CONTEXT_SHARE = 0.25
"""Of the window, the most that headings and labels may take from the text."""
OVERLAP = 40
"""Tokens: a sentence up to this long is repeated where a paragraph is cut, so that "it" still finds its referent."""
WHOLE = 1_300
"""Tokens: a section in several chunks is a chunk itself up to here. Few are longer, as none goes on over its page."""
LEAD = 40
"""Tokens: a shorter beginning (a heading, an opening line) is not left alone before a long paragraph."""

CountTokens = Callable[[Sequence[str]], list[int]]
PATH_JOINT = " > "

_BLANK = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class _Piece:
    """The smallest part that is never cut, unless it alone exceeds the window: a sentence, or a table's row."""

    span: Span
    block: int
    """Which block of its page it is part of."""
    tokens: int = 0


_NOTHING = _Piece(Span(0, 1), block=-1)
"""Before the first piece of a page."""


@dataclass(slots=True)
class _Here:
    """What a reader still has in mind at some place: the headings above it, and the header of the table before."""

    path: list[tuple[int, str]] = field(default_factory=list)
    header: list[str] = field(default_factory=list)
    own: bool = False
    """The header is part of the table we are in."""

    def enter(self, block: Block, text: str) -> None:
        """Come to a new block."""
        if block.kind == "heading":
            self.path = [(level, words) for level, words in self.path if level < block.level]
            self.path.append((block.level, " ".join(block.span.of(text).split())))
        if block.rows:
            header = _header_of(block, text)
            self.own = bool(header)
            if header or not _has_labels(block, text):
                self.header = header  # else it goes on from the page before, and is called as it was there

    def headings(self) -> list[str]:
        """From the outermost in."""
        return [words for _, words in self.path]

    def context(self, block: Block, *, inside: bool) -> str:
        """For a chunk that begins in `block`, at its start or `inside` it: what is above it and not in it."""
        headings = PATH_JOINT.join(self.headings()[:-1] if block.kind == "heading" else self.headings())
        labels = self.header if block.rows and (inside or not self.own) else []
        return "\n".join(filter(None, [headings, *labels]))


@dataclass(slots=True)
class _Open:
    """A chunk that may still grow."""

    start: int
    end: int
    tokens: int
    body: bool
    """It holds more than headings."""
    context: str


class PageChunker:
    """Cuts pages on natural boundaries: heading, paragraph, list item, table row, then sentence.

    Chunks never cross a page and never cut a row. Together they hold every character that is not furniture, and
    repeat some only where a paragraph had to be cut. None exceeds `window` tokens with its context.
    """

    def __init__(self, count_tokens: CountTokens, window: int, *, target: int = TARGET, overlap: int = OVERLAP) -> None:
        self._count = count_tokens
        self._special = count_tokens([""])[0]
        self._context_room = int(window * CONTEXT_SHARE)
        self._most = max(window - self._context_room - self._special - 1, 8)
        self._target = min(target, self._most)
        self._overlap = overlap
        self._window = window

    @property
    def version(self) -> str:
        """Names everything that the cuts depend on."""
        return f"page-chunker/{VERSION} target={self._target} overlap={self._overlap} window={self._window}"

    def chunk(self, document_id: DocumentId, pages: Sequence[Page]) -> list[Chunk]:
        """The chunks of all pages, in reading order; ids are the document's, the page's and where it starts."""
        pieces = [list(_pieces(page)) for page in pages]
        pieces = self._small_enough(pages, pieces)
        texts = [piece.span.of(page.text) for page, ps in zip(pages, pieces, strict=True) for piece in ps]
        tokens = iter(self._tokens(texts))
        here = _Here()
        opened: list[tuple[Page, _Open]] = []
        for page, ps in zip(pages, pieces, strict=True):
            opened += [(page, part) for part in self._cut(page, ps, [next(tokens) for _ in ps], here)]
        sections = {page.number: sections_of(page) for page in pages}
        contexts = self._fitted([part.context for _, part in opened])
        parts = [
            Chunk(
                id=ChunkId(f"{document_id[:16]}.{page.number}.{part.start}"),
                document_id=document_id,
                page=page.number,
                span=Span(part.start, part.end),
                section=section_of(sections[page.number], part.start, part.end),
                text=page.text[part.start : part.end],
                context=context,
            )
            for (page, part), context in zip(opened, contexts, strict=True)
        ]
        return _with_wholes(pages, parts, [part.tokens for _, part in opened])

    def _tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, without the special ones."""
        return [n - self._special for n in self._count(texts)] if texts else []

    # ------------------------------------------------------------------------------------- pieces

    def _small_enough(self, pages: Sequence[Page], pieces: list[list[_Piece]]) -> list[list[_Piece]]:
        """The pieces, those that no window holds cut at blanks, or anywhere when there are none."""
        long = {
            (i, k): page.text[piece.span.start : piece.span.end]
            for i, (page, ps) in enumerate(zip(pages, pieces, strict=True))
            for k, piece in enumerate(ps)
            if len(piece.span) > self._most  # a token is at least a character
        }
        counts = dict(zip(long, self._tokens(list(long.values())), strict=True))
        out: list[list[_Piece]] = []
        for i, (page, ps) in enumerate(zip(pages, pieces, strict=True)):
            row: list[_Piece] = []
            for k, piece in enumerate(ps):
                if counts.get((i, k), 0) <= self._most:
                    row.append(piece)
                else:
                    row += [_Piece(span, piece.block) for span in self._halves(page.text, piece.span)]
            out.append(row)
        return out

    def _halves(self, text: str, span: Span) -> list[Span]:
        """`span` cut in two, and again, until every part fits."""
        if len(span) < 2 or self._tokens([span.of(text)])[0] <= self._most:  # noqa: PLR2004
            return [span]
        middle = (span.start + span.end) // 2
        blanks = [m.span() for m in _BLANK.finditer(text, span.start + 1, span.end - 1)]
        cut, resume = min(blanks, key=lambda b: abs(b[0] - middle)) if blanks else (middle, middle)
        if not span.start < cut <= resume < span.end:
            cut = resume = middle
        return [*self._halves(text, Span(span.start, cut)), *self._halves(text, Span(resume, span.end))]

    # --------------------------------------------------------------------------------------- cuts

    def _cut(self, page: Page, pieces: Sequence[_Piece], tokens: Sequence[int], here: _Here) -> Iterator[_Open]:
        """The page's chunks; `here` goes on to the next page."""
        sizes: dict[int, int] = {}
        for piece, n in zip(pieces, tokens, strict=True):
            sizes[piece.block] = sizes.get(piece.block, 0) + n
        current: _Open | None = None
        last = _NOTHING
        for piece, n in zip(pieces, tokens, strict=True):
            block = page.blocks[piece.block]
            inside = last.block == piece.block
            if not inside:
                here.enter(block, page.text)
            if current is not None and (
                (block.kind == "heading" and not inside and current.body)
                or (last is not _NOTHING and piece.block > last.block + 1)  # no chunk reaches over furniture
                or self._must_break(current, n, sizes[piece.block], inside=inside)
            ):
                yield current
                current = self._repeated(last, n, here) if inside and block.kind != "table" else None
            if current is None:
                current = _Open(piece.span.start, piece.span.end, 0, False, here.context(block, inside=inside))
            current.end = piece.span.end
            current.tokens += n
            current.body = current.body or block.kind != "heading"
            last = _Piece(piece.span, piece.block, n)
        if current is not None:
            yield current

    def _repeated(self, last: _Piece, following: int, here: _Here) -> _Open | None:
        """A chunk that begins with the sentence before the cut, when there is room."""
        if last.tokens > self._overlap or last.tokens + following > self._target:
            return None
        return _Open(last.span.start, last.span.end, last.tokens, body=True, context=PATH_JOINT.join(here.headings()))

    def _must_break(self, current: _Open, piece: int, block: int, *, inside: bool) -> bool:
        if current.tokens + piece > self._most:
            return True
        if inside or (block > self._target and current.tokens < LEAD):
            return current.tokens + piece > self._target
        return current.tokens + block > self._target and current.tokens >= (LEAD if current.body else self._target)

    # ------------------------------------------------------------------------------------ context

    def _fitted(self, contexts: Sequence[str]) -> list[str]:
        """Each context, cut from its front (the outermost headings) until it fits its share of the window."""
        unique = list(dict.fromkeys(contexts))
        fitted = dict(zip(unique, unique, strict=True))
        todo = unique
        while todo:
            counts = self._tokens([fitted[c] for c in todo])
            todo = [c for c, n in zip(todo, counts, strict=True) if n > self._context_room]
            for c in todo:
                fitted[c] = _shortened(fitted[c])
        return [fitted[c] for c in contexts]


def _with_wholes(pages: Sequence[Page], parts: Sequence[Chunk], tokens: Sequence[int]) -> list[Chunk]:
    """The parts, and after the last one of each section in several the section itself, unless it is too long."""
    texts = {page.number: page.text for page in pages}
    chunks: list[Chunk] = []
    for (number, section), run in groupby(zip(parts, tokens, strict=True), key=lambda item: _place(item[0])):
        within, sizes = zip(*run, strict=True)
        chunks += within
        if len(within) > 1 and sum(sizes) <= WHOLE:
            identity = ChunkId(f"{within[0].document_id[:16]}.{number}.{section.start}-{section.end}")
            chunks.append(replace(within[0], id=identity, span=section, text=section.of(texts[number]), whole=True))
    return chunks


def _place(chunk: Chunk) -> tuple[int, Span]:
    return chunk.page, chunk.section


def _pieces(page: Page) -> Iterator[_Piece]:
    for index, block in enumerate(page.blocks):
        if block.kind in FURNITURE:
            continue
        if block.rows:
            for row in block.rows:
                yield _Piece(row.span, index)
        else:
            for span in sentences(block.span.of(page.text)):
                yield _Piece(span.shifted(block.span.start), index)


def _header_of(block: Block, text: str) -> list[str]:
    """The rows that name a table's columns: those before the first row that has labels; without labels, none."""
    header: list[str] = []
    for row in block.rows:
        words = row.span.of(text)
        if row.labelled != words:
            return header
        header.append(" ".join(words.split()))
    return []


def _has_labels(block: Block, text: str) -> bool:
    return any(row.labelled != row.span.of(text) for row in block.rows)


def _shortened(context: str) -> str:
    """`context` without its outermost heading; without its second half when there is but one left."""
    head, joint, rest = context.partition(PATH_JOINT)
    if joint and "\n" not in head:
        return rest
    head, joint, rest = context.partition("\n")
    if joint:
        return rest
    return context[: len(context) // 2].rstrip()
