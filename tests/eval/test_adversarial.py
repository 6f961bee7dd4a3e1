"""The adversarial set is whole, and the promises made about it hold."""

from collections import Counter

from eval.adversarial import judge, load, report


def test_the_set_is_whole():
    """Every kind is there in number, ids are unique, and each row says that it may be used."""
    rows = load()
    assert len(rows) >= 300
    assert len({r["id"] for r in rows}) == len(rows)
    assert min(Counter(r["kind"] for r in rows).values()) >= 25
    assert {r["license"] for r in rows} == {"CC0-1.0"}


async def test_wrong_figures_never_pass_and_quotations_always_do():
    """No changed digit, unit, date or name is called supported, and no true quotation fails."""
    rows = load()
    kinds = {kind.name: kind for kind in report(rows, await judge(rows))}
    assert all(kinds[name].supported == 0 for name in ("digit", "unit", "date", "name"))
    assert kinds["true_quotation"].supported == kinds["true_quotation"].rows
