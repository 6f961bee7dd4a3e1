"""What is asked of the models that score text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from rag_core.types import Chunk, ModelCard, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into unit vectors whose dot product is their likeness. The model is loaded by the first call.

    Raises:
        ModelUnavailable: The model cannot be loaded.
    """

    async def card(self) -> ModelCard:
        """Which model it is; an index is bound to it."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, special ones included. Blocks while the model loads: call it from a thread."""
        ...

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimension): one vector a text, in order. Text past the model's window is not seen."""
        ...

    async def embed_parts(
        self, texts: Sequence[str], parts: Sequence[Sequence[Span]], *, bulk: bool = False
    ) -> list[NDArray[np.float32]]:
        """For each text shape (1 + parts, dimension): the vector of all of it, then one of each of its parts.

        A part is read within its text, not by itself. One that the model cannot see has the vector of the whole. What
        nobody waits for is `bulk`: whatever somebody waits for comes before it.
        """
        ...


class EntailmentModel(Protocol):
    """Tells how far a text says what a claim says.

    Raises:
        ModelUnavailable: The model cannot be loaded.
    """

    @property
    def version(self) -> str:
        """Changes whenever a score may."""
        ...

    async def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The probability in [0, 1] that each (claim, span) pair's span supports its claim, in order."""
        ...


class Reranker(Protocol):
    """Reads a question and a text together, and tells how well the one answers the other.

    Raises:
        ModelUnavailable: The model cannot be loaded.
    """

    async def score(self, question: str, chunks: Sequence[Chunk]) -> list[float]:
        """A score for each chunk, in order; higher is better, and it means nothing across calls."""
        ...
