"""The default entailment model keeps the contract of the seam."""

import threading
from pathlib import Path

import pytest

from rag_core.adapters.entailment import FeatureEntailment
from rag_core.errors import ModelUnavailable
from rag_core.features import NAMES, features

SAID = ("Staff get 25 days of leave.", "All staff get 25 days of annual leave.")
UNSAID = ("Staff get 25 days of leave.", "Parking is free for visitors on Sundays.")


async def test_scores_are_probabilities_in_order():
    """One for each pair; a span that says it scores above one that does not."""
    said, unsaid = await FeatureEntailment().score([SAID, UNSAID])
    assert 0 <= unsaid < 0.5 < said <= 1


async def test_a_score_does_not_depend_on_its_batch():
    """Alone or among others, the same pair scores the same."""
    model = FeatureEntailment()
    assert await model.score([SAID]) == (await model.score([UNSAID, SAID]))[1:]


async def test_no_pairs_no_scores():
    """Nothing in, nothing out."""
    assert await FeatureEntailment().score([]) == []


async def test_missing_weights_are_a_model_that_is_unavailable(tmp_path: Path):
    """Said in words that tell what to do, never a traceback of numpy."""
    damaged = tmp_path / "weights.npz"
    damaged.write_bytes(b"PK nothing")
    for path in (tmp_path / "none.npz", damaged):
        with pytest.raises(ModelUnavailable, match=r"eval\.train\.entailment"):
            await FeatureEntailment(weights=path).score([SAID])


def test_features_have_names():
    """One number for each name, whatever is given."""
    for claim, text in (SAID, ("", ""), ("?", "…"), ("25 %", "| a | b |\n| 25 | 3 |")):
        assert len(features(claim, text)) == len(NAMES)


async def test_a_closed_model_leaves_no_thread():
    """Its worker ends, and asking again fails loudly."""
    model = FeatureEntailment()
    await model.score([SAID])
    (worker,) = [t for t in threading.enumerate() if t.name.startswith("entailment") and t in model._worker._threads]
    await model.close()
    worker.join(timeout=5)
    assert not worker.is_alive()
    with pytest.raises(RuntimeError):
        await model.score([SAID])
