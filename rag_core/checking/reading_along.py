"""A draft that is still being written to its claims, each checked as soon as it is whole.

What is told early is never more than was checked; what is checked early is not checked again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from rag_core.checking.claims import claims
from rag_core.checking.verification import Elsewhere, Evidence, Verifier
from rag_core.text.growing import Growing
from rag_core.types import AnswerEvent, Checked, CheckedClaim, Checking, Claim, Restarted, Span

Tell = Callable[[AnswerEvent], None]

_ANYWHERE = Span(0, 1)


def nobody(event: AnswerEvent) -> None:
    """Listens to nothing."""


class ReadingAlong:
    """Follows one draft, from its first word to its last claim.

    Args:
        tell: Is told of each claim that it is being checked, and then its verdict.
        elsewhere: Where a claim is looked up that the evidence does not support.
    """

    def __init__(
        self, verifier: Verifier, evidence: Mapping[int, Evidence], tell: Tell, elsewhere: Elsewhere | None = None
    ) -> None:
        self._verifier = verifier
        self._evidence = evidence
        self._tell = tell
        self._elsewhere = elsewhere
        self._told: list[Claim] = []
        self._known: dict[Claim, CheckedClaim] = {}
        self._growing = Growing()

    async def hear(self, text: str) -> None:
        """Check the claims of the text so far, but for the last: its markers, or the rest of it, may still come."""
        if self._growing.is_news(text):
            await self._follow(claims(text)[:-1])

    async def finish(self, final: Sequence[Claim]) -> list[CheckedClaim]:
        """Every claim of the finished draft with its verdict, in order."""
        await self._follow(final)
        return [replace(self._known[_without_place(claim)], claim=claim) for claim in final]

    async def _follow(self, found: Sequence[Claim]) -> None:
        wanted = [_without_place(claim) for claim in found]
        if wanted[: len(self._told)] != self._told[: len(wanted)]:
            self._tell(Restarted())
            self._told = []
        for claim in found[len(self._told) :]:
            index, bare = len(self._told), _without_place(claim)
            self._told.append(bare)
            self._tell(Checking(index, claim.text))
            if bare not in self._known:
                [self._known[bare]] = await self._verifier.check_claims(
                    [claim], self._evidence, elsewhere=self._elsewhere
                )
            self._tell(Checked(index, self._known[bare]))


def _without_place(claim: Claim) -> Claim:
    """The claim wherever it stands: a verdict depends on what is said."""
    return replace(claim, span=_ANYWHERE)
