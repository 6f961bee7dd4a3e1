"""A page's own sentences, each made untrue in one way by rule: what no writer may be believed in. Pure.

A rule speaks only where its change makes the sentence say what the page does not: so a few rules leave most sentences
alone, and what they make needs no person to label it. What comes out may read oddly; a small model's drafts do, too.
Beside them stand true ones, changed in ways that change nothing.
"""

# ruff: noqa: E501, RUF001 - one family of words a line; the characters of real pages

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rag_core.text.quantities import quantities
from rag_core.text.quantity import Quantity
from rag_core.text.sentences import is_table_row, sentences

SHORTEST, LONGEST = 6, 40
"""Words of a sentence that states something and can be read at once."""
LONGEST_SUBJECT = 6
"""Words before the verb: more hold a clause of their own."""
NEIGHBOURS = 3
"""Sentences on, and back, from which a wrong subject or number is taken: a model mixes up what stands together."""

_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|must|may|can|cannot|should|shall|will|does|do)\b")
_POINTS = re.compile(
    r"\b(?:it|this|that|these|those|they|he|she|we|you|there|such|here|what|who|which|where|when|if|both|each|all|any|no|none|one|others?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Made:
    """A claim about a page, and the sentence it was made of."""

    kind: str
    claim: str
    sentence: str


Rule = Callable[[str, Sequence[str]], Iterator[str]]
"""A sentence and those near it on its page, to claims of one kind."""


def corrupted(text: str) -> Iterator[Made]:
    """The untrue claims that can be made of a page's sentences, in order; none of them is a quotation of it."""
    yield from _made(text, RULES)


def retold(text: str) -> Iterator[Made]:
    """True claims made of the same sentences, none of them a quotation."""
    yield from _made(text, TRUE_RULES)


def _made(text: str, rules: dict[str, Rule]) -> Iterator[Made]:
    found = [" ".join(span.of(text).split()) for span in sentences(text)]
    said = {_letters(sentence) for sentence in found}
    for n, sentence in enumerate(found):
        if not _states(sentence):
            continue
        near = [s for s in found[max(0, n - NEIGHBOURS) : n] + found[n + 1 : n + 1 + NEIGHBOURS] if _states(s)]
        for kind, rule in rules.items():
            for claim in dict.fromkeys(rule(sentence, near)):
                if _letters(claim) not in said:
                    yield Made(kind, claim, sentence)


def _letters(text: str) -> str:
    return re.sub(r"\W+", " ", text.casefold()).strip()


def _states(sentence: str) -> bool:
    return (
        sentence.endswith(".")
        and sentence[:1].isupper()
        and not is_table_row(sentence)
        and SHORTEST <= len(sentence.split()) <= LONGEST
        and _VERB.search(sentence) is not None
    )


# ------------------------------------------------------------------------------------------ who and what


def _parted(sentence: str) -> tuple[str, str] | None:
    """Subject, and verb with all after it; None where the subject is long or points elsewhere."""
    verb = _VERB.search(sentence)
    if verb is None:
        return None
    subject = sentence[: verb.start()].strip()
    if not 1 <= len(subject.split()) <= LONGEST_SUBJECT or _POINTS.search(subject) or re.search(r"[,;:()]", subject):
        return None
    return subject, sentence[verb.start() :]


def _matter(text: str) -> set[str]:
    return {w.casefold() for w in re.findall(r"\w{4,}", text)}


def _other_subject(sentence: str, near: Sequence[str]) -> Iterator[str]:
    mine = _parted(sentence)
    for other in near:
        theirs = _parted(other)
        if mine and theirs and not _matter(mine[0]) & _matter(theirs[0]) and not _matter(theirs[0]) & _matter(sentence):
            yield f"{theirs[0]} {mine[1]}"


def _swapped(sentence: str, _: Sequence[str]) -> Iterator[str]:
    """Who did it, and to whom, change places."""
    m = re.match(
        r"^((?:The |An? )?(?:[\w’'-]+ ){1,4})((?:must |may |can |will |should )?(?:pays?|gives?|sends?|tells?|informs?|notif(?:y|ies)|reports? to|approves?|reviews?|appoints?|provides?|submits?|requires?|asks?|signs?|owns?|oversees?|manages?|audits?|advises?|evaluates?|controls?|grants?|delegates? to)) ((?:the |an? |their |its )?(?:[\w’'-]+ ?){1,3}?)(?=[.,;]| (?:in|on|at|by|for|with|before|after|when|if|and|to|of|within|from)\b)(.*)$",
        sentence,
    )
    if m and not _POINTS.search(m[1]) and not _POINTS.search(m[3]) and not _matter(m[1]) & _matter(m[3]):
        one, two = m[1].strip(), m[3].strip()
        yield f"{two[0].upper()}{two[1:]} {m[2]} {one[0].lower()}{one[1:]}{m[4]}"


# ------------------------------------------------------------------------------------------ numbers


def _other_number(sentence: str, near: Sequence[str]) -> Iterator[str]:
    """A number of the same unit that stands near."""
    for mine in _counting(sentence):
        for other in near:
            for theirs in _counting(other):
                same = theirs.unit == mine.unit and theirs.value != mine.value
                if same and not any(q.value == theirs.value for q in quantities(sentence)):
                    yield sentence[: mine.span.start] + theirs.text + sentence[mine.span.end :]


def _exchanged(sentence: str, _: Sequence[str]) -> Iterator[str]:
    """Two numbers of one unit change places within it."""
    found = _counting(sentence)
    for a, b in pairwise(found):
        between = sentence[a.span.end : b.span.start]
        if a.unit == b.unit and a.value != b.value and len(between.split()) >= 2:  # noqa: PLR2004 - "5 to 6" is a range
            yield sentence[: a.span.start] + b.text + between + a.text + sentence[b.span.end :]


def _counting(sentence: str) -> list[Quantity]:
    return [q for q in quantities(sentence) if q.unit != "ordinal" and sentence[q.span.start].isdigit()]


_UNITS = (
    ("minutes", "hours"), ("hours", "days"), ("days", "weeks"), ("weeks", "months"), ("months", "years"), ("thousand", "million"),
    ("million", "billion"), ("kilometres", "metres"), ("miles", "metres"), ("dollars", "euros"), ("percentage points", "percent"),
    ("working days", "months"), ("calendar days", "working days"),
)  # fmt: skip
_UNIT = {one: other for a, b in _UNITS for one, other in ((a, b), (b, a))}


def _other_unit(sentence: str, _: Sequence[str]) -> Iterator[str]:
    for m in re.finditer(r"(?<=\d )(\w+(?: (?:days|points))?)\b", sentence):
        if m[1] in _UNIT:
            yield sentence[: m.start()] + _UNIT[m[1]] + sentence[m.end() :]


# ------------------------------------------------------------------------------------------ how it is said

_CONDITION = "if|unless|provided that|so long as|only if|only when|only with|only after|except|except for|other than"


def _cut(*patterns: str) -> Rule:
    """What a pattern finds is left out."""

    def rule(sentence: str, _: Sequence[str]) -> Iterator[str]:
        for pattern in patterns:
            for m in re.finditer(pattern, sentence):
                left = sentence[: m.start()].rstrip(" ,") + sentence[m.end() :]
                left = " ".join(left.split())
                if len(left.split()) >= 3 and left[0].isalpha():  # noqa: PLR2004 - what is left says something
                    yield left[0].upper() + left[1:]

    return rule


_RESTRICTED = re.compile(
    r"^(?!(?:The|These|Our|Its|Their|Some|Both|Several|Many|An?) )(?P<head>(?:(?:All|Any|No|Every|Each|Most) )?(?:[A-Z]?[a-z-]+ )?[A-Z]?[a-z]{2,}[^s\W]s|(?:Any|Every|Each|No) [a-z-]+|Anyone|Everyone|Nobody|Those|Staff|People) "
    r"(?P<only>(?:who|whose|that|with|without|under|over|below|above|on|in|from|at|working|hired|employed) [^,;:]+?) (?P<verb>(?:is|are|was|were|has|have|must|may|can|cannot|should|will|shall|do|does)\b.*)$"
)


def _unrestricted(sentence: str, _: Sequence[str]) -> Iterator[str]:
    """Of some of a kind to all of it."""
    if (m := _RESTRICTED.match(sentence)) and not _VERB.search(m["head"]):
        yield f"{'All' if m['head'] == 'Those' else m['head']} {m['verb']}"


def _changed(*pairs: tuple[str, str]) -> Rule:
    """Each pattern, where it is found first, gives way to the words beside it."""
    compiled = [(re.compile(rf"\b(?:{a})\b"), b) for a, b in pairs]

    def rule(sentence: str, _: Sequence[str]) -> Iterator[str]:
        for pattern, to in compiled:
            if pattern.search(sentence):
                made = pattern.sub(to, sentence, count=1)
                yield made[0].upper() + made[1:]

    return rule


def _both_ways(*pairs: tuple[str, str]) -> Rule:
    return _changed(*pairs, *((b, a.partition("(")[0]) for a, b in pairs))


def _joined(word: str) -> Rule:
    """One sentence given as what another follows from."""

    def rule(sentence: str, near: Sequence[str]) -> Iterator[str]:
        for other in near:
            if _parted(sentence) and _parted(other):
                yield f"{sentence[:-1]} {word} {_lowered(other)}"

    return rule


def _grafted(sentence: str, near: Sequence[str]) -> Iterator[str]:
    """What another subject does, too, is said of this one."""
    mine = _parted(sentence)
    for other in near:
        theirs = _parted(other)
        if mine and theirs and not _matter(mine[0]) & _matter(theirs[0]):
            yield f"{sentence[:-1]} and {theirs[1]}"


def _turned(sentence: str, _: Sequence[str]) -> Iterator[str]:
    """The cause becomes the effect, the condition what follows from it."""
    m = re.match(r"^(?P<first>[A-Z][^,;:]+?),? (?P<word>because|if|unless|so that|until) (?P<last>[^;:]+)\.$", sentence)
    if m and len(m["first"].split()) >= 3 and len(m["last"].split()) >= 3:  # noqa: PLR2004 - each a clause
        last = m["last"]
        yield f"{last[0].upper()}{last[1:]} {m['word']} {_lowered(m['first'])}."


def _lowered(sentence: str) -> str:
    return sentence if sentence[1:2].isupper() else sentence[0].lower() + sentence[1:]


def _denied(sentence: str, _: Sequence[str]) -> Iterator[str]:
    """The first verb denied, where nothing is."""
    if not re.search(r"\b(?:not|no|never|only|cannot|unless|except|none|neither|nor|any)\b|n['’]t\b", sentence):
        m = re.search(r"\b(?:is|are|was|were|must|may|can|should|shall|will)\b", sentence)
        if m:
            yield f"{sentence[: m.end()]} not{sentence[m.end() :]}"


def _asserted(sentence: str, _: Sequence[str]) -> Iterator[str]:
    made = re.sub(r"\bcannot\b", "can", sentence, count=1)
    if made == sentence:
        made = re.sub(
            r"\b(is|are|was|were|must|may|can|should|shall|will|has|have|does|do) not\b", r"\1", sentence, count=1
        )
    if made == sentence:
        made = re.sub(r"\b[Nn]o (?=[a-z])(?!longer|more|less|later|earlier|fewer)", "the ", sentence, count=1)
    if made != sentence:
        yield made[0].upper() + made[1:]


RULES: dict[str, Rule] = {
    "other subject": _other_subject,
    "roles swapped": _swapped,
    "number from nearby": _other_number,
    "numbers exchanged": _exchanged,
    "unit": _other_unit,
    "condition dropped": _cut(
        rf"(?<![;,:])(?<! and)(?<! but)(?<! even)(?<! only),? \b(?:{_CONDITION}) [^;]+(?=\.$)", r"^(?:If|Unless|Provided that|Except|In the event)\b[^,]+, "
    ),
    "setting dropped": _cut(r"^(?:During|When|Whenever|Once|Until|Without|Outside|For (?!example|instance|more|further|this|that|these|those|details?)|Under)\b[^,]+, (?=.*\b(?:must|may|can|cannot|should|shall)\b)"),
    "restriction dropped": _unrestricted,
    "negation dropped": _asserted,
    "negation added": _denied,
    "quantifier widened": _changed((r"[Ss]ome", "all"), (r"[Mm]ost", "all"), (r"[Mm]any", "all"), (r"[Ss]everal", "all"), (r"[Oo]ften", "always"), (r"[Uu]sually|[Nn]ormally|[Gg]enerally|[Tt]ypically", "always"), (r"[Ss]ometimes", "always"), (r"up to(?= \d)", "exactly"), (r"at least(?= \d| one| two| three)", "exactly"), (r"at least(?= \d| one| two| three)", "at most"), (r"[Oo]nly", "also")),
    "modality": _changed((r"may(?! not)", "must"), (r"can(?! not)", "must"), (r"should(?! not)", "must"), (r"must(?! not)", "may"), (r"(?:is|are) allowed to", "must"), (r"might|could", "will")),
    "tense": _changed((r"was(?= \w+ed\b)", "will be"), (r"were(?= \w+ed\b)", "will be"), (r"will be", "was"), (r"has been|have been", "will be"), (r"will(?= [a-z]+ )(?! not| be)", "did")),
    "before and after": _both_ways(("before", "after"), ("earlier", "later"), ("until", "from")),
    "comparison turned": _both_ways(("more than", "less than"), ("higher", "lower"), ("larger", "smaller"), ("longer", "shorter"), ("increased", "decreased"), ("increase", "decrease"), ("rose", "fell"), ("above", "below"), ("over(?= [0-9])", "under"), ("most", "least"), ("first", "last"), ("earliest", "latest"), ("minimum", "maximum"), ("at least", "at most")),
    "cause turned": _turned,
    "merged: because": _joined("because"),
    "merged: so": _joined(", so"),
    "merged: and": _grafted,
}  # fmt: skip
"""By kind, what makes it untrue."""


def _clipped(sentence: str, _: Sequence[str]) -> Iterator[str]:
    """Without a leading word that only joins it to the one before, or a remark in brackets."""
    made = re.sub(
        r"^(?:However|Moreover|Furthermore|In addition|Also|Therefore|Thus|For example|Additionally),? ", "", sentence
    )
    made = re.sub(r" \([^()\d]*\)", "", made)
    if made != sentence:
        yield made[0].upper() + made[1:]


def _halved(sentence: str, _: Sequence[str]) -> Iterator[str]:
    """The first or the second of two statements joined by "and", where the second has its own verb."""
    m = re.match(r"^(?P<first>[^,;:]+?),? and (?P<second>[^,;:]+)\.$", sentence)
    mine = _parted(sentence)
    if m and mine and len(_VERB.findall(m["first"])) == 1 and (verb := _VERB.match(m["second"])):
        yield m["first"] + "."
        if verb:
            yield f"{mine[0]} {m['second']}."


TRUE_RULES: dict[str, Rule] = {
    "true: clipped": _clipped,
    "true: half": _halved,
    "true: other words": _changed((r"must", "shall"), (r"may(?! not)(?= [a-z]+)", "can"), (r"in order to", "to"), (r"prior to", "before"), (r"due to", "because of"), (r"(\w+) per cent", r"\1 %"), (r"is not", "isn't"), (r"are not", "aren't"), (r"cannot", "can not"), (r"such as", "like"), (r"approximately", "about"), (r"requires", "needs"), (r"in the event of", "in case of")),
}  # fmt: skip
"""By kind, what leaves it true."""
