"""Hits and their chunks to what a writer sees."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from rag_core.finding.passages import ROOM, grown, passages
from rag_core.types import Chunk, Hit, Passage, Span
from tests.builders import chunk_of, document_id, document_of

SECTION = "Leave\n\nIt is paid. It is long.\n\nGrade | Days\nGrade 2 | 20\nGrade 3 | 25"


def part(text: str, section: str = SECTION, *, document: int = 1, page: int = 1) -> Chunk:
    """The chunk of `section` that reads `text`; the section stands at 10 on its page."""
    start = 10 + section.index(text)
    chunk = chunk_of(text, document=document, page=page, start=start)
    return replace(chunk, section=Span(10, 10 + len(section)))


def passed(*chunks: Chunk, section: str = SECTION, k: int = 9) -> list[Passage]:
    """The passages of hits on these chunks, best first."""
    hits = [Hit(c.id, c.document_id, c.page, 1 / n) for n, c in enumerate(chunks, 1)]
    return passages(
        hits,
        chunks={c.id: c for c in chunks},
        sections={c.id: section for c in chunks},
        documents={document_id(n): document_of(n) for n in (1, 2)},
        signals={hit.chunk_id: {"dense": hit.score} for hit in hits},
        k=k,
    )


def test_a_chunk_grows_to_its_section():
    """The row that was found comes with its table and the paragraph above it, and keeps its place on the page."""
    chunk = grown(part("Grade 3 | 25"), SECTION)
    assert chunk.text == SECTION
    assert chunk.span == chunk.section
    assert chunk.id == part("Grade 3 | 25").id


def test_where_there_is_little_room_it_grows_by_whole_lines():
    """The paragraph that the chunk cuts first, then the nearest lines."""
    chunk = grown(part("It is long."), SECTION, room=len("It is paid. It is long.\n\nGrade | Days"))
    assert chunk.text == "It is paid. It is long.\n\nGrade | Days"


def test_what_a_passage_holds_takes_no_second_place():
    """Two hits in one section are one passage, the first one's; labels count on."""
    other = part("Grade 2 | 20", document=2)
    found = passed(part("Grade 3 | 25"), part("It is paid."), other)
    assert [(p.label, p.chunk.document_id) for p in found] == [(1, document_id(1)), (2, document_id(2))]


def test_a_text_that_is_printed_twice_is_one_passage():
    """The same words on another page say nothing new."""
    found = passed(
        part("It is paid.", "It is paid."), part("It is paid.", "It is paid.", page=2), section="It is paid."
    )
    assert len(found) == 1


def test_a_passage_has_the_scores_of_the_chunk_that_was_found():
    """The signals go along."""
    (passage,) = passed(part("Grade 3 | 25"))
    assert passage.signals == {"dense": 1.0}


lines = st.lists(st.text(st.sampled_from("ab c"), min_size=1, max_size=30), min_size=1, max_size=8)


@given(lines, st.data())
def test_growing_keeps_text_literal_and_inside(paragraphs: list[str], data: st.DataObject):
    """Whatever the section, the grown text is literally of it, holds the chunk, and has no more room than there is."""
    section = "\n".join(paragraphs)
    start = data.draw(st.integers(0, len(section) - 1))
    end = data.draw(st.integers(start + 1, len(section)))
    chunk = part(section[start:end], section)
    chunk = replace(chunk, span=Span(10 + start, 10 + end))
    room = data.draw(st.integers(1, ROOM))
    whole = grown(chunk, section, room=room)
    assert whole.text == section[whole.span.start - 10 : whole.span.end - 10]
    assert whole.span.start <= chunk.span.start
    assert whole.span.end >= chunk.span.end
    assert len(whole.span) <= max(room, len(chunk.span))
