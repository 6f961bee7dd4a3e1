"""The stand-in for a language model that benches use: it speaks as one does, and is wrong on purpose."""

from __future__ import annotations

import httpx
from builders import passage_of

from eval.bench.quoting_model import draft, served
from rag_core.writing.prompts import SENTINEL, messages

PASSAGES = [
    passage_of("The ceiling in Bergen is 150 EUR a night. Nobody eats before noon in Bergen."),
    passage_of("Leave of grade 4 is 28 days in every year.", label=2),
]


def prompt(question: str) -> str:
    """All that a model would read."""
    return "\n".join(message["content"] for message in messages(question, PASSAGES))


def test_a_draft_quotes_the_passages_nearest_to_the_question_and_cites_them():
    """Only those that share a word with it; the rest are no answer."""
    drafts = {draft(prompt(f"Which ceiling is it in Bergen ({n})?")) for n in range(9)}
    assert "The ceiling in Bergen is 150 EUR a night [1]. Nobody eats before noon in Bergen [1]." in drafts
    assert draft(prompt("Which penguins?")) == SENTINEL


def test_some_drafts_have_a_number_that_no_passage_has():
    """So that something is there to be withheld."""
    drafts = [draft(prompt(f"How long is the leave of grade 4 ({n})?")) for n in range(30)]
    assert {"grade 5" in text for text in drafts} == {True, False}
    assert drafts == [draft(prompt(f"How long is the leave of grade 4 ({n})?")) for n in range(30)]


async def test_it_is_served_by_a_process_of_its_own():
    """In the form of OpenAI's chat API, until nobody needs it."""
    with served() as address:
        asked = {"model": "stand-in", "messages": messages("Which ceiling is it in Bergen?", PASSAGES), "stream": True}
        async with httpx.AsyncClient(timeout=60) as client:
            reply = await client.post(f"{address}/chat/completions", json=asked)
        assert "data: [DONE]" in reply.text
        assert "Bergen" in reply.text
