"""Several ranked lists of hits to one. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rag_core.types import ChunkId, Hit

RRF_K = 60
"""The constant of the original paper, whose results barely depend on it."""


def reciprocal_rank_fusion(runs: Iterable[Sequence[Hit]], *, k: int = RRF_K) -> list[Hit]:
    """Merge ranked lists by rank alone (Cormack, Clarke and Büttcher, 2009).

    A chunk at rank r of a run earns 1 / (k + r), and its fused score is the sum over the runs that found it.
    Chunks that tie stay in the order they were first seen, so equal inputs give equal outputs.
    """
    scores: dict[ChunkId, float] = {}
    first: dict[ChunkId, Hit] = {}
    for run in runs:
        for rank, hit in enumerate(run, start=1):
            scores[hit.chunk_id] = scores.get(hit.chunk_id, 0.0) + 1 / (k + rank)
            first.setdefault(hit.chunk_id, hit)
    return sorted(
        (replace(hit, score=scores[chunk_id]) for chunk_id, hit in first.items()),
        key=lambda hit: hit.score,
        reverse=True,
    )
