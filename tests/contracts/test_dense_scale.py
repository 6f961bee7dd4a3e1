"""What the dense index keeps to when it has grown: the same promises, with an approximate index behind them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from builders import chunk_of, document_id, entry_of
from fakes import FakeEmbedder
from numpy.typing import NDArray

from rag_core.adapters import lance_table
from rag_core.adapters.dense_index import DenseIndex, Sizes
from rag_core.types import ChunkId, Entry

DIMENSION = 64
DOCUMENTS = 40
EACH = 25
EAGER = Sizes(exact_scope=60, approximate_from=500, loose_rows=100, loose_share=1.0, segments=3, fragments=8)
"""Does at hundreds of rows what the real one does at tens of thousands."""
LAZY = Sizes(approximate_from=10**9, fragments_unindexed=4)
"""Never approximates."""


class Pointing(FakeEmbedder):
    """Embeds the name of a made-up chunk as that chunk's vector."""

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of the chunks of these names."""
        return np.stack([vectors(int(text.split(".")[0]))[int(text.split(".")[1])] for text in texts])


def vectors(document: int, count: int = EACH) -> NDArray[np.float32]:
    """Unit vectors around a point of the document's own."""
    draw = np.random.default_rng(document)
    found = draw.normal(size=DIMENSION) + draw.normal(size=(count, DIMENSION))
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def entries(document: int) -> list[Entry]:
    """A made-up document's chunks."""
    return [
        entry_of(replace(chunk_of("made up", document=document), id=ChunkId(f"{document}.{i}")), *vector)
        for i, vector in enumerate(vectors(document))
    ]


def nearest(query: str, documents: Sequence[int], k: int) -> set[str]:
    """The ids that an exact search finds."""
    document, i = map(int, query.split("."))
    names = [f"{d}.{j}" for d in documents for j in range(EACH)]
    scores = np.concatenate([vectors(d) for d in documents]) @ vectors(document)[i]
    return {names[j] for j in np.argsort(-scores)[:k]}


def everything(documents: Sequence[int] = range(1, DOCUMENTS + 1)) -> list[str]:
    """Their ids."""
    return [document_id(document) for document in documents]


async def opened(folder: Path, sizes: Sizes = EAGER) -> DenseIndex:
    """As a process opens it."""
    return await DenseIndex.open(folder, Pointing(dimension=DIMENSION), dimension=DIMENSION, sizes=sizes)


async def filled(folder: Path, sizes: Sizes = EAGER, documents: int = DOCUMENTS) -> DenseIndex:
    """An index of many documents, which came one at a time."""
    index = await opened(folder, sizes)
    for document in range(1, documents + 1):
        await index.add(entries(document))
    return index


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[DenseIndex]:
    """A large index, by the measure of `EAGER`."""
    index = await filled(tmp_path)
    yield index
    await index.close()


def files(folder: Path, kind: str) -> list[Path]:
    """The table's files of a kind."""
    return [file for file in folder.rglob("*") if file.is_file() and kind in file.parent.as_posix()]


async def test_a_grown_index_finds_what_an_exact_search_finds(index: DenseIndex):
    """Of the ten nearest it misses one in fifty at most, and the best comes first with its true cosine."""
    found = 0
    for document in range(1, DOCUMENTS + 1):
        hits = await index.retrieve(f"{document}.0", within=everything(), k=10)
        assert hits[0].chunk_id == f"{document}.0"
        assert hits[0].score == pytest.approx(1.0, abs=1e-5)
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        found += len({hit.chunk_id for hit in hits} & nearest(f"{document}.0", range(1, DOCUMENTS + 1), 10))
    assert found >= 0.98 * 10 * DOCUMENTS


async def test_it_is_approximate_by_then(index: DenseIndex, tmp_path: Path):
    """Or the other tests would show nothing."""
    assert files(tmp_path, "_indices")
    assert "IvfRq" in {found.index_type for found in await index._table.list_indices()}


