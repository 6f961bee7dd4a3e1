"""An answer's citations to pictures of their pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rag_core.library import Library
    from rag_core.types import Answer, DocumentId, Rect, Scope


async def write_proof(library: Library, answer: Answer, scope: Scope, folder: Path) -> list[Path]:
    """One PNG a cited page, all its quotes highlighted; the files written, in the order of their first citation."""
    import asyncio

    marked: dict[tuple[DocumentId, int], list[Rect]] = {}
    for claim in answer.claims:
        for citation in claim.citations:
            marked.setdefault((citation.document_id, citation.page), []).extend(citation.rects)
    written = []
    for (document_id, page), rects in marked.items():
        image = await library.show(document_id, page, scope=scope, rects=rects)
        path = folder / f"{document_id[:12]}-page-{page}.png"
        await asyncio.to_thread(_write, path, image)
        written.append(path)
    return written


def _write(path: Path, image: bytes) -> None:
    from rag_core.errors import NotAllowed

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(image)
    except OSError as exc:
        raise NotAllowed(f"The picture {str(path)!r} cannot be written: {exc.strerror}.") from exc
