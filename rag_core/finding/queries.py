"""Text to the tokens that keyword search keeps of it, and a question to what it asks of them. Pure.

An index and a question are read by the same functions, so whatever two writings are made one here are found by each
other. A script that is written without spaces is read as pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from rag_core.text.dates import dates
from rag_core.text.terms import FUNCTION_WORDS

VERSION = 1
"""Rises whenever the same text would give other tokens."""
LONGEST = 64
"""Characters of a token; what is longer (a hash, a broken line) is cut to it."""
MAX_PHRASES = 8
"""Of the quoted phrases in a question; the others are words like any."""
MAX_CODES = 16
"""Of those in a question; the others are words like any."""
MAX_NEIGHBOURS = 64
REACH = 3
"""How many words further two content words still count as neighbours: "cost of the plan"."""

_UNSPACED = (
    "\u0e01-\u0e5b\u0e81-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\uac00-\ud7ff"  # Korean, whose words carry endings that a pair leaves out
    "\u3005-\u3007\u3031-\u3035\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # kana
    "\u2e80-\u2fdf\u3100-\u312f\u31a0-\u31bf\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
_MARKS = (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3\u3099\u309a"
    # vowels and tones that stand over, under or around a letter: no character of their own
)
_INDIC = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0963\u0971-\u0dff"
    # marks that `\w` takes for the end of a word
)
_LETTERS = rf"(?:[^\W\d_{_UNSPACED}]|[{_INDIC}])+"
_WORD = re.compile(
    rf"\d+(?:st|nd|rd|th)(?![^\W_])|\d+(?:\.\d+)*|{_LETTERS}(?:'{_LETTERS})*|[{_UNSPACED}]+|%|§+"
)  # "12kg" is two words, as "12 kg" is
_PLAIN_WORD = re.compile(r"\d+(?:st|nd|rd|th)(?![a-z\d])|\d+(?:\.\d+)*|[a-z]+(?:'[a-z]+)*|%")
"""The same for a text of ASCII alone, which most are; it is twice as fast."""
_HAS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_CHARACTER = re.compile(f"[^{_MARKS}][{_MARKS}]*|[{_MARKS}]+")

_INVISIBLE = re.compile("[\u00ad\u0640\u200b-\u200f\u2060\ufeff\x00]")
_NOTE_MARK = re.compile("(?<=\\d)[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+")
_TYPOGRAPHIC = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-") | {"\u2019": "'"})
_LINE_END = re.compile(r"(?<=[\u2e80-\u30ff\u3400-\u9fff])\s(?=[\u2e80-\u30ff\u3400-\u9fff])")
_GROUPED = re.compile(
    r"(?<![\d.,])\d{1,3}(?:([,'\u00a0\u2009\u202f])\d{3}(?:\1\d{3})*(?!\d|\1\d)|(?:\.\d{3}){2,}(?![\d.]))"
)
_PER_CENT = re.compile(r"per cent(?![^\W_])")
_DOTTED = re.compile(r"(?<![^\W_])(?<![^\W_]\.)(?:[^\W\d_]\.)+[^\W\d_](?![^\W_])\.?")
_AMPERSAND = re.compile(r"(?<![^\W_])([^\W\d_]{1,2})&(?=[^\W\d_]{1,2}(?![^\W_]))")
_ONE_LETTER = re.compile(r"(?<![\w-])([^\W\d_])-(?=[^\W\d_]{3})")

# ruff: noqa: SIM905 - lists of as many strings are harder to read
_ONES = {
    word: n
    for n, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}
_TENS = {word: n * 10 for n, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split()
)
_SUFFIXES = {1: "st", 2: "nd", 3: "rd"}
_SIGNS = {"%": "percent", "§": "section", "§§": "section"}

_CODED = re.compile(r"[\d@_]|\w\.\w")
_CODE = re.compile(
    rf"(?<![{_INDIC}])(?<![^\W_{_UNSPACED}])[^\W_{_UNSPACED}]+(?:[-./_:#@+][^\W_{_UNSPACED}]+)*"
    rf"(?![{_INDIC}])(?![^\W_{_UNSPACED}])"
)  # whole words: a letter with a mark of its own is not torn from it
_PIECE = re.compile(r"\d+|[^\W\d_]+")
_NO_CODE = re.compile(r"\d+(?:\.\d+)?(?:st|nd|rd|th|(?:-?[^\W\d_]{2,})+)?")
"""A number, with or without its unit: "90-day" is as good as "90 days"."""
_LARGE = re.compile(r"(?<![\w.])\d{5,}(?![\w.]*\d)")
_SCALED = re.compile(r"(?<![\w.,])(\d+)(?:\.(\d+))?[ -]?(thousand|million|billion|trillion|mn|bn)(?![^\W_])")
_ZEROS = {"thousand": 3, "million": 6, "mn": 6, "billion": 9, "bn": 9, "trillion": 12}
_DATED = re.compile(
    r"\d{4}-\d\d-\d\d|\d[./]\d{1,2}[./]\d{4}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[.,]*\s+\d"
)  # cheaper than to read every text for dates
_ASIAN_DATE = re.compile(r"(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]")
_PERIOD = re.compile(
    r"""(?<![\w.-])(?: (?:fy|cy|[hq][1-4]) ['-]? (?:\d{4}|\d\d)? (?:-?[hq][1-4])? | [1-4][hq](?:\d{4}|\d\d)?
    | (?:\d{4}|\d\d)[hq][1-4] | (?:19|20)\d\d[-/](?:(?:19|20)\d\d|\d\d) )(?![\w-])""",
    re.VERBOSE,
)
"""A fiscal year, a quarter, years from and to. Reports write them in many ways, FY2022 as "fiscal 2022": whoever asks
for one wants its words, and not what happens to be written alike."""
_YEAR = re.compile(r"(?:1[5-9]|20|21)\d\d")

_CAPITALS = re.compile(r"(?<![^\W_])(?:US|U\.S\.?|IT|WHO|ALL|CAN)(?![^\W_])|(?<=[a-z]\s)A(?![\w'])")
"""Acronyms that are spelled as function words are, and the letter of "Appendix A"."""

_QUOTED = re.compile(
    r"(?<![^\W_])[\"\uff02](?!\s)([^\"\uff02\u201c\u201d]+)(?<!\s)[\"\uff02](?![^\W_])"
    r"|[\u201c\u201d\u201e]([^\u201c\u201d\"]+)[\u201c\u201d\"]|«([^»]+)»|\u300c([^\u300d]+)\u300d|\u300e([^\u300f]+)\u300f"
)


@dataclass(frozen=True, slots=True)
class Read:
    """What an index keeps of a text."""

    words: tuple[str, ...]
    """See `words`."""
    exact: tuple[str, ...]
    """What is looked for as it stands: codes, large numbers and dates, and the characters that `words` pairs."""


@dataclass(frozen=True, slots=True)
class Code:
    """A part number, an id, a date, an address: what is written as one word and is made of several."""

    whole: str
    """Its pieces between hyphens, however it parts them: "AB1234" is "ab-1234"."""
    written: str
    """As it is written."""
    pieces: tuple[str, ...]
    """Its words."""

    @property
    def tokens(self) -> tuple[str, ...]:
        """Its exact tokens."""
        return (self.whole,) if self.whole == self.written else (self.whole, self.written)

    @property
    def alone(self) -> tuple[str, ...]:
        """Those of its pieces that say something without the others: its words and years, not its numbers."""
        return tuple(piece for piece in self.pieces if not piece[0].isdigit() or _YEAR.fullmatch(piece))


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks of the index."""

    words: tuple[str, ...]
    """Its content words, each once; all of its words when it has no other. Those of its codes are not among them."""
    neighbours: tuple[tuple[str, str], ...]
    """Pairs of content words that stand together."""
    exact: tuple[str, ...]
    """Its large numbers and dates."""
    codes: tuple[Code, ...]
    phrases: tuple[tuple[str, ...], ...]
    """What it quotes, as words."""


def words(text: str) -> list[str]:
    """The words of `text` in order, repeats and function words kept, each in the one form that its writings share.

    Case, typography and grouping commas are dropped, letters part from digits, small numbers become digits, and
    acronyms lose their dots. Chinese, Japanese, Korean, Thai, Lao, Burmese and Khmer become overlapping pairs of
    characters; a character that stands alone is itself.

    >>> words("The U.S. paid 4,523,000.00 per cent of twenty-five 12kg e-mails on the 3rd.")
    ['the', 'us', 'paid', '4523000', 'percent', 'of', '25', '12', 'kg', 'emails', 'on', 'the', 'third']
    >>> words("東京都のGDP")
    ['東京', '京都', '都の', 'gdp']
    """
    return _words(_normal(text))


def read(text: str) -> Read:
    """What an index keeps of `text`.

    >>> read("AB-1234/5 of March 1, 2024 cost 4.5 million").exact
    ('ab-1234-5', 'ab-1234/5', '=4500000', '@2024-03-01')
    >>> read("東京 GDP").exact
    ('東', '京')
    """
    normal = _normal(text)
    codes = (token for code in _codes(normal) for token in code.tokens)
    return Read(tuple(_words(normal)), (*codes, *_numbers(normal), *_days(normal), *_characters(normal)))


def is_character(word: str) -> bool:
    """Whether `word` is a lone character of a script that is read in pairs."""
    return not word.isascii() and bool(_HAS_UNSPACED.match(word)) and len(_CHARACTER.findall(word)) == 1


def asked(question: str) -> Asked:
    """What `question` asks. Any text may be a question; what is odd in it is a word or nothing.

    >>> asked('Does “annual leave” cover AB-12?').phrases
    (('annual', 'leave'),)
    """
    normal = _PERIOD.sub(_spelled_period, _normal(question))
    codes = tuple(dict.fromkeys(_codes(normal)))
    every = _words(normal)
    rest = _words(_without_codes(normal)) if codes else every
    named = _capitals(question)
    content = [word for word in rest if word not in FUNCTION_WORDS or word in named] or ([] if codes else rest)
    content += [piece for code in codes[MAX_CODES:] for piece in code.pieces]
    quoted = (words(next(filter(None, m.groups()))) for m in _QUOTED.finditer(question))
    return Asked(
        words=tuple(dict.fromkeys(content)),
        neighbours=tuple(dict.fromkeys(_neighbours(every, named)))[:MAX_NEIGHBOURS],
        exact=tuple(dict.fromkeys((*_numbers(normal), *_days(normal)))),
        codes=codes[:MAX_CODES],
        phrases=tuple(dict.fromkeys(tuple(phrase) for phrase in quoted if phrase))[:MAX_PHRASES],
    )


def held(question: Asked, text: str) -> int:
    """How many of the quotations and codes of a question `text` holds, for whoever orders what was found.

    >>> held(asked("“annual leave” of AB-12"), "Annual leave: see AB12.")
    2
    """
    if not question.phrases and not question.codes:
        return 0
    kept = read(text)
    line = f" {_folded(' '.join(kept.words))} "
    phrases = sum(
        f" {_folded(' '.join(phrase))} " in line or (len(phrase) == 1 and phrase[0] in kept.exact)
        for phrase in question.phrases
    )
    codes = sum(code.whole in kept.exact or f" {' '.join(code.pieces)} " in line for code in question.codes)
    return phrases + codes


def _folded(text: str) -> str:
    """`text` without accents, as the index has it."""
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def _normal(text: str) -> str:
    """`text` in lower case, the writings of one thing made one."""
    if not text.isascii():
        text = _NOTE_MARK.sub(" ", _INVISIBLE.sub("", text).translate(_TYPOGRAPHIC))
        text = _GROUPED.sub(_ungrouped, text)  # here, while its spaces are narrow ones
        text = unicodedata.normalize("NFKC", text)
        if _HAS_UNSPACED.search(text):
            text = _LINE_END.sub("", text)
    else:
        text = _GROUPED.sub(_ungrouped, text.replace("\x00", ""))
    text = _PER_CENT.sub("percent", text.lower())
    text = _DOTTED.sub(lambda m: m[0].replace(".", ""), text)
    return _ONE_LETTER.sub(r"\1", _AMPERSAND.sub(r"\1", text))


def _ungrouped(m: re.Match[str]) -> str:
    return re.sub(r"\D", "", m[0])


def _words(normal: str) -> list[str]:
    out: list[str] = []
    tens = False
    """Whether the last word is a spelled ten that a spelled one may follow."""
    for found in (_PLAIN_WORD if normal.isascii() else _WORD).findall(normal):
        after_tens, tens = tens, False
        if found[0].isdigit():
            out.append(_number(found))
        elif found in _TENS:
            out.append(str(_TENS[found]))
            tens = True
        elif found in _ONES:
            value = _ONES[found]
            if after_tens and 0 < value < 10:  # noqa: PLR2004 - "twenty-five"
                out[-1] = str(int(out[-1]) + value)
            else:
                out.append(found if value == 1 else str(value))  # "one of them" is no number
        elif after_tens and found in _ORDINALS[1:10]:
            n = int(out[-1]) + _ORDINALS.index(found)
            out[-1] = f"{n}{_SUFFIXES.get(n % 10, 'th')}"
        elif not found.isascii() and _HAS_UNSPACED.match(found):
            out += _pairs(found)
        elif "'" in found:
            out += [found.replace("'", "")] if found.endswith("n't") else found.removesuffix("'s").split("'")
        else:
            out.append(_SIGNS.get(found, found))
    return [word if len(word) <= LONGEST else word[:LONGEST] for word in out]


def _number(found: str) -> str:
    """Digits in the one form of all that mean the same; versions and section numbers stay as they are."""
    if found[-1].isalpha():
        n = int(found[:-2]) if len(found) < 5 else 0  # noqa: PLR2004 - two digits and "th"
        return _ORDINALS[n] if 0 < n < len(_ORDINALS) else found
    whole, point, decimals = found.partition(".")
    return whole if point and not decimals.strip("0") else found


def _pairs(run: str) -> list[str]:
    single = _CHARACTER.findall(run)
    return single if len(single) == 1 else [a + b for a, b in pairwise(single)]


def _neighbours(every: list[str], named: set[str]) -> Iterator[tuple[str, str]]:
    last = None
    for i, word in enumerate(every):
        if word in FUNCTION_WORDS and word not in named:
            continue
        if last is not None and i - last <= REACH and every[last] != word:
            yield every[last], word
        last = i


def _characters(normal: str) -> Iterator[str]:
    if not normal.isascii() and _HAS_UNSPACED.search(normal):
        runs = filter(_HAS_UNSPACED.match, _WORD.findall(normal))
        yield from dict.fromkeys(character for run in runs for character in _CHARACTER.findall(run))


def _capitals(question: str) -> set[str]:
    """The words of `question` that capitals tell from function words: "US", "IT"; none when it is all in capitals."""
    return set() if question.isupper() else {_normal(found).strip(".") for found in _CAPITALS.findall(question)}


def _codes(normal: str) -> Iterator[Code]:
    for part in normal.split():
        if _CODED.search(part):
            for m in _CODE.finditer(part):
                code = _code(m[0])
                if code is not None:
                    yield code


def _code(text: str) -> Code | None:
    """The code that `text` is: of several pieces, and with a digit in it or written as an address or a name is."""
    pieces = _PIECE.findall(text)
    if len(pieces) < 2 or _NO_CODE.fullmatch(text):  # noqa: PLR2004
        return None
    if any(piece[0].isdigit() for piece in pieces) or any(sign in text for sign in "@_"):
        return Code("-".join(pieces)[:LONGEST], text[:LONGEST], tuple(_words(text)))
    if "." in text and min(map(len, pieces)) > 1:
        return Code("-".join(pieces)[:LONGEST], text[:LONGEST], tuple(_words(text)))
    return None


def _spelled_period(period: re.Match[str]) -> str:
    """Its pieces as words, a year of two digits with its century: "fy 2022"."""
    return " ".join(f"20{piece}" if re.fullmatch(r"\d\d", piece) else piece for piece in _PIECE.findall(period[0]))


def _without_codes(normal: str) -> str:
    return " ".join(
        _CODE.sub(lambda m: " " if _code(m[0]) else m[0], part) if _CODED.search(part) else part
        for part in normal.split()
    )


def _numbers(normal: str) -> Iterator[str]:
    for m in _LARGE.finditer(normal):
        yield f"={m[0][:LONGEST]}"
    for m in _SCALED.finditer(normal):
        decimals = (m[2] or "").rstrip("0")
        zeros = _ZEROS[m[3]] - len(decimals)
        if zeros >= 0:
            yield f"={m[1]}{decimals}{'0' * zeros}"[:LONGEST]


def _days(normal: str) -> Iterator[str]:
    if _DATED.search(normal):
        for date in dates(normal):
            if date.year and date.month and date.day and not date.swapped:
                yield f"@{date.year}-{date.month:02}-{date.day:02}"
    for m in _ASIAN_DATE.finditer(normal):
        yield f"@{m[1]}-{int(m[2]):02}-{int(m[3]):02}"
