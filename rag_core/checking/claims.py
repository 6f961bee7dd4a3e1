"""A draft to its claims: each statement, where it stands, which passages it cites, and whether it can be checked. Pure.

Every sentence becomes a claim whether it cites anything or not: checking follows the sentences, never the markers, so a
statement cannot escape by having none. What asserts nothing (questions, headings, "I could not find…") is kept and
marked as not checkable; in doubt a sentence is checkable.
"""

# ruff: noqa: E501, RUF001 - phrases as models write them, one alternative a line

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, assert_never

from rag_core.text.sentences import sentences
from rag_core.types import Claim, Span

MOST_IN_A_RANGE = 20
"""Passages that `[1-9]` may name at once; a wider range is a page range, not a citation."""

SUBJECT_WORDS = 8
"""A subject longer than this is a sentence of its own, and would drown the fragment it is put before."""

MARKER = re.compile(
    r"(?:\[|【)[ ]?(?:\^|passages?[ ]|sources?[ ]|ref(?:erence)?s?\.?[ ]|doc(?:ument)?s?[ ])?"
    r"(?P<list>\d{1,3}(?:[ ]?(?:,|;|&|and|-|–|to)[ ]?\d{1,3})*)(?:[ ]?†[^\]】]*|[,:][ ]?p(?:p|ages?)?\.?[ ]?\d+(?:[-–]\d+)?)?[ ]?(?:\]|】)(?:\((?:#|https?:)[^)\s]*\))?",
    re.IGNORECASE,
)
"""A citation as models write it: `[1]`, `[1, 3]`, `[2-4]`, `[^1]`, `[Source 2]`, `[1, p. 3]`, `【3†source】`, `[1](#p1)`."""

_LEAD = re.compile(
    r"\b(?:according to|as (?:stated|shown|noted|described|mentioned|reported) in|as per|per|see)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*(?:[,;&]|and)?\s*")
"""What may stand between two markers of one statement."""

_EMPTY = re.compile(r"\s*\(\s*(?:see|cf\.?|from|in)?[\s,;]*\)", re.IGNORECASE)
"""Brackets that held nothing but markers."""

_PARTS = re.compile(r"\s*(?:;|,\s*(?:and|but|while|whereas)\b)\s*", re.IGNORECASE)
"""What follows a marker that ends a statement within its sentence."""

