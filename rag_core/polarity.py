"""What turns a statement round: negation and what it negates, direction words and their opposites, quantifiers. Pure.

These checks speak only where claim and evidence use the same words: a claim is held against the clause that says the
same thing the other way, never against a negation that merely stands nearby.
"""

# ruff: noqa: E501, RUF001 - one family of words a line

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from rag_core.alignment import STOPWORDS, stem
from rag_core.sentences import sentences

_TOKEN = re.compile(r"\d[\d.,]*\d|\w+(?:['’]\w+)*|[.,;:!?()]")
_TORN_NOT = "n"
"""What is left of "not" where a tokenizer has parted "did n't"."""
_CLAUSE = frozenset(".,;:!?()")
_ENDS = frozenset(".;!?")
_EXCEPTING = frozenset(
    {
        "except",
        "unless",
        "other",
        "avoid",
        "avoided",
        "avoids",
        "prevent",
        "prevents",
        "prevented",
        "exclude",
        "excludes",
        "excluded",
        "excluding",
        "rather",
        "instead",
        "unlikely",
    }
)
_BUT = frozenset({"but", "however", "although", "though", "while", "whereas", "because", "since", "unless", "which"})

_NOT = frozenset({"not", "never", "cannot", "neither", "nor", "without", "hardly", "scarcely", "barely"})
_NO = frozenset({"no", "none", "nobody", "nothing", "nowhere"})
_FAILING = frozenset({"fail", "fails", "failed", "failing", "refuse", "refuses", "refused", "lack", "lacks", "lacked",
                      "lacking", "unable", "denies", "denied", "deny", "prohibited", "forbidden", "prohibits"})  # fmt: skip
_NOT_A_NEGATION = re.compile(
    r"\bnot (?:only|just|merely|necessarily|least)\b|\bno (?:doubt|later|earlier|more|less|fewer|greater|longer than|one)\b"
    r"|\bnot (?:more|less|fewer|later|earlier|exceeding|limited)\b|\bwhether or not\b|\bif not\b|\bno\. ?\d|\bwithout limit\w*",
    re.IGNORECASE,
)
_YET = re.compile(r"\byet to\b", re.IGNORECASE)
SCOPE = 4
"""Words that carry matter, after a negation, that it reaches."""

_UP = """
    raise raised raises doubled tripled increase increased increases increasing rise rose rises risen rising grow grew grown grows growing growth climb climbed
    jump jumped surge surged soar soared gain gained gains expand expanded expands expansion improve improved improves
    improvement up higher
"""
_DOWN = """
    decrease decreased decreases decreasing fall fell falls fallen falling decline declined declines declining drop dropped
    drops dropping reduce reduced reduces reduction shrink shrank shrunk halved cut cuts plunge plunged slump slumped lowered lowers contract contracted
    lose lost loss worsen worsened worsens down lower
"""
OPPOSITES: tuple[tuple[str, str], ...] = (
    (_UP, _DOWN),
    ("more greater larger bigger exceed exceeds exceeded above over", "less fewer smaller below under"),
    (
        "highest most largest maximum max longest best biggest",
        "lowest least smallest minimum min shortest worst fewest",
    ),
    ("before prior preceding earlier", "after following later subsequent"),
    ("accept accepted accepts approve approved approves", "reject rejected rejects"),
    ("allow allowed allows permit permitted permits", "prohibit prohibited prohibits forbid forbidden ban banned"),
    ("win won wins", "lose lost loses"),
    ("include included includes including", "exclude excluded excludes excluding"),
    ("start started starts begin began begins", "end ended ends stop stopped stops"),
    ("open opened opens", "close closed closes"),
    ("mandatory required obligatory compulsory must", "optional voluntary"),
    ("support supported supports", "oppose opposed opposes"),
    ("positive positively", "negative negatively"),
    ("always", "never"),
    ("early earliest first", "late latest last"),
    ("strengthen strengthened", "weaken weakened"),
    ("buy bought buys purchase purchased", "sell sold sells"),
    ("success successful succeeded", "failure unsuccessful failed"),
    ("activate activates activated activation", "inhibit inhibits inhibited inhibition suppress suppresses suppressed"),
    ("upregulated upregulates", "downregulated downregulates"),
    ("import imports imported", "export exports exported"),
    ("internal domestic", "external foreign"),
    ("inside", "outside"),
    ("north northern", "south southern"),
    ("east eastern", "west western"),
    ("male males man men", "female females woman women"),
)
"""Words, and those that turn a statement round when they stand in their place."""


