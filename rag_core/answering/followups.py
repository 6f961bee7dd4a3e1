"""A question and the turns before it to a question that stands alone, by rules and without a model. Pure.

"What about contractors?" asks nothing by itself. What is missing is taken from the last turn: the question, with what
the new one names in the place of its like; what a pronoun stands for; or what a lone "Why?" asks about. A question that
says enough is left as it is: nothing is worse than an answer to something that nobody asked.
"""

# ruff: noqa: RUF001 - the apostrophe of real questions

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence

from rag_core.answering.antecedents import CAPITALS, DAY, MONTH, SUBJECT, VERB, topic_of
from rag_core.text.terms import terms
from rag_core.types import Answer, Exchange

LONGEST = 500
"""Characters of a question that stands alone; one that would grow beyond is left as it was asked."""
BEFORE_PRONOUN = 1
"""Content words that may stand before a pronoun which means something of the turn before: after more of them, as in
"how long is probation, and can it be extended", it means one of those."""
FRAGMENT = 4
"""Words of a phrase, after "what about" or alone, that is no question by itself."""

_FLAGS = re.IGNORECASE | re.VERBOSE
_ABOUT = re.compile(
    r"""^(?:(?:and|but|so|ok(?:ay)?|then)[,\s]+)*
    (?:(?:what|how)\s+(?:about|of|if\s+it\s+(?:is|was))|same\s+for)\s+(?P<rest>.+)$""",
    _FLAGS,
)
_TRAILING = re.compile(r"[,\s]+(?:then|too|as\s+well|please)$", re.IGNORECASE)
_AND = re.compile(r"^(?:and|or|but|also|then)[,\s]+(?P<rest>.+)$", _FLAGS)
_ALONE = re.compile(
    r"""^(?:and\s+|but\s+|so\s+)?(?P<word>why(?:\s+not)?|when|where|who|whom|how|how\s+(?:long|much|many|often|far|so|come)
    |(?:since|until|from|by)\s+(?:when|whom?)|by\s+whom|to\s+whom|which(?:\s+ones?)?|on\s+(?:what|which)\s+page
    |says\s+who)$""",
    _FLAGS,
)
_PREPOSITION = re.compile(
    r"^(?P<word>for|in|at|on|during|from|by|with|without|under|over|after|before|since|until|to|of|as)\s+",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"\b(?P<word>it|its|they|them|their|theirs|he|him|his|she|her|hers|this|that|these|those|there|one|ones)\b",
    re.IGNORECASE,
)
_MEANT = re.compile(
    r"(?:^|\b(?:is|are|was|were|does|do|did|can|has|will|for|in|at|on|by|with|under|over|about|after|before|of|to))\s*$",
    re.IGNORECASE,
)
"""Before "that", where it is no conjunction."""
_POSSESSIVE = frozenset({"its", "their", "his"})
_POINTING = frozenset({"this", "that", "these", "those"})
"""With a noun after them they say themselves what they mean: "that policy"; only the noun's owner is missing."""

_YEAR = re.compile(r"\b(?:FY\s?)?(?:1[89]|20)\d\d\b", re.IGNORECASE)
_NUMBERED = re.compile(r"\b(?P<noun>[A-Za-z]{3,})\s+(?P<number>\d+[A-Za-z]?|[A-Z]|[IVX]+)\b")
"""A thing that is told from its like by a number: "grade 3"."""
_NO_THINGS = frozenset({"than", "least", "most", "about", "over", "under"})
_BARE_NUMBER = re.compile(r"^\d+[A-Za-z]?$")


def standalone(question: str, history: Sequence[Exchange]) -> str:
    """The question as it would be asked without the turns before it; itself where it needs none of them.

    >>> last = Exchange("How many days of leave do employees get?", "Employees get 25 days.")
    >>> standalone("What about contractors?", [last])
    'How many days of leave do contractors get?'
    >>> standalone("Why?", [last])
    'Why: how many days of leave do employees get?'
    >>> standalone("When is payday?", [last])
    'When is payday?'
    """
    asked = " ".join(question.split())
    if not history or not asked:
        return question
    last = history[-1]
    bare = asked.rstrip("?!. ")
    made = _lone(bare, last) or _exchanged(bare, last) or _resolved(asked, history)
    return made if made is not None and len(made) <= LONGEST else question


async def conversed(questions: Sequence[str], ask: Callable[[str, Sequence[Exchange]], Awaitable[Answer]]) -> Answer:
    """The answer to the last of the questions, each of which is asked after the turns before it."""
    *before, last = questions
    history: list[Exchange] = []
    for question in before:
        history.append(turn_of(await ask(question, history)))
    return await ask(last, history)


def turn_of(answer: Answer) -> Exchange:
    """What a later question may follow up on."""
    return Exchange(answer.standalone or answer.question, answer.text)


def is_question(made: str) -> bool:
    """Whether what a model made of a question can be one: a line of it, and not a page."""
    return bool(made.strip()) and len(made) <= LONGEST and "\n" not in made.strip()


def _lone(bare: str, last: Exchange) -> str | None:
    """A question word alone asks it of all that the last question asked."""
    found = _ALONE.match(bare)
    if found is None:
        return None
    word = found["word"]
    return f"{word[:1].upper()}{word[1:].lower()}: {_lowered(_stem(last.question))}?"


