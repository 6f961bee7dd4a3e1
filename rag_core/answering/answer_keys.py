"""A question, and all that its answer depends on, to the key that its answer is kept under. Pure."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Collection
from dataclasses import asdict, dataclass

from rag_core.types import CollectionName, DocumentId, IndexState, Policy

FORM = 10
"""Of answers as they are kept, and of the rules that make them: raised when an older answer would mislead."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What an answer depends on beside its question; where any of it differs, the answer is made anew."""

    collections: Collection[CollectionName]
    """Of the scope: each knows documents by names of its own, and what one asked is nobody else's business."""
    documents: Collection[DocumentId]
    """All that the scope holds."""
    index: IndexState | None
    writer: str
    """With its model and version."""
    verifier: str
    policy: Policy
    gate: float
    passages: int
    settings: str = ""
    """Whatever else was set."""


def key_of(question: str, circumstances: Circumstances) -> str:
    """A digest: the same for questions that differ in case, white space and the mark at their end alone.

    >>> def key(question, policy="strict"):
    ...     return key_of(question, Circumstances(["c"], [DocumentId("d")], None, "quote", "1", policy, 0.5, 8))
    >>> key("What is  leave?") == key("what is leave"), key("What is leave?") == key("What is leave?", "flag")
    (True, False)
    """
    values = {
        **asdict(circumstances),
        "collections": sorted(circumstances.collections),
        "documents": sorted(circumstances.documents),
        "question": normalised(question),
        "form": FORM,
    }
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def normalised(question: str) -> str:
    """The question without what nobody means by it.

    >>> normalised(" Is   it PAID ?")
    'is it paid'
    """
    composed = unicodedata.normalize("NFKC", question.encode(errors="replace").decode())
    return " ".join(composed.casefold().split()).rstrip("?!. ")
