"""Values to Discord's text: within its limits, and with nothing of a document alive in it."""

from __future__ import annotations

from builders import document_id, document_of
from hypothesis import given
from hypothesis import strategies as st

from bot.buttons import LONGEST_ID, MOST_RECTS, decoded, encoded
from bot.render import inert, split, thread_name
from rag_core.types import Document, Rect

edges = st.floats(0, 14_400, allow_nan=False)
rects = st.builds(lambda x0, y0, w, h: Rect(x0, y0, x0 + w, y0 + h), edges, edges, st.floats(0, 900), st.floats(0, 900))


@given(st.lists(st.text(max_size=90), max_size=40), st.integers(20, 80))
def test_messages_are_within_the_limit_and_lose_no_word(lines: list[str], limit: int):
    """However long a line is, and whatever it holds."""
    messages = split(lines, limit)
    assert all(0 < len(message) <= limit for message in messages)
    assert all(message.strip() for message in messages)
    assert "".join("".join(messages).split()) == "".join("".join(lines).split())


@given(st.text(alphabet="ab @<>*_~|`[]()#-:/\\\n", max_size=60))
def test_nothing_in_inert_text_is_alive(text: str):
    """Each character that Discord acts on has a backslash before it, or something without width behind it."""
    shown = inert(text)
    assert "://" not in shown
    assert all(shown[i + 1 : i + 2] == "\u200b" for i, char in enumerate(shown) if char == "@")
    plain = shown.replace("\u200b", "")
    at = 0
    while at < len(plain):
        if plain[at] == "\\":
            at += 2
            continue
        assert plain[at] not in "*_~|`[]<"
        at += 1


@given(st.lists(rects, max_size=20))
def test_a_button_remembers_where_the_lines_are(places: list[Rect]):
    """To the point, outward; all of them are covered, and the id stays as short as Discord wants it."""
    text = encoded(places)
    again = decoded(text)
    assert len(f"proof:{document_id(1)[:16]}:99999:{text}") <= LONGEST_ID
    assert len(again) == min(len(places), MOST_RECTS)
    for place in places:
        assert any(r.x0 <= place.x0 and r.y0 <= place.y0 and r.x1 >= place.x1 and r.y1 >= place.y1 for r in again)


def test_a_thread_has_the_name_of_its_document():
    """Cut to what Discord takes, and saying how many more there are."""
    documents: list[Document] = [document_of(1, title="A very long title " * 20), document_of(2)]
    assert len(thread_name(documents)) == 100
    assert thread_name(documents).endswith("… and 1 more")
    assert thread_name(documents[1:]) == "A handbook"