def _exchanged(bare: str, last: Exchange) -> str | None:
    """The last question, with a phrase that is no question by itself in the place of its like."""
    found = _ABOUT.match(bare)
    if found is None:
        found = _AND.match(bare)
        phrase = found["rest"] if found else bare
        if len(phrase.split()) > FRAGMENT or VERB.search(phrase) or (found is None and not _PREPOSITION.match(phrase)):
            return None
    phrase = _TRAILING.sub("", found["rest"] if found else _lowered(bare))
    if VERB.search(phrase) and len(phrase.split()) > FRAGMENT:
        return None
    before = _stem(last.question)
    for made in (_like(phrase, before), _after_preposition(phrase, before), _subject(phrase, before)):
        if made is not None:
            return f"{made}?"
    joined = phrase if _PREPOSITION.match(phrase) else f"for {phrase}"
    return f"{before} {joined}?"


def _like(phrase: str, before: str) -> str | None:
    """Years for years, months for months, grade 4 for grade 3, dental care for eye care, a name for the last name."""
    core = _PREPOSITION.sub("", phrase)
    for pattern in (_YEAR, MONTH, DAY):
        new, old = pattern.search(core), list(pattern.finditer(before))
        if new and old:
            return _put(before, old[-1].span(), new[0])
    numbered = [m for m in _NUMBERED.finditer(before) if m["noun"].lower() not in _NO_THINGS]
    if _BARE_NUMBER.match(core) and numbered:
        return _put(before, numbered[-1].span("number"), core)
    thing = _NUMBERED.search(core)
    for like in reversed(numbered):
        if thing and _same_noun(like["noun"], thing["noun"]):
            return _put(before, like.span(), thing[0])
    *kind, noun = core.split()
    if kind and (other := re.search(rf"\b[\w'’-]+\s+{re.escape(noun)}\b", before, re.IGNORECASE)):
        return _put(before, other.span(), core)
    names = list(CAPITALS.finditer(before))
    if names and core[:1].isupper() and not _PREPOSITION.match(phrase):
        return _put(before, names[-1].span(), core)
    return None


def _after_preposition(phrase: str, before: str) -> str | None:
    """What stands after the same preposition in the last question gives way: "in Bergen" to "in Lisbon"."""
    found = _PREPOSITION.match(phrase)
    if found is None:
        return None
    old = list(
        re.finditer(
            rf"\b{found['word']}\s+(?:(?:the|an?|our|my)\s+)?[\w'’-]+(?:\s+[A-Z][\w'’-]*)*", before, re.IGNORECASE
        )
    )
    return _put(before, old[-1].span(), phrase) if old else None


def _subject(phrase: str, before: str) -> str | None:
    """Whoever does it in the last question gives way: "do employees get" to "do contractors get"."""
    if _PREPOSITION.match(phrase):
        phrase = _PREPOSITION.sub("", phrase)
    found = SUBJECT.search(before)
    if found is None:
        return None
    return _put(before, found.span("subject"), phrase)


def _resolved(asked: str, history: Sequence[Exchange]) -> str | None:
    """The question with its first pronoun replaced by what the turns before name."""
    for found in _PRONOUN.finditer(asked):
        word, after = found["word"].lower(), asked[found.end() :]
        if len(terms(asked[: found.start()])) > BEFORE_PRONOUN:
            return None
        if _exists(asked, found):
            continue
        if word == "that" and not _MEANT.search(asked[: found.start()]):
            continue  # a conjunction
        if word == "it" and re.match(r"\s+(?:rains?|snows?|true|possible|allowed\s+to|necessary\s+to)\b", after):
            continue  # it means nothing
        topic = next(filter(None, (topic_of(turn, word) for turn in reversed(history))), None)
        if topic is None:
            return None
        return asked[: found.start()] + _in_place(word, topic, after) + after
    return None


def _exists(asked: str, found: re.Match[str]) -> bool:
    """Whether "there" only says that something is: "Is there a canteen"."""
    return (
        found["word"].lower() == "there"
        and re.search(r"\b(?:is|are|was|were)\s+$", asked[: found.start()], re.IGNORECASE) is not None
    )


def _in_place(word: str, topic: str, after: str) -> str:
    if word in _POSSESSIVE or (word == "her" and re.match(r"\s+\w", after)):
        return f"{topic}’" if topic.endswith("s") else f"{topic}’s"
    if word in _POINTING and re.match(r"\s+[a-z]{3,}", after) and not VERB.match(after.strip()):
        return f"{word} ({topic})" if len(terms(topic)) else word
    if word == "there":
        return f"at {topic}"
    return topic


def _stem(question: str) -> str:
    return " ".join(question.split()).rstrip("?!. ")


def _lowered(text: str) -> str:
    """With a small letter first, unless its first word is spelled with capitals."""
    first = text.split(" ", 1)[0]
    return text if first[1:] != first[1:].lower() else text[:1].lower() + text[1:]


def _put(text: str, at: tuple[int, int], new: str) -> str:
    return text[: at[0]] + new + text[at[1] :]


def _same_noun(one: str, other: str) -> bool:
    return one.lower().rstrip("s") == other.lower().rstrip("s")
