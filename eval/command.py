"""`pincite eval`: run a set, compare two runs, write a report, draft a set."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

if TYPE_CHECKING:
    from eval.run_values import Run
    from eval.runs import Evals
    from rag_core.library import Library

T = TypeVar("T")

evals = typer.Typer(
    help="Measure the answers: run a set of questions, compare two runs, write a report.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)

Home = Annotated[
    Path | None, typer.Option("--home", help="The data folder.", show_default="PINCITE_HOME, or the system's place")
]
Json = Annotated[bool, typer.Option("--json", help="Write JSON Lines.")]
Collection = Annotated[str, typer.Option("--collection", help="The collection that the documents are in.")]
COLLECTION = "eval"
"""Where the command line puts a set's documents: not among those that are asked."""


@evals.command("run")
def run(  # noqa: PLR0913, PLR0917 - a command's options
    sets: Annotated[list[str] | None, typer.Argument(metavar="SET…", help="Bundled sets, or JSON Lines files.")] = None,
    systems: Annotated[
        str, typer.Option("--systems", help="Names or groups, with commas: usual, stages, baselines, all.")
    ] = "",
    document: Annotated[
        list[Path] | None, typer.Option("--document", help="A PDF that the set asks about, where it is not found.")
    ] = None,
    resume: Annotated[str | None, typer.Option("--resume", help="Go on with this run instead.")] = None,
    baseline: Annotated[Path | None, typer.Option("--baseline", help="Print the change against these figures.")] = None,
    collection: Collection = COLLECTION,
    home: Home = None,
    json: Json = False,
) -> None:
    """Ask every question of the sets of every system, and print what came of it. Stopped, it can be resumed."""
    from eval import printing
    from eval.baselines import against
    from eval.datasets import dataset, merged
    from eval.documents import bring, faults
    from rag_core.cli.output import note
    from rag_core.types import CollectionName, Scope

    if bool(sets) == bool(resume):
        raise typer.BadParameter("name one or more sets, or --resume a run")
    asked = None if resume else merged([dataset(name) for name in sets or ()])
    scope = Scope.of(collection)

    async def work(library: Library, engine: Evals) -> Run:
        with printing.Bar() as bar:
            if asked is None:
                begun = await engine.resume(resume or "", scope=scope, heard=bar.heard)
            else:
                brought = await bring(
                    library, asked, collection=CollectionName(collection), given=document or (), progress=bar.ingest
                )
                printing.brought(brought)
                for fault in await faults(library, asked, brought.ids, scope):
                    note(fault)
                begun = await engine.start(
                    asked,
                    scope=scope,
                    owner=collection,
                    systems=[name.strip() for name in systems.split(",") if name.strip()],
                    documents=brought.ids,
                    heard=bar.heard,
                )
            done = await engine.wait(begun.id)
        scores = await engine.scores(done.id)
        printing.scores(done, scores, json=json)
        printing.failures(await engine.outcomes(done.id))
        if baseline is not None:
            for line in against(baseline, done, scores):
                note(line)
        return done

    done = opened(home, work)
    raise typer.Exit(0 if done.state == "finished" else 1)


@evals.command("history")
def history(collection: Collection = COLLECTION, home: Home = None, json: Json = False) -> None:
    """List the runs, the last one first."""
    from eval import printing

    async def work(_library: Library, engine: Evals) -> None:
        printing.history(await engine.history(owner=collection), json=json)

    opened(home, work)


@evals.command("compare")
def compare(
    before: Annotated[str, typer.Argument(help="A run's id or `latest`; RUN:SYSTEM for one system of it.")],
    after: Annotated[str, typer.Argument(help="The other one.")],
    collection: Collection = COLLECTION,
    home: Home = None,
    json: Json = False,
) -> None:
    """Compare two runs question by question: what changed, whether by chance, and which questions flipped."""
    from eval import printing

    (old, one), (new, other) = (_named(before), _named(after))
    if bool(one) != bool(other):
        raise typer.BadParameter("name a system for both runs, or for neither")

    async def work(_library: Library, engine: Evals) -> None:
        systems = (one, other) if one and other else None
        printing.comparisons(await engine.compare(old, new, systems=systems, owner=collection), json=json)

    opened(home, work)


