"""The costs of `eval.bench.search` as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from eval.bench.search_fill import Cost, Filled

COLOURS = {"dense": "#2b6cb0", "sparse": "#b7791f", "whole": "#2f855a"}


def draw(path: Path, filled: Filled, costs: Mapping[str, Mapping[str, Cost]]) -> None:
    """Three panels: medians by chunks, by documents in scope, and by hits asked for."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 3.8), layout="constrained")
    by_chunks, by_scope, by_depth = figure.subplots(1, 3)
    for name, points in filled.growth.items():
        sizes, medians, tails = zip(*points, strict=True)
        by_chunks.plot(sizes, medians, marker="o", color=COLOURS[name], label=f"{name}, median")
        by_chunks.plot(sizes, tails, linestyle=":", color=COLOURS[name], label=f"{name}, 95th percentile")
    by_chunks.set_xlabel("chunks in the library (all in scope, k = 50)")
    for name, asked in costs.items():
        scopes = {
            (filled.documents if size == "all" else int(size)): cost for size, cost in asked.items() if "=" not in size
        }
        by_scope.plot(list(scopes), [cost.p50 for cost in scopes.values()], marker="o", color=COLOURS[name], label=name)
        depths = {int(k.removeprefix("k=")): cost for k, cost in asked.items() if "=" in k}
        if depths:
            by_depth.plot(
                list(depths), [cost.p50 for cost in depths.values()], marker="o", color=COLOURS[name], label=name
            )
    by_scope.set_xlabel(f"documents in scope, of {filled.documents:,}")
    by_depth.set_xlabel("hits asked for (all in scope)")
    for panel in (by_chunks, by_scope, by_depth):
        if panel is not by_depth:
            panel.set_xscale("log")
        panel.set_ylim(bottom=0)
        panel.set_ylabel("milliseconds")
        panel.grid(alpha=0.3)
        panel.legend(fontsize=8)
    figure.suptitle(f"Searching {filled.chunks:,} chunks")
    figure.savefig(path, dpi=110)
