"""The command line is a contract: what it writes, where, and how it ends."""

from __future__ import annotations

import io
import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from rag_core.cli.app import run

RULES = (
    "Annual leave is 25 days for every employee of grade 3.\n\nBoats stay in harbour when the wind is above force 5."
)


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it wrote."""

    returncode: int
    stdout: str
    stderr: str


class Shell:
    """Runs `pincite` as other programs do, but in this process, so that the model's library is imported once."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def __call__(self, *args: str, stdin: str = "", home: bool = True) -> Done:
        """How the command ended."""
        command = ["pincite", *args, *(["--home", str(self.home)] if home else [])]
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        code = 0
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.setattr(sys, "argv", command)
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8"))
            try:
                run()
            except SystemExit as exc:
                code = exc.code if isinstance(exc.code, int) else 1
        return Done(code, _written(out), _written(err))

    def lines(self, *args: str, stdin: str = "") -> list[dict[str, Any]]:
        """What the command wrote as JSON Lines."""
        done = self(*args, "--json", stdin=stdin)
        assert done.stdout, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]


def _written(stream: io.TextIOWrapper) -> str:
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()


def in_process_of_its_own(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The command as the system runs it: for what depends on the process, its streams and its environment."""
    return subprocess.run(
        [sys.executable, "-m", "rag_core", *args], capture_output=True, text=True, timeout=110, check=False, cwd=cwd
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one good PDF and one that is none."""
    folder = tmp_path_factory.mktemp("cli") / "pdfs"
    folder.mkdir()
    write_pdf(folder / "rules.pdf", RULES)
    (folder / "picture.pdf").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 200)
    return folder


@pytest.fixture(scope="module")
def shell(folder: Path) -> Shell:
    """A shell whose library holds the rules."""
    shell = Shell(folder.parent / "home")
    [line] = shell.lines("ingest", str(folder / "rules.pdf"))
    assert line["status"] == "indexed", line
    return shell


def write_pdf(path: Path, text: str) -> None:
    """A PDF of one page, a line a paragraph."""
    document = pymupdf.open()
    page = document.new_page()
    for i, paragraph in enumerate(text.split("\n\n")):
        page.insert_text((72, 100 + 40 * i), paragraph, fontsize=11)
    document.save(path)


INGEST_KEYS = {"path", "document_id", "title", "pages", "chunks", "status", "unreadable_pages", "warnings", "error"}


def test_the_same_bytes_again_are_a_duplicate(shell: Shell, folder: Path):
    """Under any name; and every key of the contract is there."""
    copy = folder / "copy.pdf"
    shutil.copy(folder / "rules.pdf", copy)
    [line] = shell.lines("ingest", str(copy))
    assert line.keys() == INGEST_KEYS
    assert (line["status"], line["error"]) == ("duplicate", None)
    copy.unlink()


def test_one_bad_file_of_a_batch_is_told_and_the_rest_done(shell: Shell, folder: Path):
    """Exit 1: some input failed; its line says which and why."""
    paths = [str(folder / name) for name in ("picture.pdf", "rules.pdf", "absent.pdf")]
    done = shell("ingest", "-", "--json", stdin="\n".join(paths) + "\n")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert [line["status"] for line in lines] == ["failed", "duplicate", "failed"]
    assert [line["error"]["code"] for line in lines if line["error"]] == ["not_a_pdf", "not_found"]


def test_a_folder_means_its_pdfs(shell: Shell, folder: Path):
    """All of them, in order of name."""
    lines = shell.lines("ingest", str(folder))
    assert [Path(line["path"]).name for line in lines] == ["picture.pdf", "rules.pdf"]


def test_a_folder_without_pdfs_is_said_to_be_one(shell: Shell, tmp_path: Path):
    """It may be the wrong one; nothing failed, so the exit code is 0."""
    done = shell("ingest", str(tmp_path))
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"There is no PDF in {str(tmp_path)!r}.\n"


