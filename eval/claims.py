"""How well claims are told from non-claims on public sets: the ladder of checkers, and the precision of each check.

    python -m eval.claims [CLAIMS.jsonl]

Reads `claims.jsonl` from `PINCITE_DATA` unless a file is named. Balanced accuracy is at the line of 0.5, its mean over
the sets; precision and coverage are of the word "supported".
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from eval.unanswerable import data_folder
from rag_core.adapters.entailment import PackagedEntailment
from rag_core.checking.alignment import align
from rag_core.checking.facts import check, failed
from rag_core.checking.quoting import find_quote
from rag_core.checking.verification import Verifier
from rag_core.types import Judgement, Verdict

Row = dict[str, Any]
BATCH = 64


def load(path: Path) -> list[Row]:
    """The rows of a JSON Lines file."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def macro(rows: Sequence[Row], says: Sequence[bool]) -> float:
    """Balanced accuracy, meant over the sets: 0.5 is a coin."""
    accuracies = []
    for name in sorted({r["dataset"] for r in rows}):
        rates = []
        for label in (True, False):
            part = [s == label for r, s in zip(rows, says, strict=True) if _good(r) == label and r["dataset"] == name]
            rates.append(sum(part) / max(1, len(part)))
        accuracies.append(sum(rates) / 2)
    return sum(accuracies) / len(accuracies)


def area(rows: Sequence[Row], scores: Sequence[float]) -> float:
    """ROC AUC: how often a supported claim scores above an unsupported one."""
    yes = [s for r, s in zip(rows, scores, strict=True) if _good(r)]
    no = [s for r, s in zip(rows, scores, strict=True) if not _good(r)]
    return sum((a > b) + 0.5 * (a == b) for a in yes for b in no) / (len(yes) * len(no))


def _good(row: Row) -> bool:
    return bool(row["label"] == "supported")


def shared_words(length: int, wanted: int) -> Callable[[str, str], bool]:
    """The rule of other projects: so many words of so many letters in common."""

    def rule(claim: str, text: str) -> bool:
        found = re.compile(rf"\w{{{length},}}").findall
        return len(set(found(claim.lower())) & set(found(text.lower()))) >= wanted

    return rule


def covered(claim: str, text: str) -> bool:
    """Our aligner alone: most of the claim's weighed words are in one span and its context."""
    found = align(claim, text)
    return found is not None and found.coverage >= 0.6  # noqa: PLR2004 - the middle of its range on prose


def gated(claim: str, text: str) -> bool:
    """The aligner and the fact checks."""
    found = align(claim, text)
    return covered(claim, text) and found is not None and not failed(check(claim, found.read(text), wider=text))


RUNGS: dict[str, Callable[[str, str], bool]] = {
    "3 shared words of 5+ letters": shared_words(5, 3),
    "literal quotation": lambda claim, text: find_quote(claim, text) is not None,
    "alignment": covered,
    "alignment and facts": gated,
}


async def judge(rows: Sequence[Row]) -> list[Judgement]:
    """The default verifier's judgements, in order."""
    verifier = Verifier(PackagedEntailment())
    made: list[Judgement] = []
    for i in range(0, len(rows), BATCH):
        made += await verifier.judge([(r["claim"], r["evidence"]) for r in rows[i : i + BATCH]])
    return made


def check_precision(rows: Sequence[Row]) -> list[tuple[str, int, float]]:
    """By fact check: how often it failed, and in which part of those the claim was indeed not supported."""
    fired: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for r in rows:
        found = align(r["claim"], r["evidence"])
        text = found.read(r["evidence"]) if found else r["evidence"]
        for name in {x.check for x in failed(check(r["claim"], text, wider=r["evidence"]))}:
            fired[name] += 1
            right[name] += not _good(r)
    return [(name, count, right[name] / count) for name, count in fired.most_common()]


def main() -> None:
    """Print the ladder and the checks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("claims", nargs="?", type=Path, default=data_folder() / "claims.jsonl")
    rows = load(parser.parse_args().claims)
    for name, rule in RUNGS.items():
        print(f"{name:32s} macro {macro(rows, [rule(r['claim'], r['evidence']) for r in rows]):.3f}")
    start = time.monotonic()
    judged = asyncio.run(judge(rows))
    rate = len(rows) / (time.monotonic() - start)
    scores = [j.confidence for j in judged]
    said = [r for r, j in zip(rows, judged, strict=True) if j.verdict is Verdict.SUPPORTED]
    right = sum(map(_good, said))
    print(f"{'the verifier':32s} macro {macro(rows, [s >= 0.5 for s in scores]):.3f}, AUC {area(rows, scores):.3f}")  # noqa: PLR2004
    print(f"'supported' {len(said)} times: precision {right / max(1, len(said)):.3f}, ", end="")
    print(f"coverage {right / max(1, sum(map(_good, rows))):.3f}; {rate:.0f} claims a second")
    for name, count, precision in check_precision(rows):
        print(f"  {name:12s} failed {count:4d} times, rightly {precision:.2f}")


if __name__ == "__main__":
    main()
