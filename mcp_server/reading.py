"""The tools that read: which documents there are, which passages bear on a question, what a page says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from mcp.server.mcpserver import Image
from mcp.types import CallToolResult
from pydantic import Field

from mcp_server import prose, schemas
from mcp_server.arguments import DocumentName, DocumentNames, PageNumber, Question
from mcp_server.callers import WhoAsks
from mcp_server.desk import Desk
from mcp_server.results import result
from rag_core.types import Scope

if TYPE_CHECKING:
    from rag_core.library import Library


class Reading:
    """The tools' bodies. Their names, signatures and docstrings are what a client is told."""

    def __init__(self, desk: Desk, who: WhoAsks) -> None:
        self._desk = desk
        self._who = who

    async def list_documents(
        self,
        limit: Annotated[int, Field(ge=1, le=500, description="Documents wanted.")] = 100,
        offset: Annotated[int, Field(ge=0, le=10_000_000, description="Documents to pass over.")] = 0,
    ) -> Annotated[CallToolResult, schemas.Documents]:
        """List the PDFs that can be asked, oldest first, with their ids, sizes and unreadable pages."""
        scope = self._who().scope
        documents = await (await self._desk.library()).documents(scope)
        value = schemas.Documents(
            total=len(documents), documents=tuple(map(schemas.Document.of, documents[offset : offset + limit]))
        )
        return result(value, prose.documents(value))

    async def search_passages(
        self,
        question: Question,
        documents: DocumentNames = None,
        limit: Annotated[int, Field(ge=1, le=50, description="Passages wanted.")] = 5,
    ) -> Annotated[CallToolResult, schemas.Passages]:
        """Find the passages that bear on a question: literal text with document and page, best first."""
        caller = self._who()
        library = await self._desk.library(warm=True)
        scope = await narrowed(library, caller.scope, documents)
        await library.charge_question(caller.principal)
        found = await library.search(question, scope=scope, k=limit)
        value = schemas.Passages.of(found)
        return result(value, prose.passages(value))

    async def get_page(
        self,
        document: DocumentName,
        page: PageNumber,
        quote: Annotated[
            str | None, Field(min_length=1, max_length=5000, description="To highlight; it must stand on the page.")
        ] = None,
        picture: Annotated[bool, Field(description="The page as PNG, too. With a quote it comes anyway.")] = False,
    ) -> Annotated[CallToolResult, schemas.Page]:
        """Read a page, its lines numbered; with a quote, see it as a picture, the quote highlighted: a citation's proof."""  # noqa: E501 - one sentence for the client
        scope = self._who().scope
        library = await self._desk.library()
        meant = await library.document(document, scope=scope)
        read = await library.page(meant.id, page, scope=scope)
        pictures = [await library.show(meant.id, page, scope=scope, quote=quote)] if picture or quote else []
        value = schemas.Page.of(meant, read, quote=quote)
        images = (Image(data=png, format="png").to_image_content() for png in pictures)
        return result(value, prose.page(value), *images)


async def narrowed(library: Library, scope: Scope, documents: Sequence[str] | None) -> Scope:
    """The scope, of which only the named documents are left."""
    if documents is None:
        return scope
    named = [(await library.document(name, scope=scope)).id for name in documents]
    return Scope(scope.collections, frozenset(named))
