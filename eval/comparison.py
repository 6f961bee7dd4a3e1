"""Two runs over the same questions to what changed: the differences, whether chance made them, and who flipped. Pure.

Paired: only questions that both have are looked at, so that neither gains from the other's gaps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eval.errors import NotComparable
from eval.intervals import Estimate, mean
from eval.run_values import Run
from eval.scoring import Scores
from eval.significance import mcnemar, permutation

YES_OR_NO = frozenset({"hit@1", "hit@5", "contains", "number match", "rightly cited", "refusal right", "right"})
"""Scores that are 0 or 1, so that McNemar's test is the one to take; the others are permuted."""
ALPHA = 0.05
"""The line of "significant". Of twenty metrics without any difference one will pass it, so read p, not the word."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One metric, before and after, over the questions that both have."""

    metric: str
    before: float
    after: float
    change: Estimate
    """After minus before, with the interval of its mean."""
    p: float
    test: str
    better: tuple[str, ...]
    """Ids of the questions that are right now and were not; of scores that are not yes or no, those that rose."""
    worse: tuple[str, ...]

    @property
    def significant(self) -> bool:
        """Whether chance makes so large a difference less than one time in twenty."""
        return self.p < ALPHA


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems, or one at two times."""

    before: str
    after: str
    shared: int
    """Questions that both have."""
    only_before: int
    only_after: int
    differences: tuple[Difference, ...]
    warnings: tuple[str, ...]
    """Why the comparison is less than it looks: a run that is not finished, another set."""

    @property
    def regressions(self) -> tuple[Difference, ...]:
        """Metrics that fell and that chance did not make fall, as far as can be told."""
        return tuple(d for d in self.differences if d.significant and d.change.value < 0)


def compare(
    before: Run,
    old: Sequence[Scores],
    after: Run,
    new: Sequence[Scores],
    *,
    systems: tuple[str, str] | None = None,
) -> list[Comparison]:
    """Each system that both runs have; or the two that are named, the first of the old run, the second of the new.

    Raises:
        NotComparable: There is no such pair, or its two sides share no question.
    """
    olds, news = _by_system(old), _by_system(new)
    pairs = [systems] if systems else [(name, name) for name in olds if name in news]
    missing = [name for a, b in pairs for name, there in ((a, olds), (b, news)) if name not in there]
    if missing or not pairs:
        raise NotComparable(
            f"There is nothing to compare: {missing[0]!r} is not in its run."
            if missing
            else f"The runs {before.id} and {after.id} have no system in common: name two, one of each."
        )
    warnings = tuple(_warnings(before, after))
    made = [_pair(f"{before.id}:{a}", olds[a], f"{after.id}:{b}", news[b], warnings) for a, b in pairs]
    found = [comparison for comparison in made if comparison.shared]
    if not found:
        raise NotComparable(f"The runs {before.id} and {after.id} share no question.")
    return found


def _warnings(before: Run, after: Run) -> list[str]:
    said = [f"{run.id} is not finished: {run.summary}" for run in (before, after) if run.state != "finished"]
    if before.fingerprint.get("set") != after.fingerprint.get("set"):
        said.append("The sets differ: only questions with the same id are compared.")
    if before.fingerprint.get("documents") != after.fingerprint.get("documents"):
        said.append("The documents differ.")
    return said


Own = Mapping[str, Mapping[str, float]]
"""By row, then metric."""


def _by_system(scores: Sequence[Scores]) -> dict[str, Own]:
    """A system's scores together: one that answers and judges has rows of both kinds."""
    found: dict[str, dict[str, Mapping[str, float]]] = {}
    for s in scores:
        found.setdefault(s.system, {}).update(s.own)
    return {**found}


def _pair(a: str, old: Own, b: str, new: Own, warnings: tuple[str, ...]) -> Comparison:
    shared = [row for row in old if row in new]
    metrics = dict.fromkeys(metric for row in shared for metric in old[row] if metric in new[row])
    return Comparison(
        before=a,
        after=b,
        shared=len(shared),
        only_before=len(old) - len(shared),
        only_after=len(new) - len(shared),
        differences=tuple(_difference(metric, shared, old, new) for metric in metrics),
        warnings=warnings,
    )


def _difference(
    metric: str,
    shared: Sequence[str],
    old: Own,
    new: Own,
) -> Difference:
    both = [row for row in shared if metric in old[row] and metric in new[row]]
    changes = {row: new[row][metric] - old[row][metric] for row in both}
    better = tuple(row for row, change in changes.items() if change > 0)
    worse = tuple(row for row, change in changes.items() if change < 0)
    change = mean([*changes.values()])
    assert change is not None, "a metric is one that some question has on both sides"
    exact = metric in YES_OR_NO
    return Difference(
        metric=metric,
        before=sum(old[row][metric] for row in both) / len(both),
        after=sum(new[row][metric] for row in both) / len(both),
        change=change,
        p=mcnemar(len(better), len(worse)) if exact else permutation([*changes.values()]),
        test="McNemar" if exact else "permutation",
        better=better,
        worse=worse,
    )
