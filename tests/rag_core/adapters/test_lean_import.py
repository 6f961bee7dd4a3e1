"""Importing sentence-transformers without what nobody calls."""

import subprocess
import sys

from rag_core.adapters.lean_import import put_off

IN_ANOTHER_PROCESS = """
import sys
from rag_core.adapters.lean_import import sentence_transformers
library = sentence_transformers()
assert not {"sklearn", "scipy.sparse", "scipy.optimize"} & set(sys.modules)
import numpy as np
vectors = np.eye(2, dtype=np.float32)
print((-library.util.manhattan_sim(vectors, vectors)).tolist())  # which asks scikit-learn for distances
from sklearn.metrics import accuracy_score
print(accuracy_score([1, 0], [1, 1]))
"""


def test_what_is_left_out_is_there_once_it_is_called() -> None:
    """No scikit-learn after the import; its distance between vectors is right all the same, and it imports as ever."""
    done = subprocess.run([sys.executable, "-c", IN_ANOTHER_PROCESS], capture_output=True, text=True, check=False)
    assert done.stdout.split("\n")[:2] == ["[[0.0, 2.0], [2.0, 0.0]]", "0.5"], done.stderr


def test_modules_that_are_there_already_stay() -> None:
    """A module that somebody imported before is not replaced, and one that nobody did is gone afterwards."""
    before = sys.modules["subprocess"]
    with put_off(["subprocess", "no_such_module"]):
        assert sys.modules["subprocess"] is before
        from no_such_module import anything  # type: ignore[import-not-found]
    assert callable(anything)
    assert "no_such_module" not in sys.modules
