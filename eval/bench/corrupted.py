"""What passes of claims that are a page's own sentences with one thing made wrong, by kind; and of true ones like them.

    python -m eval.bench.corrupted FILE.pdf... [--each 60] [--show KIND]

The claims are made by rule from the documents given (`eval/corruptions.py`) and each is held against the whole page it
was made of, by the verifier as it is shipped. At most so many of a kind are taken, no two of one kind from the same
sentence, the same ones every time. What is untrue and passes is printed with `--show`, to be read: a rule does not know
what a page means, so now and then what it makes is true after all.
"""

from __future__ import annotations

import argparse
import asyncio
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.corruptions import Made, corrupted, retold
from rag_core.adapters.entailment import PackagedEntailment
from rag_core.bootstrap import extractor_of
from rag_core.checking import facts
from rag_core.checking.verification import Verifier
from rag_core.settings import load_settings
from rag_core.types import Judgement, Verdict

SEED = 7
BATCH = 64


@dataclass(frozen=True, slots=True)
class Held:
    """A claim, and the page that it is held against."""

    made: Made
    true: bool
    page: str


def sampled(pages: Iterable[str], each: int) -> list[Held]:
    """At most `each` claims of every kind, kinds in order of name."""
    by: dict[str, list[Held]] = defaultdict(list)
    for page in pages:
        for true, found in ((False, corrupted(page)), (True, retold(page))):
            for made in found:
                by[made.kind].append(Held(made, true, page))
    chosen: list[Held] = []
    for _, held in sorted(by.items()):
        random.Random(SEED).shuffle(held)  # noqa: S311 - a fixed sample, no secret
        first = {h.made.sentence: h for h in reversed(held)}
        chosen += list(first.values())[:each]
    return chosen


async def pages_of(paths: Sequence[Path]) -> list[str]:
    """The texts of all pages of the files."""
    extractor = extractor_of(load_settings())
    read = [await extractor.extract(path, ocr="off") for path in paths]
    return [page.text for extraction in read for page in extraction.pages]


async def judged(held: Sequence[Held]) -> list[Judgement]:
    """The default verifier's judgements, in order."""
    verifier = Verifier(PackagedEntailment())
    made: list[Judgement] = []
    for i in range(0, len(held), BATCH):
        made += await verifier.judge([(h.made.claim, h.page) for h in held[i : i + BATCH]])
    return made


def main() -> None:
    """Print the table, or what passes of one kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--each", type=int, default=60, help="claims of each kind")
    parser.add_argument("--show", metavar="KIND", help="print what is judged wrongly of it instead")
    given = parser.parse_args()
    held = sampled(asyncio.run(pages_of(given.files)), given.each)
    if given.show:
        held = [h for h in held if h.made.kind == given.show]
    by: dict[tuple[bool, str], list[Judgement]] = defaultdict(list)
    for h, judgement in zip(held, asyncio.run(judged(held)), strict=True):
        by[h.true, h.made.kind].append(judgement)
        if given.show and (judgement.verdict is Verdict.SUPPORTED) != h.true:
            print(f"{judgement.verdict.value} {judgement.confidence:.2f}  {h.made.claim}\n    {h.made.sentence}")
    print(f"{'kind':22s} {'claims':>6s} {'called supported':>17s} {'failed a check':>15s}")
    for (_, kind), found in sorted(by.items()):
        print(f"{kind:22s} {len(found):6d} {_supported(found):17d} {_stopped(found):15d}")
    for true, name in ((False, "untrue"), (True, "true")):
        some = [j for (good, _), found in by.items() if good is true for j in found]
        print(f"{name:22s} {len(some):6d} {_supported(some):17d} {_stopped(some):15d}")


def _supported(found: Sequence[Judgement]) -> int:
    return sum(j.verdict is Verdict.SUPPORTED for j in found)


def _stopped(found: Sequence[Judgement]) -> int:
    return sum(any(not r.ok and r.check in facts.CHECKS for r in j.reasons) for j in found)


if __name__ == "__main__":
    main()
