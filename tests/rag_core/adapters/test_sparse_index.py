"""Keyword search: what is found, and in which order."""

# ruff: noqa: RUF001 - signs as texts have them

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from builders import chunk_of, document_id, entry_of

from rag_core.adapters import sparse_index
from rag_core.adapters.sparse_index import SparseIndex
from rag_core.adapters.sparse_query import FEW
from rag_core.errors import IndexOutOfDate, StoreBusy
from rag_core.types import Chunk

Search = Callable[[str], Awaitable[list[str]]]
Fill = Callable[[Sequence[str]], Awaitable[Search]]


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[SparseIndex]:
    """An empty index."""
    index = await SparseIndex.open(tmp_path / "keywords")
    yield index
    await index.close()


@pytest.fixture
def fill(index: SparseIndex) -> Fill:
    """Index texts of one document; what it gives searches them, best first."""

    async def filled(texts: Sequence[str]) -> Search:
        chunks = [chunk_of(text, page=page) for page, text in enumerate(texts, 1)]
        await index.add([entry_of(chunk) for chunk in chunks])

        async def search(query: str) -> list[str]:
            hits = await index.retrieve(query, within=[document_id(1)], k=10)
            return [texts[hit.page - 1] for hit in hits]

        return search

    return filled


# ---------------------------------------------------------------------------------------------- codes


CODES = [
    "Bracket AB-1234 takes four bolts.",
    "Bracket AB-1235 takes six bolts.",
    "The plant made 1234 brackets in 1999.",
    "Order AB-1234/5 for the left side.",
    "AB fits any size.",
]


async def test_a_code_finds_itself_and_not_its_parts(fill: Fill):
    """Chunks that only share its number or its letters are left out when it is all that is asked."""
    search = await fill(CODES)
    assert await search("AB-1234") == [CODES[0]]
    assert await search("What is AB-1234/5?") == [CODES[3]]


@pytest.mark.parametrize("query", ["ab1234", "AB–1234", "AB/1234"])
async def test_a_code_is_found_however_it_is_joined(fill: Fill, query: str):
    """Dashes, slashes and none are one."""
    search = await fill(CODES)
    assert (await search(query))[0] == CODES[0]


async def test_a_code_in_a_question_leads_to_its_chunk(fill: Fill):
    """Other words still count, its bare number does not."""
    search = await fill(CODES)
    found = await search("How many bolts does AB-1234 take?")
    assert found[0] == CODES[0]
    assert CODES[2] not in found


async def test_a_code_that_no_chunk_writes_so_falls_back_to_its_parts(fill: Fill):
    """Side by side first, then each alone."""
    texts = ["Publication SP 800 207 defines it.", "Room 207 seats 800 people."]
    search = await fill(texts)
    assert await search("800-207") == texts[:1]
    assert await search("207-B") == ["Room 207 seats 800 people.", "Publication SP 800 207 defines it."]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("jo.smith@acme.example", "Write to jo.smith@acme.example by Friday."),
        ("4523000", "Revenue was 4,523,000 in all."),
        ("4,500,000 subscribers", "It has 4.5 million subscribers."),
        ("2024-03-01", "It was signed on March 1, 2024."),
        ("12kg", "The parcel weighs 12 kg."),
        ("the third quarter", "In the 3rd quarter it fell."),
        ("twenty-five days", "Leave is 25 days."),
        ("12 percent", "It rose 12% at once."),
        ("section 4.2", "See § 4.2 for refunds."),
        ("US Senate", "The U.S. Senate sits here."),
    ],
)
async def test_numbers_dates_and_addresses_are_found_in_other_writings(fill: Fill, query: str, wanted: str):
    """The chunk that says the same comes first."""
    search = await fill(
        [
            "Write to jo.smith@acme.example by Friday.",
            "Write to jo.smythe@acme.example, or to smith.",
            "Revenue was 4,523,000 in all.",
            "It has 4.5 million subscribers.",
            "It has 4.5 thousand subscribers and 500 more.",
            "It was signed on March 1, 2024.",
            "It was signed on March 2, 2024.",
            "The parcel weighs 12 kg.",
            "The parcel weighs 21 kg, in 12 boxes.",
            "In the 3rd quarter it fell.",
            "In the fourth quarter it rose.",
            "Leave is 25 days.",
            "Leave is 20 days, and 5 more.",
            "It rose 12% at once.",
            "See § 4.2 for refunds.",
            "See § 4.20 for returns, and section 2.4.",
            "The U.S. Senate sits here.",
            "The Senate told us so.",
        ]
    )
    assert (await search(query))[0] == wanted


