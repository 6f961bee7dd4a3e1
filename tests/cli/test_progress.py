"""What a terminal shows of an answer while it comes."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from rag_core.cli.progress import told
from rag_core.types import Answer, AnswerEvent, Checked, CheckedClaim, Checking, Claim, Restarted, Span, Verdict

ANSWER = Answer("Q?", "answered", "A.", (), (), None, "m", {})
CLAIM = CheckedClaim(Claim("Tides @everyone.", Span(0, 5)), Verdict.UNSUPPORTED, 0.1, ())


async def events() -> AsyncIterator[AnswerEvent]:
    """A draft that begins twice."""
    yield Checking(0, "Tides turn.")
    yield Restarted()
    yield Checking(0, "Tides @everyone.")
    yield Checked(0, CLAIM)
    yield ANSWER


async def test_the_answer_is_what_the_events_end_with(capsys: pytest.CaptureFixture[str]):
    """Standard output stays for the answer alone, and a pipe is told nothing of the draft."""
    assert await told(events()) is ANSWER
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "@everyone" not in shown.err


async def test_a_terminal_shows_a_statement_as_checking_first(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Then with its verdict, and made inert like all that is shown."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    await told(events())
    shown = capsys.readouterr().err
    assert shown.index("checking: Tides @") < shown.index("unsupported: Tides @")
    assert "@everyone" not in shown
