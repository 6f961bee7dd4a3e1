"""Train the half of the entailment model that reads: three layers over the packaged encoder's lower three.

    python -m eval.train.reader [--epochs N] [--cache FOLDER] [--start FILE] [--out FILE]

The lower layers are frozen, so what they make of each text is computed once and kept in `--cache` (about 2 GB): an
epoch then costs half of what it would. Three hours on two slow cores. Prints AUC by set on what was held out, at the
end of each epoch; never reads the evaluation rows. The same data and seed give nearly the same model: sums of floats
depend on the number of threads.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from sklearn.metrics import roc_auc_score
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 - PyTorch's own name for it

from eval.train.pairs import Pair, pairs
from rag_core.adapters.embedder import packaged_model_path
from rag_core.adapters.pair_encoder import WIDTH, LowerLayers, Tokens, UpperLayers, joined, padded
from rag_core.adapters.pair_reader import UPPER_LAYERS

T = TypeVar("T")

SEED = 1
RATE = 2e-4
"""The learning rate of the layers; what begins at nothing, the head above all, learns four times as fast."""
WARM_UP = 300
BATCH = 2048
"""Tokens, padding included."""
CLAIM_TOKENS, SPAN_TOKENS = 80, 200
"""Tokens that are learnt from; a longer text is cut at its end."""

CAPS = {
    "mnli": 9000, "snli": 3500, "conjnli": 5000, "med": 1200, "help": 600, "mpe": 700, "tabfact": 2200,
    "infotabs": 1500, "scitail": 1500, "negation_nli": 1200, "synthetic-literal": 1500, "synthetic-negation": 700,
    "synthetic-number": 900, "synthetic-name": 700, "synthetic-elsewhere": 500,
}  # fmt: skip
"""Rows of the sets that are large, or far from what an answer about a document looks like."""
WORTH = {"snli": 0.6, "mpe": 0.5, "med": 0.5, "help": 0.5, "infotabs": 0.7, "own": 3.0}
"""How much a row of a set counts; 1 where it is not named."""

RELATIONS = {"entailed": 0, "neutral": 1, "contradicted": 2}


class States:
    """What the lower layers make of each text, on disk in half precision."""

    def __init__(self, texts: Sequence[tuple[str, int]], folder: Path) -> None:
        tokenizer = Tokenizer.from_file(str(packaged_model_path() / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        digits = frozenset(i for word, i in tokenizer.get_vocab().items() if any(c.isdigit() for c in word))
        self.tokens: dict[tuple[str, int], Tokens] = {}
        for text, limit in texts:
            ids = tokenizer.encode(text).ids
            ids = ids if len(ids) <= limit else [*ids[: limit - 1], ids[-1]]
            self.tokens[text, limit] = Tokens(tuple(ids), digits.intersection(ids))
        ends = np.cumsum([len(t.ids) for t in self.tokens.values()])
        self._places = dict(zip(self.tokens, zip([0, *ends[:-1]], ends, strict=True), strict=True))
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"states-{len(self.tokens)}-{ends[-1]}.npy"
        if file.exists():
            self._kept = np.load(file, mmap_mode="r")
        else:
            self._kept = self._compute(file, int(ends[-1]))

    def of(self, text: str, limit: int) -> Tensor:
        """The states of a text: (tokens, WIDTH)."""
        start, end = self._places[text, limit]
        return torch.from_numpy(np.asarray(self._kept[start:end], np.float32))

    def _compute(self, file: Path, total: int) -> NDArray[np.float16]:
        partial = file.with_suffix(".part.npy")
        made = np.lib.format.open_memmap(partial, "w+", np.float16, (total, WIDTH))
        lower = LowerLayers(load_file(packaged_model_path() / "model.safetensors"))
        with torch.inference_mode():
            for keys in batches(list(self.tokens), [len(t.ids) for t in self.tokens.values()], 2 * BATCH):
                states = lower(*padded([self.tokens[key] for key in keys]))
                for key, state in zip(keys, states, strict=True):
                    start, end = self._places[key]
                    made[start:end] = state[: end - start].half().numpy()
        made.flush()
        partial.rename(file)
        return made


def batches(items: Sequence[T], lengths: Sequence[float], most: int) -> Iterator[list[T]]:
    """The items, like with like in length, so that padding keeps a batch below `most` tokens."""
    batch: list[T] = []
    for i in sorted(range(len(items)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[i] > most:
            yield batch
            batch = []
        batch.append(items[i])
    if batch:
        yield batch


def loss_of(logits: Tensor, batch: Sequence[Pair]) -> Tensor:
    """Half of it asks for support or none, half for the relation, where a set tells it."""
    chances = F.log_softmax(logits, dim=1)
    supported = torch.tensor([pair.supported for pair in batch])
    yes = chances[:, 0]
    binary = -torch.where(supported, yes, torch.log1p(-yes.exp().clamp(max=0.9999)))
    relation = torch.tensor([RELATIONS.get(pair.relation or "", -1) for pair in batch])
    named = -chances.gather(1, relation.clamp(min=0)[:, None])[:, 0]
    both = (binary + torch.where(relation >= 0, named, binary)) / 2
    worth = torch.tensor([WORTH.get(pair.dataset.split("-")[0], WORTH.get(pair.dataset, 1.0)) for pair in batch])
    return (both * worth).sum() / worth.sum()


class Trainer:
    """The upper layers, the states below them, and how the two meet."""

    def __init__(self, states: States, upper: UpperLayers) -> None:
        self.states = states
        self.upper = upper

    def logits(self, batch: Sequence[Pair]) -> Tensor:
        """Shape (pairs, 3)."""
        tokens = [(self.states.tokens[p.claim, CLAIM_TOKENS], self.states.tokens[p.span, SPAN_TOKENS]) for p in batch]
        claims = [self.states.of(p.claim, CLAIM_TOKENS) for p in batch]
        spans = [self.states.of(p.span, SPAN_TOKENS) for p in batch]
        made: Tensor = self.upper(*joined(tokens, claims, spans))
        return made

    def lengths(self, rows: Sequence[Pair]) -> list[float]:
        """Tokens of each pair."""
        tokens = self.states.tokens
        return [len(tokens[p.claim, CLAIM_TOKENS].ids) + len(tokens[p.span, SPAN_TOKENS].ids) for p in rows]

    def train(self, rows: Sequence[Pair], held_out: Sequence[Pair], epochs: int) -> None:
        """All of `rows`, `epochs` times, in an order of chance; what was learnt is printed after each."""
        chance = random.Random(SEED)  # noqa: S311 - a seed, no secret
        layers = list(self.upper.layers.parameters())
        new = [*self.upper.kind.parameters(), *self.upper.head.parameters()]
        learning = torch.optim.AdamW(
            [{"params": layers, "lr": RATE}, {"params": new, "lr": 4 * RATE}], weight_decay=0.01
        )
        steps = epochs * sum(1 for _ in batches(rows, self.lengths(rows), BATCH))
        rate = torch.optim.lr_scheduler.LambdaLR(
            learning, lambda step: min(1, step / WARM_UP) * max(0.02, 1 - step / steps)
        )
        started = time.monotonic()
        for epoch in range(epochs):
            lengths = [length + 8 * chance.random() for length in self.lengths(rows)]
            order = list(batches(rows, lengths, BATCH))
            chance.shuffle(order)
            self.upper.train()
            total = 0.0
            for batch in order:
                loss = loss_of(self.logits(batch), batch)
                learning.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                torch.nn.utils.clip_grad_norm_(self.upper.parameters(), 1.0)
                learning.step()
                rate.step()
                total += loss.item()
            minutes = (time.monotonic() - started) / 60
            print(f"epoch {epoch + 1}: loss {total / len(order):.3f}, {minutes:.0f} min; {self.report(held_out)}")

    def report(self, rows: Sequence[Pair]) -> str:
        """AUC of what was held out, by set and in the mean."""
        self.upper.eval()
        odds: dict[int, float] = {}
        with torch.inference_mode():
            for batch in batches(range(len(rows)), self.lengths(rows), 2 * BATCH):
                logits = self.logits([rows[i] for i in batch])
                found = logits[:, 0] - logits[:, 1:].logsumexp(dim=1)
                odds |= dict(zip(batch, found.tolist(), strict=True))
        by: dict[str, list[int]] = defaultdict(list)
        for i, row in enumerate(rows):
            by[row.dataset].append(i)
        scores = {
            name: roc_auc_score([rows[i].supported for i in places], [odds[i] for i in places])
            for name, places in sorted(by.items())
            if len({rows[i].supported for i in places}) == 2  # noqa: PLR2004 - an AUC is between two
        }
        mean = math.fsum(scores.values()) / max(1, len(scores))
        return f"AUC {mean:.3f} (" + ", ".join(f"{name} {score:.2f}" for name, score in scores.items()) + ")"


def main() -> None:
    """Read, train, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--cache", type=Path, default=Path(".cache/reader"))
    parser.add_argument("--start", type=Path, help="upper layers to go on from; without it, the encoder's own")
    parser.add_argument("--out", type=Path, default=UPPER_LAYERS)
    args = parser.parse_args()
    torch.manual_seed(SEED)
    rows = pairs(CAPS)
    texts = dict.fromkeys([(p.claim, CLAIM_TOKENS) for p in rows] + [(p.span, SPAN_TOKENS) for p in rows])
    upper = UpperLayers(load_file(packaged_model_path() / "model.safetensors"))
    if args.start:
        upper.load_state_dict({name: tensor.float() for name, tensor in load_file(args.start).items()})
    trainer = Trainer(States(list(texts), args.cache), upper)
    learnt, held_out = [p for p in rows if not p.held_out], [p for p in rows if p.held_out]
    print(f"{len(learnt)} rows to learn from, {len(held_out)} held out")
    trainer.train(learnt, held_out, args.epochs)
    save_file({name: tensor.half().contiguous() for name, tensor in upper.state_dict().items()}, args.out)
    print(f"wrote {args.out} ({args.out.stat().st_size} bytes)")


if __name__ == "__main__":
    main()
