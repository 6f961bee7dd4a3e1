"""Whether what a claim says in the text's own words is said of the same subject there. Pure.

A claim stitched from two sentences has the subject of the one and the words of the other. This check speaks only where
the claim repeats a run of the text's words, and where the text has the claim's subject, too, but in another place.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from rag_core.checking.alignment import STOPWORDS, stem, words
from rag_core.checking.bindings import OWN_WORDS, clauses_of
from rag_core.text.sentences import is_table_row, sentences

LONGEST_SUBJECT = 7
"""Words before the run: more is a sentence of its own."""

SHORTEST_RUN = 3
"""Words in a row that are the text's own, function words among them; fewer are found anywhere."""

MATTER = 2
"""And so many of them must carry matter."""

_TOKEN = re.compile(r"\d[\d.,]*\d|\w+(?:['’]\w+)?")  # noqa: RUF001 - the apostrophe of real pages
LIKEWISE = re.compile(r"\b(?:so (?:did|do|does|is|are|was|were|has|have|had)|too|likewise|every|same)\b", re.IGNORECASE)
"""What says of another subject what was said of the first."""

STANDS_FOR = frozenset(
    """
    it they he she this these those that who which its their his her i we you my our your both each all none such
    one some others former latter there what how why whether if when asked
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)
"""Where the text's subject is one of these, it may well be the claim's."""


def other_subject(claim: str, evidence: str, wider: str) -> tuple[str, str] | None:
    """The claim's subject, and the one that the text says the same of; None where they may be one.

    >>> text = "The novel sold 5,000 copies in its first month. A film was made in 1931."
    >>> other_subject("The film sold 5,000 copies in its first month.", text, text)
    ('The film', 'The novel')
    """
    tokens = [(m[0].casefold(), m.start()) for m in _TOKEN.finditer(claim)]
    around = _stems(wider)
    if LIKEWISE.search(evidence):
        return None
    for sentence, line in _told(evidence):
        for start in range(1, min(LONGEST_SUBJECT + 1, len(tokens) - SHORTEST_RUN + 1)):
            run = _run(tokens, start, line)
            if not run:
                continue
            subject = claim[: tokens[start][1]].strip()
            ours = set(words(subject))
            before = sentence[: _place(run, sentence)]
            theirs = _TOKEN.findall(before)
            if not ours or not ours <= around or ours & _stems(sentence) or not _names_another(theirs):
                continue
            if may_be_one(subject, before, wider):
                continue
            return subject, " ".join(before.split())
    return None


def converse(claim: str, evidence: str) -> tuple[str, str] | None:
    """Two words that the claim has on either side of a word, and the text the other way round; None for none.

    >>> converse("Harrow beat Delmont by three goals.", "Delmont beat Harrow by three goals.")
    ('harrow', 'delmont')
    """
    for clause in clauses_of(claim):
        ours = _shape(clause.of(claim))
        for part in clauses_of(evidence):
            theirs = _shape(part.of(evidence))
            if is_table_row(part.of(evidence)) or ours.voice != theirs.voice:
                continue
            if len(set(ours.keys) & set(theirs.keys)) < OWN_WORDS * len(set(ours.keys)):
                continue
            for key in ours.pivots.keys() & theirs.pivots.keys():
                if ours.pivots[key] != theirs.pivots[key]:
                    continue  # "benefits from" is the reverse of "benefits"
                a, b = ours.around(key)
                x, y = theirs.around(key)
                left, right = a & (y - x) - b, b & (x - y) - a
                if left and right and not a & x:
                    return min(left), min(right)
    return None


@dataclass(frozen=True, slots=True)
class _Shape:
    """The stems of a clause in order, and those that something may stand on either side of."""

    keys: tuple[str, ...]
    pivots: Mapping[str, str]
    """Each with the function word that follows it, if one does."""
    voice: tuple[bool, bool]
    """Whether a form of "to be" stands in it, and "by": the passive has both, or the one."""

    def around(self, key: str) -> tuple[frozenset[str], frozenset[str]]:
        at = self.keys.index(key)
        sides = self.keys[:at], self.keys[at + 1 :]
        left, right = (frozenset(k for k in side if not k[0].isdigit()) for side in sides)
        return left, right


@lru_cache(maxsize=1024)
def _shape(clause: str) -> _Shape:
    found = [w for w in _TOKEN.findall(clause) if w.casefold() not in STOPWORDS]
    keys = tuple(map(stem, found))
    after = {stem(m[1]) for m in _AFTER_ARTICLE.finditer(clause)}  # "the bridge": a thing, which joins nothing
    words_ = [w.casefold() for w in _TOKEN.findall(clause)]
    following = {w: v if v in STOPWORDS else "" for w, v in itertools.pairwise([*words_, ""])}
    pivots = {
        k: following.get(w, "")
        for k, w in zip(keys, found, strict=True)
        if w.islower() and keys.count(k) == 1 and k not in after and w not in _EITHER_WAY
    }
    return _Shape(keys, pivots, (bool(_BE.search(clause)), bool(_BY.search(clause))))


_BE = re.compile(r"\b(?:is|are|was|were|be|been|being)\b", re.IGNORECASE)
_AFTER_ARTICLE = re.compile(r"\b(?:the|an?|this|that|its|their|his|her|of|in|on|at|for|\d+) (\w+)", re.IGNORECASE)
_BY = re.compile(r"\bby\b", re.IGNORECASE)
_EITHER_WAY = frozenset(
    """
    met meet meets married marry equal equals differ differs differed joined join merged merge resembles match
    matched faced face played play fought fight borders border compared versus together include includes including
    called named
    """.split()  # noqa: SIM905 - a list of quoted words reads worse
)
"""Words that say the same of both sides."""


def may_be_one(subject: str, other: str, text: str) -> bool:
    """Whether one is a name and the other a description that may be of it: "Lordstown" and "the automaker"."""
    return any(
        _DESCRIBES.match(what.strip()) and _is_name(who, text) for what, who in ((other, subject), (subject, other))
    )


_DESCRIBES = re.compile(r"(?:the|this|that|our) (?:[a-z][\w-]* ?){1,3}$", re.IGNORECASE)


def _is_name(words_: str, text: str) -> bool:
    """Whether none of the words that carry matter stands small in the text."""
    carrying = [w for w in _TOKEN.findall(words_) if w.casefold() not in STOPWORDS]
    return not any(re.search(rf"\b{re.escape(w.lower())}\b", text) for w in carrying)


def _names_another(before: list[str]) -> bool:
    low = [w.casefold() for w in before]
    return any(w not in STOPWORDS for w in low) and not STANDS_FOR & set(low) and len(low) <= LONGEST_SUBJECT


@lru_cache(maxsize=256)
def _told(evidence: str) -> tuple[tuple[str, str], ...]:
    """The sentences of a text that are no table's rows, each with its words in a line."""
    found = [span.of(evidence) for span in sentences(evidence)]
    return tuple((s, _line(s)) for s in found if not is_table_row(s))


def _line(text: str) -> str:
    return " " + " ".join(w.casefold() for w in _TOKEN.findall(text)) + " "


def _run(tokens: list[tuple[str, int]], start: int, line: str) -> list[str]:
    """The words of the claim from `start` on that the line has in a row, when they are enough."""
    end = start + SHORTEST_RUN
    if f" {' '.join(t for t, _ in tokens[start:end])} " not in line:
        return []
    while end < len(tokens) and f" {' '.join(t for t, _ in tokens[start : end + 1])} " in line:
        end += 1
    run = [t for t, _ in tokens[start:end]]
    return run if sum(t not in STOPWORDS for t in run) >= MATTER else []


def _place(run: list[str], sentence: str) -> int:
    pattern = r"\W+".join(map(re.escape, run))
    found = re.search(rf"(?<!\w){pattern}", sentence, re.IGNORECASE)
    return found.start() if found else 0


@lru_cache(maxsize=512)
def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, _TOKEN.findall(text)))
