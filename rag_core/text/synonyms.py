"""Everyday words to those that people use for the same thing. Pure.

Whoever asks has not read the document, and says boss where it says director. The list is of common English about work,
money, travel, health, law and time; a word may be in several groups, and none is meant to be exact.
"""

from __future__ import annotations

from functools import cache

from rag_core.text.terms import terms

_GROUPS = """
    boss chief head director leader manager lead leads led run runs
    firm company business corporation employer organisation organization enterprise
    worker employee staff personnel colleague people person persons member members workforce
    client customer buyer guest visitor
    guest visitor
    wage wages salary salaries pay paid payment earnings income remuneration compensation earn earns receive receives
    money cash funds amount sum budget
    allowance budget contribution benefit grant stipend
    bonus allowance supplement extra premium
    price cost costs fee charge rate fare expense sell sold
    owe pay cost costs charge charged
    fine penalty penalties fined punish punished punishment sanction
    start starts started begin begins began found founded establish established set launch launched create created open
    end ends ended finish finishes stop stops close closes terminate terminated expire expires expiry over
    quit resign resigns resignation leave leaves notice depart
    fire fired dismiss dismissed dismissal terminate sack
    hire hired recruit recruits employ employed join joined appoint appointed
    holiday holidays vacation leave
    ill sick sickness illness unwell disease
    doctor physician medic nurse practitioner
    hospital clinic
    baby birth child children newborn maternity parental
    mother father parent carer
    husband wife spouse partner
    death die dies died bereavement funeral
    house home lodging accommodation hotel room
    flat apartment home house
    car vehicle automobile
    bus van coach shuttle
    plane airplane aircraft flight fly
    boat ship vessel
    ferry boat crossing
    trip journey travel travelling voyage tour
    drive drives driving driver motorist
    bike bicycle cycle cyclist
    badge pass card permit
    password passphrase passcode pin credentials
    computer laptop machine pc
    phone telephone call ring dial contact extension number
    email mail message
    letter written writing paper document
    form sheet
    buy purchase acquire acquired acquisition
    yearly annual annually year years
    monthly month months
    weekly week weeks
    daily day days
    trial probation probationary
    training learning education course courses teach teaching instruction workshop
    school college university
    exam examination test
    retire retirement pension superannuation
    insurance cover coverage insured
    complaint complaints grievance dispute
    contest appeal challenge object
    decide decides decision rule judge hear heard
    judge justice court
    lawyer attorney counsel solicitor
    law act statute legislation legal
    sign signed signature
    president head leader
    prison imprisonment jail
    crime offence offense criminal offender
    forbid forbidden prohibit prohibited ban banned disallow unlawful
    allow allowed permit permits permitted may
    must required require requires obligatory mandatory compulsory
    change changes changed alter altered amend amended amendment modify modified revise revised revision
    fix repair repaired mend maintenance
    keep keeps kept store stored storage retain retained retention hold held
    delete deleted erase destroy destroyed remove removed
    copy copies duplicate reproduction
    bring carry carried take
    unused remaining untaken carried
    tell inform notify notified report reported announce announced notification
    warning notice
    ask request requests apply application
    answer reply response
    show display shown
    big large great size
    biggest largest maximum most greatest highest ceiling limit
    smallest least minimum lowest
    max maximum limit ceiling
    fast quick quickly soon promptly
    guard watch sentry
    night nights overnight
    row consecutive running successive
    stretch consecutive continuous period
    lunch meal dinner food eat
    drink alcohol beverage
    harbour harbor port dock
    shop store retail
    goods products merchandise
    revenue sales turnover income
    profit earnings income gain
    loss deficit
    debt borrowings loan loans liabilities
    owner proprietor holder
    shareholder stockholder investor
    share stock equity
    share proportion percentage part fraction
    split divided divide parts
    rules policy policies regulations guidelines
    disagree differ conflict contradict
    win prevail prevails win wins
    aim goal objective target purpose
    method approach technique procedure
    result outcome finding conclusion
    show demonstrate prove
    use uses used utilize employ
    help assist support assistance aid
    need require necessary
    risk danger hazard threat
    safe safety secure security
    attack threat breach intrusion
    user subject account
    rights entitlement entitled eligible eligibility
    dead deceased late
    lost lose missing stolen theft
    broken damaged faulty
    clothes clothing wear uniform
    heart cardiac defibrillator
    gather assemble meet meeting muster
    lift elevator
    rubbish waste garbage trash
    internet network online web
    website site web
    provider supplier vendor
    film movie picture
    study studies research
    area region zone district
    amount total sum number
    job post position role work
    duty task responsibility
    extra additional further more
"""


@cache
def _by_term() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for n, line in enumerate(filter(str.strip, _GROUPS.splitlines())):
        for term in terms(line):
            found.setdefault(term, set()).add(n)
    return {term: frozenset(groups) for term, groups in found.items()}


def groups_of(term: str) -> frozenset[int]:
    """The groups of words that a term is in, by number; terms that share one may mean the same.

    >>> bool(groups_of("boss") & groups_of("director")), bool(groups_of("boss") & groups_of("tide"))
    (True, False)
    """
    return _by_term().get(term, frozenset())


def implied(wanted: frozenset[str], said: frozenset[str]) -> frozenset[str]:
    """Those of the `wanted` terms that `said` does not have, but for which it has another word.

    >>> sorted(implied(frozenset({"boss", "tide"}), frozenset({"director"})))
    ['boss']
    """
    there = frozenset().union(*map(groups_of, said))
    return frozenset(term for term in wanted - said if groups_of(term) & there)
