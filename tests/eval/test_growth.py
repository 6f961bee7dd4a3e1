"""Documents that come and go leave a folder as large as a fresh one."""

from __future__ import annotations

import math
from pathlib import Path

from eval.bench import growth


async def test_what_comes_and_goes_leaves_nothing(tmp_path: Path):
    """Thirty documents are replaced, one at a time; the bench replaces two thousand."""
    report = await growth.run(30, math.inf, tmp_path)
    assert report["cycles"] == 30
    assert report["times"] < 1.5
