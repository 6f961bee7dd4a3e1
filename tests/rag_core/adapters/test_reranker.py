"""Any cross-encoder, by name or path."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag_core.adapters.reranker import CrossEncoderReranker
from rag_core.errors import ModelUnavailable
from tests.builders import chunk_of
from tests.models import saved_cross_encoder


async def test_each_chunk_is_read_with_the_question(tmp_path: Path):
    """One score a chunk, the same whatever stands beside it, and another for another question."""
    reranker = CrossEncoderReranker(str(saved_cross_encoder(tmp_path, outputs=1)), window=64)
    tide, leave = chunk_of("the tide turns"), chunk_of("the leave is long", page=2)
    both = await reranker.score("the tide", [tide, leave])
    assert both == pytest.approx(
        [*await reranker.score("the tide", [tide]), *await reranker.score("the tide", [leave])]
    )
    assert both != pytest.approx(await reranker.score("long leave", [tide, leave]))
    assert await reranker.score("the tide", []) == []
    await reranker.close()


async def test_a_model_that_does_not_rank_is_refused(tmp_path: Path):
    """A classifier of three classes gives no order, and it is said which setting to change."""
    reranker = CrossEncoderReranker(str(saved_cross_encoder(tmp_path, outputs=3)), window=64)
    with pytest.raises(ModelUnavailable, match="PINCITE_RERANKER"):
        await reranker.score("the tide", [chunk_of("the tide turns")])
    await reranker.close()


async def test_a_model_that_is_not_there_is_named(tmp_path: Path):
    """And how to go on without it."""
    reranker = CrossEncoderReranker(str(tmp_path / "none"))
    with pytest.raises(ModelUnavailable, match=r"none.*leave it unset"):
        await reranker.score("the tide", [chunk_of("the tide turns")])
    await reranker.close()
