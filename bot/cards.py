"""Documents to the text of Discord messages: cards, lists, and what became of a file. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from bot.inert import NO_WIDTH, inert, short
from bot.limits import THREAD_NAME
from bot.splitting import split
from rag_core.types import Document

MOST_WARNINGS = 4
"""On a card; the rest are counted, and `/documents info` has them all."""


def coming(filename: str) -> str:
    """A file that was seen."""
    return f"⏳ **{inert(filename)}**: fetching it…"


def progress(filename: str, stage: str, done: int, total: int) -> str:
    """How far a file has come.

    >>> progress("a.pdf", "reading", 3, 10)
    '⏳ **a.pdf**: reading, page 3 of 10'
    """
    head = f"⏳ **{inert(filename)}**"
    match stage:
        case "queued":
            return f"{head}: waiting for its turn"
        case "reading" if total:
            return f"{head}: reading, page {done} of {total}"
        case "embedding" if total:
            return f"{head}: taking it in, {100 * done // total} %; it can be asked already"
        case "reading":
            return f"{head}: reading"
        case _:
            return f"{head}: taking it in"


def card(document: Document, *, known: bool, uploads: int = 1) -> str:
    """What was read of a document, and what could not be."""
    verb = "was here already" if known else "is read"
    lines = [f"📄 **{inert(short(document.title, 150))}** {verb}: {pages(document.pages)}{_unread(document)}."]
    lines += [f"-# ⚠️ {inert(short(warning, 200))}" for warning in document.warnings[:MOST_WARNINGS]]
    if len(document.warnings) > MOST_WARNINGS:
        lines.append(f"-# …and {len(document.warnings) - MOST_WARNINGS} more: /documents info")
    lines.append("Ask about it here." if uploads == 1 else "Ask about them here.")
    return "\n".join(lines)


def failed(filename: str, why: str) -> str:
    """Why a file is not here, and what to do."""
    return f"⚠️ **{inert(filename)}**: {inert(why)}"


def documents(values: Sequence[Document], shared: frozenset[str] = frozenset()) -> list[str]:
    """A line a document; those of `shared` are the whole server's."""
    if not values:
        return ["There are no documents in this channel yet: attach a PDF."]
    return split(
        f"- **{inert(short(value.title, 150))}**, {pages(value.pages)}{_unread(value)}"
        f"{', shared with the whole server' if value.id in shared else ''}"
        for value in values
    )


def info(document: Document, brought_by: Sequence[int]) -> list[str]:
    """All that is known of a document."""
    lines = [
        f"📄 **{inert(document.title)}**",
        f"{pages(document.pages)}{_unread(document)}; added <t:{int(document.added_at.timestamp())}:D>",
        f"-# file {inert(document.filename)}, id {document.id[:12]}",
    ]
    if brought_by:
        lines.append(f"-# brought by {', '.join(f'<@{person}>' for person in brought_by)}")
    lines += [f"-# ⚠️ {inert(short(warning))}" for warning in document.warnings]
    return split(lines)


def removed(titles: Sequence[str], *, still_there: bool = False) -> str:
    """What is gone."""
    names = ", ".join(f"**{inert(short(title, 100))}**" for title in titles)
    if still_there:
        return f"Your copy of {names} is removed. Somebody else brought it, too, so it can still be asked here."
    return f"🗑️ {names} {'is' if len(titles) == 1 else 'are'} removed from here: file, text, index and pictures."


def shared(title: str, *, shared: bool) -> str:
    """Who may ask a document from now on."""
    name = f"**{inert(short(title, 100))}**"
    return f"🌐 {name} can be asked in all channels now." if shared else f"{name} is no longer shared among channels."


def thread_name(names: Sequence[str]) -> str:
    """The name of the document, or of the first and how many more.

    Discord repeats it in the channel, where it must call nobody.

    >>> thread_name(["a", "b"])
    'a and 1 more'
    """
    title = " ".join(names[0].replace("@", f"@{NO_WIDTH}").split()) or "PDF"
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    room = THREAD_NAME - len(more)
    return (title if len(title) <= room else f"{title[: room - 1]}…") + more


def pages(count: int) -> str:
    """So many pages."""
    return f"{count} page" if count == 1 else f"{count} pages"


def _unread(value: Document) -> str:
    if not value.unreadable_pages:
        return ""
    return f"; could not be read: {', '.join(map(str, value.unreadable_pages))}"