_LISTS_SOURCES = re.compile(r"^\W*(?:references|sources|citations|bibliography|works cited)\W*$", re.IGNORECASE)
_FENCE = re.compile(r"^\s*(?:```|~~~).*$", re.MULTILINE)
_RULE = re.compile(r"^\s*(?:[-*_=]\s*){3,}$|^\s*\|?(?:\s*:?-{2,}:?\s*\|?)+\s*$")
_HEADING = re.compile(
    r"(?i)^\s*(?:references|sources|citations)\s*:?\s*$|^\s*#{1,6}\s+|^\s*(?:\*\*|__)[^*_]{1,80}(?:\*\*|__)\s*:?\s*$"
)
_BULLET = re.compile(r"^\s*(?:>\s*)*(?:(?:[-*+•◦▪–—]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+)?(?:>\s*)*(?:\[[ xX]\]\s+)?")
_EMPHASIS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|`|~~|<br\s*/?>|</?(?:b|i|u|em|strong|sup|sub)>")
_LINK = re.compile(r"!?\[([^\]]+)\]\([^)]*\)")

_HEDGE = re.compile(
    r"^(?:(?:unfortunately|sorry|however|but|also|note that|i'?m sorry|i am sorry|i apologi[sz]e)[,.:; ]+(?:but )?)*(?:"
    r"i (?:could|can|did|do|was|am|have)(?:\s?n[o']?t|not)\b.*\b(?:find|locate|answer|determine|know|see|tell|sure|able|enough|verify)\b"
    r"|i (?:don'?t|do not) (?:know|have)\b|i'?m not (?:sure|certain|able)\b"
    r"|(?:there (?:is|was) (?:no|not enough|insufficient)|no|not enough|insufficient) (?:further |specific |relevant |other |additional )?"
    r"(?:information|mention|details?|data|evidence|answer)\b.*\b(?:document|passage|text|context|source|provided|excerpt|report|available|given|here)"
    r"|(?:the |these |this |your |any of the |none of the )?(?:provided |given |available |supplied |retrieved )?"
    r"(?:documents?|passages?|texts?|context|sources?|excerpts?|pages?)(?: provided| given)? (?:do|does|did)(?:n'?t| not) "
    r"(?:\w+ )?(?:say|mention|state|specify|contain|provide|include|discuss|address|give|indicate|answer|cover|describe|explain)\b"
    r"|(?:it is|it'?s|this is) (?:not|un)\s?(?:clear|known|stated|specified|mentioned|possible to (?:say|tell|determine))\b.*"
    r"|not (?:stated|specified|mentioned|found|in the (?:documents?|passages?|text))\b"
    r"|(?:there is |there was |i found )?no mention of\b|as an ai\b|(?:none|neither) of the (?:\w+ )?(?:documents?|passages?|texts?|sources?|excerpts?|pages?)\b"
    r"|nothing in (?:the|these|any of the) (?:\w+ )?(?:documents?|passages?|texts?|sources?|context|excerpts?|pages?)\b"
    r"|[^.;]{1,80} (?:is|are|was|were|has|have)(?:n['’]t| not|n['’]t been| not been) (?:\w+ )?"
    r"(?:mentioned|stated|specified|addressed|discussed|described|given|covered|found|provided|included) "
    r"(?:anywhere\W*$|(?:in|by)(?: any of)? (?:the|these|this) (?:\w+ )?(?:documents?|passages?|texts?|sources?|context|excerpts?|pages?)\b)"
    r"|[^.;]{1,40} (?:is|are) silent (?:on|about)\b"
    r")",
    re.IGNORECASE | re.DOTALL,
)
_TALK = re.compile(
    r"^(?:here (?:is|are)\b.*:?|(?:sure|certainly|of course|okay|ok|yes|no|thanks?|thank you)[!,.]?(?: here (?:is|are).*)?"
    r"|let me know\b.*|i hope (?:this|that) helps.*|please (?:note\b(?! that)|see|let|feel|ask|consult)\b.*|see (?:also|fig\w*|tables?|sections?|pages?|appendix|above|below)\b.*|in (?:summary|conclusion|short)[:,]?"
    r"|(?:based on|according to) (?:the )?(?:\w+ )?(?:passages?|documents?|context|text|sources?)(?: provided| given| above)?[,:]?"
    r"|(?:so|thus|therefore|hence)?,? ?(?:the|my|our|your|this) (?:[\w-]+ ){0,2}answer(?: to [^.:]{1,80})? (?:is|was|(?:w|sh)ould be|will be)\b(?! that\b).*"
    r"|sources?:?|references?:?|citations?:?|answer:?|note:?|summary:?)$",
    re.IGNORECASE | re.DOTALL,
)
"""What speaks of the answer, not of the documents: "The answer is 7" leans on a question that no page has."""
_ASSERTS_ANYWAY = re.compile(r"\b(?:but|however|although|though|except|yet)\b|\d", re.IGNORECASE)
_PRONOUN = re.compile(
    r"^(?:it|they|he|she|this|these|those|that|its|their|his|her|both|such|the (?:former|latter|same|company|figure|rate|amount|number|total))\b"
    r"(?! (?:is|was) (?:a |the )?(?:important|clear|true|likely|possible|worth|necessary|required) (?:that|to)\b)",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|do|did|will|would|shall|should|can|could|may|might|must|cannot|isn't|aren't"
    r"|wasn't|weren't|don't|doesn't|didn't|won't|rose|fell|grew|went|came|made|took|gave|got|became|began|said|says|paid|met"
    r"|held|led|left|lost|won|sold|spent|kept|saw|sets?|gets?|goes|includes?|requires?|provides?|applies|apply|receives?|contains?"
    r"|needs?|shows?|means?|costs?|offers?|allows?|covers?|starts?|ends?|begins?|increases?|decreases?|remains?|reports?|takes?"
    r"|works?|expires?|accrues?|earns?|owns?|employs?|consists?|[a-z]{3,}ed|[a-z]{3,}(?:izes|ises|ates|ifies))\b"
)


_ASKED = re.compile(r"(?:how|what|when|where|who|whom|which|why|whether)\b", re.IGNORECASE)
_ANNOUNCES = re.compile(
    r"\b(?:following|follows?|includ\w+|contain\w*|list\w*|these|those|below|here|are|is|by|to|of|for|must|may|should|can|shall|will|such as|namely)\W*$",
    re.IGNORECASE,
)
"""What ends a line that opens a list and says nothing without it."""


@dataclass(frozen=True, slots=True)
class _Line:
    span: Span
    kind: Literal["heading", "columns", "row", "item", "text"]


def claims(draft: str) -> list[Claim]:
    """The claims of `draft`, in order.

    A marker belongs to the sentence it stands in or directly after; one that opens a line belongs to what follows it.

    >>> [(c.text, c.markers) for c in claims("Leave is 25 days. [2] It rose by 3 % [1, 3].")]
    [('Leave is 25 days.', (2,)), ('It rose by 3 %.', (1, 3))]
    """
    said = _Said()
    lines = list(_lines(draft))
    return [claim for line in lines for claim in _claims_of(draft, line, said, last=line is lines[-1])]


@dataclass(slots=True)
class _Said:
    """What has been said so far that a fragment may speak of."""

    heading: str = ""
    lead: str = ""
    """A line that announces a list: "Benefits include:"."""
    columns: str = ""
    subjects: list[str] = field(default_factory=list)


def _claims_of(draft: str, line: _Line, said: _Said, *, last: bool) -> Iterator[Claim]:
    match line.kind:
        case "columns":
            whole = _claim(draft, line.span)
            said.columns = whole.text
            yield replace(whole, checkable=False)
        case "row":
            row = _claim(draft, line.span)
            yield replace(row, text=_labelled(said.columns, row.text))
        case "heading":
            title = _claim(draft, line.span)
            said.heading, said.lead, said.columns, said.subjects = title.text.rstrip(":"), "", "", []
            yield replace(title, checkable=_is_statement(title))
        case "item" | "text":
            said.columns = ""
            spans = list(_statements(draft, line))
            for span in spans:
                if (claim := _claim(draft, span)).text:
                    followed = line.kind == "text" and not (last and span is spans[-1])
                    yield (
                        replace(claim, checkable=False)
                        if followed and _is_title(claim)
                        else _sentence(claim, line, said)
                    )
            if line.kind == "text" and not line.span.of(draft).rstrip().endswith(":"):
                said.lead = ""
        case _:
            assert_never(line.kind)


def _sentence(claim: Claim, line: _Line, said: _Said) -> Claim:
    if claim.text.endswith(":"):
        if line.kind == "text":
            said.lead = claim.text.rstrip(":")
        stated = bool(claim.markers) and states(claim.text) and not _ANNOUNCES.search(claim.text)
        return replace(claim, checkable=stated or bool(re.search(r"\d", claim.text)))
    listed = bool(_LISTS_SOURCES.match(said.heading)) and not _VERB.search(claim.text)
    if listed or not _asserts(claim.text):
        return replace(claim, checkable=False)
    claim = replace(claim, subject=_subject_needed(claim.text, said, in_list=line.kind == "item"))
    if head := _head(claim):
        said.subjects.append(head)
    return claim


def states(text: str) -> bool:
    """Whether the words hold a verb, without which they name something and say nothing of it.

    >>> states("Annual leave"), states("Annual leave is 25 days")
    (False, True)
    """
    return _VERB.search(text) is not None


def _is_title(claim: Claim) -> bool:
    """Whether a line names what follows it: no verb but in "How leave is counted", no stop, no figure, no citation."""
    if claim.markers or not claim.text[-1].isalpha() or re.search(r"\d", claim.text):
        return False
    return not states(claim.text) or bool(_ASKED.match(claim.text))


def _is_statement(title: Claim) -> bool:
    """Whether a heading or a lead-in says something after all: it cites, or is a sentence with a full stop."""
    if _TALK.match(title.text) or _LISTS_SOURCES.match(title.text):
        return False
    return bool(title.markers) or (title.text.endswith(".") and bool(_VERB.search(title.text)))


def standalone(claim: Claim) -> str:
    """The claim as it reads without what stood before it: a fragment's pronoun gives way to its subject.

    >>> standalone(Claim("It rose to 12 %.", Span(0, 16), subject="The dropout rate"))
    'The dropout rate rose to 12 %.'
    """
    text = _LEAD_IN.sub("", claim.text, count=1)
    if text != claim.text and text:
        return standalone(replace(claim, text=text[0].upper() + text[1:]))
    if not claim.subject:
        return claim.text
    m = _PRONOUN.match(claim.text)
    if not m or m[0].lower() in {"both", "such"} or m[0].lower().startswith("the "):
        return f"{claim.subject}: {claim.text}"
    owns = m[0].lower() in {"its", "their", "his", "her"}
    rest = claim.text[m.end() :]
    if m[0].lower() in {"this", "these", "those", "that"} and not _VERB.match(rest.lstrip()):
        return f"{claim.subject}: {claim.text}"
    return claim.subject + ("'s" if owns else "") + rest


def antecedent(claim: Claim) -> str:
    """What the pronoun that opens a claim stands for in the draft; empty where none opens it, or nothing fits it."""
    return claim.subject if _PRONOUN.match(claim.text) else ""


def dangles(claim: Claim) -> bool:
    """Whether a claim is of "it" or "they", and the draft does not say who that is: its reader can only guess.

    >>> dangles(Claim("It has two lamps.", Span(0, 17))), dangles(Claim("It is forbidden to smoke.", Span(0, 25)))
    (True, False)
    """
    return not claim.subject and bool(_PERSONAL.match(claim.text)) and not _NOBODY.match(claim.text)


_PERSONAL = re.compile(r"(?:it|they|he|she|its|their|his|her)\b", re.IGNORECASE)
_NOBODY = re.compile(
    r"it (?:is|was|takes|took|seems|(?:has|had) been|(?:will|may|can|must|should) be)\b(?: \S+){0,6}? (?:(?:that|whether)(?= \w)|to (?!the\b|an?\b|its\b|their\b)[a-z])",
    re.IGNORECASE,
)
"""An "it" that stands for nothing: "It is forbidden to smoke"."""

_LEAD_IN = re.compile(
    r"^(?:please note that|note that|note:|in (?:summary|short|conclusion|addition),|overall,|to summari[sz]e,|yes,|additionally,"
    r"|furthermore,|moreover,|also,|however,|therefore,|thus,|finally,|the answer is that"
    r"|(?:based on|according to|as stated in|per) the (?:\w+ )?(?:passages?|documents?|context|texts?|sources?|excerpts?)(?: provided)?,)\s+",
    re.IGNORECASE,
)
"""What models put before a statement, and no page says."""


def _lines(draft: str) -> Iterator[_Line]:
    """Blocks of the draft: prose keeps its wrapped lines together, the rest goes line by line; fences hide nothing."""
    prose: list[Span] = []
    for m in re.finditer(r"[^\n]*(?:\n|$)", draft):
        raw = m[0].rstrip("\n")
        after = draft[m.end() :].partition("\n")[0]
        fence = bool(_FENCE.match(raw))
        plain = bool(raw.strip()) and not fence and not _starts_a_block(raw)
        if prose and not plain:
            yield _Line(Span(prose[0].start, prose[-1].end), "text")
            prose = []
        if not raw.strip() or fence or _RULE.match(raw):
            continue
        span = Span(m.start(), m.start() + len(raw))
        if plain:
            prose.append(span)
        else:
            kind = _kind(raw)
            yield _Line(span, "columns" if kind == "row" and after.strip() and _RULE.match(after) else kind)
    if prose:
        yield _Line(Span(prose[0].start, prose[-1].end), "text")


def _starts_a_block(raw: str) -> bool:
    bullet = _BULLET.match(raw)
    return bool(_HEADING.match(raw) or _RULE.match(raw) or _is_row(raw) or (bullet and bullet[0].strip()))


def _kind(raw: str) -> Literal["heading", "row", "item"]:
    if _HEADING.match(raw):
        return "heading"
    return "row" if _is_row(raw) else "item"


def _is_row(raw: str) -> bool:
    return raw.lstrip().startswith("|") or " | " in raw


def _statements(draft: str, line: _Line) -> Iterator[Span]:
    """The sentences of a block, each reaching over the markers that follow it."""
    raw = line.span.of(draft)
    if line.kind == "row":
        yield line.span
        return
    bullet = _BULLET.match(raw)
    start = bullet.end() if bullet and line.kind == "item" else 0
    masked = _masked(raw)
    masked = " " * start + masked[start:]
    spans = sentences(masked)
    if not spans:
        return
    for i, span in enumerate(spans):
        begin = span.start if i else min(span.start, _first_visible(raw, start))
        limit = spans[i + 1].start if i + 1 < len(spans) else len(raw)
        for part in _at_markers(raw, begin, begin + len(raw[begin:limit].rstrip())):
            yield part.shifted(line.span.start)


def _at_markers(raw: str, start: int, end: int) -> Iterator[Span]:
    """The statements of a sentence that has a marker after each: "… 25 days [1]; notice is a month [2]."."""
    for m in MARKER.finditer(raw, start, end):
        cut = _PARTS.match(raw, m.end(), end)
        if not cut or not MARKER.search(raw, cut.end(), end):
            continue
        if _VERB.search(raw, start, m.start()) and _VERB.search(raw, cut.end(), end):
            yield Span(start, cut.start())
            start = cut.end()
    yield Span(start, end)


def _first_visible(raw: str, start: int) -> int:
    return start + len(raw[start:]) - len(raw[start:].lstrip())


def _masked(raw: str) -> str:
    """The text with its markers as spaces, so that they neither end a sentence nor hide its end."""
    return MARKER.sub(lambda m: " " * len(m[0]), raw)


def _claim(draft: str, span: Span) -> Claim:
    raw = span.of(draft)
    return Claim(_plain(raw), span, _markers(raw))


def _markers(raw: str) -> tuple[int, ...]:
    found: list[int] = []
    for m in MARKER.finditer(raw):
        for part in re.split(r"\s?(?:,|;|&|and)\s?", m["list"].lower()):
            ends = [int(n) for n in re.findall(r"\d+", part)]
            if len(ends) == 2 and ends[0] < ends[1] <= ends[0] + MOST_IN_A_RANGE:  # noqa: PLR2004 - from and to
                found.extend(range(ends[0], ends[1] + 1))
            else:
                found.extend(ends)
    return tuple(dict.fromkeys(found))


def _plain(raw: str) -> str:
    """The words alone: no markers, no Markdown."""
    pieces: list[str] = []
    at = 0
    for m in MARKER.finditer(raw):
        before = raw[at : m.start()]
        if pieces and _BETWEEN.fullmatch(before):
            at = m.end()
            continue
        lead = _LEAD.search(before)
        pieces.append(before[: lead.start()] if lead else before)
        at = m.end()
        if lead:
            at += len(raw[at:]) - len(raw[at:].lstrip(" ,"))
    text = "".join([*pieces, raw[at:]])
    text = re.sub(r"^\s*#{1,6}\s+", "", text)
    if _is_row(text):
        text = " | ".join(cell.strip() for cell in text.strip().strip("|").split("|"))
    text = _EMPHASIS.sub("", _LINK.sub(r"\1", text))
    text = re.sub(r"\s+", " ", _EMPTY.sub("", text))
    return re.sub(r"\s+([.,;:!?])(?=\s|$)", r"\1", text).strip(" ")


def _asserts(text: str) -> bool:
    bare = text.strip().strip("\"'“”‘’()*_ ")
    if bare.endswith("?") or not re.search(r"\w", bare):
        return False
    if _TALK.match(bare.rstrip(".!")):
        return False
    return not (
        _HEDGE.match(bare)
        and not _ASSERTS_ANYWAY.search(re.sub(r"^(?:however|but)[, ]+", "", bare, flags=re.IGNORECASE))
    )


def _subject_needed(text: str, said: _Said, *, in_list: bool) -> str:
    """What a fragment speaks of; empty where the text stands alone, and where nothing before it fits its pronoun."""
    lead = said.lead if in_list else ""
    if pronoun := _PRONOUN.match(text):
        fitting = [s for s in said.subjects if _fits(pronoun[0].lower(), s)]
        return fitting[-1] if fitting else lead or said.heading
    if not _VERB.search(text):
        if _LABEL.match(text):
            return lead
        return lead or (said.subjects[-1] if said.subjects else said.heading)
    return lead if lead and not text[:1].isupper() else ""


_LABEL = re.compile(r"[^:.]{1,40}: ")
"""A fragment that says itself what it is of: "Notice: one month"."""


_AFTER_HEAD = re.compile(r"(?<=\w)\s(?:of|in|on|at|for|with|from|to|by)\s")
"""Behind the noun that says how many there are: "the days of the week", "the list of mentors"."""


def _fits(pronoun: str, subject: str) -> bool:
    """Tell "the employees" from "the rate": "they" wants several, "he" a name, "it" one thing."""
    last = _AFTER_HEAD.split(subject, maxsplit=1)[0].rsplit(maxsplit=1)[-1].lower()
    several = (last.endswith("s") and not last.endswith(("ss", "us", "is"))) or " and " in subject
    if pronoun in {"they", "their", "these", "those", "both"}:
        return several
    if pronoun in {"it", "its"}:
        return not several or subject.istitle()
    if pronoun in {"he", "she", "his", "her"}:
        return subject[0].isupper()
    return True


def _labelled(columns: str, row: str) -> str:
    """Each cell with its column's label: "Grade: 1 | Days: 25"."""
    labels, cells = columns.split(" | "), row.split(" | ")
    if not columns or len(labels) != len(cells):
        return row
    return " | ".join(f"{a}: {b}" if a and b else b for a, b in zip(labels, cells, strict=True))


def _head(claim: Claim) -> str:
    """What a sentence speaks of: the words before its verb."""
    if _PERSONAL.match(claim.text) or (_PRONOUN.match(claim.text) and claim.subject):
        return claim.subject
    text = re.sub(
        r"^(?:(?:in|on|by|during|since|at|for|as of|under|after|before)\b[^,]{1,60},|however,|also,)\s*",
        "",
        claim.text,
        flags=re.IGNORECASE,
    )
    verb = _VERB.search(text)
    words = text[: verb.start()].split() if verb else text.split()
    return " ".join(words) if 0 < len(words) <= SUBJECT_WORDS and re.search(r"[^\W\d_]", text) else ""