def _sides() -> dict[str, list[tuple[int, int]]]:
    sides: dict[str, list[tuple[int, int]]] = {}
    for group, pair in enumerate(OPPOSITES):
        for side, listed in enumerate(pair):
            for word in listed.split():
                sides.setdefault(word, []).append((group, side))
    return sides


_SIDES = _sides()
_BOUNDS = re.compile(
    r"\b(?P<least>at least|no (?:less|fewer) than|not less than|or more|minimum of|a minimum)\b"
    r"|\b(?P<most>at most|no (?:more|greater|longer|later) than|not (?:more|exceed\w*)(?: than)?|up to|or less|or fewer|maximum of|a maximum)\b",
    re.IGNORECASE,
)


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
    masked = _YET.sub("not", _NOT_A_NEGATION.sub(lambda m: "_" * len(m[0]), text))
    words: list[Word] = []
    cues: dict[int, set[str]] = {}
    sentence, reach, first = 0, 0, False
    for m in _TOKEN.finditer(masked):
        token = m[0].casefold()
        if token in _CLAUSE or token in _BUT:
            sentence, reach = sentence + (token in _ENDS), 0
            continue
        negates = token in _NOT or token in _NO or token.endswith(("n't", "n’t")) or token == _TORN_NOT
        if negates or token in _FAILING or token in _EXCEPTING:
            cues.setdefault(sentence, set()).add("not" if token.endswith(("t", _TORN_NOT)) and negates else token)
        if negates:
            reach, first = SCOPE, True
            continue
        function = token in STOPWORDS
        if (function and token not in _SIDES) or not token[0].isalnum() or len(token) == 1:
            continue
        words.append(Word(token, stem(token), sentence, reach > 0, first and reach > 0 and not function, not function))
        if token in _FAILING:
            reach, first = SCOPE, True
        elif not function:
            reach, first = max(0, reach - 1), False
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


def flipped(claim: str, evidence: str) -> str | None:
    """The word that one text denies and the other asserts, about the same things; None when there is none.

    >>> flipped("The plan does not cover dental care.", "The plan covers dental care for all staff.")
    'cover'
    >>> flipped("Dental care is covered.", "Dental care is covered; eye care is not covered.")
    """
    ours, theirs = read(claim), read(evidence)
    for word in ours.words:
        if not word.matter:
            continue
        mine_too = ours.keys[word.sentence] - {word.key}
        near = {w.sentence for w in theirs.places.get(word.key, ())}
        told = {i for i in near if _alike(mine_too, theirs.keys.get(i, frozenset()) - {word.key})}
        alike = [w for w in theirs.places.get(word.key, ()) if w.sentence in told]
        if not alike:
            continue
        mine = ours.cues_of(word.sentence, but=word.key)
        yours = frozenset().union(*(theirs.cues_of(w.sentence, but=word.key) for w in alike))
        if word.strictly and not yours - mine and not any(w.negated for w in alike):
            return word.text
        denied = all(w.negated for w in alike) and any(w.strictly for w in alike)
        if denied and not word.negated and not (mine - yours - _FAILING) and yours - mine:
            return word.text
    return None


