"""What systems said, held against a set, to tables of figures with their intervals. Pure.

Finding, answering, citing and refusing are tables apart: success in one never stands for another. What failed is not
counted, and how much that was is said. A figure that nothing was measured for is absent, and never zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from eval import answers, ranked
from eval.datasets import LabelledClaim, Question
from eval.intervals import Estimate, balanced, mean, percentile, proportion, ratio
from eval.ranked import Place
from eval.replies import Judged, Reply

SHALLOW, DEEP = 5, 10
"""Cut-offs: what a writer has room for, and what is usual in the field."""
STEPS = 20
"""Lines of the sweep of a gate, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the documents that its names stand for."""

    question: Question
    ids: Mapping[str, str]
    """From a name in the set to a document's id."""

    @property
    def gold(self) -> frozenset[Place]:
        """The pages that answer, as rankings have them."""
        return frozenset((self.ids[name], page) for name, page in self.question.pages)


@dataclass(frozen=True, slots=True)
class Table:
    """Figures of one kind for one system, by the metric's name, in order."""

    name: str
    system: str
    figures: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class Line:
    """What a gate would do at one line: the sweep is made of them."""

    threshold: float
    refused: int
    precision: Estimate | None
    recall: Estimate | None
    wrongly: Estimate | None
    """Of the questions with an answer, those refused."""

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall of refusal; 0 when either is missing."""
        p, r = self.precision, self.recall
        return 2 * p.value * r.value / (p.value + r.value) if p and r and p.value + r.value else 0.0


@dataclass(frozen=True, slots=True)
class Scores:
    """All that was measured of one system."""

    system: str
    tables: tuple[Table, ...]
    sweep: tuple[Line, ...]
    own: Mapping[str, Mapping[str, float]]
    """By question, then metric: what is compared in pairs."""
    counted: int
    failed: int
    verdicts: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """By kind of claim: how many, and how many judged rightly."""


Pair = tuple[Asked, Reply]


def score(system: str, pairs: Iterable[Pair]) -> Scores:
    """All tables of one system's replies."""
    every = list(pairs)
    good = [pair for pair in every if pair[1].status != "failed"]
    own = {asked.question.id: per_question(asked, reply) for asked, reply in good}
    answering = [pair for pair in good if pair[1].status != "found"]
    wrote = any(reply.statements or reply.withheld for _, reply in answering)
    made = [_retrieval(own)]
    if wrote:
        made += [_answers(own), _citations(answering, own)]
    if answering:
        made.append(_refusals(good))
    tables = [Table(name, system, _present(figures)) for name, figures in made]
    return Scores(
        system=system,
        tables=tuple([t for t in tables if t.figures] + _costs(system, good)),
        sweep=sweep(good),
        own=own,
        counted=len(good),
        failed=len(every) - len(good),
    )


def score_claims(system: str, pairs: Iterable[tuple[LabelledClaim, Judged]]) -> Scores:
    """The table of verdicts: how often they are right, and precision and coverage of the word "supported"."""
    every = list(pairs)
    good = [(row, judged) for row, judged in every if not judged.failed]
    said = [row for row, judged in good if judged.supported]
    true = [judged for row, judged in good if row.supported]
    false = [judged for row, judged in good if not row.supported]
    right = [row.supported == judged.supported for row, judged in good]
    kinds: dict[str, tuple[int, int]] = {}
    for (row, _), ok in zip(good, right, strict=True):
        n, k = kinds.get(row.kind, (0, 0))
        kinds[row.kind] = (n + 1, k + ok)
    figures = {
        "verdict accuracy": proportion(sum(right), len(right)),
        "balanced accuracy": balanced(
            [[float(judged.supported) for judged in true], [float(not judged.supported) for judged in false]]
        ),
        "supported: precision": proportion(sum(row.supported for row in said), len(said)),
        "supported: coverage": proportion(sum(judged.supported for judged in true), len(true)),
        "false claims let through": proportion(sum(judged.supported for judged in false), len(false)),
    }
    table = Table("verdicts", system, _present(figures))
    own = {row.id: {"right": float(ok)} for (row, _), ok in zip(good, right, strict=True)}
    tables = ([table] if table.figures else []) + _speed(system, {"claim": [judged.ms for _, judged in good]})
    return Scores(system, tuple(tables), (), own, len(good), len(every) - len(good), kinds)


