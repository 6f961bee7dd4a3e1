"""A claim and a span to three logits: the lower layers of MiniLM read each apart, layers of our own read both together.

Reading apart first and together above is DeFormer's idea (Cao et al., 2020). Here it leaves the lower half as it came,
so what ships is small, and a span that several claims are held against is read once. Imports PyTorch: import it late.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - PyTorch's own name for it

WIDTH = 384
HEADS = 12
APART = 3
"""Layers that read each text by itself, of the encoder's six. Fewer cost more to train and to ask; with more, the two
have too few left to read each other in."""
TOGETHER = 3
PADDED_TO = 32
"""Tokens. A batch is as long as a multiple of this: the libraries under PyTorch keep code for every shape they meet."""
KINDS = 8
"""What is told of a token beside its state: of which text it is, whether it has a digit, whether the other has it."""
SUPPORTS = 0
"""The logit of support; the others are neither (1) and contradicts (2)."""

_NOWHERE = -1e4
"""What a token thinks of padding, before the softmax."""

_EMBEDDED = {
    "embeddings.word_embeddings": "words",
    "embeddings.position_embeddings": "places",
    "embeddings.LayerNorm": "norm",
}
_LAYER = {
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "mixed",
    "attention.output.LayerNorm": "mixed_norm",
    "intermediate.dense": "wide",
    "output.dense": "narrow",
    "output.LayerNorm": "norm",
}


class Layer(nn.Module):
    """One transformer layer, normalised after each half (Devlin et al., 2019)."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.mixed = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.mixed_norm, self.norm = (nn.LayerNorm(WIDTH, eps=1e-12) for _ in range(2))
        self.dropout = nn.Dropout(0.1)

    def forward(self, states: Tensor, real: Tensor) -> Tensor:
        """Shape (pairs, tokens, WIDTH), as `states`; `real` (pairs, tokens) is False at padding."""
        shape = (*states.shape[:2], HEADS, WIDTH // HEADS)
        q, k, v = (part(states).view(shape).transpose(1, 2) for part in (self.query, self.key, self.value))
        real = real[:, None, None, :]
        # Fused attention holds no square of scores, but in bfloat16 it learns four times as slowly.
        seen = _attended(q, k, v, real) if self.training else F.scaled_dot_product_attention(q, k, v, attn_mask=real)
        states = self.mixed_norm(states + self.dropout(self.mixed(seen.transpose(1, 2).reshape(states.shape))))
        narrowed: Tensor = self.norm(states + self.dropout(self.narrow(F.gelu(self.wide(states)))))
        return narrowed


class LowerLayers(nn.Module):
    """The packaged encoder's embeddings and first layers; never trained here."""

    def __init__(self, weights: dict[str, Tensor]) -> None:
        super().__init__()
        words, places = weights["embeddings.word_embeddings.weight"], weights["embeddings.position_embeddings.weight"]
        self.words, self.places = nn.Embedding(*words.shape), nn.Embedding(*places.shape)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(APART))
        taken = _renamed(weights, _EMBEDDED, "", "")
        for i in range(APART):
            taken |= _renamed(weights, _LAYER, f"encoder.layer.{i}.", f"layers.{i}.")
        # The encoder knows two segments; a text by itself is the first, so its vector can be added once and for all.
        taken["places.weight"] = taken["places.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
        self.load_state_dict(taken)
        self.eval().requires_grad_(requires_grad=False)

    def forward(self, ids: Tensor, real: Tensor) -> Tensor:
        """Shape (texts, tokens, WIDTH): what each token is within its text."""
        states = self.norm(self.words(ids) + self.places(torch.arange(ids.shape[1])))
        for layer in self.layers:
            states = layer(states, real)
        return states  # type: ignore[no-any-return]


class UpperLayers(nn.Module):
    """What is ours: layers that begin as the encoder's upper half and learn to compare, and a head on top."""

    def __init__(self, weights: dict[str, Tensor] | None = None) -> None:
        super().__init__()
        self.kind = nn.Embedding(KINDS, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(TOGETHER))
        self.head = nn.Sequential(nn.Linear(3 * WIDTH, WIDTH), nn.GELU(), nn.Dropout(0.1), nn.Linear(WIDTH, 3))
        nn.init.normal_(self.kind.weight, std=0.02)
        if weights is not None:
            for i, layer in enumerate(self.layers):
                layer.load_state_dict(_renamed(weights, _LAYER, f"encoder.layer.{APART + i}.", ""))

    def forward(self, states: Tensor, kinds: Tensor, real: Tensor, claim_tokens: Tensor) -> Tensor:
        """Shape (pairs, 3): logits of supports, neither, contradicts.

        `states` (pairs, tokens, WIDTH) has a claim's tokens, `claim_tokens` (pairs,) of them, and then its span's.
        """
        states = states + self.kind(kinds)
        for layer in self.layers:
            states = layer(states, real)
        at = torch.arange(states.shape[1])[None]
        claim = (at > 0) & (at < claim_tokens[:, None])
        span = real & (at >= claim_tokens[:, None])
        logits: Tensor = self.head(torch.cat([states[:, 0], _mean(states, claim), _mean(states, span)], dim=1))
        return logits


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text's tokens, special ones at both ends, and which of them hold a digit."""

    ids: tuple[int, ...]
    digits: frozenset[int]


def padded(texts: Sequence[Tokens]) -> tuple[Tensor, Tensor]:
    """The ids, and where they are real: both (texts, the longest, rounded up)."""
    longest = _rounded(max(len(t.ids) for t in texts))
    ids = torch.zeros(len(texts), longest, dtype=torch.long)
    real = torch.zeros(len(texts), longest, dtype=torch.bool)
    for i, text in enumerate(texts):
        ids[i, : len(text.ids)] = torch.tensor(text.ids)
        real[i, : len(text.ids)] = True
    return ids, real


def kinds_of(claim: Tokens, span: Tokens) -> list[int]:
    """What is told of each token of the claim and then of the span, whose first special token is left out."""
    ours, theirs = set(claim.ids[1:-1]), set(span.ids[1:-1])
    said = [(i in theirs) + 2 * (i in claim.digits) for i in claim.ids]
    return said + [4 + (i in ours) + 2 * (i in span.digits) for i in span.ids[1:]]


def joined(
    pairs: Sequence[tuple[Tokens, Tokens]], claims: Sequence[Tensor], spans: Sequence[Tensor]
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """What `UpperLayers` reads of the pairs: states, kinds, real, claim_tokens.

    `claims` and `spans` have the states of one text each, (tokens, WIDTH).
    """
    lengths = [len(claim.ids) + len(span.ids) - 1 for claim, span in pairs]
    longest = _rounded(max(lengths))
    states = torch.zeros(len(pairs), longest, WIDTH)
    kinds = torch.zeros(len(pairs), longest, dtype=torch.long)
    real = torch.zeros(len(pairs), longest, dtype=torch.bool)
    for i, ((claim, span), length) in enumerate(zip(pairs, lengths, strict=True)):
        states[i, : len(claim.ids)] = claims[i]
        states[i, len(claim.ids) : length] = spans[i][1:]
        kinds[i, :length] = torch.tensor(kinds_of(claim, span))
        real[i, :length] = True
    return states, kinds, real, torch.tensor([len(claim.ids) for claim, _ in pairs])


def _attended(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> Tensor:
    """Attention, spelled out."""
    scores = (q * (WIDTH // HEADS) ** -0.5) @ k.transpose(2, 3)
    seen: Tensor = scores.masked_fill(~real, _NOWHERE).softmax(dim=3) @ v
    return seen


def _rounded(tokens: int) -> int:
    return -(-tokens // PADDED_TO) * PADDED_TO


def _mean(states: Tensor, which: Tensor) -> Tensor:
    """The mean of the tokens that are marked: (pairs, WIDTH)."""
    weights = which.float()[..., None]
    return (states * weights).sum(1) / weights.sum(1).clamp(min=1)


def _renamed(weights: dict[str, Tensor], names: dict[str, str], of: str, to: str) -> dict[str, Tensor]:
    """The named tensors, under the names that they have here."""
    return {
        f"{to}{ours}.{part}": weights[f"{of}{theirs}.{part}"]
        for theirs, ours in names.items()
        for part in ("weight", "bias")
        if f"{of}{theirs}.{part}" in weights
    }
