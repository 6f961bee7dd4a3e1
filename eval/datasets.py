"""Sets to measure on: JSON Lines of questions to documents, or of claims with their evidence, as frozen values.

A line that breaks the rules is refused with the file and the line, before anything is asked. `eval/data/README.md` has
the format for people.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from eval.errors import BadSet

DATA = Path(__file__).parent / "data"
BUNDLED: Mapping[str, str] = {
    "zero-trust": "zero_trust.jsonl",
    "attention": "attention.jsonl",
    "answerable": "answerable.jsonl",
    "unanswerable": "unanswerable.jsonl",
    "adversarial": "adversarial_claims.jsonl",
    "heldout": "heldout_claims.jsonl",
    "handbook": "handbook.jsonl",
}
"""Names by which the sets that come with Pincite are asked for."""

EXAMPLES = "examples"
"""The name of those of `answerable` and `unanswerable` whose documents are bundled, too."""

CARRIED = frozenset({"sha256", "why", "fold", "license", "tags", "note", "dataset", "source_id"})
"""Fields that a row may have and that no metric reads."""
SUPPORTED = "supported"
LABELS = frozenset({SUPPORTED, "unsupported", "contradicted"})
PLAIN = "question"
"""The kind of a question that names none."""

_DIGEST = re.compile(r"[0-9a-f]{8,64}")


@dataclass(frozen=True, slots=True)
class Question:
    """A question to documents, and what is known of its answer."""

    id: str
    documents: tuple[str, ...]
    """Names of the files that it is asked of."""
    question: str
    answerable: bool
    answer: str = ""
    """In a person's words; of a question without an answer, what the document has instead."""
    pages: tuple[tuple[str, int], ...] = ()
    """(document, page) from 1; each of them answers it."""
    evidence: str = ""
    """A literal string of the first page."""
    holds: tuple[str, ...] = ()
    """All that a right answer says, whatever else it says."""
    kind: str = PLAIN

    def __post_init__(self) -> None:
        if not self.id or not self.question.strip():
            raise ValueError("an id and a question are needed")
        if not self.documents or len(set(self.documents)) < len(self.documents):
            raise ValueError("it must name its documents, each once")
        if not self.answerable and (self.pages or self.holds):
            raise ValueError("a question without an answer has no pages and nothing that an answer must hold")
        if len(set(self.pages)) < len(self.pages) or any(page < 1 for _, page in self.pages):
            raise ValueError("pages are counted from 1, and each is named once")
        for document, _ in self.pages:
            if document not in self.documents:
                raise ValueError(f"{document!r} has a page, but is not among its documents")

    @property
    def wanted(self) -> tuple[str, ...]:
        """What an answer is looked through for: what it must hold, else the answer, else the evidence."""
        return self.holds or tuple(text for text in (self.answer or self.evidence,) if text)


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    """A claim, a text, and whether the text supports it."""

    id: str
    claim: str
    evidence: str
    supported: bool
    kind: str = "claim"

    def __post_init__(self) -> None:
        if not self.id or not self.claim.strip() or not self.evidence.strip():
            raise ValueError("an id, a claim and its evidence are needed")


Row = Question | LabelledClaim
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Dataset:
    """A set: its name, its rows in order, and where its documents are looked for."""

    name: str
    rows: tuple[Row, ...]
    folder: Path | None = None
    """Of its file: documents are named from here; None for a set that was made elsewhere."""

    @property
    def questions(self) -> tuple[Question, ...]:
        """Those of its rows that are questions."""
        return tuple(row for row in self.rows if isinstance(row, Question))

    @property
    def claims(self) -> tuple[LabelledClaim, ...]:
        """Those of its rows that are labelled claims."""
        return tuple(row for row in self.rows if isinstance(row, LabelledClaim))

    @property
    def documents(self) -> tuple[str, ...]:
        """All that its questions name, in the order of first mention."""
        return tuple(dict.fromkeys(name for question in self.questions for name in question.documents))

    @property
    def digest(self) -> str:
        """Of what its rows say, whatever order their fields were written in."""
        return hashlib.sha256("\n".join(map(line_of, self.rows)).encode()).hexdigest()[:16]


