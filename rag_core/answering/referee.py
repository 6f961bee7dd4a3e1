"""Any text, from anybody, to its statements with their verdicts: each is looked up in the documents and checked."""

from __future__ import annotations

from dataclasses import replace

from rag_core.answering.answering import evidence_of
from rag_core.checking.claims import claims
from rag_core.checking.verification import Verifier
from rag_core.finding.retrieval import Retrieval
from rag_core.protocols import Catalog
from rag_core.types import CheckedClaim, Scope

PASSAGES = 5
"""That a statement is checked against."""


class Referee:
    """Checks what others say."""

    def __init__(self, *, catalog: Catalog, retrieval: Retrieval, verifier: Verifier) -> None:
        self._catalog = catalog
        self._retrieval = retrieval
        self._verifier = verifier

    async def verify(self, text: str, *, scope: Scope) -> list[CheckedClaim]:
        """Every claim of the text, in order, checked against the documents of the scope.

        Markers in the text are not ours, so they count for nothing: each claim is looked up anew.
        """
        checked: list[CheckedClaim] = []
        for claim in claims(text):
            found = await self._retrieval.find(f"{claim.subject} {claim.text}".strip(), scope=scope, k=PASSAGES)
            evidence = await evidence_of(self._catalog, found.passages)
            checked += await self._verifier.check_claims([replace(claim, markers=())], evidence)
        return checked
