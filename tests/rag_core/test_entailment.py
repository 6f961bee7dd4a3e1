"""The default entailment model keeps the contract of the seam."""

from rag_core.adapters.embedder import SentenceTransformerEmbedder
from rag_core.adapters.entailment import FeatureEntailment


async def test_scores_are_probabilities_in_order():
    """One for each pair; a span that says it scores above one that does not."""
    said, unsaid = await FeatureEntailment(SentenceTransformerEmbedder()).score(
        [("Leave is 25 days.", "Annual leave is 25 days."), ("Leave is 25 days.", "Parking is free on Sundays.")]
    )
    assert 0 <= unsaid < 0.5 < said <= 1


async def test_no_pairs_no_scores():
    """Nothing in, nothing out."""
    assert await FeatureEntailment(SentenceTransformerEmbedder()).score([]) == []
