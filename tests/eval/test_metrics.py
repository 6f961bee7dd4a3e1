"""Metrics agree with examples worked by hand, and with an independent implementation."""

import math
import random

import pytest
import pytrec_eval

from eval import answers, intervals, ranked
from eval.intervals import Estimate
from eval.significance import mcnemar, permutation

GOLD = {("a", 1), ("a", 2)}
FOUND = [("a", 9), ("a", 1), ("b", 2), ("a", 2)]


def test_retrieval_by_hand():
    """Of two relevant pages the second and the fourth place have one each."""
    assert ranked.hit(FOUND, GOLD, 1) == 0
    assert ranked.hit(FOUND, GOLD, 2) == 1
    assert ranked.recall(FOUND, GOLD, 3) == 0.5
    assert ranked.reciprocal_rank(FOUND, GOLD, 10) == 0.5
    gained = 1 / math.log2(3) + 1 / math.log2(5)
    assert ranked.ndcg(FOUND, GOLD, 10) == pytest.approx(gained / (1 + 1 / math.log2(3)))
    assert ranked.ndcg([], GOLD, 10) == ranked.reciprocal_rank([], GOLD, 10) == 0


def test_retrieval_agrees_with_trec_eval():
    """On two hundred random rankings, by the evaluator that TREC uses."""
    draw = random.Random(7)
    names = [f"d{i}" for i in range(30)]
    rankings = {str(q): draw.sample(names, draw.randint(0, 20)) for q in range(200)}
    gold = {str(q): draw.sample(names, draw.randint(1, 4)) for q in range(200)}
    judge = pytrec_eval.RelevanceEvaluator(
        {q: dict.fromkeys(pages, 1) for q, pages in gold.items()}, {"recall.5", "ndcg_cut.10", "success.1,5"}
    )
    theirs = judge.evaluate({q: {n: 100.0 - i for i, n in enumerate(found)} for q, found in rankings.items()})
    first = pytrec_eval.RelevanceEvaluator({q: dict.fromkeys(p, 1) for q, p in gold.items()}, {"recip_rank"})
    ranks = first.evaluate({q: {n: 100.0 - i for i, n in enumerate(found[:10])} for q, found in rankings.items()})
    for q, found in rankings.items():
        if not found:
            continue  # trec_eval leaves out a query that found nothing, and we count it as zero
        places, relevant = [(n, 1) for n in found], {(n, 1) for n in gold[q]}
        assert ranked.recall(places, relevant, 5) == pytest.approx(theirs[q]["recall_5"])
        assert ranked.ndcg(places, relevant, 10) == pytest.approx(theirs[q]["ndcg_cut_10"])
        assert ranked.hit(places, relevant, 1) == theirs[q]["success_1"]
        assert ranked.hit(places, relevant, 5) == theirs[q]["success_5"]
        assert ranked.reciprocal_rank(places, relevant, 10) == pytest.approx(ranks[q]["recip_rank"])


@pytest.mark.parametrize(
    ("text", "wanted", "score"),
    [
        ("Grade 4 has 28 days [2].", ["28 days"], 1.0),
        ("Grade 4 has 128 days.", ["28 days"], 0.0),
        ("The revenue was 4,523,000 dollars.", ["4523000"], 1.0),
        ("It opened in May.", ["opened", "June"], 0.0),
        ("", ["anything"], 0.0),
    ],
)
def test_an_answer_contains_whole_words(text: str, wanted: list[str], score: float):
    """All of what is wanted, in the answer's own words or not, but never inside another number."""
    assert answers.contains(text, wanted) == score


def test_f1_by_hand():
    """Two of four words said are wanted, and two of two wanted are said: P 1/2, R 1, F1 2/3."""
    assert answers.f1("exactly twenty-eight days", "eight days") == pytest.approx(2 / 3)
    assert answers.f1("nothing of it", "28 days") == 0


@pytest.mark.parametrize(
    ("text", "wanted", "score"),
    [
        ("It was 4.5 million in all.", "4,500,000", 1.0),
        ("Three years [1].", "3 years", 1.0),
        ("Page 3 says five.", "4", 0.0),
        ("Anything.", "an airport", None),
        ("Nothing here [28].", "28 days", 0.0),
    ],
)
def test_numbers_match_in_any_writing(text: str, wanted: str, score: float | None):
    """A marker is no number of the answer."""
    assert answers.numbers_match(text, wanted) == score


def test_wilson_by_the_book():
    """The example of Wilson's interval for 8 of 10; with no failure it still has a width."""
    e = intervals.proportion(8, 10)
    assert e is not None
    assert (round(e.low, 4), round(e.high, 4)) == (0.4902, 0.9433)
    whole = intervals.proportion(10, 10)
    assert whole is not None
    assert whole.high == 1
    assert 0.7 < whole.low < 0.75
    assert intervals.proportion(0, 0) is None


def test_a_ratio_is_of_sums_and_its_interval_is_always_the_same():
    """Nine right claims of ten, though half the answers are wrong altogether."""
    e = intervals.ratio([9, 0], [9, 1])
    assert e is not None
    assert e.value == 0.9
    assert e.low < 0.9 < e.high
    assert e == intervals.ratio([9, 0], [9, 1])
    assert intervals.ratio([0, 0], [0, 0]) is None
    assert intervals.mean([]) is None


def test_balanced_accuracy_is_of_classes_not_of_rows():
    """Always "false" on three false claims and a true one is right three times in four, and worth a coin."""
    e = intervals.balanced([[0.0], [1.0, 1.0, 1.0]])
    assert e is not None
    assert (e.value, e.n) == (0.5, 4)
    assert intervals.balanced([[], [1.0]]) is None


def test_nothing_measured_is_no_estimate():
    """There is no way to write a zero that stands for nothing."""
    with pytest.raises(ValueError, match="nothing was measured"):
        Estimate(0.0, 0.0, 0.0, 0)


def test_mcnemar_by_hand():
    """9 flips of which 8 one way: twice (1 + 9) / 2^9."""
    assert mcnemar(8, 1) == pytest.approx(2 * (1 + 9) / 2**9)
    assert mcnemar(0, 0) == 1.0


def test_a_permutation_test_counts_signs():
    """Three equal differences: two of the eight sign patterns are as extreme. Many: never zero, and always the same."""
    assert permutation([0.5, 0.5, 0.5]) == 0.25
    assert permutation([]) == permutation([0.0]) == 1.0
    many = [0.1] * 40
    assert 0 < permutation(many) < 0.001
    assert permutation(many) == permutation(many)
