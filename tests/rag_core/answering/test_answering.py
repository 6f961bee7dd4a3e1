"""From a question to an answer or a refusal, with real stores and a fake model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from builders import document_id, document_of, entry_of, page_of
from fakes import FakeEmbedder

from rag_core.adapters.catalog import SqliteCatalog
from rag_core.adapters.index_store import FolderIndexStore
from rag_core.answering.answering import Answering
from rag_core.answering.quotation import QuotationWriter
from rag_core.checking.verification import Verifier
from rag_core.errors import DocumentNotFound, ModelUnavailable
from rag_core.finding.index_state import state_of
from rag_core.finding.retrieval import Retrieval
from rag_core.protocols import Rephraser
from rag_core.reading.chunking import PageChunker
from rag_core.types import Answer, Document, Draft, Exchange, ModelCard, Passage, Rephrased, Scope, SearchMode, Usage

LOCAL = Scope.of("local")
LEAVE = "Annual leave for grade 3 is 25 days.\n\nThe notice period after probation is eight weeks."
BOATS = "Boats stay in harbour when the wind is above force 5.\n\nA crew reports by radio every 40 minutes."


class Likely:
    """An entailment model that believes whatever shares a word: the fact checks must hold without its help."""

    version = "likely"

    async def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Sure of everything."""
        return [0.95 for _ in pairs]


class Says:
    """A writer that says what it was told to."""

    name = "says"

    def __init__(self, text: str) -> None:
        self.text = text

    async def write(self, question: str, passages: Sequence[Passage]) -> Draft:  # noqa: ARG002 - it never listens
        """The same, whatever is asked."""
        return Draft(self.text, self.name)


class Asker:
    """Asks a library of two documents, the second of them with a page that nobody could read."""

    def __init__(self, catalog: SqliteCatalog, store: FolderIndexStore, embedder: FakeEmbedder) -> None:
        self.catalog, self.embedder = catalog, embedder
        self.retrieval = Retrieval(
            catalog, store, embedder, lambda card: PageChunker(embedder.count_tokens, card.window)
        )

    async def __call__(  # noqa: PLR0913 - what a test may want to set
        self,
        question: str,
        *,
        says: str | None = None,
        scope: Scope = LOCAL,
        history: Sequence[Exchange] = (),
        rephraser: Rephraser | None = None,
        passages: int = 5,
    ) -> Answer:
        """The answer by quotation, or checked from what a writer says."""
        writer = QuotationWriter(self.embedder) if says is None else Says(says)
        answering = Answering(
            catalog=self.catalog,
            retrieval=self.retrieval,
            verifier=Verifier(Likely()),
            writers={"auto": writer},
            gate=0.3,
            passages=passages,
            rephraser=rephraser,
        )
        return await answering.ask(question, scope=scope, writer="auto", policy="strict", history=history)


@pytest.fixture
async def ask(catalog: SqliteCatalog, tmp_path: Path) -> AsyncIterator[Asker]:
    """The library, filled."""
    embedder = FakeEmbedder()
    store = FolderIndexStore(tmp_path / "home", catalog, embedder, patience=1)
    card: ModelCard = await embedder.card()
    chunker = PageChunker(embedder.count_tokens, card.window, target=12)
    state = state_of(card, PageChunker(embedder.count_tokens, card.window), generation=1)
    indexes = await store.build(state)
    await catalog.set_index_state(state)
    for n, text in ((1, LEAVE), (2, BOATS)):
        chunks = chunker.chunk(document_id(n), [page_of(text)])
        document = document_of(n, title="Leave" if n == 1 else "Boats")
        unread = () if n == 1 else (2,)
        await catalog.begin(_with(document, unread=unread, chunks=len(chunks)), [page_of(text)], chunks)
        vectors = await embedder.embed([chunk.indexed for chunk in chunks])
        entries = [entry_of(chunk, *vector) for chunk, vector in zip(chunks, vectors, strict=True)]
        await indexes.add(entries)
        await catalog.ready(document.id)
    await indexes.close()
    yield Asker(catalog, store, embedder)
    await store.close()


def _with(document: Document, *, unread: tuple[int, ...], chunks: int) -> Document:
    return replace(document, unreadable_pages=unread, chunks=chunks)


async def test_an_answer_quotes_the_page(ask: Asker):
    """The claim is supported, and its citation is what the page says at its span."""
    answer = await ask("How many days of annual leave does grade 3 have?")
    assert answer.status == "answered"
    citation = answer.claims[0].citations[0]
    assert (citation.title, citation.page) == ("Leave", 1)
    assert citation.quote == citation.span.of(LEAVE)
    assert answer.text == "“Annual leave for grade 3 is 25 days.” [1]"
    assert {"retrieval", "writing", "checking", "total"} <= answer.ms.keys()


async def test_a_wrong_number_is_withheld_and_said(ask: Asker):
    """Whatever the model thinks; what is right is published alone."""
    answer = await ask(
        "annual leave grade 3 notice period",
        says="Annual leave for grade 3 is 30 days [1]. The notice period after probation is eight weeks [1].",
    )
    assert answer.status == "partial"
    assert "30" not in answer.text
    assert "eight weeks" in answer.text
    assert [claim.claim.text for claim in answer.withheld] == ["Annual leave for grade 3 is 30 days."]
    assert any(not reason.ok for reason in answer.withheld[0].reasons)


