"""A made-up library of any size, whose vectors and words are spread like real ones.

Around each real text (an anchor) lie made-up documents: an anchor's vector, moved by differences of other real vectors,
which keeps the directions in which real vectors differ. A document's chunks lie around the document. A chunk's words
are drawn half from its anchor's text, half from all texts, so that common words are common. The same seed makes the
same library.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rag_core.protocols import Embedder
from rag_core.types import Block, Chunk, ChunkId, CollectionName, Document, DocumentId, Glyphs, Page, Rect, Span

COLLECTION = CollectionName("local")
SEED = 11
ANCHORS = 900
"""Abstracts among the anchors, those that answer a question first; all pieces of evidence are added to them."""
ANCHOR_CHARACTERS = 500
QUESTIONS = 60
"""Of each of the two kinds, in turn: claims about science, questions about reports."""
CHUNKS = 50
"""A document's."""
CHUNKS_A_PAGE = 5
WORDS = 90
"""A chunk's, unless it is said otherwise."""
WORDS_A_SENTENCE = 15
PARTS = 5
"""Of a chunk: as many as there are sentences in one of a report."""
BETWEEN = 0.5
"""How far documents of one anchor lie apart, in differences of real vectors."""
WITHIN = 0.7
"""How far a document's chunks lie apart: two of them have a cosine of about 0.6, as a report's have."""

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Anchors:
    """Real texts and real questions, with their vectors."""

    texts: tuple[str, ...]
    vectors: Vectors
    questions: tuple[str, ...]
    asked: Vectors


@dataclass(frozen=True, slots=True)
class Made:
    """A made-up document."""

    document: Document
    pages: tuple[Page, ...]
    chunks: tuple[Chunk, ...]
    vectors: Vectors
    """Shape (chunks, 1 + parts, dimension): a chunk's, then its sentences'."""


async def anchors(data: Path, cache: Path, embedder: Embedder) -> Anchors:
    """The anchors of the public data in `data`; their vectors are kept in the file `cache`."""
    texts, questions = _read(data)
    if not await asyncio.to_thread(cache.exists):
        both = [*texts, *questions]
        vectors = [await embedder.embed(both[i : i + 32]) for i in range(0, len(both), 32)]
        np.save(cache, np.concatenate(vectors))
    kept: Vectors = np.load(cache)
    return Anchors(tuple(texts), kept[: len(texts)], tuple(questions), kept[len(texts) :])


def library(around: Anchors, chunks: int, *, words: int = WORDS, seed: int = SEED) -> Iterator[Made]:
    """Documents with so many chunks in all, each of so many words."""
    draw = np.random.default_rng(seed)
    near = [text.split() for text in around.texts]
    every = [word for text in near for word in text]
    for number in range(-(-chunks // CHUNKS)):
        count = min(CHUNKS, chunks - number * CHUNKS)
        anchor = int(draw.integers(len(around.texts)))
        vectors = around.vectors[anchor] + BETWEEN * _differences(draw, around.vectors, 1)
        vectors = vectors + WITHIN * _differences(draw, around.vectors, count)
        texts = [_text(draw, near[anchor], every, words) for _ in range(count)]
        apart = _differences(draw, around.vectors, count * PARTS).reshape(count, PARTS, -1)
        both = np.concatenate([vectors[:, None], vectors[:, None] + WITHIN * apart], axis=1)
        both /= np.linalg.norm(both, axis=2, keepdims=True)
        yield _document(f"{seed}.{number}", texts, both.astype(np.float32))


def _read(data: Path) -> tuple[list[str], list[str]]:
    science, reports = data / "retrieval" / "scifact", data / "pdfqa.jsonl"
    judged = [line.split("\t") for line in (science / "qrels" / "test.tsv").read_text("utf-8").splitlines()[1:]]
    claims = {row["_id"]: row["text"] for row in _rows(science / "queries.jsonl")}
    asked = [(query, document) for query, document, *_ in judged if query in claims]
    answering = {document: None for _, document in asked}
    abstracts = {row["_id"]: f"{row['title']}. {row['text']}" for row in _rows(science / "corpus.jsonl")}
    wanted = list(dict.fromkeys([*(d for d in answering if d in abstracts), *abstracts]))[:ANCHORS]
    found = [row for row in _rows(reports) if row["evidence"] and row["pages"]]
    texts = [abstracts[document] for document in wanted] + [str(row["evidence"]) for row in found]
    of_science = list(dict.fromkeys(claims[query] for query, _ in asked))[:QUESTIONS]
    of_reports = list(dict.fromkeys(str(row["question"]) for row in found))[:QUESTIONS]
    questions = [question for pair in zip(of_science, of_reports, strict=True) for question in pair]
    return [text[:ANCHOR_CHARACTERS] for text in texts if text.strip()], questions


def _rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _differences(draw: np.random.Generator, vectors: Vectors, count: int) -> Vectors:
    this, that = draw.integers(len(vectors), size=(2, count))
    apart: Vectors = vectors[this] - vectors[that]
    return apart


def _text(draw: np.random.Generator, near: Sequence[str], every: Sequence[str], count: int) -> str:
    own = [near[i] for i in draw.integers(len(near), size=count // 2)]
    others = [every[i] for i in draw.integers(len(every), size=count // 2)]
    words = [word for pair in zip(own, others, strict=True) for word in pair]
    sentences = [" ".join(words[i : i + WORDS_A_SENTENCE]) for i in range(0, len(words), WORDS_A_SENTENCE)]
    return ". ".join(sentences) + "."


def _document(name: str, texts: Sequence[str], vectors: Vectors) -> Made:
    identity = DocumentId(hashlib.sha256(name.encode()).hexdigest())
    pages: list[Page] = []
    chunks: list[Chunk] = []
    for i in range(0, len(texts), CHUNKS_A_PAGE):
        page, start, spans = len(pages) + 1, 0, []
        for text in texts[i : i + CHUNKS_A_PAGE]:
            span = Span(start, start + len(text))
            chunks.append(Chunk(ChunkId(f"{identity[:16]}.{page}.{start}"), identity, page, span, span, text))
            spans.append(span)
            start = span.end + 1
        text = "\n".join(texts[i : i + CHUNKS_A_PAGE])
        blocks = tuple(Block("paragraph", span, Rect(50, 50, 545, 790)) for span in spans)
        pages.append(Page(page, 595, 842, "text", text, blocks, Glyphs(array("f", bytes(16 * len(text))))))
    title = " ".join(texts[0].split()[:4])
    document = Document(
        identity, title, f"{name}.pdf", len(pages), len(chunks), datetime(2026, 1, 1, tzinfo=UTC), (COLLECTION,)
    )
    return Made(document, tuple(pages), tuple(chunks), vectors)
