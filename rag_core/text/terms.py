"""Text to the terms that carry its meaning: stemmed words, numbers and names, without function words. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import filterfalse

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
    """How often each of the `wanted` terms stands in `text`, as if by counting `terms(text)`.

    But text is cut at blanks alone, which no term reaches over, and what stands between them was mostly seen before.

    >>> counted("Leave is paid, and leaves are long.", frozenset({"leav"}))
    Counter({'leav': 2})
    """
    return _vocabulary().counted(_lowered(text).split(), wanted)


class _Vocabulary:
    """The pieces of text that were seen so far, by the terms that they hold: known ones are passed over all at once.

    Any number of threads may use it: a piece is filed under its terms before it counts as seen.
    """

    def __init__(self) -> None:
        self._terms: dict[str, tuple[str, ...]] = {}
        self._holding: defaultdict[str, set[str]] = defaultdict(set)

    def __len__(self) -> int:
        return len(self._terms)

    def counted(self, pieces: Sequence[str], wanted: frozenset[str]) -> Counter[str]:
        """How often the pieces hold each of the `wanted` terms."""
        for piece in set(filterfalse(self._terms.__contains__, pieces)):
            found = tuple(terms(piece))
            for term in found:
                self._holding[term].add(piece)
            self._terms[piece] = found
        holding = set().union(*(self._holding.get(term, ()) for term in wanted))
        counts: Counter[str] = Counter()
        for piece, count in Counter(filter(holding.__contains__, pieces)).items():
            for term in self._terms[piece]:
                if term in wanted:
                    counts[term] += count
        return counts


MOST_PIECES = 100_000
"""Pieces that are remembered, some 20 MB; then it begins anew."""
_vocabularies = [_Vocabulary()]


def _vocabulary() -> _Vocabulary:
    if len(_vocabularies[0]) > MOST_PIECES:
        _vocabularies[0] = _Vocabulary()
    return _vocabularies[0]


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
    lower = _lowered(text)
    # Accents go word by word, and most words were seen before.
    return _WORD.findall(lower) if lower.isascii() else map(_folded, _WORD.findall(lower))


def _lowered(text: str) -> str:
    """In lower case, and composed, so that no accent parts a word."""
    lower = text.lower()
    if lower.isascii():
        return lower
    return unicodedata.normalize("NFKC", lower).replace("’", "'")  # noqa: RUF001 - the apostrophe is meant


@lru_cache(maxsize=50_000)
def _folded(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c)) or word


@lru_cache(maxsize=50_000)
def _term(word: str) -> str:
    if word[0].isdigit():
        return re.sub(r",(?=\d{3}\b)", "", word)
    # One for each new word: a stemmer keeps the word that it works on, and words come from several threads.
    return str(snowballstemmer.stemmer("english").stemWord(word.removesuffix("'s")))
