"""Entailment scores by a small model of our own: boosted trees over features that a person could count.

The weights ship beside this file as plain arrays (`eval/train` has the script and the model card). They are loaded on
first use and run on one worker thread, so that the event loop never waits for them. No network, no torch.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from rag_core.errors import ModelUnavailable
from rag_core.features import NAMES, features

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WEIGHTS = Path(__file__).with_name("entailment_weights.npz")

DEEPEST = 64
"""Steps after which a walk down a tree ends, whatever its arrays say: a damaged file must not hang a worker."""


@dataclass(frozen=True, slots=True)
class _Trees:
    """The trees' nodes one after the other: `starts` has each tree's first, a leaf has feature -1."""

    feature: NDArray[np.int16]
    threshold: NDArray[np.float64]
    left: NDArray[np.int16]
    right: NDArray[np.int16]
    value: NDArray[np.float32]
    starts: NDArray[np.int32]
    base: float
    slope: float
    shift: float

    def probabilities(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Shape (rows,): every row walks down every tree at once; the leaves' log-odds add up."""
        import numpy as np

        at = np.broadcast_to(self.starts, (len(x), len(self.starts))).copy()
        rows = np.arange(len(x))[:, None]
        for _ in range(DEEPEST):
            feature = self.feature[at]
            inner = feature >= 0
            if not inner.any():
                break
            goes_left = x[rows, np.maximum(feature, 0)] <= self.threshold[at]
            step = np.where(goes_left, self.left[at], self.right[at])
            at = np.where(inner, self.starts + step, at)
        raw = self.base + self.value[at].sum(axis=1, dtype=np.float64)
        made: NDArray[np.float64] = 1 / (1 + np.exp(-(self.slope * raw + self.shift)))
        return made


class FeatureEntailment:
    """Implements `EntailmentModel`. Needs no other model; `close` it, or its thread stays."""

    def __init__(self, *, weights: Path = WEIGHTS) -> None:
        self._weights = weights
        self._trees: _Trees | None = None
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="entailment")

    @property
    def version(self) -> str:
        """The digest of the weights: a score can change with them only."""
        return f"trees-{_digest(self._weights)}"

    async def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The probability that each span supports its claim, in order."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, self._score, list(pairs))

    async def close(self) -> None:
        """Let the thread go, once the scores that it works on are made; what waits behind them is dropped."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    def _score(self, pairs: list[tuple[str, str]]) -> list[float]:
        import numpy as np

        if not pairs:
            return []
        if self._trees is None:
            self._trees = _load(self._weights)
        x = np.array([features(claim, span) for claim, span in pairs], np.float32).astype(np.float64)
        return [float(p) for p in self._trees.probabilities(x)]


@lru_cache(maxsize=8)
def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    except OSError as exc:
        raise _unavailable(path) from exc


def _load(path: Path) -> _Trees:
    import numpy as np

    try:
        with np.load(path, allow_pickle=False) as file:
            if tuple(file["names"]) != NAMES:
                raise _unavailable(path)
            base, slope, shift = map(float, file["base"])
            return _Trees(
                feature=file["feature"],
                threshold=file["threshold"],
                left=file["left"],
                right=file["right"],
                value=file["value"],
                starts=file["starts"],
                base=base,
                slope=slope,
                shift=shift,
            )
    except (OSError, KeyError, ValueError) as exc:
        raise _unavailable(path) from exc


def _unavailable(path: Path) -> ModelUnavailable:
    return ModelUnavailable(
        f"The entailment weights {path.name!r} are missing, damaged or made for other features: reinstall Pincite, or "
        "make them with `python -m eval.train.entailment`."
    )