def per_question(asked: Asked, reply: Reply) -> dict[str, float]:
    """Every score that one question has by itself; absent where the question does not allow it."""
    question, gold = asked.question, asked.gold
    scores: dict[str, float] = {}
    if gold:
        scores |= {
            "hit@1": ranked.hit(reply.places, gold, 1),
            f"hit@{SHALLOW}": ranked.hit(reply.places, gold, SHALLOW),
            f"R@{SHALLOW}": ranked.recall(reply.places, gold, SHALLOW),
            f"MRR@{DEEP}": ranked.reciprocal_rank(reply.places, gold, DEEP),
            f"nDCG@{DEEP}": ranked.ndcg(reply.places, gold, DEEP),
        }
    if reply.status != "found":
        scores["refusal right"] = float((reply.status == "refused") != question.answerable)
    if question.answerable and reply.status != "found":
        cited = [citation.place for statement in reply.statements for citation in statement.citations]
        if question.wanted:
            scores["contains"] = answers.contains(reply.text, question.wanted) if reply.text else 0.0
        if question.answer:
            scores["F1"] = answers.f1(reply.text, question.answer)
            number = answers.numbers_match(reply.text, question.answer)
            if number is not None:
                scores["number match"] = number
        if gold:
            scores["rightly cited"] = float(any(place in gold for place in cited))
    return scores


def sweep(pairs: Sequence[Pair]) -> tuple[Line, ...]:
    """What the gate would do at each line; nothing for a system without a gate, or when all questions are of one kind.

    A question is refused when its probability is below the line, whatever else the system would do.
    """
    gated = [(a.question.answerable, r.probability) for a, r in pairs if r.probability is not None]
    if len({answerable for answerable, _ in gated}) < 2:  # noqa: PLR2004 - both kinds
        return ()
    return tuple(_line(step / STEPS, gated) for step in range(STEPS + 1))


def best(lines: Sequence[Line]) -> Line | None:
    """The line with the highest F1 of refusal, the lowest of equals. Chosen on this very set, it flatters itself."""
    return max(lines, key=lambda line: line.f1, default=None)


def _line(threshold: float, gated: Sequence[tuple[bool, float]]) -> Line:
    refused = [answerable for answerable, probability in gated if probability < threshold]
    rightly = sum(not answerable for answerable in refused)
    without = sum(not answerable for answerable, _ in gated)
    return Line(
        threshold,
        len(refused),
        proportion(rightly, len(refused)),
        proportion(rightly, without),
        proportion(len(refused) - rightly, len(gated) - without),
    )


def _retrieval(own: Mapping[str, Mapping[str, float]]) -> tuple[str, dict[str, Estimate | None]]:
    return "retrieval", {
        "hit@1": _share(own, "hit@1"),
        f"hit@{SHALLOW}": _share(own, f"hit@{SHALLOW}"),
        f"R@{SHALLOW}": _mean(own, f"R@{SHALLOW}"),
        f"MRR@{DEEP}": _mean(own, f"MRR@{DEEP}"),
        f"nDCG@{DEEP}": _mean(own, f"nDCG@{DEEP}"),
    }


def _answers(own: Mapping[str, Mapping[str, float]]) -> tuple[str, dict[str, Estimate | None]]:
    return "answers", {
        "contains": _share(own, "contains"),
        "F1": _mean(own, "F1"),
        "number match": _share(own, "number match"),
    }


