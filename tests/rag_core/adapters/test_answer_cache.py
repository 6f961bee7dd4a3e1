"""An answer is given again while nothing that it depends on changed, and goes with the documents it quotes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from builders import chunk_of, document_id, document_of, page_of, passage_of

from rag_core.adapters.answer_cache import MOST, SqliteAnswerCache
from rag_core.adapters.catalog import SqliteCatalog
from rag_core.answering.answering import Answering
from rag_core.checking.verification import Verifier
from rag_core.types import (
    Answer,
    CheckedClaim,
    Citation,
    Claim,
    CollectionName,
    Document,
    Draft,
    Found,
    Passage,
    Policy,
    Reason,
    Rect,
    Refusal,
    Scope,
    Span,
    Verdict,
)

LOCAL = Scope.of("local")
TEXT = "Annual leave for grade 3 is 25 days."
QUESTION = "How many days of annual leave for grade 3?"


class Sure:
    """An entailment model that believes all of it."""

    version = "sure"

    async def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Sure of everything."""
        return [0.99 for _ in pairs]


class Counts:
    """A writer that quotes the first passage, and counts how often it is asked."""

    name = "counts"

    def __init__(self) -> None:
        self.asked = 0

    async def write(self, question: str, passages: Sequence[Passage]) -> Draft:  # noqa: ARG002 - it never listens
        """The text of the first passage."""
        self.asked += 1
        text = passages[0].chunk.text
        return Draft(f"{text} [1]", self.name, claims=(Claim(text, Span(0, len(text) + 4), markers=(1,)),))


class Finds:
    """Retrieval that finds the one passage."""

    async def find(self, question: str, *, scope: Scope, k: int) -> Found:  # noqa: ARG002 - it never looks
        """It, whatever is asked."""
        return Found(question, (passage_of(TEXT),), 0.0)


class Asked:
    """A library of one document, of which the same is asked again."""

    def __init__(self, catalog: SqliteCatalog, cache: SqliteAnswerCache) -> None:
        self.catalog, self.cache, self.writer = catalog, cache, Counts()

    async def __call__(  # noqa: PLR0913 - what a test may want to set
        self,
        question: str = QUESTION,
        *,
        policy: Policy = "strict",
        gate: float = 0.0,
        settings: str = "",
        fresh: bool = False,
        scope: Scope = LOCAL,
    ) -> Answer:
        """The answer, by what is kept or anew."""
        answering = Answering(
            catalog=self.catalog,
            retrieval=Finds(),  # type: ignore[arg-type] - all that is asked of it
            verifier=Verifier(Sure()),
            writers={"auto": self.writer},
            gate=gate,
            passages=5,
            cache=self.cache,
            settings=settings,
        )
        return await answering.ask(question, scope=scope, writer="auto", policy=policy, fresh=fresh)


@pytest.fixture
async def cache(catalog: SqliteCatalog) -> SqliteAnswerCache:
    """Of the catalog, which has one document."""
    await _added(catalog, document_of(1))
    return SqliteAnswerCache(catalog.file)


@pytest.fixture
def asked(catalog: SqliteCatalog, cache: SqliteAnswerCache) -> Asked:
    """The library."""
    return Asked(catalog, cache)


async def _added(catalog: SqliteCatalog, document: Document) -> None:
    await catalog.begin(document, [page_of(TEXT)], [])
    await catalog.ready(document.id)


async def test_the_same_question_is_answered_at_once_verdicts_and_all(asked: Asked):
    """The writer is asked once; only the time differs."""
    first = await asked()
    again = await asked(" how many days of annual leave for grade 3 ")
    assert asked.writer.asked == 1
    assert replace(again, question=first.question, ms=first.ms) == first
    assert again.claims[0].verdict is Verdict.SUPPORTED
    assert set(again.ms) == {"cache", "total"}


