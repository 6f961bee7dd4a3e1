"""Text to tokens, and a question to what it asks."""

# ruff: noqa: RUF001 - signs as texts have them

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rag_core.finding.queries import LONGEST, asked, held, is_character, read, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("4,523,000", "4523000"),
        ("4\u202f523\u202f000", "4523000"),
        ("4.523.000", "4523000"),
        ("1,250.00 euros", "1250 euros"),
        ("12%", "12 percent"),
        ("12 per cent", "12 percent"),
        ("12kg", "12 kg"),
        ("twenty-five days", "25 days"),
        ("Twenty five days", "25 days"),
        ("seven members", "7 members"),
        ("the 3rd quarter", "the third quarter"),
        ("the twenty-first", "the 21st"),
        ("§ 4.2", "Section 4.2"),
        ("the U.S. Senate", "the US Senate"),
        ("U.S.A.", "USA"),
        ("PP&E", "PPE"),
        ("e-mail", "email"),
        ("Boeing's fleet", "Boeing fleet"),
        ("don’t", "don't"),
        ("coöperate ＡＢＣ", "coöperate abc"),
        ("ﬁnance", "finance"),
        ("co\u00adoperate", "cooperate"),
        ("SP\u00a0800‑207", "SP 800-207"),
        ("COVID-19", "covid 19"),
        ("北京\n大学", "北京大学"),
    ],
)
def test_two_writings_of_one_thing_are_the_same_words(one: str, other: str):
    """An index and a question that write it differently find each other."""
    assert words(one) == words(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("4.2", "4.20"),
        ("1.2.0", "1.2"),
        ("1,2", "12"),
        ("4.5", "45"),
        ("one of them", "1 of them"),
        ("ten seconds", "ten 2nds"),
        ("12,345²", "123452"),
        ("東京", "京東"),
    ],
)
def test_what_differs_stays_apart(one: str, other: str):
    """Sections, versions and lists of digits are not rounded into each other."""
    assert words(one) != words(other)


def test_a_script_without_spaces_is_read_in_pairs():
    """Of characters, not of code points: a Thai vowel or tone belongs to the letter that bears it."""
    assert words("东京大学") == ["东京", "京大", "大学"]
    assert words("ひらがな") == ["ひら", "らが", "がな"]
    assert words("연차 휴가") == ["연차", "휴가"]
    assert words("ที่นี่") == ["ที่นี่"]
    assert words("水") == ["水"]
    assert words("東京支社のVPN接続") == ["東京", "京支", "支社", "社の", "vpn", "接続"]


def test_letters_keep_their_marks():
    """Devanagari and Arabic words are not cut at their vowels."""
    assert words("हिन्दी भाषा") == ["हिन्दी", "भाषा"]
    assert len(words("العَرَبِيَّة")) == 1


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("part AB-1234/5 fits", "ab-1234-5"),
        ("see SP 800-207.", "800-207"),
        ("id HB0116", "hb-0116"),
        ("on 2024-03-01", "2024-03-01"),
        ("on 2024-03-01", "@2024-03-01"),
        ("on March 1st, 2024", "@2024-03-01"),
        ("on 1 March 2024", "@2024-03-01"),
        ("2024年3月1日", "@2024-03-01"),
        ("2024년 3월 1일", "@2024-03-01"),
        ("write to jo.smith@acme.example", "jo-smith-acme-example"),
        ("at www.acme.example", "www-acme-example"),
        ("set MAX_HEAP", "max-heap"),
        ("form 10-K", "10-k"),
        ("4.5 million", "=4500000"),
        ("4,500,000", "=4500000"),
    ],
)
def test_codes_dates_and_large_numbers_have_exact_tokens(text: str, token: str):
    """They can be looked for as they stand, whatever else shares their parts."""
    assert token in read(text).exact


@pytest.mark.parametrize(
    "text", ["and/or", "90-day notice", "12kg", "4.2", "well-being", "3rd", "i.e.", "03/04/2024 is"]
)
def test_words_and_quantities_are_no_codes(text: str):
    """A unit or a hyphen makes none, and a date with two readings is no day."""
    assert not [token for token in read(text).exact if not token.startswith("03")]


def test_function_words_are_not_asked_for():
    """Unless there is nothing else, or capitals say that they are names."""
    assert asked("What is the annual leave?").words == ("annual", "leave")
    assert asked("to be or not to be").words == ("to", "be", "or", "not")
    assert asked("Does the U.S. pay for IT?").words == ("us", "pay", "it")
    assert asked("What is in Appendix A?").words == ("appendix", "a")
    assert asked("WHO IS IT").words == ("who", "is", "it")


