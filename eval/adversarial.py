"""How the verifier stands up to claims written to slip through, by kind.

    python -m eval.adversarial [CLAIMS.jsonl]

Two sets (`eval/data/`, CC0) were written for this project: short invented passages, and claims that change one digit,
unit, date, name, direction or quantifier, drop or add a negation, swap who did what, stitch two sentences together; and
true ones: quotations, paraphrases, summaries, short answers. `adversarial_claims.jsonl` may be looked at when a check
is mended; `heldout_claims.jsonl` was written before, and nothing may be fitted to it: only its figures say what the
checks do elsewhere.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_core.adapters.entailment import PackagedEntailment
from rag_core.checking import facts
from rag_core.checking.verification import Verifier
from rag_core.types import Judgement, Verdict

CLAIMS = Path(__file__).parent / "data" / "adversarial_claims.jsonl"


PROBES = CLAIMS.with_name("fact_probes.jsonl")
HELD_OUT = CLAIMS.with_name("heldout_claims.jsonl")


def load(path: Path = CLAIMS) -> list[dict[str, Any]]:
    """The rows: id, kind, claim, evidence, label, license."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@dataclass(frozen=True, slots=True)
class Kind:
    """What became of the rows of one kind."""

    name: str
    rows: int
    right: int
    """Called supported when they are, and not when they are not."""
    supported: int
    stopped: int
    """Failed a fact check, whatever the model thought."""


def report(rows: Sequence[dict[str, Any]], judgements: Sequence[Judgement]) -> list[Kind]:
    """The kinds, in the order in which the rows have them."""
    by: dict[str, list[tuple[bool, Judgement]]] = defaultdict(list)
    for row, judgement in zip(rows, judgements, strict=True):
        by[row["kind"]].append((row["label"] == "supported", judgement))
    return [
        Kind(
            name,
            len(got),
            sum(good == (j.verdict is Verdict.SUPPORTED) for good, j in got),
            sum(j.verdict is Verdict.SUPPORTED for _, j in got),
            sum(any(not r.ok and r.check in facts.CHECKS for r in j.reasons) for _, j in got),
        )
        for name, got in by.items()
    ]


async def judge(rows: Sequence[dict[str, Any]]) -> list[Judgement]:
    """The default verifier's judgements, in order."""
    return await Verifier(PackagedEntailment()).judge([(r["claim"], r["evidence"]) for r in rows])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("claims", nargs="?", type=Path, default=CLAIMS)
    rows = load(parser.parse_args().claims)
    print(f"{'kind':20s} {'rows':>5s} {'right':>6s} {'called supported':>17s} {'failed a check':>15s}")
    for kind in report(rows, asyncio.run(judge(rows))):
        right = kind.right / kind.rows
        print(f"{kind.name:20s} {kind.rows:5d} {right:6.2f} {kind.supported:17d} {kind.stopped:15d}")


if __name__ == "__main__":
    main()
