"""The names of people, places, organisations and products in a claim, and whether a text has them. Pure.

A name is found whatever its case, accents, possessive or title, as an acronym of what the text spells out, or the other
way round. English capitalisation is all that tells a name from a word here, so the first word of a sentence counts only
when a second one follows it.
"""

# ruff: noqa: RUF001 - apostrophes of real pages

from __future__ import annotations

import itertools
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from rag_core.checking.alignment import STOPWORDS
from rag_core.text.dates import MONTHS, WEEKDAYS
from rag_core.text.sentences import sentences

_TITLES = frozenset({
    "mr", "mrs", "ms", "dr", "prof", "professor", "sir", "lord", "lady", "president", "senator", "minister", "king",
    "queen", "prince", "princess", "chairman", "ceo", "captain", "general", "colonel", "director", "chief", "officer",
    "secretary", "governor", "judge", "justice", "mayor", "inc", "ltd", "co", "corp", "llc", "plc", "company", "the",
    "fc", "afc", "cf", "ag", "gmbh", "sa", "nv", "bv", "se", "ab", "oy", "group", "holdings", "limited", "incorporated",
    "corporation", "saint", "st", "jr", "sr",
})  # fmt: skip
_TERMS = frozenset({
    "party", "parties", "agreement", "contract", "information", "confidential", "recipient", "receiving", "disclosing",
    "discloser", "company", "employee", "employees", "employer", "buyer", "seller", "supplier", "customer", "customers",
    "client", "tenant", "landlord", "lender", "borrower", "licensee", "licensor", "contractor", "board", "committee",
    "policy", "plan", "schedule", "annex", "appendix", "article", "clause", "part", "type", "phase", "grade", "class",
    "level", "stage", "step", "item", "note", "term", "terms", "effective", "date", "data", "services", "service",
    "product", "products", "materials", "representatives", "affiliates", "notice", "law", "act", "document", "report",
    "spring", "summer", "autumn", "fall", "winter", "north", "south", "east", "west", "internet", "web", "earth", "sun",
    "moon", "god", "celsius", "fahrenheit", "diabetes", "cell", "cells", "protein", "gene",
})  # fmt: skip
"""Common nouns that documents write with a capital: a name made of these alone names nobody."""

_NATIONS = (
    "france french frenchman frenchmen", "germany german germans", "spain spanish spaniard spaniards",
    "netherlands dutch holland", "britain british briton britons brit uk", "scotland scottish scots scot",
    "ireland irish", "wales welsh", "england english englishman", "denmark danish dane danes",
    "turkey turkish turk turks", "greece greek greeks", "poland polish pole poles", "switzerland swiss",
    "sweden swedish swede swedes",
    "america american americans us usa", "peru peruvian", "norway norwegian norwegians", "thailand thai",
    "czechia czech", "portugal portuguese", "belgium belgian belgians", "finland finnish finn finns",
    "iceland icelandic", "europe european europeans eu", "philippines filipino filipinos", "iraq iraqi iraqis",
    "israel israeli israelis", "pakistan pakistani pakistanis", "nepal nepali", "yemen yemeni", "kuwait kuwaiti",
    "qatar qatari", "bangladesh bangladeshi", "somalia somali somalis", "kurdistan kurd kurds kurdish",
    "wwi ww1", "wwii ww2",
)  # fmt: skip
_NATION = {word: line.split()[0] for line in _NATIONS for word in line.split()}
"""Peoples and their tongues by country: what no ending tells."""

_OF_A_PEOPLE = re.compile(r"(?:ians?|ans?|ese|ish)$")
_OF_A_LAND = re.compile(r"(?:ia|y|a)$")

_SHORT_FORMS = (
    "william bill will billy", "robert bob rob bobby", "richard dick rick", "james jim jimmy", "john jack johnny",
    "charles chuck charlie", "edward ted ed ned", "margaret maggie peggy meg", "elizabeth liz beth betty lizzy",
    "thomas tom tommy", "michael mike mick", "anthony tony", "catherine kate cathy", "katherine kate kathy",
    "joseph joe", "henry harry hank", "alexander alex sandy", "patricia pat patty", "lawrence larry", "dorothy dot",
)  # fmt: skip
_GIVEN = {short: line.split()[0] for line in _SHORT_FORMS for short in line.split()}
_SHORTEST_FORM = 3
_NOT_NAMES = (
    frozenset(MONTHS) | frozenset(WEEKDAYS) | STOPWORDS | {"i", "table", "figure", "section", "page", "chapter"}
)
_CAPITALISED = r"(?:[A-Z][\w&'’.-]*\w|[A-Z])"
_NAME = re.compile(rf"(?<!\w){_CAPITALISED}(?:[ ](?:(?:of|the|de|la|von|van|der|&)[ ])*{_CAPITALISED})*")
_WORD = re.compile(r"[\w&]+")
_PERIOD = re.compile(r"[qh][1-4]|fy\d*")
_SHORTEST_ACRONYM = 2
_LONGEST_ACRONYM = 6
_TITLE_WORDS = 3
"""Two capitalised words may be a name; so many, and no other, are a heading."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name as a text has it, and the folded words that it can be known by."""

    text: str
    parts: tuple[str, ...]
    subject: bool
    """It opens its sentence: a text may speak of it by a pronoun."""


