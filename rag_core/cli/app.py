"""The command line put together: the core's own commands, and those that other packages bring.

Nothing heavy is imported here, nor by the modules of the commands: `pincite --help` answers before a model could be
found, let alone loaded.
"""

from __future__ import annotations

import sys
from importlib.metadata import entry_points

import typer

from rag_core.cli import (
    ask,
    demo,
    doctor,
    export,
    extract,
    import_,
    ingest,
    list_,
    quota,
    rebuild,
    remove,
    retention,
    search,
    show,
    token,
    verify,
)
from rag_core.cli.output import fail, note
from rag_core.errors import RagError, SettingsError

PLUGINS = "pincite.commands"
"""The entry-point group by which the doors and the evals add their commands; the core knows none of them."""


def build() -> typer.Typer:
    """The whole command line."""
    app = typer.Typer(
        name="pincite",
        help="Answers questions about PDFs, and checks every citation before it publishes it.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.command("ingest")(ingest.ingest)
    app.command("extract")(extract.extract)
    app.command("list")(list_.list_documents)
    app.command("remove")(remove.remove)
    app.command("search")(search.search)
    app.command("ask")(ask.ask)
    app.command("verify")(verify.verify)
    app.command("show")(show.show)
    app.command("doctor")(doctor.doctor)
    app.command("rebuild")(rebuild.rebuild)
    app.command("export")(export.export)
    app.command("import")(import_.import_library)
    app.command("demo")(demo.demo)
    app.add_typer(token.token, name="token")
    app.add_typer(quota.quota, name="quota")
    app.add_typer(retention.retention, name="retention")
    for point in sorted(entry_points(group=PLUGINS), key=lambda point: point.name):
        try:
            brought = point.load()
        except (ImportError, AttributeError) as exc:
            # A door whose library is missing, or that another version brought, must not take the doctor down with it.
            note(f"pincite: the command {point.name!r} cannot be loaded: {exc}")
            continue
        if isinstance(brought, typer.Typer):
            app.add_typer(brought, name=point.name)
        else:
            app.command(point.name)(brought)
    return app


def run() -> None:
    """Run the command line, and turn an error into its sentence and an exit code: 2 for wrong usage, else 1."""
    try:
        build()()
    except SettingsError as exc:
        fail(exc)
        sys.exit(2)
    except RagError as exc:
        fail(exc)
        sys.exit(1)
    except BrokenPipeError:
        # The reader of our output has gone, as `head` does; there is nobody to tell.
        sys.stderr.close()
        sys.exit(1)
