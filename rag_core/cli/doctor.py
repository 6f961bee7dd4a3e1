"""`pincite doctor`: what is set, what is missing, and what to do about it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rag_core.cli import options, output

if TYPE_CHECKING:
    from rag_core.diagnosis import Finding
    from rag_core.settings import Settings

CHECKUPS = "pincite.checkups"
"""The entry-point group by which a door brings an examination of its own; the core knows none of them."""
DISCORD = "discord"

SIGNS = {"ok": "ok  ", "hint": "hint", "broken": "FAIL"}


def doctor(
    home: options.Home = None,
    discord: Annotated[
        bool, typer.Option("--discord", help="Ask Discord, too: token, intents, permissions, and the invite link.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Examine the installation; it runs when everything else is broken."""
    import asyncio

    broken = 0
    for finding in asyncio.run(_examined(home, [DISCORD] if discord else [])):
        broken += finding.state == "broken"
        if json:
            output.emit(
                {
                    "check": finding.check,
                    "state": finding.state,
                    "detail": finding.detail,
                    "advice": finding.advice,
                }
            )
        else:
            output.say(f"{SIGNS[finding.state]}  {finding.check}: {finding.detail}")
            if finding.advice:
                output.say(f"      {finding.advice}")
    raise typer.Exit(1 if broken else 0)


async def _examined(home: Path | None, doors: list[str]) -> list[Finding]:
    from rag_core.diagnosis import Finding, diagnose
    from rag_core.errors import RagError
    from rag_core.settings import load_settings

    findings = await diagnose(home)
    for door in doors:
        points = entry_points(group=CHECKUPS, name=door)
        if not points:
            findings.append(Finding(door, "broken", "this door is not installed", "Install Pincite again with pip."))
        for point in points:
            checkup: Callable[[Settings], Awaitable[list[Finding]]] = point.load()
            try:
                findings += await checkup(load_settings(home=home))
            except RagError as exc:
                findings.append(Finding(door, "broken", str(exc)))
    return findings
