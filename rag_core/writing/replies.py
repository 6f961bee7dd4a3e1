"""What a language model's server sent back, to a draft or to an error. Pure.

Whatever a reply says is checked claim by claim afterwards; here it is only told apart from no reply at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag_core.checking.claims import claims, dangles
from rag_core.errors import (
    MalformedReply,
    ModelError,
    ModelUnavailable,
    Overloaded,
    QuotaExhausted,
    RateLimited,
    TooLong,
)
from rag_core.types import Passage, Span, meters
from rag_core.writing.prompts import SENTINEL

ATTEMPTS = 5
FIRST_WAIT = 1.0
LONGEST_WAIT = 8.0
JITTER = 0.25
"""Seconds between attempts double from the first to the longest (1, 2, 4, 8), each with up to a quarter more, so that
those who failed together do not come back together: 15 to 19 s in all."""

SHOWN = 300
"""Characters of a provider's words that an error repeats."""

UNANSWERED = "the language model found no answer in the nearest passages"

_THOUGHTS = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_DECORATION = "`*_\"'“”[]().:!- \n\t"
_NUMBERING = re.compile(r"(?:\(?\d{1,3}[.)]\s*)+")
_OF_ITSELF = re.compile(
    r"(?:the|this) (?:answer|question|reply|response) (?:is|was|does|has|can)(?: ?not|n.t)\b.*", re.IGNORECASE
)
_BROKE = re.compile(r"\binsufficient_quota\b", re.IGNORECASE)
_TOO_LONG = re.compile(r"context[_ ](?:length|size|window)|too (?:large|long) for", re.IGNORECASE)
_WHOSE = re.compile(r"\s*\bin organization\s+\S+|\s*\bservice tier\s+\S+", re.IGNORECASE)
"""Whose key it is, which is nothing to those who ask."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a completion: of one that is streamed, or all of it."""

    text: str = ""
    finish: str | None = None
    """Why the model stopped; None while it goes on."""
    input_tokens: int | None = None
    output_tokens: int | None = None


def prose(reply: str) -> str | None:
    """What the reply says, its thoughts left out; None when it begins with the sentinel, which is no answer.

    It may be the beginning of a reply: what could still become the sentinel is held back.

    >>> prose("Leave is 25 days [1]."), prose("NOT_IN"), prose("**NOT_IN_PASSAGES**. The passages are about tides.")
    ('Leave is 25 days [1].', '', None)
    """
    text = _THOUGHTS.sub("", reply).strip()
    bare = text.lstrip(_DECORATION)
    if bare.startswith(SENTINEL):
        return None
    if SENTINEL.startswith(bare):
        return ""
    return text.replace(SENTINEL, "").strip()


def has_words(text: str) -> bool:
    """Whether there is more in it than marks."""
    return bool(text.strip(_DECORATION))


def headings(passages: Sequence[Passage]) -> frozenset[str]:
    """What stands above the passages, as `without_idle` compares it."""
    return frozenset(_bare(line) for p in passages for line in (p.title, *p.chunk.context.splitlines()))


def without_idle(text: str, heads: frozenset[str]) -> str:
    """The reply without what says nothing: repeats, headings of the passages, a list's numbers, "the answer is not".

    A statement about "it" whose draft does not say what that is says nothing either: beside another question, or
    another statement, it would say something else.
    """
    said = set(heads)
    idle: list[Span] = []
    for claim in claims(text):
        if (
            dangles(claim)
            or _bare(claim.text) in said
            or _NUMBERING.fullmatch(claim.text)
            or _OF_ITSELF.fullmatch(claim.text)
        ):
            idle.append(claim.span)
        said.add(_bare(claim.text))
    for span in reversed(idle):
        text = text[: span.start] + text[span.end :]
    return text


def _bare(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".:!")


def whole(text: str, finish: str | None) -> str:
    """The reply up to its last whole sentence, when the model was stopped within one by its limit.

    >>> whole("Leave is 25 days [1]. Staff who have", "length"), whole("Leave is 25 days", "stop")
    ('Leave is 25 days [1].', 'Leave is 25 days')
    """
    if finish != "length":
        return text
    ends = [m.end() for m in re.finditer(r"[.!?](?:\s*\[[\d, ]+\])*(?=\s|$)|\n", text)]
    return text[: ends[-1]].rstrip() if ends else ""


def completion(body: str, *, server: str) -> Piece:
    """A chat completion that came in one piece.

    Raises:
        MalformedReply: The body is no chat completion.
    """
    try:
        said = json.loads(body)
        choice = said["choices"][0]
        content = choice["message"]["content"]
    except (ValueError, LookupError, TypeError) as exc:
        raise MalformedReply(f"{server} replied with something that is no chat completion.") from exc
    if not isinstance(content, str | None):
        raise MalformedReply(f"{server} replied with a completion whose content is no text.")
    return Piece(content or "", _text_or_none(choice.get("finish_reason")), *_usage(said))


