"""The catalog says what counts."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from builders import chunk_of, document_id, document_of, page_of

from rag_core.adapters import page_codec
from rag_core.adapters.catalog import SqliteCatalog
from rag_core.adapters.catalog_file import MIGRATIONS
from rag_core.errors import IndexOutOfDate, StoreUnavailable
from rag_core.types import ChunkId, CollectionName, IndexState, Scope, Span
from rag_core.types.jobs import LOCAL as LOCAL_USER

LOCAL = Scope.of("local")
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
LATER = datetime(2026, 1, 2, 12, tzinfo=UTC)
TEXT = "Leave is 25 days.\n\nTides turn twice."


async def add(catalog: SqliteCatalog, n: int = 1, *, collection: str = "local", ready: bool = True) -> None:
    """Add the n-th document, of one page and two chunks."""
    chunks = [chunk_of(TEXT[:17], document=n), chunk_of(TEXT[19:], document=n, start=19, context="Tides")]
    await catalog.begin(document_of(n, collection=collection), [page_of(TEXT)], chunks)
    if ready:
        await catalog.ready(document_id(n))


async def test_a_document_counts_from_ready_on(catalog: SqliteCatalog):
    """Before its last write it is not listed, not found, and none of its chunks is."""
    await add(catalog, ready=False)
    assert await catalog.documents(LOCAL) == []
    assert await catalog.find(document_id(1)) is None
    assert await catalog.chunks([ChunkId("1.1.0")]) == {}
    assert await catalog.unfinished() == [document_id(1)]
    await catalog.ready(document_id(1))
    assert [d.id for d in await catalog.documents(LOCAL)] == [document_id(1)]
    assert await catalog.unfinished() == []


async def test_chunks_are_read_from_their_page(catalog: SqliteCatalog):
    """A chunk's text is what its page says at its span, and its context comes along."""
    await add(catalog)
    chunks = await catalog.chunks([ChunkId("1.1.19"), ChunkId("not there")])
    assert [(c.text, c.context) for c in chunks.values()] == [("Tides turn twice.", "Tides")]


async def test_a_whole_section_comes_after_its_parts_and_knows_them(catalog: SqliteCatalog):
    """Whoever makes its vector has had those of its parts; whoever finds it finds these."""
    section = Span(0, len(TEXT))
    parts = [replace(chunk_of(TEXT[a:b], start=a), section=section) for a, b in ((0, 17), (19, len(TEXT)))]
    whole = replace(chunk_of(TEXT), id=ChunkId("whole"), whole=True)
    await catalog.begin(document_of(1), [page_of(TEXT)], [*parts, whole])
    await catalog.ready(document_id(1))
    assert await catalog.chunks_of(document_id(1)) == [*parts, whole]
    assert await catalog.parts([whole.id, parts[0].id]) == {whole.id: [part.id for part in parts]}


async def test_a_page_comes_back_as_it_was(catalog: SqliteCatalog):
    """Text, blocks and glyphs."""
    await add(catalog)
    assert await catalog.page(document_id(1), 1) == page_of(TEXT)
    assert await catalog.page(document_id(1), 2) is None


async def test_pages_are_read_together_as_each_by_itself(catalog: SqliteCatalog):
    """Of several documents; one that is not there is left out."""
    await add(catalog, 1)
    await add(catalog, 2)
    there = [(document_id(2), 1), (document_id(1), 1)]
    assert await catalog.pages_at([*there, (document_id(1), 2)]) == dict.fromkeys(there, page_of(TEXT))
    assert await catalog.pages_at([]) == {}


async def test_a_scope_sees_its_collections_only(catalog: SqliteCatalog):
    """Neither another collection's documents, nor the names of collections that the scope does not hold."""
    await add(catalog, 1)
    await add(catalog, 2, collection="secret")
    await catalog.join(document_id(1), CollectionName("secret"), "secret.pdf", since=NOON)
    [document] = await catalog.documents(LOCAL)
    assert (document.id, document.collections) == (document_id(1), ("local",))
    assert await catalog.visible(Scope.of("secret", documents=[document_id(2)])) == {document_id(2)}
    assert await catalog.visible(Scope.of()) == frozenset()


async def test_a_document_is_called_what_the_scope_calls_it(catalog: SqliteCatalog):
    """Its file's name, and its title where it has none of its own, are those it came with there, and so is its age."""
    await add(catalog)
    await catalog.join(document_id(1), CollectionName("other"), "Dismissal of Smith.pdf", since=LATER)
    [ours] = await catalog.documents(LOCAL)
    [theirs] = await catalog.documents(Scope.of("other"))
    assert (ours.filename, ours.title, ours.added_at) == ("A handbook.pdf", "A handbook", NOON)
    assert (theirs.filename, theirs.title, theirs.added_at) == ("Dismissal of Smith.pdf", "Dismissal of Smith", LATER)
    assert (await catalog.documents(Scope.of("local", "other")))[0].filename == "A handbook.pdf"
    await catalog.share(document_id(1), CollectionName("third"), scope=Scope.of("other"), since=LATER)
    assert [d.filename for d in await catalog.documents(Scope.of("third"))] == ["Dismissal of Smith.pdf"]


async def test_the_last_membership_takes_the_document_along(catalog: SqliteCatalog):
    """It stops counting at once, and waits to be forgotten."""
    await add(catalog)
    await catalog.join(document_id(1), CollectionName("other"), "other.pdf", since=NOON)
    assert not await catalog.leave(document_id(1), ["local"])
    assert await catalog.leave(document_id(1), ["other"])
    assert await catalog.find(document_id(1)) is None
    assert await catalog.unfinished() == [document_id(1)]
    await catalog.forget(document_id(1))
    assert await catalog.unfinished() == []
    assert await catalog.pages(document_id(1)) == []