def test_neighbours_are_content_words_that_stand_together():
    """Over a function word or two, never over more."""
    assert asked("cost of the plan").neighbours == (("cost", "plan"),)
    assert asked("cost of all of the plan").neighbours == ()


def test_a_code_is_asked_for_whole():
    """Its numbers mean nothing without it; its words and years do."""
    (code,) = asked("torque of AB-1234/5").codes
    assert (code.whole, code.pieces, code.alone) == ("ab-1234-5", ("ab", "1234", "5"), ("ab",))
    assert asked("torque of AB-1234/5").words == ("torque",)
    assert asked("ABC2019").codes[0].alone == ("abc", "2019")


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("FY2019 revenue", ("fy", "2019", "revenue")),
        ("revenue of FY22", ("revenue", "fy", "2022")),
        ("FY2023Q1", ("fy", "2023", "q", "1")),
        ("2Q23 margin", ("2", "q", "2023", "margin")),
        ("growth 2018-2022", ("growth", "2018", "2022")),
        ("H1 2024", ("h", "1", "2024")),
    ],
)
def test_a_period_is_words_and_no_code(question: str, words: tuple[str, ...]):
    """Reports write it in many ways, and who asks for one wants all of them."""
    assert (asked(question).words, asked(question).codes) == (words, ())


@pytest.mark.parametrize("code", ["F-35", "H1N1", "Q7-B", "2018-2022-A", "12-28-2007", "FY2019-X"])
def test_what_looks_like_a_period_may_be_a_code(code: str):
    """An aircraft, a virus, a part, a date."""
    assert len(asked(f"torque of {code}").codes) == 1


@pytest.mark.parametrize(
    "question",
    ['"annual leave"', "“annual leave”", "„Annual leave“", "«annual leave»", "「annual leave」", '“annual leave"'],
)
def test_quotes_of_many_kinds_make_a_phrase(question: str):
    """Straight or typographic, of any language."""
    assert asked(f"Who gets {question} here?").phrases == (("annual", "leave"),)


@pytest.mark.parametrize(
    "question", ['"annual leave', 'a 5" and a 6" pipe', '""', '" "', "“”", "annual leave”", "it's o'clock"]
)
def test_stray_quotes_are_no_phrase(question: str):
    """An inch, an apostrophe or a quote that never closes asks for nothing."""
    assert asked(question).phrases == ()


def test_a_lone_character_is_told_from_a_pair():
    """It is looked for in another field."""
    assert is_character("水")
    assert is_character("ที่")
    assert not is_character("水道")
    assert not is_character("a")


@pytest.mark.parametrize(
    ("question", "text", "n"),
    [
        ("“annual leave”", "All staff: Annual Leave!", 1),
        ("“annual leave”", "annual and leave; leave is annual", 0),
        ("“café noir” “red door”", "A cafe noir behind the red door", 2),
        ("「多要素認証」", "接続には多要素認証が必要です", 1),
        ("「茶」", "お茶を出します", 1),
        ("torque of AB-1234", "AB1234: 5 Nm", 1),
        ("torque of AB-1234", "AB 1234", 1),
        ("torque of AB-1234", "AB-1235 has 1234 parts", 0),
        ("annual leave", "annual leave", 0),
    ],
)
def test_what_a_text_holds_of_a_question_can_be_counted(question: str, text: str, n: int):
    """Its quotations and codes, by the same rules as the index."""
    assert held(asked(question), text) == n


@given(st.text())
@example("\u00afA0")
@example("x1-abc\u0304")
@example("\u0304ab1")
def test_any_text_can_be_read_and_asked(text: str):
    """Tokens hold no blanks and are never too long, and a question's words are those of the text."""
    kept = read(text)
    assert all(token.split() == [token] and len(token) <= LONGEST for token in (*kept.words, *kept.exact))
    question = asked(text)
    pieces = {piece for code in question.codes for piece in code.pieces}
    assert set(question.words) | pieces <= set(kept.words)


@pytest.mark.parametrize(
    "text", ["a" * 5000, "1" * 5000, '"' * 5000, "a.b-" * 1250, "1,234" * 1000, "水" * 5000, "\x00" * 5000]
)
def test_long_runs_are_cut(text: str):
    """No token is longer than the index holds."""
    assert all(len(word) <= LONGEST for word in asked(text).words)
