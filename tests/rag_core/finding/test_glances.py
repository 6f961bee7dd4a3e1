"""What is read on the spot is bounded, and judged as the indexes would."""

from __future__ import annotations

import pytest
from builders import chunk_of, document_id
from fakes import FakeEmbedder

from rag_core.finding.glances import Glances

CHUNKS = [chunk_of(f"The tide turns at {n} o'clock.", document=n) for n in range(1, 5)]


async def test_those_that_were_not_asked_for_longest_are_forgotten():
    """However many are read, only so many stay; all that are asked for are told nevertheless."""
    embedder = FakeEmbedder()
    glances = Glances(embedder, kept=2)
    assert set(await glances.nearness("tide", CHUNKS)) == {chunk.id for chunk in CHUNKS}
    await glances.nearness("tide", [CHUNKS[2]])
    await glances.nearness("tide", [CHUNKS[0]])
    embedder.embedded.clear()
    await glances.nearness("tide", [CHUNKS[0], CHUNKS[2]])
    assert embedder.embedded == ["tide"]
    await glances.nearness("tide", [CHUNKS[3]])
    assert CHUNKS[3].text in embedder.embedded


async def test_a_chunk_that_was_kept_is_as_near_as_when_it_was_read():
    """To each question by itself; an empty one is near to nothing."""
    kept, fresh = Glances(FakeEmbedder()), Glances(FakeEmbedder())
    await kept.nearness("noon", CHUNKS)
    again = await kept.nearness("the tide turns at 3", CHUNKS[1:])
    assert again == await fresh.nearness("the tide turns at 3", CHUNKS[1:])
    assert again[CHUNKS[2].id].whole == pytest.approx(max(near.whole for near in again.values()))
    assert await kept.nearness(" ", CHUNKS) == {}


async def test_documents_that_wait_no_more_are_forgotten():
    """Whether their vectors are there by now, or they were removed."""
    embedder = FakeEmbedder()
    glances = Glances(embedder)
    await glances.nearness("tide", CHUNKS)
    glances.keep({document_id(2)})
    embedder.embedded.clear()
    await glances.nearness("tide", CHUNKS)
    assert [text for text in embedder.embedded if text != "tide"] == [c.text for c in CHUNKS if c is not CHUNKS[1]]
