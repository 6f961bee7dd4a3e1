"""Runs as the command line, the bot and the MCP server drive them: over real stores, with a fake reader and model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from fakes import FakeEmbedder, FakeExtractor

from eval.bench.chat_server import chat_server, fails, says
from eval.datasets import Dataset, Question, rows_of
from eval.errors import NotComparable, RunNotFound, RunOutOfDate, RunUnderWay, UnknownSystem
from eval.replies import Reply
from eval.run_values import Run
from eval.runs import Evals, open_evals
from eval.scoring import Scores
from eval.systems import ours
from rag_core import bootstrap
from rag_core.errors import ModelUnavailable, QuotaExhausted
from rag_core.keeping.ingestion import Source
from rag_core.library import Library
from rag_core.settings import Settings
from rag_core.types import CollectionName, DocumentId, Ingested, Scope

HANDBOOK = (
    "Annual leave is 25 days for every employee.\n\nUnused leave of up to 5 days may be carried over until 31 March.\f"
    "The workshop meets in the Cedar Room.\n\nBoats stay in harbour when the wind is above force 5."
)
SCOPE = Scope.of("room")
QUESTIONS = (
    {"id": "leave", "document": "handbook.pdf", "question": "How many days is annual leave?", "pages": [1],
     "answer": "25 days"},
    {"id": "room", "document": "handbook.pdf", "question": "In which room does the workshop meet?", "pages": [2],
     "answer": "The Cedar Room"},
    {"id": "wind", "document": "handbook.pdf", "question": "Above which wind force do boats stay in harbour?",
     "pages": [2], "answer": "Force 5"},
    {"id": "soup", "document": "handbook.pdf", "question": "How do I cook herring soup?", "pages": []},
)  # fmt: skip
CLAIMS = (
    {"id": "yes", "claim": "Leave is 25 days.", "evidence": "Leave is 25 days.", "label": "supported"},
    {"id": "no", "claim": "Leave is 35 days.", "evidence": "Leave is 25 days.", "label": "unsupported"},
)


def set_of(*rows: object, name: str = "mine") -> Dataset:
    """Rows as a set."""
    return Dataset(name, rows_of(map(json.dumps, rows), source="mine.jsonl"))


@dataclass
class House:
    """A data folder with one document, and engines over it as other processes would open them."""

    settings: Settings
    ids: Iterator[int]
    document: str = ""

    @asynccontextmanager
    async def opened(self, **settings: object) -> AsyncIterator[tuple[Evals, Library]]:
        """An engine of its own, as a new process has it."""
        chosen = self.settings.model_copy(update=settings)
        async with bootstrap.open_library(chosen) as library:
            engine = open_evals(
                chosen,
                library,
                clock=lambda: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=next(self.ids)),
                new_id=lambda: f"run{next(self.ids)}",
                embedder=lambda _: FakeEmbedder(),
            )
            async with engine as evals:
                yield evals, library


@pytest.fixture
async def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """A library of which only the reader of PDFs and the model are fakes."""
    monkeypatch.setattr(bootstrap, "SentenceTransformerEmbedder", lambda *_, **__: FakeEmbedder())
    monkeypatch.setattr(bootstrap, "extractor_of", lambda _: FakeExtractor())
    house = House(Settings(home=tmp_path / "home", writer="quote", gate=0.2), count(1))
    path = tmp_path / "handbook.pdf"
    path.write_text(HANDBOOK, encoding="utf-8")
    results: list[Ingested] = []
    async with house.opened() as (_, library):
        await library.add([Source(path, path.name)], collection=CollectionName("room"), report=results.append)
    assert results[0].document is not None
    house.document = results[0].document.id
    return house


async def whole(evals: Evals, dataset: Dataset, *systems: str) -> Run:
    """A run from its start to its end."""
    return await evals.wait((await evals.start(dataset, scope=SCOPE, owner="room", systems=systems)).id)


def same(found: Sequence[Scores]) -> list[object]:
    """All that must not differ between two runs: everything but the clock's figures."""
    return [(s.own, s.sweep, [t for t in s.tables if t.name != "milliseconds"], s.verdicts) for s in found]


async def test_a_run_measures_each_kind_in_a_table_of_its_own(house: House):
    """Finding, answering, citing and refusing; what only searches has no table of answers."""
    async with house.opened() as (evals, _):
        run = await whole(evals, set_of(*QUESTIONS), "hybrid", "quote")
        by_system = {s.system: {t.name for t in s.tables} for s in await evals.scores(run.id)}
    assert (run.state, run.done, run.total, run.failed) == ("finished", 8, 8, 0)
    assert by_system["hybrid"] == {"retrieval", "milliseconds"}
    assert by_system["quote"] == {"retrieval", "answers", "citations", "refusals", "milliseconds"}


