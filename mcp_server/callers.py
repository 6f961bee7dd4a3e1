"""Who is asking: the principal behind a call, the collection that is theirs, and what they may do. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rag_core.types import CollectionName, Scope
from rag_core.types.credentials import Permission
from rag_core.types.jobs import Principal


@dataclass(frozen=True, slots=True)
class Caller:
    """A principal, for one call."""

    principal: Principal
    collection: CollectionName
    may: frozenset[Permission]

    @property
    def scope(self) -> Scope:
        """All that they may see."""
        return Scope.of(self.collection)


WhoAsks = Callable[[], Caller]
"""The caller of the call that is being answered.

Raises:
    NotAllowed: Nobody was let in.
"""
