"""A run as a value: what was asked of whom with what, how far it is, and how it ended. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from eval.datasets import Dataset

State = Literal["running", "interrupted", "partial", "empty", "finished"]
"""`interrupted`: it stopped before its end, and can be resumed; `partial`: it came to its end, but some questions
failed, or their documents are not here; `empty`: nothing could be measured. Only `finished` is all of it."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of some systems over a set."""

    id: str
    owner: str
    """The collection whose run it is: others do not see it."""
    dataset: Dataset
    systems: tuple[str, ...]
    documents: Mapping[str, str]
    """From names in the set to ids, those that are here."""
    fingerprint: Mapping[str, str]
    """Of all that the figures depend on, by name."""
    state: State
    started_at: datetime
    finished_at: datetime | None = None
    done: int = 0
    failed: int = 0
    total: int = 0
    """Pairs of a system and a row that can be asked."""
    skipped: int = 0
    """Pairs whose document is not here."""
    note: str = ""
    """Why it stopped."""
    prepared: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Seconds of indexing, by system."""

    @property
    def summary(self) -> str:
        """How it stands, in a sentence that nobody can take for more than it is."""
        said = {
            "running": f"running: {self.done} of {self.total}",
            "interrupted": f"INTERRUPTED after {self.done} of {self.total}: `pincite eval run --resume {self.id}`",
            "partial": f"PARTIAL: {self.done - self.failed} of {self.total + self.skipped} measured, "
            f"{self.failed} failed, {self.skipped} without their document",
            "empty": "EMPTY: nothing could be measured",
            "finished": f"finished: {self.done} of {self.total}",
        }[self.state]
        return f"{said}. {self.note}".strip() if self.note else said