async def test_the_same_inputs_give_the_same_numbers(house: House):
    """Twice in a row, in processes of their own."""
    found = []
    for _ in range(2):
        async with house.opened() as (evals, _library):
            run = await whole(evals, set_of(*QUESTIONS), "sparse", "dense", "rrf", "gate", "quote", "tags", "tfidf")
            found.append(same(await evals.scores(run.id)))
    assert found[0] == found[1]


async def test_a_killed_run_is_resumed_to_the_same_numbers(house: House, monkeypatch: pytest.MonkeyPatch):
    """It is `interrupted` until then, and what was answered is not asked again."""
    asked: list[str] = []
    real = ours.Asked.ask
    dies = asyncio.Event()

    async def ask(self: ours.Asked, question: str, within: Sequence[DocumentId]) -> Reply:
        asked.append(question)
        if len(asked) == 3 and not dies.is_set():
            dies.set()
            await asyncio.Event().wait()
        return await real(self, question, within)

    async with house.opened() as (evals, _):
        whole_run = await whole(evals, set_of(*QUESTIONS), "quote")
        wanted = same(await evals.scores(whole_run.id))
    monkeypatch.setattr(ours.Asked, "ask", ask)
    async with house.opened() as (evals, _):
        begun = await evals.start(set_of(*QUESTIONS), scope=SCOPE, owner="room", systems=["quote"])
        await dies.wait()
    async with house.opened() as (evals, _):
        stopped = await evals.status(begun.id)
        assert (stopped.state, stopped.done) == ("interrupted", 2)
        assert "INTERRUPTED after 2 of 4" in stopped.summary
        done = await evals.wait((await evals.resume(begun.id, scope=SCOPE)).id)
        assert done.state == "finished"
        assert same(await evals.scores(done.id)) == wanted
    assert len(asked) == 5  # the third was asked twice


async def test_a_run_whose_process_died_is_told_as_interrupted(house: House):
    """It says `running` in the catalog for ever, but nobody holds its lock."""
    async with house.opened() as (evals, _):
        run = await whole(evals, set_of(*QUESTIONS[:1]), "sparse")
        await evals._store.end(run.id, "running", at=None)
        assert (await evals.status(run.id)).state == "interrupted"
        assert [r.state for r in await evals.history(owner="room")] == ["interrupted"]


async def test_what_changed_since_is_refused_when_resumed(house: House):
    """Half a run with one gate and half with another is a run of neither."""
    async with house.opened() as (evals, _):
        run = await whole(evals, set_of(*QUESTIONS[:1]), "sparse")
    async with house.opened(gate=0.9) as (evals, _):
        with pytest.raises(RunOutOfDate, match="setting gate"):
            await evals.resume(run.id, scope=SCOPE)


async def test_a_run_that_is_under_way_is_not_begun_again(house: House, monkeypatch: pytest.MonkeyPatch):
    """By nobody, until it is cancelled; then it can be resumed."""

    async def hang(*_: object) -> Reply:
        await asyncio.Event().wait()
        raise AssertionError

    async with house.opened() as (evals, _):
        monkeypatch.setattr(ours.Search, "ask", hang)
        run = await evals.start(set_of(*QUESTIONS[:1]), scope=SCOPE, owner="room", systems=["sparse"])
        with pytest.raises(RunUnderWay):
            await evals.resume(run.id, scope=SCOPE)
        assert (await evals.cancel(run.id, owner="room")).state == "interrupted"
        monkeypatch.undo()


async def test_failures_and_missing_documents_make_a_run_partial(house: House, monkeypatch: pytest.MonkeyPatch):
    """They are counted and said, are in no figure, and failures are asked again when it is resumed."""
    real = ours.Search.ask

    async def ask(self: ours.Search, question: str, within: Sequence[DocumentId]) -> Reply:
        if "room" in question:
            raise ModelUnavailable("the model is away")
        return await real(self, question, within)

    elsewhere = {**QUESTIONS[0], "id": "other", "document": "other.pdf"}
    async with house.opened() as (evals, _):
        with monkeypatch.context() as patched:
            patched.setattr(ours.Search, "ask", ask)
            run = await whole(evals, set_of(*QUESTIONS, elsewhere), "sparse")
        assert (run.state, run.failed, run.skipped) == ("partial", 1, 1)
        assert "PARTIAL: 3 of 5 measured, 1 failed, 1 without their document" in run.summary
        (scores,) = await evals.scores(run.id)
        assert (scores.counted, scores.failed) == (3, 1)
        again = await evals.wait((await evals.resume(run.id, scope=SCOPE)).id)
        assert (again.state, again.failed, again.done) == ("partial", 0, 4)


