"""A writer that is killed leaves a library that opens, lost nothing and holds nothing half."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest


@pytest.mark.skipif("forkserver" not in multiprocessing.get_all_start_methods(), reason="it forks")
def test_a_killed_writer_costs_nothing(tmp_path: Path):
    """Three random moments of ingesting, removing, rebuilding and compacting; the bench has two hundred."""
    from eval.bench import faults

    report = faults.run(3, 5, tmp_path / "home")
    assert report.wrong == []
    assert sum(report.kills.values()) == 3
