"""Every value that flows through Pincite, from the characters of a PDF to a published answer. Pure.

Pages are 1-based. Lengths are in PDF points, with the origin at the top left of the page as a reader sees it.
Offsets count Unicode code points of one page's text: start inclusive, end exclusive.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, NewType, TypedDict

from rag_core.glyphlines import line_boxes
from rag_core.rawpage import Box

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DocumentId = NewType("DocumentId", str)
"""The lower-case hexadecimal SHA-256 of a file's bytes."""
ChunkId = NewType("ChunkId", str)
CollectionName = NewType("CollectionName", str)

BlockKind = Literal["heading", "paragraph", "list_item", "table", "caption", "footnote", "header", "footer"]
FURNITURE: frozenset[BlockKind] = frozenset({"header", "footer"})
"""Running heads and page numbers: part of the page, never of a chunk."""

PageStatus = Literal["text", "ocr", "empty", "unreadable"]
"""`text`: from its text layer; `ocr`: from its picture; `empty`: nothing is there; `unreadable`: there is, unread."""

OcrMode = Literal["auto", "on", "off"]
SearchMode = Literal["hybrid", "dense", "sparse"]
WriterName = Literal["auto", "quote", "groq", "openai"]
Policy = Literal["strict", "flag", "quote"]
AnswerStatus = Literal["answered", "partial", "refused", "failed"]


