"""A claim and the text it is read against to the numbers that a small model weighs. Pure.

Each feature is something a person could count: words of the claim that the text has, in order, in one sentence; words
left over; numbers and names that agree or not; negations on either side. None knows where a text comes from.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import TypeVar

from rag_core.checking import facts, names, polarity
from rag_core.checking.alignment import STOPWORDS, words
from rag_core.text.sentences import is_table_row, sentences
from rag_core.types import Reason

_WORD = re.compile(r"\d[\d.,]*\d|\w+(?:['’]\w+)?")  # noqa: RUF001 - the apostrophe of real pages
_MODAL = re.compile(
    r"\b(?:may|might|could|can|possib\w+|likely|probabl\w+|suggest\w*|appear\w*|seem\w*|potential\w*)\b", re.IGNORECASE
)
_MUST = re.compile(r"\b(?:must|shall|required|always|never|every|all|any|only|cannot|none|no)\b", re.IGNORECASE)
_COMPARES = re.compile(
    r"\b(?:\w+er than|more|less|fewer|most|least|best|worst|higher|lower|better|worse|compared|outperform\w*"
    r"|\w{3,}est)\b",
    re.IGNORECASE,
)

NAMES = (
    "coverage", "coverage_long", "coverage_best_sentence", "coverage_last_third", "bigrams", "trigrams", "ordered",
    "longest_run", "characters", "missing", "missing_long", "missing_longest", "density", "claim_words",
    "text_words", "text_sentences", "claim_capitals", "names", "names_missing", "names_swapped", "numbers_ok",
    "numbers_failed", "dates_ok", "dates_failed", "unit_failed", "bound_failed", "negation_failed",
    "direction_failed", "quantifier_failed", "claim_negated", "text_negated", "negation_differs", "negated_nearby",
    "claim_modal", "text_modal", "claim_must", "text_must", "claim_compares", "rows", "verb_found", "subject_found",
    "stop_overlap", "prefix_only", "pairs_in_clause", "pairs_in_sentence", "ends_in_sentence", "figures_in_place",
    "figures_elsewhere", "widest_gap", "tail_gap",
)  # fmt: skip
"""What the columns are called, in order."""

T = TypeVar("T")

PREFIX = 5
"""Letters that words of one family share."""

LONG = 7
"""Letters from which a word is likely to carry the matter."""


def features(claim: str, text: str, wider: str = "") -> list[float]:
    """One number for each of `NAMES`, in their order. `wider` is the text around, for names."""
    wanted, there = words(claim), words(text)
    bag, have = set(wanted), set(there)
    prefixes = {h[:PREFIX] for h in have if len(h) >= PREFIX}
    soft = {w for w in bag - have if len(w) >= PREFIX and w[:PREFIX] in prefixes}
    found = bag & have | soft
    lost = [w for w in bag if w not in found]
    n = max(1, len(bag))
    long = {w for w in bag if len(w) >= LONG}
    parts = [set(words(s.of(text))) for s in sentences(text)]
    best = max((len(bag & p) for p in parts), default=0) / n
    reasons = facts.check(claim, text, wider=wider)
    count = _counts(reasons)
    ours, theirs = polarity.read(claim), polarity.read(text)
    near = _negation_near(bag, theirs)
    all_names = names.names(claim)
    missing_names = names.missing(claim, wider or text)
    tail = wanted[-max(1, len(wanted) // 3) :]
    claim_tokens = [t.casefold() for t in _WORD.findall(claim)]
    text_tokens = {t.casefold() for t in _WORD.findall(text)}
    small = {t for t in claim_tokens if t in STOPWORDS}
    return [
        len(found) / n,
        len(long & found) / len(long) if long else 1.0,
        best,
        sum(w in found for w in tail) / max(1, len(tail)),
        _share(_grams(wanted, 2), _grams(there, 2)),
        _share(_grams(wanted, 3), _grams(there, 3)),
        _common_subsequence(wanted, there) / max(1, len(wanted)),
        _longest_run(claim_tokens, [t.casefold() for t in _WORD.findall(text)]) / max(1, len(claim_tokens)),
        _share(_characters(claim), _characters(text)),
        float(len(lost)),
        float(sum(len(w) >= LONG for w in lost)),
        float(max((len(w) for w in lost), default=0)),
        len(found) / max(1, len(have)),
        float(len(wanted)),
        float(len(there)),
        float(len(parts)),
        sum(t[0].isupper() for t in _WORD.findall(claim)) / max(1, len(claim_tokens)),
        float(len(all_names)),
        float(len(missing_names)),
        float(sum(bool(s.instead) for s in missing_names)),
        float(count.get(("number", True), 0)),
        float(count.get(("number", False), 0)),
        float(count.get(("date", True), 0)),
        float(count.get(("date", False), 0)),
        float(count.get(("unit", False), 0)),
        float(count.get(("bound", False), 0)),
        float(count.get(("negation", False), 0)),
        float(count.get(("direction", False), 0)),
        float(count.get(("quantifier", False), 0)),
        float(bool(ours.denies)),
        float(bool(theirs.denies)),
        float(bool(ours.denies) != near),
        float(near),
        float(bool(_MODAL.search(claim))),
        float(bool(_MODAL.search(text))),
        float(bool(_MUST.search(claim))),
        float(bool(_MUST.search(text))),
        float(bool(_COMPARES.search(claim))),
        float(sum(is_table_row(line) for line in text.splitlines())),
        float(_after_subject(wanted) in found),
        float(bool(wanted) and wanted[0] in found),
        len(small & text_tokens) / max(1, len(small)),
        len(soft) / n,
        *_links(wanted, text),
    ]


_CLAUSE = re.compile(
    r"[,;:.!?()|\n]+(?=\s|$)|\b(?:and|but|while|whereas|although|which|who|that|because)\b", re.IGNORECASE
)
_NEARBY = 3
"""Words on either side that say what a figure is of."""


def _links(wanted: list[str], text: str) -> list[float]:
    """Whether what the claim joins is joined in the text too, not only said somewhere in it.

    A claim stitched together from two sentences, or one that swaps who did what, has all its words and few of its
    links.
    """
    clauses = [frozenset(words(c)) for c in _CLAUSE.split(text) if c.strip()]
    parts = [frozenset(words(s.of(text))) for s in sentences(text)]
    places: dict[str, list[int]] = {}
    for i, w in enumerate(words(text)):
        places.setdefault(w, []).append(i)
    known = [w for w in dict.fromkeys(wanted) if w in places]
    pairs = list(itertools.pairwise(known))
    in_place, elsewhere, figures = 0.0, 0.0, 0
    for i, w in enumerate(wanted):
        if not w[0].isdigit() or w not in places:
            continue
        figures += 1
        near = {v for v in wanted[max(0, i - _NEARBY) : i + _NEARBY + 1] if v != w and v in places}
        here = max((len(near & c) for c in clauses if w in c), default=0)
        rival = max((len(near & c) for c in clauses if w not in c and any(v[0].isdigit() for v in c)), default=0)
        in_place += here / max(1, len(near))
        elsewhere += float(rival > here)
    gaps = [min(abs(a - b) for a in places[x] for b in places[y]) for x, y in pairs]
    return [
        sum(any(a in c and b in c for c in clauses) for a, b in pairs) / max(1, len(pairs)),
        sum(any(a in p and b in p for p in parts) for a, b in pairs) / max(1, len(pairs)),
        float(len(known) < 2 or any(known[0] in p and known[-1] in p for p in parts)),  # noqa: PLR2004 - two ends
        in_place / max(1, figures),
        elsewhere,
        float(min(40, max(gaps, default=0))),
        float(min(40, gaps[-1] if gaps else 0)),
    ]


def _counts(reasons: Sequence[Reason]) -> dict[tuple[str, bool], int]:
    counts: dict[tuple[str, bool], int] = {}
    for r in reasons:
        counts[r.check, r.ok] = counts.get((r.check, r.ok), 0) + 1
    return counts


def _negation_near(bag: set[str], theirs: polarity.Reading) -> bool:
    """Whether a negation of the text reaches a word of the claim."""
    return any(w.negated and w.key in bag for w in theirs.words)


def _after_subject(wanted: list[str]) -> str:
    return wanted[1] if len(wanted) > 1 else (wanted[0] if wanted else "")


def _grams(tokens: list[str], n: int) -> set[tuple[str, ...]]:
    return {tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)}


def _characters(text: str) -> set[str]:
    plain = re.sub(r"\W+", " ", text.casefold())
    return {plain[i : i + 4] for i in range(len(plain) - 3)}


def _share(part: set[T], whole: set[T]) -> float:
    return len(part & whole) / len(part) if part else 0.0


def _common_subsequence(a: list[str], b: list[str]) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(b) + 1)
    for x in a:
        diagonal = 0
        for j, y in enumerate(b, 1):
            above = row[j]
            row[j] = diagonal + 1 if x == y else max(row[j], row[j - 1])
            diagonal = above
    return row[-1]


def _longest_run(a: list[str], b: list[str]) -> int:
    """The length of the longest run of words that both have."""
    longest = 0
    row = [0] * (len(b) + 1)
    for x in a:
        diagonal = 0
        for j, y in enumerate(b, 1):
            above = row[j]
            row[j] = diagonal + 1 if x == y else 0
            longest = max(longest, row[j])
            diagonal = above
    return longest
