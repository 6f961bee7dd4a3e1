"""How often each fact check fails on true and on untrue claims, set by set.

    python -m eval.checks [ROWS.jsonl] [--sample N] [--show CHECK] [--sets NAME…]

Reads `claims_train.jsonl` from `PINCITE_DATA` unless a file is named. Each statement of a claim is held
against what the aligner finds for it, as the verifier does. The sets differ in how many of their rows are true, so both
rates are given: a check is worth keeping where it fails on a much larger part of the untrue claims.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eval.unanswerable import data_folder
from rag_core.checking.alignment import align
from rag_core.checking.claims import claims, standalone
from rag_core.checking.facts import check, contradicts, failed
from rag_core.types import Reason

Row = dict[str, Any]

SEED = 11

CONTRADICTS = "contradicts"
"""The outcome that a failed check shows the text saying otherwise, counted beside the checks."""

SHOWN = 30
"""Failures printed by `--show`: enough to see what they have in common."""


def sample(path: Path, each: int, wanted: Sequence[str] = ()) -> list[Row]:
    """At most `each` rows of every set and label, the same ones every time."""
    by: dict[tuple[str, str], list[Row]] = defaultdict(list)
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if not wanted or row["dataset"] in wanted:
                by[row["dataset"], row["label"]].append(row)
    chosen: list[Row] = []
    for _, rows in sorted(by.items()):
        random.Random(SEED).shuffle(rows)  # noqa: S311 - a fixed sample, no secret
        chosen += rows[:each]
    return chosen


def compared(row: Row) -> list[Reason]:
    """The outcomes of the checks on each statement of one row."""
    evidence = row["evidence"]
    outcomes: list[Reason] = []
    for claim in claims(row["claim"]):
        if claim.checkable:
            statement = standalone(claim)
            found = align(statement, evidence)
            outcomes += check(statement, found.read(evidence) if found else evidence, wider=evidence)
    return outcomes


def rates(rows: Sequence[Row]) -> dict[str, dict[str, tuple[int, int, int, int]]]:
    """By set and check: true rows, those it fails on, untrue rows, those it fails on."""
    total: Counter[tuple[str, bool]] = Counter()
    fired: Counter[tuple[str, str, bool]] = Counter()
    for row in rows:
        good = row["label"] == "supported"
        total[row["dataset"], good] += 1
        reasons = compared(row)
        names = {r.check for r in failed(reasons)}
        for name in {*names, *({"any"} if names else ()), *({CONTRADICTS} if contradicts(reasons) else ())}:
            fired[row["dataset"], name, good] += 1
    made: dict[str, dict[str, tuple[int, int, int, int]]] = defaultdict(dict)
    for dataset, name in sorted({(d, n) for d, n, _ in fired}):
        made[dataset][name] = (
            total[dataset, True],
            fired[dataset, name, True],
            total[dataset, False],
            fired[dataset, name, False],
        )
    return made


def show(rows: Sequence[Row], name: str) -> None:
    """Print true claims on which the check fails: its false alarms."""
    shown = 0
    for row in rows:
        if row["label"] != "supported" or shown >= SHOWN:
            continue
        for reason in failed(compared(row)):
            if reason.check == name:
                shown += 1
                print(f"[{row['dataset']}] {row['claim']}\n    {reason.detail}\n    {row['evidence'][:700]!r}\n")


def main() -> None:
    """Print the rates, or what lies behind one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="?", type=Path, default=data_folder() / "claims_train.jsonl")
    parser.add_argument("--sample", type=int, default=200, help="rows of each set and label")
    parser.add_argument("--show", metavar="CHECK", help="print true claims that fail it instead")
    parser.add_argument("--sets", nargs="*", default=[], help="only these sets")
    args = parser.parse_args()
    rows = sample(args.rows, args.sample, args.sets)
    if args.show:
        show(rows, args.show)
        return
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    print(f"{'set':22s} {'check':12s} {'true: fails':>14s} {'untrue: fails':>15s}")
    for dataset, checks in rates(rows).items():
        for name, (good, wrongly, bad, rightly) in checks.items():
            sums[name][0] += wrongly
            sums[name][1] += rightly
            true, untrue = (f"{n}/{of} {_part(n, of):4.2f}" for n, of in ((wrongly, good), (rightly, bad)))
            print(f"{dataset:22s} {name:12s} {true:>14s} {untrue:>15s}")
    print("\nover all sets: of its failures, how many are on untrue claims")
    for name, (wrongly, rightly) in sorted(sums.items(), key=lambda item: -sum(item[1])):
        print(f"{name:12s} {rightly:5d} of {wrongly + rightly:5d}  {_part(rightly, wrongly + rightly):4.2f}")


def _part(some: int, whole: int) -> float:
    return some / max(1, whole)


if __name__ == "__main__":
    main()
