"""What every index promises, asked of both."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from builders import chunk_of, document_id, entry_of
from fakes import FakeEmbedder

from rag_core.adapters.dense_index import DenseIndex
from rag_core.adapters.sparse_index import SparseIndex
from rag_core.protocols import Index
from rag_core.types import Chunk, ChunkId, Entry

CHUNKS = [
    chunk_of("The tide gauge is read at noon.", document=1),
    chunk_of("Annual leave is twenty-five days.", document=1, page=2),
    chunk_of("The tide turns twice a day.", document=2),
]


async def entries(*chunks: Chunk) -> list[Entry]:
    """The chunks with their vectors."""
    vectors = await FakeEmbedder().embed([chunk.text for chunk in chunks])
    return [entry_of(chunk, *vector) for chunk, vector in zip(chunks, vectors, strict=True)]


async def opened(kind: str, folder: Path) -> Index:
    """The index of this kind in `folder`, as a process opens it."""
    if kind == "dense":
        return await DenseIndex.open(folder, FakeEmbedder(), dimension=64)
    return await SparseIndex.open(folder)


@pytest.fixture(params=["dense", "sparse"])
def kind(request: pytest.FixtureRequest) -> str:
    """Which index is asked."""
    return str(request.param)


@pytest.fixture
async def index(kind: str, tmp_path: Path) -> AsyncIterator[Index]:
    """An index that holds `CHUNKS`."""
    index = await opened(kind, tmp_path / kind)
    await index.add(await entries(*CHUNKS))
    yield index
    await index.close()


EVERYWHERE = [document_id(1), document_id(2)]


async def test_the_best_hit_comes_first(index: Index):
    """A chunk that shares the query's words is ranked above those that do not."""
    hits = await index.retrieve("annual leave days", within=EVERYWHERE, k=3)
    assert hits[0].chunk_id == CHUNKS[1].id
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


async def test_nothing_outside_the_documents_is_found(index: Index):
    """What is outside takes no place among the k, either."""
    hits = await index.retrieve("tide", within=[document_id(2)], k=1)
    assert [hit.document_id for hit in hits] == [document_id(2)]


async def test_no_documents_no_hits(index: Index):
    """An asker who may see nothing finds nothing."""
    assert await index.retrieve("tide", within=[], k=5) == []


@pytest.mark.parametrize(
    "query",
    [
        *("", " ", "?!", 'title:"(', "AND OR NOT", "foo:bar (", "\\", "'; --", "\x00", "a" * 5000),
        *('"', '""', '" "', "“tide", "«»", '"' * 5000, "“”" * 2500, "tide\x00gauge", "ก็", "水", "😀", "\ud800"),
        *("AB-1234/5 " * 500, "1,234" * 1000, "a.b-" * 1250, "%" * 5000, "-./_:#@+", "²", "\u0301"),
    ],
    ids=lambda query: repr(query[:12]),
)
async def test_no_text_breaks_a_search(index: Index, query: str):
    """Whatever a person types is words to look for, never a language."""
    assert isinstance(await index.retrieve(query, within=EVERYWHERE, k=5), list)


async def test_a_removed_document_is_gone(index: Index):
    """Its chunks are neither found nor counted; others stay."""
    await index.remove(document_id(1))
    hits = await index.retrieve("tide gauge leave", within=EVERYWHERE, k=5)
    assert {hit.document_id for hit in hits} <= {document_id(2)}
    assert await index.count() == 1


async def test_removing_what_is_not_there_changes_nothing(index: Index):
    """Undoing may come twice."""
    await index.remove(document_id(9))
    assert await index.count() == 3


async def test_what_was_added_is_there_after_a_restart(index: Index, kind: str, tmp_path: Path):
    """`add` returns when it is on disk."""
    again = await opened(kind, tmp_path / kind)
    assert await again.count() == 3
    assert (await again.retrieve("annual leave", within=EVERYWHERE, k=1))[0].page == 2
    await again.close()


async def test_another_reader_sees_new_documents(index: Index, kind: str, tmp_path: Path):
    """A process that has the index open finds what another writes."""
    reader = await opened(kind, tmp_path / kind)
    assert await reader.count() == 3
    await index.add(await entries(chunk_of("Herring Monday is a holiday.", document=3)))
    hits = await reader.retrieve("herring", within=[document_id(3)], k=1)
    assert [hit.document_id for hit in hits] == [document_id(3)]
    await reader.close()


async def test_what_is_removed_leaves_the_disk(index: Index, kind: str, tmp_path: Path):
    """No old version keeps a row or a word of it."""
    planted = replace(chunk_of("The quixotic word stands here.", document=4), id=ChunkId("planted-chunk"))
    await index.add(await entries(planted))
    await index.remove(document_id(4))
    await index.close()
    files = [f for f in (tmp_path / kind).rglob("*") if f.is_file()]
    assert [f for f in files if b"planted-chunk" in f.read_bytes() or b"quixot" in f.read_bytes()] == []
