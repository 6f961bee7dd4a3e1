"""Words that stand where a text has their opposites: "rose" for "fell", "before" for "after". Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag_core.checking.polarity import Reading, Word, read
from rag_core.text.antonyms import SIDES


def reversed_words(claim: str, evidence: str) -> tuple[str, str] | None:
    """A word of the claim and its opposite in the evidence, where each stands for the other; None when there is none.

    It speaks only when the claim uses one side of a pair, the evidence only the other, neither is negated, and the
    sentences share what they are about. Function words ("before", "more") must also stand before the same word.

    >>> reversed_words("Sales rose in 2019.", "In 2019, sales fell by 3 %.")
    ('rose', 'fell')
    """
    ours, theirs = read(claim), read(evidence)
    mine, yours = list(_sided(ours)), list(_sided(theirs))
    subject = {w.key for w in ours.words if w.matter}
    for group, side, word, following in mine:
        if any(g == group and s != side for g, s, _, _ in mine) or ours.cues_of(word.sentence, but=word.key):
            continue
        if not word.matter and following[:1].isdigit():
            continue  # "more than 5": a bound, compared with the number
        facing = [
            (s, w)
            for g, s, w, f in yours
            if g == group
            and _shares_a_subject(subject - {word.key}, theirs.keys.get(w.sentence, frozenset()))
            and (f == following or not _is_relational(word, w))
            and (f == following or not (_than(word, claim) and _than(w, evidence)))
        ]
        if facing and not any(s == side or w.negated for s, w in facing):
            return word.text, facing[0][1].text
    return None


def _than(word: Word, text: str) -> bool:
    """Whether the word compares two things that the text names."""
    return re.search(rf"\b{re.escape(word.text)} (?:\w+ )?than\b", text, re.IGNORECASE) is not None


def _is_relational(a: Word, b: Word) -> bool:
    """Whether the words say how two things stand to one another: they clash only before the same thing."""
    return (not a.matter and not b.matter) or a.text in _RELATIONAL or b.text in _RELATIONAL


_RELATIONAL = frozenset(
    """
    before prior preceding earlier after following later subsequent above below over under male males man men
    female females woman women north northern south southern east eastern west western
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)


def _shares_a_subject(mine: set[str], yours: frozenset[str]) -> bool:
    common = len(mine & yours)
    return common >= 2 or (common == 1 and len(mine) <= 2)  # noqa: PLR2004 - two words make a common subject


def _sided(reading: Reading) -> Iterator[tuple[int, int, Word, str]]:
    """The words that have an opposite: group, side, word, and the word of matter that follows it."""
    following, found = "", []
    for word in reversed(reading.words):
        found += [(group, side, word, following) for group, side in reversed(SIDES.get(word.text, []))]
        following = word.key if word.matter else following
    yield from reversed(found)
