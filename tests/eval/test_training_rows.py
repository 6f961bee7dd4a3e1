"""What the entailment model learns from: our own claims, and how rows come in rounds and batches."""

import itertools
import random
from collections import Counter

from eval.train.pairs import Pair, written
from eval.train.rounds import A_ROUND, batches, rounds


def row(dataset: str, number: int) -> Pair:
    """A row that learns nothing from."""
    return Pair(dataset, f"claim {number}", "span", supported=True, relation=None, held_out=False)


def test_our_own_claims_are_half_true_and_never_said_twice_of_a_text():
    """Each set of ours is balanced within a few points, so that the set alone tells nothing."""
    rows = list(written())
    assert len({(r["evidence"], r["claim"].casefold()) for r in rows}) == len(rows)
    for name, of_set in itertools.groupby(sorted(rows, key=lambda r: r["dataset"]), key=lambda r: r["dataset"]):
        labels = Counter(r["label"] for r in of_set)
        assert 0.45 <= labels["supported"] / labels.total() <= 0.55, name


def test_a_large_set_comes_in_turns_and_a_small_one_whole():
    """A round has every row of a small set; of a large one other rows than the round before."""
    large = [row("mnli", i) for i in range(3 * A_ROUND["mnli"])]
    small = [row("scifact", i) for i in range(5)]
    first, second = itertools.islice(rounds([*large, *small], 0.5, random.Random(1)), 2)
    taken = [{p for p in part if p.dataset == "mnli"} for part in (first, second)]
    assert [len(part) for part in taken] == [A_ROUND["mnli"] / 2] * 2
    assert not taken[0] & taken[1]
    assert all(set(small) <= set(part) for part in (first, second))


def test_batches_hold_every_item_once_and_no_more_padding_than_told():
    """Like with like: the longest of a batch, times its items, stays within the limit."""
    lengths = [3, 90, 4, 5, 88, 3, 120]
    made = list(batches(list(range(7)), lengths, 200))
    assert sorted(i for batch in made for i in batch) == list(range(7))
    assert all(len(batch) * max(lengths[i] for i in batch) <= 200 for batch in made)
