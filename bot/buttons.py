"""The proof button: the cited page, its lines highlighted. It works for as long as the message stands.

All that a button needs is in its id, because the process that made it may be gone when it is clicked.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, Self

import discord

from bot.channels import scope_of
from bot.tree import say_to, told
from rag_core.types import Citation, DocumentId, Rect

if TYPE_CHECKING:
    from rag_core.library import Library

LONGEST_ID = 100
"""Characters of a button's id, by Discord's rule."""
DOCUMENT = 16
"""Characters of a document's id: enough to tell apart all the documents of a channel."""
DIGITS = 3
"""Base-36 digits of a coordinate: up to 46,655 points, three times as far as a PDF page can reach."""
RECT = 4 * DIGITS
MOST_RECTS = (LONGEST_ID - len("proof:") - DOCUMENT - len("::") - len("99999")) // RECT
MOST_BUTTONS = 25
"""Of a message, by Discord's rule."""
LABEL = 80
"""Characters of a button's label, by Discord's rule."""


class ProofButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=r"proof:(?P<document>[0-9a-f]{16}):(?P<page>\d{1,5}):(?P<rects>[0-9a-z]*)",
):
    """Shows one page to the one who clicks."""

    def __init__(self, document: str, page: int, rects: Sequence[Rect], *, label: str = "Proof") -> None:
        self._document = document[:DOCUMENT]
        self._page = page
        self._rects = rects
        identity = f"proof:{self._document}:{page}:{encoded(rects)}"
        super().__init__(discord.ui.Button(label=label[:LABEL], emoji="🔎", custom_id=identity))

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button as it was made, perhaps by another process."""
        return cls(match["document"], int(match["page"]), decoded(match["rects"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Draw the page; only documents of the channel that the button stands in are drawn."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        async with told(lambda text: say_to(interaction, text)):
            library: Library = interaction.client.library
            png = await library.show(
                DocumentId(self._document), self._page, scope=scope_of(interaction), rects=self._rects
            )
            picture = discord.File(
                io.BytesIO(png), f"page-{self._page}.png", description=f"Page {self._page}, the cited lines highlighted"
            )
            await interaction.followup.send(file=picture, ephemeral=True)


def proof_of(citations: Sequence[Citation]) -> discord.ui.View | None:
    """A button a citation; None when there is none."""
    if not citations:
        return None
    view = discord.ui.View(timeout=None)
    made: dict[str, ProofButton] = {}
    for citation in citations:
        button = ProofButton(
            citation.document_id,
            citation.page,
            citation.rects,
            label=f"Proof [{citation.marker}], page {citation.page}",
        )
        made.setdefault(button.custom_id, button)
    for button in list(made.values())[:MOST_BUTTONS]:
        view.add_item(button)
    return view


def encoded(rects: Sequence[Rect]) -> str:
    """Rectangles to whole points around them; those that have no room left are joined with the last that has.

    >>> decoded(encoded([Rect(72.4, 100.0, 523.2, 112.7)]))
    (Rect(x0=72.0, y0=100.0, x1=524.0, y1=113.0),)
    """
    kept = list(rects[:MOST_RECTS])
    if len(rects) > MOST_RECTS:
        kept[-1] = reduce(Rect.union, rects[MOST_RECTS:], kept[-1])
    return "".join(_base36(edge) for rect in kept for edge in _outward(rect))


def decoded(text: str) -> tuple[Rect, ...]:
    """Rectangles from `encoded`; what is left over of a damaged text is dropped."""
    numbers = [int(text[i : i + DIGITS], 36) for i in range(0, len(text) - DIGITS + 1, DIGITS)]
    return tuple(Rect(*map(float, numbers[i : i + 4])) for i in range(0, len(numbers) - 3, 4))


def _outward(rect: Rect) -> Iterator[int]:
    yield from (int(rect.x0), int(rect.y0), -int(-rect.x1 // 1), -int(-rect.y1 // 1))


def _base36(number: int) -> str:
    digits = ""
    number = min(max(number, 0), 36**DIGITS - 1)
    for _ in range(DIGITS):
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits
