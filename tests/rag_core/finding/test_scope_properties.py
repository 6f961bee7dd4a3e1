"""Whatever a scope is, nothing outside it is found, listed, shown, counted or told apart, by either index."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from desk import NOON, Desk, open_desk
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_core.errors import DocumentNotFound, JobNotFound
from rag_core.types import CollectionName, DocumentId, Scope, SearchMode
from rag_core.types.jobs import Principal

COLLECTIONS = ("a", "b", "c", "d")
MEMBERS = ("a", "b", "ab", "c", "abc", "d", "bd", "cd", "abcd", "ad") * 3
"""Of each document its collections. All documents share their words, so that everything is a hit everywhere; and there
are enough for scopes of both kinds, those that are searched alone and those that are sifted out of what is found."""
QUESTIONS = ("the tide turns", '"tide turns"', "number 3", "compare number 1 with number 2", "herring")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[DocumentId, str]]:
    """A data folder with documents in several collections each, and which."""
    home = tmp_path_factory.mktemp("scopes") / "home"

    async def filled() -> dict[DocumentId, str]:
        desk = await open_desk(home)
        try:
            files = [desk.file(f"{n}.pdf", f"The tide turns at number {n}.\fHerring.") for n in range(len(MEMBERS))]
            results = await desk.add(*files, collection="a")
            ids = [result.document.id for result in results if result.document]
            for document_id, names in zip(ids, MEMBERS, strict=True):
                for name in names:
                    sender = Principal(f"of {name}")
                    await desk.catalog.join(
                        document_id, CollectionName(name), f"{sender}.pdf", since=NOON, principal=sender
                    )
                if "a" not in names:
                    await desk.catalog.leave(document_id, [CollectionName("a")])
            return dict(zip(ids, MEMBERS, strict=True))
        finally:
            await desk.catalog.close()
            await desk.store.close()

    return home, asyncio.run(filled())


Asked = tuple[frozenset[str], frozenset[int] | None, str, SearchMode, int]
ASKED = st.tuples(
    st.frozensets(st.sampled_from((*COLLECTIONS, "nobody's"))),
    st.none() | st.frozensets(st.integers(0, len(MEMBERS) - 1), max_size=4),
    st.sampled_from(QUESTIONS),
    st.sampled_from(("hybrid", "dense", "sparse")),
    st.integers(1, 60),
)


@settings(max_examples=6, deadline=None)
@given(asked=st.lists(ASKED, min_size=5, max_size=15))
def test_nothing_outside_a_scope_is_seen(library: tuple[Path, dict[DocumentId, str]], asked: list[Asked]):
    """Each question in a scope of random collections and documents, of a library where every document matches."""
    home, members = library

    async def ask_all() -> None:
        desk = await open_desk(home)
        try:
            for one in asked:
                await check(desk, members, *one)
        finally:
            await desk.catalog.close()
            await desk.store.close()

    asyncio.run(ask_all())


async def check(  # noqa: PLR0913, PLR0917 - one of each that is drawn
    desk: Desk,
    members: dict[DocumentId, str],
    collections: frozenset[str],
    numbers: frozenset[int] | None,
    question: str,
    mode: SearchMode,
    k: int,
) -> None:
    """What the scope may see, computed from `members`, is just what it sees."""
    ids = list(members)
    named = None if numbers is None else [ids[n] for n in sorted(numbers)]
    inside = {d for d, names in members.items() if collections & set(names) and (named is None or d in named)}
    scope = Scope.of(*collections, documents=named)
    listed = await desk.catalog.documents(scope)
    assert {document.id for document in listed} == inside
    for document in listed:
        held = collections & set(members[document.id])
        assert set(document.collections) <= held
        called = {f"of {name}.pdf" for name in held} | ({f"{ids.index(document.id)}.pdf"} if "a" in held else set())
        assert document.filename in called
    assert await desk.catalog.visible(scope) == inside
    assert {job.document_id for job in await desk.intake.jobs(scope)} <= inside
    try:
        found = await desk.retrieval.find(question, scope=scope, k=k, mode=mode)
    except DocumentNotFound:
        assert named is not None
        assert not set(named) <= inside
        return
    assert {passage.chunk.document_id for passage in found.passages} <= inside
    assert {passage.title for passage in found.passages} <= {document.title for document in listed}
    if inside and k >= 2 * len(MEMBERS) and question == "the tide turns" and mode != "hybrid":
        assert {passage.chunk.document_id for passage in found.passages} == inside


async def test_what_is_outside_is_told_like_what_is_nowhere(library: tuple[Path, dict[DocumentId, str]]):
    """In the same words, after the same looks into the catalog, so that no clock tells them apart; none is searched."""
    home, members = library
    desk = await open_desk(home)
    looks: list[str] = []
    await desk.catalog.file._reader.set_trace_callback(looks.append)
    try:
        for document_id, names in members.items():
            for collection in set(COLLECTIONS) - set(names):
                told = []
                for asked in (document_id, DocumentId("f" * 64)):
                    looks.clear()
                    with pytest.raises(DocumentNotFound) as refused:
                        await desk.retrieval.find("the tide", scope=Scope.of(collection, documents=[asked]), k=5)
                    told.append([text.replace(asked, "") for text in (str(refused.value), *looks)])
                assert told[0] == told[1]
                assert len(told[0]) > 1
        assert desk.embedder.embedded == []
    finally:
        await desk.catalog.close()
        await desk.store.close()


async def test_a_job_outside_the_scope_does_not_exist(library: tuple[Path, dict[DocumentId, str]]):
    """It is refused in the same words as one that never was."""
    home, _ = library
    desk = await open_desk(home)
    try:
        [job] = await desk.submit(desk.file("job.pdf", "Waiting."), collection="b")
        with pytest.raises(JobNotFound) as theirs:
            await desk.intake.job(job.id, scope=Scope.of("a"))
        await desk.intake.cancel(job.id, scope=Scope.of("b"))
        with pytest.raises(JobNotFound) as nobodys:
            await desk.intake.job(type(job.id)("0" * 32), scope=Scope.of("a"))
        assert str(theirs.value).replace(job.id, "") == str(nobodys.value).replace("0" * 32, "")
    finally:
        await desk.catalog.close()
        await desk.store.close()
