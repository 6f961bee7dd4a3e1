"""Lines that hold Hebrew or Arabic from the order they are drawn in to the order they are read in. Pure.

PDF engines give the letters of a right-to-left word in logical order, but leave punctuation and numbers where they are
drawn, and part a line wherever the pen goes back. So the line is made whole first, then put in visual order by the
letters' places, and from there in logical order.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter

from rag_core.types.rawpage import Box, Run

TOUCHES = 1.0
"""Of the size: parts of one line are no further apart; cells of a table are."""
ON_LINE = 0.5
"""Of the lower one's height: what two parts of one line share."""

FLAT = 0.1
"""Points: what is narrower has no width of its own."""

_RIGHT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LEFT = re.compile(r"[A-Za-z\u00c0-\u024f\u0370-\u052f]")
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")
_CLOSES = {")": "(", "]": "[", "}": "{", "»": "«"}
_NUMBERS = frozenset({"EN", "AN"})
_AFTER_NUMBERS = frozenset("%\u2030\u066a\u00b0")
"""Signs that are read after their number, on whichever side of it they are drawn."""

_ENDS = frozenset(".!?,:;\u060c\u061b\u061f\u2026")

Cluster = tuple[int, ...]
"""A character and the marks on it, by their places in the text."""


def has_right_to_left(text: str) -> bool:
    """Whether a letter of Hebrew, Arabic or a script like them is in it."""
    return not text.isascii() and _RIGHT.search(text) is not None


def reads_from_right(text: str) -> bool:
    """Whether the line is one of a script that runs from right to left, words of other scripts in it or not.

    It is when most of its letters are. When they are not, it is when it begins and ends with such letters and a third
    of all are: foreign names are long, and Hebrew and Arabic write few vowels.
    """
    if text.isascii():
        return False
    right, left = len(_RIGHT.findall(text)), len(_LEFT.findall(text))
    if right > left or not right:
        return right > 0
    letters = [char for char in text if _RIGHT.match(char) or _LEFT.match(char)]
    return 2 * right >= left and all(map(_RIGHT.match, (letters[0], letters[-1])))


def lines_made_whole(runs: Sequence[Run]) -> list[Run]:
    """The runs, with one line number for those of a right-to-left line that the engine parted.

    Only neighbours in the order of the engine are joined, and only those that touch.
    """
    whole: list[Run] = []
    box: Box = (0.0, 0.0, 0.0, 0.0)
    is_right = False
    for run in runs:
        has_right = has_right_to_left(run.text)
        before = whole[-1] if whole else None
        if before is not None and _same_way(before, run) and (is_right or has_right) and _touches(box, run, before):
            whole.append(replace(run, line=before.line))
        elif before is not None and run.line == before.line:
            whole.append(run)
        else:
            whole.append(run)
            box, is_right = run.bbox, has_right
            continue
        box, is_right = _union(box, run.bbox), is_right or has_right
    return whole


def _same_way(before: Run, run: Run) -> bool:
    return before.turn == run.turn == 0 and not (before.vertical or run.vertical)


def _touches(line: Box, run: Run, before: Run) -> bool:
    """Whether the run stands beside the line, at its right end or its left."""
    x0, y0, x1, y1 = line
    a0, b0, a1, b1 = run.bbox
    return min(y1, b1) - max(y0, b0) >= ON_LINE * min(y1 - y0, b1 - b0) and max(a0 - x1, x0 - a1) <= TOUCHES * max(
        run.size, before.size
    )