async def test_a_fresh_answer_is_made_anew_and_not_kept(asked: Asked):
    """A measurement takes nothing from what was kept, and leaves nothing behind."""
    await asked(fresh=True)
    await asked()
    await asked(fresh=True)
    assert asked.writer.asked == 3


@pytest.mark.parametrize("changed", [{"policy": "flag"}, {"gate": 0.001}, {"settings": "another reranker"}])
async def test_other_settings_make_the_answer_anew(asked: Asked, changed: dict[str, object]):
    """Policy, gate, and whatever else it depends on."""
    await asked()
    await asked(**changed)  # type: ignore[arg-type] - one of its own
    assert asked.writer.asked == 2


async def test_another_document_in_the_scope_makes_the_answer_anew(asked: Asked):
    """It may answer better, or otherwise."""
    await asked()
    await asked.catalog.join(document_id(1), CollectionName("elsewhere"), "b.pdf", since=document_of(1).added_at)
    await asked()
    assert asked.writer.asked == 1
    await _added(asked.catalog, document_of(2))
    await asked()
    assert asked.writer.asked == 2


async def test_what_was_answered_elsewhere_is_answered_anew(asked: Asked):
    """Of the same documents, too: that somebody else asked is not to be told by the time that an answer takes."""
    await asked()
    await asked.catalog.join(document_id(1), CollectionName("elsewhere"), "b.pdf", since=document_of(1).added_at)
    await asked(scope=Scope.of("elsewhere"))
    assert asked.writer.asked == 2


async def test_nothing_is_kept_while_vectors_are_to_come(asked: Asked):
    """What is found by words alone is not what will be found."""
    await asked.catalog.unembed(document_id(1))
    await asked()
    await asked()
    assert asked.writer.asked == 2


async def test_an_answer_goes_with_the_document_it_quotes(asked: Asked, tmp_path: Path):
    """Nothing of its text is left in the file."""
    await asked()
    await asked.cache.forget(document_id(2))
    await asked()
    assert asked.writer.asked == 1
    await asked.cache.forget(document_id(1))
    with _opened(tmp_path / "home" / "catalog.sqlite3") as db:
        assert db.execute("SELECT count(*) FROM answers").fetchone() == (0,)
        assert db.execute("SELECT count(*) FROM answer_documents").fetchone() == (0,)


async def test_an_answer_that_comes_after_its_document_went_is_not_kept(cache: SqliteAnswerCache):
    """It was under way while the document was deleted."""
    gone = replace(passage_of(TEXT), chunk=chunk_of(TEXT, document=9))
    await cache.put("k", replace(_answer(), refusal=Refusal("No.", (gone,))))
    assert await cache.get("k") is None


async def test_what_another_version_kept_is_no_answer(cache: SqliteAnswerCache, tmp_path: Path):
    """It is made anew, without an error."""
    await cache.put("k", _answer())
    assert await cache.get("k") == _answer()
    with _opened(tmp_path / "home" / "catalog.sqlite3") as db:
        db.execute("""UPDATE answers SET answer = '{"text": "?"}'""")
    assert await cache.get("k") is None


async def test_the_oldest_answers_give_way(cache: SqliteAnswerCache, tmp_path: Path):
    """The file does not grow without bound."""
    await cache.put("old", _answer())
    with _opened(tmp_path / "home" / "catalog.sqlite3") as db:
        db.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'answers'", [MOST])
    await cache.put("new", _answer())
    assert (await cache.get("old"), await cache.get("new")) == (None, _answer())


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path)) as db, db:
        yield db


def _answer() -> Answer:
    citation = Citation(1, document_id(1), "A handbook", 1, TEXT, Span(0, len(TEXT)), (Rect(0, 0, 1, 1),))
    claim = Claim(TEXT, Span(0, len(TEXT)), (1,))
    checked = CheckedClaim(claim, Verdict.CONTRADICTED, 0.1, (Reason("number", ok=False, detail="?"),), (citation,))
    return Answer("?", "refused", "", (), (checked,), Refusal("No.", (passage_of(TEXT),)), "quote", {"total": 1.5})
