"""What the bot says of itself: its settings, what it keeps, and how it is used. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from bot.inert import inert, short
from bot.settings import ServerSettings

HELP = """\
**Pincite answers questions about PDFs, and checks every statement before it publishes it.**
📎 **Attach a PDF** in a channel where I listen, or mention me with it: I open a thread, say what I could and could \
not read, and answer there. Every message in that thread is a question; more PDFs may join it.
💬 **`/ask`** asks this channel's documents, one of them, or just for you. **`/search`** finds passages.
🔎 Under an answer: **Proof** shows the page with its lines highlighted; **withheld** says what I did not publish and \
why; 👍 👎 tell me what you think; **Re-check** checks it against the documents as they are now.
⚖️ **`/verify`**, or *Apps → Check this against the documents* on a message: what somebody says, statement by statement.
📄 **`/documents`** lists, adds, explains, shares and removes. Who can read a channel can ask its documents, nobody \
else. Delete the message with a PDF, or its thread, and the document is deleted.
🔐 **`/privacy`** says what is kept of you, exports it and deletes it. ⚙️ **`/settings`** is for who manages the server.
-# What is marked as supported was found in the documents by a program. It can be wrong: look at the proof."""

KEPT = """\
**What is kept of you**, in the data folder of whoever runs this bot:
- the PDFs that you brought, with their text and index, until you, a moderator or the server's retention deletes them;
- your questions and their answers, so that follow-ups are understood and buttons work;
- your 👍, 👎 and reasons.
Nothing is sent elsewhere, unless whoever runs this bot has set up a language model: then your question and the \
passages found for it go to that server. A password for a PDF is used once and not kept.
`/privacy export` gives you all of it, `/privacy delete` deletes all of it."""


def settings(value: ServerSettings) -> str:
    """A server's choices, a line each."""
    return "\n".join(
        [
            f"👂 A PDF alone is read {_where(value)}; elsewhere mention me.",
            f"📤 Documents are added by {_who(value)}.",
            f"🗓️ Documents and questions are kept {_how_long(value)}.",
            f"⚖️ Published of an answer: {_policy(value)}.",
        ]
    )


def about_you(uploads: int, questions: int, votes: int) -> str:
    """How much is kept of somebody."""
    return f"{KEPT}\n-# of you just now: {uploads} PDFs, {questions} questions, {votes} opinions"


def forgotten(titles: Sequence[str]) -> str:
    """What `/privacy delete` did."""
    names = ", ".join(inert(short(title, 80)) for title in titles) or "none"
    return f"🗑️ All that was kept of you is deleted. Documents that went with it: {short(names, 1500)}."


def _where(value: ServerSettings) -> str:
    match value.listening:
        case "everywhere":
            return "in every channel where I may open threads"
        case "chosen":
            return f"in {', '.join(f'<#{channel}>' for channel in sorted(value.channels)) or 'no channel yet'}"
        case "mention":
            return "nowhere"
        case _:
            assert_never(value.listening)


def _who(value: ServerSettings) -> str:
    match value.uploaders:
        case "everyone":
            return "everyone"
        case "moderators":
            return "moderators"
        case "role":
            return f"<@&{value.uploader_role}> and moderators"
        case _:
            assert_never(value.uploaders)


def _how_long(value: ServerSettings) -> str:
    return f"for {value.retention_days} days" if value.retention_days else "until somebody deletes them"


def _policy(value: ServerSettings) -> str:
    match value.policy:
        case None:
            return "what the bot was started with"
        case "strict":
            return "only what the documents support"
        case "flag":
            return "all of it, what is not supported marked"
        case "quote":
            return "literal quotations alone"
        case _:
            assert_never(value.policy)
