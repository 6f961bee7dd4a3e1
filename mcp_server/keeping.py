"""Answers that were given, for as long as the server runs: by their id, a client reads one again or shows it to others.

Bounded, and for those who see the same collection only. Nothing here outlives a document: an answer that quotes one is
read only while all that it quotes is still there.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from uuid import uuid4

from mcp_server import schemas
from rag_core.types import Answer, CollectionName

MOST = 500
"""A few megabytes; the oldest goes first."""


def _random_id() -> str:
    return uuid4().hex


class KeptAnswers:
    """The last answers of all callers."""

    def __init__(self, *, new_id: Callable[[], str] = _random_id) -> None:
        self._new_id = new_id
        self._kept: OrderedDict[tuple[CollectionName, str], schemas.Answer] = OrderedDict()

    def keep(self, answer: Answer, collection: CollectionName) -> schemas.Answer:
        """The answer with an id of its own."""
        value = schemas.Answer.of(answer, answer_id=self._new_id())
        self._kept[collection, value.answer_id] = value
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)
        return value

    def find(self, answer_id: str, collection: CollectionName) -> schemas.Answer | None:
        """The answer, where those who see the collection were given it and it is not too long ago."""
        return self._kept.get((collection, answer_id))

    def ids(self, collection: CollectionName) -> list[str]:
        """The answers of the collection, newest first."""
        return [answer_id for owner, answer_id in reversed(self._kept) if owner == collection]

    def drop(self, answer_id: str, collection: CollectionName) -> None:
        """Forget an answer; it need not be there."""
        self._kept.pop((collection, answer_id), None)
