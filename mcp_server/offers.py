"""What the server offers: each tool with what it may do to the world, and the permission that it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from mcp.types import ToolAnnotations

from mcp_server.answering import Answering
from mcp_server.collecting import Collecting
from mcp_server.measuring import Measuring
from mcp_server.reading import Reading
from rag_core.types.credentials import Permission

READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
ASKS = ToolAnnotations(read_only_hint=True, open_world_hint=True)
"""Writing may be asked of a language model on another machine."""
FETCHES = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=True)
MEASURES = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=True)
"""A run is kept; a system that is measured may ask a language model."""
DELETES = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False)


@dataclass(frozen=True, slots=True)
class Offer:
    """A tool."""

    run: Callable[..., Any]
    """Its name, signature and docstring are what a client is told."""
    annotations: ToolAnnotations
    permission: Permission
    shown: bool = False
    """Whether hosts that show views show its result as one."""

    @property
    def name(self) -> str:
        """What it is called by."""
        return self.run.__name__


def offers(
    reading: Reading, answering: Answering, collecting: Collecting | None, measuring: Measuring | None
) -> Iterator[Offer]:
    """All tools, in the order in which an agent needs them; without the last two, none that changes anything."""
    yield Offer(reading.list_documents, READS, "read")
    yield Offer(answering.ask, ASKS, "read", shown=True)
    yield Offer(answering.verify_text, READS, "read")
    yield Offer(reading.search_passages, READS, "read")
    yield Offer(reading.get_page, READS, "read")
    if collecting is not None:
        yield Offer(collecting.ingest_document, FETCHES, "write")
        yield Offer(collecting.get_job, READS, "write")
        yield Offer(collecting.remove_document, DELETES, "write")
    if measuring is not None:
        yield Offer(measuring.run_eval, MEASURES, "eval")