@pytest.mark.parametrize("scope", [[7], [7, 31], list(range(1, 11)), list(range(1, 21)), list(range(2, DOCUMENTS + 1))])
async def test_a_scope_is_searched_as_if_nothing_else_were_there(index: DenseIndex, scope: list[int]):
    """However near the rest is, narrow and wide scopes alike give `k` hits of their own, the right ones."""
    hits = await index.retrieve("1.3", within=everything(scope), k=EACH)
    assert len(hits) == EACH
    assert {hit.document_id for hit in hits} <= set(everything(scope))
    assert len({hit.chunk_id for hit in hits} & nearest("1.3", scope, EACH)) >= EACH - 1


async def test_whatever_a_scope_is_it_is_searched_alone(index: DenseIndex):
    """Random scopes, questions and numbers: as many hits as asked for, or as there are, and none from outside."""
    draw = np.random.default_rng(7)
    for _ in range(60):
        inside = draw.choice(np.arange(1, DOCUMENTS + 1), size=draw.integers(1, DOCUMENTS + 1), replace=False).tolist()
        k = int(draw.integers(1, 2 * EACH))
        hits = await index.retrieve(f"{draw.integers(1, DOCUMENTS + 1)}.0", within=everything(inside), k=k)
        assert {hit.document_id for hit in hits} <= set(everything(inside))
        assert len({hit.chunk_id for hit in hits}) == min(k, EACH * len(inside))


async def test_a_scope_far_from_the_question_is_searched_whole(tmp_path: Path):
    """Its chunks may all be in parts of the index that the question is not near."""
    sizes = replace(EAGER, exact_scope=0)
    index = await DenseIndex.open(tmp_path, Pointing(dimension=16), dimension=16, sizes=sizes)
    far = np.eye(16, dtype=np.float32)
    draw = np.random.default_rng(1)
    for document in range(12):
        around = far[document] + 0.05 * draw.normal(size=(1000, 16)).astype(np.float32)
        chunk = chunk_of("made up", document=document)
        await index.add([entry_of(replace(chunk, id=ChunkId(f"{document}.{i}")), *v) for i, v in enumerate(around)])
    await index._train()
    for document in range(12):
        rows = await index._searched(far[0], {document_id(document)}, 20)
        assert {row["document_id"] for row in rows} == {document_id(document)}
        assert len(rows) == 20
    await index.close()


async def test_a_scope_with_fewer_chunks_than_asked_gives_them_all(index: DenseIndex):
    """And a wide one gives all there is."""
    assert len(await index.retrieve("9.0", within=everything([9]), k=500)) == EACH
    assert len(await index.retrieve("9.0", within=everything(), k=5000)) == EACH * DOCUMENTS


async def test_a_scope_may_name_documents_that_are_not_there(index: DenseIndex):
    """A document whose chunks are still to come, or have gone, changes nothing."""
    absent = [document_id(200), document_id(201)]
    assert await index.retrieve("1.0", within=absent, k=5) == []
    assert len(await index.retrieve("1.0", within=everything() + absent, k=5)) == 5


async def test_what_comes_after_the_index_was_built_is_found_at_once(index: DenseIndex, tmp_path: Path):
    """By every process, in narrow scopes and wide ones."""
    reader = await opened(tmp_path)
    assert await reader.retrieve("100.0", within=everything([100]), k=1) == []
    await index.add(entries(100))
    for searching in (index, reader):
        for scope in ([100], [*range(1, DOCUMENTS + 1), 100]):
            hits = await searching.retrieve("100.0", within=everything(scope), k=3)
            assert hits[0].chunk_id == "100.0"
    await reader.close()


async def test_a_removed_document_is_not_found(index: DenseIndex):
    """Nor is its place among the `k` lost."""
    await index.remove(document_id(5))
    hits = await index.retrieve("5.0", within=everything(), k=EACH)
    assert len(hits) == EACH
    assert document_id(5) not in {hit.document_id for hit in hits}
    assert await index.count() == EACH * (DOCUMENTS - 1)


