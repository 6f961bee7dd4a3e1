"""What a language model may be asked: how much it reads, how often, and at what price. Pure.

A table of what is known, for the first request; what a server says of itself counts more, and is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rag_core.types.meters import Meter

UNKNOWN_WINDOW = 4096
"""Tokens. What Ollama gives a model unless it is told otherwise; a longer prompt loses its beginning there, which is
where the rules stand, and nobody is told. `PINCITE_LLM_WINDOW` says what a server really has."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """One model's."""

    window: int = UNKNOWN_WINDOW
    """Tokens of a prompt and its reply together."""
    limits: Mapping[Meter, int] = field(default_factory=dict)
    """Of the smallest plan; empty where nothing is known, as for a server of one's own."""
    price: tuple[float, float] | None = None
    """US dollars a million tokens, read and written; None where it is not known."""

    def cost(self, input_tokens: int, output_tokens: int) -> float | None:
        """US dollars.

        >>> Allowance(price=(0.5, 1.0)).cost(2_000_000, 1_000_000)
        2.0
        """
        if self.price is None:
            return None
        return (input_tokens * self.price[0] + output_tokens * self.price[1]) / 1_000_000


def _free(rpm: int, rpd: int, tpm: int, tpd: int) -> dict[Meter, int]:
    return {Meter.RPM: rpm, Meter.RPD: rpd, Meter.TPM: tpm, Meter.TPD: tpd}


GROQ: Mapping[str, Allowance] = {
    "llama-3.3-70b-versatile": Allowance(131_072, _free(30, 1_000, 12_000, 100_000), (0.59, 0.79)),
    "llama-3.1-8b-instant": Allowance(131_072, _free(30, 14_400, 6_000, 500_000), (0.05, 0.08)),
    "openai/gpt-oss-120b": Allowance(131_072, _free(30, 1_000, 8_000, 200_000), (0.15, 0.60)),
    "openai/gpt-oss-20b": Allowance(131_072, _free(30, 1_000, 8_000, 200_000), (0.075, 0.30)),
    "meta-llama/llama-4-scout-17b-16e-instruct": Allowance(131_072, _free(30, 1_000, 30_000, 500_000), (0.11, 0.34)),
    "meta-llama/llama-4-maverick-17b-128e-instruct": Allowance(131_072, _free(30, 1_000, 6_000, 500_000), (0.20, 0.60)),
    "moonshotai/kimi-k2-instruct-0905": Allowance(262_144, _free(60, 1_000, 10_000, 300_000), (1.00, 3.00)),
    "qwen/qwen3-32b": Allowance(131_072, _free(60, 1_000, 6_000, 500_000), (0.29, 0.59)),
}
"""Groq's models that write prose: limits of its free plan and list prices, as its documentation gives them."""

GROQ_UNKNOWN = Allowance(8_192, _free(30, 1_000, 6_000, 100_000))
"""A model of Groq's that is not in the table: the least of what those in it have."""


def allowance(
    model: str,
    known: Mapping[str, Allowance],
    otherwise: Allowance,
    *,
    window: int | None = None,
    prices: Mapping[str, Sequence[float]] | None = None,
) -> Allowance:
    """The model's entry, with what the settings say of its window and price above it."""
    found = known.get(model, otherwise)
    price = (prices or {}).get(model)
    return Allowance(window or found.window, found.limits, (price[0], price[1]) if price else found.price)


def in_force(table: Mapping[Meter, int], told: Mapping[Meter, int]) -> dict[Meter, int]:
    """The limits to keep: what the provider told, and the table's where it told nothing.

    A limit other than the table's means another plan than the table's, so that the rest of the table says nothing.

    >>> in_force({Meter.TPM: 6000, Meter.TPD: 100_000}, {Meter.TPM: 6000})
    {<Meter.TPM: 'tokens per minute'>: 6000, <Meter.TPD: 'tokens per day'>: 100000}
    >>> in_force({Meter.TPM: 6000, Meter.TPD: 100_000}, {Meter.TPM: 300_000})
    {<Meter.TPM: 'tokens per minute'>: 300000}
    """
    another_plan = any(meter in table and table[meter] != limit for meter, limit in told.items())
    return dict(told) if another_plan else {**table, **told}
