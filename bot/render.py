"""Values to the text of Discord messages. Pure.

What comes from a document is made inert: it shows as it is written, formats nothing, links to nothing and calls nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from rag_core.types import Answer, CheckedClaim, Citation, Document, Passage, Verdict

LIMIT = 2000
"""Characters of a message, by Discord's rule."""
QUOTE = 300
"""Characters of a quote under an answer; the proof shows all of it."""
THREAD_NAME = 100
"""Characters of a thread's name, by Discord's rule."""

NO_WIDTH = "\u200b"
MARKS = {
    Verdict.SUPPORTED: "✅",
    Verdict.CONTRADICTED: "❌",
    Verdict.UNSUPPORTED: "⚠️",
    Verdict.UNCHECKABLE: "◻️",
}

_FORMATS = re.compile(r"[\\*_~|`\[\]<]|^\s*[>#-]", re.MULTILINE)


def inert(text: str) -> str:
    r"""Text that Discord shows letter by letter.

    >>> inert("**bold** [here](x) <@1>")
    '\\*\\*bold\\*\\* \\[here\\](x) \\<@\u200b1>'
    """
    escaped = _FORMATS.sub(lambda m: f"{m[0][:-1]}\\{m[0][-1]}", text)
    return escaped.replace("@", f"@{NO_WIDTH}").replace("://", f":{NO_WIDTH}//")


def answer(value: Answer) -> list[str]:
    """The answer with its citations below it, or the refusal with what is nearest, as one message or more."""
    return split(_answer(value))


def verification(values: Sequence[CheckedClaim]) -> list[str]:
    """Each statement with its verdict, and the quote it rests on or the checks it failed."""
    if not values:
        return ["There is no statement in this text to check."]
    return split(line for value in values for line in _checked(value))


def documents(values: Sequence[Document]) -> list[str]:
    """A line a document."""
    if not values:
        return ["There are no documents in this channel yet: attach a PDF."]
    return split(f"- **{inert(value.title)}**, {_pages(value.pages)}{_unread(value)}" for value in values)


def card(value: Document, *, known: bool) -> list[str]:
    """What was read of a document, and what could not be."""
    verb = "was here already" if known else "is read"
    lines = [f"📄 **{inert(value.title)}** {verb}: {_pages(value.pages)}{_unread(value)}."]
    lines += [f"-# {inert(_short(warning))}" for warning in value.warnings]
    return split([*lines, "Ask about it here."])


def removed(value: Document) -> str:
    """What this channel no longer holds."""
    return f"**{inert(value.title)}** is removed from this channel."


def thread_name(values: Sequence[Document]) -> str:
    """The title of the document, or of the first and how many more."""
    title = " ".join(values[0].title.split()) or values[0].filename
    more = f" and {len(values) - 1} more" if len(values) > 1 else ""
    room = THREAD_NAME - len(more)
    return (title if len(title) <= room else f"{title[: room - 1]}…") + more


def split(lines: Iterable[str], limit: int = LIMIT) -> list[str]:
    """The lines as messages of at most `limit` characters, cut between lines, else between words; none is empty.

    >>> split(["one two", "three"], limit=8)
    ['one two', 'three']
    """
    messages: list[str] = []
    for line in (piece for whole in lines for piece in _pieces(whole, limit)):
        if messages and len(messages[-1]) + 1 + len(line) <= limit:
            messages[-1] += f"\n{line}"
        elif line.strip():
            messages.append(line)
    return messages


def _pieces(line: str, limit: int) -> Iterator[str]:
    while len(line) > limit:
        # A cut behind a backslash would part it from the character that it makes inert.
        at = line.rfind(" ", 1, limit)
        at = at if at > 0 else limit - (line[limit - 1] == "\\")
        yield line[:at]
        line = line[at:].lstrip(" ")
    yield line


def _answer(value: Answer) -> Iterator[str]:
    if value.refusal is not None:
        yield f"🚫 {inert(value.refusal.reason)}"
        for passage in value.refusal.nearest:
            yield f"-# nearest: {_where(passage)}"
    else:
        yield from inert(value.text).splitlines()
        for citation in citations(value):
            yield f"-# {_citation(citation)}"
    if value.withheld:
        count = len(value.withheld)
        yield f"-# {count} {'statement was' if count == 1 else 'statements were'} withheld: not supported."


def citations(value: Answer) -> list[Citation]:
    """Each of an answer's citations once, by number."""
    found = {citation.marker: citation for claim in value.claims for citation in claim.citations}
    return [found[marker] for marker in sorted(found)]


def _checked(value: CheckedClaim) -> Iterator[str]:
    yield f"{MARKS[value.verdict]} **{value.verdict.value}**: {inert(value.claim.text)}"
    for citation in value.citations:
        yield f"-# {inert(citation.title)}, page {citation.page}: “{inert(_short(citation.quote))}”"
    for reason in value.reasons:
        if not reason.ok:
            yield f"-# {inert(reason.check)}: {inert(_short(reason.detail))}"


def _citation(value: Citation) -> str:
    return f"\\[{value.marker}\\] {inert(value.title)}, page {value.page}: “{inert(_short(value.quote))}”"


def _where(value: Passage) -> str:
    return f"{inert(value.title)}, page {value.chunk.page}: “{inert(_short(value.chunk.text))}”"


def _pages(count: int) -> str:
    return f"{count} page" if count == 1 else f"{count} pages"


def _unread(value: Document) -> str:
    if not value.unreadable_pages:
        return ""
    return f"; could not be read: {', '.join(map(str, value.unreadable_pages))}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= QUOTE else f"{line[: QUOTE - 1].rstrip()}…"