# -------------------------------------------------------------------------------------------- phrases


PHRASES = [
    "Annual leave is granted to all staff, and annual leave may be carried over.",
    "Staff leave the annual meeting at noon.",
    "Leave is annual; staff and all others must ask for leave.",
    "The tide is annual.",
]


async def test_a_quoted_phrase_must_be_held(fill: Fill):
    """Only the chunks that hold it word for word are found."""
    search = await fill(PHRASES)
    assert await search('Which staff "leave the annual" meeting?') == [PHRASES[1]]
    assert await search("“annual leave” of staff") == [PHRASES[0]]
    assert await search('"Annual  LEAVE."') == [PHRASES[0]]


async def test_a_phrase_is_not_stemmed(fill: Fill):
    """Another ending is another phrase."""
    texts = ["The managers report monthly.", "The manager reports monthly."]
    search = await fill(texts)
    assert await search('"manager reports"') == texts[1:]
    assert len(await search("manager reports")) == 2


async def test_a_phrase_that_no_chunk_holds_is_ignored(fill: Fill):
    """Its words are still looked for."""
    search = await fill(PHRASES)
    assert set(await search('"annual herring leave"')) == set(PHRASES)


async def test_two_phrases_are_held_together_or_either(fill: Fill):
    """Both when a chunk has both, else one of them."""
    texts = ["The red door is open.", "The blue door is shut.", "The red door and the blue door.", "A green gate."]
    search = await fill(texts)
    assert await search('"red door" "blue door"') == [texts[2]]
    assert set(await search('"red door" "green gate"')) == {texts[0], texts[2], texts[3]}


async def test_a_phrase_in_the_text_comes_before_one_in_a_heading(index: SparseIndex):
    """A heading or a title holds it, too."""
    chunks = [
        chunk_of("Terms are set by the board.", page=1, context="Sick pay"),
        chunk_of("The rules on sick pay were set by the board long ago, in another year.", page=2),
        chunk_of("The board pays the sick.", page=3),
    ]
    await index.add([entry_of(chunk) for chunk in chunks])
    hits = await index.retrieve('"sick pay" terms of the board', within=[document_id(1)], k=5)
    assert [hit.page for hit in hits] == [2, 1]


async def test_a_phrase_outside_the_scope_requires_nothing(index: SparseIndex):
    """What others hold changes nothing of what the asker finds."""
    await index.add(
        [entry_of(chunk_of("Tide gauge.", document=1)), entry_of(chunk_of("Gauge of the tide.", document=2))]
    )
    hits = await index.retrieve('"tide gauge"', within=[document_id(2)], k=5)
    assert [hit.document_id for hit in hits] == [document_id(2)]


# -------------------------------------------------------------------------------------------- scripts


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("年假有几天？", "公司员工每年享有十五天带薪年假。"),
        ("有給休暇は何日ですか", "社員は年間二十日の有給休暇を取得できます。"),
        ("연차 휴가는 며칠인가요?", "직원은 매년 15일의 연차휴가를 받는다."),
        ("ลาพักร้อนได้กี่วัน", "พนักงานมีสิทธิลาพักร้อนปีละสิบวัน"),
        ("VPN 東京", "東京支社のVPN接続には多要素認証が必要です。"),
        ("GDP 增长率", "2023年中国GDP增长率为5.2%。"),
        ("Samsung 반도체", "삼성전자(Samsung)는 반도체를 만든다."),
        ("ค่าธรรมเนียม ATM", "ธนาคารคิดค่าธรรมเนียมATM 20 บาท"),
        ("茶", "会議のあとにお茶を出します。"),
        ("“多要素認証”", "東京支社のVPN接続には多要素認証が必要です。"),
    ],
)
async def test_scripts_without_spaces_are_searched(fill: Fill, query: str, wanted: str):
    """Chinese, Japanese, Korean and Thai, alone and among Latin words."""
    search = await fill(
        [
            "公司员工每年享有十五天带薪年假。",
            "办公室每天早上九点开门，晚上六点关门。",
            "2023年中国GDP增长率为5.2%。",
            "社員は年間二十日の有給休暇を取得できます。",
            "会議室の予約は受付で行います。",
            "会議のあとにお茶を出します。",
            "大阪支社のVPN接続は廃止されました。",
            "東京支社のVPN接続には多要素認証が必要です。",
            "직원은 매년 15일의 연차휴가를 받는다.",
            "사무실은 오전 9시에 문을 연다.",
            "삼성전자(Samsung)는 반도체를 만든다.",
            "พนักงานมีสิทธิลาพักร้อนปีละสิบวัน",
            "สำนักงานเปิดเวลาเก้าโมงเช้า",
            "ธนาคารคิดค่าธรรมเนียมATM 20 บาท",
        ]
    )
    assert (await search(query))[0] == wanted