def _alike(mine: frozenset[str], yours: frozenset[str]) -> bool:
    """Whether two sentences share so many other words that they speak of one thing."""
    common = len(mine & yours)
    return bool(common) and (common >= ALIKE * len(mine) or common >= WHOLLY * len(yours))


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
            and (w.matter or word.matter or f == following)
        ]
        if facing and not any(s == side or w.negated for s, w in facing):
            return word.text, facing[0][1].text
    return None


def _shares_a_subject(mine: set[str], yours: frozenset[str]) -> bool:
    common = len(mine & yours)
    return common >= 2 or (common == 1 and len(mine) <= 2)  # noqa: PLR2004 - two words make a common subject


def _sided(reading: Reading) -> Iterator[tuple[int, int, Word, str]]:
    """The words that have an opposite: group, side, word, and the word of matter that follows it."""
    following, found = "", []
    for word in reversed(reading.words):
        found += [(group, side, word, following) for group, side in reversed(_SIDES.get(word.text, []))]
        following = word.key if word.matter else following
    yield from reversed(found)


def unsaid_denial(claim: str, evidence: str) -> str | None:
    """The word of a claim that denies everything ("no", "none", "never") where the evidence denies nothing at all.

    >>> unsaid_denial("No vehicles may use the bridge.", "Heavy vehicles use the bridge daily.")
    'no'
    """
    found = _CLAIMS_NONE.search(_NOT_A_NEGATION.sub(" ", claim))
    if found and not read(evidence).denies and not _NEGATIVE.search(evidence):
        return found[0].lower()
    return None


_CLAIMS_NONE = re.compile(r"\b(?:no|none|never|nobody|nothing|neither)\b", re.IGNORECASE)
_NEGATIVE = re.compile(
    r"\b(?:un\w{3,}|in(?:adequate|valid|eligible|capable|sufficient)\w*|non\w*|\w+less|free|zero|absen\w+|only|lack\w*|"
    r"den\w+|refus\w+|reject\w*|prevent\w*|avoid\w*|stop\w*|ban\w*|against|0)\b",
    re.IGNORECASE,
)
"""What else may make a text negative: enough for the check to keep silent."""


def bounds(claim: str, evidence: str) -> tuple[str, str] | None:
    """Find "at least" in the one where the other says "at most" and nothing else; None when they do not clash."""
    ours, theirs = _bound_words(claim), _bound_words(evidence)
    if len(ours) == 1 and len(theirs) == 1 and ours.keys() != theirs.keys():
        return next(iter(ours.values())), next(iter(theirs.values()))
    return None


def _bound_words(text: str) -> dict[str, str]:
    return {m.lastgroup or "": m[0].lower() for m in _BOUNDS.finditer(text)}