def dataset(name: str) -> Dataset:
    """A bundled set by its name, or the set in a file.

    Raises:
        BadSet: There is no such set or file, or a line of it breaks the rules.
    """
    if name == EXAMPLES:
        both = merged([dataset("answerable"), dataset("unanswerable")])
        asked = tuple(q for q in both.questions if all(d.startswith(f"{EXAMPLES}/") for d in q.documents))
        return Dataset(EXAMPLES, asked, both.folder)
    path = DATA / BUNDLED[name] if name in BUNDLED else Path(name)
    if not path.is_file():
        there = ", ".join(sorted([*(one for one, file in BUNDLED.items() if (DATA / file).is_file()), EXAMPLES]))
        raise BadSet(f"There is no set {name!r}: name a JSON Lines file, or one of {there}.")
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as exc:
        raise BadSet(f"{path.name} cannot be read as text: {exc}.") from exc
    return Dataset(name if name in BUNDLED else path.stem, rows_of(lines, source=path.name), path.parent)


def merged(sets: Sequence[Dataset]) -> Dataset:
    """Several sets as one, for one run; the folder is the first one's.

    Raises:
        BadSet: Two of them use one id.
    """
    rows = tuple(row for one in sets for row in one.rows)
    twice = _repeated(row.id for row in rows)
    if twice is not None:
        raise BadSet(f"These sets cannot be run together: the id {twice!r} is in more than one of them.")
    return Dataset("+".join(one.name for one in sets), rows, next((one.folder for one in sets if one.folder), None))


def rows_of(lines: Iterable[str], *, source: str) -> tuple[Row, ...]:
    """The rows of JSON Lines, in order; blank lines count as lines, and are passed over.

    Raises:
        BadSet: A line is no row, or its id or question was there before; `source` and the line's number are named.
    """
    rows: list[Row] = []
    seen: set[tuple[str, ...]] = set()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = row_of(json.loads(line))
            _refuse_known(row, seen)
        except ValueError as exc:  # JSON's own error is one, too
            raise BadSet(f"{source}, line {number}: {exc}") from exc
        rows.append(row)
    if not rows:
        raise BadSet(f"{source} has no rows.")
    return tuple(rows)


def row_of(value: object) -> Row:
    """A JSON object as a question, or as a labelled claim when it has a claim.

    Raises:
        ValueError: It is neither; the text says what is wrong, and with which field.
    """
    if not isinstance(value, dict):
        raise ValueError("a row must be a JSON object")  # noqa: TRY004 - one kind of error for all that is wrong in a row
    return _claim(value) if "claim" in value else _question(value)


def line_of(row: Row) -> str:
    """The row as a line of JSON, its fields in a fixed order: what `row_of` reads again."""
    if isinstance(row, LabelledClaim):
        label = SUPPORTED if row.supported else "unsupported"
        fields: dict[str, Any] = {"id": row.id, "claim": row.claim, "evidence": row.evidence, "label": label}
        return json.dumps(fields | {"kind": row.kind}, ensure_ascii=False)
    by_document: dict[str, list[int]] = {}
    for document, page in row.pages:
        by_document.setdefault(document, []).append(page)
    one = len(row.documents) == 1
    fields = {"id": row.id, "documents": [*row.documents], "question": row.question, "answerable": row.answerable}
    fields |= {"answer": row.answer, "pages": by_document.get(row.documents[0], []) if one else by_document}
    fields |= {"evidence": row.evidence, "holds": [*row.holds], "kind": row.kind}
    return json.dumps(fields, ensure_ascii=False)


