"""Documents to the text of Discord messages: cards, lists, and what became of a file. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from bot.inert import NO_WIDTH, inert, short
from bot.limits import THREAD_NAME
from bot.phrases import say
from bot.splitting import split
from rag_core.types import Document

MOST_WARNINGS = 4
"""On a card; the rest are counted, and `/documents info` has them all."""


def coming(filename: str) -> str:
    """A file that was seen."""
    return say().file_coming.format(file=inert(filename))


def progress(filename: str, stage: str, done: int, total: int) -> str:
    """How far a file has come.

    >>> progress("a.pdf", "reading", 3, 10)
    '⏳ **a.pdf**: reading, page 3 of 10'
    """
    phrases, file = say(), inert(filename)
    match stage:
        case "queued":
            return phrases.file_queued.format(file=file)
        case "reading" if total:
            return phrases.file_reading_page.format(file=file, page=done, pages=total)
        case "embedding" if total:
            return phrases.file_embedding.format(file=file, percent=100 * done // total)
        case "reading":
            return phrases.file_reading.format(file=file)
        case _:
            return phrases.file_indexing.format(file=file)


def card(document: Document, *, known: bool, uploads: int = 1) -> str:
    """What was read of a document, and what could not be."""
    phrases = say()
    head = phrases.card_known if known else phrases.card_read
    title = inert(short(document.title, 150))
    lines = [head.format(title=title, pages=f"{pages(document.pages)}{_unread(document)}")]
    lines += [f"-# ⚠️ {inert(short(warning, 200))}" for warning in document.warnings[:MOST_WARNINGS]]
    if len(document.warnings) > MOST_WARNINGS:
        lines.append(phrases.card_more.format(count=len(document.warnings) - MOST_WARNINGS))
    lines.append(phrases.ask_it if uploads == 1 else phrases.ask_them)
    return "\n".join(lines)


def failed(filename: str, why: str) -> str:
    """Why a file is not here, and what to do."""
    return f"⚠️ **{inert(filename)}**: {inert(why)}"


def documents(values: Sequence[Document], shared: frozenset[str] = frozenset()) -> list[str]:
    """A line a document; those of `shared` are the whole server's."""
    if not values:
        return [say().no_documents]
    return split(
        f"- **{inert(short(value.title, 150))}**, {pages(value.pages)}{_unread(value)}"
        f"{say().shared_mark if value.id in shared else ''}"
        for value in values
    )


def info(document: Document, brought_by: Sequence[int]) -> list[str]:
    """All that is known of a document."""
    lines = [
        f"📄 **{inert(document.title)}**",
        say().added.format(
            pages=f"{pages(document.pages)}{_unread(document)}", when=f"<t:{int(document.added_at.timestamp())}:D>"
        ),
        say().file_and_id.format(file=inert(document.filename), id=document.id[:12]),
    ]
    if brought_by:
        lines.append(say().brought_by.format(people=", ".join(f"<@{person}>" for person in brought_by)))
    lines += [f"-# ⚠️ {inert(short(warning))}" for warning in document.warnings]
    return split(lines)


def removed(titles: Sequence[str], *, still_there: bool = False) -> str:
    """What is gone."""
    names = ", ".join(f"**{inert(short(title, 100))}**" for title in titles)
    if still_there:
        return say().copy_removed.format(names=names)
    return (say().one_removed if len(titles) == 1 else say().some_removed).format(names=names)


def shared(title: str, *, shared: bool) -> str:
    """Who may ask a document from now on."""
    name = f"**{inert(short(title, 100))}**"
    return (say().shared_now if shared else say().shared_no_more).format(name=name)


def thread_name(names: Sequence[str]) -> str:
    """The name of the document, or of the first and how many more.

    Discord repeats it in the channel, where it must call nobody.

    >>> thread_name(["a", "b"])
    'a and 1 more'
    """
    title = " ".join(names[0].replace("@", f"@{NO_WIDTH}").split()) or "PDF"
    more = say().and_more.format(count=len(names) - 1) if len(names) > 1 else ""
    room = THREAD_NAME - len(more)
    return (title if len(title) <= room else f"{title[: room - 1]}…") + more


def pages(count: int) -> str:
    """So many pages."""
    return say().one_page if count == 1 else say().some_pages.format(count=count)


def _unread(value: Document) -> str:
    if not value.unreadable_pages:
        return ""
    return say().unread.format(pages=", ".join(map(str, value.unreadable_pages)))
