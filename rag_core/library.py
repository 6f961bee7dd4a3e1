"""The one object that the doors hold: every verb of Pincite, each bounded by a scope.

A table of contents: each method hands on to the module that knows.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from pathlib import Path

from rag_core.answering.answering import Answering
from rag_core.answering.referee import Referee
from rag_core.answering.suggestions import suggestions
from rag_core.checking.quoting import find_quote
from rag_core.checking.verification import Verifier
from rag_core.errors import PageNotFound, QuoteNotFound
from rag_core.finding.retrieval import Retrieval
from rag_core.keeping.access import Access
from rag_core.keeping.backup import Backup
from rag_core.keeping.delivery import Delivery
from rag_core.keeping.drainer import Drainer
from rag_core.keeping.ingestion import SILENT, Ingestion, Progress, Source
from rag_core.keeping.intake import Intake
from rag_core.keeping.naming import named
from rag_core.keeping.removal import Removal
from rag_core.keeping.upkeep import Difference, Upkeep
from rag_core.protocols import Blobs, Catalog, Extractor, Ledger
from rag_core.types import (
    Answer,
    AnswerEvent,
    CheckedClaim,
    CollectionName,
    Counts,
    Document,
    DocumentId,
    Exchange,
    Found,
    Ingested,
    Judgement,
    OcrMode,
    Page,
    Policy,
    Receipt,
    Rect,
    Scope,
    SearchMode,
    WriterName,
)
from rag_core.types.jobs import LOCAL, Job, JobId, Principal
from rag_core.types.quotas import Quota


class Library:
    """Documents in, verified answers out. Safe to call from many tasks of one event loop.

    Raises:
        StoreUnavailable: The data folder cannot be used (any method).
    """

    def __init__(  # noqa: PLR0913 - it is the table of contents
        self,
        *,
        catalog: Catalog,
        blobs: Blobs,
        extractor: Extractor,
        ingestion: Ingestion,
        upkeep: Upkeep,
        removal: Removal,
        ledger: Ledger,
        backup: Backup,
        intake: Intake,
        drainer: Drainer,
        delivery: Delivery,
        retrieval: Retrieval,
        answering: Answering,
        verifier: Verifier,
        referee: Referee,
        access: Access,
        policy: Policy = "strict",
        writer: WriterName = "auto",
        ocr: OcrMode = "auto",
    ) -> None:
        self._catalog = catalog
        self._blobs = blobs
        self._extractor = extractor
        self._ingestion = ingestion
        self._upkeep = upkeep
        self._removal = removal
        self._ledger = ledger
        self._backup = backup
        self._intake = intake
        self._drainer = drainer
        self._delivery = delivery
        self._retrieval = retrieval
        self._answering = answering
        self._verifier = verifier
        self._referee = referee
        self.access = access
        """Who is let in from afar: tokens."""
        self._policy: Policy = policy
        self._writer: WriterName = writer
        self._ocr: OcrMode = ocr

    async def warm_up(self) -> None:
        """Load what the first question would wait for.

        Raises:
            ModelUnavailable: The embedding model cannot be loaded.
        """
        await self._retrieval.warm_up()

    # ------------------------------------------------------------------------------ documents

    async def add(  # noqa: PLR0913 - each is one thing a caller may want
        self,
        sources: Sequence[Source],
        *,
        collection: CollectionName,
        report: Callable[[Ingested], None],
        principal: Principal = LOCAL,
        ocr: OcrMode | None = None,
        password: str | None = None,
        progress: Progress = SILENT,
    ) -> None:
        """Ingest files, wait for them, and `report` each in order. One that fails harms no other.

        Whoever is called off takes those back that are not done.

        Raises:
            StoreBusy: Another process has the queue in hand, or writes, and nothing moved for long.
        """
        await self._delivery.deliver(
            sources,
            collection=collection,
            principal=principal,
            report=report,
            ocr=ocr or self._ocr,
            password=password,
            progress=progress,
        )

    async def submit(
        self,
        sources: Sequence[Source],
        *,
        collection: CollectionName,
        principal: Principal = LOCAL,
        ocr: OcrMode | None = None,
        password: str | None = None,
    ) -> list[Job]:
        """A job for each file, in order, at once; the files are no longer needed. Somebody has to `drain` the queue.

        A file that cannot be taken is a job that has failed. A password is used here and kept nowhere.

        Raises:
            RateLimited: The principal sent too many within the hour, and none is taken; it says when it may.
            QuotaExhausted: Its documents take up all the room that it has.
        """
        return await self._intake.submit(
            sources, collection=collection, principal=principal, ocr=ocr or self._ocr, password=password
        )

    def refuse_too_large(self, filename: str, size: int) -> None:
        """Let a file of so many bytes pass: a door asks before it fetches one from afar.

        Raises:
            TooLarge: None of that size is read.
        """
        self._ingestion.refuse_too_large(filename, size)

    async def job(self, job_id: JobId, *, scope: Scope) -> Job:
        """The job as it is now.

        Raises:
            JobNotFound: The scope does not hold it; or its document was removed since; or it ended long ago.
        """
        return await self._intake.job(job_id, scope=scope)

    async def jobs(self, scope: Scope) -> list[Job]:
        """The jobs of the scope, oldest first; those that ended, too, for some days."""
        return await self._intake.jobs(scope)

    async def cancel(self, job_id: JobId, *, scope: Scope) -> Job:
        """End a job that waits, and ask for the end of one that is under way. One that has ended stays as it is.

        Raises:
            JobNotFound: As `job`.
        """
        return await self._intake.cancel(job_id, scope=scope)

    def follow(self, job_id: JobId, *, scope: Scope) -> AsyncIterator[Job]:
        """The job, again each time that it has come further, until it has ended.

        Raises:
            JobNotFound: As `job`.
        """
        return self._intake.follow(job_id, scope=scope)

    async def drain(self) -> None:
        """Ingest what anybody submits, for as long as this is not cancelled; of all processes, one at a time does."""
        await self._drainer.drain()

    async def documents(self, scope: Scope) -> list[Document]:
        """What the scope holds, oldest first."""
        return await self._catalog.documents(scope)

    async def document(self, name: str, *, scope: Scope) -> Document:
        """The one document of the scope that `name` means: its id, at least six characters of it, its file or title.

        Raises:
            DocumentNotFound: There is none, or more than one.
        """
        return named(name, await self._catalog.documents(scope))

    async def counts(self) -> Counts:
        """How much the catalog and both indexes hold, over all collections: they agree, or the library is broken."""
        return await self._upkeep.counts()

    async def differences(self) -> list[Difference]:
        """Where an index holds another number of chunks than the catalog says; nothing is changed."""
        return await self._upkeep.differences()

    async def mend(self) -> list[Difference]:
        """Undo what dead processes left half done, and mend and tell where an index differs from the catalog.

        Vectors that are missing are made when the queue is drained.
        """
        return await self._upkeep.recover()

    async def tidy(self) -> None:
        """Compact the stores, and rid them of old versions. Whoever drains the queue does it every hour."""
        await self._upkeep.tidy()

    async def remove(self, document_id: DocumentId, *, scope: Scope) -> Receipt:
        """Take a document out of the scope's collections; when no other holds it, delete it for real.

        Raises:
            DocumentNotFound: The scope does not hold it.
            StoreBusy: Another process writes. It is out of sight, and the next that writes deletes it.
        """
        document = await self.document(document_id, scope=scope)
        return await self._removal.documents(Scope(scope.collections, frozenset([document.id])))

    async def remove_all(self, *, scope: Scope) -> Receipt:
        """Take out all that the scope holds, as `remove` does: a whole collection, for instance.

        Raises:
            DocumentNotFound: The scope holds nothing.
            StoreBusy: As `remove`.
        """
        return await self._removal.documents(scope)

    async def remove_uploads(self, principal: Principal) -> Receipt:
        """Take out all that a principal sent, wherever that is, as `remove` does; forget the principal's jobs.

        What others sent to the same collection, too, stays there for them.

        Raises:
            StoreBusy: As `remove`.
        """
        return await self._removal.uploads(principal)

    async def retentions(self) -> dict[CollectionName, float]:
        """For how many days each collection keeps its documents, of those that do not for ever; by name."""
        return await self._catalog.retentions()

    async def set_retention(self, collection: CollectionName, days: float | None) -> None:
        """Keep a collection's documents for so long, None being for ever; whoever drains the queue looks every hour."""
        await self._catalog.set_retention(collection, days)

    async def share(self, document_id: DocumentId, *, scope: Scope, collection: CollectionName) -> Document:
        """Let another collection see a document of the scope, too; it goes with its senders' uploads there, too.

        Raises:
            DocumentNotFound: The scope does not hold it.
        """
        document = await self.document(document_id, scope=scope)
        await self._ingestion.share(document.id, collection, scope=scope)
        return document

    async def quota(self, principal: Principal) -> Quota:
        """What a principal may do: its own quota, else `EVERYBODY`'s."""
        return await self._ledger.quota(principal)

    async def quotas(self) -> dict[Principal, Quota]:
        """The quotas that were set, by principal, `EVERYBODY`'s first."""
        return await self._ledger.quotas()

    async def set_quota(self, principal: Principal, quota: Quota | None) -> None:
        """Allow a principal, or `EVERYBODY`, so much; None takes its own quota away."""
        await self._ledger.set_quota(principal, quota)

    async def charge_question(self, principal: Principal) -> None:
        """Count a question of this principal: a door calls it before it asks, searches or verifies for somebody.

        Raises:
            RateLimited: There were too many within the hour; it says when the next is welcome.
        """
        await self._ledger.charge(principal, "question", 1)

    async def export(self, path: Path) -> int:
        """The library of one instant into a new file, while others go on; the number of its documents.

        Raises:
            NotAllowed: There is such a file already.
            StoreUnavailable: It cannot be written.
        """
        return await self._backup.export(path)

    async def rebuild(self, *, progress: Progress = SILENT) -> int:
        """Make both indexes anew while others go on asking; the number of chunks they then hold."""
        return await self._upkeep.rebuild(progress=progress)

    # ------------------------------------------------------------------------------ questions

    async def search(self, question: str, *, scope: Scope, k: int = 5, mode: SearchMode = "hybrid") -> Found:
        """The `k` best passages of the scope, best first, each with its place on its page."""
        return await self._retrieval.locate(await self._retrieval.find(question, scope=scope, k=k, mode=mode))

    async def ask(  # noqa: PLR0913 - each is one thing a caller may want
        self,
        question: str,
        *,
        scope: Scope,
        writer: WriterName | None = None,
        policy: Policy | None = None,
        history: Sequence[Exchange] = (),
        fresh: bool = False,
    ) -> Answer:
        """A verified answer, or a refusal that says why; to what the question means after the turns of `history`.

        A `fresh` one is made anew, as a measurement must be; others may be what was answered before.
        """
        return await self._answering.ask(
            question,
            scope=scope,
            writer=writer or self._writer,
            policy=policy or self._policy,
            history=history,
            fresh=fresh,
        )

    async def ask_stream(
        self,
        question: str,
        *,
        scope: Scope,
        writer: WriterName | None = None,
        policy: Policy | None = None,
        history: Sequence[Exchange] = (),
    ) -> AsyncGenerator[AnswerEvent]:
        """What `ask` answers, with each statement told while the answer is written: `Checking`, then `Checked`.

        The `Answer` comes last, and is the only thing that is published: until then a statement is a draft, even one
        with a verdict. After `Restarted`, what came before is void. Close the generator to stop the writer.
        """
        events: asyncio.Queue[AnswerEvent | None] = asyncio.Queue()

        async def answered() -> Answer:
            try:
                return await self._answering.ask(
                    question,
                    scope=scope,
                    writer=writer or self._writer,
                    policy=policy or self._policy,
                    history=history,
                    tell=events.put_nowait,
                )
            finally:
                events.put_nowait(None)

        asking = asyncio.ensure_future(answered())
        try:
            while (event := await events.get()) is not None:
                yield event
            yield await asking
        finally:
            asking.cancel()
            await asyncio.wait([asking])

    async def suggest(self, document_id: DocumentId, *, scope: Scope, most: int = 3) -> list[str]:
        """Questions that the document answers, in its order: each was asked, and its answer verified.

        Raises:
            DocumentNotFound: The scope does not hold it.
        """
        document = await self.document(document_id, scope=scope)
        alone = Scope(scope.collections, frozenset({document.id}))
        answered: list[str] = []
        for question in suggestions(await self._catalog.pages(document.id)):
            if len(answered) == most:
                break
            answer = await self._answering.ask(question, scope=alone, writer="quote", policy="strict")
            if answer.status == "answered":
                answered.append(question)
        return answered

    # ------------------------------------------------------------------------------ verification

    async def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """A judgement for each (claim, evidence) pair of texts, in order."""
        return await self._verifier.judge(pairs)

    async def verify(self, text: str, *, scope: Scope) -> list[CheckedClaim]:
        """Every claim of any text, checked against the documents of the scope, with the citations that were found.

        Markers in the text are not ours, so they count for nothing: each claim is looked up anew.
        """
        return await self._referee.verify(text, scope=scope)

    # ------------------------------------------------------------------------------ proof

    async def page(self, document_id: DocumentId, number: int, *, scope: Scope) -> Page:
        """One page as it was read: its text, its blocks, and whether it could be read at all.

        Raises:
            DocumentNotFound: The scope does not hold it.
            PageNotFound: It has no such page.
        """
        _, page = await self._page(document_id, number, scope)
        return page

    async def show(  # noqa: PLR0913 - each is one thing a caller may want
        self,
        document_id: DocumentId,
        page: int,
        *,
        scope: Scope,
        quote: str | None = None,
        rects: Sequence[Rect] = (),
        crop: bool = False,
    ) -> bytes:
        """The page as PNG, with the quote or the rectangles highlighted; `crop` leaves only the lines around those.

        Raises:
            DocumentNotFound: The scope does not hold it.
            PageNotFound: It has no such page.
            QuoteNotFound: The page does not say that.
        """
        document, read = await self._page(document_id, page, scope)
        if quote is not None:
            span = find_quote(quote, read.text)
            if span is None:
                raise QuoteNotFound(f"Page {page} of {document.title!r} does not say {quote!r}.")
            rects = read.glyphs.rects(span)
        return await self._extractor.render(self._blobs.path(document.id), page, highlights=rects, crop=crop)

    async def _page(self, document_id: DocumentId, number: int, scope: Scope) -> tuple[Document, Page]:
        document = await self.document(document_id, scope=scope)
        page = await self._catalog.page(document.id, number)
        if page is None:
            raise PageNotFound(f"{document.title!r} has pages 1 to {document.pages}, and no page {number}.")
        return document, page
