"""Facts that must agree are compared by value; what cannot be told stays silent."""

import pytest

from rag_core.checking.facts import check, contradicts, failed


def broken(claim: str, evidence: str) -> set[str]:
    """The checks that fail."""
    return {r.check for r in failed(check(claim, evidence))}


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("There were 4523000 visits.", "There were 4,523,000 visits."),
        ("It cost 1.000,5 euros.", "It cost € 1,000.5."),
        ("It cost 1 000.5 euros.", "It cost EUR 1,000.50."),
        ("Revenue was $1.2 billion.", "Revenue was 1,234 million dollars."),
        ("Revenue was $1.2bn.", "Revenue was US$1.2 billion."),
        ("It rose to about 12 %.", "It rose to 11.8 per cent."),
        ("It rose to 12 %.", "It rose to 11.8 percent."),
        ("It has twenty-five staff.", "It has 25 staff."),
        ("Two thirds agreed.", "Two-thirds agreed."),
        ("Leave is 14 days.", "Leave is two weeks."),
        ("Notice is 12 months.", "Notice is one year."),
        ("More than 5 million came.", "In all, 5.2 million came."),
        ("It fell by 5 %.", "Change: -5 %."),
        ("A loss of 5.3 million.", "Net result (5.3) million."),
        ("It is -5 °C.", "It was \u22125 °C."),
        ("It was -$5 million.", "The result: -$5 million."),
        ("Between 10 and 15 came.", "Guests: 10 -15."),
        ("From 3 to 4 %.", "Share: 3 %-4 %."),
        ("From 5 to 7 % agreed.", "Between 5% and 7% agreed."),
        ("It came 3rd.", "It came third."),
        ("The 21st century began.", "The twenty-first century began."),
        ("Rates rose by 25 basis points.", "Rates rose by 0.25 percentage points."),
        ("It has 17 sites.", "Sites | 17"),
        ("On 5 March 2019 it closed.", "It closed on March 5th, 2019."),
        ("On 2019-03-05 it closed.", "It closed on 5/3/2019."),
        ("In March 2019 it closed.", "It closed on 5 March 2019."),
        ("In 2019 it closed.", "It closed on 5 March 2019."),
        ("In the 1990s it grew.", "It grew in 1994."),
        ("It closes at 5 p.m.", "It closes at 17:00."),
        ("The COVID-19 plan has 3 steps.", "Covid 19: the plan has three steps."),
        ("Müller's firm won.", "MULLER won."),
        ("The WHO said so.", "The World Health Organization said so."),
        ("They met the World Health Organization.", "They met WHO staff."),
        ("The plan does not cover eyes.", "Eyes are not covered by the plan."),
        ("The fee is not refunded.", "No fee is refunded."),
        ("Dental care is covered.", "Dental care is covered; eye care is not covered."),
        ("It found no evidence of poison.", "It has not found any evidence of poison."),
        ("Sales rose in 2019.", "Sales rose in 2019, and costs fell."),
        ("It did not fall.", "It rose."),
        ("All staff may work from home.", "Every member of staff may work from home, and some do."),
        ("Only staff may enter.", "Entry is limited to staff."),
        (
            "Probation lasts nine months for grades 5 to 7.",
            "Probation lasts six months for grades 1 to 4 and nine months for grades 5 to 7.",
        ),
        ("Probation can last nine months.", "Probation lasts six months for some and nine months for all others."),
        ("Guests pay 9 euros.", "Members | 5 euros\nGuests | 9 euros"),
        ("Revenue in 2018 was $4 million.", "Revenue was $5 million, up from $4 million in 2018."),
        ("The plan does not cover dental care.", "The plan covers everything except dental care."),
        ("Everything except dental care is covered.", "The plan covers everything except dental care."),
        ("Apprentices may not park.", "All staff except apprentices may park."),
        ("Staff may enter.", "Nobody except staff may enter."),
        ("Visitors may enter the lab with an escort.", "Visitors may enter the lab only with an escort."),
        ("France signed.", "Apart from France, Germany signed, too."),
        ("The board has not approved the plan.", "The board has yet to approve the plan."),
        ("Most patients recovered.", "Most patients recovered; few patients fell ill."),
    ],
)
def test_what_agrees_passes(claim: str, evidence: str):
    """The same fact in another form is the same fact."""
    assert broken(claim, evidence) == set()


