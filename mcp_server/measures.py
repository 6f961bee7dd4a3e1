"""What `run_eval` returns, as its schema promises it: a run, its figures, and what changed since the last one. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from mcp_server.schemas import Schema

if TYPE_CHECKING:
    from eval.comparison import Comparison
    from eval.run_values import Run
    from eval.scoring import Scores


class Figure(Schema):
    """One figure of one system, with its 95 % interval."""

    system: str
    table: str = Field(description="Its kind: finding, answering, citing and refusing are measured apart.")
    metric: str
    value: float
    low: float
    high: float
    n: int = Field(ge=1, description="Over how many questions or claims it was taken.")


class Change(Schema):
    """One figure before and after, over the questions that both runs have."""

    before: str = Field(description="The run and its system.")
    after: str
    metric: str
    value_before: float
    value_after: float
    change: float
    low: float = Field(description="Of the change's 95 % interval.")
    high: float
    p: float = Field(description="How often chance alone makes so large a difference.")
    significant: bool
    better: tuple[str, ...] = Field(description="Ids of the questions that got better.")
    worse: tuple[str, ...]


class EvalRun(Schema):
    """How far a run is; once it has ended, what it measured and what changed since the last run of its set."""

    run_id: str
    dataset: str
    systems: tuple[str, ...]
    state: Literal["running", "interrupted", "partial", "empty", "finished"] = Field(
        description="Only 'finished' is all of it. 'interrupted' can be resumed; 'partial' had failures or no document."
    )
    done: int = Field(ge=0, description="Of total: questions and claims, times the systems.")
    total: int
    failed: int
    skipped: int = Field(ge=0, description="Without their document: it is not in this collection.")
    note: str = Field(description="Why it stopped.")
    started_at: datetime
    finished_at: datetime | None
    figures: tuple[Figure, ...]
    compared_with: str | None = Field(description="The last run of the same set before this one.")
    changes: tuple[Change, ...]
    warnings: tuple[str, ...] = Field(description="Why the comparison is less than it looks.")

    @classmethod
    def of(
        cls,
        run: Run,
        scores: Sequence[Scores] = (),
        *,
        last: Run | None = None,
        compared: Sequence[Comparison] = (),
        warnings: Sequence[str] = (),
    ) -> EvalRun:
        """A run as it stands, with what is known of its figures."""
        return cls(
            run_id=run.id,
            dataset=run.dataset.name,
            systems=run.systems,
            state=run.state,
            done=run.done,
            total=run.total,
            failed=run.failed,
            skipped=run.skipped,
            note=run.note,
            started_at=run.started_at,
            finished_at=run.finished_at,
            figures=tuple(_figures(scores)),
            compared_with=last.id if last else None,
            changes=tuple(_changes(compared)),
            warnings=tuple(dict.fromkeys([*warnings, *(text for one in compared for text in one.warnings)])),
        )


def _figures(scores: Sequence[Scores]) -> Iterator[Figure]:
    for one in scores:
        for table in one.tables:
            for metric, e in table.figures.items():
                yield Figure(
                    system=one.system, table=table.name, metric=metric, value=e.value, low=e.low, high=e.high, n=e.n
                )


def _changes(compared: Sequence[Comparison]) -> Iterator[Change]:
    for one in compared:
        for d in one.differences:
            yield Change(
                before=one.before,
                after=one.after,
                metric=d.metric,
                value_before=d.before,
                value_after=d.after,
                change=d.change.value,
                low=d.change.low,
                high=d.change.high,
                p=d.p,
                significant=d.significant,
                better=d.better,
                worse=d.worse,
            )
