"""A claim that is a sentence of its text but for a word or a number, which it took from another sentence. Pure.

Such a claim has all its words in the text, and all but one in the right place: what counts words, or reads likeness,
takes it for the sentence. It speaks of figures, and of words that open the sentence, as its subject does, and only
where the rest of the two runs side by side, so that it is known which of the text's words the other one stands for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import lru_cache

from rag_core.checking.alignment import STOPWORDS, stem
from rag_core.checking.subjects import LIKEWISE, STANDS_FOR, may_be_one
from rag_core.text.sentences import is_table_row, sentences
from rag_core.text.synonyms import implied
from rag_core.text.terms import terms

SIDE_BY_SIDE = 0.7
"""Of the claim's words, the part that must stand in the sentence in the same order; what is left cannot be all new."""

SHORTEST = 5
"""Words of a claim: of fewer, too much is left open by one."""

MOST = 4
"""Words in place of others; more are another way to put it."""

SHORTEST_NOUN = 3

_TOKEN = re.compile(r"\d[\d.,]*\d|\w+(?:['’]\w+)?")  # noqa: RUF001 - the apostrophe of real pages


def substituted(claim: str, evidence: str, wider: str) -> tuple[str, str] | None:
    """Words of the claim, and those in whose place of the text they stand; None where there are none.

    >>> text = "The lamp is accurate to 3 mm and lasts a year. The bell is rung at 5 mm of tide."
    >>> substituted("The lamp is accurate to 5 mm and lasts a year.", text, text)
    ('5', '3')
    """
    ours = _tokens(claim)
    if len(ours) < SHORTEST:
        return None
    nearest = max(_told(evidence), key=lambda told: _side_by_side(ours, told[1]), default=None)
    if nearest is None or _side_by_side(ours, nearest[1]) < SIDE_BY_SIDE:
        return None
    sentence, theirs = nearest
    elsewhere = _stems(wider.replace(sentence, " "))
    here, mine = {key for key, _ in theirs}, {key for key, _ in ours}
    for (i1, i2), (j1, j2) in _exchanged(theirs, ours):
        there, said = theirs[i1:i2], ours[j1:j2]
        taken = [key for key, word in said if word not in STOPWORDS and key not in here]
        lost = [key for key, word in there if word not in STOPWORDS and key not in mine]
        if not taken or not lost or not set(taken) <= elsewhere or STANDS_FOR & {word for _, word in there}:
            continue
        one, other = (" ".join(word for _, word in words) for words in (said, there))
        figures = any(k[0].isdigit() for k in taken), any(k[0].isdigit() for k in lost)
        if figures[0] != figures[1] or not (figures[0] or (i1 == 0 and _is_whole(said) and _is_whole(there))):
            continue
        same_subject = i1 == 0 and (may_be_one(one, other, wider) or LIKEWISE.search(evidence))
        if same_subject or implied(frozenset(terms(one)), frozenset(terms(other))):
            continue
        return one, other
    return None


def _is_whole(words: list[tuple[str, str]]) -> bool:
    """Whether a thing is named to its end: neither "a dose of" nor the "(ii)" of a list."""
    last = words[-1][1]
    return last not in STOPWORDS and len(last) >= SHORTEST_NOUN


def _exchanged(
    theirs: list[tuple[str, str]], ours: list[tuple[str, str]]
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Places in the sentence and in the claim where one has other words than the other."""
    matcher = SequenceMatcher(a=[k for k, _ in theirs], b=[k for k, _ in ours], autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "replace" and max(i2 - i1, j2 - j1) <= MOST:
            yield (i1, i2), (j1, j2)


def _side_by_side(ours: list[tuple[str, str]], theirs: list[tuple[str, str]]) -> float:
    common = {k for k, _ in ours} & {k for k, _ in theirs}
    if sum(k in common for k, _ in ours) < SIDE_BY_SIDE * len(ours):
        return 0.0  # cannot be more in order than out of it
    matcher = SequenceMatcher(a=[k for k, _ in theirs], b=[k for k, _ in ours], autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks()) / len(ours)


@lru_cache(maxsize=2048)
def _tokens(text: str) -> list[tuple[str, str]]:
    """Each word's stem, and the word in small letters."""
    return [(stem(w), w.casefold()) for w in _TOKEN.findall(text)]


@lru_cache(maxsize=256)
def _told(evidence: str) -> tuple[tuple[str, list[tuple[str, str]]], ...]:
    found = [span.of(evidence) for span in sentences(evidence)]
    return tuple((s, _tokens(s)) for s in found if not is_table_row(s))


@lru_cache(maxsize=256)
def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, _TOKEN.findall(text)))
