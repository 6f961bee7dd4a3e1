"""A pipeline as LangChain's guides build it: pypdf, recursive splitting, an in-memory vector store, four nearest.

It reads the PDFs itself, and has neither a check nor a gate. Needs the extra `bench`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from eval.errors import SystemUnavailable
from eval.ranked import ranking
from eval.replies import Cited, Reply, Statement
from eval.systems.corpus import DEEP, Corpus, Piece
from eval.systems.plain import nearest_sentence
from rag_core.types import DocumentId

if TYPE_CHECKING:
    from rag_core.protocols import Embedder

SIZE, OVERLAP = 1_000, 200
"""The guides' values."""
SEEN = 4
"""What `similarity_search` returns unless told otherwise."""


class LangChain:
    """Retrieval by LangChain's pieces, with the run's own embedding model in place of another copy of it."""

    def __init__(self) -> None:
        self._store: Any = None

    async def prepare(self, corpus: Corpus) -> Mapping[str, float]:
        """Load, split, embed."""
        try:
            import langchain_core.vectorstores as stores
            import langchain_text_splitters as splitters
            import pypdf
        except ImportError as exc:
            raise SystemUnavailable(
                f"The system 'langchain' needs {exc.name}: install it with `pip install 'pincite[bench]'`."
            ) from exc
        from langchain_core.documents import Document

        def load() -> list[Document]:
            return [
                Document(page.extract_text(), metadata={"document": document, "page": number})
                for document in corpus.documents
                for number, page in enumerate(pypdf.PdfReader(corpus.path(document)).pages, start=1)
            ]

        start = time.perf_counter()
        pages = await asyncio.to_thread(load)
        read = time.perf_counter()
        splitter = splitters.RecursiveCharacterTextSplitter(chunk_size=SIZE, chunk_overlap=OVERLAP)
        split = splitter.split_documents(pages)
        self._store = stores.InMemoryVectorStore(_embeddings(corpus.embedder))
        await self._store.aadd_documents(split)
        return {"read": read - start, "index": time.perf_counter() - read}

    async def ask(self, question: str, within: Sequence[DocumentId]) -> Reply:
        """The nearest sentence of the four nearest pieces, whatever they are about."""
        start = time.perf_counter()
        allowed = frozenset(within)
        found = await self._store.asimilarity_search(
            question, k=DEEP, filter=lambda document: document.metadata["document"] in allowed
        )
        took = (time.perf_counter() - start) * 1000
        pieces = [Piece(d.metadata["document"], d.metadata["page"], d.page_content) for d in found]
        places = ranking((piece.document, piece.page) for piece in pieces)
        seen = pieces[:SEEN]
        drafted = nearest_sentence(question, seen)
        ms = {"retrieval": took, "total": (time.perf_counter() - start) * 1000}
        texts = tuple(piece.text for piece in seen)
        if drafted is None:
            return Reply("refused", places, reason="Nothing was found.", ms=ms, passages=texts)
        sentence, label = drafted
        cited = Cited(seen[label - 1].document, seen[label - 1].page, sentence, literal=True)
        statement = Statement(sentence, "unchecked", (cited,))
        return Reply("answered", places, f"{sentence} [{label}]", (statement,), ms=ms, passages=texts)


def _embeddings(embedder: Embedder) -> Any:  # noqa: ANN401 - LangChain's class exists only where LangChain does
    from langchain_core.embeddings import Embeddings

    class Shared(Embeddings):  # type: ignore[misc] # an extra's types are not looked at
        """The run's embedding model, as LangChain asks for it."""

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            raise NotImplementedError("asked from the event loop alone")

        def embed_query(self, text: str) -> list[float]:
            raise NotImplementedError("asked from the event loop alone")

        async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
            return [[float(x) for x in vector] for vector in await embedder.embed(texts)]

        async def aembed_query(self, text: str) -> list[float]:
            return (await self.aembed_documents([text]))[0]

    return Shared()