# ---------------------------------------------------------------------------------------------- pages


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A run of characters; never empty."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ValueError(f"a span runs forward and is not empty, got {self.start}:{self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """The characters of `text` in this span."""
        return text[self.start : self.end]

    def shifted(self, by: int) -> Span:
        """The same run in a text that begins `by` characters earlier."""
        return Span(self.start + by, self.end + by)


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle on a page, in points."""

    x0: float
    y0: float
    x1: float
    y1: float

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, self.as_tuple())) or self.x1 < self.x0 or self.y1 < self.y0:
            raise ValueError(f"a rectangle has finite, ordered corners, got {self.as_tuple()}")

    def as_tuple(self) -> tuple[float, float, float, float]:
        """(x0, y0, x1, y1)."""
        return self.x0, self.y0, self.x1, self.y1

    @property
    def height(self) -> float:
        """In points."""
        return self.y1 - self.y0

    @property
    def width(self) -> float:
        """In points."""
        return self.x1 - self.x0

    def union(self, other: Rect) -> Rect:
        """The smallest rectangle around both."""
        return Rect(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Where each character of a page's text stands: `edges` holds x0, y0, x1, y1 a character, as 32-bit floats.

    A character that is on no page (the space or newline that joins two lines) has four zeros.
    """

    edges: array[float] = field(default_factory=lambda: array("f"))

    def __post_init__(self) -> None:
        if self.edges.typecode != "f" or len(self.edges) % 4:
            raise ValueError("glyph edges are 32-bit floats, four a character")

    def __len__(self) -> int:
        return len(self.edges) // 4

    def rects(self, span: Span) -> tuple[Rect, ...]:
        """The rectangles that cover the characters of `span`, one a line, in reading order.

        A line may also run down or up the page, as turned text and Japanese do.
        """
        return tuple(Rect(*box) for box in line_boxes(self._placed(span)))

    def _placed(self, span: Span) -> Iterator[Box]:
        for i in range(span.start * 4, min(span.end, len(self)) * 4, 4):
            x0, y0, x1, y1 = self.edges[i : i + 4]
            if x0 != x1 or y0 != y1:
                yield x0, y0, x1, y1


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a table: where it stands, and how it reads with its header's labels."""

    span: Span
    labelled: str
    """For instance `Grade 3 | Annual leave: 25 days`."""


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a page that a reader sees as one: a heading, a paragraph, a list item, a table."""

    kind: BlockKind
    span: Span
    bbox: Rect
    level: int = 0
    """A heading's depth, 1 the highest; 0 for all else."""
    rows: tuple[TableRow, ...] = ()
    """A table's rows, its header row too; empty for all else."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page as read: its text in reading order, the blocks the text is made of, and where each character stands."""

    number: int
    width: float
    height: float
    status: PageStatus
    text: str = ""
    blocks: tuple[Block, ...] = ()
    glyphs: Glyphs = field(default_factory=Glyphs)
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.number < 1:
            raise ValueError("pages are numbered from 1")
        if len(self.glyphs) != len(self.text):
            raise ValueError(f"page {self.number}: {len(self.text)} characters, {len(self.glyphs)} glyphs")


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a PDF gave: its pages, all of them, and what was noticed on the way."""

    title: str | None
    pages: tuple[Page, ...]
    warnings: tuple[str, ...] = ()


# ------------------------------------------------------------------------------------------ documents


@dataclass(frozen=True, slots=True)
class Document:
    """A PDF in the library. Its bytes are its identity."""

    id: DocumentId
    title: str
    filename: str
    pages: int
    chunks: int
    added_at: datetime
    collections: tuple[CollectionName, ...]
    """Those the asker may see."""
    unreadable_pages: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()
    embedded: bool = True
    """False while some of its vectors are still to come: it is then found by its words alone."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """What is indexed: a run of one page's text. It never crosses a page, and its text is literal."""

    id: ChunkId
    document_id: DocumentId
    page: int
    span: Span
    section: Span
    """What it is part of on its page, for a reader who needs what stands around it: see `rag_core.sections`."""
    text: str
    context: str = ""
    """Headings above it, labels of its table's header: embedded and indexed, never quoted."""

    @property
    def indexed(self) -> str:
        """What both indexes see."""
        return f"{self.context}\n{self.text}" if self.context else self.text


@dataclass(frozen=True, slots=True)
class ModelCard:
    """An embedding model: what an index must know of the one that built it."""

    name: str
    fingerprint: str
    """Of its name and weights."""
    dimension: int
    window: int
    """Tokens of a text that it sees, special ones included."""


@dataclass(frozen=True, slots=True)
class IndexState:
    """What the indexes were built with, and which generation of their files is in use."""

    generation: int
    embedding: str
    """The fingerprint of the embedding model."""
    dimension: int
    chunker: str


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a library holds: by its catalog, and by each index."""

    documents: int
    chunks: int
    dense: int
    sparse: int
    closeups: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A chunk on its way into the indexes."""

    chunk: Chunk
    title: str
    vectors: NDArray[np.float32]
    """Shape (1 + parts, dimension), each of unit length: the whole chunk's, then one a sentence or row."""


@dataclass(frozen=True, slots=True)
class Nearness:
    """Cosines with a question, in [-1, 1]."""

    whole: float
    """Of the chunk."""
    part: float
    """Of the nearest sentence or row in it."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What one call may see: the documents of `collections`, and of those only `documents` where they are named."""

    collections: frozenset[CollectionName]
    documents: frozenset[DocumentId] | None = None

    @classmethod
    def of(cls, *collections: str, documents: Sequence[str] | None = None) -> Scope:
        """A scope from plain names."""
        named = None if documents is None else frozenset(map(DocumentId, documents))
        return cls(frozenset(map(CollectionName, collections)), named)


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of one file."""

    path: str
    status: Literal["indexed", "duplicate", "failed"]
    document: Document | None = None
    code: str | None = None
    message: str | None = None

    def __post_init__(self) -> None:
        if (self.status == "failed") != (self.document is None) or (self.status == "failed") != (self.code is not None):
            raise ValueError("a failed file has a code and no document; any other has a document and no code")


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was removed, and what the data folder's bytes said afterwards."""

    documents: tuple[Document, ...]
    """Taken out of collections, or out of one sender's hands: those that others sent, too, stay for them."""
    deleted: tuple[DocumentId, ...]
    """Those that no other collection held: they are gone from the world."""
    bytes: int
    """Of their files."""
    at: datetime
    remains: tuple[str, ...] = ()
    """Where traces of the deleted were still found; empty when there are none."""

    @property
    def verified(self) -> bool:
        """Whether the data folder was searched for what was deleted, and nothing was found."""
        return not self.remains


# ------------------------------------------------------------------------------------------ retrieval


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that a retriever found. Scores order the hits of one call and mean nothing across calls."""

    chunk_id: ChunkId
    document_id: DocumentId
    page: int
    score: float


@dataclass(frozen=True, slots=True)
class Passage:
    """A found chunk as the writer sees it; `label` is the number it is cited by."""

    label: int
    chunk: Chunk
    title: str
    score: float
    signals: Mapping[str, float] = field(default_factory=dict)
    """For the gate: `dense` and `part`, cosines of the chunk and of the nearest sentence in it; `sparse`, BM25."""
    bbox: Rect | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a search: passages best first, and the milliseconds it took."""

    question: str
    passages: tuple[Passage, ...]
    ms: float
    notes: tuple[str, ...] = ()
    """What the asker should know of the documents: for instance that some have no vectors yet."""


# --------------------------------------------------------------------------------------- verification


class Verdict(StrEnum):
    """What checking a claim against its evidence came to."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"
    UNCHECKABLE = "uncheckable"


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of a draft, as it stands there, with the passages it cites. It has no verdict yet."""

    text: str
    """Without its markers."""
    span: Span
    """Its place in the draft, markers included."""
    markers: tuple[int, ...] = ()
    checkable: bool = True
    """False for questions, headings and hedges, which assert nothing."""
    subject: str = ""
    """What a fragment ("It rose to 12 %") speaks of, taken from before it; empty when it stands alone."""
    columns: str = ""
    """The header of the table whose row it quotes, letter by letter: shown above the row, and no claim itself."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One check's outcome, in words a person understands."""

    check: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """A claim against one text: the verdict, how sure, why, and the span of the text that it rests on."""

    verdict: Verdict
    confidence: float
    """The calibrated probability that the claim is supported; 0.5 is the line of a forced choice."""
    reasons: tuple[Reason, ...]
    span: Span | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.confidence <= 1:
            raise ValueError(f"a confidence is a probability, got {self.confidence}")
        if self.verdict is Verdict.SUPPORTED and (self.span is None or not all(r.ok for r in self.reasons)):
            raise ValueError("a supported claim has a span and no failed check")


@dataclass(frozen=True, slots=True)
class Citation:
    """A quote found in a page. It equals `page.text[span]`, and the rectangles are where a reader sees it."""

    marker: int
    document_id: DocumentId
    title: str
    page: int
    quote: str
    span: Span
    rects: tuple[Rect, ...]

    def __post_init__(self) -> None:
        if len(self.quote) != len(self.span) or not self.rects:
            raise ValueError("a citation quotes its span and has a place on its page")


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim with its verdict, and the citations that were found for it."""

    claim: Claim
    verdict: Verdict
    confidence: float
    reasons: tuple[Reason, ...]
    citations: tuple[Citation, ...] = ()

    def __post_init__(self) -> None:
        if self.verdict is Verdict.SUPPORTED and not self.citations:
            raise ValueError("a supported claim has a citation")


# ------------------------------------------------------------------------------------------- answers


class Message(TypedDict):
    """One message of a chat, as every chat API takes it."""

    role: Literal["system", "user"]
    content: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What language models did for an answer; all zero where it was made by quotation."""

    model: str | None = None
    """The one that wrote last."""
    calls: int = 0
    """Requests that were sent, those that failed too."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0
    """US dollars by list price; None when a model's price is not known."""
    seconds: float = 0.0
    """From the first request to the last reply, waits in between included."""

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            other.model or self.model,
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            None if self.cost is None or other.cost is None else self.cost + other.cost,
            self.seconds + other.seconds,
        )


