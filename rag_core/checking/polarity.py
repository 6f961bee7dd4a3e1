"""A text to its words that carry matter, each with whether a negation reaches it. Pure."""

# ruff: noqa: E501, RUF001 - one family of words a line

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from rag_core.checking.alignment import STOPWORDS, stem
from rag_core.text.antonyms import SIDES

_TOKEN = re.compile(r"\d[\d.,]*\d|\w+(?:['’]\w+)*|[.,;:!?()]")
_TORN_NOT = "n"
"""What is left of "not" where a tokenizer has parted "did n't"."""
_CLAUSE = frozenset(".,;:!?()")
_ENDS = frozenset(".;!?")
_EXCEPTING = frozenset({
    "except", "unless", "other", "avoid", "avoided", "avoids", "prevent", "prevents", "prevented", "exclude", "excludes",
    "excluded", "excluding", "rather", "instead", "unlikely",
})  # fmt: skip
_BUT = frozenset({"but", "however", "although", "though", "while", "whereas", "because", "since", "unless", "which"})

_NOT = frozenset({"not", "non", "never", "cannot", "neither", "nor", "without", "hardly", "scarcely", "barely"})
_NO = frozenset({"no", "zero", "none", "nobody", "nothing", "nowhere"})
FAILING = frozenset({"fail", "fails", "failed", "failing", "refuse", "refuses", "refused", "lack", "lacks", "lacked",
                      "lacking", "unable", "denies", "denied", "deny", "prohibited", "forbidden", "prohibits"})  # fmt: skip
NOT_A_NEGATION = re.compile(
    r"\bnot (?:only|just|merely|necessarily|least)\b|\b(?:little|few) or no\b|\bno[-‑](?=\w)|\bnot[-‑]for[-‑]|\bno exceptions?\b|\bno (?:doubt|later|earlier|more|less|fewer|greater|longer than)\b"
    r"|\bnot (?:more|less|fewer|later|earlier|exceeding|limited)\b|\bwhether or not\b|\bif not\b|\bno\. ?\d|\bwithout limit\w*",
    re.IGNORECASE,
)
_YET = re.compile(r"\byet to\b", re.IGNORECASE)
SCOPE = 4
"""Words that carry matter, after a negation, that it reaches."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text with what bears on it."""

    text: str
    key: str
    sentence: int
    negated: bool
    """Within the reach of a negation of its clause."""
    strictly: bool
    """The very next word of matter after the negation."""
    matter: bool = True
    """False for function words that only stand here because they have an opposite: "before", "more"."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A text's words, and by sentence the words that negate in it or make an exception."""

    words: tuple[Word, ...]
    cues: dict[int, frozenset[str]]
    keys: dict[int, frozenset[str]]
    """By sentence, its words of matter."""
    places: dict[str, tuple[Word, ...]]
    """By key, where it stands."""

    def cues_of(self, sentence: int, *, but: str = "") -> frozenset[str]:
        """The cues of a sentence, a word itself not counted among them."""
        return frozenset(c for c in self.cues.get(sentence, frozenset()) if stem(c) != but)

    @property
    def denies(self) -> bool:
        """Whether anything is negated."""
        return any(self.cues.values())


@lru_cache(maxsize=2048)
def read(text: str) -> Reading:
    """The words of `text` in order, each marked with whether a negation reaches it."""
    masked = _YET.sub("not", NOT_A_NEGATION.sub(lambda m: "_" * len(m[0]), text))
    words: list[Word] = []
    cues: dict[int, set[str]] = {}
    sentence, reach, first = 0, 0, False
    for m in _TOKEN.finditer(masked):
        token = m[0].casefold()
        negates = _negates(token)
        if negates or token in FAILING or token in _EXCEPTING:
            cues.setdefault(sentence, set()).add("not" if token.endswith(("t", _TORN_NOT)) and negates else token)
        if token in _CLAUSE or token in _BUT:
            sentence, reach = sentence + (token in _ENDS), 0
            continue
        if negates:
            reach, first = _REACH.get(token, SCOPE), True
            continue
        function = token in STOPWORDS
        if (function and token not in SIDES) or not token[0].isalnum() or len(token) == 1:
            continue
        words.append(Word(token, stem(token), sentence, reach > 0, first and reach > 0 and not function, not function))
        if token in FAILING:
            reach, first = SCOPE, True
        elif not function:
            reach, first = max(0, reach - 1), False
    return _reading(words, cues)


_REACH = {"non": 1}
"""What negates nothing but the very next word."""


def _negates(token: str) -> bool:
    return token in _NOT or token in _NO or token.endswith(("n't", "n’t")) or token == _TORN_NOT


def _reading(words: list[Word], cues: dict[int, set[str]]) -> Reading:
    keys: dict[int, set[str]] = {}
    places: dict[str, list[Word]] = {}
    for word in words:
        places.setdefault(word.key, []).append(word)
        if word.matter:
            keys.setdefault(word.sentence, set()).add(word.key)
    return Reading(
        tuple(words),
        {k: frozenset(v) for k, v in cues.items()},
        {k: frozenset(v) for k, v in keys.items()},
        {k: tuple(v) for k, v in places.items()},
    )


ALIKE = 0.5
"""Of a claim's other words, the part that a sentence must have for the two to speak of one thing."""

WHOLLY = 0.75
"""Or the part of the sentence's words that the claim must have: then the claim says all of it, and more."""


def of_one_thing(mine: frozenset[str], yours: frozenset[str]) -> bool:
    """Whether two sentences share so many other words that they speak of one thing."""
    common = len(mine & yours)
    return bool(common) and (common >= ALIKE * len(mine) or common >= WHOLLY * len(yours))


DENIES = re.compile(
    r"\b(?:no|not|none|nobody|never|nothing|cannot|without|neither|nor)\b|\bno one\b|n['’]t\b", re.IGNORECASE
)
