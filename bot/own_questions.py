"""A question that was answered badly, kept with consent as one that evals of its channel ask."""

from __future__ import annotations

import discord

from bot.access import Access, interaction_place
from bot.phrases import say
from bot.places import principal_of
from bot.store.records import Question
from bot.store.store import BotStore
from eval import datasets
from eval.runs import Evals
from rag_core.errors import NotAllowed
from rag_core.library import Library
from rag_core.types import Document

KIND = "from a server"


class OwnQuestions:
    """Keeps them. A question names its documents by their ids, so that it goes with them."""

    def __init__(self, library: Library, store: BotStore, access: Access, evals: Evals) -> None:
        self._library = library
        self._store = store
        self._access = access
        self._evals = evals

    async def may_offer(self, interaction: discord.Interaction, answer_id: int) -> bool:
        """Whether the question is the very person's own, and asked in a server."""
        asked = await self._store.question_answered_by(answer_id)
        return asked is not None and asked.what.asker_id == interaction.user.id and interaction.guild is not None

    async def keep(self, interaction: discord.Interaction, answer_id: int, *, answer: str, page: str) -> None:
        """Keep a question with what is right: an answer, its page, or, with neither, that there is none.

        Raises:
            NotAllowed: It is somebody else's or forgotten, its documents are gone, or have no such page.
        """
        asked = await self._store.question_answered_by(answer_id)
        if asked is None or not await self.may_offer(interaction, answer_id):
            raise NotAllowed(say().keep_not_yours)
        place = interaction_place(interaction)
        scope = await self._access.scope(place, document=asked.what.document_id)
        documents = _meant(asked, await self._library.documents(scope))
        if not documents:
            raise NotAllowed(say().keep_no_documents)
        row = datasets.Question(
            id=f"q{asked.id}",
            documents=tuple(document.id for document in documents),
            question=_standalone(asked),
            answerable=bool(answer or page),
            answer=answer,
            pages=((documents[0].id, _page(page, documents[0])),) if page else (),
            kind=KIND,
        )
        await self._evals.add_question(place.collection, row, by=principal_of(interaction.user.id))


def _meant(asked: Question, there: list[Document]) -> list[Document]:
    """The documents that the answer cited, the one cited first before the others; all that were asked, without any."""
    cited = dict.fromkeys(quote.document_id for quote in asked.answer.quotes) if asked.answer else {}
    by_id = {str(document.id): document for document in there}
    return [by_id[one] for one in cited if one in by_id] or there


def _standalone(asked: Question) -> str:
    return (asked.answer.standalone if asked.answer else None) or asked.what.question


def _page(text: str, document: Document) -> int:
    if not (text.isdecimal() and 1 <= int(text) <= document.pages):
        raise NotAllowed(say().keep_no_page.format(title=document.title, pages=document.pages))
    return int(text)
