"""A ranking and the pages that answer to the field's metrics of retrieval. Pure.

A ranking is of pages, each at the place of its first passage. Every page that answers has the same grade.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence

Place = tuple[str, int]
"""(document, page)."""


def ranking(places: Iterable[Place]) -> tuple[Place, ...]:
    """Each place once, where it came first.

    >>> ranking([("a", 2), ("a", 1), ("a", 2)])
    (('a', 2), ('a', 1))
    """
    return tuple(dict.fromkeys(places))


def recall(ranked: Sequence[Place], gold: Collection[Place], k: int) -> float:
    """R@k: the part of the relevant pages that are among the first k (Manning, Raghavan and Schütze, 2008, 8.4).

    >>> recall([("a", 4), ("a", 1), ("a", 9)], {("a", 1), ("a", 2)}, 2)
    0.5
    """
    return sum(place in gold for place in ranked[:k]) / len(gold)


def hit(ranked: Sequence[Place], gold: Collection[Place], k: int) -> float:
    """hit@k, also success@k: 1 when any of the first k is relevant. hit@1 is precision@1."""
    return float(any(place in gold for place in ranked[:k]))


def reciprocal_rank(ranked: Sequence[Place], gold: Collection[Place], k: int) -> float:
    """1 / the rank of the first relevant page, 0 when none is among the first k; its mean is MRR@k (Voorhees, 1999).

    >>> reciprocal_rank([("a", 4), ("a", 1)], {("a", 1)}, 10)
    0.5
    """
    return next((1 / rank for rank, place in enumerate(ranked[:k], start=1) if place in gold), 0.0)


def ndcg(ranked: Sequence[Place], gold: Collection[Place], k: int) -> float:
    """nDCG@k with grades 0 and 1 and the discount 1 / log2(rank + 1) (Järvelin and Kekäläinen, 2002).

    >>> round(ndcg([("a", 4), ("a", 1)], {("a", 1)}, 10), 4)
    0.6309
    """
    gained = sum(_discount(rank) for rank, place in enumerate(ranked[:k], start=1) if place in gold)
    return gained / sum(_discount(rank) for rank in range(1, min(len(gold), k) + 1))


def _discount(rank: int) -> float:
    return 1 / math.log2(rank + 1)