async def test_the_state_of_the_indexes_and_their_chunks_change_together(catalog: SqliteCatalog):
    """A rebuild swaps the generation and the cuts in one step."""
    await add(catalog)
    state = IndexState(2, "model", 384, "chunker")
    await catalog.set_index_state(state, chunks=[(document_id(1), [chunk_of(TEXT)])])
    assert await catalog.index_state() == state
    assert await catalog.count_chunks() == 1
    assert list(await catalog.chunks([ChunkId("1.1.0"), ChunkId("1.1.19")])) == ["1.1.0"]


async def test_two_processes_see_each_other(catalog: SqliteCatalog, tmp_path: Path):
    """What one writes the other reads, without reopening."""
    other = await SqliteCatalog.open(tmp_path / "home" / "catalog.sqlite3")
    await add(catalog)
    assert [d.id for d in await other.documents(LOCAL)] == [document_id(1)]
    await other.close()


async def test_a_failed_write_leaves_nothing(catalog: SqliteCatalog):
    """A document that cannot be noted whole is not noted."""
    with pytest.raises(StoreUnavailable):
        await catalog.begin(document_of(), [page_of("a"), page_of("b")], [])
    assert await catalog.unfinished() == []


async def test_a_newer_catalog_is_refused(tmp_path: Path):
    """An old program never writes to a schema that it does not know."""
    path = tmp_path / "catalog.sqlite3"
    await (await SqliteCatalog.open(path)).close()
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    db.close()
    with pytest.raises(IndexOutOfDate, match="newer"):
        await SqliteCatalog.open(path)


async def test_a_newer_program_that_comes_later_ends_what_an_older_one_writes(catalog: SqliteCatalog):
    """Both have the folder open; the older one goes on reading, and says why it does not write."""
    await add(catalog)
    async with catalog.file.transaction() as db:
        await db.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    with pytest.raises(IndexOutOfDate, match="newer"):
        await catalog.leave(document_id(1), LOCAL.collections)
    assert [document.id for document in await catalog.documents(LOCAL)] == [document_id(1)]


async def test_what_is_no_catalog_is_said_to_be_none(tmp_path: Path):
    """A stray file gives a sentence, not a stack."""
    path = tmp_path / "catalog.sqlite3"
    path.write_bytes(b"not a database at all, but long enough to look like one" * 100)
    with pytest.raises(StoreUnavailable, match="--home"):
        await SqliteCatalog.open(path)


async def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path):
    """A file stands where the folder should."""
    (tmp_path / "home").write_text("in the way")
    with pytest.raises(StoreUnavailable, match="home"):
        await SqliteCatalog.open(tmp_path / "home" / "catalog.sqlite3")


async def test_a_scope_may_name_any_number_of_documents(catalog: SqliteCatalog):
    """More than a statement of SQLite takes values; only those that are there and visible count."""
    await add(catalog)
    many = Scope.of("local", documents=[document_id(1), *(f"{n:064x}" for n in range(50_000))])
    assert await catalog.visible(many) == {document_id(1)}
    assert [document.id for document in await catalog.documents(many)] == [document_id(1)]


@pytest.mark.parametrize("version", range(1, len(MIGRATIONS)))
async def test_a_library_of_any_older_version_is_brought_up_to_date(tmp_path: Path, version: int):
    """Its documents are there, seen by whom they were, with all their vectors; and it opens a second time."""
    path = tmp_path / "catalog.sqlite3"
    db = sqlite3.connect(path)
    for migration in MIGRATIONS[:version]:
        db.executescript(migration)
    columns = ["id", "title", "filename", "pages", "chunks", "added_at", "state", "unreadable_pages", "warnings"]
    values = [document_id(1), "Old", "old.pdf", 1, 1, NOON.isoformat(), "ready", "[]", "[]"]
    marks = ", ".join("?" for _ in columns)
    db.execute(f"INSERT INTO documents ({', '.join(columns)}) VALUES ({marks})", values)
    db.execute("INSERT INTO memberships (collection, document_id) VALUES ('local', ?)", [document_id(1)])
    db.execute("INSERT INTO pages VALUES (?, 1, ?, ?)", [document_id(1), TEXT, page_codec.encode(page_of(TEXT))])
    chunk = chunk_of(TEXT[19:], start=19, context="Tides")
    db.execute(
        "INSERT INTO chunks (id, document_id, page, start, stop, context) VALUES (?, ?, 1, ?, ?, ?)",
        [chunk.id, document_id(1), chunk.span.start, chunk.span.end, chunk.context],
    )
    if db.execute("SELECT 1 FROM pragma_table_info('memberships') WHERE name = 'since'").fetchone():
        db.execute("UPDATE memberships SET since = ?", [NOON.isoformat()])
    if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'senders'").fetchone():
        db.execute("INSERT INTO senders VALUES ('local', ?, ?)", [document_id(1), LOCAL_USER])
    db.execute(f"PRAGMA user_version = {version}")
    db.commit()
    db.close()
    for _ in range(2):
        catalog = await SqliteCatalog.open(path)
        [document] = await catalog.documents(LOCAL)
        assert (document.id, document.added_at, document.embedded) == (document_id(1), NOON, True)
        assert (document.title, document.filename) == ("Old", "old.pdf")
        assert await catalog.pages(document_id(1)) == [page_of(TEXT)]
        assert [(c.id, c.text, c.context) for c in await catalog.chunks_of(document_id(1))] == [
            (chunk.id, chunk.text, chunk.context)
        ]
        assert await catalog.outdated(NOON) == []
        assert await catalog.uploaded_by(LOCAL_USER) == [document_id(1)]
        await catalog.close()