def test_extract_shows_pages_and_stores_nothing(shell: Shell, folder: Path):
    """A line a page, with the contract's keys."""
    lines = shell.lines("extract", str(folder / "rules.pdf"))
    assert [line["page"] for line in lines] == [1]
    assert lines[0].keys() == {"page", "width", "height", "status", "text", "blocks", "warnings"}
    assert lines[0]["blocks"][0].keys() == {"kind", "text", "bbox"}
    assert "25 days" in lines[0]["text"]


def test_extract_fails_with_a_code(shell: Shell, folder: Path):
    """One line, exit 1."""
    done = shell("extract", str(folder / "picture.pdf"), "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["error"]["code"] == "not_a_pdf"


def test_list_names_what_there_is(shell: Shell):
    """With the contract's keys."""
    [line] = shell.lines("list")
    assert line.keys() == {"document_id", "title", "filename", "pages", "chunks", "added_at", "collections"}
    assert (line["filename"], line["collections"]) == ("rules.pdf", ["local"])


def test_search_finds_the_page(shell: Shell, folder: Path):
    """Each line of a batch is answered under its id, by path, by id, and by the beginning of an id."""
    document = shell.lines("list")[0]["document_id"]
    names = [str(folder / "rules.pdf"), document, document[:10], "rules.pdf"]
    batch = "".join(json.dumps({"id": i, "question": "leave", "document": name}) + "\n" for i, name in enumerate(names))
    lines = shell.lines("search", "--batch", "-", "-k", "3", stdin=batch)
    assert [line["id"] for line in lines] == [0, 1, 2, 3]
    for line in lines:
        hit = line["hits"][0]
        assert hit.keys() == {"rank", "document_id", "title", "page", "chunk_id", "text", "score", "bbox"}
        assert (hit["rank"], hit["document_id"], hit["page"]) == (1, document, 1)
        assert "25 days" in hit["text"]
        assert len(hit["bbox"]) == 4


@pytest.mark.parametrize("mode", ["dense", "sparse", "hybrid"])
def test_every_mode_searches(shell: Shell, mode: str):
    """The indexes can be asked apart."""
    [line] = shell.lines("search", "wind force boats", "--mode", mode)
    assert "force 5" in line["hits"][0]["text"]


def test_a_document_that_is_not_there_is_told_apart_from_nothing_found(shell: Shell):
    """Exit 1 and an error, not an empty list alone; other lines go on."""
    batch = '{"id": 1, "question": "leave", "document": "nowhere.pdf"}\n{"id": 2, "question": "leave"}\n'
    done = shell("search", "--batch", "-", "--json", stdin=batch)
    first, second = map(json.loads, done.stdout.splitlines())
    assert done.returncode == 1
    assert (first["hits"], first["error"]["code"]) == ([], "not_found")
    assert second["hits"]


def test_an_answer_carries_its_proof(shell: Shell, folder: Path):
    """The quote stands on its page at its span, and a picture of the page is written."""
    proof = folder.parent / "proof"
    [line] = shell.lines("ask", "How many days of annual leave does grade 3 have?", "--proof", str(proof))
    assert line["status"] == "answered"
    [claim] = line["claims"]
    [citation] = claim["citations"]
    [page] = shell.lines("extract", str(folder / "rules.pdf"))
    start, end = citation["span"]
    assert page["text"][start:end] == citation["quote"]
    assert "25 days" in citation["quote"]
    assert (claim["verdict"], citation["marker"], citation["page"]) == ("supported", 1, 1)
    assert all(len(rect) == 4 for rect in citation["rects"])
    [picture] = proof.iterdir()
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_what_is_not_there_is_refused(shell: Shell):
    """With a reason and the nearest passages, exit 0: a refusal is an answer."""
    done = shell("ask", "What is the share price of the company?", "--json")
    line = json.loads(done.stdout)
    assert (done.returncode, line["status"], line["text"], line["claims"]) == (0, "refused", "", [])
    assert line["refusal"]["reason"]
    assert line["refusal"]["nearest"]


def test_a_batch_of_claims_is_judged(shell: Shell):
    """In order, each under its id, with the contract's keys."""
    pairs = [("Leave is 25 days.", RULES), ("Leave is 30 days.", RULES)]
    batch = "".join(json.dumps({"id": i, "claim": c, "evidence": e}) + "\n" for i, (c, e) in enumerate(pairs))
    lines = shell.lines("verify", "--batch", "-", stdin=batch)
    assert [line["id"] for line in lines] == [0, 1]
    assert lines[0].keys() == {"id", "verdict", "confidence", "reasons", "quote", "span"}
    assert lines[1]["verdict"] != "supported"
    assert any(not reason["ok"] for reason in lines[1]["reasons"])


@pytest.mark.parametrize("known", [True, False])
def test_any_text_is_checked_against_documents(shell: Shell, folder: Path, known: bool, tmp_path: Path):
    """A document of the library, or a file that was never ingested: only the right sentence is cited."""
    path = folder / "rules.pdf"
    if not known:
        path = tmp_path / "stranger.pdf"
        write_pdf(path, RULES + "\n\nA third rule that no library has yet.")
    text = (
        "Annual leave is 25 days for every employee of grade 3. Boats stay in harbour when the wind is above force 9."
    )
    right, wrong = shell.lines("verify", "--text", text, "--against", str(path))
    assert (right["verdict"], right["citations"][0]["page"]) == ("supported", 1)
    assert (wrong["verdict"] != "supported", wrong["citations"]) == (True, [])


def test_a_page_is_shown_with_its_quote(shell: Shell, tmp_path: Path):
    """The picture differs from the plain page; a quote that is not there is an error."""
    plain, marked = tmp_path / "plain.png", tmp_path / "marked.png"
    assert shell("show", "rules.pdf", "1", "-o", str(plain)).returncode == 0
    assert shell("show", "rules.pdf", "1", "--quote", "leave is 25 days", "-o", str(marked)).returncode == 0
    assert plain.read_bytes() != marked.read_bytes()
    absent = shell("show", "rules.pdf", "1", "--quote", "leave is 26 days", "-o", str(marked))
    assert (absent.returncode, "does not say" in absent.stderr) == (1, True)


def test_a_rebuild_changes_no_answer(shell: Shell):
    """Both indexes hold as much as before, and find the same."""
    before = shell.lines("search", "annual leave")[0]["hits"]
    [line] = shell.lines("rebuild")
    after = shell.lines("search", "annual leave")[0]["hits"]
    assert line["chunks"] > 0
    assert [hit["chunk_id"] for hit in after] == [hit["chunk_id"] for hit in before]


def test_a_search_says_what_is_found_by_its_words_alone(shell: Shell, tmp_path: Path):
    """Beside the passages, or in the line's notes; so does whoever finds nothing."""
    other = Shell(shutil.copytree(shell.home, tmp_path / "home"))
    with closing(sqlite3.connect(other.home / "catalog.sqlite3")) as db, db:
        db.execute("UPDATE documents SET embedded = 0")
    done = other("search", "annual leave")
    assert ("25 days" in done.stdout, "by their words alone" in done.stderr) == (True, True)
    assert "by their words alone" in other.lines("search", "annual leave")[0]["notes"][0]


def test_doctor_mends_and_tells_what_an_index_lacks(shell: Shell, tmp_path: Path):
    """And has nothing more to tell the next time."""
    other = Shell(shutil.copytree(shell.home, tmp_path / "home"))
    [closeups] = other.home.glob("vectors/*/closeups.sqlite3")
    with closing(sqlite3.connect(closeups)) as db, db:
        db.execute("DELETE FROM closeups")
    first, again = (next(found for found in other.lines("doctor") if found["check"] == "library") for _ in range(2))
    assert (first["state"], "the vectors for a close look 0" in first["detail"]) == ("hint", True)
    assert (again["state"], "mended" in again["detail"]) == ("ok", False)


def test_removing_is_real(tmp_path: Path):
    """No file, no text and no index row is left, and the catalog's bytes forget it."""
    shell = Shell(tmp_path / "home")
    path = tmp_path / "secret.pdf"
    write_pdf(path, "The zyxwvut clause is secret.")
    [line] = shell.lines("ingest", str(path))
    assert shell.lines("remove", line["document_id"])[0]["document_id"] == line["document_id"]
    assert shell("list", "--json").stdout == ""
    left = [f for f in shell.home.rglob("*") if f.is_file() and b"zyxwvut" in f.read_bytes()]
    assert left == []
    assert list((shell.home / "blobs").iterdir()) == []


def test_doctor_speaks_when_everything_is_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A wrong setting and a file in the folder's place are findings with advice, not stacks."""
    (tmp_path / "file").write_text("in the way")
    done = in_process_of_its_own("doctor", "--json", "--home", str(tmp_path / "file" / "home"), cwd=tmp_path)
    findings = {f["check"]: f for f in map(json.loads, done.stdout.splitlines())}
    assert (done.returncode, done.stderr) == (1, "")
    assert findings["data folder"]["state"] == "broken"
    monkeypatch.setenv("PINCITE_MAX_PAGE", "3")
    wrong = Shell(tmp_path / "home")("doctor", "--json")
    assert (wrong.returncode, "PINCITE_MAX_PAGES" in wrong.stdout) == (1, True)


def test_doctor_finds_a_whole_library_whole(shell: Shell):
    """Every part is examined, and none is broken."""
    done = shell("doctor", "--json")
    findings = {f["check"]: f for f in map(json.loads, done.stdout.splitlines())}
    assert done.returncode == 0, done.stdout
    assert {"Python", "packages", "settings", "data folder", "embedding model", "PDF reader", "library"} <= set(
        findings
    )
    assert "1 documents" in findings["library"]["detail"]


@pytest.mark.parametrize(
    "args",
    [
        ("search",),
        ("search", ""),
        ("ask", "q", "--batch", "-"),
        ("ask", "  "),
        ("verify",),
        ("verify", "--text", ""),
        ("search", "q", "-k", "0"),
        ("retention", "set", "local", "--days", "0"),
        ("nonsense",),
    ],
)
def test_wrong_usage_exits_two(shell: Shell, args: tuple[str, ...]):
    """And says what is wrong on standard error, with nothing on standard output."""
    done = shell(*args, home=args[0] != "nonsense")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr


@pytest.mark.parametrize("command", ["search", "ask", "verify"])
def test_a_bad_line_of_a_batch_harms_no_other(shell: Shell, command: str):
    """It is named, answered under its id where it has one, and the exit code tells."""
    good = {"id": 1, "question": "annual leave", "claim": "Leave is 25 days.", "evidence": RULES}
    lines = [json.dumps(good), "not json", "[1]", json.dumps({"id": 4}), json.dumps({**good, "id": 5})]
    done = shell(command, "--batch", "-", "--json", stdin="\n".join(lines) + "\n")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert sorted(str(answer["id"]) for answer in answers) == ["1", "4", "5", "None", "None"]
    assert [answer["error"]["code"] for answer in answers if "error" in answer] == ["not_allowed"] * 3
    told = done.stderr.splitlines()
    assert [line.split(":")[1] for line in told] == [f" Line {number} of the batch" for number in (2, 3, 4)]


def test_lines_that_strain_a_reader_of_json_are_bad_lines_like_others(shell: Shell):
    """Nested too deep, a number too long, or no number; the mark that some editors begin a file with does no harm."""
    lines = ['\ufeff{"id": 1, "question": "annual leave"}', "[" * 100_000, f'{{"id": {"9" * 5000}}}', '{"id": NaN}']
    done = shell("search", "--batch", "-", "--json", stdin="\n".join(lines) + "\n")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert [answer["id"] for answer in answers] == [1, None, None, None]
    assert [answer["error"]["code"] for answer in answers[1:]] == ["not_allowed"] * 3


def test_half_a_surrogate_pair_breaks_nothing(shell: Shell):
    """What no UTF-8 can hold is neither searched nor printed raw."""
    done = shell("search", "--batch", "-", "--json", stdin='{"id": "\\ud800", "question": "leave \\udfff"}\n')
    assert done.returncode == 0
    assert json.loads(done.stdout)["id"] == "\ud800"


def test_a_pipe_sees_no_progress_bars(folder: Path, tmp_path: Path):
    """Data on standard output, and nothing else anywhere."""
    done = in_process_of_its_own("ingest", str(folder / "rules.pdf"), "--json", "--home", str(tmp_path), cwd=tmp_path)
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


def test_help_imports_no_model_and_no_index():
    """It answers at once, whatever is installed."""
    heavy = "('torch', 'lancedb', 'sentence_transformers', 'pymupdf', 'tantivy', 'discord', 'mcp', 'pydantic')"
    code = (
        "import sys; sys.argv = ['pincite', '--help']\n"
        "from rag_core.cli import main\n"
        "try: main()\n"
        f"except SystemExit: print([m for m in {heavy} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert "ingest" in done.stdout
    assert done.stderr.strip() == "[]"


def test_a_token_is_made_listed_and_revoked(tmp_path: Path):
    """Its secret is in the line that made it, and in no other."""
    shell = Shell(tmp_path / "home")
    [made] = shell.lines("token", "create", "research", "--scope", "read", "--scope", "write", "--days", "30")
    [listed] = shell.lines("token", "list")
    secret = made.pop("secret")
    assert listed == made
    assert (made["name"], made["scopes"], made["collection"]) == ("research", ["read", "write"], "mcp:research")
    assert secret.startswith("pincite_")
    assert shell("token", "revoke", "research").returncode == 0
    assert shell("token", "revoke", "research").returncode == 1
    assert "There are no tokens yet" in shell("token", "list").stderr


def test_a_person_gets_the_bare_secret(tmp_path: Path):
    """On standard output alone, so that it can be piped to where it is kept."""
    done = Shell(tmp_path / "home")("token", "create", "research", "--collection", "team")
    assert done.stdout.strip().startswith("pincite_")
    assert len(done.stdout.split()) == 1
    assert "shown this once" in done.stderr


def test_a_quota_is_set_listed_and_cleared(tmp_path: Path):
    """Of one principal, or of everybody; what is not named has no limit."""
    shell = Shell(tmp_path / "home")
    none = {"uploads_an_hour": None, "questions_an_hour": None, "bytes": None, "pages": None}
    [everybody] = shell.lines("quota", "set", "--questions", "60")
    [ann] = shell.lines("quota", "set", "ann", "--uploads", "5", "--bytes", "1000000")
    assert everybody == {"principal": None, **none, "questions_an_hour": 60}
    assert ann == {"principal": "ann", **none, "uploads_an_hour": 5, "bytes": 1_000_000}
    assert shell.lines("quota", "list") == [everybody, ann]
    assert "everybody  60 questions an hour" in shell("quota", "list").stdout
    assert shell("quota", "clear").returncode == 0
    assert shell.lines("quota", "list") == [ann]
    assert shell("quota", "set", "--uploads", "-1").returncode == 2


def test_retention_is_set_listed_and_cleared(tmp_path: Path):
    """For each collection its own; without one, documents are kept for ever."""
    shell = Shell(tmp_path / "home")
    assert "for ever" in shell("retention", "list").stderr
    [made] = shell.lines("retention", "set", "project", "--days", "30")
    assert made == {"collection": "project", "days": 30}
    assert shell.lines("retention", "list") == [made]
    assert shell("retention", "clear", "project").stdout == "project  for ever\n"
    assert shell("retention", "list", "--json").stdout == ""


def test_a_scope_that_does_not_exist_is_refused(tmp_path: Path):
    """And the message says which there are."""
    done = Shell(tmp_path / "home")("token", "create", "research", "--scope", "root")
    assert done.returncode == 1
    assert "eval, read, write" in done.stderr
