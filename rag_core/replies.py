"""What a language model's server sent back, to a draft or to an error. Pure.

Whatever a reply says is checked claim by claim afterwards; here it is only told apart from no reply at all.
"""

from __future__ import annotations

import json
import re

from rag_core.errors import MalformedReply, ModelError, ModelUnavailable, Overloaded, QuotaExhausted, RateLimited
from rag_core.prompts import SENTINEL
from rag_core.types import Draft

ATTEMPTS = 4
FIRST_WAIT = 1.0
LONGEST_WAIT = 8.0
JITTER = 1.0
"""Seconds between attempts double from the first to the longest, each with up to `JITTER` more: 7 to 10 s in all,
about as long as a person waits for an answer without asking again."""

PATIENCE = 20.0
"""Seconds of `retry-after` that are waited for; when a provider asks for more, the asker is told at once."""

SHOWN = 300
"""Characters of a provider's words that an error repeats."""

_THOUGHTS = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_DECORATION = "`*_\"'“”[]().:!- \n\t"
_PER_DAY = re.compile(r"\bper day\b|\b[RT]PD\b|insufficient_quota", re.IGNORECASE)


def draft(reply: str, *, writer: str) -> Draft:
    """The reply as a draft; one that begins with the sentinel is no answer, whatever a model adds to it.

    >>> draft("Leave is 25 days [1].", writer="m").text
    'Leave is 25 days [1].'
    >>> draft("**NOT_IN_PASSAGES**. The passages are about tides.", writer="m").unanswered
    'the language model found no answer in the nearest passages'

    Raises:
        MalformedReply: There is no text in it.
    """
    text = _THOUGHTS.sub("", reply).strip()
    if text.lstrip(_DECORATION).startswith(SENTINEL):
        # The model's own reason would be an unchecked statement about the documents, so it is not repeated.
        return Draft("", writer, unanswered="the language model found no answer in the nearest passages")
    text = text.replace(SENTINEL, "").strip()
    if not text.strip(_DECORATION):
        raise MalformedReply("The language model replied without any text; ask again, or use the quote writer.")
    return Draft(text, writer)


def content_of(body: str, *, server: str) -> str:
    """The text of the first choice of a chat completion; empty when the model said nothing.

    Raises:
        MalformedReply: The body is no chat completion.
    """
    try:
        content = json.loads(body)["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError) as exc:
        raise MalformedReply(f"{server} replied with something that is no chat completion.") from exc
    if not isinstance(content, str | None):
        raise MalformedReply(f"{server} replied with a completion whose content is no text.")
    return content or ""


def failure(server: str, status: int, body: str, *, retry_after: str | None = None) -> ModelError:
    """An HTTP status that is no success, as the error it means, with the provider's own words."""
    words = _words(body)
    match status:
        case 429:
            if _PER_DAY.search(body):
                return QuotaExhausted(f"{server}'s allowance is used up: {words}")
            return RateLimited(f"{server} is asked too often: {words}", retry_after=_seconds(retry_after))
        case 401:
            # Without its words, which may repeat the key.
            return ModelUnavailable(f"{server} refused the API key: check it in the settings.")
        case 408 | 409:
            return Overloaded(f"{server} gave up on the request ({status}): {words}")
        case _ if status >= 500:  # noqa: PLR2004 - where HTTP's server errors begin
            return Overloaded(f"{server} is in trouble ({status}): {words}")
        case _:
            return ModelUnavailable(f"{server} refused the request ({status}): {words}")


def again(error: Exception) -> bool | float:
    """Whether a failed attempt is worth another, and in how many seconds where the provider said so.

    >>> again(RateLimited("busy", retry_after=2.5)), again(RateLimited("busy", retry_after=600.0))
    (2.5, False)
    >>> again(Overloaded("503")), again(ModelUnavailable("bad request"))
    (True, False)
    """
    match error:
        case RateLimited(retry_after=float(seconds)):
            return seconds if seconds <= PATIENCE else False
        case RateLimited() | Overloaded():
            return True
        case _:
            return False


def _words(body: str) -> str:
    """The message inside the usual shapes of an error, else the body itself, on one line."""
    try:
        said = json.loads(body)
    except ValueError:
        said = body
    while isinstance(said, dict):
        said = next((said[key] for key in ("error", "message", "detail") if said.get(key)), str(said))
    line = " ".join(str(said).split()) or "it did not say why"
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}…"


def _seconds(retry_after: str | None) -> float | None:
    """Of a `retry-after` header in seconds; its other form, a date, is used by no provider of models."""
    try:
        seconds = float(retry_after or "")
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None
