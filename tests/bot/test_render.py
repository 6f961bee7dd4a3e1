"""Values to Discord's text: within its limits, and with nothing of a document alive in it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from builders import document_id, document_of
from hypothesis import given
from hypothesis import strategies as st

from bot.buttons.places_on_page import decoded, encoded
from bot.buttons.proof import MOST_RECTS
from bot.cards import card, thread_name
from bot.inert import NO_WIDTH, inert
from bot.limits import CUSTOM_ID, MESSAGE
from bot.splitting import prose, split
from rag_core.types import Rect

BEGINS = re.compile(r"(?:^|[\r\u2028])\s*([>#-]|\d+\.(?=\s))", re.MULTILINE)
"""A quote, a heading, small text, an item of a list."""

edges = st.floats(0, 14_400, allow_nan=False)
rects = st.builds(lambda x0, y0, w, h: Rect(x0, y0, x0 + w, y0 + h), edges, edges, st.floats(0, 900), st.floats(0, 900))


@given(st.lists(st.text(max_size=90), max_size=40), st.integers(20, 80))
def test_messages_are_within_the_limit_and_lose_no_word(lines: list[str], limit: int):
    """However long a line is, and whatever it holds."""
    messages = split(lines, limit)
    assert all(0 < len(message) <= limit for message in messages)
    assert all(message.strip() for message in messages)
    words = str.maketrans("", "", f"\\{NO_WIDTH}")
    assert "".join("".join(messages).split()).translate(words) == "".join("".join(lines).split()).translate(words)


LIVELY = st.text(alphabet="ab1. @<>*_~|`[]()#-:/\\\n\r\u2028", max_size=60)


@given(st.lists(LIVELY, max_size=9), st.integers(20, 80))
def test_inert_text_stays_so_wherever_it_is_cut(texts: list[str], limit: int):
    """What stood in the middle of a line begins one then, and no backslash is parted from what it makes inert."""
    for message in split([inert(text) for text in texts], limit):
        assert not BEGINS.search(message)
        assert not re.search(r"[*_~|`\[\]<]", re.sub(r"\\[^a-zA-Z0-9\s]", "", message))


@pytest.mark.parametrize(
    "text",
    ["-# small", "# head", "### head", "> quote", ">>> quote", "- item", "* item", "1. item", "a\n  -# b", "a\r# b",
     "[here](https://evil.example)", "<https://evil.example>", "discord.gg/evil", "DISCORDAPP.com/invite/evil", ":100:",
     "<t:0:R>", "<#1>", "</ask:1>", "<a:b:1>", "||spoiler||", "`code`", "```\ncode", "@here", "<@&1>", "<id:guide>"],
)  # fmt: skip
def test_what_discord_would_act_on_is_shown_letter_by_letter(text: str):
    """Each letter of it is still there, in order; none of it stands as Discord wants it."""
    shown = inert(text)
    assert shown.replace("\\", "").replace(NO_WIDTH, "") == text
    assert not BEGINS.search(shown)
    assert not shown.startswith(text)


@given(st.text(alphabet="ab1. @<>*_~|`[]()#-:/\\\n", max_size=60))
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


def test_a_table_becomes_a_block_that_is_cut_between_rows_under_its_header():
    """Discord draws no tables; a long one goes on in another message with the names of its columns."""
    rows = "\n".join(f"| {grade} | {grade * 3} days |" for grade in range(1, 200))
    messages = split(prose(f"Leave by grade:\n| Grade | Leave |\n|---|---|\n{rows}\nThat is all."))
    assert len(messages) > 1
    assert all(len(message) <= MESSAGE for message in messages)
    assert all(message.count("```") == 2 * message.count("Grade  Leave") for message in messages)
    assert messages[0].startswith("Leave by grade:")
    assert messages[-1].endswith("That is all.")
    assert sum(message.count(" days") for message in messages) == 199


def test_a_wide_table_becomes_a_list_of_its_rows():
    """A code block would cut its last columns off, or wrap them out of line; no value is without its column's name."""
    table = (
        "| Grade | Annual leave | May be carried over by then | Over |\n|---|---|---|---|\n"
        "| Grade 4 | 28 days | 5 days | 3 days [1] |\n| Grade 5 | 30 days | @everyone | |"
    )
    first, second = prose(table)
    assert first == r"- **Grade 4** · Annual leave: 28 days · May be carried over by then: 5 days · Over: 3 days \[1\]"
    assert second.startswith("- **Grade 5** · Annual leave: 30 days · May be carried over by then: ")
    assert "@everyone" not in second
    assert not second.endswith("· ")


def test_a_table_cannot_end_its_own_block():
    """Nor call anybody from inside it."""
    [block] = prose("| a | b |\n|---|---|\n| ``` | @everyone |")
    assert block.count("```") == 2
    assert "@everyone" not in block


@given(st.lists(rects, max_size=20))
def test_a_button_remembers_where_the_lines_are(places: list[Rect]):
    """To the point, outward; all of them are covered, and the id stays as short as Discord wants it."""
    text = encoded(places, MOST_RECTS)
    again = decoded(text)
    assert len(f"proof:{document_id(1)[:16]}:99999:{text}") <= CUSTOM_ID
    assert len(again) == min(len(places), MOST_RECTS)
    for place in places:
        assert any(r.x0 <= place.x0 and r.y0 <= place.y0 and r.x1 >= place.x1 and r.y1 >= place.y1 for r in again)


def test_a_thread_has_the_name_of_its_document():
    """Cut to what Discord takes, and saying how many more there are."""
    names = ["A very long title " * 20, "another"]
    assert len(thread_name(names)) == 100
    assert thread_name(names).endswith("… and 1 more")
    assert thread_name(["A  handbook"]) == "A handbook"
    assert thread_name([" "]) == "PDF"


def test_a_card_says_what_cannot_be_read_and_what_nobody_sees():
    """Pages that are pictures, hidden text; many warnings are counted, and a long title fits."""
    document = replace(
        document_of(title="A" * 300, pages=9),
        unreadable_pages=(3, 7),
        warnings=tuple(f"page {n}: hidden text was left out" for n in range(1, 9)),
    )
    text = card(document, known=False)
    assert "9 pages; could not be read: 3, 7." in text
    assert text.count("hidden text") == 4
    assert "4 more" in text
    assert len(text) <= MESSAGE
