"""Questions without an answer in their document, and questions with one: what the gate is fitted and reported on.

    python -m eval.unanswerable

Reads `eval/data/unanswerable.jsonl` and `eval/data/answerable.jsonl`, which were written for this project (CC0; the
rules are in `eval/data/README.md`), prints how many there are of each kind, and looks into those of the PDFs that are
at hand: whether the bytes are the ones meant, and whether the evidence stands on its page.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

ROOT = Path(__file__).parents[1]
UNANSWERABLE = ROOT / "eval" / "data" / "unanswerable.jsonl"
ANSWERABLE = ROOT / "eval" / "data" / "answerable.jsonl"

FOLDS = 5
EVIDENCE_LENGTH = 120
"""The filings are not openly licensed: the evidence is a fact to look for, never a passage."""
DIGEST = re.compile(r"[0-9a-f]{16}")
"""The first 16 hexadecimal digits of a file's SHA-256: enough to know it by."""


class Lack(StrEnum):
    """Why a question has no answer in its document."""

    OFF_TOPIC = "off_topic"
    """Nothing to do with the document."""
    WRONG_ENTITY = "wrong_entity"
    """The right subject, but a company, person, place or grade that the document does not cover."""
    WRONG_YEAR = "wrong_year"
    """A year or period that the document gives no figures for."""
    WRONG_ATTRIBUTE = "wrong_attribute"
    """The subject is there; what is asked about it is not."""
    FALSE_PREMISE = "false_premise"
    """It supposes what the document contradicts, or never says."""
    TOO_FINE = "too_fine"
    """The document speaks of it in general, without the detail."""


class Answer(StrEnum):
    """What kind of answer a question wants."""

    FACT = "fact"
    NUMBER = "number"
    DATE = "date"
    PERSON = "person"
    PLACE = "place"
    YES_NO = "yes_no"
    DEFINITION = "definition"
    LIST = "list"
    TABLE = "table"


class BadRow(ValueError):
    """A row that breaks the rules of its set. Its text names the file and the line."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question put to one document."""

    id: str
    document: str
    """`examples/…` from the repository's root, or `pdfs/…` from the folder of public data."""
    sha256: str
    question: str
    fold: int
    """For cross-validation: all questions on the same bytes are in one fold, whatever the file is called."""

    def __post_init__(self) -> None:
        if not self.id or not self.question.strip():
            raise ValueError("an id and a question are needed")
        if not self.document.startswith(("examples/", "pdfs/")):
            raise ValueError(f"{self.document!r} is in neither examples/ nor pdfs/")
        if not DIGEST.fullmatch(self.sha256):
            raise ValueError(f"{self.sha256!r} is not the beginning of a digest")
        if not 0 <= self.fold < FOLDS:
            raise ValueError(f"fold {self.fold} is not one of {FOLDS}")

    @property
    def path(self) -> Path:
        """Where its document lies, if it is here at all."""
        return (ROOT if self.document.startswith("examples/") else data_folder()) / self.document


@dataclass(frozen=True, slots=True)
class Unanswerable(Question):
    """One that its document does not answer, not even in part."""

    kind: Lack
    why: str
    """What the document has instead, in a sentence."""

    def __post_init__(self) -> None:
        Question.__post_init__(self)
        if not self.why.strip():
            raise ValueError("why it has no answer must be said")


@dataclass(frozen=True, slots=True)
class Answerable(Question):
    """One that its document answers."""

    kind: Answer
    pages: tuple[int, ...]
    """From 1. Each of them answers it; the evidence stands on the first."""
    evidence: str

    def __post_init__(self) -> None:
        Question.__post_init__(self)
        if not self.pages or min(self.pages) < 1 or len(set(self.pages)) < len(self.pages):
            raise ValueError(f"{list(self.pages)} are not pages, each named once and counted from 1")
        if not self.evidence.strip() or len(self.evidence) > EVIDENCE_LENGTH:
            raise ValueError(f"the evidence must have 1 to {EVIDENCE_LENGTH} characters, not {len(self.evidence)}")


Q = TypeVar("Q", Unanswerable, Answerable)


@dataclass(slots=True)
class _Seen:
    """What the rows so far have said, so that the next does not gainsay it."""

    ids: set[str] = field(default_factory=set)
    asked: set[tuple[str, str]] = field(default_factory=set)
    folds: dict[str, int] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)

    def add(self, question: Question) -> None:
        if question.id in self.ids:
            raise ValueError(f"the id {question.id!r} was there before")
        if (asked := (question.sha256, folded(question.question))) in self.asked:
            raise ValueError("the same document was asked this before")
        if self.folds.setdefault(question.sha256, question.fold) != question.fold:
            raise ValueError(f"fold {question.fold}, but the document is in fold {self.folds[question.sha256]}")
        if self.digests.setdefault(question.document, question.sha256) != question.sha256:
            raise ValueError(f"{question.document} had another digest before")
        self.ids.add(question.id)
        self.asked.add(asked)


