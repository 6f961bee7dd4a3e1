"""The questions with and without an answer are whole, agree with the PDFs, and a bad row is named by its line."""

import json
from collections import Counter
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from eval.unanswerable import (
    EVIDENCE_LENGTH,
    FOLDS,
    Answer,
    BadRow,
    Lack,
    faults,
    load_answerable,
    load_both,
    load_unanswerable,
)

WITHOUT = {
    "id": "un-1", "document": "examples/a.pdf", "sha256": "0123456789abcdef", "question": "How tall is the tower?",
    "kind": "wrong_attribute", "why": "Its age is told, not its height.", "fold": 3,
}  # fmt: skip
HAVING = {
    "id": "an-1", "document": "examples/a.pdf", "sha256": "0123456789abcdef", "question": "How old is the tower?",
    "kind": "number", "pages": [2, 5], "evidence": "is 300 years old", "fold": 3,
}  # fmt: skip


def written(path: Path, *rows: object) -> Path:
    """The rows as a JSON Lines file."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_the_sets_are_as_large_as_they_are_said_to_be():
    """There are enough questions of every kind, and the kinds of near miss are alike in size."""
    without, having = load_both()
    kinds = Counter(q.kind for q in without)
    near = [count for kind, count in kinds.items() if kind is not Lack.OFF_TOPIC]
    assert len(without) >= 210
    assert kinds[Lack.OFF_TOPIC] >= 45
    assert sum(near) >= 150
    assert max(near) <= 1.25 * min(near)
    assert len(having) >= 110
    assert {q.kind for q in having} == set(Answer)


def test_the_questions_are_spread_over_the_documents():
    """Nearly every public PDF has two questions without an answer, and the examples have two dozen."""
    without, having = load_both()
    of = Counter(q.document for q in without)
    assert sum(count >= 2 for document, count in of.items() if document.startswith("pdfs/")) >= 45
    assert sum(count for document, count in of.items() if document.startswith("examples/")) >= 24
    assert len({q.document for q in having if q.document.startswith("pdfs/")}) >= 45


def test_folds_are_alike_in_size_and_part_the_documents():
    """Each fold has its share of every kind of lack, and no document's bytes are in two folds."""
    without, having = load_both()
    for kind in Lack:
        assert len({q.fold for q in without if q.kind is kind}) == FOLDS
    sizes = Counter(q.fold for q in (*without, *having))
    assert max(sizes.values()) <= 1.1 * min(sizes.values())
    folds: dict[str, set[int]] = {}
    for question in (*without, *having):
        folds.setdefault(question.sha256, set()).add(question.fold)
    assert all(len(found) == 1 for found in folds.values())


def test_the_examples_hold_the_evidence(examples: Path):
    """The example PDFs are the ones meant, and each piece of evidence is on its page."""
    without, having = load_both()
    asked = [q for q in (*without, *having) if q.document.startswith("examples/")]
    assert all(q.path.parent == examples and q.path.is_file() for q in asked)
    assert list(faults(asked)) == []


def test_the_public_pdfs_hold_the_evidence(public_data: Path):
    """Where the public data are, the same is true of them, and no PDF is missing."""
    without, having = load_both()
    asked = [q for q in (*without, *having) if q.document.startswith("pdfs/")]
    assert [q.document for q in asked if not (public_data / q.document).is_file()] == []
    assert list(faults(asked)) == []


