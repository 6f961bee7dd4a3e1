"""Any model of language inference, by name or path."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag_core.adapters.nli import CrossEncoderEntailment
from rag_core.errors import ModelUnavailable
from tests.models import saved_cross_encoder

PAIRS = [("the tide turns", "the leave is long"), ("leave is long", "the leave is long")]


async def test_the_outcome_that_means_support_is_found_by_its_label(tmp_path: Path):
    """Models number their outcomes each in its own way; the chances of all three add up to one."""
    orders = [("contradiction", "entailment", "neutral"), ("Entailment", "neutral", "contradiction")]
    scores = []
    for number, labels in enumerate(orders):
        model = CrossEncoderEntailment(str(saved_cross_encoder(tmp_path / str(number), labels=labels)), window=64)
        scores.append(await model.score(PAIRS))
        await model.close()
    assert all(0 < score < 1 for both in scores for score in both)
    assert scores[0] != pytest.approx(scores[1]), "the same weights, another outcome"


async def test_one_output_is_a_logit_of_support(tmp_path: Path):
    """As consistency models have it; a pair scores the same alone and among others."""
    model = CrossEncoderEntailment(str(saved_cross_encoder(tmp_path, outputs=1)), window=64)
    both = await model.score(PAIRS)
    assert both == pytest.approx([(await model.score([pair]))[0] for pair in PAIRS])
    assert await model.score([]) == []
    await model.close()


async def test_a_model_without_an_outcome_of_support_is_refused(tmp_path: Path):
    """A classifier of moods says nothing of support, and it is said which setting to change."""
    model = CrossEncoderEntailment(str(saved_cross_encoder(tmp_path, labels=("glad", "sad"))), window=64)
    with pytest.raises(ModelUnavailable, match="PINCITE_ENTAILMENT"):
        await model.score(PAIRS)
    await model.close()


async def test_a_model_that_is_not_there_is_unavailable(tmp_path: Path):
    """Said with the setting's name."""
    model = CrossEncoderEntailment(str(tmp_path / "none"))
    with pytest.raises(ModelUnavailable, match="PINCITE_ENTAILMENT"):
        await model.score(PAIRS)
    await model.close()