async def test_a_run_over_nothing_is_empty(house: House):
    """And never a run with zeros."""
    async with house.opened() as (evals, _):
        run = await whole(evals, set_of({**QUESTIONS[0], "document": "absent.pdf"}), "sparse")
        assert run.state == "empty"
        assert "EMPTY" in run.summary
        assert await evals.scores(run.id) == []


async def test_when_the_days_tokens_are_gone_the_run_stops_and_says_so(house: House, monkeypatch: pytest.MonkeyPatch):
    """Nothing is made up for the questions that were not asked."""

    async def ask(*_: object) -> Reply:
        raise QuotaExhausted("The tokens per day are used up.")

    async with house.opened() as (evals, _):
        monkeypatch.setattr(ours.Asked, "ask", ask)
        run = await whole(evals, set_of(*QUESTIONS), "quote")
    assert (run.state, run.done, run.failed) == ("interrupted", 0, 0)
    assert "tokens per day" in run.summary


async def test_an_answer_that_another_model_wrote_is_not_measured(house: House):
    """Askers are served by quotation when a model's day is over; figures of both together would be of neither."""
    async with chat_server() as server:
        server.plan(says("Annual leave is 25 days [1].", usage=(300, 20)))
        model = {"openai_base_url": f"{server.address}/v1", "openai_model": "m"}
        async with house.opened(**model) as (evals, _):
            run = await whole(evals, set_of(QUESTIONS[0]), "openai")
            (scores,) = await evals.scores(run.id)
            assert run.state == "finished"
            costs = next(t.figures for t in scores.tables if t.name.startswith("tokens"))
            assert (costs["input tokens"].value, costs["output tokens"].value) == (300, 20)
            assert "US dollars" not in costs
            server.plan(fails(429, "Limit reached on tokens per day (TPD): Limit 100, Used 100.", retry_after="3600"))
            run = await whole(evals, set_of(QUESTIONS[0]), "openai")
            assert (run.state, run.failed) == ("empty", 1)
            reply = (await evals.outcomes(run.id))["openai", "leave"]
            assert isinstance(reply, Reply)
            assert "quote wrote it instead of openai:m" in reply.reason


async def test_claims_are_judged_by_checkers_and_by_kind(house: House):
    """A changed digit passes the check of shared words, and not the verifier."""
    async with house.opened() as (evals, _):
        run = await whole(evals, set_of(*CLAIMS))
        scores = {s.system: s for s in await evals.scores(run.id)}
    assert run.state == "finished"
    assert scores["verifier"].own == {"yes": {"right": 1.0}, "no": {"right": 1.0}}
    assert scores["tfidf"].tables[0].figures["verdict accuracy"].n == 2


async def test_comparing_names_the_questions_that_flipped(house: House):
    """In pairs, with the test that fits; a run's summary warns when it is not whole."""
    async with house.opened() as (evals, _):
        old = await whole(evals, set_of(*QUESTIONS), "quote")
    async with house.opened(gate=0.99) as (evals, _):
        new = await whole(evals, set_of(*QUESTIONS[:3]), "quote")
        (comparison,) = await evals.compare(old.id, new.id, owner="room")
        assert (comparison.shared, comparison.only_before) == (3, 1)
        by_metric = {d.metric: d for d in comparison.differences}
        assert by_metric["contains"].worse == ("leave", "room", "wind")
        assert (by_metric["contains"].test, by_metric["contains"].p) == ("McNemar", 0.25)
        assert by_metric["F1"].test == "permutation"
        assert any("sets differ" in warning for warning in comparison.warnings)
        with pytest.raises(NotComparable, match="hybrid"):
            await evals.compare(old.id, new.id, systems=("hybrid", "quote"))


async def test_a_system_that_answers_and_judges_is_compared_in_both(house: House):
    """Its questions and its claims are rows of one run."""
    async with house.opened() as (evals, _):
        run = await whole(evals, set_of(*QUESTIONS, *CLAIMS), "shared-words", "tags")
        (comparison,) = await evals.compare(run.id, run.id, systems=("shared-words", "tags"))
        assert comparison.shared == 6
        assert {"hit@1", "refusal right", "right"} <= {d.metric for d in comparison.differences}


