"""The one engine of the evals, for the command line, a slash command and an MCP tool: start a run, follow it, compare.

    async with open_evals(settings, library) as evals:
        run = await evals.start(dataset("handbook"), scope=scope, owner="local")
        run = await evals.wait(run.id)

A run is a task of the engine, and every answer is kept as it comes: what was killed is resumed, and ends with the same
figures. Opening is quick; nothing heavy is loaded before a run needs it.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from eval.datasets import Dataset, Question, line_of, row_of, rows_of
from eval.documents import in_scope
from eval.errors import RunOutOfDate
from eval.replies import Judged, Outcome, Reply
from eval.run_store import RunStore
from eval.run_values import Run
from eval.running import ClosableEmbedder, Heard, Running, fitting, packaged, rows_for, work_of
from eval.systems.registry import named
from eval.under_way import UnderWay
from rag_core.errors import StoreBusy
from rag_core.library import Library
from rag_core.settings import Settings
from rag_core.types import DocumentId, IndexState, Scope

if TYPE_CHECKING:
    from eval.comparison import Comparison
    from eval.judge import Item, Tally
    from eval.judging import Ended, Judge, Plan
    from eval.report import Report
    from eval.scoring import Scores

LABELLED = 60
"""Labelled claims that a judge is tried on: an agreement within some six points either way, for few tokens."""


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
        self._running = Running(library, store, settings, clock=clock, embedder=embedder)
        self._under_way = UnderWay(settings.home / "evals")

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
        chosen = fitting(dataset, named(systems))
        ids = dict(await in_scope(self._library, dataset, scope) if documents is None else documents)
        if not {*ids.values()}.isdisjoint(await self._pending()):
            raise StoreBusy("A document of this set is still being ingested: start the run when that is done.")
        work = work_of(dataset, chosen, ids)
        every = sum(len(rows_for(system, dataset)) for system in chosen)
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
        lock = await self._under_way.hold(run.id)
        await self._store.begin(run)
        self._under_way.begin(run.id, lock, self._running.through(run, scope, heard))
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
        lock = await self._under_way.hold(run.id)
        await self._store.end(run.id, "running", at=None)
        run = replace(run, state="running", note="")
        self._under_way.begin(run.id, lock, self._running.through(run, scope, heard))
        return run

    async def status(self, run_id: str, *, owner: str | None = None) -> Run:
        """How a run stands now; one whose process died is `interrupted`.

        Raises:
            RunNotFound: There is none, or it is not this owner's.
        """
        return await self._under_way.as_it_is(await self._store.run(run_id, owner=owner))

    async def wait(self, run_id: str) -> Run:
        """The run when it has ended, or was stopped; one of another process is told as it stands."""
        return await self._under_way.end(run_id) or await self.status(run_id)

    async def cancel(self, run_id: str, *, owner: str | None = None) -> Run:
        """Stop a run of this process. What it has is kept, and it can be resumed."""
        run = await self._store.run(run_id, owner=owner)
        await self._under_way.stop(run.id)
        return await self.status(run.id)

    async def history(self, *, owner: str | None = None) -> list[Run]:
        """All runs of an owner, the last one first."""
        return [await self._under_way.as_it_is(run) for run in await self._store.runs(owner=owner)]

    async def last_before(self, run: Run) -> Run | None:
        """The owner's last run of the same set that was begun before this one and measured something; None without."""
        earlier = [one for one in await self.history(owner=run.owner) if one.started_at < run.started_at]
        return next((one for one in earlier if one.dataset.name == run.dataset.name and one.done > one.failed), None)

    async def owners(self) -> list[str]:
        """Whoever has a run or a question."""
        return await self._store.owners()

    async def forget(self, owner: str) -> None:
        """Delete an owner's runs and questions. Those over a document go with the document anyhow."""
        for run in await self._store.runs(owner=owner):
            await self.cancel(run.id)
        await self._store.forget(owner)

    async def close(self) -> None:
        """Stop what is under way; it can be resumed."""
        await self._under_way.close()

    # ------------------------------------------------------------------------------ figures

    async def scores(self, run_id: str, *, owner: str | None = None) -> list[Scores]:
        """The figures of each system, as far as the run is."""
        from eval.scoring import Asked, score, score_claims

        run = await self._store.run(run_id, owner=owner)
        outcomes = await self._store.outcomes(run.id)
        made: list[Scores] = []
        for system in run.systems:
            asked = [
                (Asked(q, run.documents), r)
                for q in run.dataset.questions
                if isinstance(r := outcomes.get((system, q.id)), Reply)
            ]
            judged = [(c, j) for c in run.dataset.claims if isinstance(j := outcomes.get((system, c.id)), Judged)]
            if asked:
                made.append(await asyncio.to_thread(score, system, asked))
            if judged:
                made.append(await asyncio.to_thread(score_claims, system, judged))
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
        before_scores, after_scores = await self.scores(old.id), await self.scores(new.id)
        return await asyncio.to_thread(compare, old, before_scores, new, after_scores, systems=systems)

    async def report(self, run_id: str, *, scope: Scope, owner: str | None = None) -> Report:
        """One HTML file with everything, and a chart as PNG. Of an unfinished run, it says that it is none."""
        from eval.report import report

        run = await self.status(run_id, owner=owner)
        outcomes = await self._store.outcomes(run.id)
        return await report(self._library, run, await self.scores(run.id), outcomes, scope=scope)

    async def chart(self, run_id: str, *, owner: str | None = None) -> bytes | None:
        """The report's chart alone, as PNG; None while there is no figure to draw."""
        from eval.report import chart

        run = await self.status(run_id, owner=owner)
        return await chart(run, await self.scores(run.id))

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
        """Put a question into an owner's own set; one of the same id is replaced.

        One that names its documents by their ids goes when one of them does, as a run does.
        """
        await self._store.add_question(owner, question.id, line_of(question), at=self._clock(), by=by)

    async def remove_questions(self, owner: str, *, row_id: str | None = None) -> int:
        """Take one out, or all; how many that were."""
        return await self._store.remove_questions(owner, row_id=row_id)

    async def questions_by(self, who: str) -> list[Question]:
        """All that somebody put into any set."""
        rows = (row_of(json.loads(line)) for line in await self._store.questions(by=who))
        return [row for row in rows if isinstance(row, Question)]

    async def forget_questions_by(self, who: str) -> int:
        """Take out all that somebody put in, anywhere, and delete the runs that asked it; how many questions."""
        return await self._store.remove_questions(None, by=who)

    async def own_set(self, owner: str) -> Dataset | None:
        """An owner's own set; None while it has no question."""
        lines = await self._store.questions(owner)
        return Dataset("own questions", rows_of(lines, source="own questions")) if lines else None

    # ------------------------------------------------------------------------------ what a run depends on

    async def _fingerprint(self, dataset: Dataset, documents: Mapping[str, str]) -> dict[str, str]:
        from eval.fingerprint import fingerprint

        return await asyncio.to_thread(fingerprint, self._settings, dataset, documents, await self._index())


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