@pytest.mark.parametrize(
    ("claim", "evidence", "which"),
    [
        ("It was 85 %.", "It was 87 %.", "number"),
        ("It was 6 %.", "It was 5 %.", "number"),
        ("Leave is 26 days.", "Leave is 25 days.", "number"),
        ("Revenue was $1.2 million.", "Revenue was $1.2 billion.", "number"),
        ("It rose by 5 %.", "It rose by 5 percentage points.", "unit"),
        ("It cost 5 euros.", "It cost $5.", "unit"),
        ("Leave is 25 weeks.", "Leave is 25 days.", "number"),
        ("It was 1.5 %.", "It was 15 %.", "number"),
        ("About 12 % agreed.", "14 % agreed.", "number"),
        ("More than 5 million came.", "In all, 4.2 million came.", "number"),
        ("It earned 5 million.", "Net result: -5 million.", "number"),
        ("It is 5 °C.", "It is -5 °C.", "number"),
        ("It fell to 5 %.", "It fell to \u22125 %.", "number"),
        ("The result was $5 million.", "The result was -$5 million.", "number"),
        ("It dropped to -5 °C.", "It dropped to 5 °C.", "number"),
        ("Four sites closed.", "Five sites closed.", "number"),
        ("It came 4th.", "It came third.", "number"),
        ("On 5 March 2019 it closed.", "It closed on 6 March 2019.", "date"),
        ("In March 2018 it closed.", "It closed in March 2019.", "date"),
        ("In 2018 it closed.", "It closed in 2019.", "date"),
        ("In the 1980s it grew.", "It grew in 1994.", "date"),
        ("It closes at 6 p.m.", "It closes at 17:00.", "time"),
        ("The plan does not cover dental care.", "The plan covers dental care.", "negation"),
        ("The plan covers dental care.", "The plan does not cover dental care.", "negation"),
        ("Sales rose in 2019.", "In 2019 sales fell.", "direction"),
        ("Apply before the end of the term.", "Apply after the end of the term.", "direction"),
        ("Staff need at least 5 days.", "Staff need at most 5 days.", "bound"),
        ("All staff work from home.", "Most staff work from home.", "quantifier"),
        ("Only staff may enter.", "Staff may enter.", "quantifier"),
        ("The plan covers dental care.", "The plan covers everything except dental care.", "exception"),
        ("Leave may be booked by fax.", "Leave may be booked by any means other than fax.", "exception"),
        ("The price covers meals.", "The price covers the whole stay, excluding meals.", "exception"),
        ("All staff may park.", "All staff except apprentices may park.", "exception"),
        ("No vehicle may use the bridge.", "No vehicle may use the bridge except buses.", "exception"),
        ("Shops open on Sundays.", "Apart from Sundays, shops open at 9.", "exception"),
        ("Visitors may enter the lab.", "Visitors may enter the lab only with an escort.", "exception"),
        ("The fee is refunded.", "The fee is refunded only if the course is full.", "exception"),
        ("The board approved the plan.", "The board has yet to approve the plan.", "negation"),
        ("Most patients recovered.", "Few patients recovered.", "quantifier"),
        ("Few patients recovered.", "Most of the patients recovered.", "quantifier"),
        (
            "Probation lasts nine months for grades 1 to 4.",
            "Probation lasts six months for grades 1 to 4 and nine months for grades 5 to 7.",
            "binding",
        ),
        ("Guests pay 5 euros.", "Members | 5 euros\nGuests | 9 euros", "binding"),
        ("The board named Ana Silva.", "The board named Rui Silva.", "name"),
        ("The office is in Zurich.", "The office is in Bern.", "name"),
    ],
)
def test_what_differs_fails(claim: str, evidence: str, which: str):
    """One digit, one unit, one word turned round: the check that names it fails."""
    assert which in broken(claim, evidence)


def test_a_failed_check_says_what_it_compared():
    """The reason names both sides."""
    (reason,) = failed(check("It was 85 %.", "It was 87 %."))
    assert reason.detail == "'85 %' is not in the text, which says 87 %"


def test_silence_is_not_contradiction():
    """A number that the text has nothing against is missing, not denied."""
    assert not contradicts(check("It was 85 %.", "It was high."))
    assert contradicts(check("It was 85 %.", "It was 87 %."))


def test_only_the_same_kind_of_number_contradicts():
    """What measures another thing, or counts other things, is no other value of this one."""
    assert not contradicts(check("It has 17 sites.", "It has 20 staff and took 5 % of 2019."))
    assert not contradicts(check("Leave is 26 days.", "The fee is 40 euros."))
    assert contradicts(check("It has 17 sites.", "It has 18 sites."))


@pytest.mark.parametrize(
    ("claim", "evidence", "detail"),
    [
        ("It cost $5 billion.", "It cost €5 billion.", "'$5 billion' (USD), the text says '€5 billion' (EUR)"),
        ("It rose by 5 %.", "It rose by 5 pp.", "'5 %' (percent), the text says '5 pp' (points)"),
        ("It was 5 %.", "It was -5 %.", "'5 %' is not in the text, which says -5 %"),
    ],
)
def test_a_reason_names_what_differs(claim: str, evidence: str, detail: str):
    """The currency, the unit or the sign, where the digits are equal."""
    assert any(detail in r.detail for r in failed(check(claim, evidence)))