# ---------------------------------------------------------------------------------------------- order


async def test_words_that_stand_together_count_more(fill: Fill):
    """Of two chunks with the same words, the one that has them side by side comes first."""
    texts = [
        "The plan of the city covers cost, and much later in this long text there is a word on air.",
        "The air plan of the city covers cost, and much later in this long text there is a word.",
    ]
    search = await fill(texts)
    assert await search("air plan") == [texts[1], texts[0]]


async def test_a_word_counts_once_however_often_it_is_asked(fill: Fill):
    """Its other endings are the same word."""
    texts = ["Rents differ.", "Tides and moons differ."]
    search = await fill(texts)
    assert (await search("rent rents renting tide moon"))[0] == texts[1]


async def test_accents_may_be_left_out(fill: Fill):
    """In words and in phrases."""
    search = await fill(["Café Zürich is open.", "Cafeteria."])
    assert await search("cafe zurich") == ["Café Zürich is open."]
    assert await search('"cafe zürich"') == ["Café Zürich is open."]


async def test_function_words_are_found_when_nothing_else_is_asked(fill: Fill):
    """A question of small words is a question."""
    search = await fill(["To be, or not to be.", "Herring."])
    assert await search("to be or not to be") == ["To be, or not to be."]


async def test_a_word_of_every_chunk_of_the_scope_weighs_little(index: SparseIndex):
    """It is rare in the library, and says nothing within the one document that is asked about."""
    mine = [
        chunk_of("Contoso Contoso Contoso pays the rent.", page=1),
        chunk_of("Contoso grants leave.", page=2),
        chunk_of("Contoso, in a long text about who may work from another place, says that leave is short.", page=3),
    ]
    others = [chunk_of("Leave is granted.", document=2, page=page) for page in range(1, 30)]
    await index.add([entry_of(chunk) for chunk in (*mine, *others)])
    hits = await index.retrieve("Contoso leave", within=[document_id(1)], k=3)
    assert {hit.page for hit in hits[:2]} == {2, 3}


async def test_others_documents_do_not_change_the_order(index: SparseIndex):
    """A word counts by how rare it is in what the asker may see. Texts of one length, as length is weighed by all."""
    texts = ["Rent is due now.", "Leave is due now.", "Rent is rent now.", "Rent or leave now."]
    await index.add([entry_of(chunk_of(text, page=page)) for page, text in enumerate(texts, 1)])
    before = [hit.page for hit in await index.retrieve("rent leave", within=[document_id(1)], k=4)]
    await index.add([entry_of(chunk_of("Leave is due now.", document=2, page=page)) for page in range(1, 40)])
    assert [hit.page for hit in await index.retrieve("rent leave", within=[document_id(1)], k=4)] == before


async def test_chunks_that_tie_stand_in_one_order(index: SparseIndex):
    """By document, page and place, however they were added, and wherever k cuts."""
    places = [(5, 2, 0), (3, 1, 0), (5, 1, 90), (4, 9, 0), (5, 1, 100)]
    for document, page, start in places:
        await index.add([entry_of(chunk_of("Herring Monday.", document=document, page=page, start=start))])
    within = [document_id(n) for n in (5, 4, 3)]
    every = await index.retrieve("Herring Monday", within=within, k=5)
    assert [hit.chunk_id for hit in every] == ["3.1.0", "4.9.0", "5.1.90", "5.1.100", "5.2.0"]
    assert await index.retrieve("Herring Monday", within=within, k=2) == every[:2]


