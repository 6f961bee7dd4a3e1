"""Pairs of claim and span to log-odds of support, by the packaged encoder's lower layers and upper layers of our own.

Synchronous and slow: whoever holds it calls it from a thread. PyTorch and the weights are loaded by the first call.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from rag_core.adapters.embedder import packaged_model_path
from rag_core.adapters.free_memory import give_back
from rag_core.errors import ModelUnavailable

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

    from rag_core.adapters.pair_encoder import LowerLayers, Tokens, UpperLayers

UPPER_LAYERS = Path(__file__).with_name("pair_encoder.safetensors")

CLAIM_TOKENS = 128
SPAN_TOKENS = 384
"""Together what the encoder has places for; spans are three sentences or a row, and rarely half as long."""
AT_ONCE = 4096
"""Tokens, padding included, of a batch: a few tens of MB of states."""
READS_BETWEEN_TRIMS = 8
"""After so many, freed memory goes back to the system. Without it, sixty calls with pairs of all lengths left 350 MB;
after each call it took a tenth more time."""


class PairReader:
    """Reads a claim and a span together. Safe to call from one thread at a time.

    Raises:
        ModelUnavailable: The weights are missing or damaged.
    """

    def __init__(self, weights: Path = UPPER_LAYERS) -> None:
        self._weights = weights
        self._loading = Lock()
        self._loaded: tuple[Tokenizer, LowerLayers, UpperLayers] | None = None
        self._digits: frozenset[int] = frozenset()
        self._reads = 0

    @property
    def version(self) -> str:
        """The digest of our own layers; those of the package are checked when they are loaded."""
        return weights_digest(self._weights)

    def log_odds(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """How far each span supports its claim, in order: above 0 when it is likelier than not, before calibration."""
        import torch

        from rag_core.adapters.pair_encoder import SUPPORTS, joined

        if not pairs:
            return []
        tokenizer, lower, upper = self._load()
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        limits = dict.fromkeys((claim for claim, _ in pairs), CLAIM_TOKENS)
        read = dict(zip(texts, self._tokens(tokenizer, texts, limits), strict=True))
        found = [0.0] * len(pairs)
        with torch.inference_mode():
            states = _apart(lower, list(read.items()))
            lengths = [len(read[claim].ids) + len(read[span].ids) for claim, span in pairs]
            for batch in _batches(lengths):
                chosen = [pairs[i] for i in batch]
                logits = upper(
                    *joined(
                        [(read[claim], read[span]) for claim, span in chosen],
                        [states[claim] for claim, _ in chosen],
                        [states[span] for _, span in chosen],
                    )
                )
                against = torch.cat([logits[:, :SUPPORTS], logits[:, SUPPORTS + 1 :]], dim=1)
                odds = logits[:, SUPPORTS] - against.logsumexp(dim=1)
                for i, value in zip(batch, odds.tolist(), strict=True):
                    found[i] = value
            del states
        self._reads += 1
        if self._reads % READS_BETWEEN_TRIMS == 0:
            give_back()
        return found

    def _tokens(self, tokenizer: Tokenizer, texts: Sequence[str], limits: dict[str, int]) -> list[Tokens]:
        from rag_core.adapters.pair_encoder import Tokens

        made = []
        for text, encoding in zip(texts, tokenizer.encode_batch(list(texts)), strict=True):
            limit = limits.get(text, SPAN_TOKENS)
            ids = encoding.ids if len(encoding.ids) <= limit else [*encoding.ids[: limit - 1], encoding.ids[-1]]
            made.append(Tokens(tuple(ids), self._digits.intersection(ids)))
        return made

    def _load(self) -> tuple[Tokenizer, LowerLayers, UpperLayers]:
        with self._loading:
            if self._loaded is None:
                self._loaded = _parts(self._weights)
                vocabulary = self._loaded[0].get_vocab()
                self._digits = frozenset(i for word, i in vocabulary.items() if any(c.isdigit() for c in word))
            return self._loaded


def _parts(weights: Path) -> tuple[Tokenizer, LowerLayers, UpperLayers]:
    """The tokenizer, the package's lower layers and our upper ones."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file
    from tokenizers import Tokenizer

    from rag_core.adapters.pair_encoder import LowerLayers, UpperLayers

    folder = packaged_model_path()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    lower = LowerLayers(load_file(folder / "model.safetensors"))
    upper = UpperLayers()
    try:
        upper.load_state_dict({name: tensor.float() for name, tensor in load_file(weights).items()})
    except (OSError, RuntimeError, SafetensorError) as exc:
        raise unavailable(weights) from exc
    return tokenizer, lower, upper.eval()


def _apart(lower: LowerLayers, texts: Sequence[tuple[str, Tokens]]) -> dict[str, Tensor]:
    """The states of each text's tokens: (tokens, WIDTH)."""
    from rag_core.adapters.pair_encoder import padded

    states: dict[str, Tensor] = {}
    for batch in _batches([len(tokens.ids) for _, tokens in texts]):
        ids, real = padded([texts[i][1] for i in batch])
        for i, made in zip(batch, lower(ids, real), strict=True):
            text, tokens = texts[i]
            states[text] = made[: len(tokens.ids)]
    return states


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places of `lengths`, like with like, so that little is padding."""
    batch: list[int] = []
    for i in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[i] > AT_ONCE:
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch


@lru_cache(maxsize=8)
def weights_digest(path: Path) -> str:
    """A short SHA-256 of a file of weights.

    Raises:
        ModelUnavailable: It cannot be read.
    """
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    except OSError as exc:
        raise unavailable(path) from exc


def unavailable(path: Path) -> ModelUnavailable:
    """Says that a file of the entailment model is not what it should be."""
    return ModelUnavailable(
        f"The entailment weights {path.name!r} are missing, damaged or made for other features: reinstall Pincite, or "
        "make them with the commands in eval/train/MODEL_CARD.md."
    )
