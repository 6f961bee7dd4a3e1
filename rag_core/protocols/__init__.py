"""The seams: what the core asks of the outside world, each one small enough to fake honestly."""

from rag_core.protocols.encoders import Embedder, EntailmentModel, Reranker
from rag_core.protocols.indexes import Closeups, Index, Indexes, IndexStore, Kept, Retriever, Stored, WordIndex
from rag_core.protocols.reading import Chunker, Extractor
from rag_core.protocols.stores import AnswerCache, Archive, Blobs, Catalog, JobQueue, Ledger, Rescan, Tokens, Uploads
from rag_core.protocols.writing import AloudWriter, Budgets, ChatModel, Completion, Heard, Rephraser, Writer

__all__ = [
    "AloudWriter",
    "AnswerCache",
    "Archive",
    "Blobs",
    "Budgets",
    "Catalog",
    "ChatModel",
    "Chunker",
    "Closeups",
    "Completion",
    "Embedder",
    "EntailmentModel",
    "Extractor",
    "Heard",
    "Index",
    "IndexStore",
    "Indexes",
    "JobQueue",
    "Kept",
    "Ledger",
    "Rephraser",
    "Reranker",
    "Rescan",
    "Retriever",
    "Stored",
    "Tokens",
    "Uploads",
    "WordIndex",
    "Writer",
]
