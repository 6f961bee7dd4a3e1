"""Entailment scores by a small model of our own, from how a claim and a span compare word by word.

Loaded on first use, run on one worker thread, so that the event loop never waits for it.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from rag_core import facts
from rag_core.alignment import words
from rag_core.protocols import Embedder

STEEPNESS = 8.0
MIDDLE = 0.62
FAILED_CHECK = 1.5


class FeatureEntailment:
    """The first rung: the part of a claim's words that the span says, and what the fact checks made of it."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="entailment")

    @property
    def version(self) -> str:
        """Changes whenever a score may."""
        return "lexical-1"

    async def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The probability that each span supports its claim, in order."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, lambda: [_score(c, s) for c, s in pairs])


def _score(claim: str, span: str) -> float:
    wanted, there = set(words(claim)), set(words(span))
    coverage = len(wanted & there) / len(wanted) if wanted else 0.0
    broken = len(facts.failed(facts.check(claim, span)))
    return 1 / (1 + math.exp(-(STEEPNESS * (coverage - MIDDLE) - FAILED_CHECK * broken)))
