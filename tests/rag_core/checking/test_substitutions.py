"""A sentence of a text with a word of another sentence in it is no sentence of that text."""

import pytest

from rag_core.checking.facts import check
from rag_core.checking.substitutions import substituted

TEXT = (
    "Electric cars may charge for four hours at a time, at 19 pence a unit. "
    "Section 416 is about residual payments for writers and actors. "
    "The boats of the harbour office are painted each May. "
    "Section 112 is about recordings that a station makes."
)


@pytest.mark.parametrize(
    ("claim", "pair"),
    [
        ("Section 112 is about residual payments for writers and actors.", ("112", "416")),
        ("Harbour boats may charge for four hours at a time, at 19 pence a unit.", ("harbour boats", "electric cars")),
        ("Electric cars may charge for four hours at a time, at 416 pence a unit.", ("416", "19")),
    ],
)
def test_a_word_from_another_sentence_is_noticed(claim: str, pair: tuple[str, str]):
    """Both words are named: the claim's, and the one in whose place it stands."""
    assert substituted(claim, TEXT, TEXT) == pair
    assert any(not reason.ok for reason in check(claim, TEXT))


@pytest.mark.parametrize(
    "claim",
    [
        "Electric cars may charge for four hours at a time, at 19 pence a unit.",
        "At 19 pence a unit, electric cars may charge for four hours at a time.",
        "Electric cars can charge for four hours at a time, at 19 pence a unit.",
        "Section 416 is about residual payments to writers and actors.",
        "Section 416 deals with residual payments for writers and actors.",
        "The harbour office's boats are painted each May.",
    ],
)
def test_other_words_of_its_own_are_another_way_to_say_it(claim: str):
    """What no other sentence has is no mix-up: whether it means the same is for others to say."""
    assert substituted(claim, TEXT, TEXT) is None


def test_a_pronoun_may_stand_for_what_is_named_elsewhere():
    """Who "she" is, the sentence before it says."""
    text = "Miss Lavant walked on the promenade. She was in love with the doctor of the town."
    assert substituted("Miss Lavant was in love with the doctor of the town.", text, text) is None


def test_two_sentences_that_are_much_alike_are_not_mixed():
    """Each figure is there, beside the other one's."""
    text = "It is good to 5 mm and is serviced every 24 months. It is good to 3 mm and is serviced every 18 months."
    assert substituted("It is good to 5 mm and is serviced every 18 months.", text, text) is not None
    assert substituted("It is good to 3 mm and is serviced every 18 months.", text, text) is None
