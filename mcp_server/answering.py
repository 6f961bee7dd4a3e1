"""The tools that verify: an answer from the documents, and the caller's own text against them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Annotated, Any

from mcp.server.mcpserver import Context
from mcp.types import CallToolResult
from pydantic import Field

from mcp_server import prose, schemas
from mcp_server.arguments import DocumentNames, Question, Text, Turns
from mcp_server.callers import WhoAsks
from mcp_server.desk import Desk
from mcp_server.keeping import KeptAnswers
from mcp_server.levels import Levels
from mcp_server.reading import narrowed
from mcp_server.results import result
from mcp_server.telling import Progress
from rag_core.types import Answer, Checked, Checking, Exchange, Policy, Restarted, Scope

if TYPE_CHECKING:
    from rag_core.library import Library


class Answering:
    """The tools' bodies. Their names, signatures and docstrings are what a client is told."""

    def __init__(self, desk: Desk, who: WhoAsks, kept: KeptAnswers, levels: Levels) -> None:
        self._desk = desk
        self._who = who
        self._kept = kept
        self._levels = levels

    async def ask(
        self,
        question: Question,
        context: Context[Any, Any],
        documents: DocumentNames = None,
        policy: Annotated[
            Policy | None,
            Field(description="strict: supported claims only; flag: the others too, marked; quote: quotations only."),
        ] = None,
        history: Turns = None,
    ) -> Annotated[CallToolResult, schemas.Answer]:
        """Answer a question from the documents. Every claim has a verdict and, when supported, the quote and page.

        Status 'refused' means that the documents do not answer it; do not answer it from elsewhere as if they did.
        """
        caller, progress = self._who(), Progress(context, self._levels)
        library = await self._desk.library(warm=True, progress=progress)
        scope = await narrowed(library, caller.scope, documents)
        await library.charge_question(caller.principal)
        turns = [turn.exchange for turn in history or ()]
        answer = await _told(library, question, scope, policy, turns, progress)
        value = self._kept.keep(answer, caller.collection)
        return result(value, prose.answer(value))

    async def verify_text(
        self, text: Text, context: Context[Any, Any], documents: DocumentNames = None
    ) -> Annotated[CallToolResult, schemas.Verification]:
        """Check any text, your own draft too, statement by statement: supported, contradicted, unsupported, uncheckable.

        Each supported statement comes with the quote and page that show it; each other one with the checks it failed.
        """  # noqa: E501 - the first line is one sentence for the client
        caller, progress = self._who(), Progress(context, self._levels)
        library = await self._desk.library(warm=True, progress=progress)
        scope = await narrowed(library, caller.scope, documents)
        await library.charge_question(caller.principal)
        checked = await library.verify(text, scope=scope)
        value = schemas.Verification.of(checked)
        return result(value, prose.verification(value))


async def _told(  # noqa: PLR0913, PLR0917 - all that a question is asked with
    library: Library,
    question: str,
    scope: Scope,
    policy: Policy | None,
    history: Sequence[Exchange],
    progress: Progress,
) -> Answer:
    """The answer, while each step to it is told. Of a draft only verdicts are: its words are not published yet."""
    async with aclosing(library.ask_stream(question, scope=scope, policy=policy, history=history)) as events:
        async for event in events:
            match event:
                case Answer():
                    return event
                case Checking(index=index):
                    await progress.step(f"checking statement {index + 1}")
                case Checked(index=index, claim=claim):
                    await progress.step(f"statement {index + 1}: {claim.verdict.value}")
                case Restarted():
                    await progress.step("writing it again")
    raise AssertionError("an answer always comes last")