def _citations(pairs: Sequence[Pair], own: Mapping[str, Mapping[str, float]]) -> tuple[str, dict[str, Estimate | None]]:
    """Claim by claim, over the questions with an answer.

    Precision: of the statements that cite, those of which a citation is on a page that answers. Coverage: of the
    statements shown, those that cite at all. Precision alone could be perfect over one statement, so beside both stands
    the part of the questions that got a right citation ("rightly cited"). After citation precision and recall of ALCE
    (Gao et al., 2023), with gold pages in the place of a model's judgement.
    """
    having = [(asked.gold, reply.statements, reply) for asked, reply in pairs if asked.gold]
    citing = [[s for s in statements if s.citations] for _, statements, _ in having]
    right = [
        sum(any(c.place in gold for c in s.citations) for s in statements)
        for (gold, _, _), statements in zip(having, citing, strict=True)
    ]
    quotes = [c for _, statements, _ in having for s in statements for c in s.citations if c.quote]
    return "citations", {
        "citation precision": ratio(right, [len(statements) for statements in citing]),
        "citation coverage": ratio([len(s) for s in citing], [len(s) for _, s, _ in having]),
        "rightly cited": _share(own, "rightly cited"),
        "quotes literal": proportion(sum(c.literal for c in quotes), len(quotes)),
    }


def _refusals(pairs: Sequence[Pair]) -> tuple[str, dict[str, Estimate | None]]:
    """Precision: of the refusals, those of questions without an answer. Recall: of these questions, those refused.

    Refusal is the positive class, as in SQuAD 2.0's questions without an answer (Rajpurkar, Jia and Liang, 2018).
    """
    refused = [a for a, r in pairs if r.status == "refused"]
    rightly = sum(not a.question.answerable for a in refused)
    without = sum(not a.question.answerable for a, _ in pairs)
    return "refusals", {
        "refusal precision": proportion(rightly, len(refused)),
        "refusal recall": proportion(rightly, without),
        "refused wrongly": proportion(len(refused) - rightly, len(pairs) - without),
    }


def _costs(system: str, pairs: Sequence[Pair]) -> list[Table]:
    stages: dict[str, list[float]] = {}
    for _, reply in pairs:
        for stage, ms in reply.ms.items():
            stages.setdefault(stage, []).append(ms)
    tables = _speed(system, stages)
    asked = [reply.usage for _, reply in pairs if reply.usage.calls]
    if asked:
        figures = {
            "input tokens": mean([float(usage.input_tokens) for usage in asked]),
            "output tokens": mean([float(usage.output_tokens) for usage in asked]),
            "calls": mean([float(usage.calls) for usage in asked]),
        }
        if all(usage.cost is not None for usage in asked):
            figures["US dollars"] = mean([usage.cost or 0.0 for usage in asked])
        tables.append(Table("tokens and cost, a question", system, _present(figures)))
    return tables


def _speed(system: str, stages: Mapping[str, Sequence[float]]) -> list[Table]:
    """Percentiles have no interval here: the low and high of each are itself."""
    figures: dict[str, Estimate] = {}
    for stage, values in stages.items():
        for q in (50, 95):
            if values:
                at = percentile(values, q)
                figures[f"{stage} p{q}"] = Estimate(at, at, at, len(values))
    return [Table("milliseconds", system, figures)] if figures else []


def _share(own: Mapping[str, Mapping[str, float]], metric: str) -> Estimate | None:
    values = _values(own, metric)
    return proportion(round(sum(values)), len(values))


def _mean(own: Mapping[str, Mapping[str, float]], metric: str) -> Estimate | None:
    return mean(_values(own, metric))


def _values(own: Mapping[str, Mapping[str, float]], metric: str) -> list[float]:
    return [scores[metric] for scores in own.values() if metric in scores]


def _present(figures: Mapping[str, Estimate | None]) -> dict[str, Estimate]:
    return {name: figure for name, figure in figures.items() if figure is not None}


def by_system(tables: Iterable[Table]) -> dict[str, dict[str, Estimate]]:
    """The figures of some tables, a system's together: one that answers and judges has both."""
    found: dict[str, dict[str, Estimate]] = {}
    for table in tables:
        found.setdefault(table.system, {}).update(table.figures)
    return found


def figure(scores: Scores, metric: str) -> Estimate | None:
    """A figure by its name, whichever table it is in."""
    return next((table.figures[metric] for table in scores.tables if metric in table.figures), None)