@dataclass(frozen=True, slots=True)
class Draft:
    """What a writer wrote: prose with `[n]` markers, or nothing and why."""

    text: str
    writer: str
    unanswered: str | None = None
    """Why the writer found no answer in the passages; None when it wrote one."""
    claims: tuple[Claim, ...] | None = None
    """The text cut into its statements by the writer itself; None leaves that to whoever checks it."""
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()
    """What the asker should know of how it was written: that the day's tokens are gone, that another model wrote it."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question of a conversation, as it stood alone, and what was published as its answer."""

    question: str
    answer: str = ""
    """Empty when it was refused."""


@dataclass(frozen=True, slots=True)
class Rephrased:
    """What a language model made of a question that follows up on others; None when it made nothing of it."""

    question: str | None
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no answer, in a sentence, and the nearest passages there are."""

    reason: str
    nearest: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What is published: text whose every claim was checked, what was withheld, or why there is none."""

    question: str
    status: AnswerStatus
    text: str
    claims: tuple[CheckedClaim, ...]
    withheld: tuple[CheckedClaim, ...]
    refusal: Refusal | None
    writer: str
    ms: Mapping[str, float]
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()
    """What the asker should know of how it was made, a sentence each."""
    standalone: str | None = None
    """The question that was answered, where the one asked needed the turns before it."""

    def __post_init__(self) -> None:
        if (self.status == "refused") != (self.refusal is not None):
            raise ValueError("an answer is refused exactly when it says why")


@dataclass(frozen=True, slots=True)
class Checking:
    """A statement of an answer that is still being written, before its verdict: nobody may take it for an answer."""

    index: int
    """Which statement, from 0; its `Checked` has the same."""
    text: str


@dataclass(frozen=True, slots=True)
class Checked:
    """The verdict of a statement. Its markers are the draft's: the final answer numbers its citations anew."""

    index: int
    claim: CheckedClaim


@dataclass(frozen=True, slots=True)
class Restarted:
    """The draft begins anew, by another attempt or another writer: what was told of it so far is void."""


AnswerEvent = Checking | Checked | Restarted | Answer
"""What is told while an answer comes; the answer is the last, and the only one that is published."""
