"""Answers that were given: tables of the catalog's SQLite file, from which they go with the documents they quote."""

from __future__ import annotations

from functools import cache

from pydantic import TypeAdapter, ValidationError

from rag_core.adapters.catalog_file import CatalogFile
from rag_core.types import Answer, DocumentId

MOST = 2_000
"""Answers that are kept; some ten kilobytes each."""


class SqliteAnswerCache:
    """Implements `AnswerCache`."""

    def __init__(self, file: CatalogFile) -> None:
        self._file = file

    async def get(self, key: str) -> Answer | None:
        """The answer kept under the key."""
        rows = await self._file.read("SELECT answer FROM answers WHERE key = ?", [key])
        try:
            return _codec().validate_json(rows[0]["answer"]) if rows else None
        except ValidationError:
            return None  # another version's, which this one would have made otherwise

    async def put(self, key: str, answer: Answer) -> None:
        """Keep the answer, unless a document that it quotes is gone by now."""
        quoted = quoted_by(answer)
        value = _codec().dump_json(answer).decode()
        marks = ", ".join("?" for _ in quoted)
        async with self._file.transaction() as db:
            there = await db.execute_fetchall(
                f"SELECT id FROM documents WHERE state = 'ready' AND id IN ({marks})",  # noqa: S608 - only question marks are put in
                quoted,
            )
            if len(list(there)) < len(quoted):
                return
            await db.execute("DELETE FROM answers WHERE key = ?", [key])
            number = (await db.execute("INSERT INTO answers (key, answer) VALUES (?, ?)", [key, value])).lastrowid
            assert number is not None
            await db.executemany(
                "INSERT INTO answer_documents (document_id, number) VALUES (?, ?)",
                [(document_id, number) for document_id in quoted],
            )
            await db.execute("DELETE FROM answers WHERE number <= ?", [number - MOST])

    async def forget(self, document_id: DocumentId) -> None:
        """Drop every answer that quotes the document, or names a passage of it."""
        async with self._file.transaction() as db:
            await db.execute(
                "DELETE FROM answers WHERE number IN (SELECT number FROM answer_documents WHERE document_id = ?)",
                [document_id],
            )


def quoted_by(answer: Answer) -> list[DocumentId]:
    """The documents whose text stands in the answer: in citations, or in the passages that a refusal names."""
    checked = [*answer.claims, *answer.withheld]
    cited = [citation.document_id for claim in checked for citation in claim.citations]
    nearest = [passage.chunk.document_id for passage in answer.refusal.nearest] if answer.refusal else []
    return list(dict.fromkeys([*cited, *nearest]))


@cache
def _codec() -> TypeAdapter[Answer]:
    """Made once: it walks all the values that an answer is made of."""
    return TypeAdapter(Answer)
