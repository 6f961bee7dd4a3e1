"""Text to the spans of its sentences. Pure.

What is cut is never rewritten: every visible character is in exactly one span, in order, and spans carry no outer
white space. List items, headings and table rows count as sentences, since each says its own thing. It never fails:
text without any full stop is cut at its lines.
"""

# ruff: noqa: RUF001 - the characters of real pages, look-alikes too, are its subject

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from rag_core.types import Span

LONGEST = 600
"""Characters after which a run without a full stop is cut at line breaks: prose stays whole (the longest sentences of
public reports have about 500), a table that lost its ruling does not."""

LONGEST_WORD = 40
"""Characters before a full stop in which its word is looked for; what is longer abbreviates nothing."""

SHORT_LINE = 0.75
"""A first line that reaches less than this part of the one below its author ended, not the margin."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ALWAYS = _words("""
    mr mrs ms mx dr prof rev hon gen col maj capt lt sgt cpl gov sen rep messrs st mt ft fr sr vs v cf viz approx ca
    e.g i.e eg ie fig figs eq eqs sec secs ch chap vol vols ed eds art arts para paras pp pg ref refs tab app ex
    op cit ibid resp incl excl max min avg est dept univ assn bros tel ext no nos
""")
"""Abbreviations that what follows belongs to."""

_NEEDS_NUMBER = _words("""
    no nos p pp pg fig figs eq sec ch art para vol jan feb mar apr jun jul aug sep sept oct nov dec
""")
"""Of these, or of months, only a number (or a roman numeral) that follows keeps the sentence going."""

_MAY_END = _words("""
    inc ltd co corp llc plc jr etc am pm
""")
"""Abbreviations that often end a sentence too: the next word decides."""

_STARTERS = _words("""
    the a an this that these those it its he she they we i you his her their our my in on at by for from with as if
    when while after before since although though however but and or so there here what who which how why where to
    of no not all some most many each every both such other another more under during between among according within
    without because once until unless also then thus therefore moreover furthermore additionally finally first
    second third one two three
""")
"""Words that start sentences; after "U.S." or an initial they tell an end from a name."""

_LABELS = _words("""
    appendix grade vitamin type class part plan group section schedule annex exhibit item step level option