def test_a_question_is_a_frozen_value(tmp_path: Path):
    """A row becomes a value with its kind and its pages, which nobody can change."""
    (without,) = load_unanswerable(written(tmp_path / "un.jsonl", WITHOUT))
    (having,) = load_answerable(written(tmp_path / "an.jsonl", HAVING))
    assert (without.kind, without.why) == (Lack.WRONG_ATTRIBUTE, "Its age is told, not its height.")
    assert (having.kind, having.pages) == (Answer.NUMBER, (2, 5))
    with pytest.raises(FrozenInstanceError):
        having.pages = (1,)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"kind": "unknown"}, "unknown"),
        ({"kind": 7}, "kind cannot be 7"),
        ({"fold": FOLDS}, f"fold {FOLDS}"),
        ({"fold": True}, "fold cannot be True"),
        ({"sha256": "0123"}, "digest"),
        ({"document": "../a.pdf"}, "neither"),
        ({"question": " "}, "needed"),
        ({"why": ""}, "why it has no answer"),
        ({"more": 1}, "the fields must be"),
        ({"id": "un-1"}, "id 'un-1'"),
        ({"question": "how  tall is THE tower?"}, "asked this before"),
        ({"fold": 4}, "in fold 3"),
        ({"sha256": "f" * 16}, "another digest"),
    ],
)
def test_a_bad_row_is_named_by_its_file_and_line(tmp_path: Path, change: dict[str, object], says: str):
    """Whatever is wrong with a row, the error says where it is and what is wrong."""
    other = WITHOUT | {"id": "un-2", "question": "Who built it?"} | change
    path = written(tmp_path / "un.jsonl", WITHOUT, other)
    with pytest.raises(BadRow, match=rf"^un\.jsonl, line 2: .*{says}"):
        load_unanswerable(path)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"pages": []}, "not pages"),
        ({"pages": [0]}, "not pages"),
        ({"pages": [2, 2]}, "not pages"),
        ({"pages": ["2"]}, "pages cannot be"),
        ({"pages": 2}, "pages cannot be"),
        ({"evidence": ""}, "evidence"),
        ({"evidence": "x" * (EVIDENCE_LENGTH + 1)}, "evidence"),
    ],
)
def test_pages_and_evidence_are_checked(tmp_path: Path, change: dict[str, object], says: str):
    """An answer has pages counted from 1, and evidence short enough to be a fact and no passage."""
    with pytest.raises(BadRow, match=rf"^an\.jsonl, line 1: .*{says}"):
        load_answerable(written(tmp_path / "an.jsonl", HAVING | change))


def test_what_is_no_object_or_no_json_is_named_too(tmp_path: Path):
    """A line that is a list, or cut off, is a bad row like any other."""
    with pytest.raises(BadRow, match="line 1: the fields must be"):
        load_unanswerable(written(tmp_path / "un.jsonl", [1]))
    path = tmp_path / "cut.jsonl"
    path.write_text(json.dumps(WITHOUT)[:-5], encoding="utf-8")
    with pytest.raises(BadRow, match=r"cut\.jsonl, line 1: "):
        load_unanswerable(path)


def test_the_two_sets_must_agree(tmp_path: Path):
    """One document in one fold, though its questions are in two files."""
    un, an = written(tmp_path / "un.jsonl", WITHOUT), written(tmp_path / "an.jsonl", HAVING | {"fold": 1})
    assert load_answerable(an)
    with pytest.raises(BadRow, match=r"an\.jsonl, line 1: fold 1, but the document is in fold 3"):
        load_both(un, an)


def test_other_bytes_a_page_too_few_and_misplaced_evidence_are_faults(tmp_path: Path):
    """What a PDF says against a row is told, one line a fault; a PDF that is not there says nothing."""
    handbook = next(q for q in load_answerable() if q.document == "examples/employee-handbook.pdf")
    row = HAVING | {"document": handbook.document, "sha256": handbook.sha256, "fold": handbook.fold}
    rows = [
        row | {"id": "far", "question": "1", "pages": [999]},
        row | {"id": "elsewhere", "question": "2", "pages": [1], "evidence": "nowhere to be read"},
        HAVING | {"id": "absent", "document": "examples/absent.pdf", "sha256": "a" * 16},
    ]
    told = list(faults(load_answerable(written(tmp_path / "an.jsonl", *rows))))
    assert [fault.split(":")[0] for fault in told] == ["far", "elsewhere"]
    (other,) = load_unanswerable(
        written(tmp_path / "un.jsonl", WITHOUT | {"document": handbook.document, "sha256": "b" * 16})
    )
    assert [fault.split(" has ")[0] for fault in faults([other])] == ["un-1: examples/employee-handbook.pdf"]
