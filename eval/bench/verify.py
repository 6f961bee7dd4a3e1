"""How fast claims are checked, each against one span, the model loaded: claims a second, and where the time goes.

    python -m eval.bench.verify [--claims N] [--rounds N]

Claims and passages are those of `eval/data/heldout_claims.jsonl` and `adversarial_claims.jsonl`; each pair is made
different by a word, so that nothing is remembered from the round before.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import time
from collections.abc import Callable, Sequence

from eval.adversarial import CLAIMS, HELD_OUT, load
from rag_core.adapters.entailment import PackagedEntailment
from rag_core.checking import facts
from rag_core.checking.alignment import align
from rag_core.checking.verification import Verifier
from rag_core.text.sentences import sentences

Pair = tuple[str, str]

NUMBER_LINES = 3000
"""Lines of a page of figures, without a stop: what a long table looks like when its ruling is lost."""


def pairs(count: int, mark: str) -> list[Pair]:
    """So many pairs of a claim and a text, none of which was seen under another mark."""
    rows = itertools.cycle([*load(CLAIMS), *load(HELD_OUT)])
    return [(r["claim"], f"{r['evidence']} Note {mark}{i}.") for i, r in zip(range(count), rows, strict=False)]


async def claims_a_second(count: int, mark: str) -> tuple[float, float]:
    """Of the default verifier, once its model is loaded: by the clock, and by the processor's time it took."""
    verifier = Verifier(PackagedEntailment())
    await verifier.judge(pairs(1, f"warm{mark}"))
    chosen = pairs(count, mark)
    clock, processor = time.perf_counter(), time.process_time()
    await verifier.judge(chosen)
    return count / (time.perf_counter() - clock), count / (time.process_time() - processor)


def milliseconds(work: Callable[[Pair], object], chosen: Sequence[Pair]) -> float:
    """The processor's time that one pair takes, on the mean."""
    start = time.process_time()
    for pair in chosen:
        work(pair)
    return (time.process_time() - start) / len(chosen) * 1000


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claims", type=int, default=300, help="claims a round")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    for i in range(args.rounds):
        clock, processor = asyncio.run(claims_a_second(args.claims, f"r{i}-"))
        print(f"{args.claims} claims: {clock:.0f} a second by the clock, {processor:.0f} a second of processor time")
    print(f"align: {milliseconds(lambda p: align(*p), pairs(args.claims, 'a-')):.2f} ms a claim")
    print(f"facts: {milliseconds(lambda p: facts.check(*p), pairs(args.claims, 'f-')):.2f} ms a claim")
    page = "\n".join(f"{i % 97} {i * 7 % 1009} {i * 13 % 503}" for i in range(NUMBER_LINES))
    print(
        f"sentences of {NUMBER_LINES} lines of numbers: {milliseconds(lambda p: sentences(p[1]), [('', page)]):.0f} ms"
    )


if __name__ == "__main__":
    main()
