"""Words and their opposites. Pure."""

# ruff: noqa: E501 - one family of words a line

from __future__ import annotations

_UP = """
    raise raised raises doubled tripled increase increased increases increasing rise rose rises risen rising grow grew grown grows growing growth climb climbed
    jump jumped surge surged soar soared gain gained gains expand expanded expands expansion improve improved improves
    improvement up higher
"""
_DOWN = """
    decrease decreased decreases decreasing fall fell falls fallen falling decline declined declines declining drop dropped
    drops dropping reduce reduced reduces reduction shrink shrank shrunk halved cut cuts plunge plunged slump slumped lowered lowers contract contracted
    lose lost loss worsen worsened worsens down lower
"""
OPPOSITES: tuple[tuple[str, str], ...] = (
    (_UP, _DOWN),
    ("more greater larger bigger exceed exceeds exceeded above over", "less fewer smaller below under"),
    (
        "highest most largest maximum max longest best biggest",
        "lowest least smallest minimum min shortest worst fewest",
    ),
    ("before prior preceding earlier", "after following later subsequent"),
    ("accept accepted accepts approve approved approves", "reject rejected rejects"),
    ("allow allowed allows permit permitted permits", "prohibit prohibited prohibits forbid forbidden ban banned"),
    ("win won wins", "lose lost loses"),
    ("include included includes including", "exclude excluded excludes excluding"),
    ("start started starts begin began begins", "end ended ends stop stopped stops"),
    ("open opened opens", "close closed closes"),
    ("mandatory required obligatory compulsory must", "optional voluntary"),
    ("support supported supports", "oppose opposed opposes"),
    ("positive positively", "negative negatively"),
    ("always", "never"),
    ("widen widened widens", "narrow narrowed narrows"),
    ("heavier", "lighter"),
    ("older", "younger"),
    ("faster quicker", "slower"),
    ("longer", "shorter"),
    ("better", "worse"),
    ("early earliest first", "late latest last"),
    ("strengthen strengthened", "weaken weakened"),
    ("buy bought buys purchase purchased", "sell sold sells"),
    ("success successful succeeded", "failure unsuccessful failed"),
    ("activate activates activated activation", "inhibit inhibits inhibited inhibition suppress suppresses suppressed"),
    ("upregulated upregulates", "downregulated downregulates"),
    ("import imports imported", "export exports exported"),
    ("internal domestic", "external foreign"),
    ("inside", "outside"),
    ("north northern", "south southern"),
    ("east eastern", "west western"),
    ("male males man men", "female females woman women"),
)
"""Words, and those that turn a statement round when they stand in their place."""


def _sides() -> dict[str, list[tuple[int, int]]]:
    sides: dict[str, list[tuple[int, int]]] = {}
    for group, pair in enumerate(OPPOSITES):
        for side, listed in enumerate(pair):
            for word in listed.split():
                sides.setdefault(word, []).append((group, side))
    return sides


SIDES = _sides()
