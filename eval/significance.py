"""Paired scores of two systems to the probability that chance alone made so large a difference. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

PERMUTATIONS = 10_000
"""The least p that can be told is one in so many; a set of under 14 questions is counted out in full."""
SEED = 20_240_229
EXACT = 13
"""Differences whose signs are all tried: 2^13 is fewer than the random ones."""


def mcnemar(won: int, lost: int) -> float:
    """The exact two-sided p of McNemar's test (1947): of the flipped questions, could a fair coin have done it?

    `won` and `lost` are the questions that only one of the two got right; those on which they agree say nothing.

    >>> mcnemar(8, 1), mcnemar(3, 3)
    (0.0390625, 1.0)
    """
    from scipy.stats import binomtest

    if won + lost == 0:
        return 1.0
    return float(binomtest(won, won + lost, 0.5).pvalue)


def permutation(differences: Sequence[float]) -> float:
    """The two-sided p of Fisher's randomisation test on paired differences (Smucker, Allan and Carterette, 2007).

    Under no difference each sign might as well be the other. All are tried where that is few, else a fixed sample; the
    observed one counts among them, so that p is never zero.

    >>> permutation([0.5, 0.5, 0.5])
    0.25
    """
    d = np.asarray([value for value in differences if value], float)
    if not len(d):
        return 1.0
    if len(d) <= EXACT:
        bits = (np.arange(2 ** len(d))[:, None] >> np.arange(len(d))) & 1
        sums = np.abs((2 * bits - 1) @ d)
        return float(np.mean(sums >= abs(d.sum()) - 1e-12))
    signs = np.random.default_rng(SEED).choice((-1.0, 1.0), (PERMUTATIONS, len(d)))
    as_large = int((np.abs(signs @ d) >= abs(d.sum()) - 1e-12).sum())
    return (as_large + 1) / (PERMUTATIONS + 1)
