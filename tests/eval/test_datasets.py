"""Sets are read whole or refused with the line, and the bundled ones are as they are said to be."""

import json
from pathlib import Path

import pymupdf
import pytest

from eval.datasets import BUNDLED, DATA, Question, dataset, line_of, merged, row_of, rows_of
from eval.errors import BadSet
from eval.unanswerable import folded

ROW = {"id": "q", "document": "a.pdf", "question": "How old is it?", "answer": "300 years", "pages": [2]}
CLAIM = {"id": "c", "claim": "It is old.", "evidence": "It is 300 years old.", "label": "supported"}
THERE = [name for name, file in BUNDLED.items() if (DATA / file).is_file()]


@pytest.mark.parametrize("name", THERE)
def test_every_bundled_set_is_valid(name: str):
    """Each line of each is a row, and a row is written as it is read."""
    rows = dataset(name).rows
    assert [row_of(json.loads(line_of(row))) for row in rows] == [*rows]


def test_the_questions_on_attention_are_twelve():
    """Of which two have no answer; the PDF is not bundled."""
    asked = dataset("attention").questions
    assert len(asked) == 12
    assert sum(not q.answerable for q in asked) == 2
    assert {q.documents for q in asked} == {("1706.03762.pdf",)}


def test_the_questions_on_the_examples_can_be_asked_of_anybody():
    """Their documents are in the repository."""
    asked = dataset("examples")
    assert {*asked.documents} == {"examples/employee-handbook.pdf", "examples/NIST.SP.800-207.pdf"}
    assert len({q.answerable for q in asked.questions}) == 2


def test_the_evidence_on_zero_trust_stands_on_its_page(examples: Path):
    """The publication is bundled, so that each piece of evidence can be looked up."""
    with pymupdf.open(examples / "NIST.SP.800-207.pdf") as pdf:
        for q in dataset("zero-trust").questions:
            for _, page in q.pages[:1]:
                assert folded(q.evidence) in folded(pdf[page - 1].get_text()), q.id


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ([1], "a row must be a JSON object"),
        ({**ROW, "id": ""}, "id cannot be ''"),
        ({k: v for k, v in ROW.items() if k != "question"}, "question is needed"),
        ({k: v for k, v in ROW.items() if k != "document"}, "documents is needed"),
        ({**ROW, "documents": ["b.pdf"]}, "both"),
        ({**ROW, "pages": [0]}, "counted from 1"),
        ({**ROW, "pages": [2, 2]}, "named once"),
        ({**ROW, "pages": [True]}, "pages cannot be"),
        ({**ROW, "answerable": "yes"}, "answerable cannot be 'yes'"),
        ({**ROW, "answerable": False}, "without an answer has no pages"),
        ({**ROW, "colour": "red"}, "'colour' is no field"),
        ({**ROW, "sha256": "xyz"}, "sha256 cannot be"),
        ({**CLAIM, "label": "true"}, "label cannot be 'true'"),
        ({**CLAIM, "evidence": " "}, "evidence cannot be"),
    ],
)
def test_a_bad_line_is_named(row: object, says: str):
    """The file, the line and the field, whatever is wrong."""
    lines = [json.dumps({**ROW, "id": "first", "question": "Another?"}), "", json.dumps(row)]
    with pytest.raises(BadSet, match=rf"^my\.jsonl, line 3: .*{says}"):
        rows_of(lines, source="my.jsonl")


def test_what_is_no_json_or_was_there_before_is_named_too():
    """A cut line, an id used twice, and the same question asked twice of one document."""
    line = json.dumps(ROW)
    for second in (line[:-3], line, json.dumps({**ROW, "id": "r", "question": "how OLD  is it?"})):
        with pytest.raises(BadSet, match="line 2: "):
            rows_of([line, second], source="my.jsonl")
    with pytest.raises(BadSet, match="has no rows"):
        rows_of(["", " "], source="my.jsonl")


def test_pages_of_several_documents_are_told_apart():
    """By an object; a plain list would not say whose pages they are."""
    row = {**ROW, "documents": ["a.pdf", "b.pdf"], "pages": {"b.pdf": [3], "a.pdf": [1]}}
    del row["document"]
    question = row_of(row)
    assert isinstance(question, Question)
    assert question.pages == (("b.pdf", 3), ("a.pdf", 1))
    with pytest.raises(ValueError, match="pages are an object"):
        row_of({**row, "pages": [3]})


def test_a_set_is_known_by_what_it_says(tmp_path: Path):
    """The digest ignores how a row is written, and nothing that it says."""
    path = tmp_path / "s.jsonl"

    def digest(row: object) -> str:
        path.write_text(json.dumps(row), encoding="utf-8")
        return dataset(str(path)).digest

    assert digest(ROW) == digest(dict(reversed(ROW.items())))
    assert digest(ROW) != digest({**ROW, "pages": [3]})


def test_sets_are_merged_unless_their_ids_clash(tmp_path: Path):
    """One run over several sets; an id must mean one row."""
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    one.write_text(json.dumps(ROW), encoding="utf-8")
    other.write_text(json.dumps(CLAIM), encoding="utf-8")
    both = merged([dataset(str(one)), dataset(str(other))])
    assert (both.name, len(both.questions), len(both.claims)) == ("one+other", 1, 1)
    with pytest.raises(BadSet, match="'q'"):
        merged([dataset(str(one)), dataset(str(one))])


def test_a_set_that_is_not_there_is_refused():
    """With the names of those that are."""
    with pytest.raises(BadSet, match="zero-trust"):
        dataset("no-such-set")
