"""Fusion reads ranks alone."""

from __future__ import annotations

from builders import document_id
from hypothesis import given
from hypothesis import strategies as st

from rag_core.finding.fusion import RRF_K, reciprocal_rank_fusion
from rag_core.types import ChunkId, Hit

run = st.lists(st.sampled_from("abcdefgh"), unique=True).map(
    lambda names: [Hit(ChunkId(name), document_id(1), 1, float(-i)) for i, name in enumerate(names)]
)


def test_the_formula_by_hand():
    """A chunk that is second in both lists beats one that is first in one only."""
    first, second = (Hit(ChunkId(name), document_id(1), 1, 0.0) for name in "ab")
    third = Hit(ChunkId("c"), document_id(1), 1, 0.0)
    fused = reciprocal_rank_fusion([[first, second], [third, second]])
    assert [hit.chunk_id for hit in fused] == ["b", "a", "c"]
    assert fused[0].score == 2 / (RRF_K + 2)


@given(st.lists(run, max_size=3), st.floats(0.001, 1000))
def test_the_scale_of_scores_changes_nothing(runs: list[list[Hit]], factor: float):
    """BM25 and cosine share no scale, so none may matter."""
    scaled = [[Hit(h.chunk_id, h.document_id, h.page, h.score * factor + 7) for h in one] for one in runs]
    assert [h.chunk_id for h in reciprocal_rank_fusion(runs)] == [h.chunk_id for h in reciprocal_rank_fusion(scaled)]


@given(st.lists(run, max_size=3))
def test_each_chunk_comes_once(runs: list[list[Hit]]):
    """Nothing is lost and nothing doubled."""
    fused = [hit.chunk_id for hit in reciprocal_rank_fusion(runs)]
    assert sorted(fused) == sorted({hit.chunk_id for one in runs for hit in one})
