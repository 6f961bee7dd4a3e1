"""A question and the documents of a scope to those that it sets side by side. Pure.

Whoever asks how Boeing's debt differs from Nike's wants passages of both; the one that writes more of debt would take
all the places.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import pairwise

from rag_core.text.terms import terms
from rag_core.types import Document, DocumentId

MOST = 4
"""Documents, or groups of equally well named ones, that share the places: of eight passages each has two."""

KNOWN_BY_NAME = 1_000
"""Documents of a scope, at most, whose names are looked through: 50 ms when they are new, and one after that."""

_SIDE_BY_SIDE = re.compile(
    r"""\b(compar\w+ | versus | vs | differ\w* | both | whereas | respectively | than | which\ of | contrast\w* | unlike
        | same\ as | each\ of)\b""",
    re.IGNORECASE | re.VERBOSE,
)

_WORD = re.compile(r"[\w&'-]+")


def compares(question: str) -> bool:
    """Whether the question sets anything side by side."""
    return _SIDE_BY_SIDE.search(question) is not None


def compared(question: str, documents: Collection[Document]) -> list[frozenset[DocumentId]]:
    """The documents that the question names to compare, best named first; none unless it compares two or more.

    Of equally well named ones the one named first comes first; of more than `MOST` the others have no share.

    Those that it names by the same words (a company's reports of three years, when no year is asked for) are one group.
    """
    if len(documents) > KNOWN_BY_NAME or not compares(question):
        return []
    names = _names(question)
    asked = _spelled(" ".join(names))
    called = {document.id: asked & _spelled(searched_title(document)) for document in documents}
    # A year alone is nobody's name: a report tells of the years before it, too.
    called = {identity: words for identity, words in called.items() if not all(word.isdecimal() for word in words)}
    said = terms(" ".join(names))
    place = {term: n for n, term in reversed([*enumerate(said), *enumerate(_joined(said))])}
    shared = Counter(term for words in called.values() for term in words)
    weight = {term: math.log(len(documents) / count) for term, count in shared.items()}
    groups: list[frozenset[DocumentId]] = []
    while len(groups) < MOST:
        best = max(
            called.values(),
            key=lambda words: (
                round(math.fsum(weight[t] for t in words), 9),
                -min((place.get(t, len(place)) for t in words), default=0),
            ),
            default=frozenset(),
        )
        if not any(weight[term] for term in best):
            break
        groups.append(frozenset(identity for identity, words in called.items() if words == best))
        called = {identity: words - best for identity, words in called.items() if words != best}
    return groups if len(groups) > 1 else []


def _names(question: str) -> list[str]:
    """Words with a capital or a digit, past the first; all words of a question that is typed without capitals."""
    words = _WORD.findall(question)
    named = [word for word in words[1:] if word != word.lower() or word[0].isdigit()]
    return named if any(word != word.lower() for word in words) else words


def searched_title(document: Document) -> str:
    """What people may call the document: its title, and its file's name as words."""
    name = (document.filename.rpartition(".")[0] or document.filename).replace("_", " ").replace("-", " ")
    return document.title if name.casefold() == document.title.casefold() else f"{document.title} {name}"


@lru_cache(maxsize=4 * KNOWN_BY_NAME)
def _spelled(text: str) -> frozenset[str]:
    """Its terms, and neighbours written as one word: Best Buy's file may be called BESTBUY."""
    found = terms(text)
    return frozenset([*found, *_joined(found)])


def _joined(words: Iterable[str]) -> list[str]:
    return [one + other for one, other in pairwise(words)]
