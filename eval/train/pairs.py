"""The rows that the entailment model learns from: public ones and our own, each with the span that it is judged on."""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.unanswerable import data_folder
from rag_core.checking.alignment import align

WRITTEN = Path(__file__).with_name("written_claims.jsonl")
"""Our own claims: true paraphrases and hard falsehoods about the same texts, in pairs."""

SHORT = 45
"""Words of evidence that are read whole: a line or two needs no alignment."""
UNALIGNED = 700
"""Characters that are read where no span bears on the claim."""
HELD_OUT = 0.08
"""The share of texts whose rows are never learnt from."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim and the span that it is judged on."""

    dataset: str
    claim: str
    span: str
    supported: bool
    relation: str | None
    """entailed, neutral or contradicted, where a set tells."""
    held_out: bool


def pairs(caps: Mapping[str, int]) -> list[Pair]:
    """All that may be learnt from, at most `caps` of a set; none of a licence that is non-commercial or for research.

    What is held out is chosen by evidence, so that no text is on both sides.
    """
    with (data_folder() / "claims_train.jsonl").open(encoding="utf-8") as lines:
        public = [row for line in lines if _free(row := json.loads(line))]
    by: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in public:
        by[row["dataset"]].append(row)
    made = []
    for name, rows in sorted(by.items()):
        random.Random(name).shuffle(rows)  # noqa: S311 - a fixed sample, no secret
        made += [_pair(row) for row in rows[: caps.get(name)]]
    return made + [_pair(row) for row in written()]


def written(path: Path = WRITTEN) -> Iterable[dict[str, Any]]:
    """Our own rows, one a claim; the file has one line a text."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            text = json.loads(line)
            for claim in text["claims"]:
                yield {
                    "dataset": text["dataset"],
                    "evidence": text["evidence"],
                    "claim": claim["text"],
                    "label": "supported" if claim["supported"] else "unsupported",
                    "relation": "entailed" if claim["supported"] else None,
                }


def clean(text: str) -> str:
    """Without the marks that some sets put around words."""
    return re.sub(r"</?[bu]>", "", text).replace("-LRB- ", "(").replace(" -RRB-", ")")


def _free(row: Mapping[str, Any]) -> bool:
    return not row["license"].startswith("research") and "non-commercial" not in row["license"].lower()


def _pair(row: Mapping[str, Any]) -> Pair:
    claim, evidence = clean(row["claim"]), clean(row["evidence"])
    span = evidence
    if len(evidence.split()) > SHORT:
        found = align(claim, evidence)
        span = found.read(evidence) if found else evidence[:UNALIGNED]
    held_out = random.Random(evidence[:80]).random() < HELD_OUT  # noqa: S311 - a fixed choice, no secret
    return Pair(row["dataset"], claim, span, row["label"] == "supported", row.get("relation"), held_out)
