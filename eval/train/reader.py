"""Train the half of the entailment model that reads: three layers over the packaged encoder's lower three.

    python -m eval.train.reader [--rows N] [--steady] [--start FILE] [--out FILE]

Takes so many rows, in rounds: a round has all of the small sets and the next few of each large one. The rate of
learning falls evenly to nothing, unless `--steady` leaves that to a later run that starts from what this one wrote.
What is written, every ten minutes and at the end, is the moving average of the layers; the AUC by set on what was held
out is printed with it. Never reads the evaluation rows. 200,000 rows take an hour and a half on one slow core that
computes in bfloat16, and up to 8 GB. The same data and seed give nearly the same model: sums of floats depend on the
machine.
"""

from __future__ import annotations

import argparse
import copy
import math
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from sklearn.metrics import roc_auc_score
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 - PyTorch's own name for it

from eval.train.pairs import Pair, pairs
from eval.train.rounds import batches, rounds
from eval.train.states import Texts
from rag_core.adapters.embedder import packaged_model_path
from rag_core.adapters.pair_encoder import UpperLayers, joined
from rag_core.adapters.pair_reader import UPPER_LAYERS

RATE = 2e-4
"""The learning rate of the layers; what begins at nothing, the head above all, learns four times as fast."""
WARM_UP = 300
AVERAGED = 0.999
"""What the moving average keeps of itself at each step: it looks back a thousand steps."""
BATCH = 2048
"""Tokens, padding included."""
CLAIM_TOKENS, SPAN_TOKENS = 80, 200
"""Tokens that are learnt from; a longer text is cut at its end."""
REPORTED = 60
"""Rows of each set that are held out and looked at on the way."""
MINUTES = 10
"""Between two looks."""

WORTH = {
    "snli": 0.6, "mpe": 0.5, "med": 0.5, "help": 0.5, "infotabs": 0.7, "fever_symmetric": 2.0, "scifact": 2.0,
    "contractnli": 2.0, "wice": 2.0, "expertqa": 2.0, "fib_xsum": 2.0, "summedits_ectsum": 2.0, "summedits_news": 2.0,
    "summedits_podcast": 2.0,
}  # fmt: skip
"""How much a row of a set counts; 1 where it is not named."""

RELATIONS = {"entailed": 0, "neutral": 1, "contradicted": 2}


def loss_of(logits: Tensor, batch: Sequence[Pair]) -> Tensor:
    """Half of it asks for support or none, half for the relation, where a set tells it."""
    chances = F.log_softmax(logits, dim=1)
    supported = torch.tensor([pair.supported for pair in batch])
    yes = chances[:, 0]
    binary = -torch.where(supported, yes, torch.log1p(-yes.exp().clamp(max=0.9999)))
    relation = torch.tensor([RELATIONS.get(pair.relation or "", -1) for pair in batch])
    named = -chances.gather(1, relation.clamp(min=0)[:, None])[:, 0]
    both = (binary + torch.where(relation >= 0, named, binary)) / 2
    worth = torch.tensor([WORTH.get(pair.dataset, 1.0) for pair in batch])
    return (both * worth).sum() / worth.sum()


