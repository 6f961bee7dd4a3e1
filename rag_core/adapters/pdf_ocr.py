"""A page's picture to runs of characters, by RapidOCR, whose models are in its package. For the worker process.

The models were trained on Chinese, where words are not spaced: they see the space between Latin words, but hold it for
less likely than nothing at all. So the output is decoded here, with spaces given their due; the same decoding tells
where on the line each letter stands.

A page may have been scanned sideways or upside down. What is read the wrong way round gets a third of the score, so a
few lines tell, more surely than the engine's own classifier; then the picture is straightened before all of it is read.
"""

# mypy: disable-error-code="import-untyped"

from __future__ import annotations

from array import array
from dataclasses import replace
from itertools import pairwise
from math import dist
from typing import Any

from rag_core.adapters.pdf_engine import pymupdf
from rag_core.adapters.pdf_pages import turned_edges
from rag_core.types.rawpage import Box, Run

PIXELS = 3_000_000
"""Of a page: an A4 page at 170 dots an inch, where body type is 24 pixels tall. More costs time and reads no better."""
MAX_SCALE = 6.0
"""Pixels a point: a page the size of a stamp is not blown up further."""
DETECT_SIDE = 1280
"""Pixels of the longer side when lines are looked for; they are read at full size."""
LEAST_SCORE = 0.5
"""A line that the model itself holds for a guess is noise: specks, stamps, drawings."""
SPACE = 0.02
"""Probability from which a space is believed where nothing else is; at 0.005 words fall apart, at 0.1 they stick."""
ROOM = 0.8
"""Of a line's box: the letters' size; the box has room above and below them."""
TALL = 1.5
"""Height by width from which the engine takes a line to run down the page, and turns it before it is read."""
BATCH = 6
"""Lines that the engine reads at once, those of like length together; one or two batches tell how a page lies."""
SURE = 0.8
"""Mean score from which lines are the right way round: they mostly have over 0.9, and upside down under 0.5."""
BETTER = 0.15
"""What the other way round must score more to be believed: on what is no text both score low."""

Line = tuple[str, float, list[float]]
"""A line's text, its score, and where each letter's middle is as a part of the line's length."""


def is_available() -> bool:
    """Whether the engine is installed."""
    from importlib.util import find_spec

    return find_spec("rapidocr_onnxruntime") is not None


class Reader:
    """The engine, started once a process: loading takes a second."""

    def __init__(self) -> None:
        from rapidocr_onnxruntime import RapidOCR

        self._engine = RapidOCR(
            intra_op_num_threads=1,  # as many workers run as there are processors
            inter_op_num_threads=1,
            use_cls=False,
            det_limit_side_len=DETECT_SIDE,
            det_limit_type="max",
        )
        self._decoder = _Decoder(self._engine.text_rec.postprocess_op.character)
        self._engine.text_rec.postprocess_op = self._decoder
        self._turn = 0
        """How the last page lay: the next one of a document mostly lies alike."""

    def runs_of(self, page: Any, first_line: int) -> list[Run]:  # noqa: ANN401 -- PyMuPDF has no types
        """The lines that can be read in the page's picture, in page coordinates; none when there are none."""
        picture, scale = _picture_of(page)
        boxes, crops = self._found(picture)
        by, lines = self._lie(boxes, crops)
        if by:
            self._turn = (self._turn + by) % 360
            boxes, crops = self._found(picture)
            lines = {}
        lines |= self._read(crops, [i for i in range(len(crops)) if i not in lines])
        flipped = self._flip_those_that_run_up(boxes, crops, lines)
        back = _matrix_back(self._turn, picture.shape[1] / scale, picture.shape[0] / scale)
        runs: list[Run] = []
        for i, corners in enumerate(boxes):
            text, score, centres = lines[i]
            if text and score >= LEAST_SCORE:
                x, y = [float(p[0]) / scale for p in corners], [float(p[1]) / scale for p in corners]
                turn = 270 if i in flipped else 90 if _is_tall(corners) else 0
                run = _run((min(x), min(y), max(x), max(y)), text, centres, first_line + len(runs), turn)
                runs.append(_on_page(run, self._turn, back))
        return runs

    def _found(self, picture: Any) -> tuple[list[Any], list[Any]]:  # noqa: ANN401 -- an array of pixels
        """The corners of the lines in the straightened picture, and a picture of each."""
        import numpy as np

        straight = np.ascontiguousarray(np.rot90(picture, self._turn // 90))
        boxes, _ = self._engine.text_det(straight)
        if boxes is None or not len(boxes):
            return [], []
        boxes = self._engine.sorted_boxes(boxes)
        return boxes, self._engine.get_crop_img_list(straight, boxes)

    def _lie(self, boxes: list[Any], crops: list[Any]) -> tuple[int, dict[int, Line]]:
        """Degrees, clockwise, by which most of the lines are turned, and those that were read to find out."""
        tall = {i for i, corners in enumerate(boxes) if _is_tall(corners)}
        along = sum(_length(boxes[i]) for i in tall)
        sideways = along > sum(map(_length, boxes)) - along
        sample = _longest(crops)
        lines = self._read(crops, sample)
        telling = [i for i in sample if (i in tall) == sideways] or sample
        upright = _mean_score(lines, telling)
        turned = 0.0
        if upright < SURE:
            turned = _mean_score(self._read(_upside_down(crops, telling), telling), telling)
        if max(upright, turned) < LEAST_SCORE:
            return 0, lines
        if turned > upright + BETTER:
            return 270 if sideways else 180, lines
        return 90 if sideways else 0, lines

    def _flip_those_that_run_up(self, boxes: list[Any], crops: list[Any], lines: dict[int, Line]) -> set[int]:
        """The lines along the side that read better from the bottom up; they are put in `lines`."""
        doubtful = [i for i, corners in enumerate(boxes) if _is_tall(corners) and lines[i][1] < SURE]
        other = self._read(_upside_down(crops, doubtful), doubtful)
        flipped = {i for i in doubtful if other[i][1] > lines[i][1] + BETTER}
        lines |= {i: other[i] for i in flipped}
        return flipped

    def _read(self, crops: Any, which: list[int]) -> dict[int, Line]:  # noqa: ANN401 -- pictures, by their number
        if not which:
            return {}
        read, _ = self._engine.text_rec([crops[i] for i in which])
        return dict(zip(which, read, strict=True))


def _picture_of(page: Any) -> tuple[Any, float]:  # noqa: ANN401 -- PyMuPDF has no types
    """The page's pixels as the engine takes them, and how many there are a point."""
    import numpy as np

    scale = min((PIXELS / max(page.rect.width * page.rect.height, 1.0)) ** 0.5, MAX_SCALE)
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), alpha=False, colorspace=pymupdf.csRGB)
    picture = np.frombuffer(pixmap.samples, dtype=np.uint8).reshape(pixmap.height, pixmap.width, 3)
    return picture[:, :, ::-1], scale


