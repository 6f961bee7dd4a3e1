"""A claim's subject and the sentence it is held against: whether that speaks of it, and says it of it. Pure."""

from __future__ import annotations

import re

from rag_core.text.terms import terms

NEAR = 4
"""Content words before "which" among which that must be that it speaks of."""
SHARE = 0.6
"""Of what the claim says of its subject: so much of it in the clause, and it is the clause that says it."""

REACH = 12
"""Words after an "and" among which the claim's next word is looked for."""
LEFT_OUT = 2
"""Content words: one may be an adjective that nobody misses, two are somebody else."""

_MEASURES = frozenset(
    terms(
        "number amount name length date time day year cost price rate limit title age size total sum duration period "
        "half third quarter lot couple dozen range set member group series variety use copy piece form "
        "kind type purpose aim reason rest part end beginning maximum minimum majority level value figure share percent"
    )
)
"""What a sentence says without the word: "25 days" is the number of days."""

_JOINS = frozenset({"and", "or"})
_WORD = re.compile(r"\w+")
_WHICH = re.compile(r",\s+which\s+(?P<says>[^.;!?]+)", re.IGNORECASE)
_SAYS = re.compile(r"\b(?:is|are|was|were|has|have|had|will|must|may|can|shall|should|does|do|did)\b", re.IGNORECASE)
_IS = re.compile(r"\b(?:is|are|was|were)\b", re.IGNORECASE)


def foreign(claim: str, sentence: str) -> bool:
    """Whether the claim says what something *is* of which the sentence has no word.

    Of "the boss of the firm" it is the boss that must be there; of "the number of days", the days.

    >>> foreign("The boss of the firm is Ingrid Solvay.", "Write to Ingrid Solvay, the firm's Head of People.")
    True
    >>> foreign("The Head of People is Ingrid Solvay.", "Write to the Head of People, Ingrid Solvay.")
    False
    """
    verb = _IS.search(claim)
    if verb is None:
        return False
    head, _, rest = claim[: verb.start()].partition(" of ")
    subject = {*terms(head)} - _MEASURES or {*terms(rest)}
    return bool(subject) and not subject & {*terms(sentence)}


def of_its_part(claim: str, sentence: str) -> bool:
    """Whether one says of a thing what the other says of something of it: "a mentor" for "the list of mentors".

    >>> of_its_part("A mentor is kept by Rufus Adair.", "The list of mentors is kept by Rufus Adair.")
    True
    >>> of_its_part("The list is kept by Rufus Adair.", "The list of mentors is kept by Rufus Adair.")
    False
    """
    ours, theirs = _SAYS.search(claim), _SAYS.search(sentence)
    if ours is None or theirs is None or ours[0] != theirs[0]:
        return False
    said = set(terms(claim[ours.end() :]))
    if len(said) < LEFT_OUT or len(said & set(terms(sentence[theirs.end() :]))) < SHARE * len(said):
        return False
    subjects = claim[: ours.start()], sentence[: theirs.start()]
    for whole, other in (subjects, subjects[::-1]):
        head, of, owner = whole.partition(" of ")
        named = set(terms(other))
        if of and named and named == set(terms(owner)) and {*terms(head)} - _MEASURES - named:
            return True
    return False


def misplaced(claim: str, sentence: str) -> bool:
    """Whether the claim says of one thing what a clause with "which" says of the thing that stands right before it.

    >>> page = "The day in lieu is not given for work on Herring Monday, which is paid at double the hourly rate."
    >>> misplaced("The day in lieu is paid at double the hourly rate.", page)
    True
    >>> misplaced("Work on Herring Monday is paid at double the hourly rate.", page)
    False
    """
    clause, verb = _WHICH.search(sentence), _SAYS.search(claim)
    if clause is None or verb is None or _WHICH.search(claim):
        return False
    before = terms(sentence[: clause.start()])
    subject, said = set(terms(claim[: verb.start()])), set(terms(claim[verb.end() :])) - set(before)
    if not subject or not said:
        return False
    of_the_clause = len(said & set(terms(clause["says"]))) / len(said)
    return of_the_clause >= SHARE and not subject & set(before[-NEAR:])


def runs_together(claim: str, sentence: str) -> bool:
    """Whether the claim says in one what the sentence says of two: it leaves out who the second is, after an "and".

    >>> page = "It rings the safety officer by day and the Withy Point station by night."
    >>> runs_together("It rings the safety officer by day and night.", page)
    True
    >>> runs_together("It rings the safety officer by day and the Withy Point station by night.", page)
    False
    """
    ours, theirs = _WORD.findall(claim.casefold()), _WORD.findall(sentence.casefold())
    joins = {theirs[i - 1]: i for i in range(1, len(theirs)) if theirs[i] in _JOINS}
    for i in range(1, len(ours) - 1):
        at = joins.get(ours[i - 1])
        if ours[i] not in _JOINS or at is None:
            continue
        left_out = theirs[at + 1 : at + 1 + REACH]
        if ours[i + 1] in left_out and len(terms(" ".join(left_out[: left_out.index(ours[i + 1])]))) >= LEFT_OUT:
            return True
    return False
