"""Rows to rounds, and rounds to batches: what is learnt from, and in which order. Pure."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TypeVar

from eval.train.pairs import Pair

T = TypeVar("T")

A_ROUND = {
    "mnli": 9000, "snli": 3000, "conjnli": 5000, "med": 1200, "help": 600, "mpe": 700,
    "infotabs": 2500, "negation_nli": 1200, "synthetic-literal": 1500, "synthetic-negation": 700,
    "synthetic-number": 900, "synthetic-name": 900, "synthetic-elsewhere": 500,
}  # fmt: skip
"""Rows of the sets that are large, or far from what an answer about a document looks like."""


def rounds(rows: Sequence[Pair], share: float, chance: random.Random) -> Iterator[list[Pair]]:
    """Without end: all of each set, or the next `share` of its `A_ROUND`, so that a large set comes in turns."""
    sets: dict[str, list[Pair]] = defaultdict(list)
    for row in rows:
        sets[row.dataset].append(row)
    for of_set in sets.values():
        chance.shuffle(of_set)
    begun = 0
    while True:
        taken: list[Pair] = []
        for name, of_set in sets.items():
            count = min(round(share * A_ROUND[name]) if name in A_ROUND else len(of_set), len(of_set))
            taken += [of_set[(begun * count + i) % len(of_set)] for i in range(count)]
        yield taken
        begun += 1


def batches(items: Sequence[T], lengths: Sequence[float], most: int) -> Iterator[list[T]]:
    """The items, like with like in length, so that padding keeps a batch below `most` tokens."""
    batch: list[T] = []
    for i in sorted(range(len(items)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[i] > most:
            yield batch
            batch = []
        batch.append(items[i])
    if batch:
        yield batch
