"""A question to a published answer: find, gate, write, check, publish; or a refusal that says why."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rag_core.answering import followups
from rag_core.answering.answer_keys import Circumstances, key_of
from rag_core.answering.gate import Relevance, relevance
from rag_core.answering.gist import gist
from rag_core.answering.publication import publish
from rag_core.checking.claims import claims
from rag_core.checking.reading_along import ReadingAlong, Tell, nobody
from rag_core.checking.verification import Elsewhere, Evidence, Verifier
from rag_core.errors import ModelError, ModelUnavailable
from rag_core.finding.retrieval import Retrieval
from rag_core.protocols import AloudWriter, AnswerCache, Catalog, Rephraser, Writer
from rag_core.types import (
    Answer,
    CheckedClaim,
    Document,
    Draft,
    Exchange,
    Passage,
    Policy,
    Refusal,
    Rephrased,
    Scope,
    Usage,
    WriterName,
)

NAMED = 40
"""Characters of a missing word that a refusal repeats."""
NAMED_WORDS = 8
"""Missing words that a refusal names: the point is made, and a pasted page is not repeated."""
REPAIR_PASSAGES = 5
"""Passages of the scope that a claim is tried against when none of those shown supports it."""
NEAREST = 3
"""Passages that a refusal names: enough to look further, few enough to read."""


class Answering:
    """Answers questions. Stateless but for its collaborators; any number of calls may run at once.

    Args:
        writers: By name; `auto` is among them, and is the one to take when nobody asked for another.
        gate: The least probability that the passages hold an answer.
        passages: How many a writer sees.
        cache: Answers that were given; without one each is made anew.
        settings: Other settings that answers depend on: those that are kept were made under the same.
        rephraser: A model that makes follow-ups stand alone; without one, rules do.
    """

    def __init__(  # noqa: PLR0913 - it is where everything meets
        self,
        *,
        catalog: Catalog,
        retrieval: Retrieval,
        verifier: Verifier,
        writers: Mapping[WriterName, Writer],
        gate: float,
        passages: int,
        cache: AnswerCache | None = None,
        settings: str = "",
        rephraser: Rephraser | None = None,
    ) -> None:
        self._catalog = catalog
        self._retrieval = retrieval
        self._verifier = verifier
        self._writers = writers
        self._gate = gate
        self._passages = passages
        self._cache = cache
        self._settings = settings
        self._rephraser = rephraser

    async def ask(  # noqa: PLR0913 - each is one thing a caller may want
        self,
        question: str,
        *,
        scope: Scope,
        writer: WriterName,
        policy: Policy,
        history: Sequence[Exchange] = (),
        tell: Tell = nobody,
        fresh: bool = False,
    ) -> Answer:
        """The answer, every claim of it checked, or a refusal. `tell` hears of each claim while the draft is written.

        With a `history`, oldest turn first, it is the question as it stands alone that is answered. The same question
        under the same circumstances is answered as it was before, at once, and nothing is told while it is; unless it
        must be `fresh`: then nothing that was kept is looked at, and nothing is kept.

        Raises:
            DocumentNotFound: The scope names a document that it does not hold.
            ModelUnavailable: The writer asked for is not set up.
        """
        chosen = self._writer(writer)
        watch = _Stopwatch()
        alone, rephrasing = await self._standalone(question, history, writer) if history else (question, Usage())
        key = None if fresh else await self._key(alone, scope, chosen, policy)
        kept = await self._cache.get(key) if self._cache is not None and key is not None else None
        if kept is not None:
            watch.lap("cache")
            answer = replace(kept, ms=watch.laps(), usage=Usage())
        else:
            found = await self._retrieval.find(alone, scope=scope, k=self._passages)
            watch.lap("retrieval")
            answer = await self._answered(alone, found.passages, scope, chosen, policy, tell, watch)
            answer = replace(answer, notes=(*answer.notes, *found.notes))
            # What was made by another than was asked (the day's tokens are gone) is not what the next asker should get.
            if self._cache is not None and key is not None and answer.writer == chosen.name and not answer.notes:
                await self._cache.put(key, answer)
        usage = rephrasing + answer.usage
        return replace(answer, question=question, standalone=alone if alone != question else None, usage=usage)

    async def _standalone(self, question: str, history: Sequence[Exchange], writer: WriterName) -> tuple[str, Usage]:
        """The question as it stands alone, and what that took. Who asks for quotation has no model asked at all."""
        usage = Usage()
        if self._rephraser is not None and writer != "quote":
            try:
                made = await self._rephraser.standalone(question, history)
            except ModelError:
                made = Rephrased(None)  # rules do for a turn what a model cannot
            usage = made.usage
            if made.question is not None and followups.is_question(made.question):
                return made.question.strip(), usage
        return followups.standalone(question, history), usage

    async def _key(self, question: str, scope: Scope, writer: Writer, policy: Policy) -> str | None:
        """None while the scope holds nothing, names what it does not hold, or is found by its words alone."""
        if self._cache is None:
            return None
        visible = await self._catalog.visible(scope)
        if not visible or not visible.issuperset(scope.documents or ()):
            return None
        if not visible.isdisjoint(await self._catalog.pending()):
            return None
        return key_of(
            question,
            Circumstances(
                collections=scope.collections,
                documents=visible,
                index=await self._catalog.index_state(),
                writer=writer.name,
                verifier=self._verifier.version,
                policy=policy,
                gate=self._gate,
                passages=self._passages,
                settings=self._settings,
            ),
        )

    async def _answered(  # noqa: PLR0913, PLR0917 - all that an answer is made of
        self,
        question: str,
        passages: Sequence[Passage],
        scope: Scope,
        chosen: Writer,
        policy: Policy,
        tell: Tell,
        watch: _Stopwatch,
    ) -> Answer:
        if not passages and not await self._catalog.visible(scope):
            return await self._refused(question, "There are no documents to ask yet.", (), scope, chosen.name, watch)
        judged = await asyncio.to_thread(relevance, gist(question), passages)
        if judged.probability < self._gate:
            reason = _off_subject(judged, passages)
            return await self._refused(question, reason, passages, scope, chosen.name, watch)
        reading = ReadingAlong(self._verifier, await evidence_of(self._catalog, passages), tell, self._elsewhere(scope))
        if isinstance(chosen, AloudWriter):
            draft = await chosen.write_aloud(question, passages, heard=reading.hear)
        else:
            draft = await chosen.write(question, passages)
        watch.lap("writing")
        if draft.unanswered is not None:
            reason = f"The documents do not answer this: {draft.unanswered}."
            return await self._refused(question, reason, passages, scope, draft.writer, watch, draft=draft)
        checked = await reading.finish(claims(draft.text) if draft.claims is None else draft.claims)
        watch.lap("checking")
        publication = publish(checked, policy)
        if not publication.claims:
            reason = "An answer was drafted, but no statement of it could be verified in the documents."
            return await self._refused(
                question, reason, passages, scope, draft.writer, watch, withheld=checked, draft=draft
            )
        return Answer(
            question=question,
            status="partial" if publication.withheld else "answered",
            text=publication.text,
            claims=publication.claims,
            withheld=publication.withheld,
            refusal=None,
            writer=draft.writer,
            ms=watch.laps(),
            usage=draft.usage,
            notes=draft.notes,
        )

    def _elsewhere(self, scope: Scope) -> Elsewhere:
        """The nearest passages of the scope to a statement, for one whose citation fails."""

        async def look(statement: str) -> Mapping[int, Evidence]:
            found = await self._retrieval.find(statement, scope=scope, k=REPAIR_PASSAGES)
            return await evidence_of(self._catalog, found.passages)

        return look

    def _writer(self, name: WriterName) -> Writer:
        if name not in self._writers:
            raise ModelUnavailable(f"The writer {name!r} is not set up: `pincite doctor` says what it needs.")
        return self._writers[name]

    async def _refused(  # noqa: PLR0913, PLR0917 - one call, in four places
        self,
        question: str,
        reason: str,
        passages: Sequence[Passage],
        scope: Scope,
        writer: str,
        watch: _Stopwatch,
        withheld: Sequence[CheckedClaim] = (),
        draft: Draft | None = None,
    ) -> Answer:
        unread = [_unread(document) for document in await self._catalog.documents(scope) if document.unreadable_pages]
        refusal = Refusal(" ".join([reason, *unread]), tuple(passages[:NEAREST]))
        usage, notes = (draft.usage, draft.notes) if draft else (Usage(), ())
        return Answer(question, "refused", "", (), tuple(withheld), refusal, writer, watch.laps(), usage, notes)


async def evidence_of(catalog: Catalog, passages: Sequence[Passage]) -> dict[int, Evidence]:
    """By label, what each passage's page really says."""
    places = {passage.label: (passage.chunk.document_id, passage.chunk.page) for passage in passages}
    pages = await catalog.pages_at(set(places.values()))
    evidence: dict[int, Evidence] = {}
    for passage in passages:
        page = pages.get(places[passage.label])
        if page is not None:
            chunk = passage.chunk
            evidence[passage.label] = Evidence(chunk.document_id, passage.title, page, chunk.span)
    return evidence


def _off_subject(judged: Relevance, passages: Sequence[Passage]) -> str:
    if not passages:
        return "No passage of the documents shares a word or a meaning with this question."
    if judged.missing:
        words = ", ".join(repr(word[:NAMED]) for word in judged.missing[:NAMED_WORDS])
        return f"The documents do not seem to speak of this: the nearest passages say nothing of {words}."
    return "The documents do not seem to answer this: the nearest passages are about something else."


def _unread(document: Document) -> str:
    pages = ", ".join(map(str, document.unreadable_pages))
    return f"Of {document.title!r}, these pages could not be read, and may hold it: {pages}."


class _Stopwatch:
    """Milliseconds by stage, and in total."""

    def __init__(self) -> None:
        self._start = self._last = time.perf_counter()
        self._laps: dict[str, float] = {}

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self._laps[stage] = (now - self._last) * 1000
        self._last = now

    def laps(self) -> dict[str, float]:
        return {**self._laps, "total": (time.perf_counter() - self._start) * 1000}
