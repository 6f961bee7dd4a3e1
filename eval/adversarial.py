"""How the verifier stands up to claims written to slip through, by kind.

    python -m eval.adversarial [CLAIMS.jsonl]

The set (`eval/data/adversarial_claims.jsonl`, CC0) was written for this project: short invented passages, and claims
that change one digit, unit, date, name, direction or quantifier, drop or add a negation, swap who did what, stitch two
sentences together; and true ones: quotations, paraphrases, short answers.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rag_core.adapters.entailment import FeatureEntailment
from rag_core.types import Judgement, Verdict
from rag_core.verification import Verifier

CLAIMS = Path(__file__).parent / "data" / "adversarial_claims.jsonl"


def load(path: Path = CLAIMS) -> list[dict[str, Any]]:
    """The rows: id, kind, claim, evidence, label, license."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def report(rows: Sequence[dict[str, Any]], judgements: Sequence[Judgement]) -> list[tuple[str, int, int, int]]:
    """By kind: its name, how many, how many judged rightly, and how many called supported."""
    by: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for row, judgement in zip(rows, judgements, strict=True):
        by[row["kind"]].append((row["label"] == "supported", judgement.verdict is Verdict.SUPPORTED))
    return [(kind, len(got), sum(a == b for a, b in got), sum(b for _, b in got)) for kind, got in by.items()]


async def judge(rows: Sequence[dict[str, Any]]) -> list[Judgement]:
    """The default verifier's judgements, in order."""
    return await Verifier(FeatureEntailment()).judge([(r["claim"], r["evidence"]) for r in rows])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("claims", nargs="?", type=Path, default=CLAIMS)
    rows = load(parser.parse_args().claims)
    print(f"{'kind':20s} {'rows':>5s} {'right':>6s} {'called supported':>17s}")
    for kind, count, right, supported in report(rows, asyncio.run(judge(rows))):
        print(f"{kind:20s} {count:5d} {right / count:6.2f} {supported:17d}")


if __name__ == "__main__":
    main()
