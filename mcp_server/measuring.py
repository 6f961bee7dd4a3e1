"""The tool that measures: a run over questions whose answers are known, followed, and held against the last one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import anyio
from mcp.server.mcpserver import Context
from mcp.types import CallToolResult
from pydantic import Field

from eval import datasets
from eval.errors import NotComparable, RunUnderWay
from mcp_server import prose
from mcp_server.callers import Caller, WhoAsks
from mcp_server.desk import Desk
from mcp_server.levels import Levels
from mcp_server.measures import EvalRun
from mcp_server.results import result
from mcp_server.telling import Progress
from rag_core.errors import NotAllowed

if TYPE_CHECKING:
    from eval.run_values import Run
    from eval.runs import Evals

SETS = (*datasets.BUNDLED, datasets.EXAMPLES)
"""Those that come with Pincite: a caller from afar names no file."""
TOLD_EVERY = 1.0
"""Seconds between two notes of progress: a run answers many questions in one, or one in many."""

System = Annotated[str, Field(min_length=1, max_length=50)]


class Measuring:
    """The tool's body. Its name, signature and docstring are what a client is told."""

    def __init__(self, desk: Desk, who: WhoAsks, levels: Levels) -> None:
        self._desk = desk
        self._who = who
        self._levels = levels

    async def run_eval(  # noqa: PLR0913, PLR0917 - each is one thing a caller may want
        self,
        context: Context[Any, Any],
        dataset: Annotated[
            str | None, Field(min_length=1, max_length=50, description=f"Begin a run over this set: {', '.join(SETS)}.")
        ] = None,
        systems: Annotated[
            list[System] | None,
            Field(
                max_length=20, description="What is measured, such as quote, hybrid, verifier; or a group: baselines."
            ),
        ] = None,
        run_id: Annotated[
            str | None, Field(min_length=1, max_length=50, description="Or a run that there is; 'latest' is the last.")
        ] = None,
        action: Annotated[
            Literal["follow", "stop", "resume"], Field(description="What to do with that run.")
        ] = "follow",
        wait_seconds: Annotated[int, Field(ge=0, le=45, description="Wait so long for its end, telling progress.")] = 0,
    ) -> Annotated[CallToolResult, EvalRun]:
        """Measure this server on questions with known answers: give dataset or run_id. Returns a run at once to follow.

        When it has ended: each figure with its 95 % interval, and what changed since the last run of that set.
        """
        if (dataset is None) == (run_id is None):
            raise NotAllowed("Give dataset to begin a run, or run_id for one that there is.")
        caller, progress = self._who(), Progress(context, self._levels)
        engine = await self._desk.evals()
        if dataset is not None:
            run = await _begun(engine, caller, dataset, systems or ())
            try:
                run = await _followed(engine, run, wait_seconds, progress)
            except asyncio.CancelledError:
                with anyio.CancelScope(shield=True):  # nobody has learnt its id, so nobody else could stop it
                    await engine.cancel(run.id)
                raise
        else:
            run = await engine.status(run_id or "", owner=caller.collection)
            match action:
                case "stop":
                    run = await engine.cancel(run.id)
                case "resume":
                    run = await engine.resume(run.id, scope=caller.scope)
                case "follow":
                    pass
            run = await _followed(engine, run, wait_seconds, progress)
        value = await _measured(engine, run)
        return result(value, prose.eval_run(value))


async def _begun(engine: Evals, caller: Caller, name: str, systems: Sequence[str]) -> Run:
    """A run over a bundled set, of which a collection has one at a time."""
    if name not in SETS:
        raise NotAllowed(f"There is no set {name!r}: name one of {', '.join(SETS)}.")
    under_way = [run for run in await engine.history(owner=caller.collection) if run.state == "running"]
    if under_way:
        raise RunUnderWay(f"The run {under_way[0].id} of this collection is under way: follow it, or stop it first.")
    return await engine.start(datasets.dataset(name), scope=caller.scope, owner=caller.collection, systems=systems)


async def _followed(engine: Evals, run: Run, seconds: float, progress: Progress) -> Run:
    """The run when it has ended or the time is up; how far it has come is told, at once and whenever it moved."""
    ending = asyncio.ensure_future(engine.wait(run.id))
    # A run that broke says so in its note.
    ending.add_done_callback(lambda done: done.cancelled() or done.exception())
    clock, told = asyncio.get_running_loop().time, -1
    until = clock() + seconds
    try:
        while run.state == "running" and (left := until - clock()) > 0:
            if run.done > told:
                told = run.done
                await progress.step(f"{told} of {run.total}")
            await asyncio.wait([ending], timeout=min(left, TOLD_EVERY))
            run = await engine.status(run.id)
    finally:
        ending.cancel()
    return run


async def _measured(engine: Evals, run: Run) -> EvalRun:
    """With its figures, once it has ended."""
    if run.state == "running":
        return EvalRun.of(run)
    scores, last = await engine.scores(run.id), await engine.last_before(run)
    if last is None or not scores:
        return EvalRun.of(run, scores)
    try:
        return EvalRun.of(run, scores, last=last, compared=await engine.compare(last.id, run.id))
    except NotComparable as exc:
        return EvalRun.of(run, scores, last=last, warnings=[str(exc)])
