"""Train the half of the entailment model that counts, and weigh it against the half that reads.

    python -m eval.train.entailment [--out FILE] [--cache FILE]

Boosted trees over countable features, written as plain arrays. Run `eval.train.reader` first: its log-odds and the
trees' are weighed by a logistic regression on rows that neither learnt from. Reads the rows of `eval.train.pairs`,
never the evaluation rows. The same data and seed give the same trees.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.train.pairs import Pair, pairs
from rag_core.adapters.entailment import TREES
from rag_core.adapters.pair_reader import PairReader
from rag_core.adapters.trees import load_trees
from rag_core.checking.features import NAMES, features

SEED = 7
ROUNDS = 150
LEAVES = 12
BAGS = 4
"""Models whose scores are averaged: one alone moves the macro figure by about a point from seed to seed."""

CAPS = {
    "mnli": 4000, "mpe": 700, "med": 500, "help": 300, "synthetic-literal": 1200, "synthetic-name": 800,
    "synthetic-elsewhere": 700, "synthetic-number": 900, "synthetic-negation": 800, "tabfact": 2500, "infotabs": 1500,
    "snli": 1500, "conjnli": 2000, "scitail": 1500, "negation_nli": 1000,
}  # fmt: skip
"""Rows taken from the sets that are large or far from what an answer looks like."""

EMPHASIS = {
    "fever_symmetric": 4.0, "scifact": 4.0, "contractnli": 4.0, "wice": 2.0, "expertqa": 3.0, "fib_xsum": 2.0,
    "summedits_ectsum": 2.0, "summedits_news": 2.0, "summedits_podcast": 2.0, "snli": 0.5, "med": 0.3, "help": 0.3,
    "mpe": 0.3,
}  # fmt: skip
"""Sets whose claims and evidence look most like answers and documents count more."""


def table(rows: Sequence[Pair]) -> NDArray[np.float32]:
    """One line of features a row."""
    return np.array([features(row.claim, row.span) for row in rows], np.float32)


def weights(sets: NDArray[np.str_], labels: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Each set and each label of it weighs the same, but for size (by its root) and emphasis."""
    made = np.ones(len(sets))
    for name in set(sets.tolist()):
        of_set = sets == name
        worth = EMPHASIS.get(name, 1.0) * np.sqrt(min(2000, of_set.sum()))
        for label in (False, True):
            part = of_set & (labels == label)
            if part.any():
                made[part] = worth / part.sum()
    return np.asarray(made / made.mean(), np.float64)


def fit(x: NDArray[np.float32], y: NDArray[np.bool_], w: NDArray[np.float64], seed: int) -> Any:  # noqa: ANN401 - sklearn has no types
    """One bag's boosted trees."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(
        max_iter=ROUNDS,
        learning_rate=0.06,
        max_leaf_nodes=LEAVES,
        min_samples_leaf=30,
        l2_regularization=5,
        max_features=0.4,
        random_state=seed,
    ).fit(x, y, sample_weight=w)


def export(models: list[Any], path: Path, blend: Sequence[float]) -> None:
    """Write the trees as arrays: what splits, where, and what a leaf adds to the log-odds."""
    nodes: dict[str, list[Any]] = defaultdict(list)
    starts: list[int] = []
    base = 0.0
    for model in models:
        base += float(model._baseline_prediction.ravel()[0]) / len(models)  # noqa: SLF001 - sklearn has no export
        for (predictor,) in model._predictors:  # noqa: SLF001 - as above
            starts.append(len(nodes["feature"]))
            for node in predictor.nodes:
                leaf = bool(node["is_leaf"])
                nodes["feature"].append(-1 if leaf else int(node["feature_idx"]))
                nodes["threshold"].append(0.0 if leaf else float(node["num_threshold"]))
                nodes["left"].append(int(node["left"]))
                nodes["right"].append(int(node["right"]))
                nodes["value"].append(float(node["value"]) / len(models))
    np.savez_compressed(
        path,
        feature=np.array(nodes["feature"], np.int16),
        threshold=np.array(nodes["threshold"], np.float64),
        left=np.array(nodes["left"], np.int16),
        right=np.array(nodes["right"], np.int16),
        value=np.array(nodes["value"], np.float32),
        starts=np.array(starts, np.int32),
        base=np.array(base),
        blend=np.array(blend, np.float64),
        names=np.array(NAMES),
    )


def blended(counted: NDArray[np.float64], read: NDArray[np.float64], rows: Sequence[Pair]) -> tuple[float, ...]:
    """The shift and the two weights that tell best what is supported, on rows that neither half has seen."""
    from sklearn.linear_model import LogisticRegression

    y = np.array([row.supported for row in rows])
    worth = weights(np.array([row.dataset for row in rows]), y)
    line = LogisticRegression(C=1e6).fit(np.stack([counted, read], axis=1), y, sample_weight=worth)
    return (float(line.intercept_[0]), *map(float, line.coef_[0]))


def areas(odds: Mapping[str, NDArray[np.float64]], rows: Sequence[Pair]) -> str:
    """Each model's AUC on rows that it has not seen: public ones, and our own, whose pairs differ in a few words."""
    from sklearn.metrics import roc_auc_score

    y = np.array([row.supported for row in rows])
    own = np.array([row.dataset.startswith("own-") for row in rows])
    lines = [f"AUC on {(~own).sum()} public rows and {own.sum()} of our own:"]
    for name, found in odds.items():
        lines.append(f"{name} {roc_auc_score(y[~own], found[~own]):.3f}, {roc_auc_score(y[own], found[own]):.3f}")
    return "\n  ".join(lines)


def main() -> None:
    """Train, weigh, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=TREES)
    parser.add_argument("--cache", type=Path, help="features from an earlier run (.npz), written when absent")
    args = parser.parse_args()
    rows = pairs(CAPS)
    y = np.array([row.supported for row in rows])
    held_out = np.array([row.held_out for row in rows])
    sets = np.array([row.dataset for row in rows])
    print(f"{len(rows)} rows, {held_out.sum()} held out: {dict(Counter(sets.tolist()))}")
    if args.cache and args.cache.exists():
        x = np.load(args.cache)["x"]
    else:
        x = table(rows)
        if args.cache:
            np.savez_compressed(args.cache, x=x)
    seen = ~held_out
    worth = weights(sets[seen], y[seen])
    models = [fit(x[seen], y[seen], worth, SEED + 100 + i) for i in range(BAGS)]
    export(models, args.out, (0, 1, 0))
    unseen = [row for row in rows if row.held_out]
    counted = load_trees(args.out)[0].of_features(x[held_out])
    read = np.array(PairReader().log_odds([(row.claim, row.span) for row in unseen]))
    blend = blended(counted, read, unseen)
    export(models, args.out, blend)
    shift, of_trees, of_reader = blend
    print(f"log-odds = {shift:.3f} + {of_trees:.3f} trees + {of_reader:.3f} reader; wrote {args.out}")
    print(areas({"trees": counted, "reader": read, "both": of_trees * counted + of_reader * read}, unseen))


if __name__ == "__main__":
    main()