""")
"""Words whose letter is a label, not an initial: "Appendix A. The leave"."""

_BEFORE_NUMBERS = _STARTERS | _NEEDS_NUMBER | {"is", "was", "were", "are", "than", "about", "grade", "page", "section"}
"""Words that a line never ends with when the next line is a new item."""

_ITEM = re.compile(r"[ \t]*(?:[-*+•◦▪‣·–—o✓□■●○]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxlIVX]{1,5})[.)])[ \t]+(?=\S)")
_NUMBERED = re.compile(r"[ \t]*(\d{1,3})\.[ \t]+(?=\S)", re.ASCII)
_SENTENCE_END = re.compile(r"[.!?…:;。！？][\"'”’»)\]⁰¹²³⁴-⁹]*(?:\[[\d, –-]+\])*\s*$")
_STOP = re.compile(
    r"""
    (?P<cjk>[。！？｡]+[」』）】”’]*)
    | (?P<stop>[.!?…]+|[.!?]?…)                       # the mark itself
      (?P<tail>["'”’»)\]}*_]*                           # closing quotes and brackets stay with their sentence
        (?:[ ]?\[\d{1,3}(?:[ ]?[,;–-][ ]?\d{1,3})*\])*  # and so do citation markers
        (?:(?<=[a-z][.!?])\d{1,2}(?=\s)                 # and a footnote's number that lost its superscript
          |[⁰¹²³⁴-⁹]+(?:,[ ]?[⁰¹²³⁴-⁹]+)*)?             # or has it
      )
      (?=\s|$)
    """,
    re.VERBOSE,
)
_WORD_BEFORE = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]+$|[^\W\d_]+$|\d+$")
_NEXT = re.compile(r"\s*[\"'“‘«(\[*_]*(?P<word>\w+)?")


def sentences(text: str) -> list[Span]:
    """The sentences of `text`, in reading order.

    >>> [s.of("Dr. No paid $1.5 bn. He left.") for s in sentences("Dr. No paid $1.5 bn. He left.")]
    ['Dr. No paid $1.5 bn.', 'He left.']
    """
    return [span for piece in _pieces(text) for sentence in _split(text, piece) for span in _bounded(text, sentence)]


def around(spans: list[Span], offset: int) -> int | None:
    """Which of `spans` holds the character at `offset`; None between them."""
    i = bisect_right(spans, offset, key=lambda s: s.start) - 1
    return i if i >= 0 and offset < spans[i].end else None


def is_table_row(line: str) -> bool:
    """Whether a line reads as a table's row: cells parted by bars, or by tabs."""
    return line.count("|") >= 2 or " | " in line or line.count("\t") >= 2  # noqa: PLR2004 - two separators make a row


def table_headers(text: str, spans: Sequence[Span]) -> list[int | None]:
    """For each sentence that is a table row, which sentence is its header; None for the header and for prose."""
    headers: list[int | None] = []
    first: int | None = None
    for i, span in enumerate(spans):
        if not is_table_row(span.of(text)):
            first = None
            headers.append(None)
        elif first is None:
            first = i
            headers.append(None)
        else:
            headers.append(first)
    return headers


def _pieces(text: str) -> Iterator[Span]:
    """Runs that no sentence crosses: paragraphs, list items, table rows, headings."""
    paragraph: list[Span] = []
    lines = list(_lines(text))
    numbers = [_number(line.of(text)) for line in lines]
    following = _following(numbers)
    item: int | None = None
    for line, number, after in zip(lines, numbers, following, strict=True):
        words = line.of(text)
        if not words.strip():
            yield from _joined(paragraph)
            paragraph = []
            continue
        counts = number is not None and (item == number - 1 or after == number + 1)
        if paragraph and _breaks(text, paragraph, line, counts=counts):
            yield from _joined(paragraph)
            paragraph = []
        if not paragraph and number is not None:
            item = number
        paragraph.append(line)
    yield from _joined(paragraph)


def _number(line: str) -> int | None:
    """The number and full stop that a line begins with."""
    found = _NUMBERED.match(line)
    return int(found[1]) if found else None


def _following(numbers: Sequence[int | None]) -> list[int | None]:
    """For each line, the number of the next line that begins with one."""
    after: list[int | None] = []
    number: int | None = None
    for own in reversed(numbers):
        after.append(number)
        number = own if own is not None else number
    return after[::-1]


def _lines(text: str) -> Iterator[Span]:
    for match in re.finditer(r"[^\r\n\f\v\u2028\u2029]+|\n[ \t]*(?=\n)|[\f\v\u2029]", text):
        yield Span(match.start(), match.end())


def _joined(lines: list[Span]) -> Iterator[Span]:
    if lines:
        yield Span(lines[0].start, lines[-1].end)


def _breaks(text: str, paragraph: list[Span], line: Span, *, counts: bool) -> bool:
    """Whether a new line starts something new, where the one before did not end with a full stop."""
    before, now = paragraph[-1].of(text), line.of(text)
    if is_table_row(before) or is_table_row(now) or now.lstrip().startswith("#") or before.lstrip().startswith("#"):
        return True
    if _number(now) is not None:
        return _may_begin_item(before, counts=counts)
    if _ITEM.match(now):
        return True
    if len(paragraph) > 1:
        return False
    first = now.lstrip()[:1]
    if first.islower() or before.rstrip()[-1:] in ",;(–-&/" or _last_word(before) in _STARTERS:
        return False
    ended = len(before.rstrip()) < SHORT_LINE * max(len(before), len(now)) and not before.rstrip().endswith(".")
    return ended and (first.isupper() or first.isdigit())


def _may_begin_item(before: str, *, counts: bool) -> bool:
    """Whether "12. " after the line `before` begins an item; else the line was wrapped there.

    It does where a sentence ended, or where it counts up with the items around it.
    """
    stopped = _SENTENCE_END.search(before) is not None
    if not stopped and _last_word(before) in _BEFORE_NUMBERS:
        return False
    return counts or (stopped and not (before.rstrip().endswith(".") and _last_word(before) in _NEEDS_NUMBER))


def _last_word(line: str) -> str:
    found = re.search(r"(\w+)\.?\s*$", line)
    return found[1].lower() if found else ""


def _split(text: str, piece: Span) -> Iterator[Span]:
    start = piece.start
    for match in _STOP.finditer(text, piece.start, piece.end):
        if match["cjk"] or _ends(text, start, match, piece.end):
            yield from _trimmed(text, start, match.end())
            start = match.end()
    yield from _trimmed(text, start, piece.end)


def _ends(text: str, start: int, stop: re.Match[str], limit: int) -> bool:
    follows = _NEXT.match(text, stop.end(), limit)
    word = (follows["word"] or "") if follows else ""
    if not word:
        return True
    if stop.start() > start and text[stop.start() - 1].isspace():
        return True  # text that was taken apart into tokens: "the end . another"
    found = _WORD_BEFORE.search(text, max(start, stop.start() - LONGEST_WORD), stop.start())
    if stop["stop"] == "." and found and _abbreviates(text, start, found, word):
        return False
    return not word[0].islower()


def _abbreviates(text: str, start: int, found: re.Match[str], following: str) -> bool:
    """Whether the dot after a word belongs to the word."""
    word, low = found[0], found[0].lower()
    starts = following.lower() in _STARTERS
    if word.isdigit():
        return not text[start : found.start()].strip("( \t\n")  # "12. Payment": the number of an item
    if low == "al":
        return text[start : found.start()].rstrip().lower().endswith("et")
    if low in _NEEDS_NUMBER:
        return following[0].isdigit() or bool(re.fullmatch(r"[IVXLC]+", following))
    if low in _ALWAYS:
        return True
    if low in _MAY_END or "." in word:
        return not starts
    return (
        len(word) == 1 and word.isupper() and word != "I" and not starts and not _is_label(text[start : found.start()])
    )


def _is_label(before: str) -> bool:
    """Whether the letter that follows is a name of its own ("Appendix A"), not an initial."""
    words = before.split()
    return bool(words) and words[-1].lower().strip("(,") in _LABELS


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    words = text[start:end]
    left = start + len(words) - len(words.lstrip())
    right = start + len(words.rstrip())
    if left < right:
        yield Span(left, right)


def _bounded(text: str, sentence: Span) -> Iterator[Span]:
    """Itself, or its lines gathered into runs of at most `LONGEST` characters where it is longer."""
    if len(sentence) <= LONGEST:
        yield sentence
        return
    start = cut = sentence.start
    for match in re.finditer(r"\n|;(?=\s)|(?<=\s)(?=[•●▪■□])", sentence.of(text)):
        at = sentence.start + match.end()
        if at - start > LONGEST and cut > start:
            yield from _trimmed(text, start, cut)
            start = cut
        cut = at
    if sentence.end - start > LONGEST and cut > start:
        yield from _trimmed(text, start, cut)
        start = cut
    yield from _trimmed(text, start, sentence.end)