def _union(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def logical(text: str, edges: array[float]) -> tuple[str, array[float]]:
    """A right-to-left line in the order it is read; characters keep their edges.

    The Unicode bidirectional algorithm, simplified and run backwards: the base runs from right to left; numbers and
    words of other scripts inside run from left to right, as do the blanks and signs between such words.
    """
    if len({edges[i] for i in range(0, len(edges), 4)}) < 0.5 * len(text):
        return text, edges
    clusters = _drawn(_clusters(text, edges), text, edges)
    chars = [text[cluster[0]] for cluster in clusters]
    order: list[tuple[Cluster, bool]] = []
    if _runs_from_left(chars):
        for stretch, is_right in reversed(_stretches(chars)):
            part = clusters[stretch]
            order += _turned(part, text) if is_right else [(cluster, True) for cluster in reversed(part)]
    else:
        order = _turned(clusters, text)
    out: array[float] = array("f")
    for cluster, _ in order:
        for i in cluster:
            out.extend(edges[4 * i : 4 * i + 4])
    mirrored = _mirrored([(text[cluster[0]], is_foreign) for cluster, is_foreign in order])
    return "".join(
        char + "".join(text[i] for i in cluster[1:]) for char, (cluster, _) in zip(mirrored, order, strict=True)
    ), out


def _drawn(clusters: Sequence[Cluster], text: str, edges: array[float]) -> list[Cluster]:
    """The clusters from right to left, without the blanks that an engine puts where the pen went back over letters."""
    ordered = sorted(clusters, key=lambda cluster: -_middle(edges, cluster[0]))
    return [
        cluster
        for k, cluster in enumerate(ordered)
        if not text[cluster[0]].isspace()
        or not any(
            not text[i].isspace() and edges[4 * i] < _middle(edges, cluster[0]) < edges[4 * i + 2]
            for i, *_ in (*ordered[max(k - 1, 0) : k], *ordered[k + 1 : k + 2])
        )
    ]


def _runs_from_left(chars: Sequence[str]) -> bool:
    """Whether what ends a sentence stands at the right end of the line, and not at its left: its base runs that way."""
    visible = [char for char in chars if not char.isspace()]
    return bool(visible) and visible[0] in _ENDS and visible[-1] not in _ENDS


def _stretches(chars: Sequence[str]) -> list[tuple[slice, bool]]:
    """The line, given from right to left, in parts: from one right-to-left letter to another, and what is between."""
    parts: list[tuple[slice, bool]] = []
    start = done = 0
    last: int | None = None
    for i, char in enumerate([*chars, "a"]):
        if _RIGHT.match(char):
            start, last = (i if last is None else start), i
        elif last is not None and unicodedata.bidirectional(char) == "L":
            parts += [(slice(done, start), False), (slice(start, last + 1), True)]
            done, last = last + 1, None
    return [*parts, (slice(done, len(chars)), False)]


def _turned(clusters: Sequence[Cluster], text: str) -> list[tuple[Cluster, bool]]:
    """The clusters, given from right to left, in the order they are read; and which of them run from left to right."""
    foreign = _foreign([text[cluster[0]] for cluster in clusters], [cluster[0] for cluster in clusters])
    order: list[tuple[Cluster, bool]] = []
    for is_foreign, group in groupby(zip(clusters, foreign, strict=True), key=itemgetter(1)):
        part = list(group)
        order += part[::-1] if is_foreign else part
    return order


def _middle(edges: array[float], i: int) -> float:
    return (edges[4 * i] + edges[4 * i + 2]) / 2


def _clusters(text: str, edges: array[float]) -> list[Cluster]:
    """Each character with what stands on it: marks, and the other letter of a ligature, which has no width.

    A mark belongs to the letter that it is drawn on. Of a ligature, engines may give the letters the wrong way round.
    """
    flat = {i for i in range(len(text)) if edges[4 * i + 2] - edges[4 * i] < FLAT and _RIGHT.match(text[i])}
    bases = [i for i, char in enumerate(text) if not _is_mark(char) and i not in flat]
    if not bases:
        return [(i,) for i in range(len(text))]
    parts: dict[int, list[int]] = {i: [] for i in bases}
    base = bases[0]
    for i, char in enumerate(text):
        if i in parts:
            base = i
        elif i in flat and i + 1 in parts and abs(edges[4 * i] - edges[4 * i + 6]) < FLAT and not _is_mark(char):
            parts[i + 1].append(i)
        elif not text[base].isspace() and edges[4 * base] - FLAT <= _middle(edges, i) <= edges[4 * base + 2] + FLAT:
            parts[base].append(i)
        else:
            parts[min(bases, key=lambda b: (text[b].isspace(), abs(_middle(edges, b) - _middle(edges, i))))].append(i)
    return [(i, *own) for i, own in parts.items()]


def _is_mark(char: str) -> bool:
    return unicodedata.combining(char) != 0


def _foreign(chars: Sequence[str], places: Sequence[int]) -> list[bool]:
    """Which characters, given from right to left, run from left to right; `places` are theirs in the engine's order."""
    kinds = ["space" if char.isspace() else unicodedata.bidirectional(char) for char in chars]
    is_arabic = "AL" in kinds
    number = [kind in _NUMBERS for kind in kinds]
    foreign = [kind == "L" or kind in _NUMBERS for kind in kinds]
    for i, (char, kind) in enumerate(zip(chars, kinds, strict=True)):
        right, left = i > 0 and number[i - 1], i + 1 < len(chars) and number[i + 1]
        if char in _AFTER_NUMBERS:
            foreign[i] = left  # drawn to the right of its number
        elif kind == "CS" or (kind == "ES" and not is_arabic):
            foreign[i] = left and right
        elif kind == "ET" and not is_arabic:
            foreign[i] = left or right
    last = None
    for i in [i for i, flag in enumerate(foreign) if flag]:
        if last is not None and "R" not in (between := kinds[last + 1 : i]) and "AL" not in between:
            words = (kinds[last] == "L") + (kinds[i] == "L")
            # A number to the right of a word was written before it or after: the engine's order tells.
            if words and (words > 1 or kinds[last] == "L" or places[i] < places[last] or not between):
                foreign[last:i] = [True] * (i - last)
        last = i
    return foreign


def _mirrored(chars: Sequence[tuple[str, bool]]) -> list[str]:
    """The characters, those brackets that were drawn mirrored turned back, if that lets them close what they open."""
    turned = [char if is_foreign else char.translate(_MIRRORED) for char, is_foreign in chars]
    plain = [char for char, _ in chars]
    return turned if _pairs(turned) > _pairs(plain) else plain


def _pairs(chars: Sequence[str]) -> int:
    """How many brackets close one that is open."""
    pairs = 0
    opened: list[str] = []
    for char in chars:
        if char in _CLOSES.values():
            opened.append(char)
        elif opened and _CLOSES.get(char) == opened[-1]:
            opened.pop()
            pairs += 1
    return pairs
