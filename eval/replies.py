"""What a system said to a question or of a claim, as values that a run keeps: to JSON and back. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from eval.ranked import Place
from rag_core.types import Usage

Status = Literal["found", "answered", "partial", "refused", "failed"]
"""`found`: it only searches; `failed`: it broke, and nothing is measured of it."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A place that a statement cites."""

    document: str
    """Its id."""
    page: int
    quote: str = ""
    literal: bool = False
    """Whether the page says the quote, letter by letter: looked up, not believed."""

    @property
    def place(self) -> Place:
        """As rankings have it."""
        return self.document, self.page


@dataclass(frozen=True, slots=True)
class Statement:
    """A published statement, and what it cites."""

    text: str
    verdict: str
    citations: tuple[Cited, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What became of a question."""

    status: Status
    places: tuple[Place, ...] = ()
    """Pages in the order in which they were found."""
    text: str = ""
    statements: tuple[Statement, ...] = ()
    withheld: int = 0
    reason: str = ""
    """Of a refusal or a failure."""
    probability: float | None = None
    """What its gate made of the passages; None where it has no gate."""
    ms: Mapping[str, float] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    passages: tuple[str, ...] = ()
    """The texts that it answered from, for a judge."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a labelled claim."""

    verdict: str
    supported: bool
    confidence: float | None = None
    ms: float = 0.0
    reason: str = ""
    """Why it failed; a claim that failed is not counted."""

    @property
    def failed(self) -> bool:
        """Whether there is no verdict."""
        return self.verdict == "failed"


Outcome = Reply | Judged


def failed(reason: str) -> Reply:
    """A question that could not be put, and why."""
    return Reply("failed", reason=reason)


def is_failed(outcome: Outcome) -> bool:
    """Whether it is an outcome that nothing can be measured of."""
    return outcome.failed if isinstance(outcome, Judged) else outcome.status == "failed"


def dump(outcome: Outcome) -> str:
    """As JSON."""
    return json.dumps(asdict(outcome), ensure_ascii=False)


def load(text: str) -> Outcome:
    """What `dump` made."""
    value: dict[str, Any] = json.loads(text)
    if "status" not in value:
        return Judged(**value)
    statements = tuple(
        Statement(s["text"], s["verdict"], tuple(Cited(**c) for c in s["citations"])) for s in value["statements"]
    )
    places = tuple((document, page) for document, page in value["places"])
    return Reply(
        **value
        | {
            "statements": statements,
            "places": places,
            "usage": Usage(**value["usage"]),
            "passages": tuple(value["passages"]),
        }
    )
