"""Pages to chunks."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from rag_core.reading.chunking import PageChunker
from rag_core.types import FURNITURE, Block, BlockKind, DocumentId, Glyphs, Page, Rect, Span, TableRow

DOCUMENT = DocumentId("0123456789abcdef" * 4)
WINDOW = 64


def count(texts: Sequence[str]) -> list[int]:
    """A token for every three characters of a word, and two for the ends."""
    return [2 + sum(-(-len(word) // 3) for word in text.split()) for text in texts]


def page_of(number: int, *blocks: tuple[BlockKind, str], level: int = 1) -> Page:
    """A page of these blocks; the lines of a table are its rows."""
    text, made = "", []
    for kind, words in blocks:
        text += "\n\n" if text else ""
        start = len(text)
        text += words
        rows, at = [], start
        for line in words.split("\n") if kind == "table" else ():
            labelled = line if at == start else line.replace("| ", "| Annual leave: ")
            rows.append(TableRow(Span(at, at + len(line)), labelled))
            at += len(line) + 1
        made.append(
            Block(kind, Span(start, len(text)), Rect(0, 0, 1, 1), level if kind == "heading" else 0, tuple(rows))
        )
    return Page(number, 100, 100, "text", text, tuple(made), Glyphs(array("f", bytes(16 * len(text)))))


def test_a_section_is_a_chunk_and_headings_go_on_over_pages():
    """Blocks of one section merge; what follows on the next page still knows its heading."""
    pages = [
        page_of(
            1, ("header", "Report"), ("heading", "Leave"), ("paragraph", "It is long."), ("paragraph", "It is paid.")
        ),
        page_of(2, ("paragraph", "It ends in May."), ("footer", "2")),
    ]
    first, second = PageChunker(count, WINDOW).chunk(DOCUMENT, pages)
    assert (first.text, first.context) == ("Leave\n\nIt is long.\n\nIt is paid.", "")
    assert (second.text, second.context) == ("It ends in May.", "Leave")
    assert first.id == f"0123456789abcdef.1.{pages[0].text.index('Leave')}"


def test_a_long_table_is_cut_between_rows_and_keeps_its_labels():
    """Every part of a table but the first carries the header's labels as context."""
    rows = ["Grade | Annual leave", *(f"Grade {i} | {20 + i} days" for i in range(40))]
    page = page_of(1, ("table", "\n".join(rows)))
    chunks = [chunk for chunk in PageChunker(count, WINDOW).chunk(DOCUMENT, [page]) if not chunk.whole]
    assert len(chunks) > 2
    assert [line for chunk in chunks for line in chunk.text.split("\n")] == rows
    assert all(chunk.context == rows[0] for chunk in chunks[1:])


def test_what_is_in_several_chunks_is_also_one():
    """A table with its title follows its parts as a chunk of its own, and what fits one chunk does not."""
    rows = ["Grade | Annual leave", *(f"Grade {i} | {20 + i} days" for i in range(40))]
    pages = [
        page_of(1, ("header", "Report"), ("heading", "Leave"), ("table", "\n".join(rows)), ("footer", "1")),
        page_of(2, ("paragraph", "It ends in May.")),
    ]
    chunks = PageChunker(count, WINDOW).chunk(DOCUMENT, pages)
    *parts, whole, last = chunks
    assert (whole.text, whole.span, whole.whole) == ("Leave\n\n" + "\n".join(rows), whole.section, True)
    assert len(parts) > 2
    assert {part.section for part in parts} == {whole.section}
    assert not any(chunk.whole for chunk in (*parts, last))


def test_what_no_reader_takes_in_at_once_stays_in_parts():
    """A section far longer than a passage is found by its parts alone."""
    page = page_of(1, ("paragraph", " ".join(f"Sentence number {i} says a little." for i in range(400))))
    assert not any(chunk.whole for chunk in PageChunker(count, WINDOW).chunk(DOCUMENT, [page]))


words = st.text(st.sampled_from("abcde .\n"), min_size=1, max_size=400).map(str.strip).filter(bool)
blocks = st.tuples(
    st.sampled_from(["heading", "paragraph", "list_item", "footnote", "header", "footer", "table"]), words
)


@given(st.lists(st.lists(blocks, max_size=6), max_size=4))
def test_chunks_cover_the_text_and_fit_the_window(layout: list[list[tuple[BlockKind, str]]]):
    """No visible character that is not furniture is lost, text is literal, ids are unique, and all fits the window."""
    pages = [
        page_of(
            n, *((kind, "\n".join(filter(None, (x.strip() for x in text.split("\n")))) or "x") for kind, text in bs)
        )
        for n, bs in enumerate(layout, 1)
    ]
    chunks = PageChunker(count, WINDOW).chunk(DOCUMENT, pages)
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    assert all(n <= WINDOW for n in count([chunk.indexed for chunk in chunks if not chunk.whole]))
    assert all(chunk.text == chunk.section.of(pages[chunk.page - 1].text) for chunk in chunks if chunk.whole)
    chunks = [chunk for chunk in chunks if not chunk.whole]
    for page in pages:
        covered: set[int] = set()
        for chunk in chunks:
            if chunk.page == page.number:
                assert chunk.text == chunk.span.of(page.text)
                covered.update(range(chunk.span.start, chunk.span.end))
        for block in page.blocks:
            for i in range(block.span.start, block.span.end):
                assert page.text[i].isspace() or (i in covered) == (block.kind not in FURNITURE)
