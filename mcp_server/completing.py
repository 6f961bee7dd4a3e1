"""The ends of what a person begins to type: ids and titles of documents, pages, answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import MCPServer
from mcp.types import Completion, CompletionArgument, CompletionContext, PromptReference, ResourceTemplateReference

from mcp_server.callers import WhoAsks
from mcp_server.desk import Desk
from mcp_server.keeping import KeptAnswers
from rag_core.errors import RagError

if TYPE_CHECKING:
    from rag_core.types import Document

MOST = 100
"""Values in one completion, by the protocol."""


class Completing:
    """Completes the arguments of resource templates and prompts."""

    def __init__(self, desk: Desk, who: WhoAsks, kept: KeptAnswers) -> None:
        self._desk = desk
        self._who = who
        self._kept = kept

    def add_to(self, server: MCPServer[Any]) -> None:
        """Offer it."""
        server.completion()(self.complete)  # type: ignore[no-untyped-call]

    async def complete(
        self,
        ref: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        context: CompletionContext | None,
    ) -> Completion:
        """What begins like the argument; nothing for one that is free text, or when the library cannot be opened."""
        chosen = (context.arguments if context else None) or {}
        try:
            values = await self._values(ref, argument.name, argument.value, chosen)
        except RagError:
            values = []
        return Completion(values=values[:MOST], total=len(values), has_more=len(values) > MOST)

    async def _values(
        self, ref: PromptReference | ResourceTemplateReference, name: str, begun: str, chosen: Mapping[str, str]
    ) -> list[str]:
        caller = self._who()
        if "read" not in caller.may:
            return []
        match name:
            case "answer":
                return _beginning(begun, self._kept.ids(caller.collection))
            case "page" if "document" in chosen:
                library = await self._desk.library()
                document = await library.document(chosen["document"], scope=caller.scope)
                return _beginning(begun, map(str, range(1, document.pages + 1)))
            case "document" | "first" | "second":
                documents = await (await self._desk.library()).documents(caller.scope)
                if isinstance(ref, PromptReference):  # people choose by title, addresses by id
                    return _beginning(begun, _titles(documents))
                return _beginning(begun, (one.id for one in documents))
            case _:
                return []


def _titles(documents: Iterable[Document]) -> Iterable[str]:
    return dict.fromkeys(document.title for document in documents)


def _beginning(begun: str, values: Iterable[str]) -> list[str]:
    return [value for value in values if value.lower().startswith(begun.lower())]
