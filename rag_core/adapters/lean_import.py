"""sentence-transformers, without the libraries that it imports for what nobody here calls.

Its package and transformers' reach for scikit-learn and SciPy, for metrics, sparse matrices and a loss: 73 MB of the
412 that importing them takes, and a third of the time. Each name of those is put off to the first call of it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.machinery import ModuleSpec
from threading import Lock
from types import ModuleType
from typing import Any

NOT_CALLED = ("sklearn", "sklearn.metrics", "scipy.optimize", "scipy.sparse")

_importing = Lock()


def sentence_transformers() -> ModuleType:
    """The library, imported by the first call."""
    with _importing, put_off(NOT_CALLED):
        return import_module("sentence_transformers")


@contextmanager
def put_off(names: Sequence[str]) -> Iterator[None]:
    """Until the end of the block, modules of these names that nobody has imported yet are stand-ins.

    What is imported from a stand-in is a function: called at any time later, it imports the real one and calls that.
    """
    standing_in = {name: _StandIn(name) for name in names if name not in sys.modules}
    sys.modules.update(standing_in)
    try:
        yield
    finally:
        for name, module in standing_in.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]


class _StandIn(ModuleType):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__spec__ = ModuleSpec(name, None)  # or whoever asks whether it is installed is told of an error

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):  # what Python itself asks a module for
            raise AttributeError(name)

        def call(*values: object, **named: object) -> Any:  # noqa: ANN401 - whatever the real one returns
            return getattr(import_module(self.__name__), name)(*values, **named)

        return call