def _question(value: Mapping[str, Any]) -> Question:
    known = {"id", "document", "documents", "question", "answerable", "answer", "pages", "evidence", "holds", "kind"}
    _refuse_unknown(value, known)
    if "document" in value and "documents" in value:
        raise ValueError("it has both `document` and `documents`: one of them is enough")
    documents = _texts([value["document"]] if "document" in value else value.get("documents"), "documents")
    digest = value.get("sha256")
    if digest is not None and not (isinstance(digest, str) and _DIGEST.fullmatch(digest)):
        raise ValueError(f"sha256 cannot be {digest!r}")
    pages = _pages(value.get("pages", []), documents)
    return Question(
        id=_text(value, "id", needed=True),
        documents=documents,
        question=_text(value, "question", needed=True),
        answerable=_truth(value.get("answerable", bool(pages)), "answerable"),
        answer=_text(value, "answer"),
        pages=pages,
        evidence=_text(value, "evidence"),
        holds=_texts(value.get("holds", []), "holds"),
        kind=_text(value, "kind") or PLAIN,
    )


def _claim(value: Mapping[str, Any]) -> LabelledClaim:
    _refuse_unknown(value, {"id", "claim", "evidence", "label", "kind"})
    label = value.get("label")
    if label not in LABELS:
        raise ValueError(f"label cannot be {label!r}; it is one of {', '.join(sorted(LABELS))}")
    texts = {name: _text(value, name, needed=True) for name in ("id", "claim", "evidence")}
    return LabelledClaim(**texts, supported=label == SUPPORTED, kind=_text(value, "kind") or "claim")


def _pages(value: object, documents: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Page numbers of the only document, or an object from each document to its own."""
    if isinstance(value, dict):
        return tuple((name, page) for name, pages in value.items() for page in _numbers(pages))
    if value and len(documents) != 1:
        raise ValueError('with several documents, pages are an object: {"a.pdf": [3]}')
    return tuple((documents[0], page) for page in _numbers(value))


def _numbers(value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or not all(isinstance(page, int) and not isinstance(page, bool) for page in value):
        raise ValueError(f"pages cannot be {value!r}")
    return tuple(value)


def _text(value: Mapping[str, Any], name: str, *, needed: bool = False) -> str:
    text = value.get(name, "")
    if not isinstance(text, str) or (needed and not text.strip()):
        raise ValueError(f"{name} is needed" if name not in value else f"{name} cannot be {text!r}")
    return text


def _texts(value: object, name: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(text, str) and text.strip() for text in value):
        raise ValueError(f"{name} is needed" if value is None else f"{name} cannot be {value!r}")
    return tuple(value)


def _truth(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{name} cannot be {value!r}")  # noqa: TRY004 - as above
    return value


def _refuse_unknown(value: Mapping[str, Any], known: set[str]) -> None:
    unknown = sorted(value.keys() - known - CARRIED)
    if unknown:
        raise ValueError(f"{unknown[0]!r} is no field of a row; the fields are {', '.join(sorted(known))}")


def _refuse_known(row: Row, seen: set[tuple[str, ...]]) -> None:
    if ("id", row.id) in seen:
        raise ValueError(f"the id {row.id!r} was there before")
    seen.add(("id", row.id))
    if isinstance(row, Question):
        asked = (*row.documents, " ".join(row.question.split()).casefold())
        if asked in seen:
            raise ValueError("the same documents were asked this before")
        seen.add(asked)


def _repeated(ids: Iterable[str]) -> str | None:
    seen: set[str] = set()
    return next((one for one in ids if one in seen or seen.add(one)), None)  # type: ignore[func-returns-value]


def by_kind(rows: Iterable[T], kind: Callable[[T], str]) -> Iterator[tuple[str, list[T]]]:
    """The rows of each kind, the kinds in the order of first mention."""
    groups: dict[str, list[T]] = {}
    for row in rows:
        groups.setdefault(kind(row), []).append(row)
    yield from groups.items()
