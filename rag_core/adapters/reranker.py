"""Any cross-encoder that sentence-transformers can load: a question and a text read together give one score.

Slower than comparing vectors by two orders of magnitude, and better where the model is good: it is a setting.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any, TypeVar

from rag_core.adapters.lean_import import sentence_transformers
from rag_core.errors import ModelUnavailable
from rag_core.types import Chunk

T = TypeVar("T")


class CrossEncoderReranker:
    """Implements `Reranker` with a model by name or path. It is loaded by the first call.

    Args:
        model: A name or path that sentence-transformers loads as a cross-encoder with one output.
        batch: Pairs a batch.
        window: Tokens of question and text together that are read; longer texts are cut at their end.
    """

    def __init__(self, model: str, *, batch: int = 16, window: int = 512) -> None:
        self.name = model
        self._batch = batch
        self._window = window
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reranker")
        self._loading = Lock()
        self._model: Any = None

    async def score(self, question: str, chunks: Sequence[Chunk]) -> list[float]:
        """How well each chunk answers, higher is better, in order."""
        if not chunks:
            return []
        pairs = [(question, chunk.indexed) for chunk in chunks]
        return await self._in_thread(lambda: self._scored(pairs))

    async def close(self) -> None:
        """Let the thread and the model go."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._model = None

    def _scored(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        scores = self._loaded().predict(list(pairs), batch_size=self._batch, show_progress_bar=False)
        if scores.ndim != 1:
            raise ModelUnavailable(
                f"The reranker {self.name!r} gives {scores.shape[1]} scores a pair, and one is needed: set "
                "PINCITE_RERANKER to a model for ranking."
            )
        return [float(score) for score in scores]

    def _loaded(self) -> Any:  # noqa: ANN401 -- sentence-transformers' own class, not imported before it is needed
        with self._loading:
            if self._model is None:
                try:
                    # Loading touches the disk, a hub and model code, which fail in ways that have no common base.
                    self._model = sentence_transformers().CrossEncoder(self.name, device="cpu", max_length=self._window)
                except Exception as exc:  # the boundary to model code, as above
                    raise ModelUnavailable(
                        f"The reranker {self.name!r} cannot be loaded: {exc}. Set PINCITE_RERANKER to a cross-encoder "
                        "on this machine, or leave it unset."
                    ) from exc
            return self._model

    async def _in_thread(self, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, call)
