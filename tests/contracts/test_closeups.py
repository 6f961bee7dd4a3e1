"""What the vectors for a close look promise."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest
from builders import chunk_of, document_id
from fakes import FakeEmbedder

from rag_core.adapters.closeups import SqliteCloseups
from rag_core.errors import StoreUnavailable
from rag_core.types import ChunkId, Entry

TIDE = chunk_of("The tide gauge is read at noon. Boats leave later.", document=1)
LEAVE = chunk_of("Annual leave is twenty-five days.", document=2)
PARTS = {TIDE.id: ["The tide gauge is read at noon.", "Boats leave later."], LEAVE.id: []}
QUESTION = "When do boats leave?"


async def entries() -> list[Entry]:
    """Both chunks with their vectors."""
    embedder = FakeEmbedder()
    return [Entry(chunk, "", await embedder.embed([chunk.text, *PARTS[chunk.id]])) for chunk in (TIDE, LEAVE)]


@pytest.fixture
async def closeups(tmp_path: Path) -> AsyncIterator[SqliteCloseups]:
    """Holds both chunks."""
    closeups = await SqliteCloseups.open(tmp_path / "closeups.sqlite3", FakeEmbedder(), dimension=64)
    await closeups.add(await entries())
    yield closeups
    await closeups.close()


async def test_the_nearest_part_counts_beside_the_whole(closeups: SqliteCloseups):
    """Both are the cosines of the vectors that were stored, but for what a byte rounds."""
    question, whole, *parts = await FakeEmbedder().embed([QUESTION, TIDE.text, *PARTS[TIDE.id]])
    found = (await closeups.nearness(QUESTION, [TIDE.id]))[TIDE.id]
    assert found.whole == pytest.approx(float(question @ whole), abs=0.01)
    assert found.part == pytest.approx(max(float(question @ part) for part in parts), abs=0.01)
    assert found.part > found.whole


async def test_a_chunk_of_one_part_is_that_part(closeups: SqliteCloseups):
    """What has no parts is as near as a part as it is as a whole."""
    found = (await closeups.nearness(QUESTION, [LEAVE.id]))[LEAVE.id]
    assert found.part == found.whole > 0


async def test_what_is_not_there_is_not_told(closeups: SqliteCloseups):
    """An unknown chunk has no nearness, and nothing is near to an empty question."""
    assert set(await closeups.nearness(QUESTION, [LEAVE.id, ChunkId("nowhere")])) == {LEAVE.id}
    assert await closeups.nearness("  ", [LEAVE.id]) == {}
    assert await closeups.nearness(QUESTION, []) == {}


async def test_a_removed_document_is_gone_from_the_disk(closeups: SqliteCloseups, tmp_path: Path):
    """Neither its id nor its vectors are left in any file; the other document stays."""
    await closeups.remove(document_id(1))
    assert await closeups.count() == 1
    assert set(await closeups.nearness(QUESTION, [TIDE.id, LEAVE.id])) == {LEAVE.id}
    vectors = (await entries())[0].vectors
    kept = np.rint(vectors[0] / np.abs(vectors[0]).max() * 127).astype(np.int8).tobytes()
    on_disk = b"".join(file.read_bytes() for file in await asyncio.to_thread(lambda: list(tmp_path.iterdir())))
    assert LEAVE.id.encode() in on_disk
    assert TIDE.id.encode() not in on_disk
    assert kept not in on_disk


async def test_what_was_added_is_there_for_the_next_process(closeups: SqliteCloseups, tmp_path: Path):
    """A second opening of the file sees it."""
    again = await SqliteCloseups.open(tmp_path / "closeups.sqlite3", FakeEmbedder(), dimension=64)
    assert await again.count() == await closeups.count() == 2
    await again.close()


async def test_a_file_of_something_else_is_refused(tmp_path: Path):
    """It says what to do."""
    (tmp_path / "closeups.sqlite3").write_bytes(b"not a database at all" * 100)
    with pytest.raises(StoreUnavailable, match="pincite rebuild"):
        await SqliteCloseups.open(tmp_path / "closeups.sqlite3", FakeEmbedder(), dimension=64)


async def test_vectors_of_another_length_are_refused(closeups: SqliteCloseups, tmp_path: Path):
    """A file that was cut short, or that another model filled, is no answer."""
    other = await SqliteCloseups.open(tmp_path / "closeups.sqlite3", FakeEmbedder(), dimension=60)
    with pytest.raises(StoreUnavailable, match="pincite rebuild"):
        await other.nearness(QUESTION, [TIDE.id])
    await other.close()