@dataclass(frozen=True, slots=True)
class Swap:
    """A name of the claim that the evidence lacks, and what it has in that place, when that can be told."""

    name: Name
    instead: str = ""


@lru_cache(maxsize=50_000)
def fold(text: str) -> str:
    """Without case, accents, possessive and the marks inside it: "Müller's" and "MULLER" are one."""
    plain = unicodedata.normalize("NFKD", text.replace("’", "'"))
    return re.sub(r"'s\b|[.'-]", "", "".join(c for c in plain if not unicodedata.combining(c))).casefold()


def names(text: str) -> list[Name]:
    """The names of `text`, in order.

    >>> [n.text for n in names("In May, Dr. Ana Müller of the World Bank met IBM's Smith.")]
    ['Ana Müller of the World Bank', "IBM's Smith"]
    """
    found: list[Name] = []
    for span in sentences(text):
        sentence = span.of(text)
        if _is_title_case(sentence):
            continue
        for m in _NAME.finditer(sentence):
            before = sentence[: m.start()].rstrip("\"'“‘(*_- ")
            opens = not before or before[-1] in ":•"
            if sentence[m.start() - 1 : m.start()] == "(" and re.match(r"\w+\)", sentence[m.start() :]):
                continue  # an abbreviation that is introduced
            words = m[0].split(" ")
            while words and (fold(words[0]) in _TITLES or fold(words[0]) in _NOT_NAMES):
                words = words[1:]
                opens = False
            while words and (fold(words[-1]) in _NOT_NAMES or fold(words[-1]) in _TITLES):
                words = words[:-1]
            if not words or (opens and len(words) == 1 and not re.match(r"[A-Z]{2}|\w+[A-Z]", words[0])):
                continue
            parts = tuple(
                p
                for w in words
                for half in _halves(w)
                if len(p := fold(half)) > 1 and p not in _TITLES and p not in _NOT_NAMES
            )
            if parts and not all(p in _TERMS or _PERIOD.fullmatch(p) for p in parts):
                found.append(Name(" ".join(words), parts, opens))
    return found


def _halves(word: str) -> list[str]:
    """The parts that it is known by: "RAS" of "RAS-driven", both of "Sinn-Fein"."""
    return [h for h in word.split("-") if h[:1].isupper()] or [word]


def missing(claim: str, evidence: str) -> list[Swap]:
    """The names of `claim` that `evidence` has in no form.

    >>> [s.name.text for s in missing("The bank hired Ana Silva in Lima.", "A. Silva was hired by the bank in Lima.")]
    []
    >>> [(s.name.text, s.instead) for s in missing("It hired Ana Silva.", "It hired Rui Silva.")]
    [('Ana Silva', 'Rui Silva')]
    """
    words = [fold(w) for w in _WORD.findall(evidence.replace("’", "'").replace("'s", ""))]
    there = frozenset(words) | frozenset(a + b for a, b in itertools.pairwise(words)) | _hyphenated(evidence)
    acronyms = _acronyms(evidence)
    initials = _initials(evidence)
    common = _lower_case(claim) | _lower_case(evidence)
    lost: list[Swap] = []
    for name in names(claim):
        if all(p in common for p in name.parts):
            continue
        absent = [p for p in name.parts if not (_known(p, there, acronyms) or _same_land(p, there))]
        absent = [p for p in absent if not (_is_shouted(p, name) and _abbreviates(p, initials))]
        if not absent or _spelled_out(name, there):
            continue
        if len(absent) == len(name.parts):
            lost.append(Swap(name))
        elif instead := _other_bearer(name, absent, evidence):
            lost.append(Swap(name, instead))
    return lost


def _lower_case(text: str) -> frozenset[str]:
    """Words that stand without a capital somewhere: a term such as "the Agreement" is no name."""
    return frozenset(re.findall(r"\b[a-z]{3,}\b", text)) if not text.islower() else frozenset()


def _hyphenated(text: str) -> frozenset[str]:
    return frozenset(fold(w) for w in re.findall(r"\b\w+(?:[-.'’&]\w+)+", text))


