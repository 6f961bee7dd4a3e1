"""The one engine of the evals, for the command line, a slash command and an MCP tool: start a run, follow it, compare.

    async with open_evals(settings, library) as evals:
        run = await evals.start(dataset("handbook"), scope=scope, owner="local")
        run = await evals.wait(run.id)

A run is a task of the engine, and every answer is kept as it comes: what was killed is resumed, and ends with the same
figures. Opening is quick; nothing heavy is loaded before a run needs it.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import filelock

from eval.datasets import Dataset, Question, Row, line_of, rows_of
from eval.documents import in_scope
from eval.errors import RunOutOfDate, RunUnderWay
from eval.replies import Judged, Outcome, Reply, failed, is_failed
from eval.run_store import RunStore
from eval.run_values import Run, State
from eval.systems.registry import CHECKERS, SYSTEMS, USUAL, named
from rag_core.errors import QuotaExhausted, RagError, StoreBusy
from rag_core.library import Library
from rag_core.protocols import Embedder
from rag_core.settings import Settings
from rag_core.types import DocumentId, IndexState, Scope

if TYPE_CHECKING:
    from eval.comparison import Comparison
    from eval.judge import Item, Tally
    from eval.judging import Ended, Judge, Plan
    from eval.report import Report
    from eval.scoring import Scores
    from eval.systems.corpus import Corpus

Heard = Callable[[Run], None]
"""Told how a run stands after each answer. It must be quick, and must not raise."""

LABELLED = 60
"""Labelled claims that a judge is tried on: an agreement within some six points either way, for few tokens."""
CLAIMS_AT_ONCE = 32
"""Claims judged between two notes of progress."""


class ClosableEmbedder(Embedder, Protocol):
    """An embedding model of the run's own, for systems other than Pincite; loaded by the first that asks it."""

    async def close(self) -> None:
        """Let it go."""
        ...


def silent(_run: Run) -> None:
    """Hear nothing."""