_ALL = re.compile(r"\b(?:all|every|each|any|always|both|entire(?:ly)?|everyone|everybody)\b", re.IGNORECASE)
_SOME = re.compile(r"\b(?:some|many|most|several|few|certain|sometimes|often|usually|mostly|part(?:ly|ially)?|majority)\b", re.IGNORECASE)  # fmt: skip
_LIMIT = re.compile(
    r"\b(?:up to|except|unless|only|excluding|other than|one in \w+|one \w+ in \w+|under|over|below|above|if|half|some|many|most"
    r"|several|few)\b",
    re.IGNORECASE,
)
_ONLY = re.compile(r"\b(?:only|solely|exclusively|sole|just|merely|nothing but|none other|alone|limited to|no other|unique(?:ly)?|purely|except|unless|never|another|single|one|sole|no)\b", re.IGNORECASE)  # fmt: skip
_CLAIMS_ONLY = re.compile(
    r"\b(?:(?<!not )only|solely|exclusively)\b(?! (?:\d|after|when|if|the|one|two|three|four|five|six|seven|ten|a few|about|around))",
    re.IGNORECASE,
)
_EXCEPTION = re.compile(
    r"\b(?:except(?:ing)?(?: (?:for|in|on|at|with|by|to|that|when|where))?|excluding|excludes?|excluded|other than|apart from"
    r"|aside from|with the exceptions? of|save for)\b",
    re.IGNORECASE,
)
_SCOPE_ENDS = re.compile(
    r"[.;:()]|,(?= (?:and|but|which|who|while)\b)"
    r"|\b(?:may|must|can|cannot|could|shall|should|will|would|might|is|are|was|were|be|has|have|had|do|does|did)\b",
    re.IGNORECASE,
)
"""Where what is excepted ends: its clause's edge, or the verb of "All staff except apprentices may park"."""
_ONLY_ON = re.compile(
    r"\bonly (?:if|with|when|whenever|while|after|before|where|upon|once|under|until|by|provided|on|in|for|at|during|from)\b",
    re.IGNORECASE,
)
_PERMITS = re.compile(
    r"\b(?:may|can|could|must|shall|should|will|would|is|are|was|were|be|been) (?:\w+ )?|\b(?:allow|permit|entitle)",
    re.IGNORECASE,
)
_ADDS = re.compile(r"\b(?:also|too|as well|additionally)\b", re.IGNORECASE)
_DENIES = re.compile(
    r"\b(?:no|not|none|nobody|never|nothing|cannot|without|neither|nor)\b|\bno one\b|n['’]t\b", re.IGNORECASE
)
_WHOLE = re.compile(
    r"\b(?:all|every|everyone|everybody|everything|each|always|no|none|never|nobody|nothing)\b", re.IGNORECASE
)
_MOST = re.compile(r"\b(?:most|majority(?: of)?|nearly all|almost all)\b(?: of)?(?: the)?", re.IGNORECASE)
_MANY = re.compile(r"\b(?:most|many|all|majority(?: of)?|nearly all|almost all)\b(?: of)?(?: the)?", re.IGNORECASE)
_SOME_ONLY = re.compile(
    r"\b(?:some|several|a few|few|certain|minority(?: of)?|hardly any)\b(?: of)?(?: the)?", re.IGNORECASE
)
_FEW = re.compile(r"(?<!\ba )(?<!quite a )\b(?:few|hardly any|minority(?: of)?)\b(?: of)?(?: the)?", re.IGNORECASE)
_NOT_ALL = re.compile(r"\bnot (?:all|every|always)\b", re.IGNORECASE)
_CLAIMS_ALL = re.compile(r"\b(?:all|every|always)\b(?! of which| in all)", re.IGNORECASE)


def overstated(claim: str, evidence: str) -> tuple[str, str] | None:
    """A quantifier of the claim that the evidence does not bear: "all" for "some", "only" for none; None when fine.

    >>> overstated("All staff work from home.", "Most staff work from home.")
    ('all', 'most')
    """
    every = _CLAIMS_ALL.search(_NOT_ALL.sub(" ", claim))
    if every and (some := _limited(every, claim, evidence)):
        return every[0].lower(), some
    if amount := _other_amount(claim, evidence, _MOST, _SOME_ONLY) or _other_amount(claim, evidence, _FEW, _MANY):
        return amount
    only = _CLAIMS_ONLY.search(claim)
    if only and not _ONLY.search(evidence):
        return only[0].lower(), "no such limit"
    return None


def _other_amount(claim: str, evidence: str, ours: re.Pattern[str], theirs: re.Pattern[str]) -> tuple[str, str] | None:
    """An amount of the claim where the evidence has another one of the same things: "most patients", "few patients"."""
    mine = ours.search(claim)
    if not mine or ours.search(evidence):
        return None
    counted = _next_word(claim, mine.end())
    other = next((m for m in theirs.finditer(evidence) if counted and _next_word(evidence, m.end()) == counted), None)
    return (mine[0].lower(), other[0].lower()) if other else None


def _next_word(text: str, start: int) -> str:
    m = re.match(r"\s*(\w+)", text[start : start + 40])
    return stem(m[1]) if m else ""