@evals.command("report")
def report(
    run_id: Annotated[str, typer.Argument(metavar="RUN", help="A run's id, or `latest`.")] = "latest",
    output: Annotated[Path, typer.Option("--output", "-o", help="The HTML file; the PNG goes beside it.")] = Path(
        "eval-report.html"
    ),
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the tables for a README instead, and write nothing.")
    ] = False,
    collection: Collection = COLLECTION,
    home: Home = None,
) -> None:
    """Write a run as one HTML file: tables, charts, the worst answers with their pages; and its chart as PNG."""
    from eval import printing
    from rag_core.cli.output import note, say
    from rag_core.types import Scope

    async def work(_library: Library, engine: Evals) -> None:
        if markdown:
            run = await engine.status(run_id, owner=collection)
            for line in printing.markdown(run, await engine.scores(run.id)):
                say(line)
            return
        made = await engine.report(run_id, scope=Scope.of(collection), owner=collection)
        output.write_text(made.html, encoding="utf-8")
        output.with_suffix(".png").write_bytes(made.png)
        note(f"{output} and {output.with_suffix('.png')}")

    opened(home, work)


@evals.command("judge")
def judge(
    run_id: Annotated[str, typer.Argument(metavar="RUN", help="A run's id, or `latest`.")] = "latest",
    plan: Annotated[bool, typer.Option("--plan", help="Say what it would take, and ask nothing.")] = False,
    collection: Collection = COLLECTION,
    home: Home = None,
    json: Json = False,
) -> None:
    """Let a language model judge a run's answers; told what it takes before it starts, it goes on where it stopped."""
    from eval import printing
    from eval.judging import open_judge
    from rag_core.cli.output import note
    from rag_core.settings import load_settings

    async def work(_library: Library, engine: Evals) -> int:
        run = await engine.status(run_id, owner=collection)
        async with open_judge(load_settings(home=home)) as asked:
            wanted = await engine.judge_plan(run.id, asked)
            note(wanted.said)
            pending = len(wanted.items)
            if not plan:
                ended = await engine.judge(run.id, asked)
                pending = ended.pending
                if ended.note:
                    note(ended.note)
            printing.judged(asked.name, await engine.judged(run.id, asked.name), json=json)
        return pending

    raise typer.Exit(1 if opened(home, work) else 0)


@evals.command("new")
def new(
    document: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="The PDF to draft questions on.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The set; standard output without it.")] = None,
    most: Annotated[int, typer.Option("--most", min=1, max=500, help="Questions at the most.")] = 40,
) -> None:
    """Draft a set on a document, from its headings, tables and sentences, for a person to edit."""
    import asyncio

    from eval.drafting import drafted
    from rag_core.bootstrap import extractor_of
    from rag_core.cli.output import note, say
    from rag_core.settings import load_settings

    extraction = asyncio.run(extractor_of(load_settings()).extract(document))
    lines = drafted(extraction.pages, document=document.name, most=most)
    if output is None:
        for line in lines:
            say(line)
    else:
        output.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    note(f"{len(lines)} questions, drafted by rules: reword, correct and delete before you trust what they measure.")


def opened(home: Path | None, work: Callable[[Library, Evals], Awaitable[T]]) -> T:
    """Run `work` on an open library and its evals."""
    import asyncio

    from rag_core.settings import load_settings

    settings = load_settings(home=home)

    async def inside() -> T:
        from eval.runs import open_evals
        from rag_core.bootstrap import open_library

        async with open_library(settings) as library, open_evals(settings, library) as engine:
            return await work(library, engine)

    return asyncio.run(inside())


def _named(text: str) -> tuple[str, str | None]:
    """RUN or RUN:SYSTEM."""
    run_id, _, system = text.partition(":")
    return run_id, system or None