class Evals:
    """Runs of evals over one library. Safe to call from many tasks of one event loop."""

    def __init__(  # noqa: PLR0913 - the world comes in as arguments
        self,
        library: Library,
        store: RunStore,
        settings: Settings,
        *,
        index: Callable[[], Awaitable[IndexState | None]],
        pending: Callable[[], Awaitable[Collection[DocumentId]]],
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
        embedder: Callable[[Settings], ClosableEmbedder],
    ) -> None:
        self._library = library
        self._store = store
        self._settings = settings
        self._index = index
        self._pending = pending
        self._clock = clock
        self._new_id = new_id
        self._embedder = embedder
        self._tasks: dict[str, asyncio.Task[Run]] = {}
        self._locks = settings.home / "evals"

    # ------------------------------------------------------------------------------ runs

    async def start(  # noqa: PLR0913 - each is one thing a caller may want
        self,
        dataset: Dataset,
        *,
        scope: Scope,
        owner: str,
        systems: Sequence[str] = (),
        documents: Mapping[str, str] | None = None,
        heard: Heard = silent,
    ) -> Run:
        """Begin a run over what the scope holds of the set's documents, and return; it goes on as a task.

        Without `systems`, those are run that need neither a key nor another package. `documents` gives ids to names of
        the set, where the names of the files do not. A question whose document is not there is skipped, and the run
        says so.

        Raises:
            UnknownSystem: Nothing is called that.
            StoreBusy: A document is still being ingested, and would be found by its words alone.
        """
        chosen = _fitting(dataset, named(systems))
        ids = dict(await in_scope(self._library, dataset, scope) if documents is None else documents)
        if not {*ids.values()}.isdisjoint(await self._pending()):
            raise StoreBusy("A document of this set is still being ingested: start the run when that is done.")
        work = _work(dataset, chosen, ids)
        every = sum(len(_rows_for(system, dataset)) for system in chosen)
        run = Run(
            id=self._new_id(),
            owner=owner,
            dataset=dataset,
            systems=chosen,
            documents=ids,
            fingerprint=await self._fingerprint(dataset, ids),
            state="running",
            started_at=self._clock(),
            total=len(work),
            skipped=every - len(work),
        )
        lock = await asyncio.to_thread(self._held, run.id)
        await self._store.begin(run)
        self._spawn(run, scope, heard, lock)
        return run

    async def resume(self, run_id: str, *, scope: Scope, owner: str | None = None, heard: Heard = silent) -> Run:
        """Go on with a run that stopped, and ask again what failed.

        Raises:
            RunNotFound: There is no such run.
            RunUnderWay: Somebody is at it.
            RunOutOfDate: The code, the set, the documents or a setting is not what the run was begun with.
        """
        run = await self._store.run(run_id, owner=owner)
        now = await self._fingerprint(run.dataset, run.documents)
        from eval.fingerprint import changed

        differs = changed(run.fingerprint, now)
        if differs:
            raise RunOutOfDate(
                f"The run {run.id} was begun with another {', another '.join(differs)}: its rest would not be of one "
                "piece with it. Start a new one."
            )
        lock = await asyncio.to_thread(self._held, run.id)
        await self._store.end(run.id, "running", at=None)
        run = replace(run, state="running", note="")
        self._spawn(run, scope, heard, lock)
        return run

    async def status(self, run_id: str, *, owner: str | None = None) -> Run:
        """How a run stands now; one whose process died is `interrupted`.

        Raises:
            RunNotFound: There is none, or it is not this owner's.
        """
        return await self._as_it_is(await self._store.run(run_id, owner=owner))

    async def wait(self, run_id: str) -> Run:
        """The run when it has ended; one of another process is told as it stands."""
        task = self._tasks.get(run_id)
        return await asyncio.shield(task) if task else await self.status(run_id)

    async def cancel(self, run_id: str, *, owner: str | None = None) -> Run:
        """Stop a run of this process. What it has is kept, and it can be resumed."""
        run = await self._store.run(run_id, owner=owner)
        task = self._tasks.get(run.id)
        if task is not None:
            task.cancel()
            await asyncio.wait([task])
        return await self.status(run.id)

    async def history(self, *, owner: str | None = None) -> list[Run]:
        """All runs of an owner, the last one first."""
        return [await self._as_it_is(run) for run in await self._store.runs(owner=owner)]

    async def forget(self, owner: str) -> None:
        """Delete an owner's runs and questions. Those over a document go with the document anyhow."""
        for run in await self._store.runs(owner=owner):
            await self.cancel(run.id)
        await self._store.forget(owner)

    async def close(self) -> None:
        """Stop what is under way; it can be resumed."""
        for task in self._tasks.values():
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks.values())

    # ------------------------------------------------------------------------------ figures

    async def scores(self, run_id: str, *, owner: str | None = None) -> list[Scores]:
        """The figures of each system, as far as the run is."""
        from eval.scoring import Asked, score, score_claims

        run = await self._store.run(run_id, owner=owner)
        outcomes = await self._store.outcomes(run.id)
        made = []
        for system in run.systems:
            asked = [
                (Asked(q, run.documents), r)
                for q in run.dataset.questions
                if isinstance(r := outcomes.get((system, q.id)), Reply)
            ]
            judged = [(c, j) for c in run.dataset.claims if isinstance(j := outcomes.get((system, c.id)), Judged)]
            if asked:
                made.append(score(system, asked))
            if judged:
                made.append(score_claims(system, judged))
        return made

    async def outcomes(self, run_id: str, *, owner: str | None = None) -> dict[tuple[str, str], Outcome]:
        """What came of each row, by system and the row's id."""
        return await self._store.outcomes((await self._store.run(run_id, owner=owner)).id)

    async def compare(
        self, before: str, after: str, *, systems: tuple[str, str] | None = None, owner: str | None = None
    ) -> list[Comparison]:
        """Each system that both runs have, on the questions that both have; or two systems, one of each run.

        Raises:
            NotComparable: They share no question.
        """
        from eval.comparison import compare

        old, new = await self.status(before, owner=owner), await self.status(after, owner=owner)
        return compare(old, await self.scores(old.id), new, await self.scores(new.id), systems=systems)

    async def report(self, run_id: str, *, scope: Scope, owner: str | None = None) -> Report:
        """One HTML file with everything, and a chart as PNG. Of an unfinished run, it says that it is none."""
        from eval.report import report

        run = await self.status(run_id, owner=owner)
        outcomes = await self._store.outcomes(run.id)
        return await report(self._library, run, await self.scores(run.id), outcomes, scope=scope)

    # ------------------------------------------------------------------------------ a language model as judge

    async def judge_plan(self, run_id: str, judge: Judge, *, owner: str | None = None) -> Plan:
        """What is left to judge of a run, what that takes, and what there is left of the day's tokens."""
        run = await self._store.run(run_id, owner=owner)
        judged = await self._store.judgements(run.id, judge.name)
        wanted = await self._items(run)
        return await judge.plan([item for item in wanted if (item.system, item.row, item.metric) not in judged])

    async def judge(
        self, run_id: str, judge: Judge, *, owner: str | None = None, heard: Callable[[int], None] = lambda _: None
    ) -> Ended:
        """Judge what is left, until it is done or the day's tokens are gone. Again, it goes on from there."""
        run = await self._store.run(run_id, owner=owner)
        return await judge.judge(run.id, await self.judge_plan(run.id, judge), self._store, heard=heard)

    async def judged(self, run_id: str, model: str, *, owner: str | None = None) -> list[Tally]:
        """What a judge made of a run so far, what is pending, and how often it agrees with labels."""
        from eval.judge import tallies

        run = await self._store.run(run_id, owner=owner)
        labels = {claim.id: claim.supported for claim in run.dataset.claims}
        return tallies(await self._items(run), await self._store.judgements(run.id, model), labels)

    async def _items(self, run: Run) -> list[Item]:
        from eval.judge import items, labelled

        outcomes = await self._store.outcomes(run.id)
        made = [
            item
            for system in run.systems
            for question in run.dataset.questions
            if isinstance(reply := outcomes.get((system, question.id)), Reply)
            for item in items(system, question, reply)
        ]
        claims = run.dataset.claims
        step = max(len(claims) // LABELLED, 1)
        return made + [labelled(claim) for claim in claims[::step][:LABELLED]]

    # ------------------------------------------------------------------------------ a server's own questions

    async def add_question(self, owner: str, question: Question, *, by: str) -> None:
        """Put a question into an owner's own set; one of the same id is replaced."""
        await self._store.add_question(owner, question.id, line_of(question), at=self._clock(), by=by)

    async def remove_questions(self, owner: str, *, row_id: str | None = None, by: str | None = None) -> int:
        """Take one out, or all that somebody put in, or all; how many that were."""
        return await self._store.remove_questions(owner, row_id=row_id, by=by)

    async def own_set(self, owner: str) -> Dataset | None:
        """An owner's own set; None while it has no question."""
        lines = await self._store.questions(owner)
        return Dataset("own questions", rows_of(lines, source="own questions")) if lines else None

    # ------------------------------------------------------------------------------ the work

    def _spawn(self, run: Run, scope: Scope, heard: Heard, lock: filelock.FileLock) -> None:
        async def working() -> Run:
            try:
                return await self._through(run, scope, heard)
            finally:
                lock.release()
                self._tasks.pop(run.id, None)

        self._tasks[run.id] = asyncio.create_task(working(), name=f"eval {run.id}")

    async def _through(self, run: Run, scope: Scope, heard: Heard) -> Run:
        """All that is not done yet, system by system, question by question, in the order of the set."""
        known = await self._store.outcomes(run.id)
        notes: list[str] = []
        try:
            async with AsyncExitStack() as stack:
                corpus = await self._corpus(run, scope, stack)
                for system in run.systems:
                    left = [
                        row
                        for name, row in _work(run.dataset, (system,), run.documents)
                        if (name, row.id) not in known or is_failed(known[name, row.id])
                    ]
                    if left:
                        note = await self._one(run, system, left, corpus, heard)
                        notes += [note] if note else []
        except BaseException as exc:  # whatever stops a run, what it has is kept and it is marked as stopped
            reason = "It was stopped." if isinstance(exc, asyncio.CancelledError) else f"It broke: {exc}"
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
        heard(await self._store.run(run.id))

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

    async def _fingerprint(self, dataset: Dataset, documents: Mapping[str, str]) -> dict[str, str]:
        from eval.fingerprint import fingerprint

        return await asyncio.to_thread(fingerprint, self._settings, dataset, documents, await self._index())

    def _held(self, run_id: str) -> filelock.FileLock:
        """The lock that says that a run is being worked on.

        Raises:
            RunUnderWay: Another has it.
        """
        self._locks.mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(self._locks / f"{run_id}.lock", thread_local=False)
        try:
            lock.acquire(timeout=0)
        except filelock.Timeout as exc:
            raise RunUnderWay(f"The run {run_id} is under way already.") from exc
        return lock

    async def _as_it_is(self, run: Run) -> Run:
        """A run that says `running` though nobody holds its lock was killed."""
        if run.state != "running" or run.id in self._tasks:
            return run
        try:
            (await asyncio.to_thread(self._held, run.id)).release()
        except RunUnderWay:
            return run
        return replace(run, state="interrupted", note="Its process ended before it did.")


def packaged(settings: Settings) -> ClosableEmbedder:
    """The embedding model of the settings: the one that the index was built with."""
    from rag_core.adapters.embedder import SentenceTransformerEmbedder

    return SentenceTransformerEmbedder(
        settings.embedding_model,
        dtype=settings.embedding_dtype,
        batch=settings.embedding_batch,
        threads=settings.threads,
    )


@asynccontextmanager
async def open_evals(
    settings: Settings,
    library: Library,
    *,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    new_id: Callable[[], str] = lambda: secrets.token_hex(4),
    embedder: Callable[[Settings], ClosableEmbedder] | None = None,
) -> AsyncIterator[Evals]:
    """The engine over an open library on `settings.home`. What is under way when it closes is stopped, and kept.

    Raises:
        StoreUnavailable: The data folder cannot be used.
    """
    from rag_core.adapters.catalog import SqliteCatalog

    path: Path = settings.home / "catalog.sqlite3"
    async with AsyncExitStack() as stack:
        catalog = await SqliteCatalog.open(path)
        stack.push_async_callback(catalog.close)
        store = await RunStore.open(path)
        stack.push_async_callback(store.close)
        evals = Evals(
            library,
            store,
            settings,
            index=catalog.index_state,
            pending=catalog.pending,
            clock=clock,
            new_id=new_id,
            embedder=embedder or packaged,
        )
        stack.push_async_callback(evals.close)
        yield evals


def _fitting(dataset: Dataset, chosen: Sequence[str]) -> tuple[str, ...]:
    """The systems that can do something with the set; all usual ones when none was chosen."""
    wanted = [*chosen] or [*(USUAL if dataset.questions else ()), *(CHECKERS if dataset.claims else ())]
    if dataset.claims and not any(system in CHECKERS for system in wanted):
        wanted.append("verifier")
    return tuple(dict.fromkeys(system for system in wanted if _rows_for(system, dataset)))


def _rows_for(system: str, dataset: Dataset) -> tuple[Row, ...]:
    return (dataset.questions if system in SYSTEMS else ()) + (dataset.claims if system in CHECKERS else ())


def _work(dataset: Dataset, systems: Sequence[str], documents: Mapping[str, str]) -> list[tuple[str, Row]]:
    """What can be asked: every row of every system, but for questions whose documents are not here."""
    return [
        (system, row)
        for system in systems
        for row in _rows_for(system, dataset)
        if not isinstance(row, Question) or all(name in documents for name in row.documents)
    ]


def _state(run: Run, *, stopped: bool) -> State:
    if stopped or run.done < run.total:
        return "interrupted"
    if run.done - run.failed == 0:
        return "empty"
    return "partial" if run.failed or run.skipped else "finished"
