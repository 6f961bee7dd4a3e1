"""What the packaged encoder's frozen lower layers make of texts."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor

from rag_core.adapters.embedder import packaged_model_path
from rag_core.adapters.pair_encoder import LowerLayers, Tokens, padded


class Texts:
    """Tokens of texts, and what the lower layers make of them: read when first asked for, then kept."""

    def __init__(self) -> None:
        self._tokenizer = Tokenizer.from_file(str(packaged_model_path() / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        vocabulary = self._tokenizer.get_vocab()
        self._digits = frozenset(i for word, i in vocabulary.items() if any(c.isdigit() for c in word))
        self._lower = LowerLayers(load_file(packaged_model_path() / "model.safetensors"))
        self._tokens: dict[tuple[str, int], Tokens] = {}
        self._states: dict[tuple[str, int], Tensor] = {}

    def tokens(self, text: str, limit: int) -> Tokens:
        """Its first tokens and the last, at most `limit`."""
        if (text, limit) not in self._tokens:
            ids = self._tokenizer.encode(text).ids
            ids = ids if len(ids) <= limit else [*ids[: limit - 1], ids[-1]]
            self._tokens[text, limit] = Tokens(tuple(ids), self._digits.intersection(ids))
        return self._tokens[text, limit]

    def states(self, texts: Sequence[str], limit: int) -> list[Tensor]:
        """Of each text: (tokens, WIDTH)."""
        new = [text for text in dict.fromkeys(texts) if (text, limit) not in self._states]
        if new:
            with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
                made = self._lower(*padded([self.tokens(text, limit) for text in new]))
            for text, states in zip(new, made, strict=True):
                self._states[text, limit] = states[: len(self.tokens(text, limit).ids)].bfloat16().clone()
        return [self._states[text, limit].float() for text in texts]
