"""The tools: each parses, asks the library once, and renders. What they may see is one collection."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from mcp.server.mcpserver import Image
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, ContentBlock, TextContent
from pydantic import Field

from mcp_server import prose, schemas
from mcp_server.desk import Desk
from mcp_server.roots import Roots
from rag_core.types import CollectionName, Ingested, Policy, Scope

if TYPE_CHECKING:
    from rag_core.library import Library

Question = Annotated[str, Field(min_length=1, max_length=2000, description="A question in plain words.")]
DocumentName = Annotated[
    str, Field(min_length=1, max_length=500, description="A document's id, the beginning of it, its file or its title.")
]
DocumentNames = Annotated[
    list[DocumentName] | None,
    Field(min_length=1, max_length=100, description="Only these documents: ids, files or titles. All when left out."),
]
Text = Annotated[str, Field(min_length=1, max_length=20_000, description="The text whose statements are checked.")]


class Tools:
    """The tools' bodies. Their names, signatures and docstrings are what a client is told."""

    def __init__(self, desk: Desk, *, collection: CollectionName, roots: Roots) -> None:
        self._desk = desk
        self._collection = collection
        self._roots = roots

    async def list_documents(self) -> Annotated[CallToolResult, schemas.Documents]:
        """List the PDFs that can be asked, with their ids, sizes and unreadable pages."""
        async with self._desk.library() as library:
            documents = await library.documents(Scope.of(self._collection))
        value = schemas.Documents(documents=tuple(map(schemas.Document.of, documents)))
        return _result(value, prose.documents(value))

    async def search_passages(
        self,
        question: Question,
        documents: DocumentNames = None,
        limit: Annotated[int, Field(ge=1, le=50, description="Passages wanted.")] = 5,
    ) -> Annotated[CallToolResult, schemas.Passages]:
        """Find the passages that bear on a question: literal text with document and page, best first."""
        async with self._desk.library() as library:
            scope = await self._scope(library, documents)
            found = await library.search(question, scope=scope, k=limit)
        value = schemas.Passages(question=question, passages=tuple(map(schemas.Passage.of, found.passages)))
        return _result(value, prose.passages(value))

    async def ask(
        self,
        question: Question,
        documents: DocumentNames = None,
        policy: Annotated[
            Policy | None,
            Field(description="strict: supported claims only; flag: the others too, marked; quote: quotations only."),
        ] = None,
    ) -> Annotated[CallToolResult, schemas.Answer]:
        """Answer a question from the documents. Every claim has a verdict and, when supported, the quote and page.

        Status 'refused' means that the documents do not answer it; do not answer it from elsewhere as if they did.
        """
        async with self._desk.library() as library:
            scope = await self._scope(library, documents)
            value = schemas.Answer.of(await library.ask(question, scope=scope, policy=policy))
        return _result(value, prose.answer(value))

    async def verify_text(
        self, text: Text, documents: DocumentNames = None
    ) -> Annotated[CallToolResult, schemas.Verification]:
        """Check any text, your own draft too, statement by statement: supported, contradicted, unsupported or uncheckable.

        Each supported statement comes with the quote and page that show it; each other one with the checks it failed.
        """  # noqa: E501 - the first line is one sentence for the client
        async with self._desk.library() as library:
            scope = await self._scope(library, documents)
            value = schemas.Verification.of(await library.verify(text, scope=scope))
        return _result(value, prose.verification(value))

    async def get_page(
        self,
        document: DocumentName,
        page: Annotated[int, Field(ge=1, description="Counted from 1.")],
        quote: Annotated[
            str | None, Field(min_length=1, max_length=5000, description="To highlight; it must stand on the page.")
        ] = None,
    ) -> Annotated[CallToolResult, schemas.Page]:
        """Read a page; with a quote, see it as a picture too, the quote highlighted: the proof of a citation."""
        async with self._desk.library() as library:
            scope = Scope.of(self._collection)
            meant = await library.document(document, scope=scope)
            read = await library.page(meant.id, page, scope=scope)
            pictures = [] if quote is None else [await library.show(meant.id, page, scope=scope, quote=quote)]
        value = schemas.Page(
            document_id=meant.id,
            title=meant.title,
            page=page,
            pages=meant.pages,
            status=read.status,
            text=read.text,
            quote=quote,
        )
        return _result(
            value, prose.page(value), *(Image(data=png, format="png").to_image_content() for png in pictures)
        )

    async def ingest_document(
        self,
        path: Annotated[
            str, Field(min_length=1, max_length=4096, description="A PDF in a folder this server may read.")
        ],
        password: Annotated[str | None, Field(description="If it is encrypted; used once and not kept.")] = None,
    ) -> Annotated[CallToolResult, schemas.Ingested]:
        """Read a PDF into the collection, so that it can be asked. The same file again changes nothing."""
        results: list[Ingested] = []
        async with self._desk.library() as library:
            from rag_core.ingestion import Source

            file = await asyncio.to_thread(self._roots.file, path)
            await library.add(
                [Source(file, file.name)], collection=self._collection, report=results.append, password=password
            )
        value = _ingested(results[0])
        return _result(value, prose.ingested(value))

    async def remove_document(self, document: DocumentName) -> Annotated[CallToolResult, schemas.Removed]:
        """Remove a document from the collection; its data is deleted when no other collection holds it."""
        async with self._desk.library() as library:
            scope = Scope.of(self._collection)
            meant = await library.document(document, scope=scope)
            receipt = await library.remove(meant.id, scope=scope)
            value = schemas.Removed(document=schemas.Document.of(receipt.documents[0]))
        return _result(value, prose.removed(value))

    async def _scope(self, library: Library, documents: Sequence[str] | None) -> Scope:
        everything = Scope.of(self._collection)
        if documents is None:
            return everything
        named = [(await library.document(name, scope=everything)).id for name in documents]
        return Scope.of(self._collection, documents=named)


def _ingested(result: Ingested) -> schemas.Ingested:
    match result:
        case Ingested(status="indexed" | "duplicate" as status, document=document) if document is not None:
            return schemas.Ingested(status=status, document=schemas.Document.of(document))
        case _:
            raise ToolError(f"{result.code}: {result.message}")


def _result(value: schemas.Schema, text: str, *more: ContentBlock) -> CallToolResult:
    """Both forms of one value: some clients show their model only the text, others only the structure."""
    return CallToolResult(
        content=[TextContent(type="text", text=text), *more], structured_content=value.model_dump(mode="json")
    )