async def test_many_ties_are_seen_before_one_is_chosen(index: SparseIndex):
    """The first of two hundred equals is the first by place."""
    chunks = [chunk_of("Herring Monday.", page=page) for page in range(200, 0, -1)]
    await index.add([entry_of(chunk) for chunk in chunks])
    hits = await index.retrieve("herring", within=[document_id(1)], k=3)
    assert [hit.page for hit in hits] == [1, 2, 3]


async def test_a_thousand_documents_can_be_asked(index: SparseIndex):
    """And those beside them are not found."""

    def chunk(n: int) -> Chunk:
        return replace(chunk_of("The tide turns." if n % 2 else "Tide.", page=n + 1), document_id=ids[n])

    ids = [sparse_index.DocumentId(f"{n:064x}") for n in range(1200)]
    await index.add([entry_of(chunk(n)) for n in range(1200)])
    hits = await index.retrieve("tide turns", within=ids[:1000], k=1000)
    assert {hit.document_id for hit in hits} == set(ids[:1000])


async def test_an_index_of_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Its words were read otherwise, so it says how to mend it."""
    with monkeypatch.context() as older:
        older.setattr(sparse_index, "STEMS", "stems keywords/0")
        index = await SparseIndex.open(tmp_path)
        await index.add([entry_of(chunk_of("Tide."))])
        await index.close()
    with pytest.raises(IndexOutOfDate, match="pincite rebuild"):
        await SparseIndex.open(tmp_path)


async def test_a_second_writer_is_told_and_nothing_of_its_is_taken_for_written(tmp_path: Path):
    """Tantivy's own lock is never in the way of those who keep to ours; whoever does not loses nothing in silence."""
    one, other = await SparseIndex.open(tmp_path), await SparseIndex.open(tmp_path)
    with one._writer():
        for write in (other.add([entry_of(chunk_of("Tide."))]), other.remove(document_id(1)), other.tidy()):
            with pytest.raises(StoreBusy, match="try again"):
                await write
    await other.add([entry_of(chunk_of("Tide."))])
    assert (await one.count(), await other.count()) == (1, 1)
    await one.close()
    await other.close()


@pytest.mark.parametrize("question", ["tide gauge", "reading 7", '"tide gauge"', "XY-12", "nothing of that kind"])
@pytest.mark.parametrize("every", [1, 2, 8])
async def test_a_wide_scope_finds_what_a_filter_would(tmp_path: Path, question: str, every: int):
    """Whether all documents may be seen, half of them, or one in eight, which are few of the best of all."""
    index = await SparseIndex.open(tmp_path)
    words = ["the tide gauge", "a tide and a gauge", "XY-12 of the gauge", "tide"]
    await index.add(
        [entry_of(chunk_of(f"{words[n % 4]}, reading {n % 9}, {'noon ' * (n % 7)}", document=n)) for n in range(1, 161)]
    )
    within = [document_id(n) for n in range(1, 161) if n % every == 0]
    few = [within[i : i + FEW] for i in range(0, len(within), FEW)]
    hits = await index.retrieve(question, within=within, k=10)
    assert {hit.document_id for hit in hits} <= set(within)
    alone = [hit.chunk_id for some in few for hit in await index.retrieve(question, within=some, k=200)]
    assert len(hits) == min(10, len(alone))
    assert {hit.chunk_id for hit in hits} <= set(alone)
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    await index.close()


async def test_a_write_that_died_before_its_commit_hinders_nobody(tmp_path: Path):
    """It left a list of deleted chunks under the very name that the next deletion gives its own."""
    index = await SparseIndex.open(tmp_path)
    await index.add([entry_of(chunk_of(f"Tide {n}.", document=n)) for n in (1, 2, 3)])
    committed = (tmp_path / "meta.json").read_bytes()
    await index.remove(document_id(1))
    await index.close()
    (tmp_path / "meta.json").write_bytes(committed)  # as the dead process left it
    again = await SparseIndex.open(tmp_path)
    await again.remove(document_id(1))
    assert await again.count() == 2
    await again.close()