def excepted(claim: str, evidence: str) -> tuple[str, str] | None:
    """A word of the claim and the exception or limit of the evidence that it passes over; None when there is none.

    It speaks where the claim is about what the evidence excepts, says of all what the evidence says of all but some, or
    leaves out the condition after "only". A claim that makes an exception or a denial of its own is not judged.

    >>> excepted("The plan covers dental care.", "The plan covers everything except dental care.")
    ('dental', 'except dental care')
    >>> excepted("Visitors may enter the lab.", "Visitors may enter the lab only with an escort.")
    ('visitors', 'only with an escort')
    """
    if _EXCEPTION.search(claim) or not (_EXCEPTION.search(evidence) or _ONLY_ON.search(evidence)):
        return None
    wanted = [w for w in read(claim).words if w.matter]
    keys = {w.key for w in wanted}
    denied = _DENIES.search(claim)
    for span in sentences(evidence):
        sentence = span.of(evidence)
        for m in _EXCEPTION.finditer(sentence):
            scope, rest = _parted(sentence, m)
            elsewhere = _keys(rest) | _keys(evidence[: span.start]) | _keys(evidence[span.end :])
            inside = [w for w in wanted if w.key in _keys(scope) and w.key not in elsewhere]
            main = keys - _keys(scope)
            about = len(main & _keys(rest))
            if (
                inside
                and about
                and about >= ALIKE * len(main)
                and not denied
                and not _DENIES.search(rest)
                and not _ADDS.search(rest)
            ):
                return inside[0].text, " ".join((m[0] + " " + scope).split())
            whole = _WHOLE.search(claim)
            if whole and not inside and _WHOLE.search(rest) and about >= 2 and about >= ALIKE * len(keys):  # noqa: PLR2004
                return whole[0].lower(), " ".join((m[0] + " " + scope).split())
        only = _ONLY_ON.search(sentence)
        if (
            only
            and not denied
            and not re.search(r"\bonly\b", claim, re.IGNORECASE)
            and _PERMITS.search(sentence[: only.start()])
        ):
            scope, rest = _parted(sentence, only)
            said = [w for w in wanted if w.key in _keys(rest)]
            if len(said) >= 2 and len(said) >= WHOLLY * len(keys) and not keys & (_keys(scope) - _keys(rest)):  # noqa: PLR2004
                return said[0].text, " ".join((only[0] + " " + scope).split())
    return None


def _parted(sentence: str, marker: re.Match[str]) -> tuple[str, str]:
    """What the exception reaches, and the sentence without it."""
    opens = not sentence[: marker.start()].strip("\"'“‘(- ")
    ends = re.compile(r",").search(sentence, marker.end()) if opens else _SCOPE_ENDS.search(sentence, marker.end())
    end = ends.start() if ends else len(sentence)
    return sentence[marker.end() : end], sentence[: marker.start()] + " " + sentence[end:]


@lru_cache(maxsize=2048)
def _keys(text: str) -> frozenset[str]:
    return frozenset(w.key for w in read(text).words if w.matter)


def _limited(every: re.Match[str], claim: str, evidence: str) -> str | None:
    """The limit that the evidence puts on what the claim says of all, in a sentence about the same things."""
    wanted = {w.key for w in read(claim).words if w.matter}
    after = _following(claim, every.end())
    for span in sentences(evidence):
        sentence = span.of(evidence)
        if _ALL.search(sentence):
            continue
        some = _SOME.search(sentence)
        if some and after & _following(sentence, some.end()):
            return some[0].lower()
        limit = _LIMIT.search(sentence)
        common = len(wanted & {w.key for w in read(sentence).words if w.matter})
        if limit and common >= 2 and common >= ALIKE * len(wanted):  # noqa: PLR2004 - two words make a common subject
            return limit[0].lower()
    return None


def _following(text: str, start: int) -> set[str]:
    return {stem(w) for w in re.findall(r"\w+", text[start : start + 40])[:4] if w.lower() not in STOPWORDS}
