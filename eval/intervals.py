"""Measurements to 95 % intervals, so that a figure over thirty questions is not read as one over thirty thousand. Pure.

The same values give the same interval: the bootstrap draws from a generator with a fixed seed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

Z = 1.959963984540054
"""The 97.5th percentile of the standard normal distribution: 95 % lie within so many deviations."""
RESAMPLES = 2_000
"""Enough for the ends of a 95 % interval to stand still in the second decimal."""
SEED = 20_240_229
"""Any number: it only has to be the same one."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure, the 95 % interval around it, and over how many it was taken."""

    value: float
    low: float
    high: float
    n: int

    def __post_init__(self) -> None:
        if self.n < 1:
            raise ValueError("nothing was measured: that is no estimate, and never zero")


def proportion(successes: int, n: int) -> Estimate | None:
    """A share of independent trials with Wilson's score interval (Wilson, 1927); None when nothing was tried.

    It holds near 0 and 1, where the textbook's normal interval has no width at all.

    >>> e = proportion(8, 10)
    >>> round(e.value, 2), round(e.low, 3), round(e.high, 3)
    (0.8, 0.49, 0.943)
    """
    if n == 0:
        return None
    p = successes / n
    centre = (p + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z / (1 + Z**2 / n) * math.sqrt(p * (1 - p) / n + Z**2 / (4 * n**2))
    return Estimate(p, max(0.0, min(p, centre - half)), min(1.0, max(p, centre + half)), n)


def mean(values: Sequence[float]) -> Estimate | None:
    """The mean of a score a question, with the percentile bootstrap's interval (Efron, 1979); None for no values."""
    return ratio(values, [1.0] * len(values))


def ratio(parts: Sequence[float], wholes: Sequence[float]) -> Estimate | None:
    """Sum over sum, where each pair comes from one question; None when the wholes are nothing.

    Claims of one answer stand or fall together, so that questions are drawn anew, not claims (the cluster bootstrap,
    Davison and Hinkley, 1997, section 3.8). Where all questions agree there is nothing to draw from, and the interval
    is Wilson's over the questions.
    """
    part, whole = np.asarray(parts, float), np.asarray(wholes, float)
    if whole.sum() == 0:
        return None
    value, n = float(part.sum() / whole.sum()), int((whole > 0).sum())
    own = part[whole > 0] / whole[whole > 0]
    if np.all(own == own[0]):
        if own[0] in {0.0, 1.0}:
            return proportion(round(own[0] * n), n)
        return Estimate(value, value, value, n)
    drawn = np.random.default_rng(SEED).integers(0, len(part), (RESAMPLES, len(part)))
    sums = whole[drawn].sum(axis=1)
    ratios = part[drawn].sum(axis=1)[sums > 0] / sums[sums > 0]
    low, high = np.percentile(ratios, [2.5, 97.5])
    return Estimate(value, float(low), float(high), n)


def balanced(classes: Sequence[Sequence[float]]) -> Estimate | None:
    """The mean of the classes' own means, each drawn anew within itself; None when a class has no value.

    Balanced accuracy (Brodersen et al., 2010): of a set that is three quarters false, always "false" gets 0.5.
    """
    if not all(classes):
        return None
    arrays = [np.asarray(values, float) for values in classes]
    value = float(np.mean([values.mean() for values in arrays]))
    draw = np.random.default_rng(SEED)
    means = [a[draw.integers(0, len(a), (RESAMPLES, len(a)))].mean(axis=1) for a in arrays]
    low, high = np.percentile(np.mean(means, axis=0), [2.5, 97.5])
    return Estimate(value, float(low), float(high), sum(map(len, arrays)))


def percentile(values: Sequence[float], q: float) -> float:
    """The value that `q` per cent of `values` do not pass, between neighbours in proportion (R's type 7)."""
    return float(np.percentile(np.asarray(values, float), q))