def load_unanswerable(path: Path = UNANSWERABLE) -> tuple[Unanswerable, ...]:
    """The questions without an answer, in the file's order.

    Raises:
        BadRow: A line is no such question, or does not agree with one above it.
    """
    return _read(path, _unanswerable, _Seen())


def load_answerable(path: Path = ANSWERABLE) -> tuple[Answerable, ...]:
    """The questions with an answer, in the file's order. Raises `BadRow` as `load_unanswerable` does."""
    return _read(path, _answerable, _Seen())


def load_both(
    unanswerable: Path = UNANSWERABLE, answerable: Path = ANSWERABLE
) -> tuple[tuple[Unanswerable, ...], tuple[Answerable, ...]]:
    """Both sets, which must agree with each other on ids, digests and folds, too."""
    seen = _Seen()
    return _read(unanswerable, _unanswerable, seen), _read(answerable, _answerable, seen)


def _read(path: Path, make: Callable[[object], Q], seen: _Seen) -> tuple[Q, ...]:
    questions: list[Q] = []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                questions.append(make(json.loads(line)))
                seen.add(questions[-1])
            except ValueError as exc:
                raise BadRow(f"{path.name}, line {number}: {exc}") from exc
    return tuple(questions)


def _unanswerable(row: object) -> Unanswerable:
    values = _values(row, Unanswerable)
    return Unanswerable(**values | {"kind": Lack(values["kind"])})


def _answerable(row: object) -> Answerable:
    values = _values(row, Answerable)
    return Answerable(**values | {"kind": Answer(values["kind"]), "pages": tuple(values["pages"])})


def _values(row: object, kind: type[Question]) -> dict[str, Any]:
    """The row, if it has just the fields of `kind`, each of its type."""
    names = {f.name for f in fields(kind)}
    if not isinstance(row, dict) or row.keys() != names:
        raise ValueError(f"the fields must be {', '.join(sorted(names))}")
    for name, value in row.items():
        good = _is_whole(value) if name == "fold" else isinstance(value, str)
        if name == "pages":
            good = isinstance(value, list) and all(map(_is_whole, value))
        if not good:
            raise ValueError(f"{name} cannot be {value!r}")
    return row


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def data_folder() -> Path:
    """Where the public data lie: `PINCITE_DATA`, or beside the repository."""
    return Path(os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))


def folded(text: str) -> str:
    """Without case, and with one space where there is any white space.

    >>> folded("  A   page's Text ")
    "a page's text"
    """
    return " ".join(text.split()).casefold()


def faults(questions: Sequence[Question]) -> Iterator[str]:
    """What the PDFs at hand say against the rows: other bytes, or evidence that is not on its page."""
    import pymupdf

    for path in dict.fromkeys(q.path for q in questions if q.path.is_file()):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        with pymupdf.open(path) as pdf:
            for question in (q for q in questions if q.path == path):
                fault = _fault(question, digest, pdf)
                if fault:
                    yield f"{question.id}: {fault}"


def _fault(question: Question, digest: str, pdf: Any) -> str | None:  # noqa: ANN401 - PyMuPDF has no types
    if not digest.startswith(question.sha256):
        return f"{question.document} has the digest {digest[:16]}"
    if not isinstance(question, Answerable):
        return None
    if max(question.pages) > pdf.page_count:
        return f"{question.document} has {pdf.page_count} pages"
    if folded(question.evidence) not in folded(pdf[question.pages[0] - 1].get_text()):
        return f"page {question.pages[0]} does not have {question.evidence!r}"
    return None


def main() -> int:
    """Print the kinds and the folds, and what is wrong; 1 if anything is."""
    without, having = load_both()
    for questions in (without, having):
        print(f"{len(questions)} questions on {len({q.document for q in questions})} documents")
        for kind, count in sorted(Counter(q.kind for q in questions).items()):
            in_folds = Counter(q.fold for q in questions if q.kind == kind)
            print(f"  {kind:16s} {count:4d}   in folds: {' '.join(str(in_folds[f]) for f in range(FOLDS))}")
    both = (*without, *having)
    found = list(faults(both))
    here = len({q.document for q in both if q.path.is_file()})
    print("\n".join([*found, f"{len(found)} faults in the {here} documents that are here"]))
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
