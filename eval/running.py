"""What is left of a run, put to its systems: one after the other, row by row, each answer kept as it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from eval.datasets import Dataset, Question, Row
from eval.replies import Judged, Outcome, failed, is_failed
from eval.run_store import RunStore
from eval.run_values import Run, State
from eval.systems.registry import CHECKERS, SYSTEMS, USUAL
from rag_core.errors import QuotaExhausted, RagError
from rag_core.library import Library
from rag_core.protocols import Embedder
from rag_core.settings import Settings
from rag_core.types import DocumentId, Scope

if TYPE_CHECKING:
    from eval.systems.corpus import Corpus

Heard = Callable[[Run], None]
"""Told how a run stands after each answer. It must be quick, and must not raise."""

CLAIMS_AT_ONCE = 32
"""Claims judged between two notes of progress."""


class ClosableEmbedder(Embedder, Protocol):
    """An embedding model of the run's own, for systems other than Pincite; loaded by the first that asks it."""

    async def close(self) -> None:
        """Let it go."""
        ...


class Running:
    """Does the work of runs."""

    def __init__(
        self,
        library: Library,
        store: RunStore,
        settings: Settings,
        *,
        clock: Callable[[], datetime],
        embedder: Callable[[Settings], ClosableEmbedder],
    ) -> None:
        self._library = library
        self._store = store
        self._settings = settings
        self._clock = clock
        self._embedder = embedder

    async def through(self, run: Run, scope: Scope, heard: Heard) -> Run:
        """All that is not done yet, system by system, question by question, in the order of the set."""
        known = await self._store.outcomes(run.id)
        notes: list[str] = []
        try:
            async with AsyncExitStack() as stack:
                corpus = await self._corpus(run, scope, stack)
                for system in run.systems:
                    left = [
                        row
                        for name, row in work_of(run.dataset, (system,), run.documents)
                        if (name, row.id) not in known or is_failed(known[name, row.id])
                    ]
                    if left:
                        note = await self._one(run, system, left, corpus, heard)
                        notes += [note] if note else []
        except BaseException as exc:  # whatever stops a run, what it has is kept and it is marked as stopped
            reason = "It was stopped." if isinstance(exc, asyncio.CancelledError) else f"It broke: {_said(exc)}"
            await asyncio.shield(self._store.end(run.id, "interrupted", at=None, note=reason))
            raise
        done = await self._store.run(run.id)
        state = _state(done, stopped=bool(notes))
        at = None if state == "interrupted" else self._clock()
        await self._store.end(run.id, state, at=at, note=" ".join(notes))
        ended = await self._store.run(run.id)
        heard(ended)
        return ended

    async def _one(self, run: Run, system: str, rows: Sequence[Row], corpus: Corpus, heard: Heard) -> str:
        """Put the rows to one system. Returns why it was stopped before their end; an empty text when it was not."""
        claims = [row for row in rows if not isinstance(row, Question)]
        questions = [row for row in rows if isinstance(row, Question)]
        if claims:
            checker = CHECKERS[system].make()
            await checker.prepare(corpus)
            for i in range(0, len(claims), CLAIMS_AT_ONCE):
                some = claims[i : i + CLAIMS_AT_ONCE]
                try:
                    made: Sequence[Judged] = await checker.judge([(c.claim, c.evidence) for c in some])
                except RagError as exc:
                    made = [Judged("failed", supported=False, reason=str(exc))] * len(some)
                await self._keep(run, system, {c.id: j for c, j in zip(some, made, strict=True)}, heard)
        if not questions:
            return ""
        asking = SYSTEMS[system].make()
        try:
            seconds = await asking.prepare(corpus)
        except RagError as exc:
            await self._keep(run, system, {q.id: failed(str(exc)) for q in questions}, heard)
            return ""
        await self._store.prepared(run.id, system, seconds)
        for question in questions:
            within = tuple(DocumentId(run.documents[name]) for name in question.documents)
            try:
                reply = await asking.ask(question.question, within)
            except QuotaExhausted as exc:
                return f"{system}: {exc}"
            except RagError as exc:
                reply = failed(str(exc))
            await self._keep(run, system, {question.id: reply}, heard)
        return ""

    async def _keep(self, run: Run, system: str, outcomes: Mapping[str, Outcome], heard: Heard) -> None:
        await self._store.add(run.id, system, outcomes)
        done, failures = await self._store.progress(run.id)
        heard(replace(run, done=done, failed=failures))

    async def _corpus(self, run: Run, scope: Scope, stack: AsyncExitStack) -> Corpus:
        from eval.systems.corpus import Corpus
        from rag_core.adapters.blobs import FolderBlobs

        settings = self._settings
        embedder = self._embedder(settings)
        stack.push_async_callback(embedder.close)
        blobs = FolderBlobs(settings.home / "blobs")
        return Corpus(
            library=self._library,
            embedder=embedder,
            documents=tuple(map(DocumentId, sorted({*run.documents.values()}))),
            collections=scope.collections,
            passages=settings.passages,
            gate=settings.gate,
            path=blobs.path,
            writers={
                "groq": f"groq:{settings.groq_model}",
                "openai": f"openai:{settings.openai_model}",
            },
        )


def packaged(settings: Settings) -> ClosableEmbedder:
    """The embedding model of the settings: the one that the index was built with."""
    from rag_core.adapters.embedder import SentenceTransformerEmbedder

    return SentenceTransformerEmbedder(
        settings.embedding_model,
        dtype=settings.embedding_dtype,
        batch=settings.embedding_batch,
        threads=settings.threads,
    )


def fitting(dataset: Dataset, chosen: Sequence[str]) -> tuple[str, ...]:
    """The systems that can do something with the set; all usual ones when none was chosen."""
    wanted = [*chosen] or [*(USUAL if dataset.questions else ()), *(CHECKERS if dataset.claims else ())]
    if dataset.claims and not any(system in CHECKERS for system in wanted):
        wanted.append("verifier")
    return tuple(dict.fromkeys(system for system in wanted if rows_for(system, dataset)))


def rows_for(system: str, dataset: Dataset) -> tuple[Row, ...]:
    """The rows that a system can do something with."""
    return (dataset.questions if system in SYSTEMS else ()) + (dataset.claims if system in CHECKERS else ())


def work_of(dataset: Dataset, systems: Sequence[str], documents: Mapping[str, str]) -> list[tuple[str, Row]]:
    """What can be asked: every row of every system, but for questions whose documents are not here."""
    return [
        (system, row)
        for system in systems
        for row in rows_for(system, dataset)
        if not isinstance(row, Question) or all(name in documents for name in row.documents)
    ]


def _state(run: Run, *, stopped: bool) -> State:
    if stopped or run.done < run.total:
        return "interrupted"
    if run.done - run.failed == 0:
        return "empty"
    return "partial" if run.failed or run.skipped else "finished"


def _said(error: BaseException) -> str:
    """What those who see the run may read; an exception that nobody expected may hold a path or a key."""
    return str(error) if isinstance(error, RagError) else f"{type(error).__name__}. Its log has the reason."
