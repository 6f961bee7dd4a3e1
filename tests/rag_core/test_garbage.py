"""What is there to stay is out of the collector's sight; in processes of their own, since it is for good."""

from __future__ import annotations

import subprocess
import sys

import pytest

LOADED = """
import gc
from rag_core import garbage
{load}
before = gc.get_freeze_count()
assert gc.isenabled() and before > 1000 and len(gc.get_objects()) < 100, (before, len(gc.get_objects()))
cycle = []; cycle.append(cycle); del cycle
assert gc.collect() >= 1 and gc.get_freeze_count() == before
"""


@pytest.mark.parametrize(
    "load",
    [
        "with garbage.loading(): assert not gc.isenabled()",
        "try:\n    with garbage.loading(): raise OSError\nexcept OSError: pass",
        "garbage.set_aside()",
    ],
)
def test_what_was_loaded_is_not_looked_through_again(load: str):
    """Collecting goes on for all that comes later, even where loading failed."""
    subprocess.run([sys.executable, "-c", LOADED.format(load=load)], check=True, timeout=60)
