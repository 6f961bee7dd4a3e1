"""The proof: the cited page with its lines highlighted, a crop of them, and the pages before and after."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Self

import discord

from bot.access import interaction_place
from bot.attending import attending
from bot.buttons.places_on_page import RECT, decoded, encoded
from bot.desk import Desk, desk_of
from bot.inert import inert, short
from bot.limits import BUTTONS, CUSTOM_ID, LABEL
from bot.phrases import say
from bot.reply import acknowledged, attended, picture
from rag_core.types import Citation, Document, DocumentId, Passage, Rect, Scope

DOCUMENT = 16
"""Characters of a document's id: enough to tell apart all the documents of a channel."""
MOST_RECTS = (CUSTOM_ID - len("proof:") - DOCUMENT - len("::") - len("99999")) // RECT


class ProofButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=r"proof:(?P<document>[0-9a-f]{16}):(?P<page>\d{1,5}):(?P<rects>[0-9a-z]*)",
):
    """Shows a page to the one who clicks."""

    def __init__(self, document: str, page: int, rects: Sequence[Rect], *, label: str = "Proof") -> None:
        self._document = document[:DOCUMENT]
        self._page = page
        self._rects = rects
        identity = f"proof:{self._document}:{page}:{encoded(rects, MOST_RECTS)}"
        super().__init__(discord.ui.Button(label=label[:LABEL], emoji="🔎", custom_id=identity))

    @classmethod
    def of(cls, citation: Citation) -> Self:
        """The button of a citation."""
        label = say().proof.format(marker=citation.marker, page=citation.page)
        return cls(citation.document_id, citation.page, citation.rects, label=label)

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button as it was made, perhaps by another process."""
        return cls(match["document"], int(match["page"]), decoded(match["rects"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Draw the page; only documents that may be asked where the button stands are drawn."""
        async with attending(interaction):
            reply = await acknowledged(interaction, private=True)
            desk, scope = await _seen_by(interaction)
            document = await desk.library.document(self._document, scope=scope)
            quote = await _quote(desk, interaction, document, self._page)
            files = await pictures(desk, document, self._page, scope, rects=self._rects, quote=quote)
            await reply.pictures(_caption(document, self._page), files, view=turning(document, self._page))


class PageButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=r"page:(?P<document>[0-9a-f]{16}):(?P<page>\d{1,5})",
):
    """Turns to another page, in the message that shows one."""

    def __init__(self, document: str, page: int, *, label: str = "", there: bool = True) -> None:
        self._document = document[:DOCUMENT]
        self._page = page
        identity = f"page:{self._document}:{page}"
        super().__init__(discord.ui.Button(label=label, custom_id=identity, disabled=not there))

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button as it was made, perhaps by another process."""
        return cls(match["document"], int(match["page"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Draw that page in the place of the one that is shown."""
        async with attending(interaction):
            await attended(interaction)
            desk, scope = await _seen_by(interaction)
            document = await desk.library.document(self._document, scope=scope)
            files = await pictures(desk, document, self._page, scope)
            await interaction.edit_original_response(
                content=_caption(document, self._page), attachments=files, view=turning(document, self._page)
            )


def proofs_of(passages: Sequence[Passage]) -> discord.ui.View | None:
    """A button a passage; None when there is none."""
    if not passages:
        return None
    view = discord.ui.View(timeout=None)
    made: dict[str, ProofButton] = {}
    for number, passage in enumerate(passages, start=1):
        chunk, rects = passage.chunk, [passage.bbox] if passage.bbox else []
        label = say().passage_on_page.format(number=number, page=chunk.page)
        button = ProofButton(chunk.document_id, chunk.page, rects, label=label)
        made.setdefault(button.custom_id, button)
    for button in list(made.values())[:BUTTONS]:
        view.add_item(button)
    return view


async def pictures(  # noqa: PLR0913 - each is one thing to draw
    desk: Desk, document: Document, page: int, scope: Scope, *, rects: Sequence[Rect] = (), quote: str = ""
) -> list[discord.File]:
    """A crop of the highlighted lines, where there are any, and the page; each described for who cannot see it."""
    read = await desk.library.page(document.id, page, scope=scope)
    text = " ".join(read.text.split()) or say().nothing_read
    says = say().page_described.format(page=page, title=document.title, text=text)
    files = []
    if rects:
        crop = await desk.library.show(document.id, page, scope=scope, rects=rects, crop=True)
        about = say().lines_described.format(page=page, title=document.title, text=quote)
        files.append(picture(crop, f"lines-of-page-{page}.png", about))
    files.append(
        picture(await desk.library.show(document.id, page, scope=scope, rects=rects), f"page-{page}.png", says)
    )
    return files


def turning(document: Document, page: int) -> discord.ui.View:
    """Buttons to the pages before and after."""
    view = discord.ui.View(timeout=None)
    view.add_item(PageButton(document.id, max(page - 1, 0), label=say().previous_page, there=page > 1))
    view.add_item(PageButton(document.id, page + 1, label=say().next_page, there=page < document.pages))
    return view


async def _seen_by(interaction: discord.Interaction) -> tuple[Desk, Scope]:
    desk = desk_of(interaction)
    return desk, await desk.access.everything(interaction_place(interaction))


async def _quote(desk: Desk, interaction: discord.Interaction, document: Document, page: int) -> str:
    asked = await desk.store.question_answered_by(interaction.message.id) if interaction.message else None
    quotes = asked.answer.quotes if asked and asked.answer else ()
    return " … ".join(q.text for q in quotes if DocumentId(q.document_id) == document.id and q.page == page)


def _caption(document: Document, page: int) -> str:
    return say().page_shown.format(title=inert(short(document.title, 150)), page=page, pages=document.pages)
