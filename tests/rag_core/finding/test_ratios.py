"""Questions about ratios, and the lines that tell them."""

from __future__ import annotations

import pytest

from rag_core.finding.ratios import spelled_out


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Does the company have positive working capital?", "total current liabilities"),
        ("What is the FY2019 fixed asset turnover ratio?", "property, plant and equipment, net"),
        ("what was ebitda in 2020", "depreciation and amortization"),
        ("How high was capex?", "capital expenditures"),
        ("Has FCF improved?", "net cash provided by operating activities"),
        ("Return on Capital Employed for 2023", "total current liabilities"),
        ("ROE of 2021?", "total shareholders' equity"),
    ],
)
def test_a_ratio_is_followed_by_the_lines_it_is_made_of(question: str, line: str):
    """The question itself comes first, unchanged."""
    spelled = spelled_out(question)
    assert spelled.startswith(f"{question} (")
    assert line in spelled


@pytest.mark.parametrize(
    "question",
    [
        "How is smoked roe kept?",
        "Which margin has the page?",
        "What is the working time in the capital?",
        "Who tested the acid?",
        "How does the agency leverage technology and data?",
        "What gearing did the airplane have?",
        "Who provides liquidity to the plan?",
        "",
    ],
)
def test_other_questions_stay_as_they_are(question: str):
    """A word of a ratio is no ratio."""
    assert spelled_out(question) == question


def test_a_line_is_named_once():
    """Two ratios may rest on one."""
    spelled = spelled_out("Compare the current ratio with the quick ratio.")
    assert spelled.count("total current liabilities") == 1


def test_a_ratio_within_another_does_not_count():
    """Fixed assets turn over by themselves."""
    assert "total assets" not in spelled_out("the fixed asset turnover")
