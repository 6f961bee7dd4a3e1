"""A quotation to its exact place in a text, whatever its spaces, quotes, hyphens, ligatures and case. Pure.

It never tolerates another word or digit: what it finds is the same words in the same order.
"""

# ruff: noqa: RUF001 - look-alikes are its subject

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from rag_core.types import Span

SHORTEST = 2
"""Letters or digits that a quotation must have: less is found anywhere."""

_SAME = str.maketrans({
    "‘": "'", "’": "'", "‚": "'", "‛": "'", "′": "'", "`": "'", "“": '"', "”": '"', "„": '"', "‟": '"', "«": '"',
    "»": '"', "″": '"', "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-", "−": "-", "…": ".",
})  # fmt: skip
_INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")

_REFERENCE = re.compile(
    r"\[\d{1,3}(?:[ ]?[,;–-][ ]?\d{1,3})*\]"
    r"|(?:(?<=[.,;:!?)%\"'”’])|(?<=[^\W\d_]{3}))[⁰¹²³⁴-⁹]+(?:,[ ]?[⁰¹²³⁴-⁹]+)*"
)
"""A page's own references look like citation markers, which no claim keeps."""

_TURNS = re.compile(
    r"\b(?:not|never|no|nor|neither|without|if|unless|whether|except|only|false|untrue|den(?:y|ies|ied)|cannot|until|might|may"
    r"|alleged\w*|claim(?:s|ed)?|incorrect\w*|wrong\w*|fail(?:s|ed)?|refuse[sd]?|instead)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Words outside a quotation, in its own sentence, that may turn what it says round."""


@lru_cache(maxsize=256)
def _folded(text: str) -> tuple[str, tuple[int, ...]]:
    """The text as compared, and for each of its characters where it stood."""
    letters: list[str] = []
    places: list[int] = []
    for i, raw in enumerate(text):
        if raw in _INVISIBLE:
            continue
        for c in unicodedata.normalize("NFKC", raw).translate(_SAME).casefold():
            if c.isspace():
                if letters and letters[-1] != " ":
                    letters.append(" ")
                    places.append(i)
            else:
                if c in ".,;:!?" and letters and letters[-1] == " ":
                    letters.pop()
                    places.pop()
                letters.append(c)
                places.append(i)
    return "".join(letters), tuple(places)


def find_quote(quote: str, text: str) -> Span | None:
    """Where `text` says `quote` word for word, the first time; None when it does not, or the quote is next to nothing.

    A word that the page broke with a hyphen at a line's end is whole again. Only whole words match.

    >>> page = 'Annual leave is "25  days" .'
    >>> find_quote("leave  is 25 days", page), find_quote("leave  is “25 days”", page).of(page)
    (None, 'leave is "25  days')
    >>> find_quote("25 days", "125 days")
    """
    wanted = _folded(quote)[0].strip(" ").strip('"')
    wanted = re.sub(r"[.,;:!?]+$", "", wanted).strip(" ")
    if sum(c.isalnum() for c in wanted) < SHORTEST:
        return None
    span = _find(wanted, text) or _find(wanted, _REFERENCE.sub(lambda m: " " * len(m[0]), text))
    return span and _with_stop(span, quote, text)


def _find(wanted: str, text: str) -> Span | None:
    folded, places = _folded(text)
    at = _word_find(wanted, folded)
    if at is None and "- " in folded:
        joined, kept = _unbroken(folded)
        at = _word_find(wanted, joined)
        if at is not None:
            return Span(places[kept[at]], places[kept[at + len(wanted) - 1]] + 1)
    return None if at is None else Span(places[at], places[at + len(wanted) - 1] + 1)


def _with_stop(span: Span, quote: str, text: str) -> Span:
    """The span with the full stop that ends the quote, where the text has it, too."""
    stop = quote.rstrip()[-1:]
    return Span(span.start, span.end + 1) if stop in ".!?" and text[span.end : span.end + 1] == stop else span


def says_outright(span: Span, sentence: Span, text: str) -> bool:
    """Whether the words are a statement of their own where they stand, and their sentence does not turn them round.

    `sentence` reaches from the first to the last sentence that the span touches. A statement of its own begins and ends
    with a sentence, a table's cell, or a clause that `.`, `;` or `:` bounds: a clip from within one may say anything.

    >>> page = "Staff arrive early; call first."
    >>> says_outright(find_quote("call first", page), Span(0, 31), page)
    True
    >>> says_outright(find_quote("Staff arrive", page), Span(0, 31), page)
    False
    """
    before = text[sentence.start : span.start] if sentence.start < span.start else ""
    after = text[span.end : sentence.end] if span.end < sentence.end else ""
    if not (_OPENED.search(before) and _CLOSED.match(after)) or _asks(text, span, sentence):
        return False
    return not _TURNS.search(before) and not _TURNS.search(after)


_OPENED = re.compile(
    r"""(?:^[\s(\[]*(?:\w{1,3}[.)])?         # the sentence's start, with an item's label
    |[.;:][\"'”’)]*\s|[|\t])              # a clause's, or a cell's
    [\s"'“‘«(\[*_\#>+•◦▪‣·–—|-]*$""",
    re.VERBOSE,
)
_CLOSED = re.compile(r"[ \"'”’»)\]*_]*(?:\[[\d ,;–-]+\][ ]*)*(?:[.;:!…](?=[\s\"'”’»)\]*_]|$)|\||\t|\s*$)")


def _asks(text: str, span: Span, sentence: Span) -> bool:
    """Whether the page asks what the quotation asserts."""
    ends = max(span.end, sentence.end)
    return text[:ends].rstrip("\"'”’»)]*_ ").endswith("?") and not span.of(text).endswith("?")


def _word_find(wanted: str, text: str) -> int | None:
    at = text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        open_left = (
            wanted[0].isalnum() and at > 0 and (text[at - 1].isalnum() or _inside_number(text, at - 1, wanted[0]))
        )
        open_right = (
            wanted[-1].isalnum() and end < len(text) and (text[end].isalnum() or _runs_on(text, end, wanted[-1]))
        )
        if not open_left and not open_right:
            return at
        at = text.find(wanted, at + 1)
    return None


def _inside_number(text: str, at: int, first: str) -> bool:
    """Whether a number began before: "5 %" is not in "2.5 %", nor in "-5 %"."""
    return first.isdigit() and (text[at] == "-" or (text[at] in ".," and at > 0 and text[at - 1].isdigit()))


def _runs_on(text: str, end: int, last: str) -> bool:
    """Whether a number goes on: "12" is not in "12.5", nor in "12 %" or "12 million"."""
    if not last.isdigit():
        return False
    return bool(
        re.match(
            r"[.,]\d|\s?%|\s(?:per ?cent|percent|thousand|million|billion|trillion|bn|hundred)", text[end : end + 12]
        )
    )


def _unbroken(folded: str) -> tuple[str, list[int]]:
    kept = [i for i in range(len(folded)) if not _at_a_break(folded, i)]
    return "".join(folded[i] for i in kept), kept


def _at_a_break(folded: str, i: int) -> bool:
    if folded[i] == "-":
        return folded[i + 1 : i + 2] == " " and folded[i - 1 : i].isalpha() and folded[i + 2 : i + 3].isalpha()
    return (
        folded[i] == " "
        and i > 1
        and folded[i - 1] == "-"
        and folded[i - 2].isalpha()
        and folded[i + 1 : i + 2].isalpha()
    )
