"""The arguments that tools share, with their bounds: what a client's schema says, and what is refused. Pure."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from rag_core.types import Exchange

MOST_BASE64 = 28 * 2**20
"""Characters: a PDF of 21 MiB. A larger one is better a path or a link than a message."""

Question = Annotated[str, Field(min_length=1, max_length=2000, description="A question in plain words.")]
DocumentName = Annotated[
    str, Field(min_length=1, max_length=500, description="A document's id, the beginning of it, its file or its title.")
]
DocumentNames = Annotated[
    list[DocumentName] | None,
    Field(min_length=1, max_length=100, description="Only these documents: ids, files or titles. All when left out."),
]
PageNumber = Annotated[int, Field(ge=1, le=100_000, description="Counted from 1.")]
Text = Annotated[str, Field(min_length=1, max_length=20_000, description="The text whose statements are checked.")]


class Turn(BaseModel):
    """A question that was asked before, and its answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: Question
    answer: Annotated[str, Field(max_length=20_000, description="Its text; empty when it was refused.")] = ""

    @property
    def exchange(self) -> Exchange:
        """As the core takes it."""
        return Exchange(self.question, self.answer)


Turns = Annotated[
    list[Turn] | None,
    Field(max_length=10, description="The conversation's last turns, oldest first, where the question follows up."),
]