def _upside_down(crops: list[Any], which: list[int]) -> dict[int, Any]:
    import numpy as np

    return {i: np.ascontiguousarray(np.rot90(crops[i], 2)) for i in which}


def _longest(crops: list[Any]) -> list[int]:
    """The lines that the engine would read last: reading them first changes nothing in how it reads the others."""
    count = len(crops) % BATCH or BATCH
    if count < BATCH / 2:
        count += BATCH
    return sorted(range(len(crops)), key=lambda i: crops[i].shape[1] / crops[i].shape[0])[-count:]


def _mean_score(lines: dict[int, Line], which: list[int]) -> float:
    return sum(lines[i][1] for i in which) / max(len(which), 1)


def _sides(corners: Any) -> tuple[float, float]:  # noqa: ANN401 -- an array of four points
    """Width and height, as the engine measures them."""
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return max(dist(a, b), dist(c, d)), max(dist(a, d), dist(b, c))


def _is_tall(corners: Any) -> bool:  # noqa: ANN401 -- an array of four points
    width, height = _sides(corners)
    return int(height) >= TALL * int(width)


def _length(corners: Any) -> float:  # noqa: ANN401 -- an array of four points
    return max(_sides(corners))


def _matrix_back(turn: int, width: float, height: float) -> tuple[float, ...]:
    """From places in the straightened picture to the page of this size, on which the picture lies turned."""
    match turn:
        case 90:
            return 0, 1, -1, 0, width, 0
        case 180:
            return -1, 0, 0, -1, width, height
        case 270:
            return 0, -1, 1, 0, 0, height
        case _:
            return 1, 0, 0, 1, 0, 0


def _on_page(run: Run, turn: int, back: tuple[float, ...]) -> Run:
    if not turn:
        return run
    x0, y0, x1, y1 = turned_edges(array("f", run.bbox), back)
    return replace(run, edges=turned_edges(run.edges, back), bbox=(x0, y0, x1, y1), turn=(run.turn + turn) % 360)


class _Decoder:
    """Reads the model's output."""

    def __init__(self, characters: list[str]) -> None:
        self.character = characters
        self._space = len(characters) - 1

    def __call__(
        self,
        predictions: Any,  # noqa: ANN401 -- an array of (line, column, character)
        return_word_box: bool = False,  # noqa: ARG002 -- the engine's own signature
        *,
        wh_ratio_list: list[float],
        max_wh_ratio: float,
    ) -> list[Line]:
        import numpy as np

        lines = []
        for line, ratio in zip(predictions, wh_ratio_list, strict=True):
            best = line.argmax(axis=1)
            best = np.where((best == 0) & (line[:, self._space] > SPACE), self._space, best)
            kept = best != 0
            kept[1:] &= best[1:] != best[:-1]
            columns = np.flatnonzero(kept)
            text = "".join(self.character[k] for k in best[columns])
            lead, tail = len(text) - len(text.lstrip()), len(text.rstrip())
            columns = columns[lead:tail]
            score = float(line.max(axis=1)[columns].mean()) if len(columns) else 0.0
            middles = (columns + 0.5) / len(line) * max_wh_ratio / ratio
            lines.append((text[lead:tail], score, np.clip(middles, 0.0, 1.0).tolist()))
        return lines


def _run(box: Box, text: str, centres: list[float], line: int, turn: int) -> Run:
    x0, y0, x1, y1 = box
    start, length = {0: (x0, x1 - x0), 90: (y0, y1 - y0), 270: (y1, y0 - y1)}[turn]
    ends = [start + length * (a + b) / 2 for a, b in pairwise(centres)]
    edges = array("f")
    for a, b in zip([start, *ends], [*ends, start + length], strict=True):
        edges.extend((a, y0, b, y1) if turn == 0 else (x0, min(a, b), x1, max(a, b)))
    size = ROOM * ((y1 - y0) if turn == 0 else (x1 - x0))
    return Run(text, edges, box, size, bold=False, line=line, order=line, turn=turn)
