"""A page's picture to runs of characters, by RapidOCR, whose models are in its package. For the worker process.

The models were trained on Chinese, where words are not spaced: they see the space between Latin words, but hold it for
less likely than nothing at all. So the output is decoded here, with spaces given their due; the same decoding tells
where on the line each letter stands.
"""

# mypy: disable-error-code="import-untyped"

from __future__ import annotations

from array import array
from itertools import pairwise
from typing import Any

from rag_core.adapters.pdf_engine import pymupdf
from rag_core.rawpage import Box, Run

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

    def runs_of(self, page: Any, first_line: int) -> list[Run]:  # noqa: ANN401 -- PyMuPDF has no types
        """The lines that can be read in the page's picture, in page coordinates; none when there are none."""
        import numpy as np

        scale = min((PIXELS / max(page.rect.width * page.rect.height, 1.0)) ** 0.5, MAX_SCALE)
        pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), alpha=False, colorspace=pymupdf.csRGB)
        picture = np.frombuffer(pixmap.samples, dtype=np.uint8).reshape(pixmap.height, pixmap.width, 3)
        picture = np.ascontiguousarray(picture[:, :, ::-1])
        boxes, _ = self._engine.text_det(picture)
        if boxes is None or not len(boxes):
            return []
        boxes = self._engine.sorted_boxes(boxes)
        lines, _ = self._engine.text_rec(self._engine.get_crop_img_list(picture, boxes))
        runs: list[Run] = []
        for corners, (text, score, centres) in zip(boxes, lines, strict=True):
            if text and score >= LEAST_SCORE:
                x, y = [float(p[0]) / scale for p in corners], [float(p[1]) / scale for p in corners]
                runs.append(_run((min(x), min(y), max(x), max(y)), text, centres, first_line + len(runs)))
        return runs


class _Decoder:
    """Reads the model's output: (text, score, where each letter's middle is as a part of the line's width)."""

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
    ) -> list[tuple[str, float, list[float]]]:
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


def _run(box: Box, text: str, centres: list[float], line: int) -> Run:
    x0, y0, x1, y1 = box
    upright = x1 - x0 >= 0.67 * (y1 - y0)  # the engine turns taller crops before it reads them
    start, length = (x0, x1 - x0) if upright else (y0, y1 - y0)
    ends = [start + length * (a + b) / 2 for a, b in pairwise(centres)]
    edges = array("f")
    for a, b in zip([start, *ends], [*ends, start + length], strict=True):
        edges.extend((a, y0, b, y1) if upright else (x0, a, x1, b))
    size = ROOM * ((y1 - y0) if upright else (x1 - x0))
    return Run(text, edges, box, size, bold=False, line=line, order=line, turn=0 if upright else 90)