async def test_documents_come_and_go_for_long(index: DenseIndex, tmp_path: Path):
    """Neither files nor versions nor parts of the index pile up, and what is there is found."""
    for document in range(101, 131):
        await index.add(entries(document))
        await index.remove(document_id(document - 100))
    remaining = range(31, DOCUMENTS + 1)
    hits = await index.retrieve("35.0", within=everything(remaining), k=10)
    assert len({hit.chunk_id for hit in hits} & nearest("35.0", remaining, 10)) >= 9
    assert len(files(tmp_path, "data")) <= EAGER.fragments + EAGER.segments
    assert len(files(tmp_path, "_versions")) <= EAGER.fragments
    assert max(found.num_segments for found in await index._table.list_indices()) <= EAGER.segments + 1


async def test_new_rows_do_not_write_old_ones_anew(tmp_path: Path):
    """Putting files in order leaves the large one as it is until the index is trained again."""
    index = await filled(tmp_path, documents=20)
    largest = max(files(tmp_path, "data"), key=lambda file: file.stat().st_size)
    for document in range(21, 29):
        await index.add(entries(document))
    assert len(files(tmp_path, "data")) < 8
    assert largest.exists()
    await index.close()


async def test_searches_go_on_while_everything_is_put_in_order(index: DenseIndex, tmp_path: Path):
    """A reader whose version is pruned under it finds what it asked for."""
    reader = await opened(tmp_path)
    writing = asyncio.Event()

    async def search() -> int:
        searches = 0
        while not writing.is_set():
            hits = await reader.retrieve("1.0", within=everything(), k=10)
            assert hits[0].chunk_id == "1.0"
            assert len(hits) == 10
            searches += 1
        return searches

    async with asyncio.TaskGroup() as tasks:
        searching = tasks.create_task(search())
        for document in range(101, 131):
            await index.add(entries(document))
        await index.remove(document_id(101))
        writing.set()
    assert searching.result() > 0
    await reader.close()


async def test_a_small_table_has_few_files_however_many_writes_it_took(tmp_path: Path):
    """A search reads each of them."""
    index = await filled(tmp_path, LAZY, documents=33)
    assert len(files(tmp_path, "data")) <= LAZY.fragments_unindexed
    await index.close()


async def test_nothing_of_a_removed_document_stays_in_a_small_table(tmp_path: Path):
    """Even when its rows had long been merged into one file with others."""
    index = await filled(tmp_path, LAZY, documents=16)
    await index._tidy()
    assert len(files(tmp_path, "data")) == 1
    planted = vectors(3)[0].tobytes()
    assert planted in files(tmp_path, "data")[0].read_bytes()
    await index.remove(document_id(3))
    await index.close()
    assert [file for file in files(tmp_path, "") if planted in file.read_bytes()] == []


async def test_vectors_of_any_length_can_be_approximated(tmp_path: Path):
    """Also of one that Lance cannot quantize."""
    index = await DenseIndex.open(tmp_path, Pointing(dimension=30), dimension=30, sizes=EAGER)
    draw = np.random.default_rng(1)
    for document in range(1, 31):
        await index.add(
            [replace(entry, vectors=draw.normal(size=(1, 30)).astype(np.float32)) for entry in entries(document)]
        )
    assert "IvfFlat" in {found.index_type for found in await index._table.list_indices()}
    await index.close()


async def test_what_is_kept_in_memory_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Files and indexes that were replaced are not remembered for ever; forty changes would leave 2.5 MB."""
    monkeypatch.setattr(lance_table, "METADATA_BYTES", 300_000)
    monkeypatch.setattr(lance_table, "LEAST_ROWS", 1_000)
    index = await filled(tmp_path, documents=4)
    for document in range(5, 45):
        await index.remove(document_id(document - 4))
        await index.add(entries(document))
        assert await index.retrieve(f"{document}.0", within=everything([document]), k=1)
    assert index.cached_bytes < 1_000_000
    await index.close()


async def test_memory_grows_with_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """An index that was opened when it was small finds the same when it has outgrown the room that it had then."""
    monkeypatch.setattr(lance_table, "LEAST_ROWS", EACH)
    index = await filled(tmp_path, documents=1)
    for document in range(2, 9):
        await index.add(entries(document))
        found = await index.retrieve("1.0", within=everything(range(1, document + 1)), k=5)
        assert {hit.chunk_id for hit in found} == nearest("1.0", range(1, document + 1), 5)
    await index.close()