def piece(line: str, *, server: str) -> Piece | None:
    """A line of a streamed completion; None for lines that carry nothing.

    >>> piece('data: {"choices": [{"delta": {"content": "Leave"}}]}', server="It").text
    'Leave'
    >>> piece(": keep-alive", server="It")

    Raises:
        MalformedReply: The line is no part of a chat completion.
        ModelError: The server says that it failed.
    """
    if not line.startswith("data:"):
        return None
    data = line.removeprefix("data:").strip()
    if data == "[DONE]":
        return Piece(finish="stop")
    try:
        said = json.loads(data)
        if said.get("error"):
            raise failure(server, _status(said["error"]), data)
        choice = said["choices"][0] if said.get("choices") else {}
        content = (choice.get("delta") or {}).get("content")
    except (ValueError, LookupError, TypeError, AttributeError) as exc:
        raise MalformedReply(f"{server} replied with something that is no chat completion.") from exc
    if not isinstance(content, str | None):
        raise MalformedReply(f"{server} replied with a completion whose content is no text.")
    return Piece(content or "", _text_or_none(choice.get("finish_reason")), *_usage(said))


def failure(server: str, status: int, body: str, *, headers: Mapping[str, str] | None = None) -> ModelError:  # noqa: PLR0911 - one a kind
    """An HTTP status that is no success, as the error it means, with the provider's own words."""
    words = _words(body)
    reading = meters.of_words(body)
    match status:
        case 429:
            told = meters.seconds((headers or {}).get("retry-after", ""))
            again = told if told is not None else reading.resets_in if reading else None
            if _BROKE.search(body) or (reading is not None and reading.meter.daily):
                return QuotaExhausted(f"{server}'s allowance is used up: {words}", retry_after=again, reading=reading)
            return RateLimited(f"{server} is asked too often: {words}", retry_after=again, reading=reading)
        case 401:
            # Without its words, which may repeat the key.
            return ModelUnavailable(f"{server} refused the API key: check it in the settings.")
        case 413:
            return TooLong(f"{server} takes no request as long as this one: {words}", reading=reading)
        case 400 if _TOO_LONG.search(body):
            return TooLong(f"{server} takes no request as long as this one: {words}", reading=reading)
        case 408 | 409:
            return Overloaded(f"{server} gave up on the request ({status}): {words}")
        case _ if status >= 500:  # noqa: PLR2004 - where HTTP's server errors begin
            return Overloaded(f"{server} is in trouble ({status}): {words}")
        case _:
            return ModelUnavailable(f"{server} refused the request ({status}): {words}")


def passes(error: BaseException) -> bool:
    """Whether what failed may succeed later, or elsewhere.

    >>> passes(Overloaded("503")), passes(RateLimited("busy")), passes(ModelUnavailable("bad request"))
    (True, True, False)
    """
    return isinstance(error, RateLimited | QuotaExhausted | Overloaded)


def backoff(attempt: int, *, chance: float) -> float:
    """Seconds to wait after the attempt of this number, counted from 1; `chance` is from 0 to 1.

    >>> [backoff(n, chance=0) for n in (1, 2, 3, 4, 5)]
    [1.0, 2.0, 4.0, 8.0, 8.0]
    """
    wait: float = min(FIRST_WAIT * 2 ** (attempt - 1), LONGEST_WAIT)
    return wait * (1 + JITTER * chance)


def _words(body: str) -> str:
    """The message inside the usual shapes of an error, else the body itself, on one line."""
    try:
        said = json.loads(body)
    except ValueError:
        said = body
    while isinstance(said, dict):
        said = next((said[key] for key in ("error", "message", "detail") if said.get(key)), str(said))
    line = _WHOSE.sub("", " ".join(str(said).split())) or "it did not say why"
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}…"


def _usage(said: dict[str, Any]) -> tuple[int | None, int | None]:
    """Tokens read and written, where the server says so: Groq puts a stream's into a field of its own."""
    own = said.get("x_groq")
    usage = said.get("usage") or (own.get("usage") if isinstance(own, dict) else None)
    if not isinstance(usage, dict):
        return None, None
    read, written = usage.get("prompt_tokens"), usage.get("completion_tokens")
    return (read if isinstance(read, int) else None), (written if isinstance(written, int) else None)


def _status(error: object) -> int:
    """The status of an error within a stream; one that has none is the server's trouble."""
    found = error.get("status_code") or error.get("code") if isinstance(error, dict) else None
    return found if isinstance(found, int) and found >= 400 else 500  # noqa: PLR2004 - where HTTP's errors begin


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) else None
