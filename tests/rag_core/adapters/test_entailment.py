"""The default entailment model keeps the contract of the seam."""

import threading
from pathlib import Path

import pytest

from rag_core.adapters.entailment import TREES, PackagedEntailment
from rag_core.adapters.pair_reader import UPPER_LAYERS, PairReader
from rag_core.adapters.trees import load_trees
from rag_core.checking.features import NAMES, features
from rag_core.errors import ModelUnavailable

SAID = ("Staff get 25 days of leave.", "All staff get 25 days of annual leave.")
UNSAID = ("Staff get 25 days of leave.", "Parking is free for visitors on Sundays.")
LONG = ("Parking is free.", "Parking costs four euros a day. " * 200)


@pytest.fixture(scope="module")
def reader() -> PairReader:
    """The half that reads, loaded once."""
    return PairReader()


async def test_scores_are_probabilities_in_order():
    """One for each pair; a span that says it scores above one that does not."""
    said, unsaid = await PackagedEntailment().score([SAID, UNSAID])
    assert 0 <= unsaid < 0.5 < said <= 1


def test_a_pair_reads_the_same_in_any_batch(reader: PairReader):
    """Alone, among longer ones and twice over: padding and order change nothing that matters."""
    alone = [reader.log_odds([pair])[0] for pair in (SAID, LONG, UNSAID)]
    together = reader.log_odds([SAID, LONG, UNSAID, SAID])
    assert together == pytest.approx([*alone, alone[0]], abs=1e-3)


def test_claim_and_span_are_not_the_same_to_the_reader(reader: PairReader):
    """Who says what to whom matters: the general supports the particular, and not the other way round."""
    general, particular = "All shops in the region closed at noon.", "The shop in Leith closed at noon."
    forward, backward = reader.log_odds([(particular, general), (general, particular)])
    assert forward > backward


async def test_no_pairs_no_scores():
    """Nothing in, nothing out."""
    assert await PackagedEntailment().score([]) == []


@pytest.mark.parametrize("half", ["trees", "layers"])
@pytest.mark.parametrize("content", [None, b"PK nothing"])
async def test_missing_weights_are_a_model_that_is_unavailable(tmp_path: Path, half: str, content: bytes | None):
    """Said in words that tell what to do, never a traceback of a library."""
    broken = tmp_path / "weights"
    if content is not None:
        broken.write_bytes(content)
    files = {"trees": TREES, "layers": UPPER_LAYERS, half: broken}
    with pytest.raises(ModelUnavailable, match=r"eval/train"):
        await PackagedEntailment(**files).score([SAID])


def test_the_shipped_trees_are_made_for_these_features():
    """As many features as have names, and each tree splits on one of them."""
    trees, blend = load_trees(TREES)
    assert trees.feature.max() < len(NAMES)
    assert all(blend[1:] > 0), "both halves count"


def test_features_have_names():
    """One number for each name, whatever is given."""
    for claim, text in (SAID, ("", ""), ("?", "…"), ("25 %", "| a | b |\n| 25 | 3 |")):
        assert len(features(claim, text)) == len(NAMES)


async def test_a_closed_model_leaves_no_thread():
    """Its worker ends, and asking again fails loudly."""
    model = PackagedEntailment()
    await model.score([SAID])
    (worker,) = [t for t in threading.enumerate() if t.name.startswith("entailment") and t in model._worker._threads]
    await model.close()
    worker.join(timeout=5)
    assert not worker.is_alive()
    with pytest.raises(RuntimeError):
        await model.score([SAID])
