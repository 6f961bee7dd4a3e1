"""Text to terms: the same whoever asks, and how often."""

# ruff: noqa: RUF001 - signs as texts have them

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from hypothesis import given
from hypothesis import strategies as st

from rag_core.text.terms import counted, terms

PIECES = st.sampled_from(
    ["Leave", "leaves", "company's", "4,523,000", "4523000", "1.7", "7", "s", "résumé", "Zürich", "policy", "policies",
     "the", "rock'n'roll", "(paid)", "a,b", "12/31/2020", "－", "ﬁscal", "\u00a0", "naïve.", "O’Leary"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=30).map(" ".join), st.lists(PIECES, max_size=6).map(" ".join))
def test_counting_is_counting_the_terms(text: str, question: str):
    """Numbers in groups, accents and short words too."""
    wanted = frozenset(terms(question))
    assert counted(text, wanted) == Counter(term for term in terms(text) if term in wanted)


def test_a_number_is_counted_however_it_is_grouped():
    """The term has no commas, and the text has."""
    assert counted("It cost 4,523,000.", frozenset(terms("4523000"))) == {"4523000": 1}


def test_threads_do_not_mix_their_words():
    """Words that nobody met before are stemmed at the same time in many threads, and come out as they do alone."""
    texts = [" ".join(f"relational{n}ities contesting{n}s hopeful{n}ness" for n in range(i, i + 400)) for i in range(8)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(terms, texts * 4))
    assert together == [terms(text) for text in texts] * 4
    assert all(term[:4] in {"rela", "cont", "hope"} for found in together for term in found)
