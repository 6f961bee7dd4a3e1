"""Text to the terms that carry its meaning: stemmed words, numbers and names, without function words. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache

import snowballstemmer

_WORD = re.compile(r"\d[\d.,]*\d|\w+(?:'\w+)?")

FUNCTION_WORDS = frozenset(
    """
    a about above after again all also am an and any are aren't as at be because been before being below between both
    but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each few for from further
    had hadn't has hasn't have haven't having he her here hers herself him himself his how i if in into is isn't it its
    itself let's me more most my myself no nor not of off on once only or other our ours ourselves out over own please
    same she should shouldn't so some such tell than that the their theirs them themselves then there these they this
    those through to too under until up us very was wasn't we were weren't what what's when where which while who whom
    whose why will with won't would wouldn't you your yours yourself yourselves shall may might must upon per via
    many much get gets got somebody someone anybody anyone everybody everyone something anything everything thing things
    long often ever say says said tell tells want wants need needs know please
    """.split()  # noqa: SIM905 - a list of ninety strings is harder to read
)
"""Words of form, in sentences or in questions: sharing them says nothing about what either is about."""


def terms(text: str) -> list[str]:
    """The content terms of `text` in order, repeats kept: lower case, accents and English endings dropped.

    Digits keep their decimals and lose their grouping, so that 4,523,000 and 4523000 are one term.

    >>> terms("How many days of annual leaves does Grade 3 get?")
    ['day', 'annual', 'leav', 'grade', '3']
    """
    return [_term(word) for word in _words(text) if word not in FUNCTION_WORDS]


def counted(text: str, wanted: frozenset[str]) -> Counter[str]:
    """How often each of the `wanted` terms stands in `text`.

    As if by counting `terms(text)`, but only words that begin as a wanted one does are read, which is three times as
    fast: an ending changes no more than a stem's last two letters.

    >>> counted("Leave is paid, and leaves are long.", frozenset({"leav"}))
    Counter({'leav': 2})
    """
    lower = text.lower()
    if not lower.isascii():
        lower = unicodedata.normalize("NFKD", lower)
    found: Counter[str] = Counter()
    for run in _beginning(wanted).findall(lower) if wanted else ():
        for word in _words(run):
            if (term := _term(word)) in wanted:
                found[term] += 1
    return found


@lru_cache(maxsize=64)
def _beginning(wanted: frozenset[str]) -> re.Pattern[str]:
    """Runs of letters and digits that begin as one of the terms may."""
    beginnings = sorted({re.escape(term[: max(1, len(term) - 2)]) for term in wanted})
    return re.compile(rf"\b(?:{'|'.join(beginnings)})[\w'.,\u0300-\u036f]*")


def spelled(text: str) -> dict[str, str]:
    """The distinct content terms of `text` in order, each with the word that it was first made of.

    >>> spelled("Is maternity leave paid leave?")
    {'matern': 'maternity', 'leav': 'leave', 'paid': 'paid'}
    """
    found: dict[str, str] = {}
    for word in _words(text):
        if word not in FUNCTION_WORDS:
            found.setdefault(_term(word), word)
    return found


def _words(text: str) -> Iterable[str]:
    lower = text.lower()
    if not lower.isascii():
        # Composed first, so that no accent parts a word; accents go word by word, and most words were seen before.
        lower = unicodedata.normalize("NFKC", lower).replace("’", "'")  # noqa: RUF001 - the apostrophe is meant
        return map(_folded, _WORD.findall(lower))
    return _WORD.findall(lower)


@lru_cache(maxsize=50_000)
def _folded(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c)) or word


@lru_cache(maxsize=50_000)
def _term(word: str) -> str:
    if word[0].isdigit():
        return re.sub(r",(?=\d{3}\b)", "", word)
    return str(_stemmer().stemWord(word.removesuffix("'s")))


@cache
def _stemmer() -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer("english")
