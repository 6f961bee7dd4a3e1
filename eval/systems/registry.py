"""Names to systems and checkers: what `--systems` may name, and what each is, in a line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from eval.errors import UnknownSystem
from eval.systems import langchain, ours, plain
from eval.systems.corpus import Checker, Corpus, System


@dataclass(frozen=True, slots=True)
class Entry:
    """A system under its name."""

    name: str
    what: str
    make: Callable[[], System]


@dataclass(frozen=True, slots=True)
class CheckerEntry:
    """A checker of claims under its name."""

    name: str
    what: str
    make: Callable[[], Checker]


SYSTEMS: Mapping[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry("sparse", "Pincite's keyword index alone", lambda: ours.Search("sparse")),
        Entry("dense", "Pincite's vector index alone", lambda: ours.Search("dense")),
        Entry("rrf", "both, merged by reciprocal rank", ours.Fusion),
        Entry("hybrid", "both, merged and put in order by the second stage", lambda: ours.Search("hybrid")),
        Entry("gate", "the same, refused by the gate where it holds no answer", ours.Gate),
        Entry("quote", "Pincite's answers by quotation, strict", lambda: ours.Asked("quote", "strict")),
        Entry("quote-flag", "the same, unsupported statements shown and marked", lambda: ours.Asked("quote", "flag")),
        Entry("groq", "Pincite's answers written by Groq's model, strict", lambda: ours.Asked("groq", "strict")),
        Entry("groq-flag", "the same, unsupported statements shown", lambda: ours.Asked("groq", "flag")),
        Entry("openai", "Pincite's answers written by another server, strict", lambda: ours.Asked("openai", "strict")),
        Entry("openai-flag", "the same, unsupported statements shown", lambda: ours.Asked("openai", "flag")),
        Entry("shared-words", "800 characters, dense, 3 shared words of 5 letters", plain.dense_shared_words),
        Entry("tags", "BM25 and dense by RRF, [C4] tags, 2 shared words of 4 letters", plain.hybrid_tags),
        Entry("tfidf", "TF-IDF, literal quotations only", plain.tfidf_quotation),
        Entry("cosine-gate", "500 tokens, dense, refused under a cosine of 0.56", plain.dense_cosine_gate),
        Entry("langchain", "LangChain: pypdf, 1,000 characters, four nearest", langchain.LangChain),
    )
}
CHECKERS: Mapping[str, CheckerEntry] = {
    entry.name: entry
    for entry in (
        CheckerEntry("verifier", "Pincite's verifier", ours.VerifierChecks),
        CheckerEntry("shared-words", "3 shared words of 5 letters", lambda: _Alone(plain.shared_words(5, 3))),
        CheckerEntry("tags", "2 shared words of 4 letters", lambda: _Alone(plain.shared_words(4, 2))),
        CheckerEntry("tfidf", "a literal quotation", lambda: _Alone(plain.literally)),
    )
}
STAGES = ("sparse", "dense", "rrf", "hybrid", "gate")
BASELINES = ("shared-words", "tags", "tfidf", "cosine-gate")
USUAL = (*STAGES, "quote")
"""What is run when nobody names any: all that needs neither a key nor another package."""
GROUPS: Mapping[str, Sequence[str]] = {
    "usual": USUAL,
    "stages": STAGES,
    "baselines": BASELINES,
    "all": (*USUAL, "quote-flag", *BASELINES, "langchain"),
}


def named(names: Sequence[str]) -> tuple[str, ...]:
    """The systems meant, each once; a group's name stands for its systems.

    Raises:
        UnknownSystem: Nothing is called that.
    """
    meant = dict.fromkeys(system for name in names for system in GROUPS.get(name, (name,)))
    for system in meant:
        if system not in SYSTEMS and system not in CHECKERS:
            raise UnknownSystem(
                f"There is no system {system!r}: name some of {', '.join(SYSTEMS)}, "
                f"or a group of them: {', '.join(GROUPS)}."
            )
    return tuple(meant)


class _Alone(plain.Design):
    """A design's check without the rest of it."""

    def __init__(self, check: plain.Check) -> None:
        super().__init__(plain.Words(), check)

    async def prepare(self, corpus: Corpus) -> Mapping[str, float]:  # noqa: ARG002 - as the protocol has it
        """Nothing: there is no document to find anything in."""
        return {}