async def test_a_report_is_one_file_with_its_pictures_and_a_chart(house: House):
    """It loads nothing from elsewhere, escapes what documents say, and says when it is not whole."""
    hostile = {**QUESTIONS[0], "id": "x", "question": "How many <b>days</b> is annual leave?", "answer": "26 days"}
    async with house.opened() as (evals, _):
        run = await whole(evals, set_of(*QUESTIONS, hostile), "gate", "quote")
        report = await evals.report(run.id, scope=SCOPE, owner="room")
        await evals._store.end(run.id, "interrupted", at=None, note="It was stopped.")
        stopped = await evals.report(run.id, scope=SCOPE)
    assert report.png.startswith(b"\x89PNG")
    assert "&lt;b&gt;days&lt;/b&gt;" in report.html
    assert "<b>days</b>" not in report.html
    assert 'src="data:image/png;base64,' in report.html
    assert "http" not in report.html.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "INTERRUPTED" not in report.html
    assert "INTERRUPTED" in stopped.html


async def test_runs_belong_to_their_owner_and_go_with_their_document(house: House):
    """Another collection sees none of them; when the document is removed nothing of them is left in the file."""
    async with house.opened() as (evals, library):
        run = await whole(evals, set_of(*QUESTIONS), "quote")
        with pytest.raises(RunNotFound):
            await evals.status(run.id, owner="another room")
        assert [r.id for r in await evals.history(owner="another room")] == []
        assert (await evals.status("latest", owner="room")).id == run.id
        await library.remove(DocumentId(house.document), scope=SCOPE)
        with pytest.raises(RunNotFound):
            await evals.status(run.id)
        rows = await evals._store._all("SELECT count(*) FROM eval_outcomes", [])
        assert rows[0][0] == 0


async def test_a_server_has_questions_of_its_own(house: House):
    """Put in by members, run like any set, and taken out again, one by one or with whoever put them in."""
    async with house.opened() as (evals, _):
        assert await evals.own_set("room") is None
        for row in QUESTIONS[:2]:
            (question,) = set_of(row).questions
            assert isinstance(question, Question)
            await evals.add_question("room", question, by="anna")
        own = await evals.own_set("room")
        assert own is not None
        assert own.questions == set_of(*QUESTIONS[:2]).questions
        assert (await whole(evals, own, "sparse")).state == "finished"
        assert await evals.remove_questions("room", row_id="leave") == 1
        assert [question.id for question in await evals.questions_by("anna")] == ["room"]
        assert len(await evals.history(owner="room")) == 1
        assert await evals.forget_questions_by("anna") == 1
        assert await evals.own_set("room") is None
        assert await evals.history(owner="room") == []


async def test_a_question_of_a_servers_own_goes_with_its_document(house: House):
    """It quotes it: by whatever way the document goes, nothing of it is left."""
    async with house.opened() as (evals, library):
        question = Question("own", (house.document,), "How many days is annual leave?", True, "25 days")
        await evals.add_question("room", question, by="anna")
        own = await evals.own_set("room")
        assert own is not None
        assert (await whole(evals, own, "quote")).state == "finished"
        await library.remove(DocumentId(house.document), scope=SCOPE)
        assert await evals.own_set("room") is None
        assert await evals.questions_by("anna") == []


async def test_a_chart_is_a_picture_of_what_was_measured(house: House):
    """And there is none of nothing."""
    async with house.opened() as (evals, _):
        run = await whole(evals, set_of(*QUESTIONS), "quote")
        assert (await evals.chart(run.id) or b"").startswith(b"\x89PNG")
        nothing = await whole(evals, set_of({**QUESTIONS[0], "document": "absent.pdf"}), "sparse")
        assert await evals.chart(nothing.id) is None


async def test_a_system_that_there_is_not_is_refused_before_anything_runs(house: House):
    """With the names of those that there are."""
    async with house.opened() as (evals, _):
        with pytest.raises(UnknownSystem, match="cosine-gate"):
            await evals.start(set_of(*QUESTIONS), scope=SCOPE, owner="room", systems=["magic"])
        assert await evals.history() == []


async def test_progress_is_told_after_each_question(house: House):
    """How many of how many, and at last how it ended."""
    heard: list[tuple[int, str]] = []
    async with house.opened() as (evals, _):
        begun = await evals.start(
            set_of(*QUESTIONS[:2]),
            scope=SCOPE,
            owner="room",
            systems=["sparse"],
            heard=lambda run: heard.append((run.done, run.state)),
        )
        await evals.wait(begun.id)
    assert heard == [(1, "running"), (2, "running"), (2, "finished")]
