"""A question and its passages to a draft in prose, by a language model; by quotation where none can be asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from rag_core.errors import MalformedReply, ModelError
from rag_core.protocols import Heard, Writer
from rag_core.text.growing import Growing
from rag_core.types import Draft, Message, Passage
from rag_core.writing import prompts, replies
from rag_core.writing.chat import Chat, Spent, sentence


class ModelWriter:
    """Implements `AloudWriter`.

    Args:
        instead: Who writes while no model can be asked (none has an allowance left, all are in trouble); the draft says
            so. Without one, that is an error. A request that is refused, or a reply that is none, always is.
    """

    def __init__(self, chat: Chat, *, clock: Callable[[], float], instead: Writer | None = None) -> None:
        self._chat = chat
        self._clock = clock
        self._instead = instead

    @property
    def name(self) -> str:
        """Of the model that is asked first."""
        return self._chat.name

    async def write(self, question: str, passages: Sequence[Passage]) -> Draft:
        """The model's reply as a draft.

        Raises:
            ModelError: The model refuses the request or replies with nothing; or see `instead`.
        """
        return await self._write(question, passages, None)

    async def write_aloud(self, question: str, passages: Sequence[Passage], *, heard: Heard) -> Draft:
        """The same, the model's words told as statements end, but for what is no part of an answer."""
        growing, tidy = Growing(), _Tidying(passages)

        async def prose(reply: str) -> None:
            if growing.is_news(reply) and (text := replies.prose(reply)):
                await heard(tidy.tidied(text))

        return await self._write(question, passages, prose)

    async def _write(self, question: str, passages: Sequence[Passage], heard: Heard | None) -> Draft:
        spent = Spent(self._clock)

        def prompt(room: float) -> list[Message]:
            return prompts.messages(question, prompts.packed(question, passages, room=room))

        try:
            spoken = await self._chat.complete(prompt, spent=spent, heard=heard)
        except ModelError as exc:
            if self._instead is None or not replies.passes(exc):
                raise
            draft = await self._instead.write(question, passages)
            note = f"{sentence(exc)} This answer is made by quotation."
            return replace(draft, usage=spent.usage(), notes=(*draft.notes, note))
        text = replies.prose(spoken.text)
        if text is None:
            # The model's own reason would be an unchecked statement about the documents, so it is not repeated.
            return Draft("", spoken.model, unanswered=replies.UNANSWERED, usage=spent.usage(), notes=spoken.notes)
        if not replies.has_words(text):
            raise MalformedReply("The language model replied without any text; ask again, or use the quote writer.")
        return Draft(_Tidying(passages).tidied(text), spoken.model, usage=spent.usage(), notes=spoken.notes)


class _Tidying:
    """What of a reply to these passages may answer: they are looked through once, and not for each word of it."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._own = prompts.own_runs(passages)
        self._heads = replies.headings(passages)

    def tidied(self, text: str) -> str:
        """Without leaks of the rules, and without what says nothing."""
        return replies.without_idle(prompts.without_leaks(text, self._own), self._heads)
