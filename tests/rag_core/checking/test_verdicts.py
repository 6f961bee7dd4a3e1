"""A verdict is earned: every check holds, or it is not supported."""

from rag_core.checking.verdicts import SUPPORTED_AT, judge, literal, uncheckable
from rag_core.types import Reason, Span, Verdict

HERE = Span(0, 5)
GOOD = Reason("number", ok=True, detail="'5' agrees with '5'")
SAYS_OTHERWISE = Reason("number", ok=False, detail="'5' is not in the text, which says 6")
SILENT = Reason("name", ok=False, detail="'Ana' is not in the text")


def test_supported_needs_score_and_checks():
    """Both, and a span."""
    assert judge(SUPPORTED_AT, [GOOD], HERE).verdict is Verdict.SUPPORTED
    assert judge(SUPPORTED_AT - 0.01, [GOOD], HERE).verdict is Verdict.UNSUPPORTED
    assert judge(1.0, [GOOD], None).verdict is Verdict.UNSUPPORTED


def test_a_failed_check_outweighs_any_score():
    """Whatever a model says."""
    for reason in (SAYS_OTHERWISE, SILENT):
        assert judge(1.0, [GOOD, reason], HERE).verdict is not Verdict.SUPPORTED


def test_contradicted_needs_a_text_that_says_otherwise():
    """Silence is unsupported."""
    assert judge(0.1, [SAYS_OTHERWISE], HERE).verdict is Verdict.CONTRADICTED
    assert judge(0.1, [SILENT], HERE).verdict is Verdict.UNSUPPORTED


def test_the_reason_is_always_given():
    """No verdict without a reason."""
    made = [judge(0.9, [], HERE), judge(0.1, [], HERE), judge(0.1, [], None), literal(HERE), uncheckable("a question")]
    assert all(j.reasons for j in made)


def test_ambiguity_is_said():
    """Another place that would do is named in the reasons."""
    assert "place" in {r.check for r in judge(0.9, [], HERE, ambiguous=True).reasons}