def _known(part: str, there: frozenset[str], acronyms: frozenset[str]) -> bool:
    if part in there or part in acronyms:
        return True
    if len(part) <= _SHORTEST_ACRONYM:
        return any(w.startswith(part) for w in there) if len(part) == 1 else False
    stems = (part.rstrip("s"), part.removesuffix("es"), part + "s", part + "es")
    if any(s in there for s in stems):
        return True
    root = part[: max(5, len(part) - 3)]
    return len(part) > 5 and any(w.startswith(root) for w in there)  # noqa: PLR2004 - "Canadian" is "Canada"


def _same_land(part: str, there: frozenset[str]) -> bool:
    """Whether the text has the country of a people, or the people of a country: "Italian" and "Italy"."""
    if part in _NATION:
        return any(_NATION.get(word) == _NATION[part] for word in there)
    people = _OF_A_PEOPLE.sub("", part)
    if people != part:
        return len(people) >= _SHORTEST_ROOT and any(_OF_A_LAND.sub("", word) == people for word in there)
    land = _OF_A_LAND.sub("", part)
    return len(land) >= _SHORTEST_ROOT and any(
        word != part and _OF_A_PEOPLE.search(word) and _OF_A_PEOPLE.sub("", word) == land for word in there
    )


_SHORTEST_ROOT = 4


def _is_shouted(part: str, name: Name) -> bool:
    return part.rstrip("s").upper() in name.text


@lru_cache(maxsize=256)
def _initials(text: str) -> str:
    """The first letters of the words of a text, those of form left out."""
    return "".join(w[0] for w in map(fold, _WORD.findall(text)) if w and w not in STOPWORDS)


def _abbreviates(part: str, initials: str) -> bool:
    """Whether three letters or more stand for a run of words that the text writes small: "ORFs"."""
    letters = part.rstrip("s")
    return _SURE_ACRONYM <= len(letters) <= _LONGEST_ACRONYM and letters.isalpha() and letters in initials


_SURE_ACRONYM = 3
"""Two letters are the initials of some words or other of any text."""


def _acronyms(text: str) -> frozenset[str]:
    """The initials of every run of capitalised words in `text`."""
    found = set()
    for m in re.finditer(r"\b[A-Z]\w*(?:[ -](?:(?:of|the|and|for|in|on|de)[ ])*[A-Z]\w*)+", text):
        initials = [w[0] for w in re.findall(r"[A-Z]\w*", m[0])]
        for i in range(len(initials)):
            for j in range(i + _SHORTEST_ACRONYM, min(len(initials), i + _LONGEST_ACRONYM) + 1):
                found.add("".join(initials[i:j]).casefold())
    return frozenset(found)


def _spelled_out(name: Name, there: frozenset[str]) -> bool:
    """Whether the text has the acronym of the name: "World Health Organization" as "WHO"."""
    initials = "".join(re.findall(r"\b[A-Z]", name.text)).casefold()
    return len(initials) >= _SHORTEST_ACRONYM and initials in there


def _other_bearer(name: Name, absent: list[str], evidence: str) -> str:
    """Another name that shares a word with it: "Rui Silva" for "Ana Silva", "Lake Orsa" for "Lake Siljan"."""
    if len(name.parts) != 2 or len(absent) != 1:  # noqa: PLR2004 - a first and a last name
        return ""
    first, last = name.parts
    for m in re.finditer(rf"(?=\b({_CAPITALISED}) (?:{_CAPITALISED} )?({_CAPITALISED}))", evidence):
        one, two = fold(m[1]), fold(m[2])
        if two == last and _same_given(first, one):
            return ""
    for m in re.finditer(rf"(?=\b({_CAPITALISED}) (?:of (?:the )?)?({_CAPITALISED}))", evidence):
        one, two = fold(m[1]), fold(m[2])
        shares = (two == last and one not in _TITLES and one[0] != first[0]) or (one == first and two not in _TITLES)
        if shares:
            return f"{m[1]} {m[2]}"
    return ""


def _same_given(a: str, b: str) -> bool:
    """Whether two first names may be one: "Tim" and "Timothy", "Bill" and "William"."""
    short, long = sorted((a, b), key=len)
    return (len(short) >= _SHORTEST_FORM and long.startswith(short)) or _GIVEN.get(a, a) == _GIVEN.get(b, b)


def _is_title_case(sentence: str) -> bool:
    """Whether capitals mean nothing here: a heading, or shouting."""
    long = re.findall(r"[^\W\d_]{4,}", sentence)
    return sentence[-1] not in ".?!" and len(long) >= _TITLE_WORDS and all(w[0].isupper() for w in long)