async def test_nothing_that_survives_is_a_refusal(ask: Asker):
    """It says which layer ended it, and what was drafted is among the withheld."""
    answer = await ask("How many days of annual leave for grade 3?", says="Annual leave for grade 3 is 31 days [1].")
    assert answer.refusal is not None
    assert "verified" in answer.refusal.reason
    assert (answer.status, answer.text, len(answer.withheld)) == ("refused", "", 1)


async def test_another_subject_is_refused_with_the_nearest_passages(ask: Asker):
    """The missing words are named, and so are pages that nobody could read."""
    answer = await ask("What is the share price of the company?")
    assert answer.refusal is not None
    assert "'share'" in answer.refusal.reason
    assert "these pages could not be read, and may hold it: 2" in answer.refusal.reason


async def test_a_readable_scope_speaks_of_no_unread_pages(ask: Asker):
    """Another document's pages are nobody's business here."""
    answer = await ask("What is the share price?", scope=Scope.of("local", documents=[document_id(1)]))
    assert answer.refusal is not None
    assert "could not be read" not in answer.refusal.reason
    assert all(passage.title == "Leave" for passage in answer.refusal.nearest)


@pytest.mark.parametrize("question", ["How many days of annual leave does grade 3 have?", "What is the share price?"])
async def test_an_answer_says_what_is_found_by_its_words_alone(ask: Asker, question: str):
    """And so does a refusal; of other documents it says nothing, nor of these once their vectors are there."""
    await ask.catalog.unembed(document_id(1))
    [note] = (await ask(question)).notes
    assert "by their words alone" in note
    assert "'Leave'" in note
    assert (await ask(question, scope=Scope.of("local", documents=[document_id(2)]))).notes == ()
    await ask.catalog.embedded(document_id(1))
    assert (await ask(question)).notes == ()


async def test_an_empty_collection_refuses(ask: Asker):
    """No passage, no answer, no error."""
    answer = await ask("leave?", scope=Scope.of("elsewhere"))
    assert (answer.status, answer.claims) == ("refused", ())


async def test_a_document_outside_the_scope_does_not_exist(ask: Asker):
    """Neither its text nor its title is told."""
    with pytest.raises(DocumentNotFound):
        await ask("leave?", scope=Scope.of("elsewhere", documents=[document_id(1)]))


async def test_a_writer_that_is_not_set_up_is_an_error(ask: Asker):
    """Not a refusal: nothing was asked of the documents."""
    answering = Answering(
        catalog=ask.catalog, retrieval=None, verifier=None, writers={}, gate=0.5, passages=5  # type: ignore[arg-type]
    )  # fmt: skip
    with pytest.raises(ModelUnavailable, match="groq"):
        await answering.ask("leave?", scope=LOCAL, writer="groq", policy="strict")


class Rephrases:
    """A model that makes of any follow-up what it was told to, or cannot be asked."""

    def __init__(self, made: str | None) -> None:
        self.made = made

    async def standalone(self, question: str, history: Sequence[Exchange]) -> Rephrased:  # noqa: ARG002 - it never listens
        """The same, whatever is asked."""
        if self.made == "":
            raise ModelUnavailable("It is down.")
        return Rephrased(self.made, Usage("m", calls=1))


GRADES = [Exchange("How many days of annual leave does grade 7 have?")]


async def test_a_follow_up_is_answered_as_it_stands_alone(ask: Asker):
    """What was asked and what it was taken for are both on the answer."""
    answer = await ask("And grade 3?", history=GRADES)
    assert (answer.question, answer.standalone) == ("And grade 3?", "How many days of annual leave does grade 3 have?")
    assert answer.text == "“Annual leave for grade 3 is 25 days.” [1]"


async def test_a_question_that_stands_alone_says_no_more(ask: Asker):
    """Nothing is shown as understood otherwise."""
    answer = await ask("How many days of annual leave does grade 3 have?", history=GRADES)
    assert answer.standalone is None


@pytest.mark.parametrize("made", [None, "", "a page\nof text", "x" * 600])
async def test_rules_do_where_a_model_makes_no_question_of_it(ask: Asker, made: str | None):
    """It could not tell, could not be asked, or said too much."""
    answer = await ask("And grade 3?", history=GRADES, rephraser=Rephrases(made))
    assert answer.standalone == "How many days of annual leave does grade 3 have?"


async def test_a_model_may_make_the_follow_up_stand_alone(ask: Asker):
    """Its question is answered, and shown."""
    made = "How long is the notice period after probation?"
    answer = await ask("And that?", history=GRADES, rephraser=Rephrases(made))
    assert answer.standalone == made
    assert "eight weeks" in answer.text
    assert answer.usage.calls == 1


async def test_a_citation_is_mended_from_the_whole_scope(ask: Asker):
    """What no passage shown says, but another document does, is cited there, and the reasons say so."""
    answer = await ask(
        "How many days of annual leave for grade 3?",
        says="A crew reports by radio every 40 minutes [1].",
        passages=1,
    )
    (claim,) = answer.claims
    assert claim.citations[0].quote == "A crew reports by radio every 40 minutes."
    assert any(r.check == "citation_repaired" and r.ok for r in claim.reasons)


@pytest.mark.parametrize("mode", ["hybrid", "dense", "sparse"])
async def test_a_section_that_is_found_as_a_whole_is_shown_once(ask: Asker, mode: SearchMode):
    """What both of its parts say is found, in whichever way, and no text comes twice."""
    found = await ask.retrieval.find(LEAVE, scope=LOCAL, k=9, mode=mode)
    first, *others = found.passages
    assert first.chunk.text == LEAVE
    assert not first.chunk.whole
    assert all(passage.chunk.document_id != first.chunk.document_id for passage in others)
