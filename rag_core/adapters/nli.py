"""Entailment scores by any natural-language-inference model that sentence-transformers loads as a cross-encoder.

Far larger than what ships, and better where the machine can bear it: it is a setting.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

from rag_core.adapters.lean_import import sentence_transformers
from rag_core.errors import ModelUnavailable

SUPPORT = ("entailment", "entailed", "entails", "supported", "supports", "consistent")
"""What models call the outcome that the span says so."""


class CrossEncoderEntailment:
    """Implements `EntailmentModel` with a model by name or path. It is loaded by the first call.

    One output is taken as the logit of support; of several, the one whose label is among `SUPPORT`.

    Args:
        model: A name or path that sentence-transformers loads as a cross-encoder.
        batch: Pairs a batch.
        window: Tokens of span and claim together that are read.
    """

    def __init__(self, model: str, *, batch: int = 16, window: int = 512) -> None:
        self._name = model
        self._batch = batch
        self._window = window
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="entailment")
        self._loading = Lock()
        self._model: Any = None
        self._support = 0

    @property
    def version(self) -> str:
        """The model's name: whoever changes what is behind it clears what was kept."""
        return self._name

    async def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The probability that each span supports its claim, in order."""
        if not pairs:
            return []
        return await asyncio.get_running_loop().run_in_executor(self._worker, self._score, list(pairs))

    async def close(self) -> None:
        """Let the thread and the model go."""
        self._worker.shutdown(wait=False, cancel_futures=True)
        self._model = None

    def _score(self, pairs: list[tuple[str, str]]) -> list[float]:
        import torch

        logits = (
            self._loaded()
            .predict(
                [(span, claim) for claim, span in pairs],
                batch_size=self._batch,
                show_progress_bar=False,
                activation_fn=torch.nn.Identity(),
                convert_to_tensor=True,
            )
            .float()
        )
        chances = logits.sigmoid() if logits.ndim == 1 else logits.softmax(dim=1)[:, self._support]
        return [float(p) for p in chances]

    def _loaded(self) -> Any:  # noqa: ANN401 - sentence-transformers' own class, not imported before it is needed
        with self._loading:
            if self._model is None:
                try:
                    # Loading touches the disk, a hub and model code, which fail in ways that have no common base.
                    model = sentence_transformers().CrossEncoder(self._name, device="cpu", max_length=self._window)
                except Exception as exc:  # the boundary to model code, as above
                    raise ModelUnavailable(
                        f"The entailment model {self._name!r} cannot be loaded: {exc}. Set PINCITE_ENTAILMENT to a "
                        "model on this machine, or leave it unset."
                    ) from exc
                self._support = self._support_of(model.config.id2label)
                self._model = model
            return self._model

    def _support_of(self, labels: Mapping[int, str]) -> int:
        if len(labels) == 1:
            return 0
        for place, label in labels.items():
            if label.casefold() in SUPPORT:
                return int(place)
        raise ModelUnavailable(
            f"The entailment model {self._name!r} calls its outcomes {', '.join(labels.values())}, and none of them "
            f"means support: set PINCITE_ENTAILMENT to a model with one of {', '.join(SUPPORT)}."
        )
