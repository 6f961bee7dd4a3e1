"""`pincite eval` as people and programs use it: over real stores, with a fake reader and model."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from fakes import FakeEmbedder, FakeExtractor
from typer.testing import CliRunner, Result

from eval import runs
from eval.baselines import against, write
from eval.command import evals
from eval.datasets import rows_of
from eval.errors import BadSet
from eval.runs import open_evals
from rag_core import bootstrap
from rag_core.settings import Settings

TEXT = (
    "Annual leave is 25 days for every employee.\n\nThe workshop meets in the Cedar Room.\f"
    "Boats stay in harbour when the wind is above force 5."
)
ROWS = (
    {"id": "leave", "document": "handbook.pdf", "question": "How many days is annual leave?", "pages": [1],
     "answer": "25 days", "evidence": "Annual leave is 25 days"},
    {"id": "soup", "document": "handbook.pdf", "question": "How do I cook herring soup?", "pages": []},
)  # fmt: skip
Invoke = Callable[..., Result]


@pytest.fixture
def pincite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Invoke:
    """Runs a command in a folder with a set and its document."""
    monkeypatch.setattr(bootstrap, "SentenceTransformerEmbedder", lambda *_, **__: FakeEmbedder())
    monkeypatch.setattr(bootstrap, "extractor_of", lambda _: FakeExtractor())
    monkeypatch.setattr(runs, "packaged", lambda _: FakeEmbedder())
    monkeypatch.chdir(tmp_path)
    (tmp_path / "handbook.pdf").write_text(TEXT, encoding="utf-8")
    (tmp_path / "mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")

    def invoke(*args: str) -> Result:
        home = () if args[0] == "new" else ("--home", str(tmp_path / "home"))
        return CliRunner().invoke(evals, [*args, *home])

    return invoke


def objects(result: Result) -> list[dict[str, object]]:
    """The lines of standard output."""
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_set_is_run_reported_and_compared(pincite: Invoke, tmp_path: Path):
    """The document is found beside the set and brought in; figures, a file, a picture and a comparison come out."""
    assert "no runs yet" in pincite("history").stderr
    first = pincite("run", "mine.jsonl", "--systems", "hybrid,quote", "--json")
    assert first.exit_code == 0, first.output
    run, *figures = objects(first)
    assert (run["state"], run["done"], run["total"]) == ("finished", 4, 4)
    assert {(f["system"], f["table"]) for f in figures} >= {("hybrid", "retrieval"), ("quote", "refusals")}
    assert pincite("run", "mine.jsonl", "--systems", "quote").exit_code == 0
    listed = objects(pincite("history", "--json"))
    assert [line["state"] for line in listed] == ["finished", "finished"]
    report = pincite("report", str(run["run"]), "-o", str(tmp_path / "r.html"))
    assert report.exit_code == 0, report.output
    assert "<h2>Retrieval</h2>" in (tmp_path / "r.html").read_text(encoding="utf-8")
    assert (tmp_path / "r.png").read_bytes().startswith(b"\x89PNG")
    table = pincite("report", str(run["run"]), "--markdown")
    assert table.stdout.startswith("| system | hit@1 |")
    compared = objects(pincite("compare", str(run["run"]), "latest", "--json"))
    assert {line["p"] for line in compared} == {1.0}
    stages = pincite("compare", f"{run['run']}:hybrid", f"{run['run']}:quote")
    assert "questions, paired" in stages.stdout


def test_a_run_that_is_not_whole_fails_and_says_so(pincite: Invoke, tmp_path: Path):
    """A program sees it by the exit code, a person by the last line."""
    rows = [*ROWS, {**ROWS[0], "id": "other", "document": "absent.pdf"}]
    (tmp_path / "more.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    result = pincite("run", "more.jsonl", "--systems", "sparse")
    assert result.exit_code == 1
    assert "'absent.pdf' is not here" in result.stderr
    assert "PARTIAL: 2 of 3 measured" in result.stderr


def test_a_system_that_cannot_run_says_why(pincite: Invoke, monkeypatch: pytest.MonkeyPatch):
    """Once, however many questions it was to be asked; what to install is in the reason."""
    monkeypatch.setitem(sys.modules, "pypdf", None)
    done = pincite("run", "mine.jsonl", "--systems", "langchain")
    assert done.exit_code == 1
    [told] = [line for line in done.stderr.splitlines() if line.startswith("langchain failed 2 times: ")]
    assert "install it with" in told


def test_evidence_that_is_not_on_its_page_is_told_before_anything_is_measured(pincite: Invoke, tmp_path: Path):
    """A set that is wrong about its document measures nothing worth having."""
    rows = [{**ROWS[0], "pages": [2]}, {**ROWS[1], "pages": [9]}]
    (tmp_path / "wrong.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    result = pincite("run", "wrong.jsonl", "--systems", "sparse")
    assert "leave: page 2 of 'handbook.pdf' does not have 'Annual leave is 25 days'" in result.stderr
    assert "soup: 'handbook.pdf' has 2 pages" in result.stderr


def test_the_file_of_a_set_may_be_named(pincite: Invoke, tmp_path: Path):
    """Whatever it is called, it stands for the only document of the set."""
    (tmp_path / "handbook.pdf").rename(tmp_path / "v2.pdf")
    result = pincite("run", "mine.jsonl", "--systems", "sparse", "--document", "v2.pdf", "--json")
    assert objects(result)[0]["state"] == "finished"


def test_wrong_usage_is_told(pincite: Invoke):
    """A set or a run to go on with, not both and not neither; a system for both sides of a comparison."""
    assert pincite("run").exit_code == 2
    assert pincite("run", "mine.jsonl", "--resume", "x").exit_code == 2
    assert pincite("compare", "a:quote", "b").exit_code == 2


def test_a_draft_is_a_set(pincite: Invoke, tmp_path: Path):
    """Whatever is drafted reads back as questions that the page answers."""
    result = pincite("new", "handbook.pdf", "-o", "draft.jsonl")
    assert result.exit_code == 0, result.output
    rows = rows_of((tmp_path / "draft.jsonl").read_text(encoding="utf-8").splitlines(), source="draft.jsonl")
    assert [row.evidence for row in rows][:1] == ["Annual leave is 25 days for every employee."]


async def test_a_baseline_is_a_whole_run_and_tells_what_changed(pincite: Invoke, tmp_path: Path):
    """Half a run is no baseline; the same figures are told as the same, and a changed one by name."""
    more = [ROWS[0], {**ROWS[0], "id": "x", "document": "absent.pdf"}]
    (tmp_path / "more.jsonl").write_text("\n".join(map(json.dumps, more)), encoding="utf-8")
    kept = tmp_path / "kept.json"
    settings = Settings(home=tmp_path / "home")
    await asyncio.to_thread(pincite, "run", "mine.jsonl", "--systems", "sparse")
    await asyncio.to_thread(pincite, "run", "more.jsonl", "--systems", "sparse")
    async with bootstrap.open_library(settings) as library, open_evals(settings, library) as engine:
        half, whole = await engine.history(owner="eval")
        with pytest.raises(BadSet, match="PARTIAL"):
            write(kept, half, await engine.scores(half.id))
        scores = await engine.scores(whole.id)
        write(kept, whole, scores)
        assert next(against(kept, whole, scores)).startswith("5 of 5 figures as in kept.json")
        changed = json.loads(kept.read_text(encoding="utf-8"))
        changed["figures"]["sparse / hit@1"] = 0.5
        kept.write_text(json.dumps(changed), encoding="utf-8")
        assert "0.5000 to 1.0000  +0.5000" in next(against(kept, whole, scores))
