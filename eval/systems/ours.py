"""Pincite itself, by stage: each index alone, their fusion, the second stage, the gate, and whole answers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence

from eval.ranked import Place, ranking
from eval.replies import Cited, Judged, Reply, Statement, Status
from eval.systems.corpus import Corpus
from rag_core.answering.gate import relevance
from rag_core.errors import ModelUnavailable
from rag_core.finding.fusion import reciprocal_rank_fusion
from rag_core.types import (
    CheckedClaim,
    DocumentId,
    Found,
    Hit,
    Passage,
    Policy,
    SearchMode,
    Verdict,
    WriterName,
)

AT_ONCE = 32
"""Claims judged together: the verifier batches them, and progress is still seen."""


class _Ours:
    """What all stages have in common: the library is the index, so that nothing is to be prepared."""

    def __init__(self) -> None:
        self._prepared: Corpus | None = None

    async def prepare(self, corpus: Corpus) -> Mapping[str, float]:
        """Load the models, so that the first question is not charged with it."""
        self._prepared = corpus
        await corpus.library.search("Is everything loaded?", scope=corpus.scope(corpus.documents), k=1)
        return {}

    @property
    def corpus(self) -> Corpus:
        """The documents."""
        assert self._prepared is not None, "a system is prepared before it is asked"
        return self._prepared

    async def found(self, question: str, within: Sequence[DocumentId], mode: SearchMode) -> Found:
        """What the library finds."""
        return await self.corpus.search(question, within, mode)


class Search(_Ours):
    """One mode of search: `hybrid` is fusion and the second stage."""

    def __init__(self, mode: SearchMode) -> None:
        super().__init__()
        self._mode = mode

    async def ask(self, question: str, within: Sequence[DocumentId]) -> Reply:
        """Pages alone."""
        found = await self.found(question, within, self._mode)
        return Reply("found", _places(found.passages), ms={"retrieval": found.ms})


class Fusion(_Ours):
    """Both indexes merged by reciprocal rank, without the second stage."""

    async def ask(self, question: str, within: Sequence[DocumentId]) -> Reply:
        """Pages alone."""
        runs = [await self.found(question, within, mode) for mode in ("dense", "sparse")]
        merged = reciprocal_rank_fusion([[_hit(p) for p in found.passages] for found in runs])
        places = ranking((hit.document_id, hit.page) for hit in merged)
        return Reply("found", places, ms={"retrieval": sum(found.ms for found in runs)})


class Gate(_Ours):
    """Hybrid search, and the gate's refusal of what it found."""

    async def ask(self, question: str, within: Sequence[DocumentId]) -> Reply:
        """Pages, unless the gate says that they do not answer."""
        found = await self.found(question, within, "hybrid")
        start = time.perf_counter()
        probability = await self.probability(question, found)
        ms = {"retrieval": found.ms, "gate": (time.perf_counter() - start) * 1000}
        opened = probability >= self.corpus.gate
        reason = "" if opened else "The gate holds that the passages do not answer."
        status: Status = "found" if opened else "refused"
        return Reply(status, _places(found.passages), reason=reason, probability=probability, ms=ms)

    async def probability(self, question: str, found: Found) -> float:
        """Of the passages that a writer would see."""
        seen = found.passages[: self.corpus.passages]
        return (await asyncio.to_thread(relevance, question, seen)).probability


class Asked(Gate):
    """Whole answers by one writer under one policy. The ranking is the search that the answer began with."""

    def __init__(self, writer: WriterName, policy: Policy) -> None:
        super().__init__()
        self._writer: WriterName = writer
        self._policy: Policy = policy

    async def ask(self, question: str, within: Sequence[DocumentId]) -> Reply:
        """The answer, its citations looked up.

        Raises:
            ModelUnavailable: Another model wrote it, as askers are served when the first is in trouble: figures of two
                models together would be of neither.
        """
        found = await self.found(question, within, "hybrid")
        scope = self.corpus.scope(within)
        answer = await self.corpus.library.ask(
            question, scope=scope, writer=self._writer, policy=self._policy, fresh=True
        )
        wanted = self.corpus.writers.get(self._writer, answer.writer)
        if answer.writer != wanted:
            raise ModelUnavailable(f"{answer.writer} wrote it instead of {wanted}. {' '.join(answer.notes)}".strip())
        return Reply(
            status=answer.status,
            places=_places(found.passages),
            text=answer.text,
            statements=tuple([await self._statement(claim, within) for claim in answer.claims]),
            withheld=len(answer.withheld),
            reason=answer.refusal.reason if answer.refusal else "",
            probability=await self.probability(question, found),
            ms=dict(answer.ms),
            usage=answer.usage,
            passages=tuple(passage.chunk.text for passage in found.passages[: self.corpus.passages]),
        )

    async def _statement(self, claim: CheckedClaim, within: Sequence[DocumentId]) -> Statement:
        cited = []
        for citation in claim.citations:
            page = await self.corpus.library.page(citation.document_id, citation.page, scope=self.corpus.scope(within))
            literal = citation.span.of(page.text) == citation.quote
            cited.append(Cited(citation.document_id, citation.page, citation.quote, literal))
        return Statement(claim.claim.text, claim.verdict.value, tuple(cited))


class VerifierChecks(_Ours):
    """The verifier alone, on claims with their evidence."""

    async def prepare(self, corpus: Corpus) -> Mapping[str, float]:
        """Load the entailment model."""
        self._prepared = corpus
        await corpus.library.judge([("It is loaded.", "It is loaded.")])
        return {}

    async def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Judged]:
        """Verdict and confidence; the time is shared out among those judged together."""
        judged: list[Judged] = []
        for i in range(0, len(pairs), AT_ONCE):
            some = pairs[i : i + AT_ONCE]
            start = time.perf_counter()
            made = await self.corpus.library.judge(some)
            each = (time.perf_counter() - start) * 1000 / len(some)
            judged += [Judged(j.verdict.value, j.verdict is Verdict.SUPPORTED, j.confidence, each) for j in made]
        return judged


def _places(passages: Sequence[Passage]) -> tuple[Place, ...]:
    return ranking((passage.chunk.document_id, passage.chunk.page) for passage in passages)


def _hit(passage: Passage) -> Hit:
    return Hit(passage.chunk.id, passage.chunk.document_id, passage.chunk.page, passage.score)
