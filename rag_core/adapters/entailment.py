"""Entailment scores by two small models of our own: one counts, the other reads, and a line weighs them.

Boosted trees see numbers that do not agree and words that are missing; the reader sees who did what. Each is weak where
the other is strong (`docs/verification.md` has the ladder). Both ship beside this file, are loaded on first use and run
on one worker thread, so that the event loop never waits for them. No network.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from rag_core.adapters.pair_reader import UPPER_LAYERS, PairReader, weights_digest
from rag_core.adapters.trees import Trees, load_trees

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TREES = Path(__file__).with_name("entailment_weights.npz")


class PackagedEntailment:
    """Implements `EntailmentModel`; `close` it, or its thread stays."""

    def __init__(self, *, trees: Path = TREES, layers: Path = UPPER_LAYERS) -> None:
        self._path = trees
        self._reader = PairReader(layers)
        self._loaded: tuple[Trees, NDArray[np.float64]] | None = None
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="entailment")

    @property
    def version(self) -> str:
        """The digests of both models: a score can change with them only."""
        return f"{weights_digest(self._path)}-{self._reader.version}"

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
        if self._loaded is None:
            self._loaded = load_trees(self._path)
        trees, (shift, counted, read) = self._loaded
        odds = shift + counted * trees.log_odds(pairs) + read * np.array(self._reader.log_odds(pairs))
        return [float(p) for p in 1 / (1 + np.exp(-odds))]