class Trainer:
    """The layers that learn, their moving average, and the texts that both read."""

    def __init__(self, upper: UpperLayers) -> None:
        self.texts = Texts()
        self.upper = upper
        self.average = copy.deepcopy(upper).eval().requires_grad_(requires_grad=False)

    def logits(self, upper: UpperLayers, batch: Sequence[Pair]) -> Tensor:
        """Shape (pairs, 3)."""
        tokens = [(self.texts.tokens(p.claim, CLAIM_TOKENS), self.texts.tokens(p.span, SPAN_TOKENS)) for p in batch]
        claims = self.texts.states([p.claim for p in batch], CLAIM_TOKENS)
        spans = self.texts.states([p.span for p in batch], SPAN_TOKENS)
        with torch.autocast("cpu", torch.bfloat16):
            made: Tensor = upper(*joined(tokens, claims, spans))
        return made.float()

    def lengths(self, rows: Sequence[Pair]) -> list[int]:
        """Tokens of each pair."""
        tokens = self.texts.tokens
        return [len(tokens(p.claim, CLAIM_TOKENS).ids) + len(tokens(p.span, SPAN_TOKENS).ids) for p in rows]

    def train(self, rows: Sequence[Pair], count: int, *, share: float, steady: bool, seed: int) -> Iterator[str]:
        """Learn from `count` of the rows; now and then, and at the end, say how far it has come."""
        layers = list(self.upper.layers.parameters())
        new = [*self.upper.kind.parameters(), *self.upper.head.parameters()]
        learning = torch.optim.AdamW(
            [{"params": layers, "lr": RATE}, {"params": new, "lr": 4 * RATE}], weight_decay=0.01, fused=True
        )
        rates = [group["lr"] for group in learning.param_groups]
        seen, step, total, looked = 0, 0, 0.0, time.monotonic()
        started = looked
        for batch in self._stream(rows, share, random.Random(seed)):  # noqa: S311 - no secret
            fall = 1.0 if steady else 1 - seen / count
            for group, rate in zip(learning.param_groups, rates, strict=True):
                group["lr"] = rate * min(1, (step + 1) / WARM_UP) * fall
            self.upper.train()
            loss = loss_of(self.logits(self.upper, batch), batch)
            learning.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(self.upper.parameters(), 1.0)
            learning.step()
            self._follow(min(AVERAGED, (1 + step) / (10 + step)))
            seen, step, total = seen + len(batch), step + 1, 0.99 * total + 0.01 * loss.item()
            if seen >= count or time.monotonic() - looked > MINUTES * 60:
                looked = time.monotonic()
                mean = total / (1 - 0.99**step)
                yield f"{seen} rows, {(looked - started) / 60:.0f} min, loss {mean:.3f}"
            if seen >= count:
                return

    def _stream(self, rows: Sequence[Pair], share: float, chance: random.Random) -> Iterator[list[Pair]]:
        for taken in rounds(rows, share, chance):
            order = list(batches(taken, [length + 8 * chance.random() for length in self.lengths(taken)], BATCH))
            chance.shuffle(order)
            yield from order

    def _follow(self, kept: float) -> None:
        with torch.no_grad():
            for mean, now in zip(self.average.parameters(), self.upper.parameters(), strict=True):
                mean.lerp_(now, 1 - kept)

    def report(self, rows: Sequence[Pair]) -> str:
        """The average's AUC on what was held out, by set and in the mean."""
        odds: dict[int, float] = {}
        with torch.inference_mode():
            for batch in batches(range(len(rows)), self.lengths(rows), BATCH):
                logits = self.logits(self.average, [rows[i] for i in batch])
                found = logits[:, 0] - logits[:, 1:].logsumexp(dim=1)
                odds |= dict(zip(batch, found.tolist(), strict=True))
        scores = _areas(rows, odds)
        mean = math.fsum(scores.values()) / max(1, len(scores))
        return f"AUC {mean:.3f} (" + ", ".join(f"{name} {score:.2f}" for name, score in scores.items()) + ")"


def _areas(rows: Sequence[Pair], odds: Mapping[int, float]) -> dict[str, float]:
    by: dict[str, list[int]] = defaultdict(list)
    for i, row in enumerate(rows):
        by[row.dataset].append(i)
    return {
        name: float(roc_auc_score([rows[i].supported for i in places], [odds[i] for i in places]))
        for name, places in sorted(by.items())
        if len({rows[i].supported for i in places}) == 2  # noqa: PLR2004 - an AUC is between two
    }


def looked_at(rows: Sequence[Pair]) -> list[Pair]:
    """The first few rows of each set that are held out."""
    by: dict[str, list[Pair]] = defaultdict(list)
    for row in rows:
        if row.held_out and len(by[row.dataset]) < REPORTED:
            by[row.dataset].append(row)
    return [row for of_set in by.values() for row in of_set]


def save(layers: UpperLayers, path: Path) -> None:
    """In half precision; the file is replaced whole."""
    partial = path.with_suffix(".part")
    save_file({name: tensor.half().contiguous() for name, tensor in layers.state_dict().items()}, partial)
    partial.replace(path)


def main() -> None:
    """Read, train, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--share", type=float, default=1.0, help="of the large sets in a round; less is nearer answers")
    parser.add_argument("--steady", action="store_true", help="leave the rate of learning as it is")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="upper layers to go on from; without it, the encoder's own")
    parser.add_argument("--out", type=Path, default=UPPER_LAYERS)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    rows = pairs({})
    upper = UpperLayers(load_file(packaged_model_path() / "model.safetensors"))
    if args.start:
        upper.load_state_dict({name: tensor.float() for name, tensor in load_file(args.start).items()})
    trainer = Trainer(upper)
    learnt, held_out = [p for p in rows if not p.held_out], looked_at(rows)
    print(f"{len(learnt)} rows to learn from, {len(held_out)} looked at", flush=True)
    for line in trainer.train(learnt, args.rows, share=args.share, steady=args.steady, seed=args.seed):
        save(trainer.average, args.out)
        print(f"{line}; {trainer.report(held_out)}", flush=True)


if __name__ == "__main__":
    main()
