"""What stands under an answer works, for whoever clicks and whichever process made it."""

from __future__ import annotations

import discord
import pytest
import simcord
from house import ASKED, LEAVE, SIMCORD, House, labels, last, said

from rag_core.types import Scope

pytestmark = SIMCORD


async def answered(house: House) -> discord.Message:
    """An answer with one citation."""
    await house.attach(ASKED)
    return last(house.thread())


async def test_the_proof_is_a_crop_and_a_page_even_after_a_restart(house: House):
    """Shown to the one who clicked alone, and described for who cannot see pictures."""
    answer = await answered(house)
    await house.restart()
    shown = await house.alice.click(answer, label="Proof [1], page 1")
    assert shown.ephemeral
    assert shown.response is not None
    crop, page = shown.response.attachments
    assert crop.filename == "lines-of-page-1.png"
    assert LEAVE in (crop.description or "")
    assert page.filename == "page-1.png"
    assert "Unused leave" in (page.description or "")
    for picture in (crop, page):
        assert (await picture.read()).startswith(b"\x89PNG")


async def test_pages_are_turned_in_the_same_message(house: House):
    """There and back; before the first page there is none."""
    answer = await answered(house)
    shown = await house.alice.click(answer, label="Proof [1], page 1")
    assert shown.response is not None
    await house.alice.click(shown.response, label="Next page ▶")
    [page] = shown.response.attachments
    assert page.filename == "page-2.png"
    assert "page 2 of 2" in shown.response.content
    assert "previous instructions" in (page.description or "")
    with pytest.raises(Exception, match="disabled"):
        await house.alice.click(shown.response, label="Next page ▶")
    await house.alice.click(shown.response, label="◀ Previous page")
    assert [picture.filename for picture in shown.response.attachments] == ["page-1.png"]


async def test_the_proof_of_a_removed_document_says_that_it_is_gone(house: House):
    """Not the page, and not silence."""
    answer = await answered(house)
    [document] = await house.held()
    await house.library.remove(document.id, scope=Scope.of(*document.collections))
    shown = await house.alice.click(answer, label="Proof [1], page 1")
    assert "There is no document" in said(shown)


async def test_an_answer_is_checked_again(house: House):
    """Against the documents as they are now, whichever process answered."""
    answer = await answered(house)
    await house.restart()
    again = await house.alice.click(answer, label="Re-check")
    assert again.ephemeral
    stated = answer.content.count("“")
    assert f"{stated} of {stated} statements are supported" in said(again)
    [document] = await house.held()
    await house.library.remove(document.id, scope=Scope.of(*document.collections))
    assert f"0 of {stated} statements are supported" in said(await house.alice.click(answer, label="Re-check"))


async def test_what_people_think_is_kept_with_its_reason(house: House):
    """A good word at once, a bad one with a form; the last one counts, and its owner sees it in the export."""
    answer = await answered(house)
    liked = await house.alice.click(answer, custom_id="thumb:up")
    assert "noted" in said(liked)
    form = await house.alice.click(answer, custom_id="thumb:down")
    assert form.modal is not None
    await house.alice.submit_modal(form, {"reason": "Wrong page."})
    [vote] = await house.store.votes_by(house.alice.id)
    assert (vote.good, vote.reason) == (False, "Wrong page.")
    exported = await house.alice.slash(house.channel, "privacy export")
    assert exported.response is not None
    [file] = exported.response.attachments
    assert b"Wrong page." in await file.read()


async def test_every_button_works_for_a_process_that_did_not_make_it(house: House):
    """Of a card, an answer, a proof, an offer and a warning: another one is there at each click."""
    await house.attach(ASKED)
    [card] = [message for message in house.thread().history() if "is read" in message.content]
    answer = last(house.thread())

    async def click(
        message: discord.Message | simcord.ResponseMessage | None, **button: str
    ) -> simcord.InteractionResult:
        await house.restart()
        assert message is not None
        return await house.alice.click(message, **button)

    assert LEAVE in said(await click(card, label=ASKED))
    proof = (await click(answer, label="Proof [1], page 1")).response
    assert proof is not None
    await click(proof, label="Next page ▶")
    assert [page.filename for page in proof.attachments] == ["page-2.png"]
    assert "noted" in said(await click(answer, custom_id="thumb:up"))
    offer = await house.alice.submit_modal(await click(answer, custom_id="thumb:down"), {"reason": "No."})
    form = await click(offer.response, label="Keep it, and say what is right")
    assert "Kept" in said(await house.alice.submit_modal(form, {"answer": "25 days", "page": "1"}))
    assert "supported" in said(await click(answer, label="Re-check"))
    sure = await house.alice.slash(house.channel, "privacy delete")
    assert "is deleted" in said(await click(sure.response, label="Delete it all"))


async def test_nothing_is_remembered_of_a_deleted_answer(house: House):
    """A button that was clicked too late says so."""
    answer = await answered(house)
    await house.store.forget_message(answer.id)
    assert "Ask again" in said(await house.alice.click(answer, label="Re-check"))


async def test_a_refusal_can_be_judged_too(house: House):
    """It has nothing to prove or to check again."""
    await house.attach("Which penguins nest in Antarctica?")
    assert labels(last(house.thread())) == ["👍", "👎"]
