"""Boosted trees as plain arrays: features that a person could count to log-odds. Runs on numpy alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag_core.adapters.pair_reader import unavailable
from rag_core.checking.features import NAMES, features

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DEEPEST = 64
"""Steps after which a walk down a tree ends, whatever its arrays say: a damaged file must not hang a worker."""


@dataclass(frozen=True, slots=True)
class Trees:
    """The trees' nodes one after the other: `starts` has each tree's first, a leaf has feature -1."""

    feature: NDArray[np.int16]
    threshold: NDArray[np.float64]
    left: NDArray[np.int16]
    right: NDArray[np.int16]
    value: NDArray[np.float32]
    starts: NDArray[np.int32]
    base: float

    def log_odds(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """Shape (pairs,): how far each span supports its claim, before calibration."""
        import numpy as np

        rows = [features(claim, span) for claim, span in pairs]
        return self.of_features(np.array(rows, np.float32).reshape(len(rows), len(NAMES)))

    def of_features(self, table: NDArray[np.float32]) -> NDArray[np.float64]:
        """Shape (rows,): every row walks down every tree at once; the leaves' log-odds add up."""
        import numpy as np

        x = table.astype(np.float64)
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
        made: NDArray[np.float64] = self.base + self.value[at].sum(axis=1, dtype=np.float64)
        return made


def load_trees(path: Path) -> tuple[Trees, NDArray[np.float64]]:
    """The trees of a file, and its `blend`: the shift, and the weights of the trees' and of the reader's log-odds.

    Raises:
        ModelUnavailable: The file is missing, damaged, or made for other features.
    """
    import numpy as np

    try:
        with np.load(path, allow_pickle=False) as file:
            if tuple(file["names"]) != NAMES or file["blend"].shape != (3,):
                raise unavailable(path)
            arrays: dict[str, Any] = {n: file[n] for n in ("feature", "threshold", "left", "right", "value", "starts")}
            return Trees(**arrays, base=float(file["base"])), file["blend"]
    except (OSError, KeyError, ValueError, TypeError) as exc:
        raise unavailable(path) from exc
