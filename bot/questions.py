"""A question's life: noted, answered while people watch, and kept, so that another process can take it up."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from datetime import timedelta

from bot import render
from bot.access import Access
from bot.buttons.answer import under_answer
from bot.phrases import say
from bot.places import Place, principal_of
from bot.reply import Reply
from bot.store.records import Question
from bot.store.store import BotStore
from bot.tree import tell
from rag_core.library import Library
from rag_core.types import Answer, AnswerEvent, Checked, CheckedClaim, Checking, Exchange, Restarted, Scope, Verdict

MOST_ATTEMPTS = 3
"""Of answering one question; then something is wrong with it, and whoever asked is told."""
STILL_IN_MIND = timedelta(minutes=30)
"""A channel is no conversation: what somebody asked there this morning is not what "and the other?" means tonight."""
TURNS = 4
"""Earlier questions of the same asker in the same place that a question may lean on."""


class Questions:
    """Answers what people ask."""

    def __init__(self, library: Library, store: BotStore, access: Access) -> None:
        self._library = library
        self._store = store
        self._access = access
        self._under_way: set[int] = set()

    async def answer(self, question: Question, place: Place, reply: Reply) -> None:
        """Answer it, unless that is done or being done. What fails is said; a fault of Discord's leaves it waiting."""
        if question.id in self._under_way:
            return
        self._under_way.add(question.id)
        try:
            # While it waited for a file it may have been answered for somebody else's click, or deleted.
            now = await self._store.question(question.id)
            if now is not None and now.state != "answered":
                await self._answer(now, place, reply)
        finally:
            self._under_way.discard(question.id)

    async def _answer(self, question: Question, place: Place, reply: Reply) -> None:
        await self._store.try_again(question.id)
        message = await reply.begin(say().looking)
        await self._store.set_answer_message(question.id, message.id)
        try:
            scope = await self._access.scope(place, document=question.what.document_id)
            answer = await self._answered(question, place, scope, reply)
        except Exception as exc:  # noqa: BLE001 - whatever it is, whoever asked is told
            if not await self._is_wanted(question):
                await reply.withdraw()
                return
            await self._store.gave_up(question.id)
            await tell(exc, lambda text: reply.end([text]))
            return
        if answer is None:
            await reply.withdraw()
            return
        message = await reply.end(render.answer(answer), view=under_answer(answer))
        await self._store.answered(question.id, message.id, render.kept(answer))

    async def _answered(self, question: Question, place: Place, scope: Scope, reply: Reply) -> Answer | None:
        """The answer, or None as soon as nobody wants it any more."""
        if not question.charged:
            await self._library.charge_question(principal_of(question.what.asker_id))
            await self._store.set_charged(question.id)
        policy = (await self._access.settings(place)).policy
        draft = _Draft()
        answer: Answer | None = None
        history = await self._history(question, place)
        asked = question.what.question
        async with aclosing(self._library.ask_stream(asked, scope=scope, policy=policy, history=history)) as events:
            async for event in events:
                if not await self._is_wanted(question):
                    return None
                if isinstance(event, Answer):
                    answer = event
                else:
                    draft.hear(event)
                    await reply.show(render.draft(draft.statements()))
        assert answer is not None, "the last event is the answer"
        return answer

    async def _is_wanted(self, question: Question) -> bool:
        """Whether it was not deleted meanwhile: with its message, its thread, its asker's data or its server."""
        return await self._store.question(question.id) is not None

    async def _history(self, question: Question, place: Place) -> list[Exchange]:
        """What the same asker asked there before, and last of all what the question replies to, whoever asked that."""
        turns = await self._store.turns(place.id, question.what.asker_id, TURNS)
        if not place.is_thread:
            turns = [turn for turn in turns if question.asked_at - turn.asked_at < STILL_IN_MIND]
        if question.what.leans_on is not None:
            meant = await self._store.question_answered_by(question.what.leans_on)
            if meant is not None and meant.answer is not None:
                turns = [*(turn for turn in turns if turn.id != meant.id), meant]
        return [_exchange(turn) for turn in turns]


def _exchange(question: Question) -> Exchange:
    assert question.answer is not None, "only answered questions are turns"
    return Exchange(question.answer.standalone or question.what.question, question.answer.text)


class _Draft:
    """The statements of an answer that is being written, as far as they are known."""

    def __init__(self) -> None:
        self._statements: dict[int, tuple[str, CheckedClaim | None]] = {}

    def hear(self, event: AnswerEvent) -> None:
        """Note what came."""
        match event:
            case Checking():
                self._statements[event.index] = (event.text, None)
            case Checked():
                self._statements[event.index] = (event.claim.claim.text, event.claim)
            case Restarted():
                self._statements.clear()

    def statements(self) -> Sequence[tuple[str, Verdict | None]]:
        """Each with its verdict, or None while it is being checked, in order."""
        return [(text, checked.verdict if checked else None) for _, (text, checked) in sorted(self._statements.items())]
