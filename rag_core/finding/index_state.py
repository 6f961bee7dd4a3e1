"""What an index is bound to: the embedding model and the chunker that filled it. Pure."""

from __future__ import annotations

from rag_core.errors import IndexOutOfDate
from rag_core.protocols import Chunker
from rag_core.types import IndexState, ModelCard


def state_of(card: ModelCard, chunker: Chunker, *, generation: int) -> IndexState:
    """The state of indexes that this model and chunker fill."""
    return IndexState(generation, card.fingerprint, card.dimension, chunker.version)


def refuse_others(state: IndexState, card: ModelCard, chunker: Chunker) -> None:
    """Return if the indexes were filled by this model and chunker.

    Raises:
        IndexOutOfDate: They were not; it says by which, and how to mend it.
    """
    if state.embedding != card.fingerprint:
        raise IndexOutOfDate(
            f"The library was embedded by {state.embedding!r}, and the model now set is {card.fingerprint!r}: set "
            "PINCITE_EMBEDDING_MODEL back, or run `pincite rebuild`."
        )
    if state.chunker != chunker.version:
        raise IndexOutOfDate(
            f"The library was cut by {state.chunker!r}, and this Pincite cuts by {chunker.version!r}: run "
            "`pincite rebuild`."
        )
